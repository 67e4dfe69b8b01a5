"""Krippendorff's alpha."""

import warnings
from itertools import combinations, product
from types import SimpleNamespace

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.statistics.agreement.alpha import krippendorffs_alpha
from benchwright.statistics.agreement.judgements import Judgements


def test_four_observers_with_missing_values(judged: SimpleNamespace) -> None:
    """Krippendorff 2011, the example with any number of observers: 0.743."""
    found = krippendorffs_alpha(judged.four_observers)
    assert found.value == pytest.approx(0.743, abs=0.0005)
    # unit 12 has one value, so that it pairs with nothing
    assert (found.judged, found.left_out) == (11, 1)


@pytest.mark.parametrize(
    ("first", "second", "alpha"),
    [
        # Krippendorff 2011, binary data of two observers: 0.095
        ("0100000010", "1110010000", 0.095),
        # and nominal data of two observers: 0.692
        ("aabbdcccedda", "babbbccceddd", 0.692),
    ],
)
def test_two_observers(first: str, second: str, alpha: float) -> None:
    names = sorted({*first, *second})
    codes = [[names.index(code) for code in pair] for pair in zip(first, second, strict=True)]
    found = krippendorffs_alpha(Judgements.of(codes, len(names)))
    assert found.value == pytest.approx(alpha, abs=0.0005)


@given(st.data())
def test_alpha_is_that_of_krippendorff(judged: SimpleNamespace, data: st.DataObject) -> None:
    some: Judgements = data.draw(judged.drawn(4, missing=True))
    flat = Judgements.of(some.codes, some.categories)
    found = krippendorffs_alpha(flat, draws=20)
    pairable = some.counts[some.times >= 2]
    if np.count_nonzero(pairable.sum(axis=0)) < 2:
        assert found.value is None
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # theirs
            theirs = krippendorff.alpha(value_counts=some.counts, level_of_measurement="nominal")
        assert found.value == pytest.approx(theirs)


@given(st.data())
def test_weighted_alpha_by_pairs(judged: SimpleNamespace, data: st.DataObject) -> None:
    """D_o and D_e as they are defined: over pairs of codes, one after the other."""
    some: Judgements = data.draw(judged.drawn(3, missing=True))
    values = [  # (item, code, weight)
        (item, int(code), float(some.weights[item]))
        for item, row in enumerate(some.codes)
        for code in row
        if code >= 0 and some.times[item] >= 2
    ]
    apart = sum(
        2 * one[2] * (one[1] != other[1]) / (some.times[one[0]] - 1)
        for one, other in combinations(values, 2)
        if one[0] == other[0]
    )
    pairs = [(one, other) for one, other in product(values, values) if one is not other]
    among = sum(one[2] * other[2] for one, other in pairs)
    differing = sum(one[2] * other[2] * (one[1] != other[1]) for one, other in pairs)
    found = krippendorffs_alpha(some, draws=20).value
    if not differing:
        assert found is None
    else:
        total = sum(weight for _, _, weight in values)
        assert found == pytest.approx(1 - (apart / total) / (differing / among))


def test_the_size_of_weights_does_not_matter(judged: SimpleNamespace) -> None:
    some = judged.four_observers
    scaled = Judgements.of(some.codes, some.categories, weights=np.full(len(some.codes), 17.0))
    assert krippendorffs_alpha(scaled).value == pytest.approx(krippendorffs_alpha(some).value)
