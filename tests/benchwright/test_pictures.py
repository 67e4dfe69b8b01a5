"""Every picture that people have sent in: read, or refused with the right reason."""

import io
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from benchwright import pictures
from benchwright.errors import PictureError
from benchwright.pictures import locate, read_picture, store_picture

RED, BLUE, GREEN = (200, 30, 30), (30, 30, 200), (30, 160, 30)


def scene(size: tuple[int, int] = (48, 32)) -> Image.Image:
    """Red, with a blue upper left and a green upper right quarter: no turn of it looks alike."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (0, 0, size[0] // 2, size[1] // 2))
    image.paste(GREEN, (size[0] // 2, 0, size[0], size[1] // 2))
    return image


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def corners(image: Image.Image) -> list[tuple[int, ...]]:
    wide, high = image.size
    places = [(2, 2), (wide - 3, 2), (2, high - 3), (wide - 3, high - 3)]
    return [tuple(image.getpixel(place)) for place in places]


def is_near(one: tuple[int, ...], other: tuple[int, ...], by: int = 12) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def turned_jpeg(orientation: int, **options: object) -> bytes:
    """The scene, stored so that a reader that obeys the tag sees it upright."""
    inverse = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[orientation]
    image = scene() if inverse is None else scene().transpose(inverse)
    exif = Image.Exif()
    exif[0x0112] = orientation
    return encoded(image, "JPEG", quality=95, subsampling=0, exif=exif, **options)


@pytest.mark.parametrize(
    ("kind", "extension"),
    [("JPEG", "jpg"), ("PNG", "png")],
)
def test_a_plain_picture_keeps_its_bytes(kind: str, extension: str) -> None:
    data = encoded(scene(), kind)
    picture = read_picture(data)
    assert picture.data == data
    assert (picture.width, picture.height) == (48, 32)
    assert picture.extension == extension
    assert picture.is_original
    assert not picture.is_animated


def test_a_jpeg_with_a_second_picture_in_it_is_a_plain_one() -> None:
    """As telephones write them (MPO)."""
    data = encoded(scene(), "MPO", save_all=True, append_images=[scene()])
    picture = read_picture(data)
    assert (picture.data, picture.extension, picture.is_animated) == (data, "jpg", False)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG", "WEBP"])
def test_orientation_is_applied_once(orientation: int, kind: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = opened(turned_jpeg(orientation))
    data = encoded(stored, kind, exif=exif, **({"lossless": True} if kind == "WEBP" else {}))
    picture = read_picture(data)
    image = opened(picture.data)
    assert (picture.width, picture.height) == image.size == (48, 32)
    assert image.getexif().get(0x0112, 1) == 1
    for got, wanted in zip(corners(image), (BLUE, GREEN, RED, RED), strict=True):
        assert is_near(got, wanted)


@pytest.mark.parametrize("value", [0, 9, 77])
def test_an_orientation_that_means_nothing_is_upright(value: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = value
    data = encoded(scene(), "JPEG", exif=exif)
    assert read_picture(data).data == data


def test_broken_exif_is_no_reason_to_refuse_good_pixels() -> None:
    data = encoded(scene(), "JPEG")
    broken = b"Exif\0\0II*\0\xff\xff\xff\xff\1\2\3"
    segment = b"\xff\xe1" + struct.pack(">H", len(broken) + 2) + broken
    assert read_picture(data[:2] + segment + data[2:]).width == 48


def grey_alpha() -> Image.Image:
    image = Image.new("LA", (8, 8), (0, 0))
    image.paste((0, 255), (0, 0, 4, 8))
    return image


def palette_transparent() -> bytes:
    image = Image.new("P", (8, 8), 1)
    image.putpalette([255, 0, 0, 0, 0, 0] + [0] * 762)
    image.paste(0, (4, 0, 8, 8))
    return encoded(image, "PNG", transparency=0)


def deep_grey(value: int) -> Image.Image:
    return Image.fromarray(np.full((8, 8), value, np.uint16))


def sixteen_bit_rgb() -> bytes:
    """A PNG of 16 bits a channel, which Pillow cannot write."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = struct.pack(">IIBBBBB", 8, 8, 16, 2, 0, 0, 0)
    row = b"\0" + struct.pack(">HHH", 65535, 0, 0) * 8
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(row * 8))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "left", "right"),
    [
        # CMYK, as printers send it
        (encoded(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG"), (255, 0, 0), (255, 0, 0)),
        # palette
        (encoded(Image.new("RGB", (8, 8), RED).quantize(4), "PNG"), RED, RED),
        # palette with one transparent colour: white
        (palette_transparent(), (0, 0, 0), (255, 255, 255)),
        # transparent red is not red
        (encoded(Image.new("RGBA", (8, 8), (255, 0, 0, 0)), "PNG"), (255,) * 3, (255,) * 3),
        # half transparent black on white
        (encoded(Image.new("RGBA", (8, 8), (0, 0, 0, 128)), "PNG"), (127,) * 3, (127,) * 3),
        # grey with alpha
        (encoded(grey_alpha(), "PNG"), (0, 0, 0), (255, 255, 255)),
        # RGB with a transparent colour
        (encoded(Image.new("RGB", (8, 8), RED), "PNG", transparency=RED), (255,) * 3, (255,) * 3),
        # grey
        (encoded(Image.new("L", (8, 8), 90), "JPEG"), (90,) * 3, (90,) * 3),
        # one bit
        (encoded(Image.new("1", (8, 8), 1), "PNG"), (255,) * 3, (255,) * 3),
        # 16 bits of grey: half of 65535 is half of 255, not white
        (encoded(deep_grey(32896), "PNG"), (128,) * 3, (128,) * 3),
        # 16 bits of grey in a TIFF
        (encoded(deep_grey(65535), "TIFF"), (255,) * 3, (255,) * 3),
        # 16 bits of each colour
        (sixteen_bit_rgb(), (255, 0, 0), (255, 0, 0)),
        # other formats
        (encoded(Image.new("RGB", (8, 8), RED), "BMP"), RED, RED),
        (encoded(Image.new("RGB", (8, 8), RED), "WEBP", lossless=True), RED, RED),
        (encoded(Image.new("RGB", (8, 8), RED), "TIFF"), RED, RED),
        (encoded(Image.new("RGB", (8, 8), RED), "AVIF", quality=100), RED, RED),
        (encoded(Image.new("RGBA", (8, 8)), "WEBP", lossless=True), (255,) * 3, (255,) * 3),
    ],
)  # fmt: skip
def test_everything_becomes_upright_srgb(
    data: bytes, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    picture = read_picture(data)
    image = opened(picture.data)
    assert image.format == "PNG"
    assert image.mode == "RGB"
    assert not image.info
    assert not picture.is_original
    assert is_near(tuple(image.getpixel((1, 4))), left, by=3)
    assert is_near(tuple(image.getpixel((6, 4))), right, by=3)
    assert read_picture(data).data == picture.data


def test_a_colour_profile_is_applied() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    own = encoded(scene(), "JPEG", icc_profile=srgb)
    assert read_picture(own).data == own  # sRGB said aloud is still plain
    # a profile with red and blue exchanged shows whether anybody looked at it
    tags = {srgb[p : p + 4]: p for p in range(132, 132 + 12 * 20, 12)}
    swapped = bytearray(srgb)
    red, blue = tags[b"rXYZ"], tags[b"bXYZ"]
    swapped[red + 4 : red + 12], swapped[blue + 4 : blue + 12] = (
        srgb[blue + 4 : blue + 12],
        srgb[red + 4 : red + 12],
    )
    swapped = bytes(swapped).replace("sRGB".encode("utf-16-be"), "xRGB".encode("utf-16-be"))
    swapped = swapped.replace(b"sRGB", b"xRGB")
    picture = read_picture(
        encoded(Image.new("RGB", (8, 8), (255, 0, 0)), "PNG", icc_profile=swapped)
    )
    assert is_near(tuple(opened(picture.data).getpixel((4, 4))), (0, 0, 255), by=40)
    assert "icc_profile" not in opened(picture.data).info


@pytest.mark.parametrize("profile", [b"no profile", b"\0" * 200])
def test_a_broken_profile_is_ignored(profile: bytes) -> None:
    assert read_picture(encoded(scene(), "JPEG", icc_profile=profile)).width == 48


def test_a_profile_for_other_channels_is_ignored() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    data = encoded(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG", icc_profile=srgb)
    assert is_near(tuple(opened(read_picture(data).data).getpixel((1, 1))), (255, 0, 0), by=3)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_of_an_animation_the_first_frame_is_kept_and_flagged(kind: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, BLUE, GREEN)]
    options = {"lossless": True} if kind == "WEBP" else {}
    picture = read_picture(
        encoded(frames[0], kind, save_all=True, append_images=frames[1:], **options)
    )
    assert picture.is_animated
    assert picture.extension == "png"
    image = opened(picture.data)
    assert not getattr(image, "is_animated", False)
    assert is_near(tuple(image.getpixel((4, 4))), RED, by=4)


def bomb_png(wide: int, high: int) -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    body = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    data = b"IDAT" + zlib.compress(b"")
    return (
        b"\x89PNG\r\n\x1a\n" + body
        + struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))
    )  # fmt: skip


def bomb_webp(wide: int, high: int) -> bytes:
    body = b"VP8X" + struct.pack("<I", 10) + b"\0\0\0\0"
    body += (wide - 1).to_bytes(3, "little") + (high - 1).to_bytes(3, "little")
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def gif_bomb() -> bytes:
    return b"GIF89a" + struct.pack("<HH", 40000, 20000) + encoded(scene(), "GIF")[10:]


HALF = len(encoded(scene((400, 300)), "JPEG")) // 2
MARKUP = b'<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg"></svg>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),  # a file of no bytes
        (b"<!DOCTYPE html><html><body>404</body></html>", "html"),  # a page saved as .jpg
        (b"\xef\xbb\xbf\n  <HTML><head>", "html"),  # with a mark and blanks
        (b"<html><body><svg></svg></body>", "html"),  # a page with a drawing in it
        (MARKUP, "svg"),
        (b"<svg width='9'/>", "svg"),
        (b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "unknown_format"),
        (b'{"error": "not found"}', "unknown_format"),
        (b"%PDF-1.7", "unknown_format"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "unknown_format"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "unknown_format"),
        (b"\0" * 64, "unknown_format"),
        (b"\xff\xd8", "unknown_format"),  # less than a header
        (b"\xff\xd8\xff", "broken"),
        (encoded(scene((400, 300)), "JPEG")[:HALF], "truncated"),  # half a JPEG
        (encoded(scene((400, 300)), "JPEG", progressive=True)[:HALF], "truncated"),
        (encoded(scene(), "PNG")[:60], None),  # half of the others, by whatever name
        (encoded(scene((400, 300)), "BMP")[:5000], None),
        (encoded(scene((400, 300)), "GIF")[:300], None),
        (encoded(scene((400, 300)), "TIFF")[:3000], None),
        (encoded(scene((400, 300)), "WEBP")[:100], None),
        (encoded(scene((400, 300)), "AVIF")[:100], None),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "broken"),
        (b"BM" + b"\xff" * 100, None),
        (b"II*\0" + b"\xff" * 100, None),
        (b"RIFF\0\0\0\0WEBPVP8 ", None),
        (bomb_png(40_000, 20_000), "too_many_pixels"),  # 800 megapixels
        (bomb_png(20_000, 9_000), "too_many_pixels"),  # just over
        (bomb_webp(16_384, 16_384), "too_many_pixels"),
        (gif_bomb(), "too_many_pixels"),
        (encoded(Image.fromarray(np.full((8, 8), 0.5, np.float32)), "TIFF"), "unsupported_depth"),
        (encoded(Image.fromarray(np.full((8, 8), -5, np.int32)), "TIFF"), "unsupported_depth"),
    ],
)
def test_what_is_no_good_picture_is_refused(data: bytes, reason: str | None) -> None:
    with pytest.raises(PictureError) as caught:
        read_picture(data)
    assert reason is None or caught.value.reason == reason
    assert str(caught.value)


def test_nothing_is_decoded_of_a_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image.Image, "load", lambda _self: pytest.fail("decoded"))
    with pytest.raises(PictureError, match="the header says"):
        read_picture(bomb_png(20_000, 9_000))


@pytest.mark.parametrize(
    ("raised", "wanted"),
    [
        (OSError("x"), PictureError),
        (SyntaxError("x"), PictureError),
        (struct.error("x"), PictureError),
        (RecursionError("x"), PictureError),
        (ZeroDivisionError("x"), PictureError),
        (MemoryError(), MemoryError),  # the machine's fault, not the picture's
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_whatever_pillow_raises(
    raised: BaseException, wanted: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(pictures.Image, "open", fail)
    with pytest.raises(wanted):
        read_picture(encoded(scene(), "PNG"))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF"]))
    damaged = bytearray(encoded(scene(), kind))
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        picture = read_picture(bytes(damaged))
    except PictureError:
        return
    assert opened(picture.data).size == (picture.width, picture.height)


def test_pictures_are_stored_by_their_hash(tmp_path: Path) -> None:
    picture = read_picture(encoded(scene(), "JPEG"))
    name = store_picture(picture, tmp_path)
    assert name == f"{picture.sha256[:2]}/{picture.sha256}.jpg"
    written = (tmp_path / name).stat().st_mtime_ns
    assert store_picture(picture, tmp_path) == name
    assert (tmp_path / name).stat().st_mtime_ns == written  # it is not written twice
    # half of it, and what a power cut leaves of a file that was not synced: its size alone
    for spoilt in (b"half", bytes(len(picture.data))):
        (tmp_path / name).write_bytes(spoilt)
        store_picture(picture, tmp_path, synced=False)
        assert (tmp_path / name).read_bytes() == picture.data
    assert sorted(path.name for path in (tmp_path / name).parent.iterdir()) == [Path(name).name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    (inside / "sub").mkdir(parents=True)
    for name in ("a[1].png", "B.JPG", "c.jpeg", "sub/d e.png", "café.png", "..odd.png"):
        (inside / name).write_bytes(b"x")
    (tmp_path / "secret.png").write_bytes(b"x")
    (inside / "out.png").symlink_to(tmp_path / "secret.png")
    (inside / "loop.png").symlink_to(inside / "loop.png")
    (inside / "in.png").symlink_to(inside / "c.jpeg")
    os.mkfifo(inside / "pipe.png")
    return inside


@pytest.mark.parametrize(
    "name",
    [
        "a[1].png",  # no pattern
        "B.JPG",
        "c.jpeg",
        "./sub/d e.png",
        "sub\\d e.png",  # a table made on Windows
        "cafe\u0301.png",  # decomposed, as on a Mac
        "..odd.png",  # two dots in a name are no way up
        "in.png",  # a link that stays inside
    ],
)
def test_files_are_found_as_given(folder: Path, name: str) -> None:
    assert locate(folder, name).read_bytes() == b"x"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../secret.png", "outside_folder"),
        ("sub/../../secret.png", "outside_folder"),
        ("sub/../c.jpeg", "outside_folder"),  # even where it stays inside
        ("..\\secret.png", "outside_folder"),
        ("/etc/passwd", "outside_folder"),
        ("out.png", "outside_folder"),
        ("loop.png", "missing_file"),
        ("nothing.png", "missing_file"),
        ("sub", "missing_file"),  # a folder
        ("pipe.png", "missing_file"),  # would never end
        ("x" * 5000, "missing_file"),
        ("", "bad_reference"),
        ("  ", "bad_reference"),
        ("a\0.png", "bad_reference"),
        ("\ud800.png", "missing_file"),
    ],
)
def test_hostile_references(folder: Path, name: str, reason: str) -> None:
    with pytest.raises(PictureError) as caught:
        locate(folder, name)
    assert caught.value.reason == reason


def test_an_absolute_path_inside_the_folder_is_fine(folder: Path) -> None:
    assert locate(folder, str(folder / "c.jpeg")).name == "c.jpeg"


def test_a_huge_file_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MAX_BYTES", 0)
    with pytest.raises(PictureError) as caught:
        pictures.load_file(folder / "c.jpeg")
    assert caught.value.reason == "too_large"
