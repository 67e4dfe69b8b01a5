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

from galleries.bitplanes import BLOCK, WORDS, Ints, Longs, Words, ones

MANY = 64  # survivors of a block and a target that are not listed at once
SIEVE, PART = 24, 25  # planes to work in, above the counters that any picture can need
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

    ``entries`` are pictures, with the columns below; ``state`` has the columns below that.
    ``open_at[x]`` is the set of values (bit i: the target's i-th) for which a further picture of
    overlap x could count.
    """

    targets: Longs
    entries: Words
    open_at: Words
    state: Longs


ROW, LEVEL, HASH, SHARES = range(4)  # of an entry; shares (bit i: the target's i-th value) are last
FILLED, WALKED, FLOOR, MOST = range(4)
# FILLED entries are there, the first WALKED of them in the order. From the overlap FLOOR up a
# further picture could count, from MOST up for more than a third of the values.


class Scratch(NamedTuple):
    """Room to work in, allocated once for many targets."""

    counters: Words
    positions: Ints
    places: Longs
    taken: Words
    keys: Words
    counted: Words
    entries: Words


ORDER, WHICH, KEPT, STARTS = range(4)  # rows of ``places``
_FULL, _BLOCKED = -1, -2  # rows of ``counted``, which has one for each kept entry before them


@njit(cache=True, nogil=True)
def _capacity(largest: int, per_value: int) -> int:
    """Return how many entries a buffer holds: twice the largest pool, so that walks stay rare."""
    return 2 * per_value * largest + 256


def buffer_bytes(largest: int, per_value: int) -> int:
    """Return the size of the buffer of a target, for targets of up to ``largest`` values."""
    columns = SHARES + (largest + 63) // 64
    return 8 * columns * int(_capacity(largest, per_value))


@njit(cache=True, nogil=True)
def empty_buffers(search: Search, targets: Longs) -> Buffers:
    """Return the buffers of some targets; FLOOR is 0 for those without any value."""
    count, largest = len(targets), len(search.needed) - 1
    capacity, words = _capacity(largest, search.per_value), (largest + 63) // 64
    state = np.zeros((count, 4), np.int64)
    for t in range(count):
        size = search.indptr[targets[t] + 1] - search.indptr[targets[t]]
        state[t, FLOOR] = state[t, MOST] = search.needed[size]
    return Buffers(
        targets,
        np.empty((count, capacity, SHARES + words), np.uint64),
        np.full((count, largest + 1, words), _ALL),
        state,
    )


@njit(cache=True, nogil=True)
def empty_scratch(search: Search, targets: int, capacity: int) -> Scratch:
    """Return room for so many targets with buffers of so many entries."""
    largest = len(search.needed) - 1
    bits = 0
    while 1 << bits < search.per_value:
        bits += 1
    words = (largest + 63) // 64
    return Scratch(
        np.empty((PART + 1, WORDS), np.uint64),
        np.empty(BLOCK + targets * MANY, np.int32),
        np.empty((4, capacity + largest + 3), np.int64),
        np.empty((bits, words), np.uint64),
        np.empty(capacity, np.uint64),
        np.empty((capacity + 2, words), np.uint64),
        np.empty((capacity, SHARES + words), np.uint64),
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
def sort_by_hash(which: Longs, keys: Words, count: int) -> None:
    """Sort the first ``count`` entries and their keys by key."""
    if count > _INSERTED:
        places = np.argsort(keys[:count])
        which[:count] = which[:count][places]
        keys[:count] = keys[:count][places]
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
def by_level(entries: Words, count: int, low: int, high: int, places: Longs) -> None:
    """Put entries into the row ORDER of ``places`` level by level, the highest first.

    Those of level x stand from ``places[STARTS, high - x]`` to ``places[STARTS, high - x + 1]``.
    """
    for step in range(high - low + 2):
        places[STARTS, step] = 0
    for at in range(count):
        places[STARTS, high - np.int64(entries[at, LEVEL]) + 1] += 1
    for step in range(high - low + 1):
        places[STARTS, step + 1] += places[STARTS, step]
    for at in range(count):
        mine = high - np.int64(entries[at, LEVEL])
        places[ORDER, places[STARTS, mine]] = at
        places[STARTS, mine] += 1
    for step in range(high - low, -1, -1):
        places[STARTS, step + 1] = places[STARTS, step]
    places[STARTS, 0] = 0


@njit(cache=True, nogil=True)
def walk(
    search: Search, buffers: Buffers, scratch: Scratch, targets: range, growth: int, slack: int
) -> None:
    """Walk the buffers that hold more than ``growth`` times what was walked, and ``slack`` more.

    What counts is kept, in the order, and it is seen what can still count.
    """
    state, groups = buffers.state, search.groups
    for t in targets:
        if state[t, FILLED] > growth * state[t, WALKED] + slack:
            target = buffers.targets[t]
            size = search.indptr[target + 1] - search.indptr[target]
            low = search.needed[size]
            entries, open_at = buffers.entries[t], buffers.open_at[t]
            by_level(entries, state[t, FILLED], low, size, scratch.places)
            _open_all(scratch.counted, scratch.taken, size, search.per_value)
            found = 0
            for level in range(size, low - 1, -1):
                room = _note_room(scratch.counted, open_at, level)
                if room > 0:
                    state[t, FLOOR] = level
                if 3 * room > size:
                    state[t, MOST] = level
                found = _walk_level(entries, groups, scratch, size - level, found)
            _move_to_front(entries, scratch.places, found, scratch.entries)
            state[t, FILLED] = state[t, WALKED] = found


@njit(inline="always")
def _note_room(counted: Words, open_at: Words, level: int) -> int:
    """Note for which values there is room above a level; return for how many."""
    room = 0
    for s in range(counted.shape[1]):
        open_at[level, s] = ~counted[_FULL, s]
        room += int(ones(open_at[level, s]))
    return room


@njit(inline="always")
def _walk_level(entries: Words, groups: Longs, scratch: Scratch, step: int, found: int) -> int:
    """Walk the entries of one level; return how many are kept with those of higher levels."""
    places, keys, counted, taken = scratch.places, scratch.keys, scratch.counted, scratch.taken
    some = _still_open(entries, places, step, counted, keys)
    if some > 1:
        sort_by_hash(places[WHICH], keys, some)
    for at in range(some):
        entry = places[WHICH, at]
        if len(groups):
            _block_group(entries, places, found, groups, entry, counted)
        if _take(entries, entry, counted, found, taken):
            places[KEPT, found] = entry
            found += 1
    return found


@njit(inline="always")
def _open_all(counted: Words, taken: Words, size: int, per_value: int) -> None:
    """Make room for every value of a target of ``size`` values, and for no other bit."""
    start = (1 << len(taken)) - per_value
    for s in range(counted.shape[1]):
        left = size - s * 64
        counted[_BLOCKED, s] = _NONE
        if left >= 64:
            counted[_FULL, s] = _NONE
        else:
            counted[_FULL, s] = _ALL << np.uint64(left) if left > 0 else _ALL
        for k in range(len(taken)):
            taken[k, s] = _ALL if (start >> k) & 1 else _NONE


@njit(cache=True, nogil=True)
def _still_open(entries: Words, places: Longs, step: int, counted: Words, keys: Words) -> int:
    """List the entries of one level that share a value with room, and their hashes."""
    some = 0
    for place in range(places[STARTS, step], places[STARTS, step + 1]):
        entry = places[ORDER, place]
        shares_open = _NONE
        for s in range(counted.shape[1]):
            shares_open |= entries[entry, SHARES + s] & ~counted[_FULL, s]
        if shares_open != _NONE:
            places[WHICH, some] = entry
            keys[some] = entries[entry, HASH]
            some += 1
    return some


@njit(inline="always")
def _take(entries: Words, entry: int, counted: Words, found: int, taken: Words) -> bool:
    """Count one picture for the values that it shares and that still have room.

    Returns whether there was any; ``counted[found]`` says for which values it counts. The
    counters of 64 values at a time are bit planes that overflow when a value has no more room.
    """
    used = False
    for s in range(counted.shape[1]):
        carry = entries[entry, SHARES + s] & ~counted[_FULL, s] & ~counted[_BLOCKED, s]
        counted[found, s] = carry
        used |= carry != _NONE
        for k in range(len(taken)):
            before = taken[k, s]
            taken[k, s] = before ^ carry
            carry &= before
        counted[_FULL, s] |= carry
    return used


@njit(cache=True, nogil=True)
def _block_group(
    entries: Words, places: Longs, found: int, groups: Longs, entry: int, counted: Words
) -> None:
    """Set ``_BLOCKED`` to the values for which the group of an entry is taken already."""
    group = groups[np.int64(entries[entry, ROW])]
    counted[_BLOCKED] = _NONE
    for earlier in range(found):
        if groups[np.int64(entries[places[KEPT, earlier], ROW])] == group:
            for s in range(counted.shape[1]):
                counted[_BLOCKED, s] |= counted[earlier, s]


@njit(cache=True, nogil=True)
def _move_to_front(entries: Words, places: Longs, found: int, spare: Words) -> None:
    for at in range(found):
        for column in range(entries.shape[1]):
            spare[at, column] = entries[places[KEPT, at], column]
    for at in range(found):
        for column in range(entries.shape[1]):
            entries[at, column] = spare[at, column]


@njit(cache=True, nogil=True)
def first_of_groups(rows: Ints, levels: Ints, groups: Longs) -> int:
    """Keep the first picture of each group, in place; return how many are left."""
    if len(groups) == 0 or len(rows) == 0:
        return len(rows)
    seen = {groups[rows[0]]}
    left = 1
    for at in range(1, len(rows)):
        group = groups[rows[at]]
        if group not in seen:
            seen.add(group)
            rows[left] = rows[at]
            levels[left] = levels[at]
            left += 1
    return left
