"""Each rule of a chain, with what passes it and what does not."""

from dataclasses import replace

import pytest

from benchwright.records import QuestionChain, QuestionOption
from labeling.dialogues.question_chain.rules.checking import check_chain, failures
from labeling.dialogues.question_chain.rules.scenarios import scenarios
from stand_ins.chains import chain, step, with_step

GOOD = chain()
BLAME = GOOD.question
TRUE, FIRST_WRONG, SECOND_WRONG = GOOD.steps[0].question_options
LONG = "backing out of a driveway without a look over the shoulder"


def wrong_question(text: str, answer: str | None = "two") -> QuestionOption:
    return QuestionOption(text=text, answer=answer, origin="step", generator=None)


def steps_of(*uses: tuple[int, ...]) -> QuestionChain:
    """Return a chain whose steps use these; the last asks the chain's question."""
    steps = [
        step(f"What is thing {'abcdefgh'[at]}?", f"colour {at}", u) for at, u in enumerate(uses)
    ]
    return replace(GOOD, steps=(*steps[:-1], step(BLAME, "ash", uses[-1])) if steps else ())


def test_a_good_chain_passes_all_and_gives_no_reasons() -> None:
    checks = check_chain(GOOD)
    assert all(check.passed and check.reason is None for check in checks)
    names = [check.name for check in checks]
    assert len(set(names)) == len(names)
    assert {"length", "helpful/1", "given-away/3", "answer-lengths"} <= set(names)


@pytest.mark.parametrize(
    ("made", "name", "reason"),
    [
        # how many steps
        (steps_of(), "length", "this has 0"),
        (steps_of(()), "length", "2 to 6 steps; this has 1"),
        (steps_of(*[()] * 6, (1, 2, 3, 4, 5, 6)), "length", "this has 7"),
        # what a chain must have
        (replace(GOOD, question=" "), "question", "write the chain's question"),
        (replace(GOOD, category="magic"), "category", "'magic' is none of deduction, guessing"),
        (replace(GOOD, scenario=""), "scenario", "name the scenario"),
        (with_step(GOOD, 1, question=" "), "filled/1", "write the question"),
        (with_step(GOOD, 2, answer=""), "filled/2", "write the answer"),
        # the last step answers the chain's question
        (with_step(GOOD, 3, question="Whose fault is it?"), "conclusion", "in the same words"),
        # uses: itself, a later one, one that is not there, one twice
        (with_step(GOOD, 2, uses=(2,)), "order/2", "its own answer"),
        (with_step(GOOD, 1, uses=(2,)), "order/1", "uses step 2, which comes later"),
        (with_step(GOOD, 1, uses=(9,)), "order/1", "uses step 9, and there is none"),
        (with_step(GOOD, 2, uses=(0,)), "order/2", "uses step 0, and there is none"),
        (with_step(GOOD, 3, uses=(1, 2, 1)), "order/3", "twice"),
        # an answer that nobody uses; one that only an unused step uses; one used by a forward use
        (with_step(GOOD, 3, uses=(1,)), "helpful/2", "no later step uses this answer"),
        (steps_of((), (1,), (), (3,)), "helpful/1", "no later step uses"),
        (steps_of((2,), (), (1,)), "helpful/2", "no later step uses"),
        # the same question twice, in another spelling
        (with_step(GOOD, 2, question="what is the BLACK car doing"), "new/2", "asks what step 1"),
        # an answer told by its own question, an earlier one, the chain's
        (with_step(GOOD, 1, question="Is it backing out?"), "given-away/1", "question 1 gives"),
        (with_step(GOOD, 2, answer="The black car"), "given-away/2", "question 1 gives"),
        (with_step(GOOD, 1, answer="the crash"), "given-away/1", "the chain's question gives"),
        # a wrong answer that is part of the right one offers no choice
        (
            with_step(GOOD, 2, answer="black car", answer_options=("black car", "car", "van")),
            "given-away/2",
            "question 1 gives",
        ),
        # the true question: missing, twice, another one, with another answer
        (with_step(GOOD, 1, question_options=(FIRST_WRONG,)), "question-options/1", "0 times"),
        (with_step(GOOD, 1, question_options=()), "question-options/1", "0 times"),
        (with_step(GOOD, 1, question_options=(TRUE, TRUE)), "question-options/1", "2 times"),
        (
            with_step(GOOD, 1, question_options=(replace(TRUE, text="Who?"), FIRST_WRONG)),
            "question-options/1",
            "not that of the step",
        ),
        (
            with_step(GOOD, 1, question_options=(replace(TRUE, answer="asleep"), FIRST_WRONG)),
            "question-options/1",
            "not that of the step",
        ),
        # options that are the same but for case and blanks, empty ones, too few
        (
            with_step(
                GOOD,
                1,
                question_options=(TRUE, FIRST_WRONG, wrong_question("how  many CARS are there?")),
            ),
            "question-options/1",
            "two question options are the same: how many cars",
        ),
        (
            with_step(GOOD, 1, question_options=(TRUE, FIRST_WRONG, wrong_question(" "))),
            "question-options/1",
            "one of the question options is empty",
        ),
        (
            with_step(GOOD, 1, question_options=(TRUE, FIRST_WRONG)),
            "question-options/1",
            "wants 2 wrong questions or more to choose from; it has 1",
        ),
        # one wrong question at the last step
        (
            with_step(GOOD, 3, question_options=GOOD.steps[2].question_options[:2]),
            "question-options/3",
            "wants 2 wrong questions or more to choose from; it has 1",
        ),
        # a wrong question whose answer nobody wrote
        (
            with_step(
                GOOD, 1, question_options=(TRUE, FIRST_WRONG, wrong_question("Is it late?", None))
            ),
            "question-options/1",
            "say what the picture answers to: Is it late?",
        ),
        # answers likewise
        (with_step(GOOD, 1, answer_options=("a", "b", "c")), "answer-options/1", "0 times"),
        (
            with_step(GOOD, 1, answer_options=("backing out", "Backing  OUT", "c")),
            "answer-options/1",
            "two answer options are the same",
        ),
        (
            with_step(GOOD, 1, answer_options=("backing out", "", "c")),
            "answer-options/1",
            "one of the answer options is empty",
        ),
        (
            with_step(GOOD, 3, answer_options=("the driver who reversed", "neither")),
            "answer-options/3",
            "wants 2 wrong answers or more to choose from; it has 1",
        ),
        # the length tells the answer in every step
        (
            replace(
                GOOD,
                steps=tuple(
                    replace(each, answer=f"{LONG} {at}", answer_options=(f"{LONG} {at}", "a", "b"))
                    for at, each in enumerate(GOOD.steps)
                ),
            ),
            "answer-lengths",
            "by far the longest",
        ),
        (
            replace(
                GOOD,
                steps=tuple(
                    replace(
                        each,
                        question_options=(
                            replace(each.question_options[0], text=each.question),
                            wrong_question(f"{LONG} one?"),
                            wrong_question(f"{LONG} two?"),
                        ),
                    )
                    for each in GOOD.steps
                ),
            ),
            "question-lengths",
            "by far the shortest",
        ),
    ],
)
def test_a_fault_is_found_with_its_reason(made: QuestionChain, name: str, reason: str) -> None:
    found = {check.name: check.reason for check in failures(made)}
    assert name in found
    assert reason in (found[name] or "")


@pytest.mark.parametrize(
    "made",
    [
        # two and six steps
        steps_of((), (1,)),
        steps_of((), (1,), (1,), (3,), (4, 2), (5,)),
        # each answer is used, one only through another
        steps_of((), (1,), (2,)),
        # a middle step that starts from the chain's question again
        steps_of((), (), (1, 2)),
        # a new scenario: the list is open
        replace(GOOD, scenario="board game"),
        # the chain's question in the last step, spelt otherwise
        with_step(GOOD, 3, question="who is to blame, for the crash"),
        # the last step needs no questions to choose from
        with_step(GOOD, 3, question_options=()),
        with_step(GOOD, 3, question_options=GOOD.steps[2].question_options[:1]),
        # a later question may name an answer
        with_step(GOOD, 2, question="Is it in the lane while the other is backing out?"),
        # a question that offers a choice
        with_step(
            GOOD,
            1,
            question="Is it waiting or backing out?",
        ),
        # an answer is named by one question and a wrong answer by another
        with_step(
            with_step(GOOD, 2, question="Where is the silver car?"),
            3,
            answer="the black car",
            answer_options=("the black car", "the silver car", "neither"),
        ),
        # part of a word is no word
        with_step(GOOD, 1, answer="car d"),
        # long in all steps but one
        with_step(GOOD, 1, answer=LONG),
    ],
)
def test_what_is_right_passes(made: QuestionChain) -> None:
    assert failures(made) == ()


def test_the_scenarios_are_those_of_the_paper() -> None:
    assert list(scenarios()) == ["deduction", "guessing", "navigation", "retrieval"]
    assert sum(map(len, scenarios().values())) == 15
    assert {"counting", "word puzzle"} <= set(scenarios()["retrieval"])
