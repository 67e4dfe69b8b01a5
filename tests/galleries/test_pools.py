"""The pools equal those of a search that was written apart from them, picture by picture."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.knowledge import Knowledge, Value
from galleries import pools as pools_module
from galleries.bitplanes import BLOCK
from galleries.pools import Pools, find_pools
from galleries.selection import pair_hash
from galleries.tau import Tau

TAUS = ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.28", "0.3333", "1"]


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Pictures with ascending ids."""

    ids: list[int]
    attributes: list[frozenset[int]]
    groups: list[int]
    values: int

    def knowledge(self) -> Knowledge:
        sizes = [len(each) for each in self.attributes]
        rows = [value for each in self.attributes for value in sorted(each)]
        return Knowledge(
            ids=np.array(self.ids, np.uint64),
            groups=np.array(self.groups, np.int64),
            values=tuple(Value(type="t", value=f"{v:03}") for v in range(self.values)),
            indptr=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
            yes=np.array(rows, np.int32),
            no_indptr=np.zeros(len(self.ids) + 1, np.int64),
            no=np.zeros(0, np.int32),
        )


Kept = tuple[int, int]  # row, overlap


def splitmix(number: int) -> int:
    """The finaliser of splitmix64, as published by Steele, Lea and Flood."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def brute_force(catalog: Catalog, tau: str, per_value: int, seed: int) -> list[list[Kept]]:
    """Return the pools, by the definitions of Sim and of the pool alone."""
    found = []
    for target, own in enumerate(catalog.attributes):
        order = in_order(catalog, tau, target, seed)
        chosen: set[int] = set()
        for value in own:
            groups: list[int] = []
            for other, _ in order:
                full = per_value and len(groups) == per_value
                taken = catalog.groups[other] in groups
                if value in catalog.attributes[other] and not full and not taken:
                    groups.append(catalog.groups[other])
                    chosen.add(other)
        pool: list[Kept] = []
        for other, overlap in order:
            before = {catalog.groups[row] for row, _ in pool}
            if other in chosen and catalog.groups[other] not in before:
                pool.append((other, overlap))
        found.append(pool)
    return found


def in_order(catalog: Catalog, tau: str, target: int, seed: int) -> list[Kept]:
    """Return all that reaches τ and is of another group, in the total order."""
    salt = int.from_bytes(hashlib.sha256(f"pool {seed}".encode()).digest()[:8], "big")
    own = catalog.attributes[target]
    order = []
    for other, its in enumerate(catalog.attributes):
        overlap = len(own & its)
        tie = splitmix(splitmix(salt ^ catalog.ids[target]) ^ catalog.ids[other])
        another = catalog.groups[other] != catalog.groups[target]
        if another and own and Fraction(overlap, len(own)) >= Fraction(tau):
            order.append((-overlap, tie, catalog.ids[other], other))
    return [(other, -negative) for negative, *_, other in sorted(order)]


def listed(pools: Pools) -> list[list[tuple[int, int]]]:
    def pairs(where: slice) -> list[tuple[int, int]]:
        return list(zip(pools.rows[where].tolist(), pools.overlaps[where].tolist(), strict=True))

    return [pairs(pools.pool(at)) for at in range(len(pools.targets))]


@st.composite
def catalogs(draw: st.DrawFn, most_pictures: int = 30) -> Catalog:
    any_id = st.integers(0, 2**64 - 1)
    values = draw(st.sampled_from([1, 3, 8, 15, 40, 100]))
    sizes = st.sampled_from(sorted({0, 1, 3, 5, 7, 10, 14, 25, 33, 70} & set(range(values + 1))))
    pictures = draw(st.integers(1, most_pictures))
    random = draw(st.randoms(use_true_random=False))
    kinds = [
        frozenset(random.sample(range(values), draw(sizes))) for _ in range(draw(st.integers(1, 4)))
    ]
    attributes = []
    for _ in range(pictures):
        # Variations of a few kinds, some of them duplicates: so that τ is reached, and ties occur.
        changed = random.sample(range(values), random.randint(0, min(3, values)))
        attributes.append(random.choice(kinds) ^ frozenset(changed[: random.randint(0, 3)]))
    groups = draw(st.sampled_from([0, 2, pictures]))
    return Catalog(
        ids=sorted(draw(st.sets(any_id, min_size=pictures, max_size=pictures))),
        attributes=attributes,
        groups=[random.randrange(groups) for _ in range(pictures)]
        if groups
        else [*range(pictures)],
        values=values,
    )


@settings(deadline=None, max_examples=200)
@given(catalogs(), st.sampled_from(TAUS), st.sampled_from([0, 1, 2, 7]), st.integers(0, 2**31))
def test_pools_equal_the_brute_force(catalog: Catalog, tau: str, per_value: int, seed: int) -> None:
    found = find_pools(
        catalog.knowledge(), Tau.parse(tau), per_value=per_value, seed=seed, threads=1
    )
    assert listed(found) == brute_force(catalog, tau, per_value, seed)


def crowd(
    pictures: int,
    values: int,
    sizes: tuple[int, int],
    *,
    seed: int = 0,
    groups: int = 0,
    rare: float = 0.1,
) -> Catalog:
    """Return many pictures, the later values ever rarer."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, values + 1) + rare / values
    keys = rng.exponential(size=(pictures, values)) / weights
    ranked = np.argsort(keys, axis=1)
    counts = rng.integers(sizes[0], sizes[1] + 1, pictures)
    return Catalog(
        ids=sorted(rng.choice(2**40, pictures, replace=False).tolist()),
        attributes=[frozenset(row[:n].tolist()) for row, n in zip(ranked, counts, strict=True)],
        groups=rng.integers(0, groups, pictures).tolist() if groups else list(range(pictures)),
        values=values,
    )


@pytest.mark.parametrize("tau", ["0.1", "0.3333", "0.6", "1"])
@pytest.mark.parametrize("per_value", [0, 1, 7])
@pytest.mark.parametrize(
    "catalog",
    [
        crowd(300, 12, (0, 12)),  # nearly all reach τ: buffers are walked many times
        crowd(300, 30, (16, 20)),  # more than 15 values, more than one carry-save step
        crowd(150, 90, (60, 80)),  # more than 64 values a picture: two words of shares
        crowd(300, 12, (3, 9), groups=60),  # groups of five
        crowd(300, 12, (3, 9), groups=2),  # two large groups
        crowd(64, 8, (8, 8)),  # all alike: the hash alone decides
    ],
    ids=["dense", "wide", "very wide", "groups", "large groups", "alike"],
)
def test_crowded_catalogs(catalog: Catalog, tau: str, per_value: int) -> None:
    found = find_pools(catalog.knowledge(), Tau.parse(tau), per_value=per_value, seed=5, threads=1)
    assert listed(found) == brute_force(catalog, tau, per_value, 5)


@pytest.mark.parametrize("per_value", [0, 7])
@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ([], []),  # no picture at all
        ([set()], [[]]),  # one without values
        ([{0, 1}], [[]]),  # one alone
        ([set(), {0}], [[], []]),  # a picture without values is nobody's target or distractor
        ([{0}, {0}], [[(1, 1)], [(0, 1)]]),  # duplicates find each other
        ([{0, 1}, {0}], [[], [(0, 1)]]),  # Sim is not symmetric
    ],
)
def test_small_catalogs(
    attributes: list[set[int]], expected: list[list[tuple[int, int]]], per_value: int
) -> None:
    catalog = Catalog(
        ids=list(range(len(attributes))),
        attributes=[frozenset(each) for each in attributes],
        groups=list(range(len(attributes))),
        values=2,
    )
    found = find_pools(catalog.knowledge(), Tau.parse("0.6"), per_value=per_value)
    assert listed(found) == expected
    assert found.sizes().tolist() == [len(pool) for pool in expected]


def test_a_catalog_without_values_has_empty_pools() -> None:
    catalog = Catalog(ids=[1, 2], attributes=[frozenset()] * 2, groups=[0, 1], values=0)
    assert listed(find_pools(catalog.knowledge(), Tau.parse("0.6"))) == [[], []]


def reference(
    known: Knowledge, target: int, tau: str, per_value: int, seed: int
) -> list[tuple[int, int]]:
    """Return one pool of a catalog without groups, with whole columns at a time."""
    has = np.zeros((len(known.ids), len(known.values)), bool)
    has[np.repeat(np.arange(len(known.ids)), np.diff(known.indptr)), known.yes] = True
    own = known.attributes(target)
    overlap = has[:, own].sum(axis=1)
    salt = int.from_bytes(hashlib.sha256(f"pool {seed}".encode()).digest()[:8], "big")
    ties = np.uint64(splitmix(salt ^ int(known.ids[target]))) ^ known.ids
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        ties = (ties ^ (ties >> np.uint64(shift))) * np.uint64(factor)
    ties ^= ties >> np.uint64(31)
    order = np.lexsort((known.ids, ties, -overlap))
    least = next(n for n in range(len(own) + 1) if Fraction(n) >= Fraction(tau) * len(own))
    order = order[(overlap[order] >= least) & (order != target)]
    kept = np.zeros(len(order), bool)
    for value in own:
        sharing = np.flatnonzero(has[order, value])
        kept[sharing[: per_value or None]] = True
    return [(int(row), int(overlap[row])) for row in order[kept]]


@pytest.mark.parametrize("tau", ["0.28", "0.6", "0.8"])
@pytest.mark.parametrize("per_value", [0, 7])
def test_catalogs_of_several_blocks(tau: str, per_value: int) -> None:
    known = crowd(2 * BLOCK + 4321, 40, (4, 12), seed=1).knowledge()
    targets = np.array([0, 63, 64, BLOCK - 1, BLOCK, 2 * BLOCK + 17, 2 * BLOCK + 4320])
    found = find_pools(known, Tau.parse(tau), targets=targets, per_value=per_value, seed=2)
    for at, target in enumerate(targets):
        expected = reference(known, int(target), tau, per_value, 2)
        assert listed(found)[at] == expected, target


@pytest.mark.parametrize("groups", [0, 3000])
@pytest.mark.parametrize("per_value", [0, 7])
def test_threads_change_nothing(groups: int, per_value: int) -> None:
    known = crowd(6000, 30, (4, 9), groups=groups).knowledge()
    tau = Tau.parse("0.6")
    one, two, five = (
        find_pools(known, tau, per_value=per_value, targets=np.arange(0, 6000, 3), threads=n)
        for n in (1, 2, 5)
    )
    assert listed(one) == listed(two) == listed(five)


def test_targets_may_come_in_any_order_and_twice() -> None:
    known = crowd(500, 20, (4, 9)).knowledge()
    tau = Tau.parse("0.5")
    everything = listed(find_pools(known, tau))
    targets = np.array([17, 3, 499, 3, 0])
    found = find_pools(known, tau, targets=targets)
    assert found.targets.tolist() == targets.tolist()
    assert listed(found) == [everything[target] for target in targets]
    assert listed(find_pools(known, tau, targets=targets[:0])) == []


@pytest.mark.parametrize("groups", [0, 100])
def test_the_order_of_the_rows_changes_nothing(groups: int) -> None:
    """Pools by id are the same, though row numbers and values have changed places."""
    catalog = crowd(400, 20, (3, 9), groups=groups)
    places = np.random.default_rng(4).permutation(400).tolist()
    columns = np.random.default_rng(5).permutation(20).tolist()
    shuffled = replace(
        catalog,
        ids=[catalog.ids[at] for at in places],
        attributes=[frozenset(columns[v] for v in catalog.attributes[at]) for at in places],
        groups=[catalog.groups[at] for at in places],
    )

    def by_id(one: Catalog) -> Iterator[tuple[int, list[int]]]:
        pools = find_pools(one.knowledge(), Tau.parse("0.5"), seed=3)
        for at, target in enumerate(pools.targets):
            yield one.ids[target], [one.ids[row] for row in pools.rows[pools.pool(at)]]

    assert dict(by_id(catalog)) == dict(by_id(shuffled))


def test_no_place_in_the_catalog_is_preferred() -> None:
    """Ties broken by row number would give the first half about two places of three."""
    pools = find_pools(crowd(4000, 8, (8, 8)).knowledge(), Tau.parse("0.6"))
    assert 0.48 < np.mean(pools.rows < 2000) < 0.52


def test_the_seed_decides_between_equals() -> None:
    known = crowd(200, 6, (6, 6)).knowledge()
    first, second = (find_pools(known, Tau.parse("1"), seed=seed) for seed in (0, 1))
    assert first.sizes().tolist() == second.sizes().tolist() == [7] * 200
    assert listed(first) != listed(second)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_the_hash_of_a_target_is_never_equal_for_two_ids(
    salt: int, target: int, other: int
) -> None:
    """It is undone step by step: as a bijection of the other id it leaves no tie to break."""
    hashed = int(pair_hash(np.uint64(salt), np.uint64(target), np.uint64(other)))
    assert hashed == splitmix(splitmix(salt ^ target) ^ other)
    undone = hashed
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        undone ^= undone >> shift ^ undone >> 2 * shift
        undone = undone * pow(factor, -1, 2**64) % 2**64
    assert undone ^ splitmix(salt ^ target) == other


@pytest.mark.parametrize(("name", "most"), [("_CHUNK", 7), ("_BUFFERS", 1)])
def test_chunks_are_put_together_in_order(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = crowd(500, 20, (4, 9)).knowledge()
    whole = listed(find_pools(known, Tau.parse("0.5")))
    monkeypatch.setattr(pools_module, name, most)
    assert listed(find_pools(known, Tau.parse("0.5"), threads=3)) == whole


def test_ids_use_all_64_bits() -> None:
    ids = [1, 2**63, 2**64 - 1]
    catalog = Catalog(ids=ids, attributes=[frozenset({0})] * 3, groups=[0, 1, 2], values=1)
    found = find_pools(catalog.knowledge(), Tau.parse("1"), per_value=1)
    assert listed(found) == brute_force(catalog, "1", 1, 0)
