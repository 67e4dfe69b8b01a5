"""Baselines' runs of a release, to be scored."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def ran(baselines: Path, tmp_path: Path) -> Path:
    """A workspace with the release and the runs ``greedy`` and ``random`` of it."""
    others = shutil.ignore_patterns("never-asking")
    return Path(shutil.copytree(baselines, tmp_path / "ran", ignore=others))
