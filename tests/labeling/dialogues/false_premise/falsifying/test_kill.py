"""kill -9 while models describe and falsify: nothing is lost, nothing is bought twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.session import Spending
from benchwright.asking.voters import read_voters
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import (
    described_folder,
    estimate_describing,
    read_described,
)
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder, read_falsified
from stand_ins.false_premise_plan import CLASSES, planned, store_plan
from stand_ins.models import Model, Script, served

SCRIPT = Script(models=(Model(seconds=0.1),), brain="stand_ins.false_premise_author:author")


def arguments(workspace: Workspace, voters: Path, step: str) -> list[str]:
    more = ["--variants", "2"] if step == "falsify" else []
    at = ["--workspace", str(workspace.root)]
    return ["false-premise", step, "--voters", str(voters), *more, *at]


def started(workspace: Workspace, voters: Path, step: str) -> "subprocess.Popen[bytes]":
    code = "from labeling.dialogues.cli import main; main()"
    return subprocess.Popen([sys.executable, "-c", code, *arguments(workspace, voters, step)])


@pytest.mark.heavy
def test_a_killed_run_goes_on(pictures: Workspace, tmp_path: Path, run: Callable[..., Any]) -> None:
    store_plan(pictures, planned(pictures, classes=CLASSES))
    voters = tmp_path / "voters.yaml"
    with served(SCRIPT) as server:
        voter = {"name": "ann", "model": "scripted", "base_url": server.base_url, "concurrency": 2}
        voters.write_text(json.dumps({"voters": [voter]}), "utf-8")
        (estimate,) = estimate_describing(pictures, read_voters(voters), Spending())
        for step, folder in (("describe", described_folder), ("falsify", falsified_folder)):
            moment = server.counts()["chats"] + 4 + (estimate.looks if step == "describe" else 0)
            process = started(pictures, voters, step)
            while server.counts()["chats"] < moment:
                assert process.poll() is None, "it ended before it was to be killed"
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
            assert not (folder(pictures) / "manifest.json").exists()
            assert run("build-dialogues", *arguments(pictures, voters, step)).code == 0
        counts = server.counts()
        assert run("build-dialogues", *arguments(pictures, voters, "falsify")).code == 0
        assert server.counts()["chats"] == counts["chats"]
    assert all(row.true_description for row in read_described(pictures))
    assert [row.variant for row in read_falsified(pictures)] == [1, 2] * 18
    twice = sum(counts["requests"].values()) - len(counts["requests"])
    assert twice <= 2 * 2  # what was in flight when it was killed, at each of two kills
