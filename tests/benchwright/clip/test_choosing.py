"""Which model is meant: all of it is said before anything is loaded."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.clip import choosing
from benchwright.clip.choosing import choose, files_of
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.errors import UsageError

_TAGS = {
    "ViT-B-32": {"openai": {"quick_gelu": True}, "laion2b_s34b_b79k": {}},
    "ViT-B-32-quickgelu": {"openai": {"quick_gelu": True}, "plain": {}},
    "RN50": {},
}


@pytest.fixture
def package() -> Any:
    """What of open_clip is asked, with three models."""
    return SimpleNamespace(
        list_models=lambda: list(_TAGS),
        list_pretrained_tags_by_model=lambda model: list(_TAGS[model]),
        get_pretrained_cfg=lambda model, tag: (
            {"hf_hub": "x"} | _TAGS[model][tag] if tag in _TAGS[model] else {}
        ),
        get_model_config=lambda model: {"quick_gelu": model.endswith("quickgelu")},
    )


def test_tags_say_their_activation(package: Any) -> None:
    # the architecture has plain GELU, the weights were trained with the quick form
    assert choose(package, "ViT-B-32", "openai").quick_gelu
    assert not choose(package, "ViT-B-32", "laion2b_s34b_b79k").quick_gelu
    with pytest.raises(UsageError, match=r"take the model ViT-B-32$"):
        choose(package, "ViT-B-32-quickgelu", "plain")


def test_files_and_folders(package: Any, tmp_path: Path) -> None:
    weights = tmp_path / "mine.safetensors"
    weights.write_bytes(b"")
    chosen = choose(package, "RN50", str(weights))
    assert chosen.recorded == tmp_path / "mine.safetensors.known_embeddings.json"
    assert chosen.name == "RN50 with mine.safetensors"  # no path of this machine
    (tmp_path / "open_clip_config.json").write_text("{}", "utf-8")
    (tmp_path / "bpe_small.txt.gz").write_bytes(b"")
    chosen = choose(package, f"local-dir:{tmp_path}", None)
    assert (chosen.name, chosen.pretrained) == (tmp_path.name, None)
    assert chosen.recorded == tmp_path / "known_embeddings.json"
    assert chosen.merges == tmp_path / "bpe_small.txt.gz"
    assert choose(package, "hf-hub:some/model", None).recorded is None


def checkpoint(place: Path) -> Path:
    """Make what a checkpoint consists of, but for its content."""
    folder = place / "embedded"
    folder.mkdir()
    for name in ("open_clip_config.json", "open_clip_model.safetensors", "bpe_small.txt.gz"):
        (folder / name).write_bytes(name.encode())
    return folder


def test_the_one_in_the_package(
    package: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choosing, "__file__", str(tmp_path / "choosing.py"))
    # an installation without the files says so, not where they would lie
    with pytest.raises(UsageError, match="missing from this installation") as caught:
        choose(package, "embedded", None)
    assert str(tmp_path) not in str(caught.value)
    folder = checkpoint(tmp_path)
    chosen = choose(package, "embedded", None)
    assert (chosen.name, chosen.model) == ("embedded", f"local-dir:{folder}")
    assert chosen.recorded == folder / "known_embeddings.json"
    assert chosen.merges == folder / "bpe_small.txt.gz"
    with pytest.raises(UsageError, match="embedded: brings its own weights; leave pretrained"):
        choose(package, "embedded", "openai")


def test_a_plan_names_a_model_by_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "__file__", str(tmp_path / "choosing.py"))
    assert files_of("embedded") == files_of("ViT-B-32") == files_of("hf-hub:some/model") == []
    folder = checkpoint(tmp_path)
    assert len(files_of("embedded")) == 3
    assert files_of("embedded") == files_of(f"local-dir:{folder}")
    assert files_of(f"local-dir:{tmp_path / 'nowhere'}") == []


@pytest.mark.parametrize(
    ("model", "pretrained", "words"),
    [
        ("ViT-B-31", "openai", "near it are ViT-B-32"),
        ("embeded", None, "or embedded, or local-dir:FOLDER"),
        ("vit-b-32", "openai", "near it are ViT-B-32"),  # the case is part of the name
        ("", None, "there are RN50"),
        ("RN50", None, "without weights it would answer at random"),
        ("ViT-B-32", "laion2b", "near it are laion2b_s34b_b79k"),
        ("RN50", "nowhere.pt", "neither a tag nor a file; there are none"),
        ("local-dir:/nowhere", None, "holds no open_clip_config.json"),
        ("local-dir:/nowhere", "openai", "brings its own weights"),
        ("hf-hub:some/model", "openai", "brings its own weights"),
    ],
)
def test_what_cannot_be_meant(package: Any, model: str, pretrained: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        choose(package, model, pretrained)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", ["open_clip", "torch"])
def test_without_the_extra_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(UsageError, match=r"pip install 'benchwright\[clip\]'$"):
        load_open_clip("ViT-B-32", "openai")
    with pytest.raises(UsageError, match=r"\[clip\]', or use --method phash$"):
        load_open_clip("ViT-B-32", "openai", instead="use --method phash")
