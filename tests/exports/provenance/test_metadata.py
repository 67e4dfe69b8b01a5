import io
import struct
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageOps, PngImagePlugin

from benchwright.errors import PictureError
from exports.provenance.metadata import without_metadata

SECRETS = (b"Exif", b"SECRET", b"GPSLat", b"http://ns.adobe.com/xap", b"Photoshop 3.0", b"xmpmeta")
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="x" xmlns:tiff="y">'
    "<rdf:Description {}>SECRET</rdf:Description></rdf:RDF></x:xmpmeta>"
)


def pixels(width: int = 24, height: int = 16, seed: int = 0, mode: str = "RGB") -> Image.Image:
    channels = {"L": (), "RGB": (3,), "RGBA": (4,)}[mode]
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, *channels), np.uint8)
    return Image.fromarray(noise)


def exif(orientation: int | None = None) -> Image.Exif:
    made = Image.Exif()
    made[0x010F] = "SECRET camera"
    if orientation is not None:
        made[0x0112] = orientation
    made.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 29: "SECRET day"})
    return made


def jpeg(image: Image.Image, **more: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "JPEG", **more)
    return stream.getvalue()


def png(image: Image.Image, texts: bool = True, **more: Any) -> bytes:
    info = PngImagePlugin.PngInfo()
    if texts:
        info.add_text("Comment", "SECRET")
        info.add_text("Author", "SECRET", zip=True)
        info.add_itxt("XML:com.adobe.xmp", XMP.format(""))
    stream = io.BytesIO()
    image.save(stream, "PNG", pnginfo=info, **more)
    return stream.getvalue()


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def chunk(kind: bytes, body: bytes) -> bytes:
    crc = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + crc


def after_start(data: bytes, *parts: bytes) -> bytes:
    """Put segments where editors put theirs: behind the two first bytes of a JPEG."""
    return data[:2] + b"".join(parts) + data[2:]


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def check_same(before: bytes, after: bytes) -> None:
    """Assert that the pixels, as stored and as shown, are the same, and nothing else is left."""
    old, new = opened(before), opened(after)
    assert new.mode == old.mode
    assert new.format == old.format
    assert np.array_equal(np.asarray(new), np.asarray(old))
    shown = [np.asarray(ImageOps.exif_transpose(image)) for image in (old, new)]
    assert np.array_equal(*shown)
    assert new.info.get("icc_profile") == old.info.get("icc_profile")
    resolution = "dpi" if old.format == "PNG" else "jfif_density"  # Pillow takes a dpi from EXIF
    assert new.info.get(resolution) == old.info.get(resolution)
    assert set(new.getexif()) <= {0x0112}
    assert new.getexif().get_ifd(0x8825) == {}
    for secret in SECRETS[1:]:
        assert secret not in after
    assert without_metadata(after) == after


@given(
    st.sampled_from([None, *range(1, 9)]),
    st.integers(1, 40),
    st.integers(1, 40),
    st.booleans(),
    st.sampled_from([b"", SRGB]),
    st.sampled_from(["L", "RGB"]),
    st.integers(0, 9),
)
def test_a_jpeg_keeps_its_pixels_and_nothing_of_its_camera(
    turned: int | None,
    width: int,
    height: int,
    progressive: bool,
    profile: bytes,
    mode: str,
    seed: int,
) -> None:
    image = pixels(width, height, seed, mode)
    said = {"dpi": (72, 72), "comment": b"SECRET", "xmp": XMP.format("").encode()}
    before = jpeg(
        image, exif=exif(turned), progressive=progressive, icc_profile=profile or None, **said
    )
    iptc = segment(0xED, b"Photoshop 3.0\x008BIM\x04\x04SECRET")
    check_same(after_start(before, iptc), without_metadata(after_start(before, iptc)))


@given(
    st.sampled_from([None, *range(1, 9)]),
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([b"", SRGB]),
    st.sampled_from(["L", "RGB", "RGBA"]),
    st.integers(0, 9),
)
def test_a_png_keeps_its_pixels_and_nothing_of_its_camera(
    turned: int | None, width: int, height: int, profile: bytes, mode: str, seed: int
) -> None:
    image = pixels(width, height, seed, mode)
    before = png(image, exif=exif(turned), icc_profile=profile or None, dpi=(72, 72))
    check_same(before, without_metadata(before))


@pytest.mark.parametrize("write", [jpeg, png])
def test_a_picture_without_metadata_is_the_same_bytes(write: Any) -> None:
    more = {"texts": False} if write is png else {}
    data = write(pixels(), **more)
    assert without_metadata(data) is data


@pytest.mark.parametrize("turned", [3, 6, 8])
def test_an_orientation_that_xmp_alone_states_stays(turned: int) -> None:
    before = jpeg(pixels(), xmp=XMP.format(f'tiff:Orientation="{turned}"').encode())
    after = without_metadata(before)
    assert opened(after).getexif()[0x0112] == turned
    check_same(before, after)


def test_an_upright_picture_gets_no_exif() -> None:
    assert b"Exif" not in without_metadata(jpeg(pixels(), exif=exif(1)))
    assert b"eXIf" not in without_metadata(png(pixels(), exif=exif(1)))


def test_the_small_copy_of_a_jpeg_goes() -> None:
    # in JFIF itself (2 x 1 pixels), in its extension, and in EXIF
    data = jpeg(pixels())
    jfif = data[4 : 4 + 16]
    assert jfif[2:7] == b"JFIF\0"
    before = (
        data[:2]
        + segment(0xE0, jfif[2:14] + b"\x02\x01SECRET")
        + segment(0xE0, b"JFXX\0\x10SECRET")
        + data[20:]
    )
    check_same(before, without_metadata(before))


@pytest.mark.parametrize(
    "tail",
    [
        b"SECRET",
        jpeg(pixels(seed=3)),  # a second picture, as cameras with two lenses store it
        b"\0" * 9 + b"SECRET ftypmp42",  # the film of a phone
    ],
)
@pytest.mark.parametrize("write", [jpeg, png])
def test_what_follows_the_end_goes(write: Any, tail: bytes) -> None:
    more = {"texts": False} if write is png else {}
    whole = write(pixels(), **more)
    assert without_metadata(whole + tail) == whole


def test_a_comment_between_two_scans_goes() -> None:
    whole = jpeg(pixels(), progressive=True)
    second = whole.index(b"\xff\xda", whole.index(b"\xff\xda") + 2)
    between = whole[:second] + segment(0xFE, b"SECRET") + whole[second:]
    assert without_metadata(between) == whole


def test_bytes_that_fill_before_a_marker_are_read_over() -> None:
    whole = jpeg(pixels())
    assert without_metadata(after_start(whole, b"\xff\xff\xff", segment(0xFE, b"S"))) == whole


def test_chunks_that_nobody_knows_go_and_those_of_the_colours_stay() -> None:
    whole = png(pixels(), texts=False)
    place = 8 + 25  # behind IHDR
    gamma = chunk(b"gAMA", struct.pack(">I", 45455))
    unknown = chunk(b"caBX", b"SECRET") + chunk(b"tIME", b"\x07\xe8\x01\x01\x01\x01\x01")
    before = whole[:place] + gamma + unknown + whole[place:]
    assert without_metadata(before) == whole[:place] + gamma + whole[place:]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda whole: after_start(
            whole, segment(0xF7, b"SECRET")
        ),  # a marker that none should have
        lambda whole: after_start(whole, b"SECRET"),  # no marker where one should be
        lambda whole: whole[:-2] + b"SECRET",  # no end: what is picture, and what is not?
    ],
)
def test_a_jpeg_that_cannot_be_told_apart_is_drawn_anew_or_refused(spoil: Any) -> None:
    before = spoil(jpeg(pixels()))
    try:
        after = without_metadata(before)
    except PictureError:
        return
    assert b"SECRET" not in after
    assert np.array_equal(np.asarray(opened(after)), np.asarray(opened(before)))


def test_another_format_becomes_a_png_of_its_pixels() -> None:
    stream = io.BytesIO()
    pixels().save(stream, "WEBP", lossless=True, exif=exif(1))
    after = without_metadata(stream.getvalue())
    assert after.startswith(b"\x89PNG")
    assert b"SECRET" not in after
    assert np.array_equal(np.asarray(opened(after)), np.asarray(pixels()))


@given(st.data())
def test_a_spoilt_picture_that_decodes_keeps_its_pixels_and_nothing_else(
    data: st.DataObject,
) -> None:
    write = data.draw(st.sampled_from([jpeg, png]))
    whole = bytearray(write(pixels(), exif=exif(6)))
    near = data.draw(st.sampled_from([60, 400, len(whole)]))  # most parts are at the beginning
    for _ in range(data.draw(st.integers(1, 4))):
        spoilt = data.draw(st.sampled_from([0, 0xFF, 0xD8, 0xD9, 0xDA, 0xE1]) | st.integers(0, 255))
        whole[data.draw(st.integers(0, near - 1))] = spoilt
    before = bytes(whole)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of broken EXIF
            after = without_metadata(before)
            old = ImageOps.exif_transpose(opened(before))
    except PictureError:
        return
    except Exception:  # noqa: BLE001  # no picture of a catalog, so nothing is promised of it
        return
    assert b"SECRET" not in after
    new = ImageOps.exif_transpose(opened(after))
    assert np.array_equal(np.asarray(new.convert("RGB")), np.asarray(old.convert("RGB")))


def test_real_pictures_keep_their_pixels() -> None:
    root = Path(__file__).parents[2] / "data"
    paths = sorted([*root.rglob("*.jpg"), *root.rglob("*.png")])
    assert len(paths) > 9
    changed = 0
    for path in paths:
        before = path.read_bytes()
        after = without_metadata(before)
        changed += after != before
        assert opened(after).tobytes() == opened(before).tobytes()
    assert changed  # one of COCO has a comment


def test_nothing_hides_behind_the_colours_of_adobe() -> None:
    adobe = b"Adobe\0\x64\0\0\0\0\x01"
    data = after_start(jpeg(pixels()), segment(0xEE, adobe + b"SECRET"))
    made = without_metadata(data)
    assert segment(0xEE, adobe) in made
    check_same(data, made)
