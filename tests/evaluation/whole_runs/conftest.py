"""Whole runs by the console commands over scripted players."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from evaluation.releases.galleries import Gallery, read_galleries, read_terms
from evaluation.releases.release import Release, open_release
from stand_ins.models import Fault, ScriptedServer
from stand_ins.players import JUDGES, PLAYERS, Table, players_behind, table_of

CONFIG = "hidden-target-tau-0.6"
_SETTINGS = {"patience": 15}  # a server whose brain fails would be waited for


@pytest.fixture(scope="session")
def killed_at() -> Callable[..., None]:
    """Start run-benchmark and kill it when its server had so many chats, once for each number."""

    def kill(chats: Callable[[], int], arguments: Sequence[str], *counts: int) -> None:
        command = [sys.executable, "-c", "from evaluation.cli import main; main()", *arguments]
        for calls in counts:
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            ) as process:
                while chats() < calls:
                    assert process.poll() is None, process.communicate()
                    time.sleep(0.01)
                os.kill(process.pid, signal.SIGKILL)

    return kill


@pytest.fixture(scope="session")
def dresses_opened(dresses_folder: Path) -> Release:
    return open_release(str(dresses_folder))


@pytest.fixture(scope="session")
def galleries(dresses_opened: Release) -> list[Gallery]:
    """The galleries of the release, in its order."""
    return read_galleries(dresses_opened, CONFIG, read_terms(dresses_opened))


@pytest.fixture(scope="session")
def table(dresses_opened: Release) -> Table:
    """What scripted players know of the release."""
    return table_of(dresses_opened)


Behind = Callable[..., ScriptedServer]


@pytest.fixture
def behind(table: Table) -> Iterator[Behind]:
    """Start a server of the scripted players that runs until the test ends."""
    with ExitStack() as stack:

        def started(faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
            return stack.enter_context(players_behind(table, faults=faults, **model))

        yield started


@dataclass(frozen=True)
class Played:
    """A run that was played and scored: its rows, the rows of its score, and what was asked.

    ``calls`` are those that the server got up to its end.
    """

    calls: int
    folder: Path
    rows: list[Mapping[str, Any]]
    scores: list[Mapping[str, Any]]

    def score(self, metric: str, by: str = "all", of: str = "all") -> Any:
        """Return the value of one figure."""
        (found,) = (
            row["value"]
            for row in self.scores
            if (row["metric"], row["by"], row["of"]) == (metric, by, of)
        )
        return found


Play = Callable[..., Played]


@pytest.fixture
def arguments(dresses_folder: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Return the arguments of run-benchmark that play the release with a player.

    ``settings`` are of all voters.
    """

    def of(server: Any, player: str, workspace: Path, *options: str, **settings: Any) -> list[str]:
        voters = [
            {"name": name, "model": name, "base_url": server.base_url, **_SETTINGS, **settings}
            for name in (*PLAYERS, *JUDGES)
        ]
        path = tmp_path / "voters.json"  # which is YAML, too
        path.write_text(json.dumps({"voters": voters}), "utf-8")
        return [
            *(str(dresses_folder), "--config", CONFIG, "--voters", str(path), "--only", player),
            *("--run", "tried", "--workspace", str(workspace), *options),
        ]

    return of


@pytest.fixture
def play(
    run: Callable[..., Any],
    arguments: Callable[..., list[str]],
    dresses_folder: Path,
    tmp_path: Path,
) -> Play:
    """Play the release by the command and score it."""

    def played(
        server: Any, player: str, *options: str, place: str = "workspace", **settings: Any
    ) -> Played:
        workspace = tmp_path / place
        ran = run("run-benchmark", *arguments(server, player, workspace, *options, **settings))
        assert ran.code == 0, ran.err
        scored = run(
            *("run-benchmark", "score", "tried", "--release", dresses_folder),
            *("--workspace", workspace),
        )
        assert scored.code == 0, scored.err
        folder = workspace / "runs" / "tried"
        return Played(
            calls=server.counts.chats,
            folder=folder,
            rows=rows_of(folder),
            scores=pq.read_table(folder / "scores.parquet").to_pylist(),
        )

    return played


def rows_of(folder: Path) -> list[Mapping[str, Any]]:
    """Return the trajectories of a run."""
    found: list[Mapping[str, Any]] = []
    for path in sorted(folder.glob("trajectories-*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found
