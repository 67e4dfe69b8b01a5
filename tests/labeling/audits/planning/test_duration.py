from types import SimpleNamespace

import pytest

from benchwright.decisions.standing import standing
from labeling.audits.planning.duration import Duration, duration, judgements_left
from labeling.audits.planning.plan_file import PlannedItem


def item(number: int, *, twice: bool = False) -> PlannedItem:
    return PlannedItem(
        image_id=f"{number:016x}",
        object_id=None,
        type="colour",
        value="red",
        answer="yes",
        margin=0.5,
        stratum="colour 0.00-0.50",
        probability=0.5,
        twice=twice,
    )


def test_seconds_are_those_of_the_decisions_that_stand(kit: SimpleNamespace) -> None:
    made = [kit.decision(at, seconds=float(at)) for at in (1, 2, 3, 4, 90)]
    made.append(kit.decision(6, seconds=None))
    assert duration(standing(made)) == Duration(median=3, low=2, high=4)


@pytest.mark.parametrize("seconds", [[], [None]])
def test_nothing_is_known_before_the_first(
    kit: SimpleNamespace, seconds: list[float | None]
) -> None:
    made = [kit.decision(1, seconds=each) for each in seconds]
    assert duration(standing(made)) is None


def test_what_is_seen_twice_wants_two_auditors(kit: SimpleNamespace) -> None:
    items = [item(1), item(2), item(3, twice=True), item(4, twice=True)]
    made = [
        kit.decision(1),
        kit.decision(1, auditor="bo"),  # one more than was wanted
        kit.decision(3),
        kit.decision(9),  # of no plan
    ]
    assert judgements_left(items, standing(made)) == 0 + 1 + 1 + 2
