"""Bit planes: for each attribute value one bit vector over all pictures, and counting on them.

The overlap of a target with 64 pictures at a time is counted by carry-save adders: seven planes
become a three-bit number for each of the 64 positions, which is added to counters that are
planes themselves. The counters start at 2**K minus the threshold, so that the plane of the bit K
says, without a comparison, which pictures reach it.

Planes are cut into blocks of ``WORDS`` words, so that one block of all values stays in the cache
while many targets pass over it. All functions release the interpreter's lock.
"""

import numpy as np
from numba import njit

WORDS = 256  # words of 64 pictures in a block: 16,384 pictures
BLOCK = WORDS * 64

Planes = np.ndarray[tuple[int, int, int], np.dtype[np.uint64]]


def build_planes(indptr: np.ndarray, values: np.ndarray, value_count: int) -> Planes:
    """Return planes of shape (blocks, value_count + 1, WORDS); the last plane is empty.

    ``indptr`` (pictures + 1) and ``values`` are the rows' values as in scipy's CSR.
    """
    pictures = len(indptr) - 1
    planes = np.zeros((max(1, -(-pictures // BLOCK)), value_count + 1, WORDS), np.uint64)
    _set_bits(planes, indptr, values)
    return planes


@njit(cache=True, nogil=True)
def _set_bits(planes, indptr, values):  # type: ignore[no-untyped-def]
    for row in range(len(indptr) - 1):
        block, rest = divmod(row, BLOCK)
        word, bit = divmod(rest, 64)
        mask = np.uint64(1) << np.uint64(bit)
        for at in range(indptr[row], indptr[row + 1]):
            planes[block, values[at], word] |= mask


@njit(inline="always")
def _full_add(a, b, c):  # type: ignore[no-untyped-def]
    either = a ^ b
    return either ^ c, (a & b) | (either & c)


@njit(cache=True, nogil=True)
def _add_seven(planes, v0, v1, v2, v3, v4, v5, v6, counters):  # type: ignore[no-untyped-def]
    """Add seven planes to counters of five planes (which do not overflow)."""
    for w in range(WORDS):
        low_a, high_a = _full_add(planes[v0, w], planes[v1, w], planes[v2, w])
        low_b, high_b = _full_add(planes[v3, w], planes[v4, w], planes[v5, w])
        ones, high_c = _full_add(low_a, low_b, planes[v6, w])
        twos, fours = _full_add(high_a, high_b, high_c)
        before = counters[0, w]
        counters[0, w] = before ^ ones
        counters[1, w], carry = _full_add(counters[1, w], twos, before & ones)
        counters[2, w], carry = _full_add(counters[2, w], fours, carry)
        before = counters[3, w]
        counters[3, w] = before ^ carry
        counters[4, w] |= before & carry


@njit(cache=True, nogil=True)
def _add_three(planes, v0, v1, v2, counters):  # type: ignore[no-untyped-def]
    """Add three planes to counters of five planes (which do not overflow)."""
    for w in range(WORDS):
        ones, twos = _full_add(planes[v0, w], planes[v1, w], planes[v2, w])
        before = counters[0, w]
        counters[0, w] = before ^ ones
        counters[1, w], carry = _full_add(counters[1, w], twos, before & ones)
        before = counters[2, w]
        counters[2, w] = before ^ carry
        carry &= before
        before = counters[3, w]
        counters[3, w] = before ^ carry
        counters[4, w] |= before & carry


@njit(cache=True, nogil=True)
def _add_one(planes, v, counters, bits):  # type: ignore[no-untyped-def]
    """Add one plane to counters of ``bits`` planes (which do not overflow)."""
    for w in range(WORDS):
        carry = planes[v, w]
        for k in range(bits):
            before = counters[k, w]
            counters[k, w] = before ^ carry
            carry &= before


@njit(cache=True, nogil=True)
def counter_bits(size, needed):  # type: ignore[no-untyped-def]
    """Return K, at least 4, so that 2**K ≥ ``needed`` and 2**K > ``size`` - ``needed``."""
    bits = 4
    while (1 << bits) < needed or (1 << bits) <= size - needed:
        bits += 1
    return bits


@njit(cache=True, nogil=True)
def count_block(planes, values, needed, counters):  # type: ignore[no-untyped-def]
    """Count in how many of the planes ``values`` each picture of a block stands.

    ``planes`` (value_count + 1, WORDS) is one block, its last plane empty; ``needed`` ≥ 1.
    Afterwards, with K the returned number of bits, bit plane ``counters[K]`` holds the pictures
    whose count reaches ``needed``, and for these the planes below K hold count - ``needed``.
    """
    bits = counter_bits(len(values), needed)
    start = (1 << bits) - needed
    for k in range(bits + 1):
        word = ~np.uint64(0) if (start >> k) & 1 else np.uint64(0)
        for w in range(WORDS):
            counters[k, w] = word
    if bits == 4:
        _count_narrow(planes, values, counters)
    else:
        for v in values:
            _add_one(planes, v, counters, bits + 1)
    return bits


@njit(cache=True, nogil=True)
def _count_narrow(planes, values, counters):  # type: ignore[no-untyped-def]
    size = len(values)
    empty = planes.shape[0] - 1
    at = 0
    while size - at > 3:
        v4 = values[at + 4] if size - at > 4 else empty
        v5 = values[at + 5] if size - at > 5 else empty
        v6 = values[at + 6] if size - at > 6 else empty
        v0, v1, v2, v3 = values[at], values[at + 1], values[at + 2], values[at + 3]
        _add_seven(planes, v0, v1, v2, v3, v4, v5, v6, counters)
        at += 7
    if at < size:
        v1 = values[at + 1] if size - at > 1 else empty
        v2 = values[at + 2] if size - at > 2 else empty
        _add_three(planes, values[at], v1, v2, counters)


_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_OF = np.zeros(64, np.int32)
_BIT_OF[[(int(_DE_BRUIJN) << bit & 0xFFFFFFFFFFFFFFFF) >> 58 for bit in range(64)]] = range(64)


@njit(inline="always")
def lowest_bit(word):  # type: ignore[no-untyped-def]
    """Return the position of the lowest bit of a word that is not 0."""
    alone = word & (~word + np.uint64(1))
    return _BIT_OF[(alone * _DE_BRUIJN) >> np.uint64(58)]


@njit(cache=True, nogil=True)
def survivors(counters, bits, positions, surplus):  # type: ignore[no-untyped-def]
    """List the pictures of a counted block that reach the threshold; return how many.

    ``positions`` (BLOCK,) receives their places in the block, ascending, and ``surplus`` by how
    much each count exceeds the threshold.
    """
    found = 0
    top = counters[bits]
    for start in range(0, WORDS, 8):
        some = np.uint64(0)
        for w in range(start, start + 8):
            some |= top[w]
        if some == 0:
            continue
        for w in range(start, start + 8):
            left = top[w]
            while left != 0:
                bit = lowest_bit(left)
                left &= left - np.uint64(1)
                extra = np.uint64(0)
                for k in range(bits):
                    extra |= ((counters[k, w] >> np.uint64(bit)) & np.uint64(1)) << np.uint64(k)
                positions[found] = w * 64 + bit
                surplus[found] = extra
                found += 1
    return found
