"""The commands that describe and falsify, as a user runs them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.session import Spending
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import estimate_describing
from stand_ins.false_premise_author import Asked, Author, Authors, serving
from stand_ins.false_premise_plan import planned, store_plan
from stand_ins.models import Fault

Step = Callable[..., Any]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)


@pytest.fixture
def step(run: Callable[..., Any], pictures: Workspace, tmp_path: Path) -> Step:
    """Run a step of false-premise with the voters of a server."""

    def call(name: str, authors: Authors, *more: str) -> Any:
        path = tmp_path / "voters.yaml"
        voters = [
            {"name": one.name, "model": one.model, "base_url": one.base_url, "concurrency": 1}
            for one in authors.voters
        ]
        path.write_text(json.dumps({"voters": voters}), "utf-8")
        options = ("--voters", path, *more, "--workspace", pictures.root)
        return run("build-dialogues", "false-premise", name, *options)

    return call


def test_one_step_after_the_other(pictures: Workspace, step: Step) -> None:
    store_plan(pictures, planned(pictures))
    with serving({"ann": Author(), "ben": Author()}) as authors:
        early = step("falsify", authors, "--estimate")
        assert early.code == 1
        assert "run build-dialogues false-premise describe first" in early.err

        guessed = step("describe", authors, "--estimate")
        assert (guessed.code, authors.calls()) == (0, 0)
        assert guessed.out.startswith("voter")

        described = step("describe", authors)
        assert described.code == 0, described.err
        assert described.out.splitlines() == [
            "6 of 6 dialogues described (6 targets); answers sent back: 0",
            "next: build-dialogues false-premise falsify --voters FILE --workspace"
            f" {pictures.root}",
        ]
        again = step("describe", authors)
        assert again.out.splitlines()[0].startswith("nothing to do: ")

        falsified = step("falsify", authors, "--variants", "2")
        assert falsified.code == 0, falsified.err
        assert falsified.out.splitlines() == [
            "12 false descriptions of 6 dialogues; answers sent back: 0, of which true of the"
            " picture by sight: 0",
            f"next: build-dialogues false-premise check --voters FILE --workspace {pictures.root}",
        ]
        assert step("falsify", authors, "--variants", "2").out.startswith("nothing to do: ")


def test_one_voter_alone(pictures: Workspace, step: Step) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))
    with serving({"ann": (ann := Author()), "ben": (ben := Author())}) as authors:
        assert step("describe", authors, "--only", "ben").code == 0
    assert (len(ann.asked), len(ben.asked)) == (0, 2)


def test_what_was_given_up_is_named_with_its_reason(pictures: Workspace, step: Step) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))

    def spoil(asked: Asked, said: dict[str, Any]) -> Any:
        return {"description": "\x1b[2Jthe dog", "questions": []} if asked.label == "dog" else said

    with serving({"ann": Author(spoil=spoil)}) as authors:
        ran = step("describe", authors, "--max-retries", "1")
    assert ran.code == 0
    assert "1 of 2 dialogues described (2 targets); answers sent back: 2" in ran.out
    assert "  given up after the last attempt: 1" in ran.out
    assert "the description holds characters that cannot be printed" in ran.out
    assert "\x1b" not in ran.out


def test_what_the_server_did_not_answer_waits_for_another_run(
    pictures: Workspace, step: Step
) -> None:
    store_plan(pictures, planned(pictures, "dog", "boat"))
    with serving({"ann": Author()}) as authors:
        (estimate,) = estimate_describing(pictures, authors.voters, Spending())
    tries = range(estimate.looks, estimate.looks + 5)  # all those at the first picture
    fault = Fault(kind="server_error", ordinals=tries)
    with serving({"ann": Author()}, faults=(fault,)) as authors:
        ran = step("describe", authors)
        assert ran.code == 1
        assert "  not answered: 1" in ran.out
        last = ran.out.splitlines()[-1]
        assert last.startswith("next: build-dialogues false-premise describe --voters FILE")
        assert last.endswith("(the same command again; what was answered is kept)")
        assert step("describe", authors).code == 0
