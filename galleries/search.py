"""The search for the pools of some targets, block by block of the catalog.

A picture that reaches τ is kept when it is among the first ``per_value`` in the order for at
least one of the values that it shares with the target. What a walk through the order drops can
never come back when further pictures are added, so pictures gather in a buffer and are walked
now and then (selection.py). After a walk it is known how much overlap a picture must have to matter,
value by value, and what follows is counted against that higher threshold.

The functions are compiled by numba and release the interpreter's lock. numba does not see that
a function of another file has changed: after a change in bitplanes.py or selection.py, remove the
compiled files of this one.
"""

import numpy as np
from numba import njit

from galleries.bitplanes import (
    BLOCK,
    Ints,
    Longs,
    Words,
    at_least,
    count_block,
    ones_of_plane,
    survivors,
)
from galleries.selection import (
    Buffers,
    Scratch,
    Search,
    by_level,
    empty_buffers,
    empty_scratch,
    first_of_groups,
    pair_hash,
    sort_by_hash,
    walk,
)

_FEW = 24  # survivors of a block that are sooner listed than sifted
_MANY = 64  # survivors of a block that are not listed at once


@njit(cache=True, nogil=True)
def search_limited(search: Search, targets: Longs) -> tuple[Ints, Ints, Longs]:
    """Return the pools of a few targets: rows, overlaps (joined) and the size of each."""
    buffers = empty_buffers(search, targets)
    scratch = empty_scratch(buffers.rows.shape[1], len(search.needed) - 1)
    for block in range(search.planes.shape[0]):
        for t in range(len(targets)):
            if buffers.floor[t] > 0:
                _search_block(search, buffers, scratch, block, t)
    sizes = np.zeros(len(targets), np.int64)
    for t in range(len(targets)):
        if buffers.filled[t] > buffers.walked[t]:
            walk(search, buffers, scratch, t)
        count = buffers.filled[t]
        rows, levels = buffers.rows[t, :count], buffers.levels[t, :count]
        sizes[t] = first_of_groups(rows, levels, search.groups)
    return _join(buffers, sizes)


@njit(cache=True, nogil=True)
def _search_block(search: Search, buffers: Buffers, scratch: Scratch, block: int, t: int) -> None:
    """Add to the buffer of a target what a block holds for it."""
    target = buffers.targets[t]
    own = search.values[search.indptr[target] : search.indptr[target + 1]]
    planes, counters = search.planes[block], scratch.counters
    level, most = buffers.floor[t], buffers.most[t]
    bits = count_block(planes, own, level, counters)
    reached = counters[bits]
    left = ones_of_plane(reached)
    if left > _FEW and most > level:
        open_below = buffers.open_at[t, most - 1]
        _drop_closed(planes, own, scratch, bits, most - level, open_below)
        left = ones_of_plane(reached)
    limit = _MANY
    while left > limit:
        # The highest ones first: they close values, so that fewer of the others matter.
        surplus = _split(scratch, bits, limit)
        _gather(search, buffers, scratch, scratch.part, block, t, level, bits)
        walk(search, buffers, scratch, t)
        if surplus == 0:
            return
        for w in range(len(reached)):
            reached[w] &= ~scratch.part[w]
        if buffers.floor[t] > level:
            at_least(counters, bits, buffers.floor[t] - level, scratch.part)
            for w in range(len(reached)):
                reached[w] &= scratch.part[w]
        open_below = buffers.open_at[t, level + surplus - 1]
        _drop_closed(planes, own, scratch, bits, surplus, open_below)
        left = ones_of_plane(reached)
        limit *= 2
    if left:
        _gather(search, buffers, scratch, reached, block, t, level, bits)
        if buffers.filled[t] > 2 * buffers.walked[t]:
            walk(search, buffers, scratch, t)


@njit(cache=True, nogil=True)
def _split(scratch: Scratch, bits: int, limit: int) -> int:
    """Set ``part`` to about ``limit`` of the pictures that reach the threshold, the highest.

    Returns by how much they exceed it at least. It is one level of overlap at the least.
    """
    counters, part = scratch.counters, scratch.part
    reached = counters[bits]
    surplus = 0
    part[:] = reached
    while surplus + 1 < 1 << bits:
        at_least(counters, bits, surplus + 1, scratch.sieve)
        found = 0
        for w in range(len(part)):
            scratch.sieve[w] &= reached[w]
        found = ones_of_plane(scratch.sieve)
        if found == 0:
            break
        part[:] = scratch.sieve
        surplus += 1
        if found <= limit:
            break
    return surplus


@njit(cache=True, nogil=True)
def _drop_closed(
    planes: Words, own: Ints, scratch: Scratch, bits: int, surplus: int, open_below: Words
) -> None:
    """Clear survivors that exceed the threshold by less than ``surplus`` and share no open value.

    Rare values stay open to the end, and for their sake the threshold stays low: this keeps the
    many other pictures that reach it from being looked at one by one.
    """
    sieve = scratch.sieve
    if surplus < 1 << bits:
        at_least(scratch.counters, bits, surplus, sieve)
    else:
        sieve[:] = 0
    for i in range(len(own)):
        if (open_below[i >> 6] >> np.uint64(i & 63)) & np.uint64(1):
            for w in range(len(sieve)):
                sieve[w] |= planes[own[i], w]
    reached = scratch.counters[bits]
    for w in range(len(sieve)):
        reached[w] &= sieve[w]


@njit(cache=True, nogil=True)
def _gather(
    search: Search, buffers: Buffers, scratch: Scratch, plane: Words, block: int, t: int,
    level: int, bits: int,
) -> None:  # fmt: skip
    """Append the pictures of a plane to the buffer of a target where they can still count."""
    target = buffers.targets[t]
    own = search.values[search.indptr[target] : search.indptr[target + 1]]
    planes, positions, surplus = search.planes[block], scratch.positions, scratch.surplus
    salted = search.ids[target]
    for at in range(survivors(plane, scratch.counters, bits, positions, surplus)):
        row = block * BLOCK + positions[at]
        if row == target or _same_group(search.groups, row, target):
            continue
        place, overlap = buffers.filled[t], level + surplus[at]
        if not _shares_open(
            planes, own, positions[at], buffers.open_at[t, overlap], buffers.shares[t, place]
        ):
            continue
        buffers.rows[t, place] = row
        buffers.levels[t, place] = overlap
        buffers.hashes[t, place] = pair_hash(search.salt, salted, search.ids[row])
        buffers.filled[t] = place + 1
        if place + 1 == buffers.rows.shape[1]:
            walk(search, buffers, scratch, t)


@njit(cache=True, nogil=True)
def _shares_open(planes: Words, own: Ints, position: int, open_now: Words, shares: Words) -> bool:
    """Set bit i of ``shares`` where a picture of the block has value i; return if one is open."""
    word, bit = position >> 6, np.uint64(position & 63)
    some = np.uint64(0)
    for s in range(len(shares)):
        first = s * 64
        mine = np.uint64(0)
        for i in range(first, min(first + 64, len(own))):
            mine |= ((planes[own[i], word] >> bit) & np.uint64(1)) << np.uint64(i - first)
        shares[s] = mine
        some |= mine & open_now[s]
    return some != 0


@njit(cache=True, nogil=True)
def _join(buffers: Buffers, sizes: Longs) -> tuple[Ints, Ints, Longs]:
    rows = np.empty(sizes.sum(), np.int32)
    levels = np.empty(sizes.sum(), np.int32)
    at = 0
    for t in range(len(sizes)):
        for place in range(sizes[t]):
            rows[at] = buffers.rows[t, place]
            levels[at] = buffers.levels[t, place]
            at += 1
    return rows, levels, sizes


@njit(cache=True, nogil=True)
def search_all(search: Search, target: int) -> tuple[Ints, Ints]:
    """Return all that reaches τ for one target, in the order, one picture of a group."""
    own = search.values[search.indptr[target] : search.indptr[target + 1]]
    scratch = empty_scratch(0, 0)
    counters, positions, surplus = scratch.counters, scratch.positions, scratch.surplus
    rows = np.empty(search.planes.shape[0] * BLOCK, np.int32)
    levels = np.empty(search.planes.shape[0] * BLOCK, np.int32)
    found, level = 0, search.needed[len(own)]
    for block in range(search.planes.shape[0] if len(own) else 0):
        bits = count_block(search.planes[block], own, level, counters)
        for at in range(survivors(counters[bits], counters, bits, positions, surplus)):
            row = block * BLOCK + positions[at]
            if row != target and not _same_group(search.groups, row, target):
                rows[found] = row
                levels[found] = level + surplus[at]
                found += 1
    rows, levels = _in_order(search, rows[:found], levels[:found], target, len(own))
    left = first_of_groups(rows, levels, search.groups)
    return rows[:left], levels[:left]


@njit(cache=True, nogil=True)
def _in_order(
    search: Search, rows: Ints, levels: Ints, target: int, size: int
) -> tuple[Ints, Ints]:
    count, low = len(rows), search.needed[size]
    order = np.empty(count, np.int64)
    starts = np.empty(size - low + 3, np.int64)
    by_level(levels, count, low, size, order, starts)
    keys = np.empty(count, np.uint64)
    for at in range(count):
        keys[at] = pair_hash(search.salt, search.ids[target], search.ids[rows[order[at]]])
    for step in range(size - low + 1):
        first, last = starts[step], starts[step + 1]
        sort_by_hash(order[first:last], keys[first:last])
    return rows[order], levels[order]


@njit(inline="always")
def _same_group(groups: Longs, row: int, other: int) -> bool:
    return len(groups) > 0 and groups[row] == groups[other]
