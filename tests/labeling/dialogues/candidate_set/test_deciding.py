import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import Decision, Marks
from labeling.dialogues.candidate_set.box_ids import in_order
from labeling.dialogues.candidate_set.deciding import FIELD, decided, held_by_most, whole_dialogues
from labeling.dialogues.stored import ByField, Decided
from stand_ins.auditors import decision
from stand_ins.dialogues import candidate_set

REJECTED, UNSURE = "rejected", "unsure"


def said(*marks: list[str] | str) -> ByField:
    """Return what annotators a, b, … decided: the boxes they marked, or another verdict."""
    return {
        FIELD: {auditor: _said(auditor, each) for auditor, each in zip("abcd", marks, strict=False)}
    }


def _said(auditor: str, marks: list[str] | str) -> Decision:
    is_marked = isinstance(marks, list)
    return decision(
        image_id=None,
        record_id="d1/1",
        field=FIELD,
        auditor=auditor,
        before=None,
        after=json.dumps(marks) if is_marked else None,
        verdict="confirmed" if is_marked else marks,
    )


@pytest.mark.parametrize(
    ("decisions", "candidates", "withheld"),
    [
        # one annotator's marks stand as they are
        (said(["2"]), ("2",), None),
        (said(["3", "1"]), ("1", "3"), None),
        # two who agree
        (said(["1", "3"], ["3", "1"]), ("1", "3"), None),
        # two who differ on one box: a third must look
        (said(["1", "3"], ["1"]), (), "undecided"),
        # and then the majority holds, box by box
        (said(["1", "3"], ["1"], ["1", "2"]), ("1",), None),
        (said(["1", "3"], ["1"], ["3"]), ("1", "3"), None),
        # three of whom no two mark the same box
        (said(["1"], ["2"], ["3"]), (), "undecided"),
        # four, two on each side
        (said(["1", "2"], ["1", "2"], ["1"], ["1"]), (), "undecided"),
        # who cannot tell has no voice
        (said(["1"], UNSURE), ("1",), None),
        (said(UNSURE, UNSURE), (), "unsure"),
        # the dialogue is unusable: by one alone, by most, by one half
        (said(REJECTED), (), "rejected"),
        (said(REJECTED, REJECTED, ["1"]), (), "rejected"),
        (said(REJECTED, ["1"]), (), "undecided"),
        (said(REJECTED, UNSURE), (), "rejected"),
        (said(REJECTED, ["1"], ["1"]), ("1",), None),
        # one rejects, the others differ
        (said(REJECTED, ["1"], ["2"]), (), "undecided"),
        # nobody looked; a decision about something else is none about the marks
        ({}, (), "not judged yet"),
        ({"dialogue": said(["1"])[FIELD]}, (), "not judged yet"),
        # marks of a picture that has other boxes, and what is no list
        (said(["1", "5"]), (), "marks other boxes"),
        ({FIELD: {"a": decision(after="1 and 2", field=FIELD)}}, (), "marks other boxes"),
        # nothing was marked
        (said([]), (), "undecided"),
    ],
)
def test_annotators_decide(
    decisions: ByField, candidates: tuple[str, ...], withheld: str | None
) -> None:
    found = decided(candidate_set(), decisions)
    assert (found.record.candidate_ids, found.withheld) == (candidates, withheld)
    assert found.record.kind == ("single" if len(candidates) == 1 else "set")


def test_the_marks_of_each_annotator_are_kept() -> None:
    found = decided(candidate_set(), said(["10", "2"], UNSURE, ["2"])).record
    assert found.marks == ()  # 10 is no box here
    found = decided(candidate_set(boxes=10), said(["10", "2"], UNSURE, ["2"])).record
    assert found.marks == (
        Marks(annotator="a", box_ids=("2", "10")),
        Marks(annotator="c", box_ids=("2",)),
    )


MARKS = st.sets(st.sampled_from("1234"), min_size=1).map(sorted)


@given(st.lists(MARKS, min_size=1, max_size=4))
def test_the_order_of_the_annotators_does_not_matter(marks: list[list[str]]) -> None:
    outcomes = {
        (found.record.candidate_ids, found.withheld)
        for order in itertools.permutations(marks)
        if (found := decided(candidate_set(), said(*order)))
    }
    assert len(outcomes) == 1


@given(st.lists(MARKS, min_size=1, max_size=5))
def test_candidates_lie_between_what_all_and_what_any_marked(marks: list[list[str]]) -> None:
    held = set(held_by_most([in_order(each) for each in marks]))
    assert held <= set().union(*marks)
    if held:
        assert held >= set(marks[0]).intersection(*marks)


@given(st.lists(st.tuples(MARKS, MARKS), min_size=1, max_size=5))
def test_annotators_who_each_narrow_narrow_together(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    before = [in_order(one) for one, _ in pairs]
    after = [in_order(set(one) & set(other)) for one, other in pairs]
    held = held_by_most(before)
    if held:  # a tie before leaves nothing to compare with
        assert set(held_by_most(after)) <= set(held)


def test_a_dialogue_stands_with_all_of_its_turns_or_not_at_all() -> None:
    turns = [
        Decided(record=candidate_set(1, name="whole")),
        Decided(record=candidate_set(2, name="whole")),
        Decided(record=candidate_set(1, name="broken")),
        Decided(record=candidate_set(2, name="broken"), withheld="unsure"),
    ]
    assert [(each.record.dialogue_id, each.withheld) for each in whole_dialogues(turns)] == [
        ("whole", None),
        ("whole", None),
        ("broken", "another turn is withheld"),
        ("broken", "unsure"),
    ]
