"""Boxes: overlaps, clipping, turning as Pillow turns pictures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from benchwright.boxes import Box, area, as_box, clip, contained, from_corners, iou, turn
from benchwright.pictures import TURNS

NUMBER = st.integers(-20, 40).map(float)
SIDE = st.integers(0, 30).map(float)
BOXES = st.tuples(NUMBER, NUMBER, SIDE, SIDE)


@given(box=BOXES, other=BOXES)
def test_overlaps(box: Box, other: Box) -> None:
    shared = iou(box, other)
    assert shared == iou(other, box)
    assert 0 <= shared <= 1
    assert iou(box, box) == (1.0 if area(box) else 0.0)
    assert 0 <= contained(box, other) <= 1
    assert shared <= min(contained(box, other), contained(other, box)) or not area(box)


@given(box=BOXES)
def test_clipping_is_the_overlap_with_the_picture_and_changes_nothing_twice(box: Box) -> None:
    clipped = clip(box, 30, 20)
    if clipped is None:
        assert iou(box, (0, 0, 30, 20)) == 0
    else:
        assert area(clipped) == contained(clipped, box) * area(clipped) > 0
        assert clip(clipped, 30, 20) == clipped


CORNERS = [((1, 2, 5, 9), (1, 2, 4, 7)), ((5, 9, 1, 2), (1, 2, 4, 7)), ((5, 2, 1, 9), (1, 2, 4, 7))]


@pytest.mark.parametrize(("corners", "box"), CORNERS)
def test_corners_in_any_order(corners: tuple[float, ...], box: Box) -> None:
    assert from_corners(*corners) == box


def test_a_box_is_four_numbers() -> None:
    assert as_box([1, 2, 3, 4]) == (1.0, 2.0, 3.0, 4.0)
    with pytest.raises(ValueError, match="unpack"):
        as_box([1, 2, 3])


@pytest.mark.parametrize("orientation", range(1, 9))
@given(data=st.data())
def test_a_box_turns_as_its_picture(orientation: int, data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 12))
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    wide, high = data.draw(st.integers(1, width - x)), data.draw(st.integers(1, height - y))
    picture = Image.new("L", (width, height))
    ImageDraw.Draw(picture).rectangle((x, y, x + wide - 1, y + high - 1), fill=255)
    upright = picture if orientation == 1 else picture.transpose(TURNS[orientation])
    left, top, right, bottom = upright.getbbox() or (0, 0, 0, 0)
    turned = turn((x, y, wide, high), (width, height), orientation)
    assert turned == (left, top, right - left, bottom - top)
