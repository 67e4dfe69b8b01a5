"""A release to score runs on, and a baseline's run of it."""

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


@pytest.fixture(scope="session")
def _ran(
    dresses_release: Workspace, tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]
) -> Path:
    root = tmp_path_factory.mktemp("ran") / "workspace"
    shutil.copytree(dresses_release.root / "releases", root / "releases")
    release = root / "releases" / "dresses" / "1.0.0"
    for player in ("greedy", "random"):
        ran = run(
            "run-benchmark", release, "--player", player, "--run", player, "--workspace", root
        )
        assert ran.code == 0, ran.err
    return root


@pytest.fixture
def ran(_ran: Path, tmp_path: Path) -> Path:
    """A workspace with the release and the runs ``greedy`` and ``random`` of it."""
    return Path(shutil.copytree(_ran, tmp_path / "ran"))
