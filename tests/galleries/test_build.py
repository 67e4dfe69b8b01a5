"""build-galleries from end to end, as a user runs it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright import store
from benchwright.records import SCHEMAS, Episode
from benchwright.rows import from_table
from builders.sample.build import build_sample

Run = Callable[..., Any]
Holdings = Callable[[Path], dict[str, Any]]


def episodes(root: Path, tau: str) -> list[Episode]:
    table = store.read_table(root / "galleries" / f"tau-{tau}", "episodes.parquet")
    return list(from_table(table, Episode))


def summary(root: Path, tau: str) -> dict[str, Any]:
    path = root / "galleries" / f"tau-{tau}" / "summary.json"
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded


def test_what_stands_there_afterwards(small: Path) -> None:
    folder = small / "galleries" / "tau-0.3"
    assert {path.name for path in folder.iterdir() if not path.name.startswith(".")} == {
        "README.md",
        "episodes.parquet",
        "gallery.jpg",
        "manifest.json",
        "report.html",
        "sizes.png",
        "summary.json",
    }
    assert summary(small, "0.3")["episodes"] == len(episodes(small, "0.3")) == 36
    assert not (folder / ".parts").exists()


LOAD = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
found = {}
for folder in sys.argv[1:]:
    default = load_dataset(folder)["train"]
    found[folder] = {"default": [len(default), sorted(default.features)]}
    for config in get_dataset_config_names(folder):
        found[folder][config] = [len(load_dataset(folder, config)["train"])]
print(json.dumps(found))
"""


def test_datasets_loads_each_stage(small: Path, dresses: Path, tmp_path: Path) -> None:
    small_catalog, labels = str(small / "catalog"), str(small / "labels")
    galleries = str(small / "galleries" / "tau-0.3")
    dresses_catalog = str(dresses / "catalog")
    # in a process of its own: the library reads these variables once, as it is imported
    done = subprocess.run(
        [sys.executable, "-c", LOAD, small_catalog, labels, galleries, dresses_catalog],
        env=os.environ
        | {
            "HF_HUB_OFFLINE": "1",
            "HF_HOME": str(tmp_path / "hf"),
            "HF_DATASETS_CACHE": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    counts = {
        folder: {config: count for config, (count, *_) in configs.items()}
        for folder, configs in found.items()
    }
    assert counts == {
        small_catalog: {"default": 36, "items": 36},  # no rejects, and a table needs a row
        labels: {"default": 108, "labels": 108},
        galleries: {"default": 36, "episodes": 36},
        dresses_catalog: {"default": 475, "items": 475, "rejects": 25},
    }
    assert found[galleries]["default"][1] == sorted(SCHEMAS[Episode].names)


def test_done_twice_it_does_nothing_and_says_so(
    small: Path, run: Run, small_arguments: tuple[str, ...]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in small.rglob("*")}
    commands = (
        (("build-catalog", *small_arguments), "nothing to do"),
        (("label-attributes", "normalise"), "(done before)"),
        (("build-galleries", "--tau", "0.3"), "(done before)"),
        (("build-galleries", "--tau", "0.300"), "(done before)"),  # the same τ
    )
    for command, said in commands:
        ran = run(*command, "--workspace", small)
        assert (ran.code, ran.err) == (0, "")
        assert said in ran.out
    assert {path: path.stat().st_mtime_ns for path in small.rglob("*")} == before


def test_force_makes_the_same_again(small: Path, run: Run, holdings: Holdings) -> None:
    before, manifest = holdings(small), small / "galleries/tau-0.3/manifest.json"
    written = manifest.stat().st_mtime_ns
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small, "--force")
    assert ran.code == 0
    assert "done before" not in ran.out
    assert manifest.stat().st_mtime_ns != written
    assert holdings(small) == before


def redone(run: Run, root: Path, *options: str) -> bool:
    ran = run("build-galleries", "--tau", "0.3", *options, "--workspace", root)
    assert ran.code == 0, ran.err
    return "done before" not in ran.out


def test_a_changed_flag_of_the_vocabulary_redoes_the_galleries(small: Path, run: Run) -> None:
    path = small / "labels" / "vocabulary.yaml"
    vocabulary = yaml.safe_load(path.read_text("utf-8"))
    assert not redone(run, small)
    vocabulary["types"]["shape"]["askable"] = False
    path.write_text(yaml.safe_dump(vocabulary), "utf-8")
    assert redone(run, small)
    asked = {one.type for episode in episodes(small, "0.3") for one in episode.telling_values}
    assert asked == {"cloth", "trim"}
    assert not redone(run, small)


@pytest.mark.parametrize(
    "options",
    [
        ("--seed", "1"),
        ("--per-value", "3"),
        ("--min-gallery", "4"),
        ("--episodes", "5"),
        ("--size", "6-8"),
        ("--paired",),
        ("--only-identifiable",),
    ],
)
def test_each_setting_redoes_the_galleries(small: Path, run: Run, options: tuple[str, ...]) -> None:
    assert redone(run, small, *options)
    assert not redone(run, small, *options)
    assert redone(run, small)


def test_the_number_of_threads_does_not(small: Path, run: Run) -> None:
    assert not redone(run, small, "--threads", "2")


def test_a_file_that_was_removed_or_cut_is_made_again(
    small: Path, run: Run, holdings: Holdings
) -> None:
    before, folder = holdings(small), small / "galleries" / "tau-0.3"
    (folder / "report.html").unlink()
    assert redone(run, small)
    (folder / "sizes.png").write_bytes((folder / "sizes.png").read_bytes()[:-1])
    assert redone(run, small)
    assert holdings(small) == before


def test_a_catalog_that_lost_its_pictures_leaves_no_old_sheet(
    small: Path, run: Run, small_table: Path
) -> None:
    ran = run(
        *("build-catalog", "table", small_table, "--id", "id", "--image", ""),
        *("--attributes", "cloth,shape,trim", "--workspace", small),
    )
    assert ran.code == 0, ran.err
    assert redone(run, small)
    folder = small / "galleries" / "tau-0.3"
    assert not list(folder.glob("gallery.*"))
    named = set(json.loads((folder / "manifest.json").read_text("utf-8"))["files"])
    there = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    assert there == named | {"manifest.json"}


def test_several_thresholds_in_one_run(dresses: Path, run: Run) -> None:
    ran = run("build-galleries", "--tau", "0.80,.5,0.5", "--workspace", dresses, "--episodes", "9")
    assert ran.code == 0, ran.err
    assert sorted(path.name for path in (dresses / "galleries").iterdir()) == ["tau-0.5", "tau-0.8"]
    for tau in ("0.5", "0.8"):
        made = episodes(dresses, tau)
        assert len(made) == 9
        assert {episode.tau for episode in made} == {float(tau)}
        assert min(min(episode.similarities) for episode in made) >= float(tau)


def test_fewer_than_asked_for_is_said(small: Path, run: Run) -> None:
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small, "--force")
    assert "all that qualify, fewer than --episodes 1000" in ran.out
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small, "--episodes", "36")
    assert "fewer than" not in ran.out
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small, "--episodes", "0")
    assert "fewer than" not in ran.out
    assert len(episodes(small, "0.3")) == 36


def test_the_first_of_many_episodes_are_those_of_few(dresses: Path, run: Run) -> None:
    run("build-galleries", "--tau", "0.5", "--workspace", dresses, "--episodes", "20")
    few = episodes(dresses, "0.5")
    run("build-galleries", "--tau", "0.5", "--workspace", dresses, "--episodes", "50")
    assert episodes(dresses, "0.5")[:20] == few


@pytest.mark.parametrize("only", [(), ("--only-identifiable",)])
def test_paired_galleries(dresses: Path, run: Run, only: tuple[str, ...]) -> None:
    taus = ("0.4", "0.6", "0.8")
    ran = run(
        *("build-galleries", "--tau", ",".join(taus), "--paired", "--size", "6-9", *only),
        *("--workspace", dresses),
    )
    assert ran.code == 0, ran.err
    made = {tau: episodes(dresses, tau) for tau in taus}
    shapes = [[(one.target_id, len(one.image_ids)) for one in made[tau]] for tau in taus]
    assert shapes[0]
    assert shapes[0] == shapes[1] == shapes[2]
    if only:
        assert all(one.identifiable for some in made.values() for one in some)


def test_only_identifiable_leaves_out_the_others_and_counts_them(dresses: Path, run: Run) -> None:
    run("build-galleries", "--tau", "0.6", "--workspace", dresses)
    everything = episodes(dresses, "0.6")
    run("build-galleries", "--tau", "0.6", "--workspace", dresses, "--only-identifiable")
    made = episodes(dresses, "0.6")
    assert made == [episode for episode in everything if episode.identifiable]
    assert 0 < len(made) < len(everything)
    # nothing vanishes: what was looked at is taken or counted
    manifest = json.loads((dresses / "galleries/tau-0.6/manifest.json").read_text("utf-8"))
    assert manifest["reasons"]["not_identifiable"] == len(everything) - len(made)


def test_a_threshold_at_which_nothing_qualifies_does_not_stop_the_others(
    small: Path, run: Run
) -> None:
    ran = run("build-galleries", "--tau", "1,0.5", "--workspace", small)
    assert "τ 0.5: 36 galleries" in ran.out
    assert "no target qualifies at τ 1 " in ran.out + ran.err
    assert not [path for path in (small / "galleries" / "tau-1").rglob("*") if path.name != ".lock"]


def test_galleries_of_before_are_named_where_there_are_none_now(small: Path, run: Run) -> None:
    folder = small / "galleries" / "tau-0.3"
    before = (folder / "episodes.parquet").read_bytes()
    ran = run("build-galleries", "--tau", "0.3,1", "--min-gallery", "500", "--workspace", small)
    assert ran.code == 1
    lines = ran.out.splitlines()
    said = "no galleries with these settings; those of before still stand in"
    assert f"τ 0.3: {said} {folder}" in lines
    assert "τ 1: no galleries" in lines
    assert (folder / "episodes.parquet").read_bytes() == before


def test_where_nothing_qualifies_at_all(small: Path, run: Run, holdings: Holdings) -> None:
    before = holdings(small)
    ran = run("build-galleries", "--tau", "1", "--workspace", small)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("error: no target qualifies at τ 1 among 36 pictures")
    assert holdings(small) == before


def test_without_a_catalog_the_sample_is_drawn(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a small one: all of it takes its time
    few = partial(build_sample, n=40, workers=1)
    monkeypatch.setattr("galleries.prepare.build_sample", few)
    root = tmp_path / "workspace"
    ran = run("build-galleries", "--tau", "0.3", "--workspace", root)
    assert ran.code == 0, ran.err
    assert f"{root} has no catalog: drawing the built-in sample." in ran.out
    assert summary(root, "0.3")["pictures"] == 40
    ran = run("build-galleries", "--tau", "0.3", "--workspace", root)
    assert "has no catalog" not in ran.out
    assert "done before" in ran.out


def test_labels_that_people_made_are_left_alone(small: Path, run: Run) -> None:
    path = small / "labels" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["plan"]["settings"]["method"] = "votes"
    path.write_text(json.dumps(manifest), "utf-8")
    vocabulary = small / "labels" / "vocabulary.yaml"
    vocabulary.write_text(vocabulary.read_text("utf-8").replace("trim", "edge"), "utf-8")
    before = path.read_bytes()
    ran = run("build-galleries", "--tau", "0.3", "--workspace", small)
    assert ran.code == 0, ran.err
    assert path.read_bytes() == before


def test_a_folder_with_an_awkward_name(small: Path, run: Run, tmp_path: Path) -> None:
    # Arrow takes a folder called key=value for a column, and globs have signs of their own
    root = Path(shutil.copytree(small, tmp_path / "split=a[1]* ünï" / "work space"))
    ran = run("build-galleries", "--tau", "0.5", "--workspace", root)
    assert ran.code == 0, ran.err
    assert len(episodes(root, "0.5")) == 36


RELOAD = """
import json, sys
from datasets import load_dataset
print(json.dumps([load_dataset(folder, split="train").num_rows for folder in sys.argv[1:]]))
"""


def test_datasets_does_not_take_another_build_for_this_one(
    small: Path, run: Run, tmp_path: Path
) -> None:
    """The library keeps what it loaded by the name of the folder and by the README in it."""
    folder = small / "galleries" / "tau-0.3"
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf")}

    def rows() -> int:
        command = [sys.executable, "-c", RELOAD, str(folder)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        (found,) = json.loads(done.stdout.splitlines()[-1])
        return int(found)

    assert rows() == 36
    ran = run("build-galleries", "--tau", "0.3", "--episodes", "9", "--workspace", small)
    assert "in place of galleries that were made with other settings" in ran.out
    assert rows() == 9


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tau", "0.3", "--min-gallery", "500"), "no target qualifies at τ 0.3"),
        (("--tau", "0.3,1", "--paired"), "each by itself: 36 at 0.3, 0 at 1"),  # 1 is the cause
    ],
)
def test_what_cannot_be_built_leaves_what_stands(
    small: Path, run: Run, holdings: Holdings, options: tuple[str, ...], said: str
) -> None:
    before = holdings(small)
    ran = run("build-galleries", *options, "--workspace", small)
    assert ran.code == 1
    assert said in ran.err
    assert holdings(small) == before


def test_the_sample_is_drawn_into_an_empty_workspace_only(tmp_path: Path, run: Run) -> None:
    stopped = tmp_path / "catalog" / ".parts" / "pictures-00000.parquet"
    stopped.parent.mkdir(parents=True)
    stopped.write_bytes(b"days of work")
    ran = run("build-galleries", "--workspace", tmp_path)
    assert ran.code == 1
    assert "run its build-catalog command again" in ran.err
    assert stopped.read_bytes() == b"days of work"
