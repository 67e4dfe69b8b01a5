"""Cohen's kappa, agreement on one code, one-sided counts."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from benchwright.statistics.agreement.judgements import Judgements
from benchwright.statistics.agreement.two_raters import (
    TwoByTwo,
    cohens_kappa,
    lights_kappa,
    specific_agreement,
    two_by_two,
)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        # Cohen 1960, table 2, 200 cases
        ([[88, 14, 18], [10, 40, 10], [2, 6, 12]], 0.492),
        # Feinstein & Cicchetti 1990, High agreement but low kappa I, Journal of Clinical
        # Epidemiology 43, 543-549: on 85 of 100 they agree, in both tables
        ([[40, 9], [6, 45]], 0.70),
        ([[80, 10], [5, 5]], 0.32),
        # they never say the same
        ([[0, 10], [10, 0]], -1.0),
        # the one has no opinion, the other gives both codes
        ([[10, 10], [0, 0]], 0.0),
    ],
)
def test_kappa_of_the_literature(
    judged: SimpleNamespace, table: list[list[int]], kappa: float
) -> None:
    assert cohens_kappa(judged.of_table(table)).value == pytest.approx(kappa, abs=0.005)


@given(st.data())
def test_kappa_is_that_of_scikit_learn(judged: SimpleNamespace, data: st.DataObject) -> None:
    some: Judgements = data.draw(judged.drawn(2, missing=True))
    both = (some.codes >= 0).all(axis=1)
    first, second = some.codes[both].T
    found = cohens_kappa(some, draws=20)
    assert found.judged == both.sum()
    if len(set(first) | set(second)) < 2:
        assert found.value is None
    else:
        theirs = cohen_kappa_score(first, second, sample_weight=some.weights[both])
        assert found.value == pytest.approx(theirs)


@pytest.mark.parametrize(
    "codes",
    [
        # the expected agreement is 1: chance would have done as well
        [(1, 1)] * 9,
        # nobody judged what the other did
        [(1, -1), (-1, 0)],
        [],
    ],
)
def test_kappa_is_null(codes: list[tuple[int, int]]) -> None:
    some = Judgements.of(codes, 2) if codes else Judgements.of([(-1, -1)], 2)
    found = cohens_kappa(some)
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.left_out == sum(-1 in pair for pair in codes)


def test_kappa_wants_two_raters() -> None:
    with pytest.raises(ValueError, match="two raters are wanted, not 3"):
        cohens_kappa(Judgements.of([(0, 1, 1)], 2))


def test_weights_that_are_not_whole_leave_null_null() -> None:
    assert cohens_kappa(Judgements.of([(1, 1)] * 3, 2, weights=[0.1, 0.7, 1 / 3])).value is None


def test_specific_agreement_says_on_what_they_agree(judged: SimpleNamespace) -> None:
    # Cicchetti & Feinstein 1990: the table with kappa 0.32 agrees on yes and hardly on no
    some = judged.of_table([[80, 10], [5, 5]])
    assert specific_agreement(some, 0).value == pytest.approx(160 / 175)
    assert specific_agreement(some, 1).value == pytest.approx(10 / 25)
    assert specific_agreement(judged.of_table([[3, 0], [0, 0]]), 1).value is None


def test_one_sided_counts() -> None:
    codes = [(1, 1), (1, 1), (1, 0), (0, 1), (0, 1), (0, 0), (2, 1), (2, 2), (1, -1), (-1, -1)]
    # a third code is neither yes nor no; what neither judged is nowhere
    assert two_by_two(Judgements.of(codes, 3), yes=1, no=0) == TwoByTwo(
        both_yes=2, first_only=1, second_only=2, both_no=1, other=2, left_out=1
    )


@given(st.data())
def test_lights_kappa_is_the_mean_over_pairs(judged: SimpleNamespace, data: st.DataObject) -> None:
    some: Judgements = data.draw(judged.drawn(3, missing=True))
    above = below = 0.0
    for first, second in ((0, 1), (0, 2), (1, 2)):
        pair = some.raters(first, second)
        kappa = cohens_kappa(pair, draws=20).value
        if kappa is not None:
            size = float(pair.by_several().weights.sum())
            above, below = above + size * kappa, below + size
    found = lights_kappa(some, draws=20)
    assert found.value == (pytest.approx(above / below) if below else None)
    assert (found.judged, found.left_out) == (some.judged, some.left_out)


def test_lights_kappa_of_raters_who_all_judged_all() -> None:
    """Light 1971: the plain mean, here of pairs by scikit-learn."""
    codes = [(0, 0, 1), (1, 1, 1), (2, 1, 2), (0, 0, 0), (1, 2, 1), (2, 2, 2), (0, 1, 1)]
    columns = list(zip(*codes, strict=True))
    pairs = [(columns[0], columns[1]), (columns[0], columns[2]), (columns[1], columns[2])]
    mean = sum(cohen_kappa_score(*pair) for pair in pairs) / 3
    assert lights_kappa(Judgements.of(codes, 3)).value == pytest.approx(mean)


@given(st.data())
def test_lights_kappa_of_two_is_cohens(judged: SimpleNamespace, data: st.DataObject) -> None:
    some: Judgements = data.draw(judged.drawn(2, missing=True))
    one, other = lights_kappa(some, draws=20), cohens_kappa(some, draws=20)
    for name in ("value", "low", "high", "judged", "left_out", "null_draws"):
        wanted = getattr(other, name)
        assert getattr(one, name) == (None if wanted is None else pytest.approx(wanted))
