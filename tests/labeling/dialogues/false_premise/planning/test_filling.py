"""Filling cells: as many places as a maximum flow, evenly, by the seed and not by any order."""

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from labeling.dialogues.false_premise.planning.filling import Place, fill

Able = dict[str, frozenset[Place]]
CELLS: list[Place] = [(name, level) for name in "ab" for level in "xyz"]


def _able(most_cells: int, most_pictures: int) -> st.SearchStrategy[Able]:
    kinds = st.frozensets(st.sampled_from(CELLS[:most_cells]))
    return st.lists(kinds, max_size=most_pictures).map(
        lambda found: {f"p{number}": kind for number, kind in enumerate(found)}
    )


def _maximum(able: Able, cells: list[Place], wanted: int) -> int:
    """The value of a maximum flow, each picture a node of its own."""
    names = list(able)
    sink = len(names) + len(cells) + 1
    edges = [(0, 1 + at, 1) for at in range(len(names))]
    edges += [
        (1 + at, 1 + len(names) + cells.index(cell), 1)
        for at, name in enumerate(names)
        for cell in able[name]
    ]
    edges += [(1 + len(names) + at, sink, wanted) for at in range(len(cells))]
    starts, ends, sizes = np.array(edges, dtype=np.int32).T
    graph = csr_array((sizes, (starts, ends)), shape=(sink + 1, sink + 1))
    return int(maximum_flow(graph, 0, sink).flow_value)


@given(_able(6, 40), st.integers(1, 9), st.integers(0, 3))
def test_as_many_places_are_filled_as_by_a_maximum_flow(able: Able, wanted: int, seed: int) -> None:
    chosen = fill(able, CELLS, wanted, seed)
    assert all(cell in able[name] for name, cell in chosen.items())
    assert max(Counter(chosen.values()).values(), default=0) <= wanted
    assert len(chosen) == _maximum(able, CELLS, wanted)
    fits = np.array(
        [[cell in kind for cell in CELLS for _ in range(wanted)] for kind in able.values()]
    )
    if fits.size:  # and as by an assignment of pictures to places
        rows, places = linear_sum_assignment(fits, maximize=True)
        assert len(chosen) == fits[rows, places].sum()


@given(_able(3, 6), st.integers(1, 4), st.integers(0, 3))
def test_of_all_ways_to_fill_as_many_it_is_the_most_even(
    able: Able, wanted: int, seed: int
) -> None:
    cells = CELLS[:3]
    ways = (Counter(way) for way in product(*([None, *kind] for kind in able.values())))
    counts = ([way[cell] for cell in cells] for way in ways)
    best = max((sum(some), sorted(some)) for some in counts if max(some) <= wanted)
    found = Counter(fill(able, cells, wanted, seed).values())
    assert (found.total(), sorted(found[cell] for cell in cells)) == best


@given(_able(6, 30), st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_pictures_and_cells_does_not_matter(
    able: Able, wanted: int, chance: Any
) -> None:
    names, cells = list(able), list(CELLS)
    chance.shuffle(names)
    chance.shuffle(cells)
    shuffled = {name: able[name] for name in names}
    assert fill(shuffled, cells, wanted, 7) == fill(able, CELLS, wanted, 7)


@given(_able(6, 30), st.integers(1, 5))
def test_more_wanted_keeps_the_pictures_that_were_chosen(able: Able, wanted: int) -> None:
    assert fill(able, CELLS, wanted, 0).keys() <= fill(able, CELLS, wanted + 1, 0).keys()


def test_a_cell_gives_up_pictures_along_a_chain() -> None:
    a, b, c = CELLS[:3]
    # only p2 fills c, which b wants as well, whose other picture a wants
    able = {"p0": frozenset({a}), "p1": frozenset({a, b}), "p2": frozenset({b, c})}
    for seed in range(20):
        assert fill(able, [a, b, c], 1, seed) == {"p0": a, "p1": b, "p2": c}


def test_the_seed_chooses_pictures_and_every_picture_may_be_chosen() -> None:
    able = {f"p{number}": frozenset(CELLS[:1]) for number in range(10)}
    times = Counter(name for seed in range(500) for name in fill(able, CELLS, 3, seed))
    assert times.total() == 1500
    assert all(100 < times[name] < 200 for name in able)  # 150 expected, more than 4 sigma


def test_a_picture_of_many_cells_is_as_likely_as_one_of_few() -> None:
    able = {f"p{number}": frozenset(CELLS[: 1 + number % 2]) for number in range(200)}
    counts = Counter(int(name[1:]) % 2 for name in fill(able, CELLS[:1], 100, 0))
    assert counts[0] == 100 - counts[1]
    assert 35 < counts[0] < 65


def test_nothing_fills_nothing() -> None:
    assert fill({}, CELLS, 3, 0) == {}
    assert fill({"p": frozenset()}, CELLS, 3, 0) == {}
