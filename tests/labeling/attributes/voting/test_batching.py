"""Batches ask in rounds, and the labels are those of asking one by one."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings
from stand_ins.models import BatchRules, ErrorRate, Model


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", settings)


def test_labels_are_those_of_asking_one_by_one(
    shop: Any, serve: Callable[..., Any], kit: Any
) -> None:
    names = ("a", "b", "c")
    errs = (ErrorRate(on_yes=0.15, on_no=0.1),)
    server = serve(kit.script(*(Model(name=name, errors=errs) for name in names)))
    path = shop.ensemble(*(kit.model(server, name) for name in names))
    shop.ask(path, "--batch")
    assert server.counts.paths["/v1/chat/completions"] == 0
    rounds = server.counts.paths["/v1/batches"]
    shop.do("decide")
    in_rounds = {cell: label.answer for cell, label in shop.labels().items()}
    shop.ask(path)  # nothing is left to ask, in whichever way
    assert server.counts.paths["/v1/chat/completions"] == 0
    shop.ask(path, "--force")
    shop.do("decide", "--force")
    assert {cell: label.answer for cell, label in shop.labels().items()} == in_rounds
    assert 2 * len(names) <= rounds <= 9 * len(names)


def test_what_no_batch_brought_is_asked_by_the_next_run(
    shop: Any, serve: Callable[..., Any], kit: Any
) -> None:
    half = kit.script(batches=BatchRules(outcome="expired"))
    server = serve(half)
    path = shop.ensemble(kit.model(server))
    ran = shop.ask(path, "--batch", "--max-calls", "20", code=1)
    assert "failed" in ran.out
    server = serve(kit.script())
    path = shop.ensemble(kit.model(server))
    shop.ask(path, "--batch")
    shop.do("decide")
    assert shop.wrong() == []
