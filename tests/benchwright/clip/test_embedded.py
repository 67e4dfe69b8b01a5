"""The small CLIP in the package: its files, what was measured of it, and that it sees."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchwright.clip.choosing import EMBEDDED, files_of
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.self_test import self_test
from builders.sample.drawing import draw
from builders.sample.garments import sample_garments

MOST_BYTES = 8_000_000
FILES = {path.name: path for path in files_of(EMBEDDED)}


def test_the_checkpoint_is_whole_and_small() -> None:
    assert {"open_clip_config.json", "open_clip_model.safetensors"} <= set(FILES)
    assert {"bpe_merges.txt.gz", "known_embeddings.json", "figures.json"} <= set(FILES)
    assert sum(path.stat().st_size for path in FILES.values()) <= MOST_BYTES


def test_its_figures_are_those_that_the_docs_promise() -> None:
    figures = json.loads(FILES["figures.json"].read_text("utf-8"))["measured"]["labels"]
    assert figures["balanced_accuracy"]["low"] >= 0.93
    assert figures["coverage"] >= 0.8
    assert len(figures["values"]) == 72


def test_it_loads_and_sees_colours() -> None:
    pytest.importorskip("torch", reason="torch IS NOT INSTALLED: THE SMALL CLIP WAS NOT LOADED")
    pytest.importorskip(
        "open_clip", reason="open_clip IS NOT INSTALLED: THE SMALL CLIP WAS NOT LOADED"
    )
    model = load_open_clip(EMBEDDED)
    assert model.name == "embedded"
    assert self_test(model).least_cosine is not None
    garments = sample_garments(40, 77)
    pictures = model.pictures(_drawn(index) for index in range(len(garments)))
    colours = sorted({garment.value("colour") for garment in garments})
    worded = model.texts([f"a frock whose colour is {colour}" for colour in colours])
    named = [colours[at] for at in (pictures @ worded.T).argmax(axis=1)]
    right = np.mean(
        [name == one.value("colour") for name, one in zip(named, garments, strict=True)]
    )
    assert right > 0.9  # chance is one in eight


def _drawn(index: int) -> Image.Image:
    return draw(sample_garments(40, 77)[index], index)


def test_no_file_names_a_place_of_the_machine_that_trained_it() -> None:
    for path in FILES.values():
        if path.suffix == ".json":
            text = path.read_text("utf-8")
            assert str(Path.home()) not in text
            assert "/tmp" not in text
