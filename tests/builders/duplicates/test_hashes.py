"""Fingerprints: what stays the same, what tells apart, what is refused."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from benchwright.errors import WorkspaceError
from builders.duplicates.hashes import (
    Fingerprint,
    Refused,
    fingerprint_file,
    fingerprint_of,
    fingerprint_stored,
)


def scene(seed: int = 0, size: tuple[int, int] = (160, 120)) -> Image.Image:
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (9, 12, 3), dtype=np.uint8))
    return coarse.resize(size, Image.Resampling.BICUBIC)


def bits(one: str | None, other: str | None) -> int:
    assert one is not None
    assert other is not None
    return (int(one, 16) ^ int(other, 16)).bit_count()


def of(image: Image.Image) -> Fingerprint:
    return fingerprint_of(image, "0" * 64)


@pytest.mark.parametrize(
    ("name", "most"),
    [("smaller", 30), ("brighter", 30), ("blurred", 30), ("grey", 2)],
)
def test_what_is_done_to_a_picture_moves_its_hash_little(name: str, most: int) -> None:
    image = scene()
    changed = {
        "smaller": image.resize((80, 60)),
        "brighter": ImageEnhance.Brightness(image).enhance(1.1),
        "blurred": image.filter(ImageFilter.GaussianBlur(1)),
        "grey": image.convert("L").convert("RGB"),
    }[name]
    assert bits(of(image).phash, of(changed).phash) <= most
    assert bits(of(image).phash, of(scene(1)).phash) > 80
    assert of(image).pixels != of(changed).pixels


def test_the_mirrored_hash_is_the_hash_of_the_mirrored_picture() -> None:
    image, flipped = of(scene()), of(ImageOps.mirror(scene()))
    assert bits(image.mirrored, flipped.phash) <= 4
    assert bits(image.phash, flipped.mirrored) <= 4
    assert bits(image.phash, flipped.phash) > 80


def test_a_picture_of_one_tone_has_no_hash() -> None:
    for colour in ("white", "black", "crimson"):
        plain = of(Image.new("RGB", (50, 40), colour))
        assert (plain.phash, plain.mirrored) == (None, None)
    assert of(Image.new("RGB", (50, 40))).pixels != of(Image.new("RGB", (40, 50))).pixels


def test_the_same_pixels_in_another_file_are_the_same(tmp_path: Path) -> None:
    scene().save(tmp_path / "one.png", compress_level=1)
    scene().save(tmp_path / "other.png", compress_level=9)
    one, other = (fingerprint_file(tmp_path, f"{name}.png") for name in ("one", "other"))
    assert isinstance(one, Fingerprint)
    assert isinstance(other, Fingerprint)
    assert one.sha256 != other.sha256
    assert (one.pixels, one.phash) == (other.pixels, other.phash)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"<html><body>gone</body></html>", "html"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "svg"),
        (b"\x89PNG\r\n\x1a\nrubbish", "broken"),
    ],
)
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "a.jpg").write_bytes(data)
    refused = fingerprint_file(tmp_path, "a.jpg")
    assert isinstance(refused, Refused)
    assert refused.reason == reason


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    scene().save(tmp_path / "outside.png")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").symlink_to(tmp_path / "outside.png")
    refused = fingerprint_file(tmp_path / "in", "a.png")
    assert isinstance(refused, Refused)
    assert refused.reason == "outside_folder"


def test_a_broken_picture_of_the_catalog_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "ab.jpg"
    with pytest.raises(WorkspaceError, match="run the build-catalog command again"):
        fingerprint_stored(("ab", path))
    path.write_bytes(b"another picture")
    with pytest.raises(WorkspaceError, match="is not the picture that its name describes"):
        fingerprint_stored(("ab", path))
    half = b"\xff\xd8\xff half"
    path = tmp_path / f"{hashlib.sha256(half).hexdigest()}.jpg"
    path.write_bytes(half)
    with pytest.raises(WorkspaceError, match="cannot be read"):
        fingerprint_stored((path.stem, path))
