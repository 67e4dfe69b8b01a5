"""doctor --judge: a small judge of two cases, tried out by voters on a scripted server."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

import click
import pydantic
import pytest
import yaml
from click.testing import CliRunner, Result

from benchwright.asking import judges
from benchwright.asking.doctor.cli import doctor_command
from benchwright.asking.judges import Found, judge_named
from benchwright.asking.questions import Asks, ask_structured
from benchwright.asking.requests import Request
from benchwright.errors import UsageError
from stand_ins.models import Question, Script, ScriptedServer, Turn


class Said(pydantic.BaseModel):
    verdict: Literal["even", "odd"]


class Parity:
    """Asks whether a number is even; 3 needs no model."""

    name = "parity"

    def cases(self) -> Sequence[int]:
        return (1, 2, 3)

    async def ask(self, case: int, asks: Asks) -> Found:
        if case == 3:
            return Found(verdict="odd")
        request = Request.of(f"Is {case} even?", max_tokens=20, temperature=0)
        read = (await ask_structured(asks, request, Said)).structured
        if read.status == "failed":
            return Found(verdict=None)
        return Found(verdict=read.value.verdict if read.value else "odd", is_read=bool(read.value))

    def sheet(self, found: Mapping[str, Sequence[Found]]) -> list[str]:
        return [f"{name}: {[one.verdict for one in some]}" for name, some in found.items()]


class Point:
    """An entry point."""

    def __init__(self, judge: Parity) -> None:
        self.name, self._judge = judge.name, judge

    def load(self) -> Parity:
        return self._judge


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "entry_points", lambda group: [Point(Parity())])


def brain(question: Question) -> Turn:
    said = '{"verdict": "even"}' if "Is 2 even" in question.text else '{"verdict": "odd"}'
    return Turn(text=said, data={"verdict": "even" if "Is 2" in question.text else "odd"})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(Script(), brain=brain) as running:
        yield running


@pytest.fixture
def tried(tmp_path: Path, server: ScriptedServer) -> Callable[..., Result]:
    """Run the doctor in one workspace with a voters' file of two names for one server."""
    voters = [
        {"name": name, "model": "scripted", "base_url": server.base_url, "revision": name}
        for name in ("one", "two")
    ]
    file = tmp_path / "voters.yaml"
    file.write_text(yaml.safe_dump({"voters": voters}), "utf-8")

    def run(*more: str) -> Result:
        arguments = ["--workspace", str(tmp_path / "w"), "--voters", str(file), *more]
        return CliRunner().invoke(doctor_command, arguments, standalone_mode=False)

    return run


def calls(server: ScriptedServer) -> int:
    return server.counts.paths["/v1/chat/completions"]


def test_every_voter_is_asked_every_case_once(tried: Any, server: ScriptedServer) -> None:
    result = tried("--judge", "parity")
    assert result.exception is None
    assert result.return_value == 0
    assert result.output == ("one: ['odd', 'even', 'odd']\ntwo: ['odd', 'even', 'odd']\n")
    assert calls(server) == 4
    again = tried("--judge", "parity")  # from the store
    assert again.output == result.output
    assert calls(server) == 4


def test_only_one_voter(tried: Any, server: ScriptedServer) -> None:
    assert tried("--judge", "parity", "--only", "two").output == "two: ['odd', 'even', 'odd']\n"
    assert calls(server) == 2


def test_the_estimate_asks_nothing(tried: Any, server: ScriptedServer) -> None:
    result = tried("--judge", "parity", "--estimate", "--only", "one")
    assert result.exception is None
    assert calls(server) == 0
    assert "one" in result.output
    assert " 2" in result.output
    tried("--judge", "parity", "--only", "one")
    left = tried("--judge", "parity", "--estimate", "--only", "one")
    assert left.output != result.output  # nothing is left to ask


def test_the_budget_holds_and_a_rerun_goes_on(tried: Any, server: ScriptedServer) -> None:
    result = tried("--judge", "parity", "--max-calls", "1", "--only", "one")
    assert "--max-calls 1 is reached" in str(result.exception)
    assert calls(server) == 1
    assert tried("--judge", "parity", "--only", "one").return_value == 0
    assert calls(server) == 2


def test_a_case_without_an_answer_is_an_error(
    tried: Any, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unanswered(*_: Any) -> Found:
        return Found(verdict=None)

    monkeypatch.setattr(Parity, "ask", unanswered)
    result = tried("--judge", "parity", "--only", "one")
    assert result.return_value == 1
    assert "3 cases without an answer; run it again" in result.output


@pytest.mark.parametrize(
    "option", [["--estimate"], ["--max-calls", "3"], ["--max-cost", "0.5"], ["--again", "refused"]]
)
def test_options_of_money_go_with_a_judge(tried: Any, option: list[str]) -> None:
    result = tried(*option)
    assert isinstance(result.exception, UsageError)
    assert str(result.exception).startswith(f"{option[0]}: goes with --judge alone")


def test_an_unknown_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"--judge oracle: .* there are parity"):
        judge_named("oracle")
    monkeypatch.setattr(judges, "entry_points", lambda group: [])
    with pytest.raises(UsageError, match="none is installed"):
        judge_named("parity")


def test_the_help_names_each_judge_that_comes_with_the_toolkit() -> None:
    (option,) = [each for each in doctor_command.params if each.name == "judge_name"]
    names = sorted(point.name for point in entry_points(group=judges.GROUP))
    assert isinstance(option, click.Option)
    assert f"({', '.join(names)})" in str(option.help)
