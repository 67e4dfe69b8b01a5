"""Coded pictures are read from pixels, and from the right pixels only."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageOps

from stand_ins.models.code_reader import CodeReader
from stand_ins.models.coded import CodedObject, CodedPicture, code_of, draw, free_box

VALUES = [("trim", f"v{number}") for number in range(24)]
SIZE = (640, 800)
LEFT, TOP, WIDTH, HEIGHT = free_box(SIZE, len(VALUES))
ONE = CodedObject(object_id="1", box=(LEFT, TOP, WIDTH // 2 - 5, HEIGHT), yes=VALUES[::3])
TWO = CodedObject(
    object_id="2",
    box=(LEFT + WIDTH // 2 + 5, TOP + 20, WIDTH // 2 - 9, HEIGHT - 50),
    yes=VALUES[::5],
)
SCENE = CodedPicture(key="a", yes=VALUES[::2], size=SIZE, objects=(ONE, TWO))
READER = CodeReader(VALUES)


def jpeg(image: Image.Image, long_side: int | None = None) -> Image.Image:
    if long_side:
        scale = long_side / max(image.size)
        width, height = (max(1, round(side * scale)) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=80)
    with Image.open(stream) as opened:
        return opened.convert("RGB")


def cut(image: Image.Image, thing: CodedObject, margin: float = 0, shift: int = 0) -> Image.Image:
    x, y, w, h = thing.box
    left, top = x - margin * w + shift, y - margin * h + shift
    right, bottom = x + w + margin * w + shift, y + h + margin * h + shift
    return image.crop((round(left), round(top), round(right), round(bottom)))


def framed(image: Image.Image, thing: CodedObject, width: int = 4) -> Image.Image:
    x, y, w, h = thing.box
    copy = image.copy()
    ImageDraw.Draw(copy).rectangle((x, y, x + w, y + h), outline=(255, 0, 0), width=width)
    return copy


def read(image: Image.Image) -> tuple[str, str | None, list[tuple[str, str]]]:
    look = READER.look(image)
    return look.sight, look.code, [value for value, holds in look.truths.items() if holds]


PICTURE = draw(SCENE, VALUES)
IS_SCENE = ("seen", code_of("a"), VALUES[::2])
IS_ONE = ("seen", code_of("a", "1"), VALUES[::3])
IS_TWO = ("seen", code_of("a", "2"), VALUES[::5])


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (PICTURE, IS_SCENE),  # as it was drawn
        (jpeg(PICTURE), IS_SCENE),
        (jpeg(PICTURE, 200), IS_SCENE),  # as small as it must be readable
        (jpeg(PICTURE, 1600), IS_SCENE),  # larger than it was drawn
        (ImageOps.expand(PICTURE, 30, "white"), IS_SCENE),  # padded
        (cut(PICTURE, ONE), IS_ONE),
        (jpeg(cut(PICTURE, TWO), 200), IS_TWO),
        (cut(PICTURE, ONE, margin=0.1), IS_ONE),  # with a little of what is around it
        (jpeg(framed(PICTURE, ONE)), IS_ONE),  # outlined in the whole picture
        (jpeg(framed(PICTURE, TWO), 300), IS_TWO),
    ],
)
def test_the_right_view_is_read(
    shown: Image.Image, expected: tuple[str, str, list[tuple[str, str]]]
) -> None:
    assert read(shown) == expected


_T = Image.Transpose


@pytest.mark.parametrize(
    ("shown", "sight"),
    [
        (PICTURE.transpose(_T.FLIP_LEFT_RIGHT), "mirrored"),
        (PICTURE.transpose(_T.FLIP_TOP_BOTTOM), "mirrored"),
        (PICTURE.transpose(_T.TRANSPOSE), "mirrored"),
        (PICTURE.transpose(_T.TRANSVERSE), "mirrored"),
        (PICTURE.transpose(_T.ROTATE_90), "rotated"),
        (PICTURE.transpose(_T.ROTATE_180), "rotated"),
        (PICTURE.transpose(_T.ROTATE_270), "rotated"),
        (jpeg(cut(PICTURE, ONE).transpose(_T.ROTATE_90)), "rotated"),  # an object of it
        (cut(PICTURE, ONE, shift=30), "unknown"),  # the box is off by a tenth
        (cut(PICTURE, ONE, margin=0.4), "unknown"),  # far more than the object
        (PICTURE.crop((0, 0, 640, 400)), "unknown"),  # half of the picture
        (PICTURE.crop((0, TOP - 10, 640, 730)), "several"),  # both objects
        (jpeg(PICTURE, 30), "unknown"),  # nothing can be told
        (PICTURE.resize((28, 46), Image.Resampling.NEAREST), "too_small"),  # the marks just can
        (Image.new("RGB", (300, 300), "white"), "unknown"),
        (Image.new("RGB", (1, 1)), "unknown"),
    ],
)
def test_a_wrong_view_is_not(shown: Image.Image, sight: str) -> None:
    look = READER.look(shown)
    assert (look.sight, look.code, look.truths) == (sight, None, {})


@pytest.mark.parametrize(("side", "seen"), [(290, VALUES[2:]), (310, VALUES)])
def test_fine_values_want_pixels(side: int, seen: list[tuple[str, str]]) -> None:
    reader = CodeReader(VALUES, fine=VALUES[:2], fine_side=300)
    truths = reader.look(PICTURE.resize((side * 4 // 5, side))).truths
    assert truths == {value: value in SCENE.yes for value in seen}


@given(
    yes=st.sets(st.sampled_from(VALUES)),
    key=st.text(st.characters(codec="utf-8"), min_size=1),
    side=st.integers(200, 700),
)
def test_what_is_drawn_is_read(yes: set[tuple[str, str]], key: str, side: int) -> None:
    drawn = draw(CodedPicture(key=key, yes=yes, size=(480, 640)), VALUES)
    sight, code, found = read(jpeg(drawn, side))
    assert (sight, code, set(found)) == ("seen", code_of(key), yes)


def test_noise_says_nothing() -> None:
    noise = Image.effect_noise((200, 200), 120).convert("RGB")
    assert read(noise) == ("unknown", None, [])


@pytest.mark.parametrize(
    ("picture", "wrong"),
    [
        (CodedPicture(key="a", yes=[("trim", "none such")]), "no values of the code"),
        (
            CodedPicture(
                key="a", yes=[], objects=(CodedObject(object_id="1", box=(0, 0, 90, 90), yes=[]),)
            ),
            "is not in",
        ),
    ],
)
def test_what_cannot_be_drawn(picture: CodedPicture, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        draw(picture, VALUES)
