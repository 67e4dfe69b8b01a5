"""kill -9 in the middle of a run: what was answered is not lost, and not bought again.

The console script runs as a process of its own and asks a real server. It dies at one of its calls,
before that is answered, or as soon as a step is done; the same command then goes on.
"""

import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.workspace import Workspace
from stand_ins.false_premise_studio import Studio
from stand_ins.models import Answer, Model, Question, Script, ScriptedServer, Turn

SCRIPT = Path(sys.executable).parent / "build-dialogues"
NAMES, CONCURRENCY = ("m1", "m2"), 4
FALSE = "the woman in the red shirt on the right side"  # is true of the picture, as they see it

Holdings = Callable[[Path], dict[str, Any]]


def voice(_: str, description: str) -> Answer | None:
    return "yes" if description == FALSE else None


class Stage:
    """A server that kills who asks it at the call of a number, and workspaces to run in."""

    def __init__(self, catalog: Path, folder: Path, run: Callable[..., Any]) -> None:
        self._catalog, self._folder, self._run = catalog, folder, run
        self._studio = Studio(Workspace(catalog), voice=voice)
        self._one_at_a_time = threading.Lock()
        self._victim: subprocess.Popen[bytes] | None = None
        self._at = -1
        self.calls = 0
        self.whole: dict[str, Any] = {}

    def brain(self, question: Question) -> Turn:
        with self._one_at_a_time:
            if self.calls == self._at and self._victim is not None:
                self._victim.kill()
            self.calls += 1
        return self._studio(question)

    def serve(self, server: ScriptedServer) -> None:
        rows = [
            {"name": name, "model": name, "base_url": server.base_url, "concurrency": CONCURRENCY}
            for name in NAMES
        ]
        (self._folder / "voters.yaml").write_text(yaml.safe_dump({"voters": rows}), "utf-8")

    def workspace(self, name: str) -> Path:
        self.calls = 0
        return Path(shutil.copytree(self._catalog, self._folder / name))

    def arguments(self, root: Path) -> list[str | Path]:
        voters = self._folder / "voters.yaml"
        command: list[str | Path] = ["false-premise", "run", "--voters", voters]
        return [*command, "--per-cell", "1", "--workspace", root]

    def start(self, root: Path) -> subprocess.Popen[bytes]:
        command = [SCRIPT, *self.arguments(root)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run(self, root: Path) -> None:
        """Run it to its end, in this process."""
        ran = self._run("build-dialogues", *self.arguments(root))
        assert ran.code == 0, ran.err

    def run_and_die_at(self, root: Path, call: int) -> None:
        self._at, self._victim = call, self.start(root)
        assert ended(self._victim) == -signal.SIGKILL
        self._victim = None

    def run_and_die_after(self, root: Path, name: str) -> None:
        process = self.start(root)
        path = root / "dialogues" / "false-premise" / name
        while not path.exists() and process.poll() is None:
            time.sleep(0.001)
        process.kill()
        ended(process)
        assert path.exists()


def ended(process: subprocess.Popen[bytes]) -> int:
    _, said = process.communicate(timeout=100)
    assert process.returncode in (0, -signal.SIGKILL), said.decode()
    return process.returncode


def answers_in(root: Path) -> tuple[int, int]:
    """How many answers are kept, and to how many requests."""
    with closing(sqlite3.connect(root / "answers.sqlite")) as answers:
        counted = "SELECT count(*), count(DISTINCT key) FROM attempts WHERE status = 'ok'"
        found: tuple[int, int] = answers.execute(counted).fetchone()
    return found


@pytest.fixture(scope="module")
def stage(
    _pictures: Path,
    tmp_path_factory: pytest.TempPathFactory,
    holdings: Holdings,
    run: Callable[..., Any],
) -> Iterator[Stage]:
    made = Stage(_pictures, tmp_path_factory.mktemp("killed"), run)
    script = Script(models=[Model(name=name) for name in NAMES])
    with ScriptedServer(script, brain=made.brain) as server:
        made.serve(server)
        root = made.workspace("whole")
        made.run(root)
        made.whole = holdings(root / "dialogues") | {"calls": made.calls}
        yield made


def finish(stage: Stage, root: Path, holdings: Holdings) -> None:
    """Run it again; all is as if nobody had killed it, and no answer was bought twice."""
    stage.run(root)
    whole = dict(stage.whole)
    calls = whole.pop("calls")
    assert holdings(root / "dialogues") == whole
    assert answers_in(root) == (calls, calls)
    assert calls <= stage.calls <= calls + len(NAMES) * CONCURRENCY  # those in flight are lost


# the look of the author, its descriptions, its falsehoods, then looking, and looking once more
@pytest.mark.heavy
@pytest.mark.parametrize("share", [0.0, 0.04, 0.08, 0.5, 0.97])
def test_killed_at_a_call(stage: Stage, holdings: Holdings, share: float) -> None:
    root = stage.workspace(f"call-{share}")
    stage.run_and_die_at(root, int(share * stage.whole["calls"]))
    finish(stage, root, holdings)


@pytest.mark.heavy
@pytest.mark.parametrize("step", ["described", "falsified", "seen", "drafts"])
def test_killed_when_a_step_is_done(stage: Stage, holdings: Holdings, step: str) -> None:
    root = stage.workspace(f"after-{step}")
    stage.run_and_die_after(root, f"{step}/manifest.json")
    finish(stage, root, holdings)
