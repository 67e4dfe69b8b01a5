"""Pictures as they are sent: right pixels, true types, sizes known beforehand, encoded once."""

import base64
import hashlib
import io
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from benchwright import pictures
from benchwright.asking import views
from benchwright.asking.requests import PicturePart, View
from benchwright.asking.views import Encoded, Encoder, part_of, shown_size
from benchwright.asking.voters import PictureLimits
from benchwright.errors import LostPicture, PictureError, UsageError

RED, BLUE, GREEN, FRAME = (200, 30, 30), (30, 30, 200), (30, 160, 30), (255, 0, 0)
WHITE = (255, 255, 255)
PNG = PictureLimits(format="png")
PLAIN = PictureLimits()


def scene(size: tuple[int, int] = (480, 320)) -> Image.Image:
    """Red, with a blue upper left and a green upper right quarter: no turn of it looks alike."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (0, 0, size[0] // 2, size[1] // 2))
    image.paste(GREEN, (size[0] // 2, 0, size[0], size[1] // 2))
    return image


def saved(image: Image.Image, path: Path, kind: str, **options: object) -> PicturePart:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    path.write_bytes(stream.getvalue())
    return PicturePart(sha256=hashlib.sha256(stream.getvalue()).hexdigest(), path=path)


def viewed(part: PicturePart, **view: object) -> PicturePart:
    return PicturePart(sha256=part.sha256, path=part.path, view=View(**view))


def sent_bytes(encoded: Encoded) -> bytes:
    head, data = encoded.uri.split(",", 1)
    assert head == f"data:{encoded.mime};base64"
    return base64.b64decode(data, validate=True)


def sent(encoded: Encoded) -> Image.Image:
    """What a server decodes; its type and size are those that were said."""
    image = Image.open(io.BytesIO(sent_bytes(encoded)))
    image.load()
    assert image.get_format_mimetype() == encoded.mime
    assert image.size == (encoded.width, encoded.height)
    assert image.mode == "RGB"
    return image


def is_near(one: object, other: tuple[int, ...], by: int = 14) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def is_scene(image: Image.Image) -> bool:
    wide, high = image.size
    places = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)]
    found = [image.getpixel((int(x * wide), int(y * high))) for x, y in places]
    return all(map(is_near, found, (BLUE, GREEN, RED, RED)))


SIZES = [
    # picture, view, limits, right
    ((480, 320), View(), PLAIN, (480, 320)),  # nothing to do
    ((3000, 2000), View(), PLAIN, (1536, 1024)),  # the voter's longest side
    ((2000, 3000), View(long_side=600), PLAIN, (400, 600)),  # the view's
    ((2000, 3000), View(long_side=9000), PLAIN, (1024, 1536)),  # the smaller of the two
    ((1000, 333), View(long_side=100), PLAIN, (100, 33)),  # 33.3
    ((1000, 335), View(long_side=100), PLAIN, (100, 34)),  # 33.5: a half goes up
    ((480, 10), View(), PLAIN, (480, 28)),  # padded
    ((9, 9), View(), PLAIN, (28, 28)),  # padded in both ways
    ((20_000, 2), View(long_side=500), PLAIN, (500, 28)),  # 0.05 pixels: one, then padded
    ((480, 320), View(crop=(0, 0, 100, 50)), PLAIN, (100, 50)),
    ((480, 320), View(crop=(10.5, 10.5, 100, 50)), PLAIN, (101, 51)),  # all pixels touched
    ((480, 320), View(crop=(10, 10, 30.0000000001, 50)), PLAIN, (30, 50)),  # rounding of floats
    ((480, 320), View(crop=(-50, -50, 100, 100)), PLAIN, (50, 50)),  # only what is there
    ((480, 320), View(crop=(400, 300, 1e9, 1e9)), PLAIN, (80, 28)),  # 80 x 20, padded
    ((480, 320), View(crop=(0, 0, float("inf"), 50)), PLAIN, (480, 50)),
    ((480, 320), View(crop=(479.9999999, 0, 5, 40)), PLAIN, (28, 40)),  # the last column
    ((480, 320), View(outline=(5, 5, 9, 9)), PLAIN, (480, 320)),  # an outline takes no room
    ((70_000, 100), View(), PictureLimits(max_side=99_999), (65_500, 94)),  # all a JPEG can
    ((70_000, 100), View(), PictureLimits(max_side=99_999, format="png"), (70_000, 100)),
]


@pytest.mark.parametrize(("size", "view", "limits", "right"), SIZES)
def test_size_of_what_is_shown(size, view, limits, right):
    assert shown_size(*size, view, limits) == right


NOTHING_LEFT = [
    View(crop=(480, 0, 10, 10)),  # beside the picture
    View(crop=(-20, 0, 20, 10)),
    View(crop=(0, 0, 0, 10)),  # no area
    View(crop=(10, 10, -5, 5)),
    View(crop=(float("nan"), 0, 10, 10)),
    View(crop=(0, 0, 10, float("nan"))),
    View(crop=(float("-inf"), 0, float("inf"), 10)),
    View(outline=(500, 0, 10, 10)),
    View(crop=(0, 0, 50, 50), outline=(60, 60, 20, 20)),  # outlined is what is cut away
    View(long_side=0),
    View(long_side=-3),
]


@pytest.mark.parametrize("view", NOTHING_LEFT)
def test_a_view_of_nothing_is_refused(tmp_path, view):
    part = saved(scene(), tmp_path / "a.png", "PNG")
    with pytest.raises(UsageError, match="of a view: wanted"):
        shown_size(480, 320, view, PLAIN)
    with pytest.raises(UsageError, match="of a view: wanted"):
        Encoder().encoded(PicturePart(sha256=part.sha256, path=part.path, view=view), PLAIN)


numbers = st.floats(-50, 250)
box = st.tuples(numbers, numbers, st.floats(-5, 300), st.floats(-5, 300))
side = st.integers(1, 200)


@given(
    size=st.tuples(side, side),
    crop=st.none() | box,
    outline=st.none() | box,
    long_side=st.none() | side,
    limits=st.tuples(side, side, st.sampled_from(["jpeg", "png"])),
    kind=st.sampled_from(["JPEG", "PNG", "BMP"]),
)
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_size_is_known_before(tmp_path, size, crop, outline, long_side, limits, kind):
    part = saved(scene(size), tmp_path / "a", kind)
    view = View(crop=crop, outline=outline, long_side=long_side)
    one, other, encoding = limits
    allowed = PictureLimits(max_side=max(one, other), min_side=min(one, other), format=encoding)
    try:
        expected = shown_size(*size, view, allowed)
    except UsageError:
        with pytest.raises(UsageError):
            Encoder().encoded(PicturePart(sha256=part.sha256, path=part.path, view=view), allowed)
        return
    encoded = Encoder().encoded(PicturePart(sha256=part.sha256, path=part.path, view=view), allowed)
    assert sent(encoded).size == expected
    assert max(expected) <= allowed.max_side
    assert min(expected) >= allowed.min_side


@pytest.mark.parametrize(
    ("kind", "name", "mime"),
    [
        ("JPEG", "a.png", "image/jpeg"),  # the name lies
        ("PNG", "a.jpg", "image/png"),
        ("PNG", "a.webp", "image/png"),
        ("JPEG", "picture", "image/jpeg"),  # no name at all
    ],
)
@pytest.mark.parametrize("limits", [PLAIN, PNG])
def test_plain_pictures_go_out_as_their_bytes(tmp_path, kind, name, mime, limits):
    part = saved(scene(), tmp_path / name, kind)
    encoded = Encoder().encoded(part, limits)
    assert (encoded.mime, encoded.width, encoded.height) == (mime, 480, 320)
    assert sent_bytes(encoded) == part.path.read_bytes()
    whole = Encoder().encoded(viewed(part, crop=(0, 0, 480, 320), long_side=480), limits)
    assert whole == encoded  # a crop of everything changes nothing


def with_alpha() -> Image.Image:
    image = scene().convert("RGBA")
    image.putalpha(255)
    return image


def turned(exif_orientation: int) -> dict[str, object]:
    exif = Image.Exif()
    exif[0x0112] = exif_orientation
    return {"exif": exif.tobytes(), "quality": 95}


@pytest.mark.parametrize(
    ("image", "kind", "options"),
    [
        (scene(), "WEBP", {"lossless": True}),  # no server has to take these three
        (scene(), "BMP", {}),
        (scene(), "TIFF", {}),
        (scene().quantize(8), "PNG", {}),  # palette
        (scene().quantize(8), "GIF", {}),
        (with_alpha(), "PNG", {}),
        (scene().convert("CMYK"), "JPEG", {"quality": 95}),
        (scene().transpose(Image.Transpose.ROTATE_90), "JPEG", turned(6)),
        (scene().transpose(Image.Transpose.ROTATE_180), "JPEG", turned(3)),
        (scene(), "JPEG", turned(1)),
    ],
)
@pytest.mark.parametrize(("limits", "mime"), [(PLAIN, "image/jpeg"), (PNG, "image/png")])
def test_whatever_came_is_sent_upright(tmp_path, image, kind, options, limits, mime):
    part = saved(image, tmp_path / "a.png", kind, **options)
    small = Encoder().encoded(viewed(part, long_side=240), limits)
    assert small.mime == mime
    assert sent(small).size == (240, 160)
    assert is_scene(sent(small))
    whole = sent(Encoder().encoded(part, limits))
    assert whole.size == (480, 320)
    assert is_scene(whole)
    assert whole.getexif().get(0x0112, 1) == 1


def test_transparency_is_laid_on_the_background_of_the_catalog(tmp_path):
    image = scene().convert("RGBA")
    image.putalpha(0)
    encoded = Encoder().encoded(saved(image, tmp_path / "a", "PNG"), PNG)
    assert sent(encoded).getpixel((10, 10)) == pictures.BACKGROUND


def test_the_crop_shows_what_it_names(tmp_path):
    part = saved(scene(), tmp_path / "a", "PNG")
    crop = sent(Encoder().encoded(viewed(part, crop=(240, 0, 240, 160)), PNG))
    assert np.unique(np.asarray(crop).reshape(-1, 3), axis=0).tolist() == [list(GREEN)]


def test_scaling_takes_nothing_from_outside_the_crop(tmp_path):
    part = saved(scene(), tmp_path / "a", "PNG")
    crop = sent(Encoder().encoded(viewed(part, crop=(240, 0, 240, 160), long_side=60), PNG))
    assert np.unique(np.asarray(crop).reshape(-1, 3), axis=0).tolist() == [list(GREEN)]


@pytest.mark.parametrize(
    ("size", "long_side", "thick"),
    [
        ((400, 400), None, 2),  # 400 / 200
        ((1200, 800), None, 6),
        ((4000, 3000), 1200, 6),  # of what is sent, not of the source
        ((100, 100), None, 2),  # never thinner
    ],
)
@pytest.mark.parametrize("limits", [PLAIN, PNG])
def test_the_frame_lies_around_its_box(tmp_path, size, long_side, thick, limits):
    part = saved(Image.new("RGB", size, BLUE), tmp_path / "a", "PNG")
    outline = (size[0] * 0.25, size[1] * 0.5, size[0] * 0.5, size[1] * 0.25)
    image = sent(Encoder().encoded(viewed(part, outline=outline, long_side=long_side), limits))
    wide, high = image.size
    for step in range(1, thick + 1):  # left and top of the box, right and bottom edges
        assert is_near(image.getpixel((wide // 4 - step, int(high * 0.6))), FRAME, 40)
        assert is_near(image.getpixel((wide // 2, high // 2 - step)), FRAME, 40)
        assert is_near(image.getpixel((wide * 3 // 4 + step - 1, int(high * 0.6))), FRAME, 40)
        assert is_near(image.getpixel((wide // 2, high * 3 // 4 + step - 1)), FRAME, 40)
    beyond = thick + 3  # JPEG blurs a little
    assert is_near(image.getpixel((wide // 4 - beyond, int(high * 0.6))), BLUE, 40)
    assert is_near(image.getpixel((wide // 2, int(high * 0.6))), BLUE)  # the object stays visible


def test_the_frame_of_the_whole_picture_stays_inside(tmp_path):
    part = saved(Image.new("RGB", (100, 80), BLUE), tmp_path / "a", "PNG")
    image = sent(Encoder().encoded(viewed(part, outline=(-5, -5, 500, 500)), PNG))
    edge = [(0, 0), (1, 1), (99, 79), (98, 78), (0, 40), (99, 40), (50, 0), (50, 79)]
    assert [image.getpixel(place) for place in edge] == [FRAME] * 8
    assert image.getpixel((2, 2)) == BLUE


def test_the_frame_follows_crop_and_scale(tmp_path):
    part = saved(Image.new("RGB", (1000, 1000), BLUE), tmp_path / "a", "PNG")
    view = {"crop": (500, 500, 500, 500), "outline": (700, 600, 100, 200), "long_side": 250}
    image = sent(Encoder().encoded(viewed(part, **view), PNG))
    red = np.argwhere((np.asarray(image) == FRAME).all(axis=2))
    # the box is 100..150 by 50..150 in what is sent, the frame 2 pixels wide around it
    assert (red.min(axis=0).tolist(), red.max(axis=0).tolist()) == ([48, 98], [151, 151])


def test_a_frame_is_on_its_own_view_only(tmp_path):
    part = saved(scene(), tmp_path / "a", "PNG")
    encoder = Encoder()
    framed = encoder.encoded(viewed(part, outline=(0, 0, 50, 50)), PNG)
    crop = encoder.encoded(viewed(part, crop=(0, 0, 50, 50)), PNG)
    assert sent(framed).getpixel((0, 0)) == FRAME
    assert sent(crop).getpixel((0, 0)) == BLUE


@pytest.mark.parametrize("lies", [True, False])
def test_short_sides_are_padded_in_the_middle_never_stretched(tmp_path, lies):
    size = (100, 10) if lies else (10, 100)
    part = saved(Image.new("RGB", size, BLUE), tmp_path / "a", "PNG")
    pixels = np.asarray(sent(Encoder().encoded(part, PNG)))
    across = pixels[:, 50] if lies else pixels[50]
    assert across.tolist() == [list(WHITE)] * 9 + [list(BLUE)] * 10 + [list(WHITE)] * 9


def test_fine_patterns_become_their_mean(tmp_path):
    fine = Image.fromarray(np.indices((400, 400)).sum(axis=0).astype(np.uint8) % 2 * 255)
    part = saved(fine.convert("RGB"), tmp_path / "a", "PNG")
    pixels = np.asarray(sent(Encoder().encoded(viewed(part, long_side=90), PNG))).astype(int)
    assert abs(pixels[5:-5, 5:-5] - 127.5).max() < 12  # no moiré


def test_jpeg_keeps_full_colour_and_quality(tmp_path):
    part = saved(scene(), tmp_path / "a", "PNG")
    encoder = Encoder()
    images = [
        sent(encoder.encoded(viewed(part, long_side=400), PictureLimits(quality=quality)))
        for quality in (30, 92)
    ]
    for image in images:
        # 4:4:4: every component is sampled 1 x 1
        assert [layer[1:3] for layer in image.layer] == [(1, 1)] * 3
    rough, fine = (sum(image.quantization[0]) for image in images)
    assert rough > fine


def test_notes_of_the_source_are_not_sent_again(tmp_path):
    part = saved(scene(), tmp_path / "a", "JPEG", comment=b"secret place")
    shown = Encoder().encoded(viewed(part, long_side=100), PLAIN)
    assert b"secret" not in sent_bytes(shown)


def test_large_pictures_are_sent_without_a_warning(tmp_path, monkeypatch):
    part = saved(scene(), tmp_path / "a", "PNG")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100_000)  # of 153,600: Pillow would warn
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Encoder().encoded(part, PLAIN).width == 480


def test_same_input_same_bytes(tmp_path):
    part = viewed(saved(scene(), tmp_path / "a", "JPEG"), outline=(5, 5, 50, 50), long_side=300)
    first, second = Encoder(), Encoder(most_pixels=0, most_bytes=0)
    second.encoded(viewed(part, crop=(0, 0, 9, 9)), PLAIN)  # what was made before plays no part
    assert first.encoded(part, PLAIN) == second.encoded(part, PLAIN)


def test_pictures_that_are_not_theirs(tmp_path):
    part = saved(scene(), tmp_path / "a", "JPEG")
    gone = PicturePart(sha256=part.sha256, path=tmp_path / "b")
    with pytest.raises(LostPicture, match="cannot be read"):
        Encoder().encoded(gone, PLAIN)
    with pytest.raises(LostPicture, match="cannot be read"):
        Encoder().encoded(PicturePart(sha256=part.sha256, path=tmp_path), PLAIN)
    saved(scene((40, 40)), tmp_path / "a", "JPEG")  # another picture in its place
    encoder = Encoder()
    for _ in range(2):  # an error is not kept, nor does it block
        with pytest.raises(LostPicture, match="another sha256"):
            encoder.encoded(part, PLAIN)
    saved(scene(), tmp_path / "a", "JPEG")
    assert encoder.encoded(part, PLAIN).width == 480


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><html></html>", "html"),
        (b"\xff\xd8\xff\xe0 and no more", "broken"),
        (b"neither", "unknown_format"),
    ],
)
def test_what_is_no_picture(tmp_path, data, reason):
    path = tmp_path / "shoe.jpg"
    path.write_bytes(data)
    part = PicturePart(sha256=hashlib.sha256(data).hexdigest(), path=path)
    for attempt in (lambda: part_of(path), lambda: Encoder().encoded(part, PLAIN)):
        with pytest.raises(PictureError, match=r"shoe\.jpg") as caught:
            attempt()
        assert caught.value.reason == reason


def test_half_a_jpeg_is_never_sent(tmp_path):
    part = saved(scene(), tmp_path / "a", "JPEG")
    data = part.path.read_bytes()[:-800]
    part.path.write_bytes(data)
    with pytest.raises(PictureError):
        Encoder().encoded(
            PicturePart(sha256=hashlib.sha256(data).hexdigest(), path=part.path), PLAIN
        )


def test_part_of_a_file(tmp_path):
    right = saved(scene(), tmp_path / "a.png", "WEBP")
    assert part_of(tmp_path / "a.png") == right
    view = View(crop=(0, 0, 5, 5))
    assert part_of(tmp_path / "a.png", view) == PicturePart(
        sha256=right.sha256, path=right.path, view=view
    )
    with pytest.raises(PictureError, match="missing"):
        part_of(tmp_path / "missing.png")


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """Count the calls of one of the module's functions."""
    calls: list[object] = []
    real = getattr(views, name)

    def counting(*given: object) -> object:
        calls.append(given)
        return real(*given)

    monkeypatch.setattr(views, name, counting)
    return calls


def test_each_view_is_encoded_once_and_each_picture_decoded_once(tmp_path, monkeypatch):
    part = saved(scene(), tmp_path / "a", "JPEG")
    drawn, read = counted(monkeypatch, "drawn"), counted(monkeypatch, "source_of")
    encoder = Encoder()
    shown = [viewed(part, long_side=200), viewed(part, crop=(0, 0, 50, 50)), viewed(part)]
    assert [encoder.cached(each, PLAIN) for each in shown] == [None] * 3
    first = [encoder.encoded(each, PLAIN) for each in shown]
    again = [encoder.encoded(each, PictureLimits(at_once=1)) for each in shown]  # not the bytes
    assert [encoder.cached(each, PLAIN) for each in shown] == first == again
    assert (len(drawn), len(read)) == (2, 1)  # the whole picture is not drawn at all
    encoder.encoded(shown[0], PictureLimits(quality=50))  # other bytes
    encoder.encoded(shown[0], PictureLimits(max_side=100))
    encoder.encoded(shown[0], PNG)
    assert (len(drawn), len(read)) == (5, 1)


def test_memory_is_bounded_and_the_oldest_goes_first(tmp_path, monkeypatch):
    parts = [saved(scene((300, 200 + i)), tmp_path / str(i), "PNG") for i in range(6)]
    lengths = [len(Encoder().encoded(part, PLAIN).uri) for part in parts]
    encoder = Encoder(most_bytes=sum(lengths[:3]) + 5, most_pixels=0)
    for part in parts[:3]:
        encoder.encoded(part, PLAIN)
    encoder.cached(parts[0], PLAIN)  # used again: the second is the oldest now
    encoder.encoded(parts[3], PLAIN)
    kept = [encoder.cached(part, PLAIN) is not None for part in parts]
    assert kept[0]
    assert not kept[1]
    assert kept[3]
    read = counted(monkeypatch, "source_of")
    encoder.encoded(viewed(parts[0], long_side=50), PLAIN)
    encoder.encoded(viewed(parts[0], long_side=60), PLAIN)
    assert len(read) == 2  # no pixels are kept
    tiny = Encoder(most_bytes=10)
    assert tiny.encoded(parts[0], PLAIN).width == 300
    assert tiny.cached(parts[0], PLAIN) is None  # more than all that may be kept


def together(count: int, call: object) -> list[object]:
    """Call in so many threads at once; return what each gave or raised."""
    gate, found = threading.Barrier(count), []

    def run() -> None:
        gate.wait(10)
        try:
            found.append(call())
        except LostPicture as error:
            found.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return found


def test_threads_share_the_work_of_one(tmp_path, monkeypatch):
    part = viewed(saved(scene((1500, 1000)), tmp_path / "a", "PNG"), long_side=800)
    drawn, read = counted(monkeypatch, "drawn"), counted(monkeypatch, "source_of")
    encoder = Encoder()
    found = together(8, lambda: encoder.encoded(part, PLAIN))
    assert found == [encoder.cached(part, PLAIN)] * 8
    assert (len(drawn), len(read)) == (1, 1)


def test_threads_share_an_error_and_go_on(tmp_path):
    part = PicturePart(sha256="0" * 64, path=tmp_path / "none")
    encoder = Encoder()
    found = together(6, lambda: encoder.encoded(part, PLAIN))
    assert [type(each) for each in found] == [LostPicture] * 6
    assert encoder.cached(part, PLAIN) is None
