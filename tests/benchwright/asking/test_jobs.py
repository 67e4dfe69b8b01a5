"""Jobs: what breaks a rule is asked for anew with the reasons, and nothing is bought twice."""

import json
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pydantic
import pytest

from benchwright.asking.batch import BatchSettings
from benchwright.asking.jobs import Job, JobSettings, Outcome, ask_jobs, dealt, estimate_jobs
from benchwright.asking.requests import Request
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.errors import BudgetSpent, ServerError, UsageError
from benchwright.workspace import Workspace
from stand_ins.models import Brain, Fault, Model, Question, Script, ScriptedServer, Turn

DEAD = "http://127.0.0.1:9/v1"  # the port of discard, where nobody listens
CERTAIN = JobSettings(probe=False)
_NAME = re.compile(r"job (\S+):")


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    polling = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.2)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)


class Colour(pydantic.BaseModel):
    """What is to be made."""

    colour: str


def job(name: str, voter: str = "v", *, tells: bool = True) -> Job[Colour]:
    """Return a job that wants red; with ``tells`` its request names what was wrong before."""

    def request(faults: Sequence[str]) -> Request:
        said = "".join(f"\nnot so: {fault}" for fault in faults) if tells else ""
        return Request.of(f"job {name}: name a colour{said}", max_tokens=200, temperature=0)

    def fault(made: Colour) -> str | None:
        return None if made.colour == "red" else f"{made.colour} is not red"

    return Job(name=name, voter=voter, form=Colour, request=request, fault=fault)


def jobs(count: int, voters: Sequence[str] = ("v",)) -> list[Job[Colour]]:
    return [job(f"j{number}", voters[number % len(voters)]) for number in range(count)]


def colour(name: str) -> str:
    return json.dumps({"colour": name})


@dataclass(kw_only=True)
class Shop:
    """A server that says the next of what a job's answers are, the last one for ever."""

    folder: Path
    answers: dict[str, list[str | Turn]] = field(default_factory=dict)
    heard: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    server: ScriptedServer = field(init=False)
    voters: tuple[Voter, ...] = ()

    def answer(self, question: Question) -> Turn:
        text = str(question.messages[0]["content"])
        found = _NAME.search(text)
        assert found is not None
        name = found[1]
        said = self.answers.get(name, [colour("red")])
        turn = said[min(len(self.heard[name]), len(said) - 1)]
        self.heard[name].append(question.text)
        return turn if isinstance(turn, Turn) else Turn(text=turn)

    def ask(
        self, asked: Sequence[Job[Colour]], settings: JobSettings = CERTAIN, **more: Any
    ) -> list[Outcome[Colour]]:
        spending = Spending(**more.pop("spending", {}))
        return ask_jobs(Workspace(self.folder), self.voters, spending, asked, settings, **more)

    def estimates(self, asked: Sequence[Job[Colour]], settings: JobSettings = CERTAIN) -> Any:
        return estimate_jobs(Workspace(self.folder), self.voters, Spending(), asked, settings)

    @property
    def chats(self) -> int:
        return self.server.counts.chats


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Callable[..., Shop]]:
    """Open shops; ``names`` are their voters, the rest are settings of all voters."""
    with ExitStack() as stack:

        def opened(
            *,
            answers: dict[str, list[str | Turn]] | None = None,
            names: Sequence[str] = ("v",),
            script: dict[str, Any] | None = None,
            **voter: Any,
        ) -> Shop:
            shop = Shop(folder=tmp_path / "w", answers=answers or {})
            said = {"models": [Model(name=name) for name in names], **(script or {})}
            shop.server = stack.enter_context(ScriptedServer(Script(**said), brain=shop.answer))
            shop.voters = tuple(
                Voter(name=name, model=name, **{"base_url": shop.server.base_url, **voter})
                for name in names
            )
            return shop

        yield opened


def values(outcomes: Sequence[Outcome[Colour]]) -> list[str | None]:
    return [None if one.value is None else one.value.colour for one in outcomes]


REFUSED = Turn(text=None, refusal="I will not.")
CUT = Turn(text='{"colour": "re', finish_reason="length")


@pytest.mark.parametrize(
    ("said", "faults", "calls"),
    [
        # right at once; after one that breaks the rule; after two
        ([colour("red")], [], 1),
        ([colour("blue"), colour("red")], ["blue is not red"], 2),
        (
            [colour("blue"), colour("teal"), colour("red")],
            ["blue is not red", "teal is not red"],
            3,
        ),
        # refused, by the server or in words
        ([REFUSED, colour("red")], ["refused: I will not."], 2),
        # cut with little room and with more; cut once, and then right
        ([CUT, CUT, colour("red")], ["the answer was cut off before its JSON ended"], 3),
        ([CUT, colour("red")], [], 2),
        # no JSON, also when it is sent back; mended when it is sent back
        (["red", "red!", colour("red")], ["the answer holds no complete JSON value"], 3),
        (['{"hue": "red"}', colour("red")], [], 2),
        # mended into what breaks the rule
        (["red", colour("blue"), colour("red")], ["blue is not red"], 3),
    ],
)  # fmt: skip
def test_what_has_a_fault_is_asked_for_anew(
    shop: Callable[..., Shop], said: list[str | Turn], faults: list[str], calls: int
) -> None:
    opened = shop(answers={"j0": said})
    (found,) = opened.ask([job("j0")])
    assert found == Outcome(name="j0", voter="v", value=Colour(colour="red"), faults=tuple(faults))
    assert opened.chats == calls
    last = opened.heard["j0"][-1]
    assert all(f"not so: {fault}" in last for fault in faults)


def test_nothing_is_kept_of_a_job_that_never_keeps_the_rule(shop: Callable[..., Shop]) -> None:
    opened = shop(answers={"j0": [colour(name) for name in ("blue", "teal", "gold", "red")]})
    (found,) = opened.ask([job("j0")])
    assert (found.value, found.is_failed) == (None, False)
    assert found.faults == tuple(f"{name} is not red" for name in ("blue", "teal", "gold"))
    assert opened.chats == 3
    # one attempt more is one call more, and then it is there
    (found,) = opened.ask([job("j0")], JobSettings(max_retries=3, probe=False))
    assert (values([found]), opened.chats) == (["red"], 4)
    (found,) = opened.ask([job("j0")], JobSettings(max_retries=0, probe=False))
    assert (found.faults, opened.chats) == (("blue is not red",), 4)


def test_an_attempt_is_a_new_request_even_if_it_reads_as_before(
    shop: Callable[..., Shop],
) -> None:
    opened = shop(answers={"j0": [colour("blue"), colour("teal"), colour("red")]})
    (found,) = opened.ask([job("j0", tells=False)])
    assert values([found]) == ["red"]
    assert len(set(opened.heard["j0"])) == 1
    assert opened.chats == 3


@pytest.mark.parametrize("batch", [False, True])
def test_nothing_is_bought_twice(shop: Callable[..., Shop], batch: bool) -> None:
    answers: dict[str, list[str | Turn]] = {
        "j1": [colour("blue"), colour("red")],
        "j2": [REFUSED, REFUSED, REFUSED],
        "j3": ["no JSON", colour("red")],
    }
    opened = shop(answers=answers)
    first = opened.ask(jobs(6), JobSettings(probe=False, batch=batch))
    assert values(first) == ["red", "red", None, "red", "red", "red"]
    assert opened.chats == 6 + 1 + 2 + 1
    # again, with one job more, and the other way
    for way in (batch, not batch):
        assert opened.ask(jobs(6), JobSettings(probe=False, batch=way)) == first
    assert opened.chats == 10
    assert values(opened.ask(jobs(7), JobSettings(probe=False, batch=batch)))[6] == "red"
    assert opened.chats == 11


def test_outcomes_are_in_the_order_of_the_jobs(shop: Callable[..., Shop]) -> None:
    late = Fault(kind="slow", rate=0.5, seconds=0.05)
    opened = shop(
        names=("v", "w"),
        answers={f"j{n}": [colour("blue"), colour("red")] for n in range(0, 20, 3)},
        script={"faults": [late], "seed": 3},
    )
    asked = jobs(20, ("v", "w"))
    found = opened.ask(asked)
    assert [(one.name, one.voter) for one in found] == [(one.name, one.voter) for one in asked]
    assert {len(one.faults) for one in found[0::3]} == {1}
    assert {len(one.faults) for one in found[1::3]} == {0}
    arrivals = opened.server.counts.arrivals
    assert {name: len(times) for name, times in arrivals.items()} == {
        "v": 10 + len(range(0, 20, 6)),
        "w": 10 + len(range(3, 20, 6)),
    }


def test_the_same_job_for_two_voters_is_two_jobs(shop: Callable[..., Shop]) -> None:
    opened = shop(names=("v", "w"))
    found = opened.ask([job("j0", "v"), job("j0", "w")])
    assert [one.voter for one in found] == ["v", "w"]
    assert opened.chats == 2
    assert [dealt(opened.voters, number).name for number in range(3)] == ["v", "w", "v"]


def test_one_that_the_server_fails_is_marked_and_asked_again(shop: Callable[..., Shop]) -> None:
    # the second job: after five tries of its first request it is given up
    fails = Fault(kind="server_error", ordinals=tuple(range(1, 6)))
    opened = shop(script={"faults": [fails]}, concurrency=1)
    found = opened.ask(jobs(4))
    assert values(found) == ["red", None, "red", "red"]
    assert [one.is_failed for one in found] == [False, True, False, False]
    assert found[1].faults[0].startswith("failed: ")
    assert opened.chats == 1 + 5 + 2
    assert values(opened.ask(jobs(4))) == ["red"] * 4
    assert opened.chats == 9


def test_one_that_fails_later_keeps_the_faults_before_it(shop: Callable[..., Shop]) -> None:
    fails = Fault(kind="server_error", ordinals=tuple(range(1, 6)))
    opened = shop(
        answers={"j0": [colour("blue"), colour("red")]}, script={"faults": [fails]}, concurrency=1
    )
    (found,) = opened.ask(jobs(1))
    assert found.is_failed
    assert [fault.partition(":")[0] for fault in found.faults] == ["blue is not red", "failed"]
    (found,) = opened.ask(jobs(1))
    assert (values([found]), found.faults) == (["red"], ("blue is not red",))
    assert opened.chats == 1 + 5 + 1


def test_a_server_that_is_gone_is_an_error_and_what_came_is_kept(
    shop: Callable[..., Shop],
) -> None:
    opened = shop(script={"faults": [Fault(kind="quota", ordinals=(3,))]}, concurrency=1)
    with pytest.raises(ServerError, match=r"voter v: .* quota"):
        opened.ask(jobs(6))
    assert opened.chats == 4
    assert opened.estimates(jobs(6))[0].answered == 3
    assert values(opened.ask(jobs(6))) == ["red"] * 6
    assert opened.chats == 7


def test_the_others_are_asked_before_a_dead_one_is_told(shop: Callable[..., Shop]) -> None:
    opened = shop()
    dead = Voter(name="dead", model="dead", base_url=DEAD, patience=0.1)
    opened.voters = (dead, *opened.voters)
    with pytest.raises(ServerError, match="voter dead"):
        opened.ask(jobs(6, ("dead", "v")))
    assert opened.chats == 3
    assert [one.answered for one in opened.estimates(jobs(6, ("dead", "v")))] == [0, 3]


def test_a_budget_stops_it_and_a_larger_one_goes_on(shop: Callable[..., Shop]) -> None:
    opened = shop(answers={"j0": [colour("blue"), colour("red")]}, concurrency=2)
    with pytest.raises(BudgetSpent, match="--max-calls 3 is reached"):
        opened.ask(jobs(5), spending={"max_calls": 3})
    assert opened.chats == 3
    with pytest.raises(BudgetSpent):
        opened.ask(jobs(5), spending={"max_calls": 0})
    assert values(opened.ask(jobs(5), spending={"max_calls": 3})) == ["red"] * 5
    assert opened.chats == 6
    assert values(opened.ask(jobs(5), spending={"max_calls": 0})) == ["red"] * 5


def test_a_batch_that_expires_leaves_jobs_to_be_asked_again(shop: Callable[..., Shop]) -> None:
    opened = shop(script={"batches": {"outcome": "expired"}})
    found = opened.ask(jobs(4), JobSettings(probe=False, batch=True, max_retries=0))
    assert sorted(values(found), key=str) == [None, "red", "red", "red"]
    (late,) = (one for one in found if one.value is None)
    assert late.is_failed
    assert late.faults == ("its batch brought no answer yet",)
    assert values(opened.ask(jobs(4))) == ["red"] * 4
    assert opened.chats == 4


@pytest.mark.parametrize("batch", [False, True])
def test_an_estimate_is_what_is_asked_then(shop: Callable[..., Shop], batch: bool) -> None:
    settings = JobSettings(probe=False, batch=batch)
    opened = shop(names=("v", "w"))
    asked = jobs(7, ("v", "w"))
    before = opened.estimates(asked, settings)
    assert [(one.voter, one.calls, one.answered) for one in before] == [("v", 4, 0), ("w", 3, 0)]
    assert [one.is_batch for one in before] == [batch, batch]
    assert not (opened.folder).exists()  # it made nothing
    opened.ask(asked[:5], settings)
    between = opened.estimates(asked, settings)
    assert [(one.calls, one.answered) for one in between] == [(1, 3), (1, 2)]
    calls = opened.chats
    opened.ask(asked, settings)
    assert opened.chats - calls == 2
    after = opened.estimates(asked, settings)
    assert [(one.calls, one.most_calls, one.answered) for one in after] == [(0, 0, 4), (0, 0, 3)]


@pytest.mark.parametrize(
    "said",
    [
        [colour("red")],
        # every attempt is cut, then wrong, and sent back, and breaks the rule in the end
        [CUT, "red", colour("blue")] * 3,
        [CUT, CUT] * 3,
        ["red", colour("blue")] * 3,
        [REFUSED] * 3,
    ],
)
def test_the_high_side_of_an_estimate_is_enough(
    shop: Callable[..., Shop], said: list[str | Turn]
) -> None:
    opened = shop(answers={"j0": said}, price={"input": 1_000_000, "output": 1_000_000})
    (before,) = opened.estimates(jobs(1))
    assert (before.calls, before.answered, before.most_calls) == (1, 0, 9)
    assert before.price is not None
    opened.ask(jobs(1), spending={"max_calls": before.most_calls})
    assert before.calls <= opened.chats <= before.most_calls
    (after,) = opened.estimates(jobs(1))
    assert (after.calls, after.answered) == (0, opened.chats)
    # on the way, as many calls as are stored and the rest of the high side
    more = JobSettings(max_retries=3, probe=False)
    (later,) = opened.estimates(jobs(1), more)
    is_done = said == [colour("red")]
    assert (later.calls, later.most_calls) == ((0, 0) if is_done else (1, 3))
    assert later.answered == opened.chats


def test_no_key_and_no_workspace_is_wanted_for_an_estimate(shop: Callable[..., Shop]) -> None:
    opened = shop(api_key_env="NO_SUCH_KEY_OF_A_TEST")
    assert opened.estimates(jobs(2))[0].calls == 2
    with pytest.raises(UsageError, match="NO_SUCH_KEY_OF_A_TEST"):
        opened.ask(jobs(2))


def test_a_blind_voter_is_refused_before_it_is_asked(tmp_path: Path, colours: Brain) -> None:
    def brain(question: Question) -> Turn:
        return Turn(text=colour("red")) if "job" in question.text else colours(question)

    for batch in (False, True):
        for sees in ("blind", "yes"):
            folder = tmp_path / f"{sees}-{batch}"
            with ScriptedServer(Script(models=(Model(sees=sees),)), brain=brain) as server:
                voter = Voter(name="v", model="scripted", base_url=server.base_url)
                asked = Workspace(folder), [voter], Spending(), jobs(2)
                (looking,) = estimate_jobs(*asked, JobSettings(batch=batch))
                assert looking.looks > 0
                assert looking.calls == 2 + looking.looks
                settings = JobSettings(batch=batch)
                if sees == "yes":
                    assert values(ask_jobs(*asked, settings)) == ["red", "red"]
                    assert server.counts.chats == looking.calls
                    assert estimate_jobs(*asked, settings)[0].looks == 0
                else:
                    with pytest.raises(UsageError, match=r"voter v does not see.*--no-probe"):
                        ask_jobs(*asked, settings)
                    certain = JobSettings(batch=batch, probe=False)
                    assert values(ask_jobs(*asked, certain)) == ["red", "red"]


def test_nobody_looks_where_all_is_answered(shop: Callable[..., Shop]) -> None:
    opened = shop()
    opened.ask(jobs(3))
    assert opened.ask(jobs(3), JobSettings(probe=True)) == opened.ask(jobs(3))
    assert opened.chats == 3
    assert opened.estimates(jobs(3), JobSettings(probe=True))[0].calls == 0


def test_no_jobs_are_no_calls(shop: Callable[..., Shop]) -> None:
    opened = shop()
    assert opened.ask([]) == []
    assert [(one.calls, one.answered) for one in opened.estimates([])] == [(0, 0)]


# asks ten jobs of which three want another attempt, and dies after so many answers
KILLED = """
import json, os, signal, sys
from pathlib import Path

import pydantic

from benchwright.asking.answers import AnswerStore
from benchwright.asking.jobs import Job, JobSettings, ask_jobs
from benchwright.asking.requests import Request
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace

url, folder, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
add = AnswerStore.add


def dying(self, *row):
    global left
    add(self, *row)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


AnswerStore.add = dying


class Said(pydantic.BaseModel):
    colour: str


def job(number):
    return Job(
        name=str(number),
        voter="v",
        form=Said,
        request=lambda faults: Request.of(f"job j{number}: attempt {len(faults)}", max_tokens=50),
        fault=lambda said: None if said.colour == "red" else "not red",
    )


voter = Voter(name="v", model="v", base_url=url, concurrency=2)
found = ask_jobs(
    Workspace(Path(folder)), [voter], Spending(), [job(n) for n in range(10)],
    JobSettings(probe=False),
)
print(json.dumps([[one.name, one.value.colour, len(one.faults)] for one in found]))
"""


@pytest.mark.heavy
@pytest.mark.parametrize("after", [1, 6, 12])
def test_a_run_that_is_killed_goes_on_and_buys_nothing_twice(tmp_path: Path, after: int) -> None:
    def answer(question: Question) -> Turn:
        first = str(question.messages[0]["content"])
        is_wrong = re.search(r"job j[048]: attempt 0", first) is not None
        return Turn(text=colour("blue" if is_wrong else "red"))

    def ran(left: int) -> subprocess.CompletedProcess[str]:
        said = [sys.executable, "-c", KILLED, server.base_url, str(tmp_path / "w"), str(left)]
        return subprocess.run(said, capture_output=True, text=True, check=False)

    with ScriptedServer(Script(models=(Model(name="v", seconds=0.01),)), brain=answer) as server:
        assert ran(after).returncode == -signal.SIGKILL
        whole = ran(0)
        assert whole.returncode == 0, whole.stderr
        chats = server.counts.chats
        assert ran(0).stdout == whole.stdout
        assert server.counts.chats == chats
    assert json.loads(whole.stdout) == [[str(n), "red", int(n in (0, 4, 8))] for n in range(10)]
    assert len(server.counts.requests) == 13
    assert chats <= 13 + 2  # at most what was in flight
    assert max(server.counts.requests.values()) <= 2
