"""Pieces of work: in their order, however they are asked, with no call for what is stored."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings
from benchwright.asking.pieces import How, ask_pieces, noted, wanted
from benchwright.asking.questions import Asks, ask_yes_no, yes_no_request
from benchwright.asking.requests import Request
from benchwright.asking.session import Session, Spending, session
from benchwright.asking.voters import Voter
from benchwright.errors import BudgetSpent, ServerError, UsageError
from benchwright.workspace import Workspace
from stand_ins.models import Brain, Fault, Model, Question, Script, ScriptedServer, Turn

UNSEEN = How(probe=False)
BATCH = How(batch=True, probe=False)


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    polling = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """Asks for one floor after the other until there is no more."""

    voter: str
    house: str


HEIGHTS = {"hut": 1, "house": 2, "tower": 4}


async def climb(piece: Climb, client: Asks) -> int:
    """Return how many floors a house has, by a question for each floor."""
    floor = 1
    while True:
        asked = yes_no_request(f"has the {piece.house} a floor above {floor}?")
        answered = await ask_yes_no(client, asked)
        if answered.reading.answer != "yes":
            return floor
        floor += 1


def porter(question: Question) -> Turn:
    _, _, _, house, *_, floor = question.text.partition("?")[0].replace("has the", "x x x").split()
    return Turn(text="yes" if HEIGHTS[house] > int(floor) else "no")


@dataclass(kw_only=True)
class Street:
    """A porter who is asked, and what is asked of them."""

    folder: Path
    server: ScriptedServer
    voters: tuple[Voter, ...]

    def within(self, work: Callable[[Session], Any], **spending: Any) -> Any:
        async def run() -> Any:
            async with session(Workspace(self.folder), self.voters, Spending(**spending)) as opened:
                return await work(opened)

        return asyncio.run(run())

    def climb(
        self, pieces: Sequence[Climb], how: How = UNSEEN, progress: Any = None, **spending: Any
    ) -> Any:
        more = () if progress is None else (progress,)
        return self.within(lambda opened: ask_pieces(opened, pieces, climb, how, *more), **spending)

    @property
    def chats(self) -> int:
        return self.server.counts.chats


@pytest.fixture
def street(tmp_path: Path, colours: Brain) -> Iterator[Callable[..., Street]]:
    """Start porters who also name colours; ``sees`` is by the voter's name."""
    with ExitStack() as stack:

        def begun(
            *names: str, sees: dict[str, Any] | None = None, brain: Brain | None = None, **said: Any
        ) -> Street:
            models = tuple(Model(name=name, sees=(sees or {}).get(name, "yes")) for name in names)

            def answer(question: Question) -> Turn:
                if "floor above" in question.text:
                    return porter(question)
                return (brain or colours)(question)

            server = stack.enter_context(
                ScriptedServer(Script(models=models, **said), brain=answer)
            )
            voters = tuple(
                Voter(name=name, model=name, base_url=server.base_url, concurrency=2)
                for name in names
            )
            return Street(folder=tmp_path / "w", server=server, voters=voters)

        yield begun


def climbs(voter: str, *houses: str) -> list[Climb]:
    return [Climb(voter=voter, house=house) for house in houses]


@pytest.mark.parametrize("how", [UNSEEN, BATCH])
def test_what_hangs_on_an_answer_is_asked_after_it(street: Callable[..., Street], how: How) -> None:
    begun = street("v", "w")
    pieces = [*climbs("v", "tower", "hut"), *climbs("w", "house"), *climbs("v", "house")]
    assert begun.climb(pieces, how) == [4, 1, 2, 2]
    assert begun.chats == 4 + 1 + 2 + 2
    # all of it is stored now, for either way
    for again in (UNSEEN, BATCH):
        assert begun.climb(pieces, again, max_calls=0) == [4, 1, 2, 2]
    assert begun.chats == 9
    paths = begun.server.counts.paths
    assert (paths["/v1/batches"] > 0) == how.batch
    assert (paths["/v1/chat/completions"] > 0) != how.batch


def test_pieces_alike_share_their_calls(street: Callable[..., Street]) -> None:
    begun = street("v")
    assert begun.climb(climbs("v", "tower", "tower", "tower")) == [4, 4, 4]
    assert begun.chats == 4


def test_the_results_are_in_the_order_of_the_pieces(street: Callable[..., Street]) -> None:
    begun = street("v", "w", faults=(Fault(kind="slow", rate=0.4, seconds=0.03),), seed=1)
    houses = ["tower", "hut", "house"] * 5
    pieces = [Climb(voter="vw"[n % 2], house=house) for n, house in enumerate(houses)]
    assert begun.climb(pieces) == [HEIGHTS[house] for house in houses]


def test_what_a_batch_did_not_answer_is_null(street: Callable[..., Street]) -> None:
    begun = street("v", batches={"outcome": "expired"})
    found = begun.climb(climbs("v", "hut", "house", "tower"), BATCH)
    assert begun.climb(climbs("v", "hut", "house", "tower"), UNSEEN) == [1, 2, 4]
    assert None in found
    assert begun.chats == 1 + 2 + 4


def test_a_batch_that_the_bound_stops_says_so(street: Callable[..., Street]) -> None:
    begun = street("v")
    pieces = climbs("v", "hut", "house", "tower")
    with pytest.raises(BudgetSpent, match="--max-calls 4 is reached"):
        begun.climb(pieces, BATCH, max_calls=4)  # the first floors, and one of the second
    assert begun.climb(pieces, BATCH, max_calls=3) == [1, 2, 4]  # just what is left


@dataclass(kw_only=True)
class Bar:
    """Counts what is taken of it, as a bar on a screen does."""

    taken: int = 0
    begun: list[tuple[str, int | None]] = field(default_factory=list)
    is_closed: bool = False

    def __call__(self, what: str, total: int | None = None, /) -> Callable[..., Any]:
        self.begun.append((what, total))

        def wrapped(values: Iterable[Any]) -> Iterator[Any]:
            try:
                for value in values:
                    self.taken += 1
                    yield value
            finally:
                self.is_closed = True

        return wrapped


def test_progress_counts_pieces_and_closes_its_bar(street: Callable[..., Street]) -> None:
    bar = Bar()
    street("v").climb(climbs("v", "hut", "tower", "house"), progress=bar)
    assert (bar.begun, bar.taken, bar.is_closed) == ([("asking", 3)], 3, True)


def test_progress_ends_where_the_work_does(street: Callable[..., Street]) -> None:
    bar, begun = Bar(), street("v")
    begun.voters = (begun.voters[0].model_copy(update={"concurrency": 1}),)
    with pytest.raises(BudgetSpent):
        begun.climb(climbs("v", "hut", "hut", "house", "tower"), progress=bar, max_calls=2)
    assert bar.taken == 2
    assert begun.climb(climbs("v", "hut", "hut", "house", "tower")) == [1, 1, 2, 4]
    assert begun.chats == 1 + 2 + 4  # the first floor of the house was not asked about twice


def test_one_voter_that_is_gone_ends_the_run_after_the_others(
    street: Callable[..., Street],
) -> None:
    begun = street("v", "w", faults=(Fault(kind="quota", rate=1, models=("v",)),))
    pieces = [*climbs("v", "hut"), *climbs("w", "tower", "house")]
    with pytest.raises(ServerError, match="voter v"):
        begun.climb(pieces)
    assert begun.climb(pieces[1:], max_calls=0) == [4, 2]


@pytest.mark.parametrize("batch", [False, True])
def test_only_those_are_looked_at_who_are_to_be_asked(
    street: Callable[..., Street], batch: bool
) -> None:
    begun = street("v", "w", sees={"w": "blind"})
    how = How(batch=batch)
    assert begun.climb(climbs("v", "tower"), how) == [4]
    arrivals = begun.server.counts.arrivals
    looks = len(arrivals["v"]) - 4
    assert looks > 0
    assert "w" not in arrivals
    # a blind one is asked nothing but whether it sees
    with pytest.raises(UsageError, match=r"voter w does not see pictures.*--no-probe"):
        begun.climb(climbs("w", "house", "hut", "tower"), how)
    seen = len(arrivals["w"])
    assert begun.climb(climbs("w", "house"), How(batch=batch, probe=False)) == [2]
    assert len(arrivals["w"]) == seen + 2
    # what is stored needs no look
    assert begun.climb(climbs("w", "house"), how) == [2]
    assert begun.climb(climbs("v", "house"), how) == [2]
    assert (len(arrivals["v"]), len(arrivals["w"])) == (4 + looks + 2, seen + 2)


@pytest.mark.parametrize("batch", [False, True])
def test_a_doubtful_voter_is_asked_and_told_of(
    street: Callable[..., Street], caplog: pytest.LogCaptureFixture, batch: bool
) -> None:
    def reddish(question: Question) -> Turn:
        return Turn(text="Red." if question.pictures else "Which picture do you mean?")

    begun = street("v", brain=reddish)
    with caplog.at_level(logging.WARNING):
        assert begun.climb(climbs("v", "house"), How(batch=batch)) == [2]
    notes = [record.getMessage() for record in caplog.records]
    assert [note.startswith("voter v named ") for note in notes].count(True) == 1


def test_a_bug_in_the_work_is_no_error_of_a_voter(street: Callable[..., Street]) -> None:
    async def broken(piece: Climb, client: Asks) -> int:
        raise ZeroDivisionError(piece.house)

    begun = street("v")
    for how in (UNSEEN, BATCH):
        work = partial(ask_pieces, pieces=climbs("v", "hut"), work=broken, how=how)
        with pytest.raises(ZeroDivisionError):
            begun.within(work)


def test_what_is_wanted_next_is_told_without_asking(street: Callable[..., Street]) -> None:
    begun = street("v")
    (tower,) = climbs("v", "tower")

    async def look(opened: Session) -> tuple[Request | None, list[Request]]:
        client = noted(opened.clients["v"], opened)
        first = await wanted(opened, tower, climb)
        if first is None:
            await climb(tower, client)
        return first, client.requests

    assert begun.within(look) == (yes_no_request("has the tower a floor above 1?"), [])
    begun.climb([tower])
    assert begun.within(look) == (
        None,
        [yes_no_request(f"has the tower a floor above {floor}?") for floor in range(1, 5)],
    )
    assert begun.chats == 4


def test_no_pieces_are_no_calls(street: Callable[..., Street]) -> None:
    begun = street("v")
    for how in (UNSEEN, BATCH, How(), How(batch=True)):
        assert begun.climb([], how) == []
    assert begun.chats == 0
