"""The nearest-picture guess: worked by hand, by properties, and on planted galleries."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from benchwright.statistics.intervals import wilson
from galleries.nearest_picture import (
    Guesses,
    Ranked,
    by_embeddings,
    by_labels,
    ranked,
    ranking,
    score,
)

ROOT = math.sqrt(0.5)


@pytest.mark.parametrize(
    ("embeddings", "mean", "least"),
    [
        # two pictures are equally near to each other
        ([[1, 0], [0, 1]], [0, 0], [0, 0]),
        # the second lies between the others
        ([[1, 0], [1, 1], [0, 1]], [ROOT / 2, ROOT, ROOT / 2], [0, ROOT, 0]),
        # lengths do not matter
        ([[9, 0], [0.1, 0.1], [0, 3]], [ROOT / 2, ROOT, ROOT / 2], [0, ROOT, 0]),
        # opposite ones
        ([[1, 0], [-1, 0], [1, 0]], [0, -1, 0], [-1, -1, -1]),
        # nearest on average and nearest to the farthest are two pictures: the first, the last
        (
            [[1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]],
            [(2 + ROOT) / 4, (2 + ROOT) / 4, (2 + ROOT) / 4, ROOT / 4, ROOT],
            [0, 0, 0, 0, ROOT],
        ),
    ],
)
def test_closeness_by_embeddings(
    embeddings: list[list[float]], mean: list[float], least: list[float]
) -> None:
    found = by_embeddings(embeddings)
    assert found.mean == pytest.approx(mean, abs=1e-6)
    assert found.least == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize(
    ("has", "mean", "least"),
    [
        # Sim is of the row: all that the first has the second has too, not the other way round
        ([[1, 0], [1, 1]], [1, Fraction(1, 2)], [1, Fraction(1, 2)]),
        # the first shares one of two with each, the others one of two with it and none otherwise
        (
            [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]],
            [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)],
            [Fraction(1, 2), 0, 0],
        ),
        # a picture without attributes
        ([[0, 0], [1, 0], [1, 0]], [0, Fraction(1, 2), Fraction(1, 2)], [0, 0, 0]),
        # nobody has anything, or there is nothing to have
        ([[0], [0]], [0, 0], [0, 0]),
        ([[], []], [0, 0], [0, 0]),
        # 1/3 and 2/6 are one number
        (
            [[1, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1]],
            [Fraction(1, 3), Fraction(4, 10), Fraction(4, 6)],
            [Fraction(1, 3), Fraction(1, 5), Fraction(1, 3)],
        ),
    ],
)
def test_closeness_by_labels(
    has: list[list[int]], mean: list[Fraction], least: list[Fraction]
) -> None:
    found = by_labels(has)
    assert found.mean.tolist() == [float(value) for value in mean]
    assert found.least.tolist() == [float(value) for value in least]


@pytest.mark.parametrize(
    "embeddings",
    [
        [[1.0, 0.0]],  # one picture has no others
        np.zeros((0, 3)),
        [[1.0, 0.0], [0.0, 0.0]],
        [[1.0, 0.0], [math.nan, 1.0]],
        [[1.0, 0.0], [math.inf, 1.0]],
    ],
)
def test_what_is_no_gallery_of_embeddings(embeddings: object) -> None:
    with pytest.raises(ValueError, match="two pictures or more"):
        by_embeddings(embeddings)  # type: ignore[arg-type]


def test_one_picture_has_no_labels_to_share() -> None:
    with pytest.raises(ValueError, match="two pictures"):
        by_labels([[1, 0]])


@pytest.mark.parametrize(
    ("closeness", "target_index", "places", "rank"),
    [
        ([0.1, 0.9, 0.5], 1, [1, 2, 0], 3),
        ([0.1, 0.9, 0.5], 2, [1, 2, 0], 1),
        # ties go by the place in the gallery
        ([0.5, 0.5, 0.5], 3, [0, 1, 2], 3),
        ([0.2, 0.7, 0.7], 2, [1, 2, 0], 1),
        # a float's rounding cannot tell two cosines apart, so neither can the ranking
        (by_embeddings([[1, 0], [1, 1e-9], [1, 1]]).mean, 2, [0, 1, 2], 2),
    ],
)
def test_the_ranking(
    closeness: Sequence[float], target_index: int, places: list[int], rank: int
) -> None:
    assert ranking(closeness).tolist() == places
    assert ranked("abc", target_index, closeness).rank == rank


def gallery(ids: str, rank: int) -> Ranked:
    return Ranked(image_ids=ids, rank=rank)


@pytest.mark.parametrize(
    ("galleries", "share", "reciprocal", "chance", "chance_reciprocal"),
    [
        ([gallery("ab", 1)], 1, 1, 1 / 2, 3 / 4),
        ([gallery("ab", 2)], 0, 1 / 2, 1 / 2, 3 / 4),
        ([gallery("ab", 1), gallery("cdef", 4)], 1 / 2, 5 / 8, 3 / 8, (3 / 4 + 25 / 48) / 2),
        (
            [gallery("abc", 1), gallery("def", 2), gallery("ghi", 3)],
            1 / 3,
            11 / 18,
            1 / 3,
            11 / 18,  # each rank once is what a blind guess gets
        ),
    ],
)
def test_figures_by_hand(
    galleries: list[Ranked],
    share: float,
    reciprocal: float,
    chance: float,
    chance_reciprocal: float,
) -> None:
    found = score(galleries)
    assert found.galleries == len(galleries)
    assert found.first.share == pytest.approx(share)
    assert found.reciprocal_rank == pytest.approx(reciprocal)
    assert found.chance == pytest.approx(chance)
    assert found.chance_reciprocal_rank == pytest.approx(chance_reciprocal)
    assert found.lift == pytest.approx(
        (share - chance, found.first.low - chance, found.first.high - chance)
    )


@pytest.mark.parametrize(
    ("galleries", "size"),
    [
        # no picture in common: each gallery counts
        ([gallery("ab", 1), gallery("cd", 2), gallery("efg", 2)], 3),
        # each gallery is there twice, with one outcome: half as many tell as much
        ([gallery("ab", 1), gallery("ba", 1), gallery("cd", 2), gallery("dc", 2)], 2),
        # one gallery three times, each picture the target once: just what chance gives
        ([gallery("abc", 1), gallery("abc", 2), gallery("abc", 3)], 3),
        # one of two pictures in common: residuals 1/2, 1/2, -1/2, -1/2 go together by 1/2
        ([gallery("ab", 1), gallery("bc", 1), gallery("de", 2), gallery("ef", 2)], 16 / 6),
        # all right: nothing shows how much goes together, so the very same pictures count once
        ([gallery("ab", 1), gallery("ab", 1), gallery("cd", 1)], 9 / 5),
        ([gallery("ab", 2), gallery("cd", 2)], 2),
    ],
)
def test_galleries_that_share_pictures_tell_less(galleries: list[Ranked], size: float) -> None:
    found = score(galleries).first
    assert found.size == pytest.approx(size)
    low, high = wilson(found.share, size)
    assert (found.low, found.high) == pytest.approx((float(low), float(high)))


def many(right: int, of: int) -> Guesses:
    """Galleries of four pictures of their own; chance is one in four."""
    return score(
        [
            Ranked(image_ids=[f"{at}-{side}" for side in "abcd"], rank=1 if at < right else 2)
            for at in range(of)
        ]
    )


@pytest.mark.parametrize(
    ("right", "of", "tells"),
    [
        (25, 100, False),
        (33, 100, False),  # 0.246 to 0.427
        (34, 100, True),  # 0.255 to 0.437
        (18, 100, False),  # 0.117 to 0.267
        (16, 100, True),  # 0.101 to 0.244: seldom the target is a hint as well
        (3, 3, True),  # 0.438 to 1
        (1, 1, False),
    ],
)
def test_what_tells_from_chance(right: int, of: int, tells: bool) -> None:
    assert many(right, of).tells is tells


def test_no_gallery_has_no_score() -> None:
    with pytest.raises(ValueError, match="no gallery"):
        score([])


def planted(seed: int, *, spread: float | None) -> Guesses:
    """200 galleries of eight; the target is their centre, or a vector like any other."""
    random = np.random.default_rng(seed)
    found = []
    for at in range(200):
        target = int(random.integers(8))
        rows = random.normal(size=(8, 16))
        if spread is not None:
            centre = rows[target].copy()
            rows = centre + spread * random.normal(size=(8, 16))
            rows[target] = centre
        ids = [f"{at}-{place}" for place in range(8)]
        found.append(ranked(ids, target + 1, by_embeddings(rows).mean))
    return score(found)


def test_centres_are_found_and_random_pictures_are_not() -> None:
    centres = planted(0, spread=0.5)
    assert centres.tells
    assert centres.first.share > 0.95
    assert centres.reciprocal_rank > 0.97
    random = planted(0, spread=None)
    assert not random.tells
    assert abs(random.lift[0]) < 0.06
    assert random.reciprocal_rank == pytest.approx(random.chance_reciprocal_rank, abs=0.06)


def apart(values: np.ndarray) -> bool:
    """Whether no two values are as near as rounding could move them."""
    return bool(np.diff(np.sort(values)).min() > 1e-5)


vectors = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 8), st.integers(2, 6)),
    elements=st.integers(-9, 9).map(float),
).filter(lambda rows: bool(np.abs(rows).max(axis=1).min() > 0))
flags = arrays.arrays(np.bool_, st.tuples(st.integers(2, 8), st.integers(0, 9)))


@given(vectors, st.randoms(use_true_random=False))
def test_permuted_pictures_permute_the_ranking(rows: np.ndarray, random: object) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)  # type: ignore[attr-defined]
    before, after = by_embeddings(rows), by_embeddings(rows[order])
    assert after.mean == pytest.approx(before.mean[order], abs=2e-6)
    assert after.least == pytest.approx(before.least[order], abs=2e-6)
    assume(apart(before.mean))
    assert [order[place] for place in ranking(after.mean)] == ranking(before.mean).tolist()


@given(vectors, st.data())
def test_longer_embeddings_change_nothing(rows: np.ndarray, data: st.DataObject) -> None:
    factor = st.floats(1e-3, 1e3)
    factors = data.draw(st.lists(factor, min_size=len(rows), max_size=len(rows)))
    before, after = by_embeddings(rows), by_embeddings(rows * np.array(factors)[:, None])
    assert after.mean == pytest.approx(before.mean, abs=2e-6)
    assert after.least == pytest.approx(before.least, abs=2e-6)
    assume(apart(before.mean))
    assert ranking(after.mean).tolist() == ranking(before.mean).tolist()


@given(flags, st.randoms(use_true_random=False))
def test_labels_are_ranked_exactly(has: np.ndarray, random: object) -> None:
    """By fractions, in any order of the pictures."""
    order = list(range(len(has)))
    random.shuffle(order)  # type: ignore[attr-defined]
    found = by_labels(has[order])
    exact_mean, exact_least = [], []
    for row in (has[at] for at in order):
        sims = [Fraction(int((row & other).sum()), max(1, int(row.sum()))) for other in has]
        sims.remove(Fraction(int(row.any())))  # its own
        exact_mean.append(sum(sims, Fraction()) / len(sims))
        exact_least.append(min(sims))
    for closeness, exact in ((found.mean, exact_mean), (found.least, exact_least)):
        best = sorted(range(len(exact)), key=lambda at: (-exact[at], at))
        assert ranking(closeness).tolist() == best
