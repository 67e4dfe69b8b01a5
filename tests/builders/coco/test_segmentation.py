"""Segmentations of all kinds become one mask, and nothing that they hold does harm."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycocotools import mask as coco_mask

from builders import masks
from builders.coco.segmentation import draw

MASKS = st.integers(1, 9).flatmap(
    lambda high: st.integers(1, 9).flatmap(
        lambda wide: st.lists(
            st.lists(st.integers(0, 1), min_size=wide, max_size=wide), min_size=high, max_size=high
        )
    )
)


def runs_of(mask: np.ndarray[Any, Any]) -> list[int]:
    """Run lengths column by column, zeros first."""
    runs, value = [0], 0
    for pixel in mask.flatten(order="F"):
        if pixel != value:
            runs.append(0)
            value = pixel
        runs[-1] += 1
    return runs


@given(rows=MASKS, split=st.data())
def test_both_kinds_of_rle_give_the_mask(rows: list[list[int]], split: st.DataObject) -> None:
    mask = np.array(rows, dtype=np.uint8)
    high, wide = mask.shape
    packed = masks.encode(mask)
    runs = runs_of(mask)
    # the same runs with empty ones between them, as some tools write
    place = split.draw(st.integers(0, len(runs) - 1))
    first = split.draw(st.integers(0, runs[place]))
    loose = [*runs[:place], first, 0, runs[place] - first, *runs[place + 1 :]]
    for counts in (packed, runs, loose):
        drawn = draw({"size": [high, wide], "counts": counts}, wide, high)
        if mask.any():
            assert drawn.mask == packed  # one spelling, so that equal masks are equal texts
            assert (masks.decode(drawn.mask, wide, high) == mask).all()
            box = coco_mask.toBbox({"size": [high, wide], "counts": packed.encode()})
            assert drawn.box == tuple(box)
        else:
            assert drawn.mask is None
            assert [reason for reason, _ in drawn.faults] == ["empty_mask"]


POINT = st.tuples(st.floats(-3, 25, width=32), st.floats(-3, 25, width=32))


@given(polygons=st.lists(st.lists(POINT, min_size=3, max_size=8), min_size=1, max_size=3))
def test_polygons_are_drawn_as_pycocotools_draws_them(polygons: Any) -> None:
    flat = [[number for point in polygon for number in point] for polygon in polygons]
    wanted = coco_mask.merge(coco_mask.frPyObjects(flat, 20, 22))
    for given_as in (flat, [[list(point) for point in polygon] for polygon in polygons]):
        drawn = draw(given_as, 22, 20)
        area = int(coco_mask.area(wanted))
        assert drawn.mask == (wanted["counts"].decode() if area else None)
        if area:
            assert drawn.mask == masks.encode(masks.decode(drawn.mask, 22, 20))
        xs = [point[0] for polygon in polygons for point in polygon]
        assert drawn.box is not None
        assert drawn.box[0] == min(xs)
        assert drawn.box[0] + drawn.box[2] == pytest.approx(max(xs))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.sampled_from(["size", "counts", "x"]), inner, max_size=3)
    ),
    max_leaves=25,
)


@given(value=JSON)
def test_any_json_is_survived(value: Any) -> None:
    drawn = draw(value, 7, 5)
    assert drawn.mask is None or 0 < masks.mask_area(drawn.mask, 7, 5) <= 35


@given(counts=st.text(max_size=40) | st.lists(st.integers(-5, 40), max_size=9))
def test_any_counts_are_survived(counts: str | list[int]) -> None:
    drawn = draw({"size": [5, 7], "counts": counts}, 7, 5)
    assert drawn.mask is None or 0 < masks.mask_area(drawn.mask, 7, 5) <= 35


def test_a_union_of_rles_and_polygons() -> None:
    left = {"size": [4, 6], "counts": [0, 4, 20]}
    right = [4, 0, 6, 0, 6, 4, 4, 4]
    drawn = draw([left, right], 6, 4)
    assert drawn.mask is not None
    assert masks.decode(drawn.mask, 6, 4)[0].tolist() == [1, 0, 0, 0, 1, 1]
    assert drawn.box == (0.0, 0.0, 6.0, 4.0)
