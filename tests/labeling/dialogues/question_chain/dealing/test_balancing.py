"""Loads are as even as the best of all ways to give items out."""

from collections import Counter
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.seeds import draw
from labeling.dialogues.question_chain.dealing.balancing import balanced

PEOPLE = "abcd"


def order(seed: int) -> Any:
    return partial(draw, seed, "test")


def squares(loads: Counter[str]) -> int:
    return sum(number * number for number in loads.values())


@given(
    able=st.lists(st.sets(st.sampled_from(PEOPLE), min_size=1), max_size=6),
    loads=st.dictionaries(st.sampled_from(PEOPLE), st.integers(0, 4)),
    sizes=st.lists(st.integers(1, 9), min_size=6, max_size=6),
    seed=st.integers(0, 5),
)
def test_no_other_way_is_more_even(
    able: list[set[str]], loads: dict[str, int], sizes: list[int], seed: int
) -> None:
    items = [f"i{number}" for number in range(len(able))]
    by_item = dict(zip(items, able, strict=True))
    given = balanced(items, by_item, loads, {}, dict(zip(items, sizes, strict=False)), order(seed))
    assert set(given) == set(items)
    assert all(name in by_item[item] for item, name in given.items())
    best = min(squares(Counter(loads) + Counter(way)) for way in product(*map(sorted, able)))
    assert squares(Counter(loads) + Counter(given.values())) == best


@pytest.mark.parametrize("seed", range(4))
def test_the_sizes_are_evened_out_where_the_numbers_leave_a_choice(seed: int) -> None:
    sizes = {"i1": 9, "i2": 7, "i3": 3, "i4": 1}
    given = balanced(list(sizes), dict.fromkeys(sizes, "ab"), {}, {}, sizes, order(seed))
    by_person = Counter[str]()
    for item, name in given.items():
        by_person[name] += sizes[item]
    assert sorted(by_person.values()) == [10, 10]


def test_what_is_handed_over_is_a_burden_no_more() -> None:
    """Ana takes the large one, and hands it over for the one that only she can take."""
    able = {"large": ["ana", "bo"], "hers": ["ana"], "small": ["ana", "bo"]}
    sizes = {"large": 9, "hers": 1, "small": 1}
    given = balanced(list(able), able, {}, {}, sizes, lambda _, name: name != "ana")
    assert given == {"large": "bo", "hers": "ana", "small": "ana"}


def test_one_who_has_much_already_gets_less() -> None:
    items = ["i1", "i2", "i3"]
    given = balanced(
        items, dict.fromkeys(items, "ab"), {"a": 5}, {}, dict.fromkeys(items, 1), order(0)
    )
    assert set(given.values()) == {"b"}
    given = balanced(["i"], {"i": "ab"}, {}, {"b": 1}, {"i": 1}, order(0))
    assert given == {"i": "a"}  # as many items, and less to do


def test_the_seed_decides_between_equal_ways() -> None:
    found = {
        tuple(sorted(balanced(["i"], {"i": "abcd"}, {}, {}, {"i": 1}, order(seed)).values()))
        for seed in range(40)
    }
    assert found == {("a",), ("b",), ("c",), ("d",)}
