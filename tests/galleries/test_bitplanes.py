"""Counting on bit planes equals counting one by one."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from galleries.bitplanes import (
    BLOCK,
    WORDS,
    at_least,
    build_planes,
    count_block,
    counter_bits,
    lowest_bit,
    ones_of_plane,
    surplus_at,
    survivors,
)


def planes_of(has: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    rows, columns = np.nonzero(has)
    indptr = np.searchsorted(rows, np.arange(len(has) + 1))
    return build_planes(indptr.astype(np.int64), columns.astype(np.int32), has.shape[1])


def bits_of(plane: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    return np.unpackbits(plane.view(np.uint8), bitorder="little").astype(bool)


@pytest.mark.parametrize("pictures", [0, 1, 63, 64, 65, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5])
def test_a_bit_for_each_picture_and_value(pictures: int) -> None:
    has = np.random.default_rng(0).random((pictures, 5)) < 0.3
    planes = planes_of(has)
    assert planes.shape == (max(1, -(-pictures // BLOCK)), 6, WORDS)
    assert not planes[:, 5].any()  # the empty plane
    for value in range(5):
        bits = np.concatenate([bits_of(block[value]) for block in planes])
        assert (bits[:pictures] == has[:, value]).all()
        assert not bits[pictures:].any()


@pytest.mark.parametrize("bit", range(64))
def test_lowest_bit(bit: int) -> None:
    word = np.uint64(1 << bit)
    assert lowest_bit(word) == bit
    assert lowest_bit(word | np.uint64(1 << 63)) == bit


@given(st.integers(1, 5000), st.data())
def test_counters_neither_overflow_nor_start_below_nothing(size: int, data: st.DataObject) -> None:
    needed = data.draw(st.integers(1, size))
    bits = counter_bits(size, needed)
    start = (1 << bits) - needed
    assert bits >= 4
    assert start >= 0
    assert start + size < 1 << (bits + 1)


@settings(deadline=None, max_examples=150)
@given(
    st.one_of(st.integers(1, 20), st.integers(1, 130)),
    st.sampled_from([0.2, 0.5, 0.9, 1.0]),
    st.integers(0, 2**31),
    st.data(),
)
def test_counts_and_survivors(size: int, share: float, seed: int, data: st.DataObject) -> None:
    needed = data.draw(st.integers(1, size))
    rng = np.random.default_rng(seed)
    has = rng.random((BLOCK, size + 3)) < share
    own = np.sort(rng.choice(size + 3, size, replace=False)).astype(np.int32)
    counts = has[:, own].sum(axis=1)
    counters = np.full((12, WORDS), 0xDEADBEEF, np.uint64)  # what an earlier target left there
    bits = count_block(planes_of(has)[0], own, needed, counters)
    assert (bits_of(counters[bits]) == (counts >= needed)).all()
    positions = np.empty(BLOCK + 3, np.int32)
    end = survivors(counters, bits, positions, 3)
    assert end == 3 + ones_of_plane(counters, bits)
    assert positions[3:end].tolist() == np.flatnonzero(counts >= needed).tolist()
    surplus = [surplus_at(counters, bits, position) for position in positions[3:end][:100]]
    assert surplus == (counts[counts >= needed] - needed)[:100].tolist()
    more = data.draw(st.integers(0, 1 << bits))
    at_least(counters, bits, more, bits + 1)
    reached = counters[bits] & counters[bits + 1]
    assert (bits_of(reached) == (counts >= needed + more)).all()
