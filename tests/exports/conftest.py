"""Releases that tests make."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stand_ins.whole_workspace import make_release

Release = Callable[..., Path]


@pytest.fixture(scope="session")
def release() -> Release:
    """Make a version of the release ``things`` of a workspace and return its folder."""
    return make_release
