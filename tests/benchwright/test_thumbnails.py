"""Pictures made small: proportions, modes, and what lies where one is looked for."""

import base64
import hashlib
import io
from pathlib import Path

import pytest
from PIL import Image

from benchwright.errors import LostPicture
from benchwright.thumbnails import read_stored, thumbnail, thumbnail_uri


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((100, 100), (100, 100)),  # fits, and is never enlarged
        ((400, 400), (150, 150)),
        ((1000, 200), (150, 30)),  # proportions kept
        ((200, 1000), (40, 200)),
        ((3000, 1), (150, 1)),  # never without an edge
    ],
)
def test_thumbnails(size: tuple[int, int], expected: tuple[int, int]) -> None:
    picture = Image.new("RGB", size)
    assert thumbnail(picture, (150, 200)).size == expected
    assert picture.size == size  # the one given is left as it is


def test_a_picture_of_the_catalog_is_what_its_name_says(tmp_path: Path) -> None:
    made = tmp_path / "made.png"
    Image.new("RGB", (9, 9), "teal").save(made)
    path = made.rename(tmp_path / f"{hashlib.sha256(made.read_bytes()).hexdigest()}.png")
    with read_stored(path) as picture:
        assert picture.size == (9, 9)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(LostPicture, match="is not the picture"):
        read_stored(path)
    path.unlink()
    with pytest.raises(LostPicture, match="cannot be read"):
        read_stored(path)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "CMYK", "1"])
def test_any_mode_is_shown(mode: str) -> None:
    assert thumbnail(Image.new(mode, (10, 10)), (5, 5)).mode == "RGB"


def test_a_thumbnail_within_a_page(tmp_path: Path) -> None:
    made = tmp_path / "made.png"
    Image.new("RGB", (300, 100), "teal").save(made)
    path = made.rename(tmp_path / f"{hashlib.sha256(made.read_bytes()).hexdigest()}.png")
    kind, _, data = thumbnail_uri(path, (90, 90)).partition(",")
    assert kind == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as small:
        assert (small.format, small.size) == ("JPEG", (90, 30))
