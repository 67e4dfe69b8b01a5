"""A workspace that has something of everything, and a release that was made of it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.names import Version
from stand_ins.whole_workspace import fill

Release = Callable[..., Path]


# what the gate would find of so small a thing
_WAIVED = tuple((name, "a test") for name in ("duplicates", "label-error", "licences"))


def make_release(workspace: Workspace, version: str = "1.0.0", **settings: Any) -> Path:
    """Make a version of the release ``things`` and return its folder."""
    made = build_release(
        workspace, "things", Version.of(version), ReleaseSettings(**{"waived": _WAIVED, **settings})
    )
    return made.folder


@pytest.fixture(scope="session")
def release() -> Release:
    return make_release


@pytest.fixture(scope="session")
def whole_once(tmp_path_factory: pytest.TempPathFactory, _small: Path) -> Workspace:
    """The workspace, with its release 1.0.0; tests change copies of it."""
    root = tmp_path_factory.mktemp("whole") / "workspace"
    workspace = Workspace(Path(shutil.copytree(_small, root)))
    shutil.rmtree(workspace.galleries)
    fill(workspace)
    make_release(workspace)
    return workspace


@pytest.fixture
def whole(whole_once: Workspace, tmp_path: Path) -> Workspace:
    """Return a copy of the workspace and its release that a test may change."""
    return Workspace(Path(shutil.copytree(whole_once.root, tmp_path / "whole")))
