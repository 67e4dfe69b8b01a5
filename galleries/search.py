"""The search for the pools of some targets, block by block of the catalog.

What reaches τ is listed and gathers in a buffer of the target, which is walked (selection.py)
when it has doubled. After a walk it is known how much overlap a picture must have to matter,
value by value, and what follows is counted against that higher threshold.

The functions are compiled by numba and release the interpreter's lock. Handing a tuple of arrays
to a function costs as much as counting a fifth of a block, so that the common path does it once
for a block and many targets.
"""

import numpy as np
from numba import njit

from galleries.bitplanes import (
    BLOCK,
    WORDS,
    Ints,
    Longs,
    Words,
    at_least,
    count_block,
    ones,
    ones_of_plane,
    surplus_at,
    survivors,
)
from galleries.selection import (
    FILLED,
    FLOOR,
    HASH,
    LEVEL,
    MANY,
    MOST,
    ORDER,
    PART,
    ROW,
    SHARES,
    SIEVE,
    STARTS,
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
_UNWALKED = 24  # entries that a buffer may have before its first walk


@njit(cache=True, nogil=True)
def search_limited(search: Search, targets: Longs) -> tuple[Ints, Ints, Longs]:
    """Return the pools of a few targets: rows, overlaps (joined) and the size of each."""
    buffers = empty_buffers(search, targets)
    scratch = empty_scratch(search, len(targets), buffers.entries.shape[1])
    ends = np.empty(len(targets), np.int64)
    for block in range(search.planes.shape[0]):
        _list_block(search, buffers, scratch, block, ends)
        _gather_block(search, buffers, scratch, block, ends)
        walk(search, buffers, scratch, range(len(targets)), 2, _UNWALKED)
    walk(search, buffers, scratch, range(len(targets)), 1, 0)
    return _join(search, buffers)


@njit(cache=True, nogil=True)
def _list_block(
    search: Search, buffers: Buffers, scratch: Scratch, block: int, ends: Longs
) -> None:
    """List what a block holds for each target; ``ends`` says where the lists end."""
    planes, indptr, values = search.planes[block], search.indptr, search.values
    targets, state, open_at = buffers.targets, buffers.state, buffers.open_at
    counters, positions = scratch.counters, scratch.positions
    end = 0
    for t in range(len(targets)):
        level = state[t, FLOOR]
        if level > 0:
            own = values[indptr[targets[t]] : indptr[targets[t] + 1]]
            bits = count_block(planes, own, level, counters)
            left = ones_of_plane(counters, bits)
            if left > _FEW and state[t, MOST] > level:
                most = state[t, MOST]
                _drop_closed(planes, own, counters, bits, most - level, open_at[t, most - 1])
                left = ones_of_plane(counters, bits)
            if left > MANY:
                left = _search_crowd(search, buffers, scratch, block, t, level, bits, end)
            if left > 0:
                end = survivors(counters, bits, positions, end)
        ends[t] = end


@njit(cache=True, nogil=True)
def _search_crowd(
    search: Search, buffers: Buffers, scratch: Scratch, block: int, t: int, level: int,
    bits: int, end: int,
) -> int:  # fmt: skip
    """Take the highest of too many survivors; return how many of the others can still count.

    The highest ones close values, so that fewer of the others matter. They are listed after
    ``end``, where the list of an earlier target ends.
    """
    target, counters = buffers.targets[t], scratch.counters
    own = search.values[search.indptr[target] : search.indptr[target + 1]]
    planes = search.planes[block]
    left, limit = MANY + 1, MANY
    while left > MANY:
        surplus = _split(counters, bits, limit)
        last = survivors(counters, PART, scratch.positions, end)
        _gather(search, buffers, scratch, block, t, end, last)
        walk(search, buffers, scratch, range(t, t + 1), 1, 0)
        at_least(counters, bits, buffers.state[t, FLOOR] - level, SIEVE)
        for w in range(WORDS):
            counters[bits, w] &= counters[SIEVE, w] & ~counters[PART, w]
        if surplus == 0:
            return 0
        open_below = buffers.open_at[t, level + surplus - 1]
        _drop_closed(planes, own, counters, bits, surplus, open_below)
        left = ones_of_plane(counters, bits)
        limit *= 2
    return left


@njit(cache=True, nogil=True)
def _split(counters: Words, bits: int, limit: int) -> int:
    """Set PART to the survivors of the highest levels, ``limit`` or fewer or one level of them.

    Returns by how much they exceed the threshold at least.
    """
    counters[PART] = counters[bits]
    for surplus in range(1, 1 << bits):
        at_least(counters, bits, surplus, SIEVE)
        for w in range(WORDS):
            counters[SIEVE, w] &= counters[bits, w]
        found = ones_of_plane(counters, SIEVE)
        if found == 0:
            return surplus - 1
        counters[PART] = counters[SIEVE]
        if found <= limit:
            return surplus
    return (1 << bits) - 1


@njit(cache=True, nogil=True)
def _drop_closed(
    planes: Words, own: Ints, counters: Words, bits: int, surplus: int, open_below: Words
) -> None:
    """Clear survivors that exceed the threshold by less than ``surplus`` and share no open value.

    Rare values stay open to the end, and for their sake the threshold stays low: this keeps the
    many other pictures that reach it from being looked at one by one.
    """
    at_least(counters, bits, surplus, SIEVE)
    for i in range(len(own)):
        if (open_below[i >> 6] >> np.uint64(i & 63)) & np.uint64(1):
            for w in range(WORDS):
                counters[SIEVE, w] |= planes[own[i], w]
    for w in range(WORDS):
        counters[bits, w] &= counters[SIEVE, w]


@njit(cache=True, nogil=True)
def _gather_block(
    search: Search, buffers: Buffers, scratch: Scratch, block: int, ends: Longs
) -> None:
    """Move what was listed into the buffers."""
    start = 0
    for t in range(len(ends)):
        if ends[t] > start:
            _gather(search, buffers, scratch, block, t, start, ends[t])
            start = ends[t]


@njit(inline="always")
def _gather(
    search: Search, buffers: Buffers, scratch: Scratch, block: int, t: int, start: int, end: int
) -> None:
    """Move listed pictures into the buffer of a target where they can still count."""
    target, groups, ids, salt = buffers.targets[t], search.groups, search.ids, search.salt
    first, last = search.indptr[target], search.indptr[target + 1]
    planes, values, positions = search.planes, search.values, scratch.positions
    entries, open_at, state = buffers.entries, buffers.open_at, buffers.state
    words = open_at.shape[2]
    for at in range(start, end):
        position = positions[at]
        row = block * BLOCK + position
        if row == target or _same_group(groups, row, target):
            continue
        place = state[t, FILLED]
        level = 0
        for s in range(words):
            shares = _shares(planes, values, block, position, first + s * 64, last)
            entries[t, place, SHARES + s] = shares
            level += int(ones(shares))
        some = np.uint64(0)
        for s in range(words):
            some |= entries[t, place, SHARES + s] & open_at[t, level, s]
        if some == np.uint64(0):
            continue
        entries[t, place, ROW] = row
        entries[t, place, LEVEL] = level
        entries[t, place, HASH] = pair_hash(salt, ids[target], ids[row])
        state[t, FILLED] = place + 1
        if place + 1 == entries.shape[1]:
            walk(search, buffers, scratch, range(t, t + 1), 1, 0)


@njit(inline="always")
def _shares(
    planes: Words, values: Ints, block: int, position: int, first: int, last: int
) -> np.uint64:
    """Return a word with bit i set where a picture of the block has ``values[first + i]``."""
    # Unsigned numbers: for signed ones the compiled code looks whether they count from the end.
    plane, word = np.uint64(block), np.uint64(position >> 6)
    bit, start = np.uint64(position & 63), np.uint64(first)
    shares = np.uint64(0)
    for i in range(np.uint64(min(64, last - first))):
        value = np.uint64(values[start + i])
        shares |= ((planes[plane, value, word] >> bit) & np.uint64(1)) << i
    return shares


@njit(inline="always")
def _same_group(groups: Longs, row: int, other: int) -> bool:
    return len(groups) > 0 and groups[row] == groups[other]


@njit(cache=True, nogil=True)
def _join(search: Search, buffers: Buffers) -> tuple[Ints, Ints, Longs]:
    state, entries = buffers.state, buffers.entries
    rows = np.empty(state[:, FILLED].sum(), np.int32)
    levels = np.empty(len(rows), np.int32)
    sizes = np.empty(len(state), np.int64)
    end = 0
    for t in range(len(state)):
        start = end
        for place in range(state[t, FILLED]):
            rows[end] = entries[t, place, ROW]
            levels[end] = entries[t, place, LEVEL]
            end += 1
        if len(search.groups):
            end = start + first_of_groups(rows[start:end], levels[start:end], search.groups)
        sizes[t] = end - start
    return rows[:end], levels[:end], sizes


@njit(cache=True, nogil=True)
def search_all(search: Search, target: int) -> tuple[Ints, Ints]:
    """Return all that reaches τ for one target, in the order, one picture of a group."""
    own = search.values[search.indptr[target] : search.indptr[target + 1]]
    level, planes = search.needed[len(own)], search.planes
    counters = np.empty((PART + 1, WORDS), np.uint64)
    positions = np.empty(BLOCK, np.int32)
    listed = np.empty((2, planes.shape[0] * BLOCK), np.int32)
    end = 0
    for block in range(planes.shape[0] if len(own) else 0):
        bits = count_block(planes[block], own, level, counters)
        for at in range(survivors(counters, bits, positions, 0)):
            row = block * BLOCK + positions[at]
            if row != target and not _same_group(search.groups, row, target):
                listed[0, end] = row
                listed[1, end] = level + surplus_at(counters, bits, positions[at])
                end += 1
    rows, levels = _in_order(search, listed, end, target, len(own))
    left = first_of_groups(rows, levels, search.groups)
    return rows[:left], levels[:left]


@njit(cache=True, nogil=True)
def _in_order(
    search: Search, listed: Ints, count: int, target: int, size: int
) -> tuple[Ints, Ints]:
    low = search.needed[size]
    entries = np.empty((count, 2), np.uint64)
    places = np.empty((STARTS + 1, count + size + 3), np.int64)
    for at in range(count):
        entries[at, ROW], entries[at, LEVEL] = listed[0, at], listed[1, at]
    by_level(entries, count, low, size, places)
    order = places[ORDER, :count]
    keys = np.empty(count, np.uint64)
    for at in range(count):
        keys[at] = pair_hash(search.salt, search.ids[target], search.ids[listed[0, order[at]]])
    for step in range(size - low + 1):
        first, last = places[STARTS, step], places[STARTS, step + 1]
        sort_by_hash(order[first:last], keys[first:last], last - first)
    return listed[0][order], listed[1][order]
