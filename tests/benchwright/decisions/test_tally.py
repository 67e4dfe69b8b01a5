import pytest

from benchwright.decisions.standing import standing, thing_of
from benchwright.decisions.tally import Tally, tally
from benchwright.statistics.intervals import Stratum
from stand_ins.auditors import decision


def test_labels_are_counted_by_what_was_found() -> None:
    made = [
        decision(1, "yes"),
        decision(2, "no"),
        decision(3, None),
        decision(4, "yes"),
        decision(4, "no", auditor="bo"),
        decision(9, "yes"),  # of another stratum
        decision(5, "no", named_for="colour/blue"),  # whom nobody asked of it
        decision(1, "no", auditor="bo", named_for="colour/blue"),
    ]
    things = [thing_of(decision(number)) for number in range(1, 6)]
    found = tally(40, [(thing, "yes") for thing in things], standing(made))
    assert found == Tally(size=40, right=1, wrong=1, unsure=1, undecided=1)
    assert (found.told, found.open, found.seen) == (2, 2, 4)
    assert found.stratum() == Stratum(size=20, audited=2, right=1)


@pytest.mark.parametrize(
    ("counts", "tellable"),
    [
        ((100, 0, 0, 0, 0), 100),  # nothing is seen yet
        ((100, 8, 2, 0, 0), 100),
        ((100, 6, 2, 1, 1), 80),
        ((100, 0, 0, 2, 0), 100),  # two that nobody could tell say little of a hundred
        ((2, 0, 0, 2, 0), 0),  # nobody can tell any
        ((100, 0, 0, 4, 0), 100),
        ((100, 0, 0, 4, 1), 0),  # nor would anybody tell the sixth
        ((3, 1, 1, 1, 0), 2),
    ],
)
def test_how_many_can_be_told(counts: tuple[int, ...], tellable: int) -> None:
    size, right, wrong, unsure, undecided = counts
    found = Tally(size=size, right=right, wrong=wrong, unsure=unsure, undecided=undecided)
    assert found.tellable == tellable


@pytest.mark.parametrize(
    ("right", "open_", "stands_for"),
    [(0, 0, 0.0), (0, 5, 0.0), (20, 0, 5.0), (10, 10, 5.0), (100, 0, 1.0), (60, 40, 1.0)],
)
def test_those_told_stand_for_all_that_can_be(right: int, open_: int, stands_for: float) -> None:
    found = Tally(size=100, right=right, wrong=0, unsure=open_, undecided=0)
    assert found.stands_for == stands_for


def test_another_text_says_nothing_of_a_label() -> None:
    made = [
        decision(1, "crimson"),
        decision(2, "crimson"),
        decision(2, "no", auditor="bo"),
    ]
    things = [thing_of(decision(number)) for number in (1, 2)]
    found = tally(9, [(thing, "yes") for thing in things], standing(made))
    assert found == Tally(size=9, right=0, wrong=0, unsure=1, undecided=1)
