"""What tests of asking share: a model that names colours, a workspace and a server."""

import asyncio
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.asking.answers import AnswerStore
from benchwright.asking.batch import BatchOutcome, BatchSettings, run_batch
from benchwright.asking.budget import Budget
from benchwright.asking.eyesight.drawing import COLOURS
from benchwright.asking.requests import Request
from benchwright.asking.views import Encoder
from benchwright.asking.voters import Voter
from stand_ins.between import Between
from stand_ins.models import Brain, Question, Script, ScriptedServer, Turn

FAST = BatchSettings(poll_seconds=0.005, most_lines=4)


def nearest_colour(image: Image.Image) -> str:
    pixel = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
    assert isinstance(pixel, tuple)
    return min(
        COLOURS,
        key=lambda name: sum(abs(a - b) for a, b in zip(COLOURS[name], pixel, strict=True)),
    )


def words_for(text: str) -> str:
    if "colour" in text:
        return "Which picture do you mean?"
    return "Ready. One, two, three, four and so on: the sea is calm in Paris."


def names_colours(question: Question) -> Turn:
    """A model that sees: it names the colour of the last picture."""
    if "colour" in question.text and question.pictures:
        return Turn(text=nearest_colour(question.pictures[-1].image()).capitalize() + ".")
    return Turn(text=words_for(question.text))


@pytest.fixture(scope="session")
def colours() -> Brain:
    """The brain that names colours."""
    return names_colours


@pytest.fixture(scope="session")
def nearest() -> Callable[[Image.Image], str]:
    """Return the colour in the middle of a picture."""
    return nearest_colour


@pytest.fixture(scope="session")
def in_words() -> Callable[[str], str]:
    """Return what that brain says where it names no colour."""
    return words_for


def echo(question: Question) -> Turn:
    return Turn(text=f"to {question.text}")


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Between:
    """Stands before whatever server a client of the test talks to."""
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)
    between = Between()
    monkeypatch.setattr("openai.DefaultAsyncHttpxClient", lambda **_: between.client())
    return between


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch) -> Callable[[], AbstractContextManager[None]]:
    """Return what cancels the run by batches within it, when all is submitted and it would wait."""

    async def cancel(_: object) -> bool:
        raise asyncio.CancelledError

    @contextmanager
    def left() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr("benchwright.asking.batch._Run._look_later", cancel)
            with pytest.raises(asyncio.CancelledError):
                yield

    return left


@dataclass
class Bench:
    """One workspace and one server."""

    folder: Path
    server: ScriptedServer
    voter: Voter = field(init=False)

    def __post_init__(self) -> None:
        self.voter = Voter(name="v", model="scripted", base_url=self.server.base_url)

    def run(self, requests: Iterable[Request] = (), **more: Any) -> BatchOutcome:
        settings = {"settings": FAST, "folder": self.folder / "batches", **more}
        voter, budget = settings.pop("voter", self.voter), settings.pop("budget", Budget())
        with AnswerStore(self.folder / "answers.sqlite") as store:
            return asyncio.run(run_batch(voter, requests, store, Encoder(), budget, **settings))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(self.folder / "answers.sqlite")
        rows = connection.execute(sql).fetchall()
        connection.close()
        return rows

    def statuses(self) -> Counter[str]:
        return Counter(status for (status,) in self.rows("SELECT status FROM attempts"))

    def texts(self) -> dict[str, str]:
        """Return what was answered, by what was asked."""
        sql = "SELECT description, text FROM attempts JOIN requests USING (key) WHERE text != ''"
        return {json.loads(said)["messages"][0]["parts"][0]: text for said, text in self.rows(sql)}

    def batches(self) -> list[str]:
        return [state for (state,) in self.rows("SELECT state FROM batches ORDER BY id")]


@pytest.fixture
def bench(tmp_path: Path, between: Between) -> Iterator[Callable[..., Bench]]:
    """Start a server with these settings of its script; ``between`` stands before it."""
    servers = []

    def start(**settings: Any) -> Bench:
        server = ScriptedServer(Script(**settings), brain=echo)
        servers.append(server)
        server.start()
        return Bench(tmp_path, server)

    yield start
    for server in servers:
        server.stop()
