"""The training on few drawings, with the real open_clip; skipped where torch is not installed."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.self_test import self_test
from benchwright.progress import no_progress
from labeling.attributes.train_small_clip.checkpoint import FIGURES, MERGES, WEIGHTS
from labeling.attributes.train_small_clip.corpus import VALUES, draw_corpus
from labeling.attributes.train_small_clip.evaluating import evaluate
from labeling.attributes.train_small_clip.make import make_small_clip
from labeling.attributes.train_small_clip.merges import write_merges
from labeling.attributes.train_small_clip.recipe import Recipe, Stage

torch: Any = pytest.importorskip("torch", reason="torch IS NOT INSTALLED: NOTHING WAS TRAINED")
open_clip: Any = pytest.importorskip(
    "open_clip", reason="open_clip IS NOT INSTALLED: NOTHING WAS TRAINED"
)

from labeling.attributes.train_small_clip.augmenting import augmented  # noqa: E402  # it imports torch
from labeling.attributes.train_small_clip.losses import Targets, _spans  # noqa: E402  # it imports torch
from labeling.attributes.train_small_clip.seeing import said, seen  # noqa: E402  # it imports torch
from labeling.attributes.train_small_clip.towers import MEAN, STD, config_of  # noqa: E402  # it imports torch

TINY = Recipe(
    pictures=64,
    side=64,
    drawn_side=78,
    width=8,
    layers=(1, 1, 1, 1),
    embedding=32,
    text_width=32,
    text_layers=1,
    stages=(
        Stage(passes=3_200, side=32),
        Stage(passes=400, side=64),
        Stage(passes=400, side=64, captions=True),
    ),
    batch=16,
    known=80,
    unseen=60,
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    folder, lines = tmp_path_factory.mktemp("trained"), list[str]()
    make_small_clip(folder, TINY, say=lines.append)
    return folder, lines


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(1)
    return open_clip.CLIP(**config_of(TINY, 1_000)["model_cfg"]).eval()


def test_a_checkpoint_loads_as_any_model_and_passes_its_test(
    trained: tuple[Path, list[str]],
) -> None:
    folder, _ = trained
    model = load_open_clip(f"local-dir:{folder}")
    passed = self_test(model)
    assert passed.least_cosine is not None  # by what was recorded
    assert passed.least_cosine > 0.99999
    assert model.texts(["a dress"]).shape == (1, TINY.embedding)


def test_the_head_learns_by_heart_what_it_sees(trained: tuple[Path, list[str]]) -> None:
    _, lines = trained
    (line,) = [line for line in lines if "pictures seen" in line][:1]
    assert float(line.split("by head ")[1].split()[0].strip(",;")) > 0.55


def test_a_recipe_gives_the_same_bytes_again(
    trained: tuple[Path, list[str]], tmp_path: Path
) -> None:
    few = replace(
        TINY, stages=(Stage(passes=32, side=32), Stage(passes=32, side=64, captions=True))
    )
    for name in ("one", "other"):
        make_small_clip(tmp_path / name, few)
    make_small_clip(tmp_path / "seed", replace(few, seed=1))
    one, other, seed = (
        (tmp_path / name / WEIGHTS).read_bytes() for name in ("one", "other", "seed")
    )
    assert one == other
    assert one != seed


def test_the_evaluation_writes_what_it_measured(trained: tuple[Path, list[str]]) -> None:
    folder, _ = trained
    lines: list[str] = []
    figures = evaluate(folder, TINY, lines.append)
    assert json.loads((folder / FIGURES).read_text("utf-8")) == figures
    assert figures["measured"]["labels"]["pairs"] > 0
    assert str(folder) not in (folder / FIGURES).read_text("utf-8")
    assert any("balanced accuracy" in line for line in lines)


def test_texts_at_their_length_equal_padded_ones(network: Any, tmp_path: Path) -> None:
    write_merges(tmp_path / MERGES, [("a", "b</w>")])
    tokenizer = open_clip.SimpleTokenizer(bpe_path=str(tmp_path / MERGES), context_length=40)
    texts = ["ab", "a longer text with ab", "so long a text that it is cut " * 3]
    with torch.inference_mode():
        wanted = network.encode_text(tokenizer(texts), normalize=True)
        assert torch.allclose(said(network, tokenizer, texts), wanted, atol=1e-5)


def test_pictures_of_the_models_size_are_seen_as_ever(network: Any) -> None:
    pictures = torch.rand(2, 3, TINY.side, TINY.side)
    with torch.inference_mode():
        assert torch.allclose(seen(network, pictures), network.encode_image(pictures), atol=1e-5)
        assert seen(network, pictures[..., ::2, ::2]).shape == (2, TINY.embedding)


@pytest.mark.parametrize("spoilt", [0.0, 0.5, 1.0])
def test_augmenting_keeps_what_is_drawn(spoilt: float) -> None:
    pictures = draw_corpus(4, 78, 1, no_progress).pictures
    seen = augmented(pictures, 64, spoilt, np.random.default_rng(0))
    assert seen.shape == (4, 3, 64, 64)
    levels = seen.numpy() * np.array(STD)[:, None, None] + np.array(MEAN)[:, None, None]
    assert levels.min() > -1e-6
    assert levels.max() < 1 + 1e-6
    means = [pictures.mean(axis=(1, 2)) / 255, levels.mean(axis=(2, 3))]
    assert np.corrcoef(means[0].ravel(), means[1].ravel())[0, 1] > 0.5
    again = augmented(pictures, 64, spoilt, np.random.default_rng(0))
    assert torch.equal(again, seen)


def test_yes_and_no_weigh_the_same_however_rare() -> None:
    truth = torch.tensor([[1, 0], [0, 1], [0, 1], [0, 1]], dtype=torch.bool)
    targets = Targets(truth, ["type", "type"])
    zero = torch.zeros(4, 2)
    # log 2 of a coin for each value, and half of that for the choice between two
    assert float(targets.loss(slice(None), zero, zero)) == pytest.approx(1.5 * math.log(2))
    always_no = torch.full((4, 2), -1.0)
    assert targets.balanced(slice(None), always_no).tolist() == [0.5, 0.5]
    right = torch.where(truth, 1.0, -1.0)
    assert targets.balanced(slice(None), right).tolist() == [1.0, 1.0]
    assert targets.loss(slice(None), right, right) < targets.loss(slice(None), zero, zero)


def test_values_are_grouped_by_their_types() -> None:
    spans = list(_spans(kind for kind, _ in VALUES))
    assert [spans[0].start, spans[-1].stop] == [0, len(VALUES)]
    assert len(spans) == len({kind for kind, _ in VALUES})
