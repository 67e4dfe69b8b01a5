"""The whole pipeline over a real server on real pictures, up to the people and past them."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import pytest

from benchwright import seeds
from benchwright.decisions.journal import append_decisions, read_journal
from benchwright.records import SCHEMAS, QuestionChain
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.authored import read_authored
from labeling.dialogues.question_chain.deciding import VALID, progress
from labeling.dialogues.question_chain.rules.checking import failures
from labeling.dialogues.question_chain.written import written_text
from labeling.dialogues.stored import (
    decide_dialogues,
    decisions_of,
    dialogues_folder,
    drafts_folder,
    read_dialogues,
    read_drafts,
)
from stand_ins.chain_author import ChainAuthor
from stand_ins.chains import decided_of_chain

BAD = ("cycle", "gives_away", "seven", "unparsable", "unused", "unsuitable", None, None)
KILLS = 4
LOOKS = 2 * 6  # whether the two models see pictures; a look that is killed begins anew


def now_and_then(picture: str, attempt: int) -> Any:
    """Most first attempts are bad, and some pictures allow no chain."""
    wanted = BAD[seeds.below(len(BAD), 0, "bad", picture)]
    return wanted if attempt == 0 or wanted == "unsuitable" else None


def test_the_whole_pipeline_ends_before_the_people(
    chains: Callable[..., Any], coco: Workspace, authors: Callable[..., Any], example: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    models = authors(ChainAuthor(fault=now_and_then))
    command = ("run", example, "--voters", models.voters, "--chains", "6")
    ran = chains(*command, "--workspace", coco.root)
    assert (ran.code, ran.err) == (0, "")
    found = read_drafts(coco, "question-chain")
    assert len(found) == len(read_authored(coco)) > 5
    assert [failures(each) for each in found] == [()] * len(found)
    assert {each.author for each in found} == {"ana", "model:qwen", "model:gpt"}
    made_by = {
        one.generator for each in found for step in each.steps for one in step.question_options
    }
    assert made_by == {None, "qwen2-vl", "gpt-4o"}
    assert ran.out.count("next: ") == 1
    assert f"chains that keep every rule: {len(found)} of {len(found)}\n" in ran.out
    assert ran.out.splitlines()[-1:] == [
        f"next: review-labels open --audit question-chain --auditor NAME --workspace {coco.root}",
    ]
    calls = models.calls()
    again = chains(*command, "--workspace", coco.root)
    assert (again.code, models.calls()) == (0, calls)
    assert again.out.count("(done before)") == 4

    for draft in found:
        judge_to_the_end(coco, draft)
    made = decide_dialogues(coco, "question-chain")
    assert (made.counts["dialogues"], made.counts["withheld"]) == (len(found), 0)
    # bo let them stand as they were, and wrote none
    assert [each.author for each in read_dialogues(coco, "question-chain")] == [
        each.author for each in found
    ]
    for folder in (drafts_folder, dialogues_folder):
        cache, path = str(tmp_path / "cache"), str(folder(coco, "question-chain"))
        loaded = datasets.load_dataset(path, split="train", cache_dir=cache)
        assert loaded.features == datasets.Features.from_arrow_schema(SCHEMAS[QuestionChain])
        assert loaded["chain_id"][:] == [each.chain_id for each in found]


def judge_to_the_end(workspace: Workspace, draft: QuestionChain) -> None:
    """Let bo own a chain as it was drafted, cy find its distractors right, two others check it."""
    name = draft.chain_id
    for auditor in ("bo", "cy", "dee", "eve"):
        said = decisions_of(read_journal(workspace).decisions, {name})
        now = progress(draft, said.get(name, {}))
        after = {"chain": written_text(draft), "distractors": "[]"}.get(str(now.stage), VALID)
        made = decided_of_chain(str(now.stage), after, now.digest, auditor, record_id=name)
        append_decisions(workspace, [made])


def test_what_people_wrote_alone_becomes_drafts_without_a_model(
    chains: Callable[..., Any], coco: Workspace, example: Path
) -> None:
    ran = chains("run", example, "--workspace", coco.root)
    assert (ran.code, ran.err) == (0, "")
    assert "chains that keep every rule: 1 of 3\n" in ran.out
    assert len(read_drafts(coco, "question-chain")) == 3
    # what is there is enough to run again
    again = chains("run", "--workspace", coco.root)
    assert "chains that keep every rule: 1 of 3\n" in again.out


def test_an_estimate_asks_nothing(
    chains: Callable[..., Any], coco: Workspace, authors: Callable[..., Any], example: Path
) -> None:
    models = authors()
    command = ("run", example, "--voters", models.voters, "--chains", "2", "--estimate")
    ran = chains(*command, "--workspace", coco.root)
    assert (ran.code, models.calls()) == (0, 0)
    assert "to draft chains:\n" in ran.out
    assert "to draft distractors for the chains that are there:\n" in ran.out


def test_one_allowance_bounds_all_steps(
    chains: Callable[..., Any], coco: Workspace, authors: Callable[..., Any]
) -> None:
    models = authors()
    command = ("run", "--voters", models.voters, "--chains", "3", "--workspace", coco.root)
    ran = chains(*command, "--max-calls", "20")
    assert ran.code == 1
    assert "--max-calls 20" in ran.err
    assert models.calls() <= 20
    assert len(read_authored(coco)) == 3


# counts what is brought to the disk, and dies by SIGKILL at one such moment
LAUNCHER = """
import os, signal, sys
from benchwright.commands import entry_point
from labeling.dialogues.question_chain.cli import question_chain

moment, seen, fsync = int(sys.argv.pop(1)), 0, os.fsync


def counted(handle):
    global seen
    if seen == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    seen += 1
    fsync(handle)


os.fsync = counted
try:
    entry_point(question_chain)()
finally:
    print(seen, file=sys.stderr)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undisturbed:
    """A whole run: where, by which command, and how many calls and writes it took."""

    root: Path
    command: tuple[str | Path, ...]
    models: Any
    calls: int
    writes: int


def started(moment: int, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", LAUNCHER, str(moment), *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def without_answers(held: dict[str, Any]) -> dict[str, Any]:
    """What a workspace holds but the answers, whose order and seconds differ."""
    return {name: value for name, value in held.items() if not name.startswith("answers.sqlite")}


@pytest.fixture
def undisturbed(
    coco: Workspace, authors: Callable[..., Any], example: Path, tmp_path: Path
) -> Undisturbed:
    """A run that nobody disturbs, on a copy of the catalog."""
    root = Path(shutil.copytree(coco.root, tmp_path / "whole"))
    models = authors(ChainAuthor(fault=now_and_then), model={"seconds": 0.01}, concurrency=1)
    command = ("run", example, "--voters", models.voters, "--chains", "4", "--workspace")
    whole = started(-1, *command, root)
    writes = int(whole.communicate()[1].split()[-1])
    assert whole.returncode == 0
    calls = models.calls()
    models.server.counts.chats = 0
    return Undisturbed(root=root, command=command, models=models, calls=calls, writes=writes)


@pytest.mark.heavy
@pytest.mark.timeout(120)
def test_killed_between_calls_it_buys_nothing_twice(
    chains: Callable[..., Any],
    coco: Workspace,
    undisturbed: Undisturbed,
    holdings: Callable[[Path], dict[str, Any]],
    verify: Callable[[Path], None],
) -> None:
    """It is killed again and again in one workspace, after more and more calls."""
    models, calls = undisturbed.models, undisturbed.calls
    for number in range(1, KILLS + 1):
        at = LOOKS + number * (calls - LOOKS) // (KILLS + 1)
        process = started(-1, *undisturbed.command, coco.root)
        while models.calls() < at and process.poll() is None:
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        verify(coco.root)
    ran = chains(*undisturbed.command, coco.root)
    assert (ran.code, ran.err) == (0, "")
    expected = without_answers(holdings(undisturbed.root))
    assert without_answers(holdings(coco.root)) == expected
    # each voter had one call under way, whose answer nobody heard
    assert calls <= models.calls() <= calls + 2 * KILLS


@pytest.mark.heavy
@pytest.mark.timeout(120)
def test_killed_between_writes_it_leaves_nothing_half(
    chains: Callable[..., Any],
    coco: Workspace,
    undisturbed: Undisturbed,
    tmp_path: Path,
    holdings: Callable[[Path], dict[str, Any]],
    verify: Callable[[Path], None],
) -> None:
    """It is killed once in each workspace, where all is bought already and nothing written."""
    expected = without_answers(holdings(undisturbed.root))
    shutil.copy(undisturbed.root / "answers.sqlite", coco.root)
    for number in range(KILLS):
        root = Path(shutil.copytree(coco.root, tmp_path / f"killed-{number}"))
        at = number * undisturbed.writes // KILLS
        process = started(at, *undisturbed.command, root)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        verify(root)
        ran = chains(*undisturbed.command, root)
        assert (ran.code, ran.err) == (0, "")
        assert without_answers(holdings(root)) == expected
    assert undisturbed.models.calls() == 0
