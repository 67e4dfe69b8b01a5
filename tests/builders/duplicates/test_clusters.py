"""Clusters: union of products and links, and what they are called."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.duplicates.clusters import cluster_ids, roots_of

IDS = ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("products", "links", "expected"),
    [
        ([None] * 4, [], [None] * 4),
        ([None] * 4, [(1, 3)], [None, "b", None, "b"]),
        ([None] * 4, [(2, 3), (1, 2)], [None, "b", "b", "b"]),  # along a chain
        (["p", None, None, "p"], [], ["p", None, None, "p"]),  # a product keeps its name
        (["p", None, None, None], [], ["p", None, None, None]),  # also of one picture
        (["p", "p", None, None], [(1, 2)], ["p", "p", "p", None]),  # one product and a copy
        (["p", "p", "q", "q"], [(1, 2)], ["a"] * 4),  # two products become one group
        (["p", None, "q", None], [(3, 0), (3, 2)], ["a", None, "a", "a"]),  # through a third
        (["a", None, None, None], [(1, 2)], ["a", "b", "b", None]),
        (["b", None, None, None], [(1, 2)], ["b", "b+", "b+", None]),  # a product called so
    ],
)
def test_groups(
    products: list[str | None], links: list[tuple[int, int]], expected: list[str | None]
) -> None:
    assert cluster_ids(IDS, products, links) == expected


_LINKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=10)
_PRODUCTS = st.lists(st.sampled_from(["p", "q", "3", None]), min_size=8, max_size=8)


@given(_PRODUCTS, _LINKS, st.randoms())
def test_the_order_of_links_and_pictures_does_not_matter(
    products: list[str | None], links: list[tuple[int, int]], chance: Any
) -> None:
    ids = [str(number) for number in range(8)]
    plain = dict(zip(ids, cluster_ids(ids, products, links), strict=True))
    order = list(range(8))
    chance.shuffle(order)
    moved = [(order.index(b), order.index(a)) for a, b in links]
    chance.shuffle(moved)
    shuffled = cluster_ids([ids[at] for at in order], [products[at] for at in order], moved)
    assert dict(zip([ids[at] for at in order], shuffled, strict=True)) == plain


@given(_PRODUCTS, _LINKS)
def test_two_pictures_share_a_group_just_when_they_are_connected(
    products: list[str | None], links: list[tuple[int, int]]
) -> None:
    ids = [str(number) for number in range(8)]
    groups = cluster_ids(ids, products, links)
    same = [(a, b) for a in range(8) for b in range(8) if products[a] == products[b] is not None]
    roots = roots_of(8, [*links, *same])
    for a in range(8):
        for b in range(8):
            if a != b:
                together = groups[a] is not None and groups[a] == groups[b]
                assert together == (roots[a] == roots[b])
