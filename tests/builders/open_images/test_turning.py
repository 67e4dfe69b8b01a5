"""Picture, boxes and masks turn together."""

import io
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from builders.masks import encode
from builders.open_images.turning import ORIENTATIONS, md5_digest, read_turned

LISTS = "ImageID,Subset,OriginalURL,Rotation\n"
BOX = "ImageID,LabelName,XMin,XMax,YMin,YMax\n"
MASK = "MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks\n"


def red_area(data: bytes) -> tuple[int, int, int, int]:
    """The box (x1, y1, x2, y2) of what is red."""
    samples = np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)
    rows, columns = np.nonzero((samples[:, :, 0] > 200) & (samples[:, :, 1] < 80))
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


@pytest.mark.parametrize(
    ("rotation", "exif", "effective"),
    [
        ("0.0", None, 0),
        ("90", None, 90),
        ("180.0", None, 180),
        ("270.0", None, 270),
        ("", None, 0),  # unknown: nothing to turn
        ("nan", None, 0),
        ("270.0", 6, 270),  # the tag says what Rotation says: turned once
        ("90.0", 6, 90),  # they contradict each other: Rotation
        ("0.0", 6, 0),
        ("", 6, 270),  # the tag alone
        ("nan", 8, 90),
        ("nan", 3, 180),
    ],
)
def test_red_quarter(
    tmp_path: Path,
    build: Callable[..., Any],
    jpeg: Callable[..., bytes],
    write: Callable[..., Path],
    rotation: str,
    exif: int | None,
    effective: int,
) -> None:
    """The box and the mask of the red quarter lie on it, however it was turned."""
    mask = Image.new("1", (40, 20))
    mask.paste(1, (0, 0, 20, 10))
    stream = io.BytesIO()
    mask.save(stream, "PNG")
    folder = write(
        tmp_path / "in",
        {
            "a.csv": f"{LISTS}x,train,,{rotation}\n",
            "b.csv": f"{BOX}x,/m/0,0,0.5,0,0.5\n",
            "c.csv": f"{MASK}x_m.png,x,/m/0,1,0,0.5,0,0.5,0.9,\n",
            "x.jpg": jpeg(40, 20, exif),
            "masks/x_m.png": stream.getvalue(),
        },
    )
    result = build(folder, tmp_path)
    item = result.items["x"]
    upright = (20, 40) if effective in (90, 270) else (40, 20)
    assert (item.width, item.height) == upright
    assert item.image is not None
    red = red_area((tmp_path / "catalog" / "images" / item.image).read_bytes())
    (one,) = item.objects
    x, y, width, height = one.bbox
    assert (x, y, x + width, y + height) == pytest.approx(red)
    wanted = np.zeros((item.height, item.width), np.uint8)
    wanted[red[1] : red[3], red[0] : red[2]] = 1
    assert one.mask == encode(wanted)
    assert one.area == 200
    assert result.altered == ({"turned": 1} if effective else {})


@pytest.mark.parametrize(
    ("exif", "rotation"), list(itertools.product([None, *range(1, 9)], [None, 0, 90, 180, 270]))
)
def test_read_turned(jpeg: Callable[..., bytes], exif: int | None, rotation: int | None) -> None:
    """The picture that comes out is the stored one, turned as its orientation says."""
    data = jpeg(12, 6, exif)
    picture = read_turned(data, rotation)
    assert picture.orientation == ((exif or 1) if rotation is None else ORIENTATIONS[rotation])
    stored = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    turned = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB"))
    if rotation is not None:
        assert np.array_equal(turned, np.rot90(stored, rotation // 90))
    assert (picture.width, picture.height) == (turned.shape[1], turned.shape[0])
    assert picture.is_original == (picture.orientation == 1 and exif in (None, 1))


@pytest.mark.parametrize("rotation", ["45", "-90", "left", "1e400"])
def test_bad_rotation(
    tmp_path: Path,
    build: Callable[..., Any],
    jpeg: Callable[..., bytes],
    write: Callable[..., Path],
    rotation: str,
) -> None:
    folder = write(tmp_path / "in", {"a.csv": f"{LISTS}x,train,,{rotation}\n", "x.jpg": jpeg(8, 4)})
    result = build(folder, tmp_path)
    assert result.altered == {"bad_rotation": 1}
    assert result.items["x"].width == 8


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("KFukvivpCM5QXl5SqKe41g==", True),  # base64 of 16 bytes
        ("285ba4be2be908ce505e5e52a8a7b8d6", False),  # hex
        ("", False),
        ("äöü=", False),
    ],
)
def test_md5_is_base64(text: str, good: bool) -> None:
    assert (md5_digest(text) is not None) is good
