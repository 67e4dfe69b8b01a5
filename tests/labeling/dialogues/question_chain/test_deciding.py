"""What becomes of a chain, stage by stage, by the decisions of people."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchwright.decisions.standing import standing
from benchwright.records import Decision, QuestionChain, Verification
from labeling.dialogues.question_chain.deciding import (
    ChainProgress,
    decided,
    progress,
    writers,
)
from labeling.dialogues.question_chain.distractors import distractor_ids, without_distractors
from labeling.dialogues.question_chain.rules.checking import failures
from labeling.dialogues.question_chain.written import written_text
from labeling.dialogues.stored import ByField
from stand_ins.chains import chain, decided_of_chain, failed_names, with_step

DRAFT = chain(steps=(), question="", scenario="")
GOOD = chain()
BY_DEE = chain(author="dee")


class Story:
    """Decisions on one chain, a minute after each other, each about what it has come to."""

    def __init__(self, record: QuestionChain = DRAFT) -> None:
        self.record, self.said = record, list[Decision]()

    @property
    def by_field(self) -> ByField:
        return {thing.field: by for thing, by in standing(self.said).items()}

    @property
    def now(self) -> ChainProgress:
        return progress(self.record, self.by_field)

    def say(self, field: str, after: str | None, auditor: str, **more: Any) -> "Story":
        at = f"2026-03-01T12:{len(self.said):02}:00+00:00"
        said = {"before": self.now.digest, "at": at, **more}
        self.said.append(decided_of_chain(field, after, auditor=auditor, **said))
        return self

    def write(self, made: QuestionChain, auditor: str = "ana") -> "Story":
        return self.say("chain", written_text(made), auditor)

    def correct(self, made: QuestionChain, auditor: str) -> "Story":
        return self.say("chain", written_text(made), auditor, verdict="corrected")

    def fit(self, auditor: str = "bo", failed: Sequence[str] = ()) -> "Story":
        return self.say("distractors", auditor=auditor, **failed_names(failed))

    def valid(self, number: int, auditor: str, verdict: str = "valid", **more: Any) -> "Story":
        return self.say(f"round-{number}", verdict, auditor, **more)


def done(made: QuestionChain = GOOD) -> Story:
    return Story().write(made).fit().valid(1, "bo").valid(2, "cy")


@pytest.mark.parametrize(
    ("story", "stage", "withheld"),
    [
        # one stage after the other
        (Story(), "chain", "not written yet"),
        (Story().write(GOOD), "distractors", "distractors not judged yet"),
        (Story().write(GOOD).fit(), "round-1", "round 1 not done yet"),
        (Story().write(GOOD).fit().valid(1, "bo"), "round-2", "round 2 not done yet"),
        (done(), None, None),
        # the author rejects the picture, or cannot tell, or writes what is no chain
        (Story().say("chain", None, "ana"), None, "rejected"),
        (Story().say("chain", None, "ana", verdict="unsure"), "chain", "not written yet"),
        (Story().say("chain", "{}", "ana"), "chain", "not written yet"),
        # what was rejected is written after all; what was written is rejected
        (
            Story().say("chain", None, "ana").write(GOOD),
            "distractors",
            "distractors not judged yet",
        ),
        (Story().write(GOOD).say("chain", None, "ana"), None, "rejected"),
        # a chain that fails a check goes back when it comes past the screen
        (Story().write(with_step(GOOD, 2, uses=(3,))).fit(), "chain", "fails a check"),
        # too few distractors are left, or just enough
        (Story().write(GOOD).fit(failed=["1/q2"]), "chain", "fails a check"),
        (Story().write(GOOD).fit(failed=["3/q2", "3/q3"]), "round-1", "round 1 not done yet"),
        # an author is no checker, in neither round, nor who wrote an earlier state
        (Story().write(GOOD).fit().valid(1, "ana"), "round-1", "round 1 not done yet"),
        (
            Story().write(GOOD).fit().valid(1, "bo").valid(2, "ana"),
            "round-2",
            "round 2 not done yet",
        ),
        (
            Story().write(GOOD, "dee").write(GOOD, "ana").fit().valid(1, "dee"),
            "round-1",
            "round 1 not done yet",
        ),
        # who wrote the draft is none either, and a person who is named like its model may be one
        (Story(BY_DEE).write(GOOD).fit().valid(1, "dee"), "round-1", "round 1 not done yet"),
        (Story().write(GOOD).fit().valid(1, "m"), "round-2", "round 2 not done yet"),
        # nor is who let it stand as it was
        (Story(BY_DEE).write(BY_DEE).fit().valid(1, "ana"), "round-1", "round 1 not done yet"),
        # what a person wrote is there, and waits for somebody to approve it
        (Story(BY_DEE), "chain", "not approved yet"),
        # the two rounds have two checkers
        (
            Story().write(GOOD).fit().valid(1, "bo").valid(2, "bo"),
            "round-2",
            "round 2 not done yet",
        ),
        # a round that finds it invalid sends it back
        (Story().write(GOOD).fit().valid(1, "bo", "invalid"), "chain", "found invalid"),
        (
            Story().write(GOOD).fit().valid(1, "bo").valid(2, "cy", "invalid"),
            "chain",
            "found invalid",
        ),
        # a decision about nothing
        (
            Story().write(GOOD).fit().valid(1, "bo", before=None),
            "round-1",
            "round 1 not done yet",
        ),
        # a checker thinks better of it
        (
            Story()
            .write(GOOD)
            .fit()
            .valid(1, "bo")
            .say("round-1", None, "bo", verdict="withdrawn"),
            "round-1",
            "round 1 not done yet",
        ),
        # an answer that no round knows
        (Story().write(GOOD).fit().valid(1, "bo", "fine"), "round-1", "round 1 not done yet"),
        # what was decided of an earlier state counts no more
        (done().write(GOOD), "distractors", "distractors not judged yet"),
    ],
)
def test_a_chain_waits_for_one_stage(story: Story, stage: str | None, withheld: str | None) -> None:
    assert (story.now.stage, story.now.withheld) == (stage, withheld)
    assert decided(story.record, story.by_field).withheld == withheld


_SAID = st.tuples(
    st.sampled_from(["chain", "distractors", "round-1", "round-2"]),
    st.sampled_from(["ana", "bo", "cy", "model"]),
    st.sampled_from(["yes", "no", "unsure", "withdrawn", "stale"]),
)


@given(st.lists(_SAID, max_size=14))
@example([("round-1", "bo", "yes"), ("round-2", "cy", "yes")])  # one that is released
@example([("round-1", "bo", "yes"), ("round-2", "cy", "yes"), ("round-1", "cy", "no")])
def test_nothing_is_released_before_two_others_found_it_valid(
    said: list[tuple[str, str, str]],
) -> None:
    story = Story()
    for field, auditor, how in [("chain", "ana", "yes"), ("distractors", "bo", "yes"), *said]:
        yes = {"chain": written_text(GOOD), "distractors": "[]"}.get(field, "valid")
        no = {"chain": None, "distractors": '["1/q2"]'}.get(field, "invalid")
        more = {"verdict": how} if how in ("unsure", "withdrawn") else {}
        if how == "stale":
            more = {"before": "0" * 16}
        after = no if how == "no" else None if more.get("verdict") else yes
        story.say(field, after, auditor, **more)
        outcome = decided(DRAFT, story.by_field)
        rounds = [story.by_field.get(f"round-{number}", {}) for number in (1, 2)]
        if outcome.withheld is not None:
            continue
        checkers = [one.checker for one in outcome.record.rounds]
        assert [one.verdict for one in outcome.record.rounds] == ["valid", "valid"]
        assert len({*checkers, *writers(DRAFT, story.by_field)}) == 2 + len(
            writers(DRAFT, story.by_field)
        )
        for checker, by_auditor in zip(checkers, rounds, strict=True):
            assert by_auditor[checker].before == story.now.digest
            assert all(one.after != "invalid" for one in by_auditor.values() if _counts(one, story))


def _counts(one: Decision, story: Story) -> bool:
    is_of_now = one.before == story.now.digest
    return is_of_now and one.auditor not in writers(DRAFT, story.by_field)


def test_a_new_state_is_judged_anew_even_if_it_reads_as_before() -> None:
    story = done()
    assert story.now.withheld is None
    story.write(GOOD).fit()
    assert story.now.stage == "round-1"
    story.valid(1, "bo").valid(2, "cy")
    assert story.now.withheld is None


def test_distractors_that_are_judged_again_are_a_new_state() -> None:
    story = Story().write(GOOD)
    written = story.now.digest
    story.fit().valid(1, "bo")
    assert story.now.stage == "round-2"
    story.fit("dee", failed=["3/q2", "3/q3"])
    assert story.now.stage == "round-2"  # it was about a state that is none of this chain
    story.said[-1] = replace(story.said[-1], before=written)
    assert story.now.stage == "round-1"
    assert len(story.now.chain.steps[2].question_options) == 1


def test_one_who_finds_a_chain_invalid_is_not_outvoted() -> None:
    story = Story().write(GOOD).fit()
    digest = story.now.digest
    story.valid(1, "bo", before=digest).valid(1, "cy", "invalid", before=digest, note="step 2")
    assert story.now.withheld == "found invalid"
    assert story.now.owner == "ana"
    assert [(each.who, each.what) for each in story.now.remarks] == [
        ("cy", "found it invalid: step 2")
    ]


def test_a_chain_that_stands_is_the_one_that_was_written() -> None:
    record = decided(DRAFT, done().by_field).record
    assert (record.chain_id, record.image_id, record.author) == ("c1", "0" * 16, "ana")
    assert record.question == GOOD.question
    assert [each.question for each in record.steps] == [each.question for each in GOOD.steps]
    assert record.rounds == (
        Verification(checker="bo", verdict="valid", note=None),
        Verification(checker="cy", verdict="valid", note=None),
    )
    assert failures(record) == ()


def test_a_scenario_that_stands_has_one_spelling() -> None:
    for said, known in (("TRAFFIC", "traffic"), ("gui", "GUI"), ("Flea  market", "flea market")):
        assert decided(DRAFT, done(replace(GOOD, scenario=said)).by_field).record.scenario == known


def test_who_writes_last_is_the_author_and_owns_it() -> None:
    story = Story().write(GOOD, "ana").write(with_step(GOOD, 1, answer="asleep"), "dee").fit()
    assert story.now.owner == story.now.chain.author == "dee"
    assert story.now.chain.steps[0].answer == "asleep"
    assert {"ana", "dee"} <= story.now.barred


def options_changed(found: QuestionChain) -> QuestionChain:
    return with_step(found, 1, answer_options=("backing out", "waiting", "flying"))


OTHER = with_step(GOOD, 1, answer="asleep")


@pytest.mark.parametrize(
    ("story", "author", "owner"),
    [
        # who confirms a text has not written it, be it of a person or of a model
        (Story(BY_DEE).write(BY_DEE, "bo"), "dee", "bo"),
        (Story(GOOD).write(GOOD, "bo"), GOOD.author, "bo"),
        # whatever options the draft has come to by then
        (Story(options_changed(BY_DEE)).write(BY_DEE, "bo"), "dee", "bo"),
        # who corrects it has, be it by an option
        (Story(BY_DEE).correct(OTHER, "bo"), "bo", "bo"),
        (Story(BY_DEE).correct(options_changed(BY_DEE), "bo"), "bo", "bo"),
        # what another corrected and a third confirms is of the other
        (Story(BY_DEE).correct(OTHER, "bo").write(OTHER, "cy"), "bo", "cy"),
        # one who confirms what they wrote themselves before goes on being its author
        (Story(BY_DEE).correct(OTHER, "bo").write(OTHER, "bo"), "bo", "bo"),
    ],
)
def test_to_confirm_a_chain_is_not_to_write_it(story: Story, author: str, owner: str) -> None:
    assert (story.now.chain.author, story.now.owner) == (author, owner)


def test_distractors_judged_wrong_are_taken_out_whoever_judged() -> None:
    more = GOOD.steps[0].question_options
    rich = with_step(
        GOOD,
        1,
        question_options=(*more, replace(more[1], text="Is it late?")),
        answer_options=("backing out", "waiting", "turning left", "flying"),
    )
    story = Story().write(rich)
    digest = story.now.digest
    story.fit("bo", failed=["1/q2"])
    story.say("distractors", auditor="cy", **failed_names(["1/a4", "9/q9"]), before=digest)
    first = story.now.chain.steps[0]
    assert [option.text for option in first.question_options] == [
        more[0].text,
        more[2].text,
        "Is it late?",
    ]
    assert first.answer_options == ("backing out", "waiting", "turning left")
    assert story.now.stage == "round-1"


def test_the_place_of_the_true_option_tells_nothing() -> None:
    places = set()
    for number in range(12):
        named = replace(GOOD, chain_id=f"c{number}")
        record = decided(named, done().by_field).record
        for before, after in zip(GOOD.steps, record.steps, strict=True):
            assert sorted(after.answer_options) == sorted(before.answer_options)
            assert set(after.question_options) == set(before.question_options)
            places.add(after.answer_options.index(after.answer))
            places.add([one.origin for one in after.question_options].index("true") + 3)
    assert places == set(range(6))


def test_only_distractors_have_names_and_can_be_taken_out() -> None:
    assert distractor_ids(GOOD) == tuple(
        f"{number}/{kind}{place}" for number in (1, 2, 3) for kind in "qa" for place in (2, 3)
    )
    assert without_distractors(GOOD, ["1/q1", "2/a1", "7/q1", "", "1/q"]) == GOOD
    bare = without_distractors(GOOD, distractor_ids(GOOD))
    assert distractor_ids(bare) == ()
    assert [each.answer_options for each in bare.steps] == [(each.answer,) for each in GOOD.steps]


def test_what_was_judged_of_one_picture_does_not_hold_for_another() -> None:
    """Under an id that its author gave a chain can come to be about another picture."""
    told = done()
    moved = replace(DRAFT, image_id="f" * 16)
    assert decided(told.record, told.by_field).withheld is None
    assert decided(moved, told.by_field).withheld == "distractors not judged yet"
