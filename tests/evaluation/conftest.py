"""A release of drawn dresses, for whole runs, and files with runs made elsewhere."""

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from evaluation.hidden_target.running.material import Material, material_of
from evaluation.releases.release import open_release

CONFIG = "hidden-target-tau-0.6"
Write = Callable[[Iterable[Any]], Path]


@pytest.fixture(scope="session")
def dresses_release(tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]) -> Workspace:
    """A workspace with the release dresses 1.0.0: 17 galleries at τ 0.6, not to be changed."""
    root = tmp_path_factory.mktemp("dresses") / "workspace"
    for command in (
        ("build-catalog", "sample", "--n", "120", "--workers", "1"),
        ("label-attributes", "normalise"),
        ("build-galleries", "--tau", "0.6"),
        ("push-release", "build", "dresses", "--version", "1.0.0"),
    ):
        ran = run(*command, "--workspace", root)
        assert ran.code == 0, ran.err
    return Workspace(root)


@pytest.fixture(scope="session")
def dresses_folder(dresses_release: Workspace) -> Path:
    """The folder of the release dresses 1.0.0."""
    return dresses_release.root / "releases" / "dresses" / "1.0.0"


@pytest.fixture(scope="session")
def baselines(
    dresses_release: Workspace, tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]
) -> Path:
    """The release and runs of greedy, random and never-asking on it; not to be changed."""
    root = tmp_path_factory.mktemp("baselines") / "workspace"
    shutil.copytree(dresses_release.root / "releases", root / "releases")
    release = root / "releases" / "dresses" / "1.0.0"
    for player in ("greedy", "random", "never-asking"):
        ran = run(
            "run-benchmark", release, "--player", player, "--run", player, "--workspace", root
        )
        assert ran.code == 0, ran.err
    return root


@pytest.fixture(scope="session")
def material(dresses_folder: Path) -> Material:
    """The 17 galleries of the release dresses 1.0.0, whose noun is dress."""
    release = open_release(str(dresses_folder))
    return material_of(release, CONFIG, batch_size=5, turns=20, noun="dress", episodes=None, seed=0)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write rows, trajectories or lines as a run made elsewhere."""

    def write_rows(rows: Iterable[Any]) -> Path:
        path = tmp_path / "elsewhere.jsonl"
        lines = (_line(row) for row in rows)
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        return path

    return write_rows


def _line(row: Any) -> bytes:
    if isinstance(row, bytes):
        return row
    return json.dumps(row if isinstance(row, dict) else asdict(row)).encode()
