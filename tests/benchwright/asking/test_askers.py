"""Asking from elsewhere: what a node lacks is sent to it, what it loses is asked anew."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.asking.answers import AnswerStore
from benchwright.asking.asker import Asker
from benchwright.asking.askers import RemoteSender
from benchwright.asking.budget import Budget
from benchwright.asking.client import Client
from benchwright.asking.replies import Reply, Usage
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.sending import LocalSender, Sender
from benchwright.asking.views import Encoder, part_of
from benchwright.asking.voters import Price, Voter
from benchwright.engines.ray_crew import MemberLost
from benchwright.errors import BenchwrightError, LostPicture

FREE = Voter(name="v", model="m", base_url="http://none/v1")
PRICED = FREE.model_copy(update={"price": Price(input=1, output=1_000_000)})

OK = Reply(key="ab" * 32, status="ok", text="yes", usage=Usage(prompt=100, completion=1))


class OneNode:
    """Takes the place of a crew: an asker in this process that loses its first calls of a kind."""

    def __init__(self, voter: Voter, **lost: int) -> None:
        self._asker, self._lost = Asker(Path.cwd(), [(voter, None)]), lost
        self.calls: list[tuple[Any, ...]] = []

    async def call(self, key: str, method: str, *arguments: Any) -> Any:
        self.calls.append((key, method, sorted(arguments[-1])))
        if self._lost.get(method, 0):
            self._lost[method] -= 1
            raise MemberLost("n1")
        if method == "send":
            return OK, None
        return await getattr(self._asker, method)(*arguments)


def in_a_loop(main: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    return asyncio.run(main())


@pytest.fixture
def part(tmp_path: Path) -> PicturePart:
    Image.new("RGB", (60, 40), "teal").save(tmp_path / "p.png")
    return part_of(tmp_path / "p.png")


def sender(crew: OneNode, voter: Voter) -> Sender:
    return RemoteSender(crew, voter)  # type: ignore[arg-type]


def test_a_picture_that_a_node_lacks_is_sent_along(part: PicturePart) -> None:
    request = Request.of(part, "Is it teal?", max_tokens=8)
    data = part.path.read_bytes()

    async def main() -> None:
        asker = Asker(Path.cwd(), [(PRICED, None)])
        wanted = await LocalSender(PRICED, Encoder(), None).prepared(request, "")
        part.path.unlink()
        lacking = await asker.expected("v", request, {})
        assert isinstance(lacking, LostPicture)
        assert await asker.expected("v", request, {part.sha256: data}) == wanted.expected

    in_a_loop(main)


def test_a_picture_that_nobody_has_is_named(part: PicturePart) -> None:
    part.path.unlink()
    request = Request.of(part, "Is it teal?", max_tokens=8)
    crew = OneNode(PRICED)
    with pytest.raises(LostPicture, match="cannot be read"):
        in_a_loop(lambda: sender(crew, PRICED).prepared(request, "k"))
    assert [call[2] for call in crew.calls] == [[]]


def test_sizes_are_asked_for_only_where_they_are_wanted(part: PicturePart) -> None:
    request = Request.of(part, "Is it teal?", max_tokens=8)
    for voter, methods in ((FREE, ["send"]), (PRICED, ["expected", "send"])):
        crew = OneNode(voter)

        async def main(crew: OneNode = crew, voter: Voter = voter) -> Any:
            return await (await sender(crew, voter).prepared(request, "k")).send()

        assert in_a_loop(main) == (OK, None)
        keys = {call[0] for call in crew.calls}
        assert len(keys) == 1  # one node encodes and sends
        assert [call[1] for call in crew.calls] == methods


@pytest.mark.parametrize(
    ("lost", "stored"),
    [
        (1, ["failed", "ok"]),
        (4, ["failed"] * 4 + ["ok"]),
        (9, ["failed"] * 5),  # it may be the request that kills whoever asks it
    ],
)
def test_what_is_lost_is_asked_again_and_paid_for(
    tmp_path: Path, lost: int, stored: list[str], caplog: Any
) -> None:
    path, budget = tmp_path / "answers.sqlite", Budget()
    request = Request.of("Is it teal?", max_tokens=8)
    crew = OneNode(PRICED, expected=4, send=lost)

    async def main() -> Reply:
        with AnswerStore(path) as store:
            connect = lambda *_: sender(crew, PRICED)  # noqa: E731
            async with Client(PRICED, store, Encoder(), budget=budget, connect=connect) as client:
                return await client.ask(request)

    assert in_a_loop(main).status == stored[-1]
    connection = sqlite3.connect(path)
    statuses = [each for (each,) in connection.execute("SELECT status FROM attempts ORDER BY id")]
    connection.close()
    assert statuses == stored
    assert budget.calls == len(stored)
    failed = stored.count("failed")
    sent = [call[0] for call in crew.calls if call[1] == "send"]
    assert len(set(sent)) == len(stored)  # each attempt may go to another node
    assert budget.cost >= 8.0 * failed  # each may have been billed to the last token
    assert "goes on in" not in caplog.text  # nobody waits: it is not the server's fault


def test_a_picture_that_kills_whoever_encodes_it_ends_the_run(part: PicturePart) -> None:
    request = Request.of(part, "Is it teal?", max_tokens=8)
    crew = OneNode(PRICED, expected=9)
    with pytest.raises(
        BenchwrightError, match=r"each of 5 processes .* died that encoded .*p\.png"
    ):
        in_a_loop(lambda: sender(crew, PRICED).prepared(request, "k"))
    assert len(crew.calls) == 5
