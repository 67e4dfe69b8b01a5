"""Seeded catalogs without pictures, as knowledge that the pool search can work on.

``bench_catalog`` is what the contestants of the benchmark are measured on: many values, Zipf
inside a type, types independent of each other. ``family_catalog`` imitates a shop: garments
belong to style families of unequal size and mostly follow them, so that look-alikes exist.
"""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchwright.knowledge import Knowledge, Value

TYPES, VALUES = 18, 220
FEWEST, MOST = 12, 20  # values of a picture
ZIPF = 1.42


def bench_catalog(pictures: int, *, seed: int = 0, zipf: float = ZIPF) -> Knowledge:
    """Return a catalog of 220 values in 18 types with 12 to 20 values a picture.

    The Zipf exponent is such that about 100 of 50,000 pictures reach τ 0.6 for a target.
    """
    rng = np.random.default_rng([seed, pictures])
    widths = np.full(TYPES, VALUES // TYPES)
    widths[: VALUES % TYPES] += 1
    columns = np.empty((pictures, MOST), np.int32)
    # Every type once, and a second value for as many types as the longest rows need.
    types = [*range(TYPES), *range(MOST - TYPES)]
    starts = np.concatenate([[0], np.cumsum(widths)])
    for slot, kind in enumerate(types):
        drawn = _zipf(rng, int(widths[kind]), zipf, pictures)
        if slot >= TYPES:
            again = drawn == columns[:, kind] - starts[kind]
            drawn = np.where(again, (drawn + 1) % widths[kind], drawn)
        columns[:, slot] = starts[kind] + drawn
    columns = rng.permuted(columns, axis=1)
    sizes = rng.integers(FEWEST, MOST + 1, pictures)
    columns[np.arange(MOST) >= sizes[:, None]] = VALUES
    columns.sort(axis=1)
    return _knowledge(columns, widths, rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """The parameters of ``family_catalog``."""

    families: int
    skew: float  # exponent of the sizes of the families
    types: int
    values: int  # of each type
    zipf: float  # exponent of the values inside a type
    strength: float  # probability that a garment follows its family in a type
    spread: float  # how much that differs between families: strength ± spread
    listed: float  # probability that the catalog says anything about a type
    lined: float  # share of the garments that come in lines of variants
    line: float  # garments of a line in the mean
    alike: float  # probability that a variant is like its line in a type


# Fitted to the gallery sizes that AMIGO prints: docs/design/sizes-of-the-paper.md.
THE_PAPERS = Shop(
    families=7,
    skew=0.86,
    types=15,
    values=22,
    zipf=0.68,
    strength=0.56,
    spread=0.18,
    listed=0.76,
    lined=0.22,
    line=10.6,
    alike=1.0,
)


def family_catalog(pictures: int, shop: Shop, *, seed: int = 0) -> Knowledge:
    """Return a catalog of garments that follow style families, some of them lines of variants."""
    rng = np.random.default_rng(seed)
    garments = _garments(pictures, shop, rng)
    if lines := round(pictures * shop.lined / shop.line):
        first = _garments(lines, shop, rng)
        line = rng.integers(0, lines, pictures)
        alike = rng.random(garments.shape) < shop.alike
        alike &= (rng.random(pictures) < shop.lined)[:, None]
        garments = np.where(alike, first[line], garments)
    columns = (garments + shop.values * np.arange(shop.types)).astype(np.int32)
    columns[rng.random(columns.shape) >= shop.listed] = shop.types * shop.values
    columns.sort(axis=1)
    return _knowledge(columns, np.full(shop.types, shop.values), rng)


def _garments(count: int, shop: Shop, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the value of each garment in each type."""
    weights = np.arange(1, shop.families + 1) ** -shop.skew
    family = rng.choice(shop.families, count, p=weights / weights.sum())
    style = _zipf(rng, shop.values, shop.zipf, (shop.families, shop.types))
    # Evenly spread over the families in any order of size: few of them hold most garments, and
    # drawn strengths would make each seed another shop.
    even = np.arange(shop.families) * (np.sqrt(5) - 1) / 2 % 1
    strength = np.clip(shop.strength + shop.spread * (2 * even - 1), 0, 1)
    own = _zipf(rng, shop.values, shop.zipf, (count, shop.types))
    return np.where(rng.random(own.shape) < strength[family, None], style[family], own)


def _zipf(
    rng: np.random.Generator, values: int, exponent: float, shape: int | tuple[int, ...]
) -> npt.NDArray[np.int64]:
    weights = np.arange(1, values + 1) ** -exponent
    return rng.choice(values, shape, p=weights / weights.sum())


def _knowledge(
    columns: npt.NDArray[np.int32], widths: npt.NDArray[np.int64], rng: np.random.Generator
) -> Knowledge:
    """Return the knowledge of rows of ascending columns, padded with one that is no value."""
    pictures = len(columns)
    listed = columns < widths.sum()
    ids = np.unique(rng.integers(0, 2**64, pictures, np.uint64))
    if len(ids) < pictures:
        raise ValueError("two pictures drew one id: take another seed")
    indptr = np.concatenate([[0], np.cumsum(listed.sum(axis=1))])
    return _with_defaults(ids, indptr, columns[listed], widths)


def _with_defaults(
    ids: npt.NDArray[np.uint64],
    indptr: npt.NDArray[np.int64],
    yes: npt.NDArray[np.int32],
    widths: npt.NDArray[np.int64],
) -> Knowledge:
    return Knowledge(
        ids=ids,
        groups=np.arange(len(ids)),
        values=tuple(
            Value(type=f"type-{kind:02}", value=f"value-{value:02}")
            for kind, width in enumerate(widths)
            for value in range(width)
        ),
        indptr=indptr,
        yes=yes,
        no_indptr=np.zeros(len(ids) + 1, np.int64),
        no=np.zeros(0, np.int32),
    )


def save(knowledge: Knowledge, path: Path) -> None:
    """Write the arrays of a catalog of this file; ``load`` reads them again."""
    widths = [len(list(group)) for _, group in groupby(knowledge.values, lambda v: v.type)]
    np.savez(path, ids=knowledge.ids, indptr=knowledge.indptr, yes=knowledge.yes, widths=widths)


def load(path: Path) -> Knowledge:
    """Read a catalog that ``save`` wrote."""
    with np.load(path) as arrays:
        return _with_defaults(arrays["ids"], arrays["indptr"], arrays["yes"], arrays["widths"])
