"""The garments of the sample catalog: their attribute types, values and sampling.

Garments come in style families, as in a real catalog: a family favours one value per type and its
garments keep most of them, so that every garment has look-alikes that differ in a few attributes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builders.sample.chance import Chance

# attribute types and their values; every garment has exactly one value of every type
TYPES: dict[str, tuple[str, ...]] = {
    "neckline": (
        "v-neck",
        "round neck",
        "square neck",
        "sweetheart",
        "off-shoulder",
        "halter neck",
        "high neck",
    ),
    "sleeve style": (
        "set-in",
        "puff",
        "flutter",
        "bell",
        "cuffed",
        "cold-shoulder",
        "sleeveless",
    ),
    "waist": (
        "natural waist seam",
        "empire waist",
        "dropped waist",
        "belted",
        "elastic waist",
        "bow sash",
    ),
    "front": (
        "plain front",
        "button front",
        "double-breasted",
        "wrap front",
        "zip front",
        "lace-up front",
    ),
    "skirt": ("pencil", "a-line", "circle", "pleated", "tiered", "side slit"),
    "hem": (
        "straight hem",
        "ruffle hem",
        "high-low hem",
        "scalloped hem",
        "fringe hem",
        "handkerchief hem",
    ),
    "bodice": (
        "plain bodice",
        "smocked",
        "ruched",
        "princess seams",
        "corset",
        "chest pockets",
    ),
    "fabric": ("cotton", "satin", "knit", "lace", "denim", "sequin"),
    "colour": ("red", "yellow", "green", "blue", "purple", "pink", "white", "black"),
    "print": ("solid", "striped", "dotted", "floral", "checked", "animal"),
    "sleeve length": ("sleeveless", "short", "elbow", "long"),
    "garment length": ("mini", "knee", "midi", "maxi"),
}

FAMILIES = 32
WEAKEST, STRONGEST = 0.66, 0.82
RETRIES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Garment:
    """A dress with one value per attribute type.

    Attributes:
        family: Index of the style family, from 0.
        values: (type, value) pairs in the order of `TYPES`.

    Raises:
        ValueError: If the types are not those of `TYPES` in order, a value is unknown, or the
            values cannot be worn together (see `conflict`).
    """

    family: int
    values: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if tuple(kind for kind, _ in self.values) != tuple(TYPES):
            raise ValueError("a garment needs one value of every type, in the order of TYPES")
        for kind, value in self.values:
            if value not in TYPES[kind]:
                raise ValueError(f"unknown {kind}: {value!r}; choose one of {TYPES[kind]}")
        if reason := conflict(dict(self.values)):
            raise ValueError(reason)

    def value(self, kind: str) -> str:
        """Return the garment's value of a type; raises KeyError for an unknown type."""
        return dict(self.values)[kind]


def conflict(values: Mapping[str, str]) -> str | None:
    """Return why these values cannot be worn together, or None if they can."""
    style, neckline = values["sleeve style"], values["neckline"]
    if (style == "sleeveless") != (values["sleeve length"] == "sleeveless"):
        return "sleeve style and sleeve length must be sleeveless together"
    if neckline == "halter neck" and style != "sleeveless":
        return "a halter neck leaves the shoulders bare, so it has no sleeves"
    if neckline == "off-shoulder" and style == "cold-shoulder":
        return "an off-shoulder neckline has no sleeve head to cut a cold shoulder from"
    return None


def sample_garments(n: int, seed: int) -> list[Garment]:
    """Return the first n garments of the catalog of that seed.

    Garment i depends on the seed and on the garments before it only, so a shorter catalog is a
    prefix of a longer one. Exact duplicates of all values are redrawn and so practically absent.

    Raises:
        ValueError: If n is negative.
    """
    if n < 0:
        raise ValueError(f"n must not be negative: {n}")
    favourites = [_favourites(family, seed) for family in range(FAMILIES)]
    garments: list[Garment] = []
    seen: set[tuple[tuple[str, str], ...]] = set()
    for index in range(n):
        for attempt in range(RETRIES):
            garment = _garment(f"{seed}:{index}:{attempt}", seed, favourites)
            if garment.values not in seen:
                break
        seen.add(garment.values)
        garments.append(garment)
    return garments


def even_garments(n: int, seed: int) -> list[Garment]:
    """Return n garments whose values are drawn evenly and, but for conflicts, independently.

    They belong to no family: nothing in them tells one attribute from another, which is what a
    model is to be trained on. Garment i depends on the seed and on i alone.

    Raises:
        ValueError: If n is negative.
    """
    if n < 0:
        raise ValueError(f"n must not be negative: {n}")
    return [even_garment(Chance(key=f"even:{seed}:{index}")) for index in range(n)]


def even_garment(chance: Chance, among: Mapping[str, Sequence[str]] = TYPES) -> Garment:
    """Return a garment with evenly drawn values; ``among`` narrows those of some types.

    A type of which ``among`` says nothing has all its values. Where the values drawn cannot be
    worn together, sleeves give way, also to values that ``among`` does not hold.
    """
    values = {kind: chance.pick(kind, among.get(kind, TYPES[kind])) for kind in TYPES}
    return Garment(family=0, values=tuple(_reconciled(values, chance).items()))


def _favourites(family: int, seed: int) -> dict[str, str]:
    chance = Chance(key=f"{seed}:family {family}")
    return _reconciled({kind: chance.pick(kind, TYPES[kind]) for kind in TYPES}, chance)


def _garment(key: str, seed: int, favourites: list[dict[str, str]]) -> Garment:
    chance = Chance(key=key)
    family = chance.below("family", len(favourites))
    strength = Chance(key=f"{seed}:family {family}").between("strength", WEAKEST, STRONGEST)
    values = {
        kind: favourites[family][kind]
        if chance.unit(f"keep {kind}") < strength
        else _background(kind, chance)
        for kind in TYPES
    }
    return Garment(family=family, values=tuple(_reconciled(values, chance).items()))


def _background(kind: str, chance: Chance) -> str:
    # The smaller of two draws: earlier values are commoner, as plain ones are in any real catalog.
    count = len(TYPES[kind])
    first, second = chance.below(f"first {kind}", count), chance.below(f"second {kind}", count)
    return TYPES[kind][first if chance.unit(f"even {kind}") < 0.6 else min(first, second)]


def _reconciled(values: dict[str, str], chance: Chance) -> dict[str, str]:
    # The neckline decides over the sleeve style, and the style over the length.
    settled = dict(values)
    if settled["neckline"] == "halter neck":
        settled["sleeve style"] = "sleeveless"
    elif settled["neckline"] == "off-shoulder" and settled["sleeve style"] == "cold-shoulder":
        settled["sleeve style"] = chance.pick("other style", ("set-in", "puff", "flutter", "bell"))
    if settled["sleeve style"] == "sleeveless":
        settled["sleeve length"] = "sleeveless"
    elif settled["sleeve length"] == "sleeveless":
        settled["sleeve length"] = chance.pick("other length", ("short", "elbow", "long"))
    return settled
