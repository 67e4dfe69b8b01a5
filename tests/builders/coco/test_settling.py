"""Objects in the frame of the upright picture."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from builders import masks
from builders.coco.settling import Frame, frame_of

WIDE, HIGH = 12, 7  # as stored
BOX = (1, 2, 5, 3)


def turned_picture(path: Path, orientation: int, size: tuple[int, int]) -> None:
    """A picture with a bright box, to be turned by whoever reads it."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    x, y, wide, high = BOX
    pixels[y : y + high, x : x + wide] = 255
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(pixels).save(path, "PNG", exif=exif)


def bright_box(path: Path) -> tuple[float, ...]:
    with Image.open(path) as image:
        left, top, right, bottom = image.convert("L").getbbox() or (0, 0, 0, 0)
    return left, top, right - left, bottom - top


def annotated(folder: Path, sides: tuple[int, int] | None, segmentation: Any) -> Path:
    picture = {"id": 1, "file_name": "a.png"}
    if sides is not None:
        picture |= {"width": sides[0], "height": sides[1]}
    thing = {"id": 1, "image_id": 1, "category_id": 1, "bbox": list(BOX), "area": 15}
    data = {
        "images": [picture],
        "annotations": [thing | {"segmentation": segmentation}],
        "categories": [{"id": 1, "name": "cat"}],
    }
    path = folder / "c.json"
    path.write_text(json.dumps(data))
    return path


X, Y = BOX[0], BOX[1]
RIGHT, BELOW = X + BOX[2], Y + BOX[3]
POLYGON = [[X, Y, RIGHT, Y, RIGHT, BELOW, X, BELOW]]


def rle() -> dict[str, Any]:
    mask = np.zeros((HIGH, WIDE), np.uint8)
    mask[Y:BELOW, X:RIGHT] = 1
    return {"size": [HIGH, WIDE], "counts": masks.encode(mask)}


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["polygon", "rle", "rle without sizes"])
def test_annotated_as_stored(
    orientation: int, kind: str, tmp_path: Path, build: Callable[..., Any]
) -> None:
    """For 5 to 8 the sizes tell that the stored picture was annotated: box and mask follow it."""
    turned_picture(tmp_path / "a.png", orientation, (WIDE, HIGH))
    segmentation = POLYGON if kind == "polygon" else rle()
    sides = None if kind == "rle without sizes" else (WIDE, HIGH)
    found = build(annotated(tmp_path, sides, segmentation))
    (item,) = found.items
    (thing,) = item.objects
    stored = tmp_path / "w" / "catalog" / "images" / item.image
    if orientation >= 5:
        assert thing.bbox == bright_box(stored)
        assert found.changed() == {"turned": 1}
    else:  # the sizes are the same both ways: taken as upright, and said
        assert thing.bbox == BOX
        assert found.changed() == ({} if orientation == 1 else {"orientation_assumed": 1})
    x, y, wide, high = (int(number) for number in thing.bbox)
    mask = masks.decode(thing.mask, item.width, item.height)
    assert mask.sum() == mask[y : y + high, x : x + wide].sum() == 15


@pytest.mark.parametrize("orientation", [5, 6, 7, 8])
def test_annotated_upright(orientation: int, tmp_path: Path, build: Callable[..., Any]) -> None:
    turned_picture(tmp_path / "a.png", orientation, (HIGH, WIDE))
    (item,) = build(annotated(tmp_path, (WIDE, HIGH), POLYGON)).items
    assert (item.width, item.height) == (WIDE, HIGH)
    assert item.objects[0].bbox == BOX


FRAMES = [
    # stated size, upright size, orientation undone, frame
    ((4, 3), (4, 3), 1, Frame(size=(4, 3), orientation=1)),
    (None, (4, 3), 1, Frame(size=(4, 3), orientation=1)),
    ((3, 4), (4, 3), 1, None),  # the other way round, and nothing says why
    ((8, 6), (4, 3), 1, None),  # another size of it
    ((4, 3), (4, 3), 6, Frame(size=(4, 3), orientation=1)),  # annotated upright
    ((3, 4), (4, 3), 6, Frame(size=(3, 4), orientation=6)),  # annotated as stored
    ((8, 6), (4, 3), 6, None),
    (None, (4, 3), 6, Frame(size=(4, 3), orientation=1, is_assumed=True)),
    ((4, 4), (4, 4), 6, Frame(size=(4, 4), orientation=1, is_assumed=True)),  # square
    ((4, 3), (4, 3), 3, Frame(size=(4, 3), orientation=1, is_assumed=True)),
]


@pytest.mark.parametrize(("stated", "upright", "undone", "frame"), FRAMES)
def test_frames(stated: Any, upright: Any, undone: int, frame: Frame | None) -> None:
    assert frame_of(stated, upright, undone) == frame
