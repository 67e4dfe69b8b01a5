"""The same inputs, settings and seed give the same bytes, whatever else differs."""

import csv
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Holdings = Callable[[Path], dict[str, Any]]

BUILD = ("build-galleries", "--tau", "0.4,0.6", "--size", "6-9", "--seed", "3")
CODE = """
import json, sys
from builders.cli import main as build_catalog
from galleries.cli import main as build_galleries
from labeling.attributes.cli import main as label_attributes
mains = {"build-catalog": build_catalog, "build-galleries": build_galleries,
         "label-attributes": label_attributes}
for command in json.loads(sys.stdin.read()):
    sys.argv = command
    try:
        mains[command[0]]()
    except SystemExit as stop:
        if stop.code:
            raise
"""


def commands(table: Path, root: Path | str, *options: str) -> list[list[str]]:
    """Return what makes a catalog from the table, labels and galleries."""
    source = ["--id", "Dress_ID"] if table.name == "dresses.csv" else ["--id", "id"]
    source += [] if table.name == "dresses.csv" else ["--image", "image"]
    return [
        ["build-catalog", "table", str(table), *source, "--workspace", str(root)],
        ["label-attributes", "normalise", "--workspace", str(root)],
        ["label-attributes", "normalise", "--accept", "all", "--workspace", str(root)],
        [*BUILD, *options, "--workspace", str(root)],
    ]


@pytest.fixture(scope="module")
def made(
    run: Run, holdings: Holdings, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., dict[str, Any]]:
    """Run the commands for a table in this process and return what they made."""

    def make(table: Path, *options: str, workers: str = "1") -> dict[str, Any]:
        root = tmp_path_factory.mktemp("made")
        catalog, *others = commands(table, root, *options)
        for command in ([*catalog, "--workers", workers], *others):
            ran = run(*command)
            assert ran.code == 0, ran.err
        return holdings(root)

    return make


@pytest.fixture(scope="module")
def expected(made: Callable[..., dict[str, Any]], dresses_csv: Path) -> dict[str, Any]:
    return made(dresses_csv, "--threads", "1")


def in_a_process(
    table: Path, root: Path, folder: Path, named: Path | str | None = None, **environment: str
) -> None:
    """Run the commands in a new process that works in a folder."""
    plan = commands(table, named or root)
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        input=json.dumps(plan),
        env=os.environ | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_any_number_of_threads(
    made: Callable[..., dict[str, Any]], expected: dict[str, Any], dresses_csv: Path
) -> None:
    assert made(dresses_csv, "--threads", "5") == expected


def test_any_number_of_workers(
    made: Callable[..., dict[str, Any]],
    small_table: Path,
    run: Run,
    holdings: Holdings,
    tmp_path: Path,
) -> None:
    assert made(small_table, workers="1") == made(small_table, workers="2")
    for workers in ("1", "2"):
        ran = run(
            *("build-catalog", "sample", "--n", "9", "--workers", workers),
            *("--workspace", tmp_path / workers),
        )
        assert ran.code == 0, ran.err
    assert holdings(tmp_path / "1") == holdings(tmp_path / "2")


def test_any_order_of_the_rows(
    made: Callable[..., dict[str, Any]],
    expected: dict[str, Any],
    dresses_csv: Path,
    tmp_path: Path,
) -> None:
    with dresses_csv.open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    random.Random(1).shuffle(rows)
    shuffled = tmp_path / "dresses.csv"
    with shuffled.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    found = made(shuffled)
    # rejects name the line that they stood on, and the table is another file; nothing else may
    # follow from where a row stood
    about_lines = {
        *("catalog/rejects.parquet", "catalog/README.md", "catalog/manifest", "labels/manifest"),
        *(name for name in expected if name.startswith("galleries/") and name.endswith("manifest")),
    }
    assert found.keys() == expected.keys()
    differing = {name for name in expected if found[name] != expected[name]}
    assert differing <= about_lines
    for name in about_lines - {"catalog/rejects.parquet", "catalog/README.md"}:
        files, others = dict(found[name]["files"]), dict(expected[name]["files"])
        for some in (files, others):
            some.pop("rejects.parquet", None)
            some.pop("README.md", None)  # it holds the digest of the content
        assert files == others
        assert found[name]["counts"] == expected[name]["counts"]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "environment",
    [
        # another alphabet, another sort order, another time, and no UTF-8 by default
        {
            "PYTHONHASHSEED": "0",
            "LC_ALL": "C",
            "LANG": "C",
            "PYTHONUTF8": "0",
            "TZ": "Pacific/Kiritimati",
        },
        {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns"},
        {
            "PYTHONHASHSEED": "random",
            "NUMBA_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "COLUMNS": "40",
        },
    ],
)
def test_any_environment(
    expected: dict[str, Any],
    dresses_csv: Path,
    tmp_path: Path,
    holdings: Holdings,
    environment: dict[str, str],
) -> None:
    root = tmp_path / "workspace"
    in_a_process(dresses_csv, root, tmp_path, **environment)
    assert holdings(root) == expected


@pytest.mark.heavy
def test_any_folder(
    expected: dict[str, Any], dresses_csv: Path, tmp_path: Path, holdings: Holdings
) -> None:
    folder = tmp_path / "somewhere else"
    folder.mkdir()
    # the workspace is named relative to the folder, and where the table lies leaves no trace
    (folder / "dresses.csv").write_bytes(dresses_csv.read_bytes())
    in_a_process(Path("dresses.csv"), folder, folder, named="./here")
    assert holdings(folder / "here") == expected


def test_a_second_catalog_in_between_leaves_no_trace(
    run: Run, holdings: Holdings, expected: dict[str, Any], dresses_csv: Path, small: Path
) -> None:
    for command in commands(dresses_csv, small):
        # the vocabulary is the user's once it is there, so the old one has to go by hand
        if command[1:2] == ["normalise"] and "--accept" not in command:
            (small / "labels" / "vocabulary.yaml").unlink()
        assert run(*command).code == 0
    found = {
        name: value
        for name, value in holdings(small).items()
        if not name.startswith(("catalog/images/", "galleries/tau-0.3/"))
    }
    assert found == expected
