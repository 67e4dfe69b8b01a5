"""The stage: groups beside the catalog, its report, leaks, and the galleries that follow it."""

import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image, ImageOps

from benchwright import status
from benchwright.clip.embedder import unit_rows
from benchwright.errors import UsageError, WorkspaceError
from benchwright.next_step import next_step
from benchwright.workspace import Workspace
from builders.duplicates.dedup import dedup
from builders.duplicates.groups import groups_digest, groups_of
from builders.duplicates.leaks import find_leaks
from builders.duplicates.settings import DedupSettings
from builders.table.build import build_table
from builders.table.mapping import MappingOptions


def scene(seed: int) -> Image.Image:
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (9, 12, 3), dtype=np.uint8))
    return coarse.resize((160, 120), Image.Resampling.BICUBIC)


def red(image: Image.Image) -> Image.Image:
    """Paint a picture over, as bright as before."""
    luma, _, _ = image.convert("YCbCr").split()
    flat = [Image.new("L", image.size, value) for value in (90, 200)]
    return Image.merge("YCbCr", (luma, *flat)).convert("RGB")


# id, product, split; what the picture is
ROWS = {
    "a": ("", "train", lambda: scene(0)),
    "a-bytes": ("", "train", lambda: scene(0)),
    "a-pixels": ("", "test", lambda: scene(0)),  # saved otherwise
    "a-small": ("", "test", lambda: scene(0).resize((80, 60))),
    "a-mirror": ("", "train", lambda: ImageOps.mirror(scene(0))),
    "b": ("shoe", "train", lambda: scene(1)),
    "b-jpeg": ("", "train", lambda: scene(1)),
    "c": ("hat", "train", lambda: scene(2)),
    "c-back": ("hat", "train", lambda: scene(3)),
    "d": ("", "train", lambda: scene(4)),
    "d-red": ("", "test", lambda: red(scene(4))),
    "white": ("", "train", lambda: Image.new("RGB", (90, 90), "white")),
    "black": ("", "train", lambda: Image.new("RGB", (90, 90), "black")),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("duplicates")
    lines = ["id,image,product,split"]
    for name, (product, split, draw) in ROWS.items():
        suffix = "jpg" if name == "b-jpeg" else "png"
        level = 9 if name == "a-pixels" else 1
        draw().save(folder / f"{name}.{suffix}", compress_level=level, quality=70)
        lines.append(f"{name},{name}.{suffix},{product},{split}")
    (folder / "things.csv").write_text("\n".join(lines), "utf-8")
    options = MappingOptions(id="id", image="image", group="product", split="split", attributes=())
    build_table([folder / "things.csv"], Workspace(folder / "w"), options=options, workers=1)
    return folder


@pytest.fixture
def workspace(made: Path, tmp_path: Path) -> Workspace:
    return Workspace(Path(shutil.copytree(made / "w", tmp_path / "w")))


def named(workspace: Workspace) -> dict[str, str]:
    """Return the source ids by image id."""
    items = pq.read_table(workspace.catalog / "items-00000.parquet")
    return dict(
        zip(*(items.column(name).to_pylist() for name in ("image_id", "source_id")), strict=True)
    )


def test_what_is_found(workspace: Workspace) -> None:
    before = (workspace.catalog / "items-00000.parquet").read_bytes()
    counts = dedup(workspace, workers=1).manifest.counts
    names = named(workspace)
    groups = {
        names[row["image_id"]]: row["group_id"]
        for row in pq.read_table(workspace.catalog / "duplicates" / "groups.parquet").to_pylist()
    }
    of_a = min(one for one, name in names.items() if name.startswith("a"))
    assert groups == {
        **dict.fromkeys(("a", "a-bytes", "a-pixels", "a-small", "a-mirror"), of_a),
        **dict.fromkeys(("b", "b-jpeg"), "shoe"),  # one product and a copy
        **dict.fromkeys(("c", "c-back"), "hat"),
        **dict.fromkeys(("d", "d-red", "white", "black")),
    }
    assert (counts["pictures"], counts["duplicates"], counts["clusters"]) == (13, 7, 2)
    assert (counts["other_colours"], counts["too_plain"]) == (1, 2)
    kinds = pq.read_table(workspace.catalog / "duplicates" / "pairs.parquet").column("kind")
    assert set(kinds.to_pylist()) == {"bytes", "pixels", "near", "mirrored"}
    assert (workspace.catalog / "items-00000.parquet").read_bytes() == before


def test_groups_across_splits_are_reported(workspace: Workspace) -> None:
    counts = dedup(workspace, workers=1).manifest.counts
    assert (counts["groups_across_splits"], counts["pictures_across_splits"]) == (1, 5)
    rows = pq.read_table(workspace.catalog / "duplicates" / "spans.parquet").to_pylist()
    names = named(workspace)
    assert {names[row["image_id"]]: row["split"] for row in rows} == {
        name: ROWS[name][1] for name in ROWS if name.startswith("a")
    }


def test_the_same_again_does_nothing_and_the_bytes_do_not_change(
    workspace: Workspace, holdings: Callable[[Path], dict[str, Any]], verify: Callable[[Path], None]
) -> None:
    assert dedup(workspace, workers=1).is_new
    first = holdings(workspace.root)
    assert not dedup(workspace).is_new
    assert dedup(workspace, DedupSettings(threshold=0), workers=1).is_new  # uses the fingerprints
    assert dedup(workspace, workers=1).is_new
    assert holdings(workspace.root) == first
    assert dedup(workspace, workers=2, force=True).is_new
    assert holdings(workspace.root) == first
    verify(workspace.root)


def test_groups_of_gives_products_until_dedup_has_run(workspace: Workspace) -> None:
    names = list(named(workspace).values())
    before = dict(zip(names, groups_of(workspace).to_pylist(), strict=True))
    assert (before["b"], before["b-jpeg"], before["a"]) == ("shoe", None, None)
    assert groups_digest(workspace) is None
    dedup(workspace, workers=1)
    after = dict(zip(names, groups_of(workspace).to_pylist(), strict=True))
    assert after["b-jpeg"] == "shoe"
    assert after["a"] == after["a-mirror"] is not None
    assert groups_digest(workspace) is not None


def test_groups_of_another_catalog_are_refused(workspace: Workspace, made: Path) -> None:
    dedup(workspace, workers=1)
    options = MappingOptions(id="id", image="image", attributes=())
    build_table([made / "things.csv"], workspace, options=options, workers=1)
    with pytest.raises(WorkspaceError, match="run build-catalog dedup again"):
        groups_of(workspace)
    stages = status.read_status(workspace)
    assert [stage.stale for stage in stages if stage.name == "catalog/duplicates"] == [("catalog",)]
    assert "build-catalog dedup" in next_step(workspace)


def test_the_report_needs_nothing_else_and_escapes(workspace: Workspace) -> None:
    dedup(workspace, workers=1)
    page = (workspace.catalog / "duplicates" / "report.html").read_text("utf-8")
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "")
    for words in ("Just within the threshold", "other colours", "The same pixels", "mirrored"):
        assert words in page


def test_a_folder_is_compared(workspace: Workspace, tmp_path: Path) -> None:
    other = tmp_path / "training set"
    (other / "deep").mkdir(parents=True)
    scene(0).save(other / "deep" / "same.bmp")
    scene(0).resize((100, 75)).save(other / "small.jpg", quality=60)
    ImageOps.mirror(scene(1)).save(other / "flipped.png")
    scene(99).save(other / "another.png")
    (other / "notes.txt").write_text("no picture", "utf-8")
    (other / "<b>.jpg").write_bytes(b"<html></html>")
    done = find_leaks(workspace, other, workers=1)
    folder = done.folder
    assert folder.parent == workspace.catalog / "leaks"
    assert folder.name.startswith("training-set-")
    names = named(workspace)
    leaks = {
        names[row["image_id"]]: (row["kind"], row["other"], row["others"])
        for row in pq.read_table(folder / "leaks.parquet").to_pylist()
    }
    assert leaks["a"][:2] == ("pixels", "deep/same.bmp")
    assert leaks["a"][2] == 2
    assert leaks["b"][:2] == ("mirrored", "flipped.png")
    assert leaks["a-mirror"][0] == "mirrored"
    assert not leaks.keys() & {"c", "c-back", "d", "white", "black"}
    assert done.manifest.counts["others"] == 4
    assert done.manifest.reasons == {"html": 1, "unknown_format": 1}
    assert not find_leaks(workspace, other).is_new
    assert groups_digest(workspace) is None  # nothing is grouped
    assert "<b>.jpg" not in (folder / "report.html").read_text("utf-8")


def test_sets_in_folders_of_one_name_lie_apart(workspace: Workspace, tmp_path: Path) -> None:
    folders = [tmp_path / place / "train" for place in "AB"]
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True)
        scene(number).save(folder / "one.png")
    first, second = (find_leaks(workspace, folder, workers=1) for folder in folders)
    assert first.folder != second.folder
    kept = pq.read_table(first.folder / "leaks.parquet").to_pylist()
    assert "a" in {named(workspace)[row["image_id"]] for row in kept}
    assert not find_leaks(workspace, folders[0], workers=1).is_new  # it was not written over
    moved = folders[0].rename(tmp_path / "train")
    assert find_leaks(workspace, moved, workers=1).folder == first.folder


def test_a_workspace_is_compared(workspace: Workspace, small: Path) -> None:
    shutil.copytree(workspace.root, small.parent / "copy")
    done = find_leaks(workspace, small.parent / "copy", workers=1)
    assert done.manifest.counts["leaks_bytes"] == done.manifest.counts["pictures"] == 13
    assert find_leaks(workspace, small, workers=1).manifest.counts["leaks"] == 0
    kept = pq.read_table(done.folder / "leaks.parquet").to_pylist()
    assert {row["other_split"] for row in kept} == {"train", "test"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"threshold": 2.5}, "whole number"),
        ({"threshold": -1}, "whole number"),
        ({"threshold": 128}, "whole number"),
        ({"threshold": float("nan")}, "whole number"),
        ({"threshold": float("inf")}, "whole number"),
        ({"method": "clip", "threshold": 30}, "least cosine"),
        ({"method": "clip", "threshold": float("nan")}, "least cosine"),
    ],
)
def test_a_threshold_that_means_nothing(
    workspace: Workspace, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        dedup(workspace, DedupSettings(**settings))


class Embedder:
    """Gives mean colours of a 3 by 3 grid, and counts what it is asked."""

    name, identity, batch = "grid", "0" * 64, 4

    def __init__(self) -> None:
        self.asked = 0

    def pictures(self, images: Iterable[Image.Image]) -> np.ndarray:
        rows = []
        for image in images:
            self.asked += 1
            small = image.resize((3, 3), Image.Resampling.BOX)
            rows.append(np.asarray(small, np.float32).ravel() - 127.3)
        return unit_rows(np.array(rows))

    def texts(self, texts: Sequence[str]) -> np.ndarray:
        raise AssertionError("near-duplicates need no text")


def test_embeddings_take_the_place_of_the_hash(workspace: Workspace, tmp_path: Path) -> None:
    embedder = Embedder()
    settings = DedupSettings(method="clip", threshold=0.999, model="local-dir:/somewhere/tiny")
    manifest = dedup(workspace, settings, embedder=embedder, workers=1).manifest
    pictures = len({path.name for path in workspace.images.glob("*/*")})
    assert embedder.asked == pictures
    assert manifest.plan.settings["model"] == "tiny"  # no path of this machine
    groups = dict(zip(named(workspace).values(), groups_of(workspace).to_pylist(), strict=True))
    assert groups["a"] == groups["a-small"] == groups["a-pixels"] is not None
    assert groups["b-jpeg"] == "shoe"
    assert groups["a-mirror"] is None
    other = tmp_path / "other"
    other.mkdir()
    scene(0).resize((100, 75)).save(other / "small.png")
    leaks = find_leaks(workspace, other, settings, embedder=embedder, workers=1)
    assert leaks.manifest.counts["leaks_near"] == 4
    assert embedder.asked == pictures + 1  # the catalog's were kept in the workspace
    strict = replace(settings, threshold=1.0)
    assert dedup(workspace, strict, embedder=embedder, workers=1).is_new
    assert embedder.asked == pictures + 1
    victim = next(workspace.images.glob("*/*.png"))
    victim.write_bytes(b"gone")
    (workspace.root / "embeddings.sqlite").unlink()
    with pytest.raises(WorkspaceError, match="is not the picture that its name describes"):
        dedup(workspace, settings, embedder=embedder, workers=1)


def test_a_plan_names_a_model_in_a_folder_by_its_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name / "tiny").mkdir(parents=True)
        (tmp_path / name / "tiny" / "model.pth").write_bytes(b"weights")
    plans = [
        DedupSettings(method="clip", model=f"local-dir:{tmp_path / name / 'tiny'}").plan()
        for name in ("one", "other")
    ]
    assert plans[0] == plans[1]  # wherever it lies
    assert str(tmp_path) not in str(plans)
    (tmp_path / "other" / "tiny" / "model.pth").write_bytes(b"others")
    other = DedupSettings(method="clip", model=f"local-dir:{tmp_path / 'other' / 'tiny'}").plan()
    assert other != plans[0]
    assert DedupSettings(method="clip", model="embedded").plan()["model"] == "embedded"


def test_without_the_extra_clip_one_line_says_how_to_get_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "open_clip", None)
    ran = run("build-catalog", "dedup", "--method", "clip", "--workspace", workspace.root)
    assert ran.code == 1
    assert "pip install 'benchwright[clip]'" in ran.err
    assert not (workspace.catalog / "duplicates" / "manifest.json").exists()


def test_galleries_follow_the_groups(small: Path, run: Callable[..., Any]) -> None:
    arguments = ("build-galleries", "--tau", "0.3", "--workspace", small)
    assert "nothing to do" in run(*arguments).out or run(*arguments).code == 0
    ran = run("build-catalog", "dedup", "--any-colour", "--threshold", "60", "--workspace", small)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == next_step(Workspace(small))
    stale = {stage.name: stage.stale for stage in status.read_status(Workspace(small))}
    assert stale["galleries/tau-0.3"] == ("duplicates",)
    shutil.rmtree(small / "catalog" / "duplicates")  # as if it had not run
    assert all(not one.stale for one in status.read_status(Workspace(small)))
    run("build-catalog", "dedup", "--threshold", "0", "--workspace", small)
    again = run(*arguments)
    plan = json.loads((small / "galleries" / "tau-0.3" / "manifest.json").read_text())["plan"]
    assert again.code == 1 or plan["inputs"]["duplicates"] == groups_digest(Workspace(small))


def test_no_catalog_and_no_pictures(tmp_path: Path, dresses: Path, run: Callable[..., Any]) -> None:
    ran = run("build-catalog", "dedup", "--workspace", tmp_path / "none")
    assert ran.code == 1
    assert "run build-catalog table FILE first" in ran.err
    bare = run("build-catalog", "dedup", "--workspace", dresses)
    assert (bare.code, bare.err) == (0, "")
    assert bare.out.startswith("0 pictures: 0 in 0 clusters")


def test_what_cannot_be_compared_with(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("a", "utf-8")
    for other, words in (
        (tmp_path / "nowhere", "no such folder"),
        (tmp_path / "empty", "no file in it"),
        (tmp_path / "texts", "no picture in it"),
        (workspace.root, "this workspace itself"),
    ):
        with pytest.raises(UsageError, match=words):
            find_leaks(workspace, other, workers=1)
