"""The walk through the total order that makes a pool out of the pictures that reach τ.

All pictures that reach τ are walked once, in the order (overlap descending, then hash, then id);
a picture is kept when it is among the first ``per_value`` for at least one of the values that it
shares with the target. What such a walk drops can never come back when further pictures are
added, so pictures may arrive block by block: they gather in a buffer, which is walked when it
has doubled. After a walk it is known how much overlap a picture must have to matter, value by
value, and later blocks are counted against that higher threshold.

The functions are compiled by numba and release the interpreter's lock. Buffers of one target:
``rows``, ``levels`` (overlap), ``hashes`` and ``shares`` (bit i: shares the target's i-th
value). ``groups`` is empty where no picture has a group, which saves a look into it.
"""

import numpy as np
from numba import njit

from galleries.bitplanes import BLOCK, count_block, lowest_bit, survivors

_MOST_BITS = 24  # counter planes that any picture can need


@njit(inline="always")
def _mix(x):  # type: ignore[no-untyped-def]
    """splitmix64's finaliser."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(inline="always")
def pair_hash(salt, target, other):  # type: ignore[no-untyped-def]
    """Return the hash of two 64-bit ids that breaks ties in the order of ``target``."""
    return _mix(_mix(salt ^ target) ^ other)


@njit(cache=True, nogil=True)
def _sort_by_hash(which, keys, rows, ids, count):  # type: ignore[no-untyped-def]
    """Sort the first ``count`` entries of ``which`` and their ``keys`` by (key, id)."""
    if count > 24:
        places = np.argsort(keys[:count])
        which[:count] = which[:count][places]
        keys[:count] = keys[:count][places]
    for at in range(1, count):  # after argsort only equal keys are still to be put in order
        entry, key = which[at], keys[at]
        back = at - 1
        while back >= 0 and (
            keys[back] > key or (keys[back] == key and ids[rows[which[back]]] > ids[rows[entry]])
        ):
            which[back + 1] = which[back]
            keys[back + 1] = keys[back]
            back -= 1
        which[back + 1] = entry
        keys[back + 1] = key


@njit(cache=True, nogil=True)
def _by_level(levels, count, low, high, order, starts):  # type: ignore[no-untyped-def]
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


@njit(inline="always")
def _any_open(shares, full):  # type: ignore[no-untyped-def]
    some = np.uint64(0)
    for s in range(len(full)):
        some |= shares[s] & ~full[s]
    return some != 0


@njit(cache=True, nogil=True)
def _take(shares, blocked, full, taken, per_value, counted):  # type: ignore[no-untyped-def]
    """Count one picture for the values that it shares and that still have room.

    Returns whether there was any; ``counted`` says for which values.
    """
    used = False
    for s in range(len(full)):
        counted[s] = shares[s] & ~full[s] & ~blocked[s]
        left = counted[s]
        while left != 0:
            bit = lowest_bit(left)
            left &= left - np.uint64(1)
            taken[s * 64 + bit] += 1
            if taken[s * 64 + bit] == per_value:
                full[s] |= np.uint64(1) << np.uint64(bit)
            used = True
    return used


@njit(cache=True, nogil=True)
def _walk(rows, levels, hashes, shares, count, low, size, per_value, ids, groups, open_at):  # type: ignore[no-untyped-def]
    """Walk the buffer of a target of ``size`` values and keep what counts; return how many.

    The kept entries stand at the front of the buffer, in the order. ``open_at[x]`` becomes the
    set of values for which a further picture with overlap x could still count.
    """
    words = shares.shape[1]
    full = np.zeros(words, np.uint64)
    if size % 64:
        full[words - 1] = ~np.uint64(0) << np.uint64(size % 64)
    taken = np.zeros(words * 64, np.int64)
    blocked = np.zeros(words, np.uint64)
    order = np.empty(count, np.int64)
    starts = np.empty(size - low + 3, np.int64)
    _by_level(levels, count, low, size, order, starts)
    which = np.empty(count, np.int64)
    keys = np.empty(count, np.uint64)
    kept = np.empty(count, np.int64)
    counted = np.zeros((count, words), np.uint64)
    found = 0
    for level in range(size, low - 1, -1):
        open_at[level] = ~full
        some = 0
        for place in range(starts[size - level], starts[size - level + 1]):
            entry = order[place]
            if _any_open(shares[entry], full):
                which[some] = entry
                keys[some] = hashes[entry]
                some += 1
        _sort_by_hash(which, keys, rows, ids, some)
        for place in range(some):
            entry = which[place]
            if len(groups):
                _block_group(rows, kept, found, groups, rows[entry], counted, blocked)
            if _take(shares[entry], blocked, full, taken, per_value, counted[found]):
                kept[found] = entry
                found += 1
    chosen = kept[:found]
    rows[:found] = rows[chosen]
    levels[:found] = levels[chosen]
    hashes[:found] = hashes[chosen]
    shares[:found] = shares[chosen]
    return found


@njit(cache=True, nogil=True)
def _block_group(rows, kept, found, groups, row, counted, blocked):  # type: ignore[no-untyped-def]
    """Set ``blocked`` to the values for which the group of ``row`` is taken already."""
    blocked[:] = 0
    for earlier in range(found):
        if groups[rows[kept[earlier]]] == groups[row]:
            blocked |= counted[earlier]


@njit(cache=True, nogil=True)
def _shares_of(planes, values, position, shares):  # type: ignore[no-untyped-def]
    """Set bit i of ``shares`` where the picture at ``position`` of the block has value i."""
    word, bit = position >> 6, np.uint64(position & 63)
    shares[:] = 0
    for i in range(len(values)):
        has = (planes[values[i], word] >> bit) & np.uint64(1)
        shares[i >> 6] |= has << np.uint64(i & 63)


@njit(cache=True, nogil=True)
def _open_levels(open_at, low, high):  # type: ignore[no-untyped-def]
    """Return the smallest overlap that can still count, and the one from which most can.

    Below the second, at most a third of the target's values are open.
    """
    first, most = high, high
    for level in range(high - 1, low - 1, -1):
        count = 0
        for s in range(open_at.shape[1]):
            left = open_at[level, s]
            while left != 0:
                left &= left - np.uint64(1)
                count += 1
        if count == 0:
            break
        first = level
        if 3 * count > high:
            most = level
    return first, most


@njit(cache=True, nogil=True)
def _drop_closed(planes, own, counters, bits, surplus, open_below):  # type: ignore[no-untyped-def]
    """Clear survivors that exceed the threshold by less than ``surplus`` and share no open value.

    Rare values stay open to the end, and for their sake the threshold stays low: this keeps the
    many other pictures that reach it from being looked at one by one.
    """
    shares, more, equal = counters[bits + 1], counters[bits + 2], counters[bits + 3]
    shares[:] = 0
    for i in range(len(own)):
        if (open_below[i >> 6] >> np.uint64(i & 63)) & np.uint64(1):
            v = own[i]
            for w in range(len(shares)):
                shares[w] |= planes[v, w]
    more[:] = 0
    equal[:] = ~np.uint64(0)
    for k in range(bits - 1, -1, -1):
        plane = counters[k]
        if (surplus >> k) & 1:
            for w in range(len(shares)):
                equal[w] &= plane[w]
        else:
            for w in range(len(shares)):
                more[w] |= equal[w] & plane[w]
                equal[w] &= ~plane[w]
    top = counters[bits]
    for w in range(len(shares)):
        top[w] &= shares[w] | more[w] | equal[w]


@njit(cache=True, nogil=True)
def search_limited(  # type: ignore[no-untyped-def]
    planes, indptr, values, ids, groups, salt, targets, needed, per_value, most
):
    """Return the pools of a few targets: rows, overlaps (joined) and the size of each.

    ``needed[n]`` is the threshold for a target of n values; ``most`` bounds the size of a pool.
    """
    largest = len(needed) - 1
    capacity = 2 * most + 256
    words = (largest + 63) // 64
    rows = np.empty((len(targets), capacity), np.int32)
    levels = np.empty((len(targets), capacity), np.int32)
    hashes = np.empty((len(targets), capacity), np.uint64)
    shares = np.empty((len(targets), capacity, words), np.uint64)
    open_at = np.full((len(targets), largest + 1, words), ~np.uint64(0))
    filled = np.zeros(len(targets), np.int64)
    walked = np.zeros(len(targets), np.int64)
    counters = np.empty((_MOST_BITS, planes.shape[2]), np.uint64)
    positions = np.empty(BLOCK, np.int32)
    surplus = np.empty(BLOCK, np.int32)
    for block in range(planes.shape[0]):
        for t in range(len(targets)):
            target = targets[t]
            own = values[indptr[target] : indptr[target + 1]]
            size = len(own)
            if size == 0:
                continue
            low = needed[size]
            level, most_open = _open_levels(open_at[t], low, size)
            bits = count_block(planes[block], own, level, counters)
            if most_open > level:
                open_below = open_at[t, most_open - 1]
                _drop_closed(planes[block], own, counters, bits, most_open - level, open_below)
            for at in range(survivors(counters, bits, positions, surplus)):
                row = block * BLOCK + positions[at]
                if row == target or (len(groups) and groups[row] == groups[target]):
                    continue
                place = filled[t]
                _shares_of(planes[block], own, positions[at], shares[t, place])
                overlap = level + surplus[at]
                useful = False
                for s in range(words):
                    useful |= (shares[t, place, s] & open_at[t, overlap, s]) != 0
                if not useful:
                    continue
                rows[t, place] = row
                levels[t, place] = overlap
                hashes[t, place] = pair_hash(salt, ids[target], ids[row])
                filled[t] += 1
                if filled[t] == capacity:
                    filled[t] = walked[t] = _walk(
                        rows[t], levels[t], hashes[t], shares[t], capacity, low, size,
                        per_value, ids, groups, open_at[t],
                    )  # fmt: skip
            if filled[t] > 2 * walked[t]:
                filled[t] = walked[t] = _walk(
                    rows[t], levels[t], hashes[t], shares[t], filled[t], low, size,
                    per_value, ids, groups, open_at[t],
                )  # fmt: skip
        # the last walk leaves each buffer in the order, with just the pool in it
    sizes = np.zeros(len(targets), np.int64)
    for t in range(len(targets)):
        target = targets[t]
        size = indptr[target + 1] - indptr[target]
        if filled[t] > walked[t]:
            filled[t] = _walk(
                rows[t], levels[t], hashes[t], shares[t], filled[t], needed[size], size,
                per_value, ids, groups, open_at[t],
            )  # fmt: skip
        sizes[t] = _first_of_groups(rows[t], levels[t], filled[t], groups)
    return _join(rows, levels, sizes)


@njit(cache=True, nogil=True)
def _first_of_groups(rows, levels, count, groups):  # type: ignore[no-untyped-def]
    """Keep the first picture of each group, in place; return how many are left."""
    if len(groups) == 0:
        return count
    left = 0
    for at in range(count):
        group = groups[rows[at]]
        repeated = False
        for earlier in range(left):
            repeated |= groups[rows[earlier]] == group
        if not repeated:
            rows[left] = rows[at]
            levels[left] = levels[at]
            left += 1
    return left


@njit(cache=True, nogil=True)
def _join(rows, levels, sizes):  # type: ignore[no-untyped-def]
    all_rows = np.empty(sizes.sum(), np.int32)
    all_levels = np.empty(sizes.sum(), np.int32)
    at = 0
    for t in range(len(sizes)):
        all_rows[at : at + sizes[t]] = rows[t, : sizes[t]]
        all_levels[at : at + sizes[t]] = levels[t, : sizes[t]]
        at += sizes[t]
    return all_rows, all_levels, sizes


@njit(cache=True, nogil=True)
def search_all(planes, indptr, values, ids, groups, salt, target, needed):  # type: ignore[no-untyped-def]
    """Return all that reaches τ for one target, in the order, one picture of a group."""
    own = values[indptr[target] : indptr[target + 1]]
    counters = np.empty((_MOST_BITS, planes.shape[2]), np.uint64)
    positions = np.empty(BLOCK, np.int32)
    surplus = np.empty(BLOCK, np.int32)
    rows = np.empty(planes.shape[0] * BLOCK, np.int32)
    levels = np.empty(planes.shape[0] * BLOCK, np.int32)
    found = 0
    level = needed[len(own)]
    for block in range(planes.shape[0] if len(own) else 0):
        bits = count_block(planes[block], own, level, counters)
        for at in range(survivors(counters, bits, positions, surplus)):
            row = block * BLOCK + positions[at]
            if row != target and not (len(groups) and groups[row] == groups[target]):
                rows[found] = row
                levels[found] = level + surplus[at]
                found += 1
    rows, levels = _in_order(rows[:found], levels[:found], level, len(own), target, ids, salt)
    left = _first_of_groups(rows, levels, found, groups)
    return rows[:left], levels[:left]


@njit(cache=True, nogil=True)
def _in_order(rows, levels, low, high, target, ids, salt):  # type: ignore[no-untyped-def]
    count = len(rows)
    order = np.empty(count, np.int64)
    starts = np.empty(high - low + 3, np.int64)
    _by_level(levels, count, low, high, order, starts)
    keys = np.empty(count, np.uint64)
    for at in range(count):
        keys[at] = pair_hash(salt, ids[target], ids[rows[order[at]]])
    for step in range(high - low + 1):
        first, last = starts[step], starts[step + 1]
        _sort_by_hash(order[first:last], keys[first:last], rows, ids, last - first)
    return rows[order], levels[order]
