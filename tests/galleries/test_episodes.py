"""Which targets become episodes, and what is shown where: by the seed and the ids alone."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from benchwright.errors import UsageError
from benchwright.knowledge import Knowledge, Value
from benchwright.records import Episode
from galleries.episodes import make_episode, qualifying, sampled
from galleries.pools import Pools, find_pools
from galleries.settings import Settings, Sizes
from galleries.tau import Tau

TYPES, VALUES = 8, 3


def knowledge(pictures: int, seed: int = 1, bare: int = 0) -> Knowledge:
    """Pictures with one value of each type, the last ``bare`` of them with none."""
    rng = np.random.default_rng(seed)
    rows = [
        (np.arange(TYPES) * VALUES + rng.integers(0, VALUES, TYPES)).tolist()
        if at < pictures - bare
        else []
        for at in range(pictures)
    ]
    return Knowledge(
        ids=np.sort(rng.integers(0, 2**63, pictures).astype(np.uint64)),
        groups=np.arange(pictures),
        values=tuple(
            Value(type=f"t{kind}", value=f"v{value}", exclusive=True, askable=kind > 1)
            for kind in range(TYPES)
            for value in range(VALUES)
        ),
        indptr=np.cumsum([0, *map(len, rows)]),
        yes=np.array([column for row in rows for column in row], np.int32),
        no_indptr=np.zeros(pictures + 1, np.int64),
        no=np.zeros(0, np.int32),
    )


@pytest.fixture(scope="module")
def known() -> Knowledge:
    return knowledge(600)


@pytest.fixture(scope="module")
def pools(known: Knowledge) -> Pools:
    return find_pools(known, TAU, threads=1)


TAU = Tau.parse("0.5")


def episodes(
    known: Knowledge, pools: Pools, settings: Settings, tau: Tau = TAU, others: Sequence[Pools] = ()
) -> list[Episode]:
    targets = qualifying([pools, *others], known, settings)
    return [
        make_episode(
            known, pools, int(targets.places[at]), int(targets.sizes[at]), tau, settings.seed
        )
        for at in sampled(targets, pools, known, settings)
    ]


def fits(observed: Sequence[int], expected: Sequence[float]) -> bool:
    """Whether chi-square is less than four and a half standard deviations above its mean."""
    chi = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    free = len(observed) - 1
    return chi < free + 4.5 * math.sqrt(2 * free)


def test_the_target_stands_where_it_says(known: Knowledge, pools: Pools) -> None:
    made = episodes(known, pools, Settings())
    assert len(made) > 500
    for episode in made:
        assert episode.image_ids[episode.target_index - 1] == episode.target_id
        assert episode.image_ids.count(episode.target_id) == 1
        assert len(set(episode.image_ids)) == len(episode.image_ids)
        assert len(episode.image_ids) == episode.pool_size + 1


def test_similarities_are_the_share_of_the_targets_values(known: Knowledge, pools: Pools) -> None:
    row_of = {known.image_id(row): row for row in range(len(known.ids))}
    for episode in episodes(known, pools, Settings())[:50]:
        own = set(known.attributes(row_of[episode.target_id]).tolist())
        for image_id, similarity in zip(episode.image_ids, episode.similarities, strict=True):
            shared = own.intersection(known.attributes(row_of[image_id]).tolist())
            assert similarity == float(Fraction(len(shared), len(own)))
            assert similarity >= 0.5
        assert episode.similarities[episode.target_index - 1] == 1


def test_every_position_is_as_likely(known: Knowledge, pools: Pools) -> None:
    settings = Settings(sizes=Sizes(low=8, high=8))
    counts: Counter[int] = Counter()
    for seed in range(4):
        made = episodes(known, pools, replace(settings, seed=seed))
        counts.update(episode.target_index for episode in made)
    total = sum(counts.values())
    assert total > 2000
    assert fits([counts[position] for position in range(1, 9)], [total / 8] * 8)


def test_every_distractor_is_as_likely_whatever_its_similarity_and_place(
    known: Knowledge, pools: Pools
) -> None:
    # the rank in the pool (0 is the most similar) of what a gallery of six shows
    half, all_of_it, positions = 0, 0, Counter[int]()
    for seed in range(4):
        settings = Settings(sizes=Sizes(low=6, high=6), seed=seed)
        targets = qualifying([pools], known, settings)
        for at in sampled(targets, pools, known, settings):
            place = int(targets.places[at])
            rows = pools.rows[pools.pool(place)]
            rank_of = {known.image_id(row): rank for rank, row in enumerate(rows)}
            episode = make_episode(known, pools, place, 6, TAU, seed)
            others = [image_id for image_id in episode.image_ids if image_id != episode.target_id]
            assert len(others) == 5
            if len(rows) % 2 == 0:
                half += sum(rank_of[image_id] < len(rows) // 2 for image_id in others)
                all_of_it += 5
            # nor does the most similar of those shown tend to any place
            positions[min(range(5), key=lambda at, shown=others: rank_of[shown[at]])] += 1
    assert all_of_it > 2000
    assert fits([half, all_of_it - half], [all_of_it / 2] * 2)
    assert fits([positions[at] for at in range(5)], [sum(positions.values()) / 5] * 5)


def test_sizes_are_uniform_over_the_range(known: Knowledge, pools: Pools) -> None:
    counts: Counter[int] = Counter()
    for seed in range(4):
        settings = Settings(sizes=Sizes(low=6, high=10), seed=seed)
        targets = qualifying([pools], known, settings)
        whole = pools.sizes()[targets.places] + 1
        assert (targets.sizes <= whole).all()
        counts.update(targets.sizes[whole >= 10].tolist())
    total = sum(counts.values())
    assert sorted(counts) == [6, 7, 8, 9, 10]
    assert fits([counts[size] for size in range(6, 11)], [total / 5] * 5)


def test_a_range_ends_where_the_pool_does(known: Knowledge, pools: Pools) -> None:
    targets = qualifying([pools], known, Settings(sizes=Sizes(low=6, high=1000)))
    whole = pools.sizes()[targets.places] + 1
    assert (targets.sizes >= 6).all()
    assert (targets.sizes <= whole).all()
    assert (targets.sizes == whole).any()


@pytest.mark.parametrize("least", [2, 6, 25, 10_000])
def test_a_target_needs_a_gallery_of_the_least_size(least: int) -> None:
    known = knowledge(200, bare=7)
    pools = find_pools(known, TAU, threads=1)
    targets = qualifying([pools], known, Settings(min_gallery=least))
    whole = pools.sizes() + 1
    assert targets.places.tolist() == [at for at in range(200) if at < 193 and whole[at] >= least]
    assert targets.sizes.tolist() == whole[targets.places].tolist()
    assert targets.dropped == {
        "no_attributes": 7,
        "small_gallery": 193 - len(targets.places),
        "below_size": 0,
    }


def test_a_target_with_too_few_for_the_size_is_dropped_and_counted(
    known: Knowledge, pools: Pools
) -> None:
    low = int(np.median(pools.sizes())) + 1
    targets = qualifying([pools], known, Settings(sizes=Sizes(low=low, high=low)))
    assert 0 < len(targets.places) < len(known.ids)
    assert len(targets.places) + sum(targets.dropped.values()) == len(known.ids)
    assert (pools.sizes()[targets.places] + 1 >= low).all()


def test_paired_targets_and_sizes_are_the_same_for_all_thresholds(known: Knowledge) -> None:
    taus = [Tau.parse(text) for text in ("0.4", "0.5", "0.75")]
    found = {tau: find_pools(known, tau, threads=1) for tau in taus}
    settings = Settings(paired=True)
    made = {
        tau: episodes(known, found[tau], settings, tau, [found[other] for other in taus])
        for tau in taus
    }
    shapes = [[(one.target_id, len(one.image_ids)) for one in made[tau]] for tau in taus]
    assert shapes[0]
    assert shapes[0] == shapes[1] == shapes[2]
    # the positions are drawn anew: an answer learnt at one threshold is no help at another
    places = [[one.target_index for one in made[tau]] for tau in taus]
    assert places[0] != places[1]
    assert all(min(one.similarities) >= 0.75 for one in made[taus[2]])


def test_seed_and_threshold_change_what_is_shown(known: Knowledge, pools: Pools) -> None:
    settings = Settings(sizes=Sizes(low=6, high=6))
    made = episodes(known, pools, settings)
    assert made == episodes(known, pools, settings)
    other = {one.target_id: one for one in episodes(known, pools, replace(settings, seed=1))}
    assert [one.target_id for one in made] != list(other)
    changed = [one for one in made if one.image_ids != other[one.target_id].image_ids]
    assert len(changed) > 0.9 * len(made)
    assert {one.seed for one in made} == {0}


def test_an_episode_is_named_by_what_it_shows(known: Knowledge, pools: Pools) -> None:
    made = [
        episode
        for seed in range(3)
        for size in (6, 7)
        for episode in episodes(known, pools, Settings(sizes=Sizes(low=size, high=size), seed=seed))
    ]
    by_id = {episode.episode_id: episode for episode in made}
    shown = {(episode.tau, episode.target_id, episode.image_ids) for episode in made}
    assert len(by_id) == len(shown)
    assert all(len(name) == 16 and int(name, 16) >= 0 for name in by_id)


def test_the_order_of_the_episodes_tells_nothing(known: Knowledge, pools: Pools) -> None:
    ids = [episode.target_id for episode in episodes(known, pools, Settings())]
    assert ids != sorted(ids)
    first_half = sum(image_id < sorted(ids)[len(ids) // 2] for image_id in ids[: len(ids) // 2])
    assert fits([first_half, len(ids) // 2 - first_half], [len(ids) / 4] * 2)


def test_telling_values_count_what_they_tell(known: Knowledge, pools: Pools) -> None:
    row_of = {known.image_id(row): row for row in range(len(known.ids))}
    for episode in episodes(known, pools, Settings())[:40]:
        answers = known.answers([row_of[image_id] for image_id in episode.image_ids])
        own = answers[episode.target_index - 1]
        expected = {}
        for column, value in enumerate(known.values):
            tells = int((answers[:, column] * own[column] == -1).sum())
            if value.askable and tells:
                answer = {1: "yes", -1: "no"}[int(own[column])]
                expected[value.type, value.value] = (answer, tells)
        assert {
            (one.type, one.value): (one.answer, one.distractors) for one in episode.telling_values
        } == expected
        assert [(one.type, one.value) for one in episode.telling_values] == sorted(expected)


@pytest.mark.parametrize(
    ("text", "low", "high", "name"),
    [
        ("all", None, None, "all"),
        ("8", 8, 8, "8"),
        ("6-12", 6, 12, "6-12"),
        ("2", 2, 2, "2"),  # the target and one other
        ("7-7", 7, 7, "7"),  # a range of one size
        ("08", 8, 8, "8"),
    ],
)
def test_sizes(text: str, low: int | None, high: int | None, name: str) -> None:
    sizes = Sizes.parse(text)
    assert (sizes.low, sizes.high, sizes.name) == (low, high, name)
    assert Sizes.parse(name) == sizes


@pytest.mark.parametrize(
    "text", ["", "0", "1", "1-5", "12-6", "-6", "6-", "6-7-8", "a", "6.5", "all-6", "²", " 8"]
)
def test_sizes_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--size takes all, a number"):
        Sizes.parse(text)
