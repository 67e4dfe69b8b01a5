"""build-galleries --baselines: what is measured, kept beside the galleries, and said."""

import csv
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

from benchwright import store
from benchwright.clip.embedder import Vectors
from benchwright.errors import WorkspaceError
from benchwright.records import Episode
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from galleries.baselines import Baselines, measure_baselines
from galleries.tau import Tau
from stand_ins.embedding import ColourEmbedder

Run = Callable[..., Any]
Holdings = Callable[[Path], dict[str, Any]]
TAU = Tau.parse("0.3")


@pytest.fixture
def folder(small: Path) -> Path:
    return small / "galleries" / "tau-0.3"


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> ColourEmbedder:
    """The embedder that the command gets, whatever model it asks for."""
    one = ColourEmbedder()
    monkeypatch.setattr("benchwright.clip.picture_files.load_open_clip", lambda *_, **__: one)
    return one


def kept(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "baselines.json").read_text("utf-8"))
    return found["nearest_picture"]  # type: ignore[no-any-return]


def episodes(folder: Path) -> list[Episode]:
    return list(from_table(store.read_table(folder, "episodes.parquet"), Episode))


def items(small: Path) -> dict[str, dict[str, Any]]:
    table = pq.read_table(sorted((small / "catalog").glob("items-*.parquet")))
    return {row["image_id"]: row for row in table.to_pylist()}


def share_first(found: list[Episode], near: Callable[[str, str], float], how: Any) -> float:
    """Return how often the target is the first picture with the greatest closeness."""
    right = 0
    for episode in found:
        closeness = [
            round(how([near(one, other) for other in episode.image_ids if other != one]), 6)
            for one in episode.image_ids
        ]
        right += closeness.index(max(closeness)) == episode.target_index - 1
    return round(right / len(found), 4)


def test_by_labels(
    small: Path, folder: Path, small_table: Path, run: Run, verify: Callable[[Path], None]
) -> None:
    ran = run("build-galleries", "--tau", "0.3", "--baselines", "--workspace", small)
    assert (ran.code, ran.err) == (0, "")
    with small_table.open(newline="") as lines:
        values = {
            row["id"]: {(name, row[name]) for name in ("cloth", "shape", "trim")}
            for row in csv.DictReader(lines)
        }
    names = {image_id: row["source_id"] for image_id, row in items(small).items()}

    def sim(one: str, other: str) -> float:
        return len(values[names[one]] & values[names[other]]) / 3

    found, measured = episodes(folder), kept(folder)["labels"]
    assert measured["galleries"] == len(found) == 36
    assert measured["chance"]["first"] == round(
        float(np.mean([1 / len(one.image_ids) for one in found])), 4
    )
    for key, how in (("to_others_on_average", np.mean), ("to_farthest_other", min)):
        assert measured[key]["first"]["share"] == share_first(found, sim, how)
        share = 100 * measured[key]["first"]["share"]
        assert f": {share:.1f} %, by chance" in ran.out
    assert kept(folder)["pictures"] is None
    assert "by pictures: not measured" in ran.out
    assert "pip install 'benchwright[clip]'" in ran.out
    page = (folder / "report.html").read_text("utf-8")
    assert "by labels, to the farthest of them" in page
    verify(small)


def test_by_pictures(
    small: Path, folder: Path, run: Run, embedder: ColourEmbedder, verify: Callable[[Path], None]
) -> None:
    ran = run("build-galleries", "--tau", "0.3", "--clip-model", "any", "--workspace", small)
    assert (ran.code, ran.err) == (0, "")
    files = {image_id: row["image"] for image_id, row in items(small).items()}
    vectors: dict[str, Vectors] = {}
    for image_id, name in files.items():
        with Image.open(small / "catalog" / "images" / name) as picture:
            vectors[image_id] = ColourEmbedder().pictures([picture.convert("RGB")])[0]

    def cosine(one: str, other: str) -> float:
        return float(vectors[one].astype(np.float64) @ vectors[other])

    measured = kept(folder)["pictures"]
    for key, how in (("to_others_on_average", np.mean), ("to_farthest_other", min)):
        assert measured[key]["first"]["share"] == share_first(episodes(folder), cosine, how)
    assert measured["model"] == "colours"
    assert measured["model_identity"] == embedder.identity
    assert kept(folder)["labels"]["galleries"] == 36  # the labels are measured as well
    assert "by pictures (colours), to the others on average" in ran.out
    assert "not measured" not in ran.out
    assert "by pictures (colours)" in (folder / "report.html").read_text("utf-8")
    verify(small)


@pytest.mark.parametrize("options", [("--baselines",), ("--clip-model", "any")])
def test_done_twice_it_leaves_all_as_it_is(
    small: Path, run: Run, embedder: ColourEmbedder, options: tuple[str, ...]
) -> None:
    arguments = ("build-galleries", "--tau", "0.3", *options, "--workspace", small)
    first = run(*arguments)
    made = sum(embedder.batches)
    written = [path for path in (small / "galleries").rglob("*") if path.name != ".lock"]
    before = {path: path.stat().st_mtime_ns for path in written}
    again = run(*arguments)
    assert again.out.splitlines()[1:] == first.out.splitlines()[1:]
    assert {path: path.stat().st_mtime_ns for path in before} == before
    tested = 24 + 5  # pictures of the self-test
    assert sum(embedder.batches) == made + (tested if "--clip-model" in options else 0)
    assert "(done before)" in run("build-galleries", "--tau", "0.3", "--workspace", small).out
    assert (small / "galleries" / "tau-0.3" / "baselines.json").exists()


def test_new_galleries_have_no_baselines_of_the_old(
    small: Path, folder: Path, run: Run, holdings: Holdings
) -> None:
    before = holdings(small)
    run("build-galleries", "--tau", "0.3", "--baselines", "--workspace", small)
    assert holdings(small) != before
    run("build-galleries", "--tau", "0.3", "--force", "--workspace", small)
    assert not (folder / "baselines.json").exists()
    assert holdings(small) == before


def test_each_tau_has_its_own(small: Path, run: Run) -> None:
    ran = run("build-galleries", "--tau", "0.3,0.6,1", "--baselines", "--workspace", small)
    assert ran.code == 1  # at 1 no target qualifies
    assert ran.out.count("guessed without a question") == 2
    written = sorted(path.parent.name for path in small.glob("galleries/*/baselines.json"))
    assert written == ["tau-0.3", "tau-0.6"]


def test_without_the_extra_clip(
    small: Path, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, holdings: Holdings
) -> None:
    monkeypatch.setitem(sys.modules, "open_clip", None)
    shutil.rmtree(folder)
    before = holdings(small)
    arguments = ("build-galleries", "--tau", "0.3", "--workspace", small)
    ran = run(*arguments, "--baselines", "--clip-model", "embedded")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "pip install 'benchwright[clip]'" in ran.err
    assert "--baselines alone goes by labels" in ran.err
    assert holdings(small) == before  # it is said before anything is built
    ran = run(*arguments, "--baselines")
    assert (ran.code, ran.err) == (0, "")
    assert kept(folder)["labels"]["galleries"] == 36


def test_weights_without_their_model(small: Path, run: Run) -> None:
    ran = run("build-galleries", "--clip-weights", "laion", "--workspace", small)
    assert ran.code == 1
    assert "--clip-weights laion: name their model too" in ran.err


def test_a_catalog_without_pictures(dresses: Path, run: Run, embedder: ColourEmbedder) -> None:
    arguments = ("build-galleries", "--tau", "0.8", "--workspace", dresses)
    ran = run(*arguments, "--clip-model", "any")
    assert ran.code == 1
    assert "items in these galleries have no picture to look at" in ran.err
    assert run(*arguments, "--baselines").code == 0


def measure(root: Path) -> Baselines:
    return measure_baselines(Workspace(root), TAU)


def test_what_is_measured_is_what_stands_there(small: Path, folder: Path) -> None:
    assert measure(small).labels.mean.galleries == 36
    vocabulary = small / "labels" / "vocabulary.yaml"
    text = vocabulary.read_text("utf-8")
    assert "askable: true" in text
    vocabulary.write_text(text.replace("askable: true", "askable: false", 1), "utf-8")
    with pytest.raises(WorkspaceError, match="vocabulary changed since these galleries"):
        measure(small)
    shutil.rmtree(folder)
    with pytest.raises(WorkspaceError, match=r"run build-galleries --tau 0\.3 first"):
        measure(small)
