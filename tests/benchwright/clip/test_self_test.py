"""The self-test lets a working model pass and says what is wrong with each broken one."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchwright.clip.drawings import cards, coloured
from benchwright.clip.embedder import Vectors, unit_rows
from benchwright.clip.recorded import compare, write_recorded
from benchwright.clip.self_test import self_test
from benchwright.errors import UsageError
from stand_ins.embedding import ColourEmbedder


def swapped(image: Image.Image) -> Image.Image:
    return Image.merge("RGB", image.split()[::-1])


class OtherOrder(ColourEmbedder):
    """Gives the network blue, green, red, and sees them so."""

    def prepared(self, image: Image.Image) -> Vectors:
        return super().prepared(swapped(image))


class OtherStd(ColourEmbedder):
    def prepared(self, image: Image.Image) -> Vectors:
        return super().prepared(image) * np.float32(0.9)


class Constant(ColourEmbedder):
    def pictures(self, images: Iterable[Image.Image]) -> Vectors:
        return unit_rows(np.ones_like(super().pictures(images)))


class Leaking(ColourEmbedder):
    """Normalises over the batch, as a network in training mode does."""

    def pictures(self, images: Iterable[Image.Image]) -> Vectors:
        rows = super().pictures(images)
        return unit_rows(rows + rows.mean(axis=0))


class Ignorant(ColourEmbedder):
    """Knows pictures apart, but no name fits."""

    def texts(self, texts: list[str]) -> Vectors:  # type: ignore[override]
        return super().texts(["red" for _ in texts])


class WrongActivation(ColourEmbedder):
    """Sees red and blue exchanged until the activations are swapped."""

    is_right = False

    def pictures(self, images: Iterable[Image.Image]) -> Vectors:
        return super().pictures(image if self.is_right else swapped(image) for image in images)

    @contextmanager
    def other_activation(self) -> Iterator[bool]:
        self.is_right = True
        yield True
        self.is_right = False


def test_a_working_model_passes() -> None:
    passed = self_test(ColourEmbedder())
    assert (passed.right, passed.pictures, passed.least_cosine) == (24, 24, None)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (OtherOrder, "channels, mean or std are wrong"),
        (OtherStd, "channels, mean or std are wrong"),
        (Constant, "unlike pictures the same embedding"),
        (Leaking, "changes with what else is in its batch"),
        (Ignorant, r"knows only 3 of 24 plain colours \(wanted 50%, chance is 12%\)"),
        (WrongActivation, "the other activation: it was trained with that"),
    ],
)
def test_what_is_broken_is_said(broken: type[ColourEmbedder], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        self_test(broken())
    assert "\n" not in str(caught.value)


def test_recorded_embeddings_must_come_again(tmp_path: Path) -> None:
    path = tmp_path / "known_embeddings.json"
    write_recorded(path, ColourEmbedder(), ["a red dress", "blue"])
    passed = self_test(ColourEmbedder(recorded=path))
    assert passed.right is None
    assert passed.least_cosine == pytest.approx(1, abs=1e-6)
    # a model that never learnt colours passes by what was recorded with it
    write_recorded(path, Ignorant(), ["a red dress"])
    assert self_test(Ignorant(recorded=path)).least_cosine == pytest.approx(1, abs=1e-6)
    write_recorded(path, ColourEmbedder(), ["a red dress"])
    # its preprocessing keeps its promises, but what it sees is not what was recorded
    with pytest.raises(UsageError, match="wrong weights, activation, preprocessing or tokenizer"):
        self_test(WrongActivation(recorded=path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is no JSON"),
        ("[]", "at the top: "),
        (
            '{"pictures": {"spot": ["x"]}, "texts": {}}',
            "at pictures > spot > 0: wants a number, got 'x'",
        ),
        (
            '{"pictures": {"spot": [1e999]}, "texts": {}}',
            "at pictures > spot > 0: wants a finite number",
        ),
        ('{"pictures": {}, "texts": {"red": [1]}}', "records no picture"),
        ('{"pictures": {"spot": [1]}, "texts": {"red": [1]}}', "has a cosine of 0"),  # other width
        ('{"pictures": {"spot": [0, 0]}, "texts": {"red": [0]}}', "has a cosine of 0"),
    ],
)
def test_a_record_that_is_none(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "known_embeddings.json"
    path.write_text(content, "utf-8")
    with pytest.raises(UsageError, match=words) as caught:
        compare(ColourEmbedder(), path)
    assert str(path.name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_cards_show_each_wrong_preprocessing() -> None:
    for name, card in cards().items():
        pixels = np.asarray(card, np.int64)
        for other in (pixels[:, ::-1], pixels[::-1], pixels[:, :, ::-1]):
            assert np.abs(pixels - other).mean() > 5, name
    assert {one.picture.size for one in coloured()} == {(224, 224)}


def test_a_record_is_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_recorded(tmp_path / name, ColourEmbedder(), ["red"])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert set(json.loads((tmp_path / "one").read_bytes())["pictures"]) == set(cards())
