"""Masks: to RLE and back, and turned as Pillow turns pictures."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pycocotools import mask as coco_mask

from benchwright.pictures import TURNS
from builders import masks

SIDES = st.integers(1, 12)
MASKS = st.tuples(SIDES, SIDES, st.randoms(use_true_random=False)).map(
    lambda given: np.array(
        [[given[2].randint(0, 1) for _ in range(given[1])] for _ in range(given[0])], np.uint8
    )
)


@given(mask=MASKS)
def test_there_and_back(mask: Any) -> None:
    high, wide = mask.shape
    counts = masks.encode(mask)
    assert (masks.decode(counts, wide, high) == mask).all()
    assert masks.mask_area(counts, wide, high) == mask.sum()
    assert masks.from_counts(masks.unpack(counts), wide, high) == counts


@given(runs=st.lists(st.integers(0, 2**20), min_size=1, max_size=12))
def test_run_lengths_of_any_size_are_unpacked(runs: list[int]) -> None:
    total = sum(runs)
    packed = coco_mask.frPyObjects({"size": [total, 1], "counts": runs}, total, 1)["counts"]
    assert masks.unpack(packed.decode("ascii")) == runs


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ("é", "no compressed run lengths"),
        ("/", "no compressed run lengths"),  # before the first character in use
        ("o" * 30, "no compressed run lengths"),  # "more follows" for ever
        ("0o", "break off"),
        ("01", "do not make"),  # one pixel, not twelve
        ("", "do not make"),
        ("<O", "do not make"),  # a negative run
    ],
)
def test_what_is_no_mask_of_such_a_picture(counts: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        masks.decode(counts, 4, 3)


@pytest.mark.parametrize("orientation", range(1, 9))
@given(mask=MASKS)
def test_a_mask_turns_as_its_picture(orientation: int, mask: Any) -> None:
    picture = Image.fromarray(mask)
    upright = picture if orientation == 1 else picture.transpose(TURNS[orientation])
    assert (masks.turn_mask(mask, orientation) == np.asarray(upright)).all()
