"""benchwright ask looks first, within its budget, and says what everything took."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from benchwright.asking.ask import Asking, QuestionsAsked, ask_voters, shown_pictures
from benchwright.asking.batch import BatchSettings
from benchwright.asking.eyesight.drawing import COLOURS
from benchwright.asking.questions import Answered
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace
from stand_ins.models import Brain, Fault, Model, Question, Script, ScriptedServer, Turn

DEAD = "http://127.0.0.1:9/v1"  # the port of discard, where nobody listens
PRICE = {"input": 0, "output": 1_000_000}  # a token of an answer costs 1


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    polling = BatchSettings(poll_seconds=0.01)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.02)
    monkeypatch.setattr("benchwright.asking.limiter.FIRST_PATIENCE", 0.2)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.001)


def seeing(question: Question) -> Turn:
    """A model that names colours, and says yes to all else."""
    if "Which colour" not in question.text:
        return Turn(text="Yes")
    if not question.pictures:
        return Turn(text="Which picture?")
    pixel = question.pictures[-1].image().convert("RGB").getpixel((5, 5))
    assert isinstance(pixel, tuple)
    said = min(
        COLOURS,
        key=lambda name: sum(abs(one - two) for one, two in zip(COLOURS[name], pixel, strict=True)),
    )
    return Turn(text=said)


def blind(question: Question) -> Turn:
    return Turn(text="I cannot see any image.")


def unsure(question: Question) -> Turn:
    return Turn(text="red" if "Which colour" in question.text else "Yes")


@pytest.fixture
def ask(run: Any, tmp_path: Path) -> Callable[..., Any]:
    picture = tmp_path / "dress.png"
    Image.new("RGB", (300, 200), (250, 0, 0)).save(picture)

    def asked(
        urls: str | dict[str, str], *arguments: str, questions: int = 1, **settings: Any
    ) -> Any:
        named = {"alpha": urls} if isinstance(urls, str) else urls
        entries = [
            {"name": name, "model": name, "base_url": url, "concurrency": 1, **settings}
            for name, url in named.items()
        ]
        path = tmp_path / "voters.yaml"
        path.write_text(yaml.safe_dump({"voters": entries}), "utf-8")
        said = [
            word for number in range(questions) for word in ("--question", f"Is it red? {number}")
        ]
        files = ("--voters", path, "--workspace", tmp_path / "w")
        return run("benchwright", "ask", picture, *said, *files, *arguments)

    return asked


def serving(brain: Brain, *faults: Fault, **model: Any) -> ScriptedServer:
    models = tuple(Model(name=name, **model) for name in ("alpha", "beta"))
    return ScriptedServer(Script(models=models, faults=faults), brain=brain)


def test_looks_are_in_the_total_and_made_once(ask: Any) -> None:
    with serving(seeing) as server:
        first, second = ask(server.base_url), ask(server.base_url, questions=2)
        assert server.counts.chats == 6 + 2
    assert (first.code, first.err, second.code) == (0, "", 0)
    assert "calls made now: 7, 6 of them to look whether voters see (" in first.out
    assert "calls made now: 1 (" in second.out
    assert second.out.splitlines()[-1].endswith("answers from the store: 1")


@pytest.mark.parametrize("most", [0, 3, 6])
@pytest.mark.parametrize("way", [(), ("--batch",)])
def test_max_calls_binds_the_looks(ask: Any, most: int, way: tuple[str, ...]) -> None:
    with serving(seeing) as server:
        ran = ask(server.base_url, "--max-calls", str(most), *way)
        assert server.counts.chats == most
        assert server.counts.paths["/v1/files"] == 0
    assert ran.code == 1
    assert ran.err.startswith(f"error: --max-calls {most} is reached")
    assert f"calls made now: {most}" in ran.out


def test_max_cost_binds_the_looks(ask: Any) -> None:
    with serving(seeing) as server:
        ran = ask(server.base_url, "--max-cost", "63", price=PRICE)  # the first may cost 64
        assert server.counts.chats == 0
        assert ran.err.startswith("error: --max-cost 63 would be passed")
        assert ask(server.base_url, "--max-cost", "100", price=PRICE).code == 0


def test_an_empty_question_is_not_paid_for(ask: Any) -> None:
    with serving(seeing) as server:
        ran = ask(server.base_url, "--question", " ")
        assert server.counts.chats == 0
    assert (ran.code, ran.out) == (1, "")
    assert "--question: one is empty" in ran.err


@pytest.mark.parametrize("bound", ["nan", "inf", "-inf", "-1", "much"])
def test_a_bound_that_bounds_nothing(ask: Any, bound: str) -> None:
    ran = ask(DEAD, f"--max-cost={bound}", price=PRICE)
    assert ran.code == 2
    assert "--max-cost" in ran.err
    assert ran.err.count("\n") == 1


def test_a_voter_that_was_mended_is_looked_at_anew(ask: Any) -> None:
    with serving(blind) as server:
        assert "does not see pictures" in ask(server.base_url).err
    with serving(seeing) as server:
        assert ask(server.base_url).code == 0
        assert server.counts.chats == 7
        assert ask(server.base_url, questions=2).code == 0
        assert server.counts.chats == 8


def test_a_doubt_is_looked_into_each_time(ask: Any) -> None:
    with serving(unsure) as server:
        for number in (1, 2):
            ran = ask(server.base_url, questions=number)
            assert ran.code == 0
            assert "note: voter alpha named 0 of 5 plain colours rightly" in ran.err
            assert server.counts.chats == 7 * number
        assert ask(server.base_url, questions=2).err == ""  # nothing to ask, nothing to look for


def test_a_voter_that_is_gone_leaves_the_others_their_answers(ask: Any) -> None:
    for way in ((), ("--no-probe",), ("--batch",), ("--batch", "--no-probe")):
        with serving(seeing) as server:
            ran = ask({"alpha": DEAD, "beta": server.base_url}, *way, questions=3)
        assert ran.code == 1
        assert ran.out.count("beta") == 3, way
        (said,) = [line for line in ran.err.splitlines() if line.startswith("error: ")]
        assert re.match(r"error: voter alpha: (nobody answers at )?http://127.0.0.1:9/v1", said)


def test_a_blind_voter_leaves_the_others_their_answers(ask: Any) -> None:
    with serving(seeing) as server, serving(blind) as other:
        ran = ask({"alpha": other.base_url, "beta": server.base_url}, questions=3)
        assert other.counts.chats <= 7
    assert ran.code == 1
    assert ran.out.count("beta") == 3
    assert "error: voter alpha does not see pictures" in ran.err


def test_failed_answers_are_no_success(ask: Any) -> None:
    fault = Fault(kind="no_choices", ordinals=(0, 1, 2, 3, 4))
    with serving(seeing, fault) as server:
        ran = ask(server.base_url, "--no-probe", questions=3)
        assert ran.code == 1
        assert ran.out.count("Is it red?") == 3
        assert ran.err.splitlines()[-1] == "error: 1 answer failed; run it again"
        assert ask(server.base_url, "--no-probe", questions=3).code == 0
        assert server.counts.chats == 5 + 2 + 1


def test_the_estimate_names_the_looks(ask: Any) -> None:
    with serving(seeing) as server:
        before = ask(server.base_url, "--estimate", questions=2)
        assert server.counts.chats == 0
        without = ask(server.base_url, "--estimate", "--no-probe", questions=2)
        ask(server.base_url)
        after = ask(server.base_url, "--estimate", questions=2)
    assert before.out.splitlines()[1].split()[:3] == ["alpha", "8", "0"]
    assert "Included: a few calls that look first whether a voter sees pictures (alpha)" in (
        before.out
    )
    for ran, calls in ((without, ["alpha", "2", "0"]), (after, ["alpha", "1", "1"])):
        assert ran.out.splitlines()[1].split()[:3] == calls
        assert "Included" not in ran.out


def test_the_estimate_counts_what_is_asked_again(ask: Any) -> None:
    with serving(seeing, Fault(kind="refusal", ordinals=(0,))) as server:
        ask(server.base_url, "--no-probe", questions=2)
        plain = ask(server.base_url, "--no-probe", "--estimate", questions=2)
        anew = ask(server.base_url, "--no-probe", "--estimate", "--again", "refused", questions=2)
        assert server.counts.chats == 2
    assert plain.out.splitlines()[1].split()[:3] == ["alpha", "0", "2"]
    assert anew.out.splitlines()[1].split()[:3] == ["alpha", "1", "1"]


def test_the_total_counts_every_call(ask: Any) -> None:
    def reasons(question: Question) -> Turn:
        if question.parameters["max_tokens"] < 60:
            return Turn(text="<think>Let me look at", finish_reason="length")
        return Turn(text="Yes")

    with serving(reasons) as server:
        ran = ask(server.base_url, "--no-probe", price=PRICE)
        assert server.counts.chats == 2
    found = re.search(r"calls made now: 2 \((\d+) \+ (\d+) tokens, USD ([\d.]+)\)", ran.out)
    assert found is not None, ran.out
    shown = re.search(r"(\d+) \+ (\d+)", ran.out)  # of the last reply alone
    assert shown is not None
    assert int(found[2]) > int(shown[2])
    assert float(found[3]) == int(found[2])


def test_what_may_have_been_billed_is_said(ask: Any) -> None:
    fault = Fault(kind="no_choices", ordinals=(0,))
    with serving(seeing, fault) as server:
        ran = ask(server.base_url, "--no-probe", "--max-cost", "100", price=PRICE)
    assert ran.code == 0
    assert re.search(r"USD \d\.00, up to 1\d\.00 with what is under way or may have", ran.out)


def test_answers_are_shown_as_they_come(tmp_path: Path) -> None:
    Image.new("RGB", (30, 30)).save(tmp_path / "a.png")
    with serving(seeing) as server:
        voter = Voter(name="alpha", model="alpha", base_url=server.base_url, concurrency=1)
        inquiry = QuestionsAsked(
            voters=(voter,),
            pictures=shown_pictures([tmp_path / "a.png"]),
            questions=tuple(f"Is it red? {number}" for number in range(30)),
        )
        calls = []

        def show(asking: Asking, answered: Answered) -> None:
            calls.append(server.counts.chats)

        workspace = Workspace(tmp_path / "w")
        asked = asyncio.run(ask_voters(workspace, inquiry, Spending(), show, probe=False))
    assert asked.answered == len(calls) == len(inquiry) == 30
    assert calls[0] < 10  # long before the last was asked
