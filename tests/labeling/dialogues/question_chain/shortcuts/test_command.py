"""The report over a real server: models that guess, peek at lengths, decline, fail."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchwright import files, store
from benchwright.records import ChainStep, QuestionChain, QuestionOption
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.stored import dialogues_folder, write_drafts
from stand_ins.chains import chain
from stand_ins.distractors import Misleader, drafted_questions
from stand_ins.models import Fault, Model, Question, Script, ScriptedServer


def step_of(name: str, number: int, *, longer: bool) -> ChainStep:
    """A step whose options are drawn; where ``longer`` the true question is the longest."""
    true, *wrong = drafted_questions(4, name, str(number))
    question = f"{true['question']} Look closely at it." if longer else true["question"]
    return ChainStep(
        question=question,
        answer=f"{name} {number}",
        uses=(),
        question_options=(
            QuestionOption(text=question, answer="x", origin="true", generator=None),
            *(
                QuestionOption(text=one["question"], answer="x", origin="step", generator="m")
                for one in wrong
            ),
        ),
        answer_options=(f"{name} {number}", *(f"{name} {number}{letter}" for letter in "abc")),
    )


def chains(number: int, *, longer: bool = False) -> list[QuestionChain]:
    return [
        chain(
            chain_id=f"c{at:02d}",
            steps=tuple(step_of(f"c{at:02d}", each, longer=longer) for each in (1, 2, 3)),
        )
        for at in range(number)
    ]


def drafted(folder: Path, made: list[QuestionChain]) -> Workspace:
    workspace = Workspace(folder / "workspace")
    plan = store.Plan(stage="dialogues/question-chain/drafts", inputs={}, settings={})
    write_drafts(workspace, "question-chain", made, plan)
    return workspace


def standing(workspace: Workspace, made: list[QuestionChain]) -> None:
    folder = dialogues_folder(workspace, "question-chain")
    plan = store.Plan(stage="dialogues/question-chain", inputs={}, settings={})
    with store.writing(folder, plan, configs={"dialogues": "dialogues.parquet"}) as out:
        out.table("dialogues", to_table(made, QuestionChain))
        out.counts.update(dialogues=len(made))


def report(workspace: Workspace) -> dict[str, Any]:
    path = dialogues_folder(workspace, "question-chain") / "shortcuts.json"
    said: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return said


def verdict(said: dict[str, Any], kind: str, name: str) -> str:
    rows = [*said["rows"], *said["guesses"]]
    (row,) = [
        one
        for one in rows
        if one["kind"] == kind and name in (one.get("measure", ""), one.get("voter", ""))
    ]
    return str(row["verdict"])


@pytest.fixture
def command(run: Callable[..., Any]) -> Callable[..., Any]:
    return partial(run, "build-dialogues", "question-chain")


def longest_of(text: str, _: int) -> int:
    """The number of the longest option."""
    lines = text.rpartition("Options:\n")[2].split("\n\n")[0].splitlines()
    return 1 + max(range(len(lines)), key=lambda at: len(lines[at]))


@pytest.fixture
def voters(tmp_path: Path) -> Iterator[Callable[..., tuple[Path, ScriptedServer]]]:
    servers: list[ScriptedServer] = []

    def start(minds: dict[str, Misleader], **script: Any) -> tuple[Path, ScriptedServer]:
        made = Script(models=[Model(name=name) for name in minds], **script)
        server = ScriptedServer(made, brain=lambda asked: minds[asked.model](asked))
        server.start()
        servers.append(server)
        path = tmp_path / "voters.yaml"
        entries = [{"name": name, "model": name, "base_url": server.base_url} for name in minds]
        path.write_text(json.dumps({"voters": entries}), "utf-8")
        return path, server

    yield start
    for server in servers:
        server.stop()


def test_models_guess_without_the_picture(
    tmp_path: Path, voters: Callable[..., Any], command: Callable[..., Any]
) -> None:
    workspace = drafted(tmp_path, chains(12, longer=True))
    blind = Misleader()
    path, server = voters({"peeker": Misleader(guess=longest_of), "guesser": blind})
    ran = command("shortcuts", "--voters", path, "--workspace", workspace.root)
    assert ran.code == 0, ran.err
    said = report(workspace)
    assert (said["of"], said["chains"]) == ("drafts", 12)
    assert said["choices"] == {"planning": 24, "following": 36}
    assert verdict(said, "planning", "longest") == "more than chance"
    assert verdict(said, "planning", "peeker") == "more than chance"
    assert verdict(said, "planning", "guesser") == "as chance"
    assert verdict(said, "following", "guesser") == "as chance"
    assert len(blind.blind) == server.counts.chats // 2 == 60  # nobody was shown anything
    assert "  the longest option                    24     24   100 %    25 %" in ran.out
    assert ran.out.count("peeker without picture") == 2
    before = path.parent / "before.json"
    before.write_bytes(
        (dialogues_folder(workspace, "question-chain") / "shortcuts.json").read_bytes()
    )
    again = command("shortcuts", "--voters", path, "--workspace", workspace.root)
    assert again.out == ran.out
    assert server.counts.chats == 120
    assert report(workspace) == json.loads(before.read_text("utf-8"))


def test_the_true_option_is_not_always_first_in_what_is_shown(
    tmp_path: Path, voters: Callable[..., Any], command: Callable[..., Any]
) -> None:
    workspace = drafted(tmp_path, chains(30))
    path, _ = voters({"first": Misleader(guess=lambda text, options: 1)})
    assert command("shortcuts", "--voters", path, "--workspace", workspace.root).code == 0
    said = report(workspace)
    # drafts hold it first; what is judged is the order in which they will stand
    assert verdict(said, "following", "first") == "as chance"
    (place,) = [one for one in said["rows"] if one["measure"].startswith("place")][1:]
    assert place["verdict"] == "as chance"


def test_what_is_declined_or_out_of_range_is_counted(
    tmp_path: Path, voters: Callable[..., Any], command: Callable[..., Any]
) -> None:
    def reply(question: Question, said: Any) -> Any:
        if question.model == "shy":
            return "I am sorry, but I cannot help with that."
        return (
            {"option": 7}
            if question.asked_before == 0 and "none of 1" not in question.text
            else said
        )

    workspace = drafted(tmp_path, chains(4))
    minds = {name: Misleader(reply=reply) for name in ("shy", "wild")}
    path, server = voters(minds)
    ran = command("shortcuts", "--voters", path, "--workspace", workspace.root)
    assert ran.code == 0, ran.err
    by_voter = {(one["voter"], one["kind"]): one for one in report(workspace)["guesses"]}
    assert by_voter["shy", "planning"]["n"] == 0
    assert by_voter["shy", "planning"]["unanswered"] == 8
    assert by_voter["shy", "planning"]["share"] is None
    assert by_voter["wild", "planning"]["unanswered"] == 0  # it was told, and chose another
    assert "    8 not answered; --max-retries 2 asks once more" in ran.out
    calls = server.counts.chats
    shy = ("shortcuts", "--voters", path, "--only", "shy", "--workspace", workspace.root)
    assert command(*shy).code == 1  # nothing came of anything
    assert server.counts.chats == calls
    command(*shy, "--max-retries", "2")
    assert server.counts.chats == calls + 20


def test_two_runs_at_once_do_not_buy_twice(
    tmp_path: Path, voters: Callable[..., Any], command: Callable[..., Any]
) -> None:
    workspace = drafted(tmp_path, chains(2))
    path, server = voters({"m": Misleader()})
    folder = dialogues_folder(workspace, "question-chain") / "shortcuts"
    folder.mkdir(parents=True)
    with files.locked(folder, "measuring shortcuts"):
        ran = command("shortcuts", "--voters", path, "--workspace", workspace.root)
    assert (ran.code, server.counts.chats) == (1, 0)
    assert "another process is measuring shortcuts; wait until it is done" in ran.err


def test_calls_that_fail_are_said_and_gone_on_with(
    tmp_path: Path,
    voters: Callable[..., Any],
    command: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("benchwright.asking.client._TRIES", 1)
    monkeypatch.setattr("benchwright.asking.limiter._FIRST_PAUSE", 0.01)
    monkeypatch.setattr("benchwright.asking.failures._FIRST_WAIT", 0.002)
    workspace = drafted(tmp_path, chains(8))
    path, _ = voters({"m": Misleader()}, faults=[Fault(kind="server_error", rate=0.3)])
    ran = command("shortcuts", "--voters", path, "--workspace", workspace.root)
    assert ran.code == 1
    assert "of them failed" in ran.out
    assert ran.out.endswith("next: run the same command again, to ask what got no answer\n")
    path, server = voters({"m": Misleader()})
    again = command("shortcuts", "--voters", path, "--workspace", workspace.root)
    assert again.code == 0, again.err
    assert 0 < server.counts.chats < 40
    assert "failed" not in again.out


def test_what_stands_is_judged_where_there_is_some(
    tmp_path: Path, command: Callable[..., Any]
) -> None:
    workspace = drafted(tmp_path, chains(12))
    where = ("--workspace", workspace.root)
    assert "12 drafts: 24 choices of a question" in command("shortcuts", *where).out
    standing(workspace, [])
    assert "12 drafts" in command("shortcuts", *where).out
    standing(workspace, chains(12, longer=True)[:6])
    assert "6 chains that stand: 12 choices of a question" in command("shortcuts", *where).out
    # as they stand the true one is first, in place 1
    assert report(workspace)["rows"][2]["measure"] == "place"
    assert "12 drafts" in command("shortcuts", "--of", "drafts", *where).out
    none = command("shortcuts", "--of", "drafts", "--only", "m", *where)
    assert (none.code, none.out) == (1, "")
    assert "name some with --voters" in none.err


def test_chains_without_options_are_refused(tmp_path: Path, command: Callable[..., Any]) -> None:
    bare = [
        replace(
            one,
            steps=tuple(
                replace(step, question_options=(), answer_options=()) for step in one.steps
            ),
        )
        for one in chains(2)
    ]
    workspace = drafted(tmp_path, bare)
    ran = command("shortcuts", "--workspace", workspace.root)
    assert ran.code == 1
    assert "none of 2 chains has two options to choose from" in ran.err
    empty = command("shortcuts", "--workspace", tmp_path / "nowhere")
    assert empty.code == 1
    assert empty.err.count("\n") == 1


def test_an_estimate_asks_nothing(
    tmp_path: Path, voters: Callable[..., Any], command: Callable[..., Any]
) -> None:
    workspace = drafted(tmp_path, chains(3))
    path, server = voters({"m": Misleader()})
    ran = command("shortcuts", "--voters", path, "--estimate", "--workspace", workspace.root)
    assert ran.code == 0, ran.err
    assert server.counts.chats == 0
    assert " 15 " in ran.out  # six questions, nine answers; no look at a picture
