"""Numbers on pictures: legible, where their boxes are, and the same bytes again."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.boxes import intersection
from benchwright.errors import LostPicture
from benchwright.pictures import read_picture, store_picture
from benchwright.records import BoxOfPicture
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.proposing import numbered_pictures
from labeling.dialogues.candidate_set.proposing.digits import drawn_number
from labeling.dialogues.candidate_set.proposing.numbered_pictures import (
    SIDE,
    NumberedPicture,
    draw_numbers,
    kept_picture,
)

GREY = (127, 127, 127)
RED, GREEN = (230, 25, 75), (60, 220, 80)


def numbered(size: tuple[int, int], *boxes: Any, path: Path = Path("p.png")) -> NumberedPicture:
    made = tuple(
        BoxOfPicture(box_id=str(number), category=None, bbox=box)
        for number, box in enumerate(boxes, 1)
    )
    return NumberedPicture(path=path, size=size, boxes=made)


@pytest.mark.parametrize(
    ("size", "wanted"),
    [((400, 300), (400, 300)), ((2560, 1280), (1280, 640)), ((1, 5000), (1, 1280))],
)
def test_large_pictures_are_drawn_smaller(size: Any, wanted: tuple[int, int]) -> None:
    one = numbered(size, (size[0] / 2, size[1] / 2, size[0] / 4, size[1] / 4))
    assert one.drawn_size() == wanted
    assert max(wanted) <= SIDE
    (box,) = one.drawn_boxes()
    assert box == pytest.approx((wanted[0] / 2, wanted[1] / 2, wanted[0] / 4, wanted[1] / 4))


def test_each_box_has_its_frame_and_its_number() -> None:
    one = numbered((400, 300), (50, 60, 100, 80), (220, 150, 120, 100))
    shown = draw_numbers(Image.new("RGB", (400, 300), GREY), one)
    assert [shown.getpixel(at) for at in ((50, 100), (150, 100), (100, 140))] == [RED] * 3
    assert [shown.getpixel(at) for at in ((220, 200), (340, 200), (300, 250))] == [GREEN] * 3
    assert shown.getpixel((100, 100)) == GREY  # within the frame nothing is hidden
    first, second = drawn_number("1", 2), drawn_number("2", 2)
    assert inked(shown, (50, 60 - first.height), first, (255, 255, 255))
    assert inked(shown, (220, 150 - second.height), second, (0, 0, 0))


def inked(shown: Image.Image, at: tuple[int, int], mask: Image.Image, ink: Any) -> bool:
    """Tell whether just the pixels of a mask have the colour of ink."""
    return all(
        (shown.getpixel((at[0] + x, at[1] + y)) == ink) == (mask.getpixel((x, y)) == 255)
        for x in range(mask.width)
        for y in range(mask.height)
    )


def test_all_digits_differ() -> None:
    drawn = [drawn_number(str(digit), 1).tobytes() for digit in range(10)]
    assert len(set(drawn)) == 10
    assert drawn_number("10", 3).size == (3 * 13, 3 * 9)


def test_tags_of_boxes_at_one_corner_do_not_hide_each_other() -> None:
    boxes = [(100, 100, 50 + 30 * number, 60 + 20 * number) for number in range(4)]
    taken: list[Any] = []
    for box in boxes:
        taken.append(numbered_pictures._free_place(box, (14, 18), (400, 300), taken))
    assert not any(intersection(one, other) for one, other in combinations(taken, 2))


@pytest.mark.parametrize(
    "box",
    [(0, 0, 400, 300), (-50, -50, 10, 10), (399, 299, 50, 50), (0, 0, 0, 0), (390, 0, 10, 300)],
)
def test_a_tag_stays_in_the_picture(box: Any) -> None:
    x, y, width, height = numbered_pictures._free_place(box, (14, 18), (400, 300), [])
    assert x >= 0
    assert y >= 0
    assert x + width <= 400
    assert y + height <= 300
    draw_numbers(Image.new("RGB", (400, 300)), numbered((400, 300), box))


def test_a_picture_smaller_than_a_tag_is_drawn_all_the_same() -> None:
    shown = draw_numbers(Image.new("RGB", (3, 2)), numbered((3, 2), (0, 0, 1, 1)))
    assert shown.size == (3, 2)


@pytest.fixture
def stored(tmp_path: Path) -> tuple[Workspace, NumberedPicture]:
    workspace = Workspace(tmp_path)
    Image.new("RGB", (60, 40), GREY).save(tmp_path / "p.png")
    name = store_picture(read_picture((tmp_path / "p.png").read_bytes()), workspace.images)
    return workspace, numbered((60, 40), (10, 20, 20, 10), path=workspace.images / name)


def test_a_picture_is_drawn_once(stored: tuple[Workspace, NumberedPicture]) -> None:
    workspace, one = stored
    part = kept_picture(workspace, one)
    before = part.path.stat()
    assert kept_picture(workspace, one) == part
    assert part.path.stat() == before
    other = numbered(one.size, (10, 20, 20, 11), path=one.path)
    assert kept_picture(workspace, other).path != part.path
    # what was sent before is sent again, whatever a library makes of it now
    part.path.write_bytes(b"of another version")
    assert kept_picture(workspace, one).path.read_bytes() == b"of another version"


def test_a_picture_that_is_gone_is_named(stored: tuple[Workspace, NumberedPicture]) -> None:
    workspace, one = stored
    one.path.unlink()
    with pytest.raises(LostPicture, match="bring it back"):
        kept_picture(workspace, one)
