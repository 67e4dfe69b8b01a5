"""Baselines' runs of a release, to be scored."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace


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
