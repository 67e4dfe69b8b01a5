"""kill -9 while distractors are drafted: the same run again goes on, and buys nothing twice."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.distracting.distracted import distracted_folder
from stand_ins.models import Model, Script, Served, served

COMMAND = "from labeling.dialogues.cli import main; main()"
NAMES = ("alpha-1", "beta-7b")
CONCURRENCY = 2


def arguments(workspace: Path, voters: Path) -> list[str]:
    command = ["question-chain", "distract"]
    return [*command, "--voters", str(voters), "--workspace", str(workspace)]


def started(workspace: Path, voters: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", COMMAND, *arguments(workspace, voters)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def chats(server: Served) -> int:
    return int(server.counts()["chats"])


@pytest.mark.heavy
def test_killed_runs_buy_nothing_twice(
    authored: Workspace, tmp_path: Path, run: Callable[..., Any]
) -> None:
    other = Path(shutil.copytree(authored.root, tmp_path / "other"))
    script = Script(
        models=[Model(name=name, seconds=0.03) for name in NAMES],
        brain="stand_ins.distractors:brain",
    )
    with served(script) as server:
        voters = tmp_path / "voters.yaml"
        entries = [
            {"name": name, "model": name, "base_url": server.base_url, "concurrency": CONCURRENCY}
            for name in NAMES
        ]
        voters.write_text(json.dumps({"voters": entries}), "utf-8")
        kills = 0
        for goal in (16, 28, 40):  # 45 calls in all, 12 of them looks
            with started(authored.root, voters) as process:
                while chats(server) < goal and process.poll() is None:
                    time.sleep(0.005)
                kills += process.poll() is None
                process.send_signal(signal.SIGKILL)
            assert not (distracted_folder(authored) / "manifest.json").exists()
        assert kills == 3
        assert run("build-dialogues", *arguments(authored.root, voters)).code == 0
        # each kill loses at most what was in flight, at both models
        assert chats(server) <= 45 + kills * CONCURRENCY * len(NAMES)
        assert run("build-dialogues", *arguments(other, voters)).code == 0
    name = "distracted.parquet"
    killed = (distracted_folder(authored) / name).read_bytes()
    assert killed == (distracted_folder(Workspace(other)) / name).read_bytes()
