"""A release of drawn dresses, for whole runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace


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
