"""What a run would take: no more than it may, no less than it must, and nothing that is there."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from benchwright.asking.pieces import How
from benchwright.asking.requests import PicturePart
from benchwright.errors import BudgetSpent

COUNT = 12
QUESTIONS = sum(1 + number % 3 for number in range(COUNT))

Open = Any  # opens a server and what is played behind it


def test_before_the_first_call_all_are_to_come(hall: Open) -> None:
    hall = hall()
    found = hall.estimate(COUNT)
    # the first question is certain, the others are possible
    assert (found["player"].calls, found["player"].most_calls) == (COUNT, QUESTIONS)
    assert (found["judge"].calls, found["judge"].most_calls) == (COUNT, COUNT)
    assert [one.answered for one in found.values()] == [0, 0]
    assert hall.calls == 0
    assert not hall.workspace.root.exists()


@pytest.mark.parametrize("spent", [5, 17, QUESTIONS + COUNT - 1])
def test_what_is_answered_is_left_out(hall: Open, spent: int) -> None:
    hall = hall()
    with suppress(BudgetSpent):  # it is raised where no item was played whole
        hall.run(COUNT, max_calls=spent)
    found = hall.estimate(COUNT)
    assert sum(one.answered for one in found.values()) == spent
    assert sum(one.most_calls for one in found.values()) == QUESTIONS + COUNT - spent
    before = hall.calls
    assert hall.run(COUNT).is_whole
    assert hall.calls - before == QUESTIONS + COUNT - spent


def test_a_whole_run_takes_nothing(hall: Open) -> None:
    hall = hall()
    hall.run(COUNT)
    assert {one.most_calls for one in hall.estimate(COUNT).values()} == {0}


def test_looks_are_planned_for_who_is_shown_pictures(hall: Open, drawing: PicturePart) -> None:
    hall = replace(hall(), picture=drawing, seers=frozenset({"player"}))
    found = hall.estimate(COUNT, How())
    assert found["player"].looks > 0
    assert found["judge"].looks == 0
    assert hall.estimate(COUNT)["player"].looks == 0
    hall.run(COUNT)
    assert hall.estimate(COUNT, How())["player"].looks == 0  # nobody will be asked
