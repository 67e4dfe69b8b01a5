"""kill -9 in the middle of a run: what was answered is not lost, and not bought again.

The console script runs as a process of its own and asks a real server. It dies at one of its calls,
before that is answered; the same command then goes on.
"""

import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluation.releases.release import open_release
from stand_ins.models import Question, ScriptedServer, Turn
from stand_ins.players import Players, script_of, table_of

SCRIPT = Path(sys.executable).parent / "run-benchmark"
CONCURRENCY = 8  # what a model has that is named alone

Holdings = Callable[[Path], dict[str, Any]]


class Deadly:
    """Players behind a server that kills who asks it at the call of a number."""

    def __init__(self, release: Path, folder: Path, run: Callable[..., Any]) -> None:
        self.release, self.folder, self._run = release, folder, run
        self._players = Players(table_of(open_release(str(release))))
        self._one_at_a_time = threading.Lock()
        self._victim: subprocess.Popen[bytes] | None = None
        self._at = -1
        self.calls = 0
        self.base_url = ""
        self.whole: dict[str, Any] = {}
        self.whole_calls = 0

    def __call__(self, question: Question) -> Turn:
        with self._one_at_a_time:
            if self.calls == self._at and self._victim is not None:
                self._victim.kill()
            self.calls += 1
        return self._players(question)

    def arguments(self, root: Path) -> list[str | Path]:
        at: list[str | Path] = ["--base-url", self.base_url, "--workspace", root]
        return [self.release, "--model", "reference", *at]

    def run(self, root: Path) -> int:
        """Run it to its end, in this process; return how many calls that took."""
        before = self.calls
        ran = self._run("run-benchmark", *self.arguments(root))
        assert ran.code == 0, ran.err
        return self.calls - before

    def run_and_die_at(self, root: Path, call: int) -> None:
        self.calls, self._at = 0, call
        self._victim = subprocess.Popen(
            [SCRIPT, *self.arguments(root)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert ended(self._victim) == -signal.SIGKILL
        self._victim = None


def ended(process: subprocess.Popen[bytes]) -> int:
    _, said = process.communicate(timeout=100)
    assert process.returncode in (0, -signal.SIGKILL), said.decode()
    return process.returncode


@pytest.fixture(scope="module")
def deadly(
    dresses_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    holdings: Holdings,
    run: Callable[..., Any],
) -> Iterator[Deadly]:
    made = Deadly(dresses_folder, tmp_path_factory.mktemp("killed"), run)
    with ScriptedServer(script_of(), brain=made) as server:
        made.base_url = server.base_url
        root = made.folder / "whole"
        made.whole_calls = made.run(root)
        made.whole = holdings(root / "runs")
        yield made


# the look whether it sees, the first pictures, the middle, and when most is played
@pytest.mark.heavy
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99])
def test_killed_at_a_call(deadly: Deadly, holdings: Holdings, share: float) -> None:
    root = deadly.folder / f"call-{share}"
    deadly.run_and_die_at(root, int(share * deadly.whole_calls))
    assert not list(root.glob("runs/*/manifest.json"))
    deadly.run(root)
    assert holdings(root / "runs") == deadly.whole
    # those in flight are lost
    assert deadly.whole_calls <= deadly.calls <= deadly.whole_calls + CONCURRENCY


@pytest.mark.heavy
def test_killed_when_it_is_done(deadly: Deadly, holdings: Holdings) -> None:
    root = deadly.folder / "done"
    shutil.copytree(deadly.folder / "whole", root)
    assert deadly.run(root) == 0
    assert holdings(root / "runs") == deadly.whole
