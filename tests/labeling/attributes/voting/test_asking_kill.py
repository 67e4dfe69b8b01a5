"""kill -9 while an ensemble is asked: the same command goes on, and nothing is bought twice.

Real processes ask a real server. They are killed at seeded moments: when an answer has come and
is not stored, when it is stored, and when a part or a shard is written and has no name yet.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stand_ins.models import ErrorRate, Model, served

KILLS, CONCURRENCY, BLOCK = 3, 4, 6


@pytest.mark.heavy
def test_nothing_is_bought_twice(
    shop_at: Callable[[Path], Any], kit: Any, tmp_path: Path, die_asking: Callable[..., int]
) -> None:
    models = (
        Model(name="good", errors=(ErrorRate(on_yes=0.1, on_no=0.1),), seconds=0.001),
        Model(name="bad", errors=(ErrorRate(on_yes=0.3, on_no=0.2),), seconds=0.001),
    )
    killed, whole = shop_at(tmp_path / "killed"), shop_at(tmp_path / "whole")
    with served(kit.script(*models)) as server:
        voters = [kit.model(server.base_url, each.name, concurrency=CONCURRENCY) for each in models]
        ensemble = killed.ensemble(*voters, templates=2)
        died = die_asking(
            "labeling.attributes.cli",
            [
                *("label-attributes", "ask", "--ensemble", str(ensemble), "--noun", "garment"),
                *("--no-probe", "--workspace", str(killed.root)),
            ],
            ahead={"labeling.attributes.voting.asking": {"_BLOCK": BLOCK}},
            moments=(60, 300),
            seed=5,
        )
        counts = server.counts()
        assert died >= KILLS
        calls = killed.manifest()["counts"]["calls"]
        assert len(counts["requests"]) == calls  # none that an undisturbed run would not ask
        in_flight = 2 * CONCURRENCY * died
        assert calls <= counts["chats"] <= calls + in_flight
        whole.ask(whole.ensemble(*voters, templates=2))
    # the blocks of the killed runs were smaller: their shards hold the same votes
    assert len(killed.vote_bytes()) == -(-len(killed.truths) // BLOCK)
    assert whole.votes() == killed.votes()
    assert whole.manifest()["content"] == killed.manifest()["content"]
