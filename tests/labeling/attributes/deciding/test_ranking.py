"""Templates and views by how often they are right, and sureness against accuracy."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchwright.statistics.intervals import weighted_share
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.ranking import rank, reliability
from labeling.attributes.deciding.weights import Question

ASKED = tuple(
    Question(voter=voter, template=template, view=view)
    for voter in ("a", "b")
    for template in ("t1", "t2")
    for view in ("high", "low")
)


def known(truth: Any, counts: Any = None) -> Known:
    labels = np.asarray(truth, np.int8)
    return Known(
        truth=labels,
        counts=np.ones(len(labels), bool) if counts is None else np.asarray(counts, bool),
        weights=np.ones(len(labels)),
    )


def test_parts_are_ranked_by_how_often_they_are_right(small: SimpleNamespace) -> None:
    # a: t1 high, t1 low, t2 high, t2 low; the same for b
    ballots = small.ballots(small.spelled("ynynyn-.", "nnnnyyyn", "yyyyyyyy"), ASKED)
    templates = rank(ballots, known([1, -1, 1], [1, 1, 0]), "template")
    # t1: ynyn of a yes, nnyy of a no; t2: yn- of a yes, nnyn of a no
    assert [each.name for each in templates] == ["t2", "t1"]
    assert [each.right.share for each in templates] == pytest.approx([4 / 6, 4 / 8])
    assert [each.answers for each in templates] == [6, 8]


def test_each_figure(small: SimpleNamespace) -> None:
    ballots = small.ballots(small.spelled("ynyn-yn.", "nnnnnnyn", "yyyyyyyy"), ASKED)
    views = {each.name: each for each in rank(ballots, known([1, -1, 1], [1, 1, 0]), "view")}
    # high: y y - n of a yes, n n n y of a no; low: n n y . and n n n n
    assert views["high"].right.share == pytest.approx(5 / 7)
    assert views["high"].answers == 7
    assert views["high"].abstained == pytest.approx(1 / 8)
    assert views["low"].right.share == pytest.approx(5 / 7)
    assert views["low"].abstained == 0  # what was not asked did not abstain
    order = [each.name for each in rank(ballots, known([1, -1, 1], [1, 1, 0]), "view")]
    assert order == ["high", "low"]  # equal: by name
    voters = rank(ballots, known([1, -1, 1], [1, 1, 0]), "voter")
    assert [(each.name, round(each.right.share, 3)) for each in voters] == [
        ("a", 0.75),
        ("b", 0.667),
    ]


def test_the_best_comes_first_and_what_never_answered_last(small: SimpleNamespace) -> None:
    asked = tuple(Question(voter="a", template=f"t{at}", view="x") for at in range(3))
    ballots = small.ballots(small.spelled("-ny", "-ny", "-yy"), asked)
    ranked = rank(ballots, known([1, 1, 1]), "template")
    assert [each.name for each in ranked] == ["t2", "t1", "t0"]
    assert ranked[2].answers == 0
    assert ranked[2].abstained == 1
    assert (ranked[2].right.low, ranked[2].right.high) == (0, 1)


def test_answers_on_one_picture_count_less_than_so_many_pictures(small: SimpleNamespace) -> None:
    asked = tuple(Question(voter="a", template="t", view=f"{at}") for at in range(9))
    # right nine times or wrong nine times
    ballots = small.ballots(small.spelled(*["y" * 9] * 30, *["n" * 9] * 10), asked)
    (ranked,) = rank(ballots, known([1] * 40), "template")
    assert ranked.answers == 360
    assert ranked.right.size == pytest.approx(39)


@pytest.mark.parametrize(
    ("sureness", "most", "low", "count"),
    [
        (0.0, 1.0, 0.0, 1),
        (0.1, 1.0, 0.1, 1),  # a bound belongs to the bin above
        (1.0, 1.0, 0.9, 1),  # but the last
        (0.5, 0.5, 0.45, 1),
        (float("nan"), 1.0, None, 0),
    ],
)
def test_where_a_cell_belongs(sureness: float, most: float, low: float | None, count: int) -> None:
    bins = reliability([sureness], [True], [1.0], most=most)
    assert [each.low for each in bins] == ([pytest.approx(low)] if low is not None else [])
    assert sum(each.count for each in bins) == count


def test_bins_tell_how_often_it_was_right() -> None:
    random = np.random.default_rng(0)
    p_yes = random.random(20_000)
    bins = reliability(p_yes, random.random(20_000) < p_yes, np.ones(20_000))
    assert [each.low for each in bins] == pytest.approx(np.arange(10) / 10)
    for each in bins:
        assert each.right.share == pytest.approx(each.mean, abs=0.04)
        assert each.right.low < each.right.share < each.right.high
    one = reliability([0.2, 0.25], [True, False], [3.0, 1.0])
    assert one[0].mean == pytest.approx(0.2125)
    assert one[0].right == weighted_share([True, False], [3.0, 1.0])
