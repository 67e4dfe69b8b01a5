"""Where an ensemble is asked from."""

import sys
from pathlib import Path
from typing import Any

import pytest

from benchwright.engines.engine import LOCAL
from benchwright.workspace import Workspace
from labeling.attributes.voting.site import HERE, site_of


def test_here_nothing_is_spread(tmp_path: Path) -> None:
    with site_of(LOCAL, Workspace(tmp_path)) as site:
        assert site is HERE
        assert site.spread(lambda: pytest.fail("loaded"), "some model") is None


@pytest.mark.parametrize("command", ["ask", "run"])
def test_without_ray_one_line_says_how_to_get_it(
    shop: Any, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    ensemble = shop.ensemble({"name": "m", "model": "m", "base_url": "http://127.0.0.1:9/v1"})
    given = ("--ensemble", ensemble, "--noun", "garment", "--engine", "ray")
    ran = shop.do(command, *given, code=1)
    (line,) = (line for line in ran.err.splitlines() if line.startswith("error:"))
    assert "pip install 'benchwright[ray]'" in line
    assert not shop.workspace.votes.exists()
    # an estimate asks nothing, so nothing is connected to
    assert "if everything is asked:" in shop.do(command, *given, "--estimate").out
