"""Rounds of batches: one voter's end is not that of the others, and all that is wanted goes out."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings
from benchwright.asking.requests import Request
from benchwright.asking.rounds import StoredAnswers, by_rounds, together
from benchwright.asking.session import Spending, session
from benchwright.asking.voters import Voter
from benchwright.errors import BenchwrightError, ServerError
from benchwright.workspace import Workspace
from stand_ins.models import BatchRules, Question, Script, ScriptedServer, Turn

DEAD = "http://127.0.0.1:9/v1"  # the port of discard, where nobody listens


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "benchwright.asking.rounds.BATCH_SETTINGS", BatchSettings(poll_seconds=0.01)
    )
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.02)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.1)


def echo(question: Question) -> Turn:
    return Turn(text=f"to {question.text}")


def voter(name: str, url: str) -> Voter:
    return Voter(name=name, model="scripted", revision=name, base_url=url)


async def run(
    folder: Path, voters: list[Voter], items: list[Any], work: Any, **more: Any
) -> tuple[dict[int, Any], Any]:
    async with session(Workspace(folder), voters, Spending()) as opened:
        return await by_rounds(opened, items, work, folder=folder / "batches", **more)


async def ask_one(name: str, clients: Mapping[str, StoredAnswers]) -> str:
    return (await clients[name].ask(Request.of(f"ask {name}", max_tokens=9))).text


def test_a_voter_that_is_gone_leaves_the_others_their_batches(tmp_path: Path) -> None:
    faults: dict[str, BenchwrightError] = {}
    # its batch is under way long after the other has given up
    with ScriptedServer(Script(batches=BatchRules(polls=12)), brain=echo) as server:
        voters = [voter("gone", DEAD), voter("good", server.base_url)]
        found, outcomes = asyncio.run(
            run(tmp_path, voters, ["gone", "good"], ask_one, faults=faults)
        )
    assert found == {1: "to ask good"}
    assert [outcome.collected for outcome in outcomes] == [1]
    assert list(faults) == ["gone"]
    assert isinstance(faults["gone"], ServerError)


def test_without_a_place_for_them_faults_are_raised_at_the_end(tmp_path: Path) -> None:
    with ScriptedServer(Script(batches=BatchRules(polls=12)), brain=echo) as server:
        voters = [voter("gone", DEAD), voter("good", server.base_url)]
        with pytest.raises(ServerError, match="voter gone"):
            asyncio.run(run(tmp_path, voters, ["gone", "good"], ask_one))
        before = server.counts.paths["/v1/files"]
        found, _ = asyncio.run(run(tmp_path, voters[1:], ["good"], ask_one))
        assert server.counts.paths["/v1/files"] == before == 1  # it was collected all the same
    assert found == {0: "to ask good"}


def test_a_bug_stops_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = []

    async def broken(voter: Voter, *_: Any, **__: Any) -> None:
        if voter.name == "bug":
            raise ZeroDivisionError
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(voter.name)

    monkeypatch.setattr("benchwright.asking.rounds.run_batch", broken)
    voters = [voter("good", DEAD), voter("bug", DEAD)]
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run(tmp_path, voters, ["good", "bug"], ask_one))
    assert stopped == ["good"]


def test_what_is_asked_of_one_item_at_once_goes_out_in_one_round(tmp_path: Path) -> None:
    async def ask_all(numbers: range, clients: Mapping[str, StoredAnswers]) -> list[str]:
        async def of(number: int) -> str:
            request = Request.of(f"number {number}", max_tokens=9)
            return (await clients["one" if number % 2 else "two"].ask(request)).text

        return await together(of(number) for number in numbers)

    with ScriptedServer(brain=echo) as server:
        voters = [voter("one", server.base_url), voter("two", server.base_url)]
        found, outcomes = asyncio.run(run(tmp_path, voters, [range(6), range(3, 9)], ask_all))
        assert server.counts.paths["/v1/files"] == 2  # one round, a batch for each voter
    assert found[0] == [f"to number {number}" for number in range(6)]
    assert found[1] == [f"to number {number}" for number in range(3, 9)]
    assert sum(outcome.submitted for outcome in outcomes) == 9  # what two want is asked once


def test_another_error_of_one_stops_the_others() -> None:
    stopped: list[int] = []

    async def of(number: int) -> int:
        if number == 1:
            raise ZeroDivisionError
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(number)
        return number

    with pytest.raises(ZeroDivisionError):
        asyncio.run(together(of(number) for number in range(3)))
    assert stopped == [0, 2]
