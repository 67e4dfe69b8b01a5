import hashlib
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from builders.sample.drawing import draw
from builders.sample.garments import TYPES, Garment, conflict, sample_garments

PLAIN = {
    "neckline": "round neck",
    "sleeve style": "set-in",
    "waist": "natural waist seam",
    "front": "plain front",
    "skirt": "a-line",
    "hem": "straight hem",
    "bodice": "plain bodice",
    "fabric": "cotton",
    "colour": "green",
    "print": "solid",
    "sleeve length": "short",
    "garment length": "knee",
}
BARE = {"sleeve style": "sleeveless", "sleeve length": "sleeveless"}


def dress(**changes: str) -> Garment:
    values = {**PLAIN, **{kind.replace("_", " "): value for kind, value in changes.items()}}
    if conflict(values):
        values.update(BARE)
    return Garment(family=0, values=tuple(values.items()))


def pixels(garment: Garment, seed: int) -> npt.NDArray[np.int16]:
    return np.asarray(draw(garment, seed), dtype=np.int16)


@pytest.mark.parametrize(
    "size",
    [
        (288, 384),
        # Small enough for a thumbnail.
        (96, 128),
        # Odd sides and another shape than the figure's.
        (211, 97),
        (301, 401),
    ],
)
def test_size_and_mode(size: tuple[int, int]) -> None:
    picture = draw(dress(), 5, size)
    assert picture.size == size
    assert picture.mode == "RGB"


@pytest.mark.parametrize("size", [(31, 384), (288, 0)])
def test_too_small(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least 32"):
        draw(dress(), 0, size)


def test_same_bytes_in_any_thread() -> None:
    garments = sample_garments(12, 4)

    def digest(number: int) -> str:
        return hashlib.sha256(draw(garments[number], number).tobytes()).hexdigest()

    here = [digest(number) for number in range(len(garments))]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(digest, range(len(garments)))) == here


def test_seed_changes_the_surroundings() -> None:
    pictures = {draw(dress(), seed).tobytes() for seed in range(12)}
    assert len(pictures) == 12


@pytest.mark.parametrize("kind", list(TYPES))
@pytest.mark.parametrize("seed", [2, 9])
def test_every_value_is_visible(kind: str, seed: int) -> None:
    # Sleeves of the same dress are compared at the same length, but for bare arms.
    drawn = {value: pixels(dress(**{kind: value}), seed) for value in TYPES[kind]}
    for one, other in combinations(drawn, 2):
        changed = np.abs(drawn[one] - drawn[other]).max(axis=2) > 40
        assert changed.sum() > 150, f"{one} looks like {other}"


@pytest.mark.parametrize("length", ["short", "elbow", "long"])
@pytest.mark.parametrize("neckline", ["square neck", "off-shoulder"])
def test_sleeve_styles_differ_at_every_length(length: str, neckline: str) -> None:
    styles = [style for style in TYPES["sleeve style"] if style != "sleeveless"]
    if neckline == "off-shoulder":
        styles.remove("cold-shoulder")
    drawn = [
        pixels(dress(neckline=neckline, sleeve_style=style, sleeve_length=length), 3)
        for style in styles
    ]
    for one, other in combinations(drawn, 2):
        assert (np.abs(one - other).max(axis=2) > 40).sum() > 250


@pytest.mark.parametrize("colour", TYPES["colour"])
def test_garment_stands_out_from_the_background(colour: str) -> None:
    for seed in range(3):
        picture = pixels(dress(colour=colour), seed)
        corner = picture[4:40, 4:24].mean(axis=(0, 1))
        cloth = np.median(picture[150:230, 124:164].reshape(-1, 3), axis=0)
        assert np.abs(corner - cloth).sum() > 60


def test_every_sampled_garment_can_be_drawn() -> None:
    for number, garment in enumerate(sample_garments(120, 8)):
        assert draw(garment, number, (72, 96)).getbbox() is not None
