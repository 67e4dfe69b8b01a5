"""Pairs of pictures that look alike, found by faiss and counted again exactly.

A pair is two rows, the first the smaller where both sides are the same catalog. A distance is a
number of differing bits (phash, 0 to 256) or 1 - cosine (clip, 0 to 2); of the two orientations
of a mirrored pair the smaller distance counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import faiss
import numpy as np

from builders.duplicates.hashes import BITS, Fingerprint

CHROMA = 24  # difference of Cb or Cr in some cell, of 255, from which on the colours are others
PHASH_MARGIN = 12  # bits beyond the threshold up to which pairs are looked for
SHOWN_BEYOND = 60  # pairs just beyond the threshold that are kept for the report
_BLOCK = 4_096  # queries at once: bounds the memory of what faiss returns
_FLAT = 200_000  # vectors up to which every pair is compared
_LISTS_PROBED = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Pairs within the threshold, by (distance, one, other), and the nearest ones beyond it.

    ``one`` and ``other`` are rows (int64), ``distance`` is float64, ``mirrored`` bool, ``linked``
    bool: within the threshold and of the same colours. ``all_distances`` are those of all pairs,
    also of the ones beyond the threshold that are not kept.
    """

    one: np.ndarray
    other: np.ndarray
    distance: np.ndarray
    mirrored: np.ndarray
    linked: np.ndarray
    threshold: float
    all_distances: np.ndarray

    @property
    def recoloured(self) -> np.ndarray:
        """Which pairs are within the threshold and still no link, for their colours differ."""
        return np.asarray(~self.linked & (self.distance <= self.threshold))

    def renumbered(self, ones: np.ndarray, others: np.ndarray) -> "Pairs":
        """Return the pairs with the rows that the arrays give for their rows."""
        return replace(self, one=ones[self.one], other=others[self.other])

    def chosen(self, which: np.ndarray) -> "Pairs":
        """Return the pairs that a bool for each of them picks."""
        parts = ("one", "other", "distance", "mirrored", "linked")
        return replace(self, **{name: getattr(self, name)[which] for name in parts})

    def linked_rows(self) -> list[tuple[int, int, float, bool]]:
        """Return (one, other, distance, mirrored) of the links."""
        parts = (self.one, self.other, self.distance, self.mirrored)
        return list(zip(*(part[self.linked].tolist() for part in parts), strict=True))


def bits_of(hashes: Sequence[str | None]) -> tuple[np.ndarray, np.ndarray]:
    """Return the hashes that are there as uint8 of shape (n, 32), and their rows."""
    rows = [row for row, one in enumerate(hashes) if one is not None]
    joined = b"".join(bytes.fromhex(hashes[row] or "") for row in rows)
    return np.frombuffer(joined, np.uint8).reshape(-1, BITS // 8), np.array(rows, np.int64)


def phash_pairs(
    ours: Sequence[Fingerprint],
    theirs: Sequence[Fingerprint] | None,
    threshold: int,
    *,
    margin: int = PHASH_MARGIN,
    any_colour: bool = False,
) -> Pairs:
    """Return the pairs whose hashes differ in ``threshold`` bits at most.

    ``theirs`` is another catalog, None for pairs within ours. The closest pairs up to ``margin``
    bits beyond the threshold come with them, not linked.
    """
    right = ours if theirs is None else theirs
    plain, flipped_over = [one.phash for one in ours], [one.mirrored for one in ours]
    searches = [(plain, [one.phash for one in right], False)]
    searches.append((flipped_over, [one.phash for one in right], True))
    if theirs is not None:  # within one catalog every pair is met from both sides
        searches.append((plain, [one.mirrored for one in right], True))
    found = []
    for left, hashes, mirrored in searches:
        queries, rows = bits_of(left)
        base, base_rows = bits_of(hashes)
        for at, hit, distance in _near_bits(queries, base, threshold + margin):
            found.append(_Some(rows[at], base_rows[hit], distance, mirrored))
    one, other, distance, flipped = _joined(found, within=theirs is None)
    alike = np.ones(len(one), bool)
    if not any_colour and len(one):
        alike = _chroma_gap(ours, right, one, other, flipped) < CHROMA
    return _kept(one, other, distance, flipped, alike & (distance <= threshold), float(threshold))


@dataclass(frozen=True, slots=True)
class _Some:
    one: np.ndarray
    other: np.ndarray
    distance: np.ndarray
    mirrored: bool


def _near_bits(
    queries: np.ndarray, base: np.ndarray, limit: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield (query, hit, distance) of all that differ in ``limit`` bits at most."""
    if not len(queries) or not len(base):
        return
    index = faiss.IndexBinaryFlat(base.shape[1] * 8)
    index.add(base)
    for start in range(0, len(queries), _BLOCK):
        block = queries[start : start + _BLOCK]
        ends, _, hits = index.range_search(block, limit + 1)  # faiss wants less than the radius
        at = np.repeat(np.arange(len(block)), np.diff(ends.astype(np.int64)))
        exact = np.bitwise_count(block[at] ^ base[hits]).sum(axis=1, dtype=np.int64)
        near = exact <= limit
        yield at[near] + start, hits[near].astype(np.int64), exact[near].astype(np.float64)


def _joined(
    found: Sequence[_Some], *, within: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return each pair once, with its smallest distance; unmirrored where both are equal."""
    if not found:
        empty = np.zeros(0, np.int64)
        return empty, empty, np.zeros(0), np.zeros(0, bool)
    one = np.concatenate([some.one for some in found])
    other = np.concatenate([some.other for some in found])
    distance = np.concatenate([some.distance for some in found])
    flipped = np.concatenate([np.full(len(some.one), some.mirrored) for some in found])
    if within:
        one, other = np.minimum(one, other), np.maximum(one, other)
        apart = one != other
        one, other, distance, flipped = (part[apart] for part in (one, other, distance, flipped))
    order = np.lexsort((flipped, distance, other, one))
    one, other, distance, flipped = (part[order] for part in (one, other, distance, flipped))
    first = np.ones(len(one), bool)
    first[1:] = (one[1:] != one[:-1]) | (other[1:] != other[:-1])
    return one[first], other[first], distance[first], flipped[first]


def _chroma_gap(
    ours: Sequence[Fingerprint],
    theirs: Sequence[Fingerprint],
    one: np.ndarray,
    other: np.ndarray,
    flipped: np.ndarray,
) -> np.ndarray:
    """Return the largest difference of Cb or Cr in the grid, 0 to 255, for each pair."""
    left, right = _grid(ours)[one], _grid(theirs)[other]
    left = np.where(flipped[:, None, None, None], left[:, :, ::-1], left)
    gap: np.ndarray = np.abs(left - right).max(axis=(1, 2, 3))
    return gap


def _grid(some: Sequence[Fingerprint]) -> np.ndarray:
    joined = b"".join(bytes.fromhex(one.chroma) for one in some)
    return np.frombuffer(joined, np.uint8).reshape(-1, 4, 4, 2).astype(np.int16)


def _kept(
    one: np.ndarray,
    other: np.ndarray,
    distance: np.ndarray,
    flipped: np.ndarray,
    linked: np.ndarray,
    threshold: float,
) -> Pairs:
    """Return the pairs within the threshold and the nearest beyond, by distance."""
    order = np.lexsort((other, one, distance))
    within = distance[order] <= threshold
    chosen = np.concatenate([order[within], order[~within][:SHOWN_BEYOND]])
    return Pairs(
        one=one[chosen],
        other=other[chosen],
        distance=distance[chosen],
        mirrored=flipped[chosen],
        linked=linked[chosen],
        threshold=threshold,
        all_distances=distance,
    )


def vector_pairs(
    ours: np.ndarray,
    theirs: np.ndarray | None,
    threshold: float,
    *,
    margin: float = 0.02,
    flat: int = _FLAT,
) -> Pairs:
    """Return the pairs of embeddings whose cosine is ``threshold`` at least.

    The arrays are float32 of shape (n, d) with rows of length 1. Up to ``flat`` vectors every
    pair is compared; beyond, an inverted file proposes and may miss some, but what it proposes is
    computed again.
    """
    base = np.ascontiguousarray(ours if theirs is None else theirs, np.float32)
    queries = np.ascontiguousarray(ours, np.float32)
    found = []
    if len(base) and len(queries):
        index = _vector_index(base, flat)
        limit = 1.0 - threshold + margin
        for start in range(0, len(queries), _BLOCK):
            block = queries[start : start + _BLOCK]
            ends, _, hits = index.range_search(block, threshold - margin - 1e-4)
            at = np.repeat(np.arange(len(block)), np.diff(ends.astype(np.int64)))
            cosine = np.einsum(
                "ij,ij->i", block[at].astype(np.float64), base[hits].astype(np.float64)
            )
            distance = np.round(1.0 - cosine, 6)  # the last digits depend on the order of a sum
            near = distance <= limit
            found.append(
                _Some(at[near] + start, hits[near].astype(np.int64), distance[near], False)
            )
    one, other, distance, flipped = _joined(found, within=theirs is None)
    reach = round(1.0 - threshold, 6)
    return _kept(one, other, distance, flipped, distance <= reach, reach)


def _vector_index(base: np.ndarray, flat: int) -> faiss.Index:
    width = base.shape[1]
    plain = faiss.IndexFlatIP(width)
    if len(base) <= flat:
        plain.add(base)
        return plain
    lists = int(4 * np.sqrt(len(base)))
    index = faiss.IndexIVFFlat(plain, width, lists, faiss.METRIC_INNER_PRODUCT)
    index.train(base)  # its own seed is fixed
    index.add(base)
    index.nprobe = _LISTS_PROBED
    return index
