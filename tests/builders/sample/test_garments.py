import math
from collections import Counter

import pytest

from builders.sample.garments import TYPES, Garment, conflict, sample_garments

PLAIN = {
    "neckline": "round neck",
    "sleeve style": "set-in",
    "waist": "natural waist seam",
    "front": "plain front",
    "skirt": "a-line",
    "hem": "straight hem",
    "bodice": "plain bodice",
    "fabric": "cotton",
    "colour": "blue",
    "print": "solid",
    "sleeve length": "short",
    "garment length": "knee",
}

PINNED = [
    {
        "neckline": "square neck",
        "sleeve style": "sleeveless",
        "waist": "elastic waist",
        "front": "wrap front",
        "skirt": "circle",
        "hem": "scalloped hem",
        "bodice": "plain bodice",
        "fabric": "cotton",
        "colour": "purple",
        "print": "solid",
        "sleeve length": "sleeveless",
        "garment length": "midi",
    },
    {
        "neckline": "high neck",
        "sleeve style": "cuffed",
        "waist": "empire waist",
        "front": "button front",
        "skirt": "pleated",
        "hem": "high-low hem",
        "bodice": "chest pockets",
        "fabric": "cotton",
        "colour": "blue",
        "print": "checked",
        "sleeve length": "elbow",
        "garment length": "knee",
    },
]


def test_vocabulary() -> None:
    assert len(TYPES) == 12
    for kind, values in TYPES.items():
        assert 4 <= len(values) <= 8, kind
        assert len(set(values)) == len(values), kind
        for value in values:
            assert value == value.lower().strip()
            assert value not in ("none", "null")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        # A bare arm is one fact, told by two types.
        ({"sleeve style": "sleeveless"}, "together"),
        ({"sleeve length": "sleeveless"}, "together"),
        ({"sleeve style": "sleeveless", "sleeve length": "sleeveless"}, None),
        # Necklines that leave the shoulder bare rule out what is cut into it.
        ({"neckline": "halter neck"}, "halter"),
        (
            {
                "neckline": "halter neck",
                "sleeve style": "sleeveless",
                "sleeve length": "sleeveless",
            },
            None,
        ),
        ({"neckline": "off-shoulder", "sleeve style": "cold-shoulder"}, "off-shoulder"),
        ({"neckline": "off-shoulder", "sleeve style": "puff"}, None),
    ],
)
def test_conflicts(changes: dict[str, str], reason: str | None) -> None:
    values = {**PLAIN, **changes}
    found = conflict(values)
    if reason is None:
        assert found is None
        assert Garment(family=0, values=tuple(values.items())).value("hem") == "straight hem"
    else:
        assert found is not None
        assert reason in found
        with pytest.raises(ValueError, match=reason):
            Garment(family=0, values=tuple(values.items()))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        # A type is missing.
        (tuple(PLAIN.items())[:-1], "every type"),
        # The types are in another order.
        (tuple(reversed(PLAIN.items())), "every type"),
        # The value is of another type.
        (tuple({**PLAIN, "hem": "tiered"}.items()), "unknown hem"),
    ],
)
def test_rejects_what_is_no_garment(values: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Garment(family=0, values=values)


def test_unknown_type_has_no_value() -> None:
    with pytest.raises(KeyError):
        sample_garments(1, 0)[0].value("heel height")


@pytest.mark.parametrize(
    ("short", "long", "seed"),
    [
        # Nothing at all is a prefix too.
        (0, 20, 0),
        (100, 600, 0),
        (1, 150, 7),
    ],
)
def test_shorter_catalog_is_a_prefix(short: int, long: int, seed: int) -> None:
    assert sample_garments(short, seed) == sample_garments(long, seed)[:short]


def test_seeds_differ() -> None:
    assert sample_garments(30, 0) != sample_garments(30, 1)


def test_negative_count() -> None:
    with pytest.raises(ValueError, match="negative"):
        sample_garments(-1, 0)


def test_sampling_is_pinned() -> None:
    # A change here changes every catalog that anybody has built.
    first = sample_garments(2, 0)
    assert [dict(garment.values) for garment in first] == PINNED


def test_every_value_occurs() -> None:
    garments = sample_garments(600, 0)
    for kind, values in TYPES.items():
        counts = Counter(garment.value(kind) for garment in garments)
        assert set(counts) == set(values), kind
        assert max(counts.values()) <= 0.5 * len(garments), kind


@pytest.mark.parametrize(
    ("threshold", "least", "most"),
    [
        # Many targets have look-alikes at the usual threshold ...
        (0.6, 350, 560),
        # ... and enough have close ones, which differ in two values at most.
        (0.8, 80, 150),
    ],
)
def test_families_give_galleries(threshold: float, least: int, most: int) -> None:
    looks = [garment.values for garment in sample_garments(600, 0)]
    galleries = [{target, *_pool(looks, target, threshold)} for target in range(len(looks))]
    large = [frozenset(gallery) for gallery in galleries if len(gallery) >= 6]
    assert least <= len(large) <= most
    assert len(set(large)) >= 0.6 * len(large)


def test_hardly_any_duplicates() -> None:
    looks = [garment.values for garment in sample_garments(600, 0)]
    assert len(looks) - len(set(looks)) < 0.01 * len(looks)


def _pool(looks: list[tuple[tuple[str, str], ...]], target: int, threshold: float) -> set[int]:
    least = math.ceil(threshold * len(TYPES) - 1e-9)
    wanted = set(looks[target])
    overlaps = [len(wanted.intersection(look)) for look in looks]
    near = [k for k, overlap in enumerate(overlaps) if overlap >= least and k != target]
    near.sort(key=lambda k: (-overlaps[k], k))
    pool: set[int] = set()
    for value in wanted:
        pool.update([k for k in near if value in looks[k]][:7])
    return pool
