from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.decisions.journal import append_decisions
from benchwright.errors import WorkspaceError
from benchwright.records import ChainStep, QuestionChain, QuestionOption
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import read_authored
from labeling.dialogues.question_chain.distracting.families import family_of
from labeling.dialogues.question_chain.distracting.integrate import integrate
from labeling.dialogues.question_chain.distracting.integrating import integrated, lacks_of
from labeling.dialogues.question_chain.distracting.likeness import (
    NEAR,
    is_same_answer,
    likeness,
    may_mean,
)
from labeling.dialogues.question_chain.distracting.pools import IntegrateSettings
from labeling.dialogues.question_chain.rules.checking import failures
from labeling.dialogues.question_chain.written import written_text
from labeling.dialogues.stored import decide_dialogues, read_drafts
from stand_ins.chains import chain, decided_of_chain, with_step
from stand_ins.distractors import Misleader, authored_chains, drafted_questions

MODELS = ("alpha-1", "beta-7b", None)


def option(
    text: str, origin: Any = "step", generator: str | None = "alpha-1", answer: str | None = "x"
) -> QuestionOption:
    return QuestionOption(text=text, answer=answer, origin=origin, generator=generator)


def of_one(
    found: QuestionChain,
    settings: IntegrateSettings,
    left_out: Counter[str],
    written: QuestionChain | None = None,
) -> QuestionChain:
    by_id = {} if written is None else {written.chain_id: written}
    (made,) = integrated([found], settings, by_id, left_out)
    return made


def with_options(number: int, *options: QuestionOption) -> QuestionChain:
    found = chain()
    steps = list(found.steps)
    true = replace(option(steps[number - 1].question, "true", None), answer="yes")
    steps[number - 1] = replace(steps[number - 1], question_options=(true, *options))
    return replace(found, steps=tuple(steps))


def chosen(found: QuestionChain, number: int, **settings: Any) -> tuple[QuestionOption, ...]:
    made = of_one(found, IntegrateSettings(**settings), Counter())
    return made.steps[number - 1].question_options


SPOKEN = "car bus left right red wet dog sign Paris 2 two stands who is"
OLD = "old tall loud sad near late quick calm proud brave weak kind"
WORDS = st.sampled_from(SPOKEN.split())
TEXTS = st.lists(WORDS, max_size=6).map(" ".join).map(lambda text: f"{text}?")
OPTIONS = st.builds(
    option,
    TEXTS,
    st.sampled_from(("step", "chain")),
    st.sampled_from(MODELS),
    st.sampled_from((None, "yes", "two")),
)
STOCK = st.integers(0, 400).map(
    lambda seed: [
        option(one["question"], ("step", "chain")[seed % 2], MODELS[seed % 3], one["answer"])
        for one in drafted_questions(3, str(seed))
    ]
)
POOLS = st.builds(
    lambda odd, even: [*odd, *(one for some in even for one in some)],
    st.lists(OPTIONS, max_size=4),
    st.lists(STOCK, max_size=3),
)
ANSWERS = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), max_size=9)


@st.composite
def distracted(draw: st.DrawFn) -> QuestionChain:
    found = chain()
    steps = []
    for number, step in enumerate(found.steps, 1):
        pool = draw(POOLS) if number < len(found.steps) else []
        true = option(step.question, "true", None, step.answer)
        steps.append(
            replace(
                step,
                question_options=(true, *pool) if pool else (),
                answer_options=(step.answer, *draw(ANSWERS)),
            )
        )
    return replace(found, steps=tuple(steps))


@given(distracted(), st.integers(3, 6), st.integers(3, 6), st.integers(0, 3), st.randoms())
@settings(max_examples=150)
def test_drafts_are_levelled_whatever_came(
    found: QuestionChain, options: int, answers: int, seed: int, random: Any
) -> None:
    wanted = IntegrateSettings(options=options, answers=answers, seed=seed)
    left: Counter[str] = Counter()
    made = of_one(found, wanted, left)
    assert made == of_one(found, wanted, Counter())
    assert made == of_one(_shuffled(found, random), wanted, Counter())
    assert replace(made, steps=found.steps) == found
    asked = [*(step.question for step in found.steps), found.question]
    for before, step in zip(found.steps, made.steps, strict=True):
        assert replace(step, question_options=(), answer_options=()) == replace(
            before, question_options=(), answer_options=()
        )
        _check_answers(step, answers)
        if not step.question_options:
            assert step is made.steps[-1]
            continue
        true, *wrong = step.question_options
        assert (true.text, true.answer, true.origin) == (step.question, step.answer, "true")
        assert len(wrong) <= options - 1
        assert all(one.origin != "true" for one in wrong)
        for one in wrong:
            assert all(likeness(one.text, other) < NEAR for other in asked)
            asked.append(one.text)
    # whatever is not there is counted for a reason
    count = sum(len(step.question_options) - 1 for step in made.steps[:-1])
    before_count = sum(
        len(
            {
                (o.text, o.origin, o.generator, o.answer)
                for o in s.question_options
                if o.origin != "true"
            }
        )
        for s in found.steps
    )
    assert before_count - count == (
        left["nearly the same question"] + left["a question more than wanted"]
    )


def _check_answers(step: ChainStep, most: int) -> None:
    true, *wrong = step.answer_options
    assert true == step.answer
    assert len(wrong) <= most - 1
    assert not any(may_mean(one, true) for one in wrong)
    assert not any(
        is_same_answer(one, other) for at, one in enumerate(wrong) for other in wrong[:at]
    )


def _shuffled(found: QuestionChain, random: Any) -> QuestionChain:
    steps = []
    for step in found.steps:
        options, answers = list(step.question_options), list(step.answer_options)
        random.shuffle(options)
        random.shuffle(answers)
        steps.append(replace(step, question_options=tuple(options), answer_options=tuple(answers)))
    return replace(found, steps=tuple(steps))


def stock(number: int, origin: str, generator: str | None, seed: str) -> list[QuestionOption]:
    return [
        option(one["question"], origin, generator, one["answer"])
        for one in drafted_questions(number, seed)
    ]


@pytest.mark.parametrize("options", [3, 4, 6])
def test_there_are_as_many_at_each_step_where_there_are_enough(options: int) -> None:
    found = chain()
    steps = tuple(
        replace(step, question_options=tuple(stock(12, "step", "alpha-1", str(at))))
        for at, step in enumerate(found.steps)
    )
    # of thirty things each step takes other ones
    made = of_one(replace(found, steps=steps), IntegrateSettings(options=options), Counter())
    assert [len(step.question_options) for step in made.steps[:-1]] == [options] * 2


def test_both_origins_and_all_families_are_in() -> None:
    pool = [
        *stock(4, "step", "alpha-1", "p"),
        *stock(4, "step", "alpha-2", "q"),
        option("Who laughs over there?", "chain", "alpha-1"),
        option("Why did the old man stop?", "step", "beta-7b"),
    ]
    for seed in range(20):
        wrong = chosen(with_options(1, *pool), 1, seed=seed)[1:]
        assert {one.origin for one in wrong} == {"step", "chain"}
        assert {family_of(one.generator or "") for one in wrong} == {"alpha", "beta"}


def test_the_true_question_is_anywhere_by_its_length() -> None:
    lengths = [
        option("Who is " + "very " * number + f"{word}?", "step")
        for number, word in enumerate(OLD.split())
    ]
    places: Counter[int] = Counter()
    for seed in range(200):
        true, *wrong = chosen(with_options(1, *lengths), 1, seed=seed)
        places[sum(len(one.text) < len(true.text) for one in wrong)] += 1
    # each of four places is a quarter, 50 of 200; 25 are four standard deviations
    assert all(abs(places[place] - 50) < 25 for place in range(4)), places


@pytest.mark.parametrize(
    ("near", "stays"),
    [
        ("What is the black car doing?", False),  # the true question
        ("what's the BLACK car now doing", False),  # four words of five
        ("What is the silver car doing?", True),  # three words of five
        ("Who is to blame for this crash?", False),  # the question of the chain
        ("Where is the silver cars?", False),  # a later step
        ("Where is the black dog?", True),
    ],
)
def test_what_the_chain_asks_is_no_distractor(near: str, stays: bool) -> None:
    texts = [one.text for one in chosen(with_options(1, option(near)), 1)]
    assert (near in texts[1:]) == stays


def test_what_a_person_wrote_stays_as_it_is() -> None:
    by_hand = option("name the colour of the sky", "step", None)
    pool = stock(8, "step", "alpha-1", "p")
    for seed in range(10):
        wrong = chosen(with_options(1, *pool, by_hand), 1, seed=seed)[1:]
        assert by_hand in wrong
        assert all(one.text.endswith("?") for one in wrong if one != by_hand)
    found = chain()
    drafted = ("waiting", "turning left", "honking", "Parked.", "gone")
    step = replace(found.steps[0], answer_options=("backing out", "Parked.", *drafted))
    more = replace(found, steps=(step, *found.steps[1:]))
    written = replace(found, steps=(replace(step, answer_options=("Parked.",)), *found.steps[1:]))
    for seed in range(10):
        made = of_one(more, IntegrateSettings(seed=seed), Counter(), written)
        assert "Parked." in made.steps[0].answer_options
        alone = of_one(more, IntegrateSettings(seed=seed), Counter())
        assert "Parked." not in alone.steps[0].answer_options  # in the style of the true one


def test_a_wrong_answer_of_a_person_is_taken_though_the_words_could_mean_the_true_one() -> None:
    """Whether it is wrong the person has seen in the picture; no rule can."""
    found = chain()
    true = found.steps[0].answer
    step = replace(found.steps[0], answer_options=(true, f"not {true}", "gone", f"slowly {true}"))
    more = replace(found, steps=(step, *found.steps[1:]))
    by_hand = replace(step, answer_options=(true, f"not {true}"))
    written = replace(found, steps=(by_hand, *found.steps[1:]))
    made = of_one(more, IntegrateSettings(), Counter(), written)
    assert set(made.steps[0].answer_options) == {true, f"not {true}", "gone"}


def test_no_distractor_comes_back_at_a_later_step() -> None:
    pool = stock(3, "step", "alpha-1", "p")
    found = with_options(1, *pool)
    steps = list(found.steps)
    steps[1] = replace(steps[1], question_options=tuple(pool))
    made = of_one(replace(found, steps=tuple(steps)), IntegrateSettings(), Counter())
    assert [len(step.question_options) for step in made.steps[:2]] == [4, 1]
    (lack,) = [one for one in lacks_of(made, IntegrateSettings()) if one.questions]
    assert (lack.step, lack.questions) == (2, 3)


def test_drafts_are_written_and_what_people_wrote_stands(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    models = panel({name: Misleader() for name in MODELS if name})
    where = ("--workspace", authored.root)
    assert chains_command("distract", "--voters", models.voters, *where).code == 0
    ran = chains_command("integrate", *where)
    assert ran.code == 0, ran.err
    assert "every step has 4 questions and 4 answers" in ran.out
    assert ran.out.endswith(
        f"next: review-labels open --audit question-chain --auditor NAME --workspace {where[1]}\n"
    )
    drafts = read_drafts(authored, "question-chain")
    assert [failures(draft) for draft in drafts] == [()] * 3
    assert "(done before)" in chains_command("integrate", *where).out
    # a person writes chain a anew; then everything below changes
    mine = replace(drafts[0], question="Who is at fault?", author="model")
    said = decided_of_chain("chain", written_text(mine), written_text(drafts[0]), record_id="a")
    append_decisions(authored, [said])
    decide_dialogues(authored, "question-chain")
    again = chains_command("integrate", "--options", "5", "--seed", "7", *where)
    assert "people wrote or rejected 1 chain before: their word stands" in (again.out)
    of_b = read_drafts(authored, "question-chain")[1]
    assert [len(step.question_options) for step in of_b.steps] == [5, 5, 5, 0]
    manifest = decide_dialogues(authored, "question-chain")
    assert manifest.reasons == {"distractors not judged yet": 1, "not written yet": 2}
    # the chain is gone from below: said, not silent
    authored_chains(authored, read_authored(authored)[1:])
    gone = chains_command("integrate", *where)
    assert [draft.chain_id for draft in read_drafts(authored, "question-chain")] == ["b", "c"]
    assert "came or changed" not in gone.out
    assert "warning: decisions stand on 1 chain without a draft now (a)" in gone.out


def test_chains_that_came_or_changed_since_are_drafts_as_they_were_authored(
    authored: Workspace, panel: Callable[..., Any], chains_command: Callable[..., Any]
) -> None:
    models = panel({name: Misleader() for name in MODELS if name})
    where = ("--workspace", authored.root)
    assert chains_command("distract", "--voters", models.voters, *where).code == 0
    chains_command("integrate", *where)
    stands = read_drafts(authored, "question-chain")[0]
    one, other, gone = read_authored(authored)
    edited = with_step(other, 1, answer="asleep", question_options=(), answer_options=())
    new = replace(gone, chain_id="d")
    authored_chains(authored, [one, edited, new])
    ran = chains_command("integrate", *where)
    drafts = {draft.chain_id: draft for draft in read_drafts(authored, "question-chain")}
    assert list(drafts) == ["a", "b", "d"]
    assert len(drafts["a"].steps[0].question_options) == len(stands.steps[0].question_options)
    assert drafts["b"].steps[0].answer == "asleep"
    for name in ("b", "d"):
        assert [step.answer_options for step in drafts[name].steps] == [
            (step.answer,) for step in drafts[name].steps
        ]
    assert "warning: 2 chains came or changed since distractors were drafted" in ran.out
    assert "warning: 2 chains" in chains_command("integrate", *where).out  # done before
    assert "chains that keep every rule: 1 of 3\nbroken: answer-options 8" in ran.out
    checked = chains_command("check", *where)
    assert "stale: dialogues/question-chain/distracted is of chains as they were" in checked.out
    assert checked.out.splitlines()[-1].startswith(
        "next: build-dialogues question-chain distract --voters FILE"
    )
    assert chains_command("distract", "--voters", models.voters, *where).code == 0
    last = chains_command("integrate", *where)
    assert "chains that keep every rule: 3 of 3" in last.out
    assert "stale" not in chains_command("check", *where).out


def test_without_models_the_drafts_are_what_authors_wrote(
    authored: Workspace, chains_command: Callable[..., Any]
) -> None:
    ran = chains_command("integrate", "--workspace", authored.root)
    assert ran.code == 0, ran.err
    assert "no model has drafted distractors" in ran.out
    assert "options are lacking at 11 steps, and people add them in the audit:" in ran.out
    assert "(a), step 1: 3 questions and 3 answers" in ran.out
    assert "and 1 more" in ran.out
    for draft, one in zip(
        read_drafts(authored, "question-chain"), read_authored(authored), strict=True
    ):
        assert [step.answer_options for step in draft.steps] == [(s.answer,) for s in one.steps]


def test_chains_are_wanted_first(tmp_path: Any) -> None:
    with pytest.raises(WorkspaceError, match="question-chain author"):
        integrate(Workspace(tmp_path), IntegrateSettings())
