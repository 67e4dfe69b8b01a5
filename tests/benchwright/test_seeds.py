"""Seeded choices: by ids alone, even, and the same for ever."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.seeds import below, draw, shuffled


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        # blake2b with eight bytes of the parts with a null between them: any change of these
        # would change every gallery that was ever published
        ((0, "episodes"), 17080093088464812004),
        ((7, "target", "0123456789abcdef", "0.6"), 6886735378821682109),
    ],
)
def test_the_bits_never_change(arguments: tuple[int, str], expected: int) -> None:
    assert draw(*arguments) == expected


def test_everything_that_is_given_counts() -> None:
    ids = [(), ("",), ("x",), ("x", ""), ("x", "y"), ("y", "x"), ("xy",)]
    calls = [(seed, purpose, *some) for seed in (0, 1) for purpose in ("a", "ax") for some in ids]
    assert len({draw(*call) for call in calls}) == len(calls)


@given(st.integers(1, 2**40), st.integers(0, 2**63 - 1), st.text(max_size=5))
def test_below_stays_below(limit: int, seed: int, name: str) -> None:
    assert 0 <= below(limit, seed, "p", name) < limit


@pytest.mark.parametrize("limit", [2, 3, 7, 10])
def test_below_is_even(limit: int) -> None:
    total = 3000 * limit
    counts = Counter(below(limit, 0, "p", str(at)) for at in range(total))
    assert sorted(counts) == list(range(limit))
    chi = sum((count - 3000) ** 2 / 3000 for count in counts.values())
    assert chi < limit - 1 + 4.5 * (2 * (limit - 1)) ** 0.5


@given(st.lists(st.text(max_size=3), unique=True, max_size=12), st.randoms())
def test_a_shuffle_depends_on_the_values_and_not_on_their_order(values: list[str], chance) -> None:  # type: ignore[no-untyped-def]
    expected = shuffled(values, 3, "p")
    assert sorted(expected) == sorted(values)
    chance.shuffle(values)
    assert shuffled(values, 3, "p") == expected


def test_each_order_is_as_likely() -> None:
    counts = Counter("".join(shuffled(["a", "b", "c"], 0, "p", str(at))) for at in range(6000))
    assert len(counts) == 6
    chi = sum((count - 1000) ** 2 / 1000 for count in counts.values())
    assert chi < 5 + 4.5 * 10**0.5


def test_what_is_left_out_moves_nothing_else() -> None:
    # so a picture that leaves the catalog changes no other choice
    whole = shuffled([str(at) for at in range(50)], 0, "p")
    assert shuffled([value for value in whole if value != "7"], 0, "p") == [
        value for value in whole if value != "7"
    ]
