"""A clip voter whose pictures are embedded on two nodes of a Ray cluster, as on one machine."""

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from stand_ins.embedding import ColourEmbedder

pytest.importorskip("ray")
pytestmark = pytest.mark.timeout(300)  # a busy machine starts processes slowly

CLIP = {"name": "clip", "kind": "clip", "model": "none"}
_VOTER = "labeling.attributes.voting.clip_voter"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[ColourEmbedder]:
    """A stand-in for every CLIP model; those that this process loaded."""
    loaded: list[ColourEmbedder] = []

    def load(*_: Any, **__: Any) -> ColourEmbedder:
        loaded.append(ColourEmbedder(batch=3))
        return loaded[-1]

    monkeypatch.setattr(f"{_VOTER}.load_open_clip", load)
    monkeypatch.setattr(f"{_VOTER}.self_test", lambda _: None)
    return loaded


def embeddings(shop: Any) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(shop.workspace.embeddings)
    rows = connection.execute("SELECT picture, view, vector FROM embeddings ORDER BY 1, 2")
    found = rows.fetchall()
    connection.close()
    return found


def test_cuts_and_votes_are_the_same(
    shop_at: Callable[[Path], Any],
    made: list[ColourEmbedder],
    ray_cluster: Any,
    tmp_path: Path,
) -> None:
    found = []
    there = ("--engine", "ray", "--address", ray_cluster.address)
    for name, engine in (("here", ()), ("there", there)):
        shop = shop_at(tmp_path / name)
        made.clear()
        ensemble = shop.ensemble(CLIP, views={"whole": {}, "parts": {"tiles": 2}})
        calibrate = partial(shop.do, "calibrate", "--clip", ensemble, "--known", "catalog")
        calibrate("--noun", "garment", *engine)
        shop.ask(ensemble, *engine)
        cuts = (shop.workspace.labels / "clip-clip.json").read_bytes()
        found.append((cuts, shop.vote_bytes(), shop.manifest()["content"], embeddings(shop)))
        embedded = sum(sum(each.batches) for each in made)
        assert embedded == (16 * 5 if name == "here" else 0)  # all of it elsewhere
    assert found[0] == found[1]
