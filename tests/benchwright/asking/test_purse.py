"""One allowance for several sessions: what an earlier one spent, a later one has no more."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from benchwright.asking.purse import Purse
from benchwright.asking.replies import ReplyStatus
from benchwright.asking.requests import Request
from benchwright.asking.running import run
from benchwright.asking.session import Spending, session
from benchwright.asking.voters import Price, Voter
from benchwright.errors import BudgetSpent, UsageError
from benchwright.workspace import Workspace

PRICE = Price(input=1, output=1)  # of a million tokens
ANSWER = {"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Ha"}}]}


class Tokenless(ThreadingHTTPServer):
    """A server that answers all and never says what it took; ``calls`` counts."""

    calls = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Tokenless

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.calls += 1
        data = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def ask(workspace: Workspace, voter: Voter, spending: Spending, *texts: str) -> None:
    """Ask so many questions in a session of their own."""

    async def asked() -> None:
        async with session(workspace, [voter], spending) as opened:
            for text in texts:
                await opened.clients[voter.name].ask(Request.of(text, max_tokens=1_000))

    run(asked())


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "w")


@pytest.fixture
def served() -> Iterator[Tokenless]:
    with Tokenless(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_calls_are_counted_over_all_steps(workspace: Workspace, served: Tokenless) -> None:
    voter = Voter(name="m", model="m", base_url=served.base_url)
    purse = Purse([voter], Spending(max_calls=3))
    ask(workspace, voter, purse.step("one"), "a", "b")
    ask(workspace, voter, purse.step("two"), "a", "c")  # what is stored is no call
    with pytest.raises(BudgetSpent, match=r"^--max-calls 3 is reached"):
        ask(workspace, voter, purse.step("three"), "d")
    assert served.calls == 3
    ask(workspace, voter, Purse([voter], Spending(max_calls=1)).step("one"), "d")  # another run


def test_an_answer_without_tokens_costs_what_it_may_have(
    workspace: Workspace, served: Tokenless
) -> None:
    voter = Voter(name="m", model="m", base_url=served.base_url, price=PRICE)
    spending = Spending(max_cost=0.0025)  # two answers of 1,000 tokens, and no third
    purse = Purse([voter], spending)
    ask(workspace, voter, purse.step("one"), "a")
    ask(workspace, voter, purse.step("two"), "b")
    with pytest.raises(BudgetSpent, match=r"^--max-cost 0.0025 would be passed: USD 0.00"):
        ask(workspace, voter, purse.step("three"), "c")
    assert served.calls == 2


def test_one_spending_bounds_all_sessions(workspace: Workspace, served: Tokenless) -> None:
    voter = Voter(name="m", model="m", base_url=served.base_url)
    spending = Spending(max_calls=1)
    ask(workspace, voter, spending, "a")
    with pytest.raises(BudgetSpent):
        ask(workspace, voter, spending, "b")
    assert spending.spent.calls == 1
    assert spending == Spending(max_calls=1)


def test_what_is_to_be_asked_anew_is_so_once_in_each_step() -> None:
    again: frozenset[ReplyStatus] = frozenset({"refused"})
    purse = Purse([], Spending(again=again))
    found = [purse.step(name).again for name in ("see", "falsify", "see")]
    assert found == [again, again, frozenset()]


def test_money_wants_a_price_before_anything_is_asked() -> None:
    free = Voter(name="free", model="free", base_url="http://x/v1")
    with pytest.raises(UsageError, match="free has none"):
        Purse([free], Spending(max_cost=1.0))
