"""What batches may cost is reserved before, and replaced by what they used."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PIL import Image

from benchwright.asking.answers import AnswerStore
from benchwright.asking.batch import BatchOutcome, BatchSettings, run_batch
from benchwright.asking.budget import Budget
from benchwright.asking.requests import Request, View
from benchwright.asking.views import Encoder, part_of
from benchwright.asking.voters import Price, Voter
from benchwright.errors import BudgetSpent, LostPicture
from stand_ins.models import BatchRules, Question, Script, ScriptedServer, Turn

Leaving = Callable[[], AbstractContextManager[None]]

# a token of an answer costs 1 here, by a batch 0.5: a cap of 16 may cost 8 a line
PRICE = Price(input=0, output=1_000_000, batch=0.5)
EACH = 8.0


def echo(question: Question) -> Turn:
    return Turn(text="Yes")


def questions(number: int, start: int = 0) -> list[Request]:
    return [Request.of(f"question {start + n}?", max_tokens=16) for n in range(number)]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(Script(batches=BatchRules(polls=2)), brain=echo) as server:
        yield server


def run(
    folder: Path, server: ScriptedServer, requests: list[Request], budget: Budget
) -> BatchOutcome:
    voter = Voter(name="v", model="scripted", base_url=server.base_url, price=PRICE)
    settings = BatchSettings(poll_seconds=0.005, most_lines=4)

    async def main() -> BatchOutcome:
        with AnswerStore(folder / "answers.sqlite") as store:
            batches = folder / "batches"
            given = (voter, requests, store, Encoder(), budget)
            return await run_batch(*given, folder=batches, settings=settings)

    return asyncio.run(main())


def test_calls_cut_the_lines(tmp_path: Path, server: ScriptedServer) -> None:
    outcome = run(tmp_path, server, questions(8), budget := Budget(max_calls=6))
    assert (outcome.submitted, outcome.collected, budget.calls) == (6, 6, 6)
    assert outcome.stopped is not None
    assert outcome.stopped.startswith("--max-calls 6 is reached")
    rest = run(tmp_path, server, questions(8), Budget(max_calls=6))
    assert (rest.stored, rest.submitted, rest.stopped) == (6, 2, None)


def test_money_is_that_of_a_batch(tmp_path: Path, server: ScriptedServer) -> None:
    run(tmp_path, server, questions(3), budget := Budget())
    with AnswerStore(tmp_path / "answers.sqlite") as store:
        sql = "SELECT sum(completion_tokens) FROM attempts"
        (tokens,) = store.run(sql).fetchone()
    assert tokens > 0
    assert budget.cost == pytest.approx(tokens * 0.5)


def test_goes_on_when_answers_cost_less(tmp_path: Path, server: ScriptedServer) -> None:
    budget = Budget(max_cost=2.5 * EACH)  # room for two at their highest price, at first
    outcome = run(tmp_path, server, questions(6), budget)
    assert (outcome.submitted, outcome.collected, outcome.stopped) == (6, 6, None)
    assert budget.cost <= 6 * 2
    counts = server.counts.paths
    assert counts["/v1/files"] == 3  # two lines each


def test_no_money_for_a_single_line(tmp_path: Path, server: ScriptedServer) -> None:
    outcome = run(tmp_path, server, questions(2), Budget(max_cost=EACH / 2))
    assert outcome.submitted == 0
    assert outcome.stopped is not None
    assert outcome.stopped.startswith("--max-cost 4 would be passed")


def test_leaving_counts_the_highest(
    tmp_path: Path, server: ScriptedServer, leaving: Leaving
) -> None:
    budget = Budget(max_cost=2.5 * EACH)
    with leaving():
        run(tmp_path, server, questions(6), budget)
    assert (server.counts.paths["/v1/files"], budget.calls, budget.cost) == (1, 2, 2 * EACH)
    with pytest.raises(BudgetSpent):  # another voter of the run is not left waiting
        asyncio.run(budget.reserve(EACH))


def test_what_is_under_way_counts(tmp_path: Path, server: ScriptedServer, leaving: Leaving) -> None:
    with leaving():
        run(tmp_path, server, questions(2), Budget())
    budget = Budget(max_cost=2.5 * EACH, max_calls=9)
    with leaving():  # it would wait for the two, for there is no money for the third
        run(tmp_path, server, questions(3), budget)
    assert (server.counts.paths["/v1/files"], budget.calls) == (1, 0)
    waited = run(tmp_path, server, questions(3), budget := Budget(max_cost=2.5 * EACH, max_calls=9))
    assert (waited.submitted, waited.collected, budget.calls) == (1, 3, 1)


def test_views_are_counted_as_they_are_sent(tmp_path: Path, server: ScriptedServer) -> None:
    # of the crop alone nothing is left where the box is cut out of it a second time
    Image.new("RGB", (200, 200)).save(tmp_path / "large.png")
    part = part_of(tmp_path / "large.png", View(crop=(120.0, 120.0, 60.0, 60.0)))
    budget = Budget(max_cost=2 * EACH)
    requests = [Request.of("what?", part, max_tokens=16)]
    assert run(tmp_path, server, requests, budget).submitted == 1


def test_failed_batch_costs_nothing(tmp_path: Path) -> None:
    with ScriptedServer(Script(batches=BatchRules(outcome="failed")), brain=echo) as server:
        run(tmp_path, server, questions(2), budget := Budget(max_cost=2 * EACH))
    assert budget.cost == 0
    asyncio.run(budget.reserve(2 * EACH))


def test_what_was_not_submitted_costs_nothing(tmp_path: Path, server: ScriptedServer) -> None:
    Image.new("RGB", (40, 40)).save(tmp_path / "gone.png")
    gone = Request.of("what?", part_of(tmp_path / "gone.png"), max_tokens=16)
    (tmp_path / "gone.png").unlink()
    budget = Budget(max_cost=9 * EACH)
    with pytest.raises(LostPicture):
        run(tmp_path, server, [*questions(2), gone], budget)
    assert budget.cost == 0
    asyncio.run(budget.reserve(9 * EACH))
    assert server.counts.paths["/v1/files"] == 0
    assert run(tmp_path, server, questions(2), Budget()).collected == 2
