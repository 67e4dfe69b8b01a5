"""benchwright ask beside servers and files that are not as they should be: each says its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml
from PIL import Image

from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

DEAD = "http://127.0.0.1:9/v1"  # the port of discard, where nobody listens
PRICE = {"input": 1_000_000, "output": 1_000_000}
STARTED = "from benchwright.cli import main; main()"


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.02)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.2)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "dress.png"
    Image.new("RGB", (300, 200), (250, 0, 0)).save(path)
    return path


@pytest.fixture
def ask(run: Any, tmp_path: Path, picture: Path) -> Callable[..., Any]:
    def asked(*voters: dict[str, Any], more: tuple[Any, ...] = (), of: Any = None) -> Any:
        path = tmp_path / "voters.yaml"
        entries = [{"model": one["name"], "concurrency": 1, **one} for one in voters]
        path.write_text(yaml.safe_dump({"voters": entries}), "utf-8")
        pictures = of or (picture,)
        given = ("--question", "Is it red?", "--voters", path, "--workspace", tmp_path / "w")
        return run("benchwright", "ask", *pictures, *given, *more)

    return asked


def yes(question: Question) -> Turn:
    return Turn(text="Yes")


def serving(*faults: Fault, **script: Any) -> ScriptedServer:
    models = tuple(Model(name=name) for name in ("alpha", "beta"))
    return ScriptedServer(Script(models=models, faults=faults, **script), brain=yes)


def spoken(monkeypatch: pytest.MonkeyPatch, answer: Callable[[Any], httpx2.Response]) -> None:
    """Let all servers answer so."""
    transport = httpx2.MockTransport(answer)
    monkeypatch.setattr(
        "openai.DefaultAsyncHttpxClient",
        lambda **more: httpx2.AsyncClient(transport=transport, **more),
    )


def said(text: str, **more: Any) -> httpx2.Response:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return httpx2.Response(200, json={"choices": [choice], **more})


def test_tokens_that_no_server_counted(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken(monkeypatch, lambda _: said("Yes"))
    voter = {"name": "alpha", "base_url": "http://h/v1", "price": PRICE}
    ran = ask(voter, more=("--no-probe",))
    assert ran.code == 0
    assert ran.out.splitlines()[2].split()[4] == "-"
    total = ran.out.splitlines()[-1]
    assert "(- tokens, without tokens from the server: 1, up to USD " in total
    assert "USD 0" not in total
    row = json.loads(ask(voter, more=("--no-probe", "--json")).out)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (None, None)


REFUSALS = {
    "key": (401, {"error": {"message": "Incorrect API key provided"}}, "name its key under"),
    "quota": (429, {"error": {"message": "-", "code": "insufficient_quota"}}, "see to its quota"),
    "model": (404, {"error": {"message": "no such model"}}, "mend base_url or model (alpha)"),
    "loading": (503, {"error": {"message": "Loading model"}}, "(HTTP 503: Loading model); start"),
    "field": (
        400,
        {"error": {"message": "Unsupported: max_tokens"}},
        "does not answer even a text",
    ),
}


@pytest.mark.parametrize(
    ("name", "good"),  # how many calls went well before
    [(name, 0) for name in REFUSALS] + [(name, 1) for name in ("key", "quota", "model")],
)
def test_a_look_that_fails_says_why_alone(
    ask: Any, monkeypatch: pytest.MonkeyPatch, name: str, good: int
) -> None:
    status, body, why = REFUSALS[name]
    came = 0

    def answer(_: Any) -> httpx2.Response:
        nonlocal came
        came += 1
        return said("Which?") if came <= good else httpx2.Response(status, json=body)

    spoken(monkeypatch, answer)
    ran = ask({"name": "alpha", "base_url": "http://h/v1"})
    (error,) = [line for line in ran.err.splitlines() if line.startswith("error: ")]
    assert why in error
    assert error.count("alpha:") == 1
    assert "does not see" not in error
    assert "--no-probe" not in error


def test_an_address_without_v1(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken(monkeypatch, lambda _: httpx2.Response(404, text="not found"))
    ran = ask({"name": "alpha", "base_url": "http://h:1"})
    assert "try base_url: http://h:1/v1 in the voters' file" in ran.err


def test_a_missing_key_leaves_the_others_their_answers(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    for way in ((), ("--batch",)):
        with serving() as server:
            bad = {"name": "alpha", "base_url": DEAD, "api_key_env": "A_KEY"}
            good = {"name": "beta", "base_url": server.base_url}
            ran = ask(bad, good, more=("--no-probe", *way))
        assert ran.code == 1
        rows = {line.split()[0]: line for line in ran.out.splitlines()[2:4]}
        assert rows["beta"].split()[:3] == ["beta", "yes", "ok"]
        assert rows["alpha"].split()[:4] == ["alpha", "-", "not", "asked"]
        assert ran.err.startswith("error: voter alpha: its key is wanted")
        assert ran.err.count("\n") == 1


def test_only_some_voters(ask: Any) -> None:
    with serving() as server:
        voters = (
            {"name": "alpha", "base_url": DEAD},
            {"name": "beta", "base_url": server.base_url},
        )
        ran = ask(*voters, more=("--no-probe", "--only", "beta"))
        none = ask(*voters, more=("--only", "gamma"))
    assert (ran.code, ran.err) == (0, "")
    assert "alpha" not in ran.out
    assert none.code == 1
    assert "has no voter gamma; it names alpha, beta" in none.err


def test_one_doubt_of_several_is_one_line(ask: Any) -> None:
    with serving() as server:
        ran = ask(*({"name": name, "base_url": server.base_url} for name in ("alpha", "beta")))
    (note,) = [line for line in ran.err.splitlines() if line.startswith("note: ")]
    assert note.startswith(("note: voters alpha, beta named 0", "note: voters beta, alpha named 0"))


def test_all_that_are_no_pictures(ask: Any, tmp_path: Path, picture: Path) -> None:
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_text("<html>")
    folder = tmp_path / "shop"
    folder.mkdir()
    paths = (tmp_path / "a.jpg", picture, tmp_path / "b.jpg", folder)
    ran = ask({"name": "alpha", "base_url": DEAD}, of=paths)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: 3 of 4 are no pictures: ")
    for said in ("a.jpg: ", "b.jpg: ", f"shop: is a folder, give {folder}/*.jpg"):
        assert said in ran.err


def test_an_estimate_makes_nothing_and_wants_no_key(
    ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    ran = ask({"name": "alpha", "base_url": DEAD, "api_key_env": "A_KEY"}, more=("--estimate",))
    assert (ran.code, ran.err) == (0, "")
    assert not (tmp_path / "w").exists()


def test_an_estimate_takes_what_doctor_measured(ask: Any, run: Any, tmp_path: Path) -> None:
    with serving() as server:
        voter = {"name": "alpha", "base_url": server.base_url}
        before = ask(voter, more=("--estimate", "--no-probe"))
        files = ("--voters", tmp_path / "voters.yaml", "--workspace", tmp_path / "w")
        run("benchwright", "doctor", *files)
        after = ask(voter, more=("--estimate", "--no-probe"))
    line = "Taken from benchwright doctor: tokens of pictures, or seconds (alpha)."
    assert line not in before.out
    assert line in after.out
    assert "Assumed: pictures" in before.out
    assert "Assumed: pictures" not in after.out


def test_a_workspace_that_cannot_be_made(ask: Any, run: Any, tmp_path: Path) -> None:
    voter = {"name": "alpha", "base_url": DEAD}
    ran = ask(voter, more=("--workspace", "/proc/nope"))
    assert ran.code == 1
    assert ran.err == (
        "error: /proc/nope: cannot be made (No such file or directory); choose another"
        " --workspace\n"
    )
    files = ("--voters", tmp_path / "voters.yaml", "--workspace", "/proc/nope")
    assert "cannot be made" in run("benchwright", "doctor", *files).err


def test_a_long_answer_is_a_failure(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    class Endless(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            nonlocal read
            while True:
                read += 100_000
                yield b" " * 100_000

    spoken(monkeypatch, lambda _: httpx2.Response(200, stream=Endless()))
    ran = ask({"name": "alpha", "base_url": "http://h/v1"}, more=("--no-probe",))
    assert ran.code == 1
    assert "failed" in ran.out
    assert "the answer is too long" in ran.out
    assert ran.err.splitlines()[-1] == "error: 1 answer failed; run it again"
    assert read == 5 * 1_100_000  # five tries, each up to the first piece beyond the bound


def test_a_megabyte_is_not_too_long(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken(monkeypatch, lambda _: said("Yes" + " " * 900_000))
    assert ask({"name": "alpha", "base_url": "http://h/v1"}, more=("--no-probe",)).code == 0


def test_status_tells_of_answers(ask: Any, run: Any, tmp_path: Path) -> None:
    with serving() as server:
        ask({"name": "alpha", "base_url": server.base_url}, more=("--no-probe",))
    status = run("benchwright", "status", "--workspace", tmp_path / "w")
    assert "answers  1 of 1 voter; batches under way: 0" in status.out
    assert "empty" not in status.out


def test_a_stop_says_what_is_kept(tmp_path: Path, picture: Path) -> None:
    slow = Model(name="alpha", seconds=0.3)
    with ScriptedServer(Script(models=(slow,)), brain=yes) as server:
        path = tmp_path / "voters.yaml"
        entry = {"name": "alpha", "model": "alpha", "base_url": server.base_url, "concurrency": 1}
        path.write_text(yaml.safe_dump({"voters": [entry]}), "utf-8")
        words = [word for number in range(40) for word in ("--question", f"Is it red? {number}")]
        with subprocess.Popen(
            [
                *(sys.executable, "-c", STARTED, "ask", str(picture), *words),
                *("--voters", str(path), "--workspace", str(tmp_path / "w"), "--no-probe"),
            ],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
        ) as process:
            while server.counts.chats < 4:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    first, last = err.splitlines()
    assert first in [f"note: {number} of 40 answered and kept" for number in (3, 4)]
    assert last.startswith("error: stopped")
