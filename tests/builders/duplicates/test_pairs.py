"""Pairs: what faiss finds is what counting all pairs finds."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.clip.embedder import unit_rows
from builders.duplicates.hashes import Fingerprint
from builders.duplicates.pairs import Pairs, phash_pairs, vector_pairs

GREY = "80" * 32
RED = "5ae0" * 16


def print_of(phash: int | None, mirrored: int | None = None, chroma: str = GREY) -> Fingerprint:
    other = mirrored if mirrored is not None else None if phash is None else ~phash & (2**256 - 1)
    return Fingerprint(
        sha256="",
        pixels="",
        phash=None if phash is None else f"{phash:064x}",
        mirrored=None if other is None else f"{other:064x}",
        chroma=chroma,
    )


def links(pairs: Pairs) -> list[tuple[int, int, float, bool]]:
    return pairs.linked_rows()


@settings(max_examples=40)
@given(
    st.lists(st.sets(st.integers(0, 255), max_size=6), max_size=12),
    st.integers(0, 8),
    st.booleans(),
)
def test_pairs_are_those_of_brute_force(bits: list[set[int]], threshold: int, across: bool) -> None:
    hashes = [sum(1 << bit for bit in some) for some in bits]
    prints = [print_of(value) for value in hashes]
    cut = len(hashes) // 2
    if across:
        found = phash_pairs(prints[:cut], prints[cut:], threshold)
        places = [(a, b) for a in range(cut) for b in range(len(hashes) - cut)]
        expected = {(a, b): hashes[a] ^ hashes[cut + b] for a, b in places}
    else:
        found = phash_pairs(prints, None, threshold)
        expected = {(a, b): hashes[a] ^ hashes[b] for a, b in combinations(range(len(hashes)), 2)}
    assert links(found) == sorted(
        (
            (a, b, float(value.bit_count()), False)
            for (a, b), value in expected.items()
            if value.bit_count() <= threshold
        ),
        key=lambda pair: (pair[2], pair[0], pair[1]),
    )


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (print_of(0), print_of(0b111), [(0, 1, 3.0, False)]),
        (print_of(0), print_of(0b1111), []),  # one bit too many
        (print_of(0), print_of(2**200 - 1, mirrored=1), [(0, 1, 1.0, True)]),
        (print_of(0), print_of(1, mirrored=1), [(0, 1, 1.0, False)]),  # a symmetrical picture
        (print_of(0), print_of(0, chroma=RED), []),  # another colour
        (print_of(None), print_of(None), []),  # of one tone
        (print_of(0), print_of(None), []),
    ],
)
def test_what_links(one: Fingerprint, other: Fingerprint, expected: list[object]) -> None:
    assert links(phash_pairs([one, other], None, 3)) == expected
    assert links(phash_pairs([one], [other], 3)) == [
        (0, 0, *rest)
        for _, _, *rest in expected  # type: ignore[misc]
    ]


def test_a_picture_is_no_pair_with_its_own_mirror_image() -> None:
    assert links(phash_pairs([print_of(5, mirrored=5)], None, 3)) == []


def test_other_colours_are_counted_and_can_be_linked() -> None:
    prints = [print_of(0), print_of(1, chroma=RED)]
    pairs = phash_pairs(prints, None, 3)
    assert pairs.recoloured.tolist() == [True]
    assert links(phash_pairs(prints, None, 3, any_colour=True)) == [(0, 1, 1.0, False)]


def test_the_colours_of_a_mirrored_picture_are_compared_mirrored() -> None:
    left = "5ae0808080808080" * 4  # red on the left edge
    right = "8080808080805ae0" * 4
    one = print_of(0, chroma=left)
    other = print_of(2**200 - 1, mirrored=0, chroma=right)
    assert links(phash_pairs([one, other], None, 3)) == [(0, 1, 0.0, True)]
    plain = print_of(1, chroma=right)
    assert links(phash_pairs([one, plain], None, 3)) == []


def test_the_nearest_beyond_the_threshold_come_along() -> None:
    prints = [print_of(0), print_of(0b1), print_of(0b111111 << 9)]
    pairs = phash_pairs(prints, None, 2, margin=5)
    assert pairs.distance.tolist() == [1.0, 6.0, 7.0]
    assert pairs.linked.tolist() == [True, False, False]


def test_nothing_and_one_are_no_pairs() -> None:
    for prints in ([], [print_of(1)]):
        assert links(phash_pairs(prints, None, 30)) == []
        assert links(phash_pairs(prints, [], 30)) == []


def vectors(count: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(count, 16))
    rows[count // 2 :] = rows[: count - count // 2] + rng.normal(0, 0.05, (count - count // 2, 16))
    return unit_rows(rows)


@pytest.mark.parametrize("flat", [1_000, 100])  # every pair; an inverted file
def test_vectors_near_each_other_are_found(flat: int) -> None:
    rows = vectors(400)
    pairs = vector_pairs(rows, None, 0.96, flat=flat)
    found = {(a, b) for a, b, _, _ in links(pairs)}
    cosine = rows.astype(float) @ rows.astype(float).T
    expected = {(a, b) for a, b in combinations(range(400), 2) if cosine[a, b] >= 0.96}
    assert len(expected) >= 190
    assert found <= expected
    assert len(found) >= 0.95 * len(expected)
    if flat == 1_000:
        assert found == expected
    assert all(distance == round(distance, 6) for _, _, distance, _ in links(pairs))


def test_vectors_of_two_sets() -> None:
    rows = vectors(60)
    pairs = vector_pairs(rows[:30], rows[30:], 0.9)
    assert {(a, a) for a in range(30)} <= {(a, b) for a, b, _, _ in links(pairs)}
    assert links(vector_pairs(rows[:0], rows, 0.9)) == []


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_a_broken_model_is_one_line(bad: float) -> None:
    with pytest.raises(Exception, match="zero or no number"):
        unit_rows(np.array([[1.0, 2.0], [bad, bad]]))
