"""What a blind choice of boxes gets."""

from benchwright.records import CandidateSet
from exports.gating.candidate_sets import candidate_sets
from stand_ins.dialogues import candidate_set


def sets(candidates: int, kind: str, count: int = 30) -> list[CandidateSet]:
    ids = tuple(str(at) for at in range(1, candidates + 1))
    return [
        candidate_set(name=f"d{at}", candidate_ids=ids, kind=kind, boxes=3) for at in range(count)
    ]


def test_sets_of_all_boxes_test_nothing() -> None:
    (found,) = candidate_sets(sets(3, "set"))
    assert not found.passed
    assert found.rows[0] == "d0/1"
    assert found.found == 30


def test_some_sets_of_all_boxes_are_let_be() -> None:
    (found,) = candidate_sets([*sets(3, "set", 5), *sets(2, "set", 25)])
    assert found.passed


def test_the_largest_box_is_for_information() -> None:
    _, largest = candidate_sets(sets(1, "single"))
    assert largest.outcome == "information"
    assert largest.figure == 0.3333  # boxes of one size: none is the largest
    assert largest.chance == 0.3333
