"""Bit planes: for each attribute value one bit vector over all pictures, and counting on them.

The overlap of a target with 64 pictures at a time is counted by carry-save adders: seven planes
become a three-bit number for each of the 64 positions, which is added to counters that are
planes themselves. The counters start at 2**K minus the threshold, so that the plane of the bit K
says, without a comparison, which pictures reach it.

Planes are cut into blocks of ``WORDS`` words, so that one block of all values stays in the cache
while many targets pass over it. All functions release the interpreter's lock.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

WORDS = 256  # words of 64 pictures in a block: 16,384 pictures
BLOCK = WORDS * 64
LINE = 8  # words that are fetched and written together: a line of the cache

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), ~np.uint64(0)


def build_planes(indptr: Longs, values: Ints, value_count: int) -> Words:
    """Return planes of shape (blocks, value_count + 1, WORDS); the last plane is empty.

    ``indptr`` (pictures + 1) and ``values`` are the rows' values as in scipy's CSR.
    """
    pictures = len(indptr) - 1
    planes = np.zeros((max(1, -(-pictures // BLOCK)), value_count + 1, WORDS), np.uint64)
    _set_bits(planes, indptr, values)
    return planes


@njit(cache=True, nogil=True)
def _set_bits(planes: Words, indptr: Longs, values: Ints) -> None:
    """Set the bits of a line of each plane at a time, in a small array that stays in the cache."""
    pictures = len(indptr) - 1
    lines = np.zeros((planes.shape[1], LINE), np.uint64)
    for start in range(0, pictures, LINE * 64):
        for row in range(start, min(start + LINE * 64, pictures)):
            mask = _ONE << np.uint64(row & 63)
            word = (row - start) >> 6
            for at in range(indptr[row], indptr[row + 1]):
                lines[values[at], word] |= mask
        block, first = start // BLOCK, start % BLOCK // 64
        for value in range(planes.shape[1]):
            for word in range(LINE):
                planes[block, value, first + word] = lines[value, word]
                lines[value, word] = 0


@njit(inline="always")
def _full_add(a: np.uint64, b: np.uint64, c: np.uint64) -> tuple[np.uint64, np.uint64]:
    either = a ^ b
    return either ^ c, (a & b) | (either & c)


@njit(cache=True, nogil=True)
def _add_seven(planes: Words, seven: tuple[np.int32, ...], counters: Words) -> None:
    """Add seven planes to counters of five planes (which do not overflow)."""
    v0, v1, v2, v3, v4, v5, v6 = seven
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
def _add_three(planes: Words, three: tuple[np.int32, ...], counters: Words) -> None:
    """Add three planes to counters of five planes (which do not overflow)."""
    v0, v1, v2 = three
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
def _add_seven_wide(planes: Words, seven: tuple[np.int32, ...], counters: Words, bits: int) -> None:
    """Add seven planes to counters of ``bits`` planes (which do not overflow)."""
    v0, v1, v2, v3, v4, v5, v6 = seven
    carries = bits  # the plane above the counters is free to work in
    for w in range(WORDS):
        low_a, high_a = _full_add(planes[v0, w], planes[v1, w], planes[v2, w])
        low_b, high_b = _full_add(planes[v3, w], planes[v4, w], planes[v5, w])
        ones, high_c = _full_add(low_a, low_b, planes[v6, w])
        twos, fours = _full_add(high_a, high_b, high_c)
        before = counters[0, w]
        counters[0, w] = before ^ ones
        counters[1, w], carry = _full_add(counters[1, w], twos, before & ones)
        counters[2, w], counters[carries, w] = _full_add(counters[2, w], fours, carry)
    for k in range(3, bits):
        for w in range(WORDS):
            before = counters[k, w]
            counters[k, w] = before ^ counters[carries, w]
            counters[carries, w] &= before


@njit(cache=True, nogil=True)
def counter_bits(size: int, needed: int) -> int:
    """Return K, at least 4, so that 2**K ≥ ``needed`` and 2**K > ``size`` - ``needed``."""
    bits = 4
    while (1 << bits) < needed or (1 << bits) <= size - needed:
        bits += 1
    return bits


@njit(cache=True, nogil=True)
def count_block(planes: Words, values: Ints, needed: int, counters: Words) -> int:
    """Count in how many of the planes ``values`` each picture of a block stands.

    ``planes`` (value_count + 1, WORDS) is one block, its last plane empty; ``needed`` ≥ 1.
    Afterwards, with K the returned number of bits, bit plane ``counters[K]`` holds the pictures
    whose count reaches ``needed``, and for these the planes below K hold count - ``needed``; one
    plane above K is used to work in.
    """
    bits = counter_bits(len(values), needed)
    start = (1 << bits) - needed
    for k in range(bits + 1):
        word = _ALL if (start >> k) & 1 else _NONE
        for w in range(WORDS):
            counters[k, w] = word
    size, empty = len(values), np.int32(planes.shape[0] - 1)
    at = 0
    while size - at > 3 or (bits > 4 and at < size):
        v0 = values[at]
        v1 = values[at + 1] if size - at > 1 else empty
        v2 = values[at + 2] if size - at > 2 else empty
        v3 = values[at + 3] if size - at > 3 else empty
        v4 = values[at + 4] if size - at > 4 else empty
        v5 = values[at + 5] if size - at > 5 else empty
        v6 = values[at + 6] if size - at > 6 else empty
        seven = (v0, v1, v2, v3, v4, v5, v6)
        if bits == 4:
            _add_seven(planes, seven, counters)
        else:
            _add_seven_wide(planes, seven, counters, bits + 1)
        at += 7
    if at < size:
        v1 = values[at + 1] if size - at > 1 else empty
        v2 = values[at + 2] if size - at > 2 else empty
        _add_three(planes, (values[at], v1, v2), counters)
    return bits


@njit(inline="always")
def ones(word: np.uint64) -> np.int64:
    """Return how many bits of a word are set (the compiler knows the idiom)."""
    word = word - ((word >> _ONE) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(inline="always")
def lowest_bit(word: np.uint64) -> np.int64:
    """Return the position of the lowest bit of a word that is not 0."""
    return ones(~word & (word - _ONE))


@njit(cache=True, nogil=True)
def ones_of_plane(planes: Words, at: int) -> int:
    """Return how many pictures a plane holds."""
    found = 0
    for w in range(WORDS):
        found += int(ones(planes[at, w]))
    return found


@njit(cache=True, nogil=True)
def at_least(counters: Words, bits: int, surplus: int, into: int) -> None:
    """Set the plane ``into`` to the pictures whose planes below ``bits`` hold ``surplus`` or more.

    That is the carry out of the sum with 2**bits - surplus; with ``surplus`` 0 it is all of them.
    """
    counters[into] = _NONE if surplus > 0 else _ALL
    if surplus <= 0 or surplus >= 1 << bits:
        return
    for k in range(bits):
        if (((1 << bits) - surplus) >> k) & 1:
            for w in range(WORDS):
                counters[into, w] |= counters[k, w]
        else:
            for w in range(WORDS):
                counters[into, w] &= counters[k, w]


@njit(cache=True, nogil=True)
def survivors(counters: Words, plane: int, positions: Ints, first: int) -> int:
    """List the places in the block of the pictures of a plane, ascending.

    They stand in ``positions`` from ``first`` on; returns where the list ends.
    """
    found = first
    for start in range(0, WORDS, LINE):
        some = _NONE
        for w in range(start, start + LINE):
            some |= counters[plane, w]
        if some == _NONE:
            continue
        for w in range(start, start + LINE):
            left = counters[plane, w]
            while left != _NONE:
                positions[found] = w * 64 + lowest_bit(left)
                left &= left - _ONE
                found += 1
    return found


@njit(inline="always")
def surplus_at(counters: Words, bits: int, position: int) -> np.int64:
    """Return by how much the count of one picture that reaches the threshold exceeds it."""
    surplus = _NONE
    for k in range(bits):
        bit = counters[k, position >> 6] >> np.uint64(position & 63)
        surplus |= (bit & _ONE) << np.uint64(k)
    return np.int64(surplus)
