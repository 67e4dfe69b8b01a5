"""The page about labels: every key of an ensemble, its files, and how embeddings are recorded."""

import re
from pathlib import Path

import pytest

from benchwright.clip import open_clip_model
from benchwright.clip.choosing import KNOWN
from benchwright.clip.recorded import LEAST_COSINE, compare
from labeling.attributes.voting.ensemble import Ensemble, read_ensemble
from stand_ins.embedding import ColourEmbedder

PAGE = (Path(__file__).parents[2] / "docs" / "labels.md").read_text("utf-8")


def test_the_page_names_every_key_and_its_ensembles_are_read(tmp_path: Path) -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    path = tmp_path / "ensemble.yaml"
    named = []
    for written in blocks:
        path.write_text(written, "utf-8")
        named.append([voter.name for voter in read_ensemble(path).voters])
    assert named == [["qwen", "intern", "clip"], ["careful", "hasty"]]
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    told = {row.split("|")[1].strip().strip("`") for row in rows}
    assert told == set(Ensemble.model_fields)


def test_embeddings_are_recorded_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (code,) = (block for block in blocks if "write_recorded" in block)
    monkeypatch.setattr(open_clip_model, "load_open_clip", lambda model: ColourEmbedder())
    (tmp_path / "FOLDER").mkdir()
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert compare(ColourEmbedder(), tmp_path / "FOLDER" / KNOWN) > LEAST_COSINE
