"""The walk through the total order that makes a pool out of the pictures that reach τ.

A picture is kept when it is among the first ``per_value`` in the order (overlap descending, then
hash) for at least one of the values that it shares with the target. What such a walk drops can
never come back when further pictures are added, so pictures may arrive bit by bit, gather in a
buffer, and be walked more than once.

The hash of a target and another picture is a bijection of the other's id: no two pictures have
the same one, and the order needs no third key.

The functions are compiled by numba and release the interpreter's lock.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from galleries.bitplanes import BLOCK, WORDS, Ints, Longs, Words, lowest_bit

_COUNTERS = 24  # counter planes that any picture can need
_INSERTED = 32  # entries that are sooner sorted by insertion than otherwise
_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), ~np.uint64(0)


class Search(NamedTuple):
    """What is searched, and for what.

    ``groups`` is empty where no picture has a group, which saves a look into it; ``needed[n]``
    is the threshold for a target of n values; ``per_value`` 0 means no limit.
    """

    planes: Words
    indptr: Longs
    values: Ints
    ids: Words
    groups: Longs
    salt: np.uint64
    needed: Longs
    per_value: int


class Buffers(NamedTuple):
    """What was found for some targets so far, one row of each array for a target.

    Of an entry: ``rows``, ``levels`` (overlap), ``hashes`` and ``shares`` (bit i: shares the
    target's i-th value). The first ``walked`` of the ``filled`` entries are in the order.
    ``open_at[x]`` is the set of values for which a further picture of overlap x could count;
    from ``floor`` up it is not empty, from ``most`` up it is more than a third of the values.
    """

    targets: Longs
    rows: Ints
    levels: Ints
    hashes: Words
    shares: Words
    open_at: Words
    filled: Longs
    walked: Longs
    floor: Longs
    most: Longs


class Scratch(NamedTuple):
    """Room to work in, allocated once for many targets."""

    counters: Words
    part: Words
    sieve: Words
    positions: Ints
    surplus: Ints
    order: Longs
    starts: Longs
    which: Longs
    keys: Words
    kept: Longs
    counted: Words
    full: Words
    blocked: Words
    taken: Longs
    spare: Ints
    spare_words: Words


@njit(cache=True, nogil=True)
def empty_buffers(search: Search, targets: Longs) -> Buffers:
    """Return the buffers of some targets; floor is 0 for those without any value."""
    count, largest = len(targets), len(search.needed) - 1
    capacity = 2 * search.per_value * largest + 256
    words = (largest + 63) // 64
    floor = np.zeros(count, np.int64)
    most = np.zeros(count, np.int64)
    for t in range(count):
        size = search.indptr[targets[t] + 1] - search.indptr[targets[t]]
        floor[t] = most[t] = search.needed[size]
    return Buffers(
        targets,
        np.empty((count, capacity), np.int32),
        np.empty((count, capacity), np.int32),
        np.empty((count, capacity), np.uint64),
        np.empty((count, capacity, words), np.uint64),
        np.full((count, largest + 1, words), _ALL),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        floor,
        most,
    )


@njit(cache=True, nogil=True)
def empty_scratch(capacity: int, largest: int) -> Scratch:
    """Return room for buffers of so many entries and targets of so many values."""
    words = (largest + 63) // 64
    return Scratch(
        np.empty((_COUNTERS, WORDS), np.uint64),
        np.empty(WORDS, np.uint64),
        np.empty(WORDS, np.uint64),
        np.empty(BLOCK, np.int32),
        np.empty(BLOCK, np.int32),
        np.empty(capacity, np.int64),
        np.empty(largest + 3, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.int64),
        np.empty((capacity, words), np.uint64),
        np.empty(words, np.uint64),
        np.empty(words, np.uint64),
        np.empty(words * 64, np.int64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.uint64),
    )


@njit(inline="always")
def _mix(x: np.uint64) -> np.uint64:
    """splitmix64's finaliser."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(inline="always")
def pair_hash(salt: np.uint64, target: np.uint64, other: np.uint64) -> np.uint64:
    """Return the hash of two 64-bit ids that breaks ties in the order of ``target``."""
    return _mix(_mix(salt ^ target) ^ other)


@njit(cache=True, nogil=True)
def sort_by_hash(which: Longs, keys: Words) -> None:
    """Sort entries and their keys by key."""
    count = len(keys)
    if count > _INSERTED:
        places = np.argsort(keys)
        which[:] = which[places]
        keys[:] = keys[places]
        return
    for at in range(1, count):
        entry, key = which[at], keys[at]
        back = at - 1
        while back >= 0 and keys[back] > key:
            which[back + 1] = which[back]
            keys[back + 1] = keys[back]
            back -= 1
        which[back + 1] = entry
        keys[back + 1] = key


@njit(cache=True, nogil=True)
def by_level(levels: Ints, count: int, low: int, high: int, order: Longs, starts: Longs) -> None:
    """Put the entries into ``order`` level by level, the highest first.

    Those of level x stand at ``order[starts[high - x] : starts[high - x + 1]]``.
    """
    starts[: high - low + 2] = 0
    for at in range(count):
        starts[high - levels[at] + 1] += 1
    for step in range(high - low + 1):
        starts[step + 1] += starts[step]
    for at in range(count):
        step = high - levels[at]
        order[starts[step]] = at
        starts[step] += 1
    for step in range(high - low, -1, -1):
        starts[step + 1] = starts[step]
    starts[0] = 0


@njit(cache=True, nogil=True)
def walk(search: Search, buffers: Buffers, scratch: Scratch, t: int) -> None:
    """Walk the buffer of a target, keep what counts, and see what can still count."""
    target = buffers.targets[t]
    size = search.indptr[target + 1] - search.indptr[target]
    low, open_at, shares = search.needed[size], buffers.open_at[t], buffers.shares[t]
    full, starts, which, keys = scratch.full, scratch.starts, scratch.which, scratch.keys
    by_level(buffers.levels[t], buffers.filled[t], low, size, scratch.order, starts)
    _open_all(scratch, size)
    found, room = 0, size
    for level in range(size, low - 1, -1):
        if room > 0:
            buffers.floor[t] = level
        if 3 * room > size:
            buffers.most[t] = level
        for s in range(len(full)):
            open_at[level, s] = ~full[s]
        some = 0
        for place in range(starts[size - level], starts[size - level + 1]):
            entry = scratch.order[place]
            if _any_open(shares, entry, full):
                which[some] = entry
                keys[some] = buffers.hashes[t, entry]
                some += 1
        if some > 1:
            sort_by_hash(which[:some], keys[:some])
        for place in range(some):
            if len(search.groups):
                _block_group(search, buffers.rows[t], scratch, found, which[place])
            used, closed = _take(shares, which[place], scratch, found, search.per_value)
            room -= closed
            if used:
                scratch.kept[found] = which[place]
                found += 1
    _move_to_front(buffers, scratch, t, found)


@njit(inline="always")
def _open_all(scratch: Scratch, size: int) -> None:
    for s in range(len(scratch.full)):
        left = size - s * 64
        if left >= 64:
            scratch.full[s] = _NONE
        else:
            scratch.full[s] = _ALL << np.uint64(left) if left > 0 else _ALL
    scratch.taken[:] = 0
    scratch.blocked[:] = 0


@njit(inline="always")
def _any_open(shares: Words, entry: int, full: Words) -> bool:
    some = _NONE
    for s in range(len(full)):
        some |= shares[entry, s] & ~full[s]
    return some != _NONE


@njit(inline="always")
def _take(
    shares: Words, entry: int, scratch: Scratch, found: int, per_value: int
) -> tuple[bool, int]:
    """Count one picture for the values that it shares and that still have room.

    Returns whether there was any, and how many have no more room now; ``counted[found]`` says
    for which values it counts.
    """
    full, taken = scratch.full, scratch.taken
    used, closed = False, 0
    for s in range(len(full)):
        left = shares[entry, s] & ~full[s] & ~scratch.blocked[s]
        scratch.counted[found, s] = left
        used |= left != _NONE
        while left != _NONE:
            bit = lowest_bit(left)
            left &= left - _ONE
            taken[s * 64 + bit] += 1
            if taken[s * 64 + bit] == per_value:
                full[s] |= _ONE << np.uint64(bit)
                closed += 1
    return used, closed


@njit(cache=True, nogil=True)
def _block_group(search: Search, rows: Ints, scratch: Scratch, found: int, entry: int) -> None:
    """Set ``blocked`` to the values for which the group of an entry is taken already."""
    group = search.groups[rows[entry]]
    scratch.blocked[:] = 0
    for earlier in range(found):
        if search.groups[rows[scratch.kept[earlier]]] == group:
            for s in range(len(scratch.blocked)):
                scratch.blocked[s] |= scratch.counted[earlier, s]


@njit(cache=True, nogil=True)
def _move_to_front(buffers: Buffers, scratch: Scratch, t: int, found: int) -> None:
    kept = scratch.kept[:found]
    for array in (buffers.rows, buffers.levels):
        for at in range(found):
            scratch.spare[at] = array[t, kept[at]]
        for at in range(found):
            array[t, at] = scratch.spare[at]
    for at in range(found):
        scratch.spare_words[at] = buffers.hashes[t, kept[at]]
    for at in range(found):
        buffers.hashes[t, at] = scratch.spare_words[at]
    for s in range(buffers.shares.shape[2]):
        for at in range(found):
            scratch.spare_words[at] = buffers.shares[t, kept[at], s]
        for at in range(found):
            buffers.shares[t, at, s] = scratch.spare_words[at]
    buffers.filled[t] = buffers.walked[t] = found


@njit(cache=True, nogil=True)
def first_of_groups(rows: Ints, levels: Ints, groups: Longs) -> int:
    """Keep the first picture of each group, in place; return how many are left."""
    if len(groups) == 0:
        return len(rows)
    seen = set([groups[rows[0]]]) if len(rows) else set([groups[0]])
    left = min(1, len(rows))
    for at in range(1, len(rows)):
        group = groups[rows[at]]
        if group not in seen:
            seen.add(group)
            rows[left] = rows[at]
            levels[left] = levels[at]
            left += 1
    return left
