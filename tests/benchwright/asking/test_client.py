"""The client against a server that speaks the protocol over a real connection."""

import asyncio
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.asking.answers import AnswerStore
from benchwright.asking.budget import Budget
from benchwright.asking.client import Client, key_from_environment
from benchwright.asking.limiter import Limiter
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.views import Encoder, part_of
from benchwright.asking.voters import PictureLimits, Price, Voter
from benchwright.errors import BenchwrightError, BudgetSpent, ServerError, UsageError
from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

SECRET = "sk-very-secret-1234567890"


def echo(question: Question) -> Turn:
    return Turn(text=f"to {question.text}")


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.02)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.005)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answers.sqlite"


def voter(server: ScriptedServer, **settings: Any) -> Voter:
    return Voter(name="v", model="scripted", base_url=server.base_url, **settings)


def question(number: int, **parameters: Any) -> Request:
    return Request.of(f"question {number}?", max_tokens=16, **parameters)


def asked(
    path: Path | None,
    who: Voter,
    requests: list[Request],
    **settings: Any,
) -> list[Reply | BaseException]:
    """Ask all at once; return what each gave or raised."""

    async def main(store: AnswerStore | None) -> list[Reply | BaseException]:
        async with Client(who, store, Encoder(), **settings) as client:
            calls = [client.ask(request) for request in requests]
            return await asyncio.gather(*calls, return_exceptions=True)

    if path is None:
        return asyncio.run(main(None))
    with AnswerStore(path) as store:
        return asyncio.run(main(store))


def replies(path: Path | None, who: Voter, requests: list[Request], **more: Any) -> list[Reply]:
    """Ask all at once; raise what one of them raised."""
    found = []
    for outcome in asked(path, who, requests, **more):
        if isinstance(outcome, BaseException):
            raise outcome
        found.append(outcome)
    return found


def attempts(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT status FROM attempts ORDER BY id").fetchall()
    connection.close()
    return [status for (status,) in rows]


def test_answer_and_what_is_kept_of_it(path: Path) -> None:
    with ScriptedServer(brain=echo) as server:
        (reply,) = replies(path, voter(server), [question(1)])
        (again,) = replies(path, voter(server), [question(1)])
        assert server.counts.chats == 1
    assert (reply.status, reply.text, reply.is_stored) == ("ok", "to question 1?", False)
    assert reply.model == "scripted"
    assert "scripted-1" in (reply.build or "")
    assert reply.usage.prompt > 0
    assert (again.text, again.is_stored) == (reply.text, True)


def test_same_request_at_once_is_one_call(path: Path) -> None:
    with ScriptedServer(Script(models=(Model(seconds=0.1),)), brain=echo) as server:
        got = replies(path, voter(server), [question(1)] * 5)
        assert server.counts.chats == 1
    assert {reply.text for reply in got} == {"to question 1?"}


def test_samples_are_calls_of_their_own(path: Path) -> None:
    requests = [
        Request(messages=question(1).messages, max_tokens=16, sample=number) for number in range(3)
    ]
    with ScriptedServer(brain=echo) as server:
        replies(path, voter(server), requests)
        assert server.counts.chats == 3


def test_another_port_finds_its_answers(path: Path) -> None:
    with ScriptedServer(brain=echo) as one:
        replies(path, voter(one), [question(1)])
    with ScriptedServer(brain=echo) as other:
        (reply,) = replies(path, voter(other), [question(1)])
        assert other.counts.chats == 0
    assert reply.is_stored


@pytest.mark.parametrize(
    "change",
    [
        {"revision": "awq"},  # other weights under the same name
        {"parameters": {"temperature": 1}},
        {"max_tokens": 99},
        {"cap": "max_completion_tokens"},
        {"logprobs": 3},
    ],
)
def test_what_changes_the_answer_is_asked_anew(path: Path, change: dict[str, Any]) -> None:
    with ScriptedServer(brain=echo) as server:
        replies(path, voter(server), [question(1)])
        replies(path, voter(server, **change), [question(1)])
        assert server.counts.chats == 2


@pytest.mark.parametrize(
    "change",
    [
        {"concurrency": 2},
        {"timeout": 9},
        {"weight": 5},
        {"price": Price(input=1, output=1)},
        {"requests_per_minute": 6_000},
    ],
)
def test_what_does_not_is_not(path: Path, change: dict[str, Any]) -> None:
    with ScriptedServer(brain=echo) as server:
        replies(path, voter(server), [question(1)])
        replies(path, voter(server, **change), [question(1)])
        assert server.counts.chats == 1


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    paths = []
    for number, colour in enumerate(["red", "green", "blue"]):
        path = tmp_path / f"{number}.png"
        Image.new("RGB", (64, 48), colour).save(path)
        paths.append(path)
    return paths


def test_pictures_arrive_in_their_places(path: Path, pictures: list[Path]) -> None:
    def colours(question: Question) -> Turn:
        seen = [picture.image().getpixel((5, 5)) for picture in question.pictures]
        return Turn(text=str(seen))

    parts = [part_of(each) for each in pictures]
    request = Request.of("first", parts[0], "then", parts[1], parts[2], max_tokens=64)
    with ScriptedServer(brain=colours) as server:
        (reply,) = replies(path, voter(server), [request])
    assert reply.text == "[(255, 0, 0), (0, 128, 0), (0, 0, 255)]"


def test_too_many_pictures_for_the_voter(path: Path, pictures: list[Path]) -> None:
    request = Request.of(*[part_of(each) for each in pictures], max_tokens=16)
    with ScriptedServer(brain=echo) as server:
        who = voter(server, pictures=PictureLimits(at_once=2))
        with pytest.raises(UsageError, match="voter v takes at most 2 pictures at once"):
            replies(path, who, [request])
        assert server.counts.chats == 0


# faults: what the server does, and what must have been stored in order
FAULTS = [
    ("server_error", ["failed", "ok"]),
    ("unavailable", ["failed", "ok"]),
    ("rate_limit", ["failed", "ok"]),
    ("reset", ["failed", "ok"]),
    ("reset_in_body", ["failed", "ok"]),
    ("broken_json", ["failed", "ok"]),
    ("no_choices", ["failed", "ok"]),
    ("refusal", ["refused"]),
    ("content_filter", ["refused"]),
    ("truncated", ["truncated"]),
    ("truncated_null", ["truncated"]),
]


@pytest.mark.parametrize(("kind", "stored"), FAULTS)
def test_fault_at_the_first_call(path: Path, kind: Any, stored: list[str]) -> None:
    script = Script(faults=(Fault(kind=kind, ordinals=(0,)),))
    with ScriptedServer(script, brain=echo) as server:
        (reply,) = replies(path, voter(server), [question(1)])
        (again,) = replies(path, voter(server), [question(1)])
        assert server.counts.chats == len(stored)  # final is final: nothing is bought again
    assert attempts(path) == stored
    assert reply.status == again.status == stored[-1]


def test_slow_answer_is_given_up_and_asked_again(path: Path) -> None:
    script = Script(faults=(Fault(kind="slow", ordinals=(0,), seconds=5),))
    with ScriptedServer(script, brain=echo) as server:
        (reply,) = replies(path, voter(server, timeout=0.3), [question(1)])
    assert (reply.status, attempts(path)) == ("ok", ["failed", "ok"])


def test_error_that_stays_is_failed_and_asked_by_the_next_run(path: Path) -> None:
    script = Script(faults=(Fault(kind="server_error", ordinals=tuple(range(5))),))
    with ScriptedServer(script, brain=echo) as server:
        (reply,) = replies(path, voter(server), [question(1)])
        assert reply.status == "failed"
        assert "HTTP 500" in (reply.error or "")
        (reply,) = replies(path, voter(server), [question(1)])
    assert (reply.status, attempts(path)) == ("ok", ["failed"] * 5 + ["ok"])


def test_final_400_is_not_repeated_and_names_the_limit(path: Path, pictures: list[Path]) -> None:
    request = Request.of(*[part_of(each) for each in pictures], max_tokens=16)
    with ScriptedServer(Script(models=(Model(pictures_at_most=1),)), brain=echo) as server:
        (reply,) = replies(path, voter(server), [request])
        replies(path, voter(server), [request])
        assert server.counts.chats == 1
        replies(path, voter(server), [request], again=frozenset({"rejected"}))
        assert server.counts.chats == 2
    assert reply.status == "rejected"
    assert "HTTP 400: at most 1 image" in (reply.error or "")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (Script(keys=("another",)), "401.*; name its key under api_key_env"),
        (Script(models=(Model(name="other"),)), r"404.*; mend base_url or model \(scripted\)"),
        (Script(faults=(Fault(kind="quota", rate=1),)), "429.*; see to its quota"),
    ],
)
def test_no_request_goes_well(path: Path, script: Script, said: str) -> None:
    with ScriptedServer(script, brain=echo) as server:
        with pytest.raises(ServerError, match=said):
            replies(path, voter(server), [question(1)])
        assert server.counts.chats <= 1


def test_nobody_answers(path: Path) -> None:
    with ScriptedServer(brain=echo) as server:
        who = voter(server)
    pace = Limiter(who, first_patience=0.2)
    with pytest.raises(
        ServerError, match=r"voter v: nobody answers at http://127\.0\.0\.1:.*start it"
    ):
        replies(path, who, [question(1)], limiter=pace)


def test_server_that_dies_and_comes_back(path: Path) -> None:
    """It is gone for half a second in the middle of 300 calls; nothing is lost."""
    server = ScriptedServer(Script(models=(Model(seconds=0.02),)), brain=echo)
    server.start()

    def die() -> None:
        time.sleep(0.2)
        server.stop()
        time.sleep(0.5)
        server.start()

    killer = threading.Thread(target=die)
    killer.start()
    try:
        got = replies(path, voter(server, concurrency=8), [question(n) for n in range(300)])
    finally:
        killer.join()
        server.stop()
    assert [reply.text for reply in got] == [f"to question {n}?" for n in range(300)]
    assert server.counts.chats <= 300 + 2 * 8


def test_retry_after_holds_back_all_calls(path: Path) -> None:
    fault = Fault(kind="rate_limit", ordinals=(0,), retry_after=1)
    with ScriptedServer(Script(faults=(fault,)), brain=echo) as server:
        who = voter(server, concurrency=1)
        replies(path, who, [question(n) for n in range(4)])
        first, *others = server.counts.arrivals["scripted"]
    assert min(others) - first >= 1.0


def test_concurrency_is_never_passed(path: Path) -> None:
    with ScriptedServer(Script(models=(Model(seconds=0.02),)), brain=echo) as server:
        replies(path, voter(server, concurrency=3), [question(n) for n in range(40)])
        assert server.counts.most_in_flight == 3


@pytest.mark.parametrize("bound", [{"max_calls": 5}, {"max_cost": 0.005}])
def test_budget_stops_before_it_is_passed(path: Path, bound: dict[str, Any]) -> None:
    with ScriptedServer(brain=echo) as server:
        who = voter(server, price=Price(input=0, output=62.5), concurrency=2)  # 0.001 a cap of 16
        outcomes = asked(path, who, [question(n) for n in range(20)], budget=Budget(**bound))
        made = server.counts.chats
    spent = [outcome for outcome in outcomes if isinstance(outcome, BudgetSpent)]
    kept = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    assert len(kept) == made >= 5
    assert len(spent) == 20 - made > 0
    assert len(attempts(path)) == made


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("THE_KEY", SECRET)
    return {"api_key_env": "THE_KEY"}


def test_key_goes_to_the_server_and_nowhere_else(
    path: Path,
    secret: dict[str, str],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Servers that repeat the key, in answers and in errors, and every log there is."""

    def tell(question: Question) -> Turn:
        return Turn(text=f"your key is {SECRET}", refusal=SECRET if question.ordinal else None)

    caplog.set_level("DEBUG")
    with ScriptedServer(Script(keys=(SECRET,)), brain=tell) as server:
        got = replies(path, voter(server, **secret), [question(1), question(2)])
        assert server.counts.authorizations == {f"Bearer {SECRET}": 2}
    assert {reply.status for reply in got} == {"ok", "refused"}
    with ScriptedServer(Script(keys=("another",)), brain=tell) as server:
        outcomes = asked(path, voter(server, **secret), [question(3)])
    assert isinstance(outcomes[0], ServerError)
    assert "put its key into THE_KEY" in str(outcomes[0])
    said = caplog.text + "".join(capfd.readouterr()) + repr(outcomes) + repr(got)
    kept = b"".join(each.read_bytes() for each in path.parent.iterdir())
    assert SECRET not in said
    assert SECRET.encode() not in kept
    assert b"[key]" in kept


def test_key_that_is_not_set(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THE_KEY", raising=False)
    who = Voter(name="v", model="m", base_url="http://h/v1", api_key_env="THE_KEY")
    with pytest.raises(UsageError, match="voter v: its key is wanted in the environment variable"):
        replies(path, who, [question(1)])


@pytest.mark.parametrize(
    "key",
    [
        "sk-abc\ndef",  # the next line of a file
        "sk-abc def",
        "sk-äbc",  # no header holds it
        "sk-abc\x1b[0m",
        "sk-abc\u200b",  # copied from a page
    ],
)
def test_key_that_no_header_holds(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("THE_KEY", key)
    who = Voter(name="v", model="m", base_url="http://h/v1", api_key_env="THE_KEY")
    with pytest.raises(UsageError, match=r"voter v: its key is wanted in .* THE_KEY as") as raised:
        key_from_environment(who)
    assert "sk" not in str(raised.value)
    assert str(raised.value).isprintable()


def test_blanks_around_a_key_are_not_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", f" {SECRET}\n")
    who = Voter(name="v", model="m", base_url="http://h/v1", api_key_env="THE_KEY")
    assert key_from_environment(who) == SECRET


def test_nothing_is_kept_without_a_store() -> None:
    with ScriptedServer(brain=echo) as server:
        replies(None, voter(server), [question(1)])
        replies(None, voter(server), [question(1)])
        assert server.counts.chats == 2


def test_full_disk_is_told_in_one_line(path: Path) -> None:
    with ScriptedServer(brain=echo) as server, AnswerStore(path) as store:

        async def main() -> None:
            async with Client(voter(server), store, Encoder()) as client:
                store.run("PRAGMA max_page_count = 1")
                await client.ask(question(1).with_cap(17))
                for number in range(2_000):
                    await client.ask(question(number))

        with pytest.raises(BenchwrightError, match=r"full; make room and run it again"):
            asyncio.run(main())
