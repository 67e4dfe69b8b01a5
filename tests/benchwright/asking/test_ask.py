"""benchwright ask: pictures and questions in, answers side by side out."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from benchwright.asking.ask import shown_pictures
from benchwright.asking.batch import BatchSettings
from benchwright.asking.options import AGAIN
from stand_ins.models import (
    CodedPictures,
    Fault,
    Model,
    Script,
    ScriptedServer,
    Value,
)
from stand_ins.models.coded import CodedPicture, draw

VALUES = (Value(type="colour", value="red"), Value(type="trim", value="lace"))
MODELS = (Model(name="alpha"), Model(name="beta", style="reasoning", logprobs="ignored"))


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    polling = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.05)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "dress.png"
    coded = CodedPicture(key="p1", yes=(("colour", "red"),), size=(320, 400), objects=())
    draw(coded, [(each.type, each.value) for each in VALUES]).save(path)
    return path


@pytest.fixture
def voters(tmp_path: Path) -> Callable[..., Path]:
    def write(server: ScriptedServer, **settings: Any) -> Path:
        path = tmp_path / "voters.yaml"
        common = {"base_url": server.base_url, **settings}
        entries = [
            {"name": "alpha", "model": "alpha", "logprobs": 5, **common},
            {"name": "beta", "model": "beta", "max_tokens": 64, **common},
        ]
        path.write_text(yaml.safe_dump({"voters": entries}), "utf-8")
        return path

    return write


def script(**settings: Any) -> Script:
    return Script(models=MODELS, values=VALUES, eyes=CodedPictures(), **settings)


@pytest.fixture
def ask(run: Any, picture: Path, voters: Any, tmp_path: Path) -> Callable[..., Any]:
    def asked(server: ScriptedServer, *arguments: str, **settings: Any) -> Any:
        file = voters(server, **settings)
        return run(
            "benchwright",
            "ask",
            picture,
            *("--question", "Is the dress red?", "--question", "Does it have lace?"),
            *("--voters", file, "--workspace", tmp_path / "w", "--no-probe", *arguments),
        )

    return asked


def test_answers_side_by_side(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server)
    assert ran.code == 0, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "dress.png: Is the dress red?"
    assert lines[1].split() == ["voter", "answer", "status", "p_yes", "tokens", "seconds", "said"]
    alpha, beta = lines[2].split(), lines[3].split()
    assert alpha[:3] == ["alpha", "yes", "ok"]
    assert float(alpha[3]) > 0.5
    assert beta[:4] == ["beta", "yes", "ok", "-"]  # no logprobs, reasoning left aside
    assert lines[5] == "dress.png: Does it have lace?"
    assert [line.split()[1] for line in lines[7:9]] == ["no", "no"]
    assert lines[-1].startswith("calls made now: 4 (")
    assert lines[-1].endswith("answers from the store: 0")


def test_again_buys_nothing(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        first, second = ask(server), ask(server)
        assert server.counts.chats == 4
    line = "calls made now: 0 (0 + 0 tokens); answers from the store: 4"
    assert second.out.splitlines()[-1] == line
    assert first.out.count(" yes ") == second.out.count(" yes ") == 2


def test_json_lines(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert sorted((row["voter"], row["answer"]) for row in rows) == [  # they come as they come
        ("alpha", "no"),
        ("alpha", "yes"),
        ("beta", "no"),
        ("beta", "yes"),
    ]
    assert {len(row["key"]) for row in rows} == {64}


def test_samples(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server, "--samples", "3")
        assert server.counts.chats == 12
    assert "alpha #3" in ran.out


def test_estimate_asks_nothing(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server, "--estimate", price={"input": 1, "output": 2})
        assert server.counts.chats == 0
    assert ran.code == 0
    assert "alpha" in ran.out
    assert "USD" in ran.out


def test_max_calls_stops_cleanly_and_the_rest_follows(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server, "--max-calls", "3")
        assert (ran.code, server.counts.chats) == (1, 3)
        assert ran.out.splitlines()[-1].startswith("calls made now: 3")  # shown all the same
        assert ran.err.startswith("error: --max-calls 3 is reached")
        assert ask(server).code == 0
        assert server.counts.chats == 4


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "alpha, beta has none in the voters' file"),
        ({"price": {"input": 1, "output": 1, "currency": "EUR"}}, None),
    ],
)
def test_max_cost_wants_prices(ask: Any, settings: dict[str, Any], said: str | None) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server, "--max-cost", "5", **settings)
    assert (said or "") in ran.err
    assert ran.code == (1 if said else 0)


def test_batch(ask: Any) -> None:
    with ScriptedServer(script()) as server:
        ran = ask(server, "--batch")
        assert server.counts.paths["/v1/chat/completions"] == 0
        again = ask(server, "--batch")
    assert ran.code == 0, ran.err
    assert ran.out.count(" yes ") == 2
    total, then = (each.out.splitlines()[-1] for each in (ran, again))
    assert total.startswith("calls made now: 4 (")
    assert total.endswith("; answers collected from batches: 4; answers from the store: 0")
    assert "(0 + 0 tokens)" not in total
    assert then == (
        "calls made now: 0 (0 + 0 tokens); answers collected from batches: 0;"
        " answers from the store: 4"
    )


def test_refusal_is_asked_anew_when_told(ask: Any) -> None:
    refused = Fault(kind="refusal", ordinals=(0,), models=("alpha",))
    with ScriptedServer(script(faults=(refused,))) as server:
        assert "refused (" in ask(server).out
        assert "refused (" in ask(server).out
        assert server.counts.chats == 4
        ran = ask(server, "--again", "refused")
        assert server.counts.chats == 5
    assert "refused (" not in ran.out


def test_again_names_final_statuses() -> None:
    assert set(AGAIN) == {"refused", "truncated", "rejected"}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("gone.png", None, "gone.png: No such file or directory; name a picture file"),
        ("page.jpg", b"<html>not found</html>", "name a picture file"),
        ("empty.png", b"", "name a picture file"),
    ],
)
def test_no_picture(
    run: Any, voters: Any, tmp_path: Path, name: str, data: bytes | None, said: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with ScriptedServer(script()) as server:
        arguments = ("--question", "Is it red?", "--voters", voters(server), "--no-probe")
        ran = run("benchwright", "ask", path, *arguments, "--workspace", tmp_path / "w")
    assert (ran.code, ran.out) == (1, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_dead_server_is_one_line(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.2)
    with ScriptedServer(script()) as server:
        pass
    ran = ask(server)
    assert ran.code == 1
    assert "nobody answers at http://127.0.0.1" in ran.err


def test_voter_that_does_not_see_is_found_before_it_is_paid(
    run: Any, picture: Path, voters: Any, tmp_path: Path
) -> None:
    blind = tuple(model.model_copy(update={"sees": "blind"}) for model in MODELS)
    with ScriptedServer(script().model_copy(update={"models": blind})) as server:
        arguments = ("--question", "Is it red?", "--voters", voters(server))
        ran = run("benchwright", "ask", picture, *arguments, "--workspace", tmp_path / "w")
        looks = server.counts.chats
    assert ran.code == 1
    assert "Is it red?" not in ran.out
    for name in ("alpha", "beta"):
        said = f"error: voter {name} does not see pictures: it answers as if there were none"
        assert said in ran.err
    assert looks <= 14


def test_the_size_of_a_picture_is_that_of_the_bytes_that_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = []
    for side in (30, 40):
        Image.new("RGB", (side, side)).save(tmp_path / "a.png")
        versions.append((tmp_path / "a.png").read_bytes())
    # whoever reads the file again finds it changed
    left = iter(versions)
    monkeypatch.setattr("benchwright.pictures.load_file", lambda _: next(left))
    (shown,) = shown_pictures([tmp_path / "a.png"])
    assert shown.part.sha256 == hashlib.sha256(versions[0]).hexdigest()
    assert shown.size == (30, 30)


def test_answers_hold_no_key(ask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret-000111")
    with ScriptedServer(script(keys=("sk-secret-000111",))) as server:
        assert ask(server, api_key_env="MY_KEY").code == 0
        assert ask(server, "--batch", "--question", "Is it blue?", api_key_env="MY_KEY").code == 0
    for path in (tmp_path / "w").rglob("*"):
        assert path.is_dir() or b"sk-secret" not in path.read_bytes()
    connection = sqlite3.connect(tmp_path / "w" / "answers.sqlite")
    assert "sk-secret" not in "".join(connection.iterdump())
    connection.close()
