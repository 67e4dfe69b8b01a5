"""Whole runs by the console commands over scripted players."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
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
_SHARDS = "*-[0-9]*.parquet"  # the rows of a run, whatever their kind


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


Serve = Callable[..., ScriptedServer]


@pytest.fixture(scope="session")
def serve(table: Table) -> Serve:
    """Return a server of the scripted players, which does not run yet."""

    def served(faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
        return players_behind(table, faults=faults, **model)

    return served


@pytest.fixture
def behind(serve: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Start a server of the scripted models of a kind that runs until the test ends."""
    with ExitStack() as stack:
        yield lambda *faults, **model: stack.enter_context(serve(*faults, **model))


@dataclass(frozen=True, kw_only=True)
class Played:
    """A run that was played: its exit code, what was printed, its rows, the rows of its score.

    ``calls`` are those that the server got up to its end.
    """

    code: int
    said: str
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

    def labels(self, detector: str) -> dict[tuple[str, int], str | None]:
        """Return the labels of a detector by dialogue and turn."""
        return {
            (row["dialogue_id"], row["turn"]): label["label"]
            for row in self.rows
            for label in row["detectors"]
            if label["name"] == detector
        }

    def contents(self) -> dict[str, bytes]:
        """Return the files of the run; its manifest holds the seconds that it took."""
        return {
            path.name: path.read_bytes()
            for path in self.folder.iterdir()
            if path.is_file() and path.name != "manifest.json" and not path.name.startswith(".")
        }


@pytest.fixture(scope="session")
def playing(run: Callable[..., Any]) -> Callable[..., Played]:
    """Play by the command, which ends with ``code``, and score the run where a release is given."""

    def played(
        said: Sequence[str], server: Any, *, code: int | None = 0, release: Path | None = None
    ) -> Played:
        ran = run("run-benchmark", *said)
        assert code in (None, ran.code), ran.out + ran.err
        named = dict(pairwise(said))
        folder = Path(named["--workspace"], "runs", named["--run"])
        printed = ran.out + ran.err
        if release is not None:
            where = ("--release", release, "--workspace", named["--workspace"])
            scored = run("run-benchmark", "score", folder.name, *where)
            assert scored.code == 0, scored.err
            printed += scored.out
        return Played(
            code=ran.code,
            said=printed,
            calls=server.counts.chats,
            folder=folder,
            rows=[row for path in sorted(folder.glob(_SHARDS)) for row in rows_of(path)],
            scores=[] if release is None else rows_of(folder / "scores.parquet"),
        )

    return played


def rows_of(path: Path) -> list[Mapping[str, Any]]:
    """Return the rows of a file."""
    found: list[Mapping[str, Any]] = pq.read_table(path).to_pylist()
    return found


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Make of ``play_in`` and ``serve`` what plays a run over a calm server, the first time alone.

    Such a run is there for all tests: who changes its folder plays one of its own.
    """

    def of(play_in: Callable[..., Played], serve: Callable[..., Any]) -> Any:
        @cache
        def played(player: str, *options: str) -> Played:
            with serve() as server:
                workspace = tmp_path_factory.mktemp("calm") / "workspace"
                return play_in(workspace, server, player, *options)

        return played

    return of


@pytest.fixture
def play(play_in: Callable[..., Played], tmp_path: Path) -> Callable[..., Played]:
    """Play the release of a kind by the command, in a workspace that is called ``place``."""

    def played(
        server: Any, player: str, *options: str, place: str = "workspace", **more: Any
    ) -> Played:
        return play_in(tmp_path / place, server, player, *options, **more)

    return played


@pytest.fixture
def copied(calm: Callable[..., Played], tmp_path: Path) -> Callable[..., Played]:
    """A copy of a calm run, in a workspace that a test may change."""

    def of(player: str, *options: str, place: str = "workspace") -> Played:
        played = calm(player, *options)
        root = Path(shutil.copytree(played.folder.parents[1], tmp_path / place))
        return replace(played, folder=root / "runs" / played.folder.name)

    return of


@pytest.fixture(scope="session")
def asked_again() -> Callable[[Any], int]:
    """Return how many requests came to a server once too often."""
    return lambda server: sum(count - 1 for count in server.counts.requests.values())


@pytest.fixture(scope="session")
def arguments_by_file() -> Callable[..., list[str]]:
    """Return the arguments of run-benchmark that play a release with a voter of a file.

    ``settings`` are of all ``voters``.
    """

    def of(
        release: Path,
        config: str,
        voters: Sequence[str],
        server: Any,
        player: str,
        workspace: Path,
        *options: str,
        **settings: Any,
    ) -> list[str]:
        said = [
            {"name": name, "model": name, "base_url": server.base_url, **_SETTINGS, **settings}
            for name in voters
        ]
        path = workspace.parent / "voters.json"  # which is YAML, too
        path.write_text(json.dumps({"voters": said}), "utf-8")
        return [
            *(str(release), "--config", config, "--voters", str(path), "--only", player),
            *("--run", "tried", "--workspace", str(workspace), *options),
        ]

    return of


Arguments = Callable[..., list[str]]


@pytest.fixture(scope="session")
def arguments(dresses_folder: Path, arguments_by_file: Arguments) -> Arguments:
    """Return the arguments of run-benchmark that play the release with a player."""
    return partial(arguments_by_file, dresses_folder, CONFIG, (*PLAYERS, *JUDGES))


@pytest.fixture(scope="session")
def play_in(
    playing: Callable[..., Played], arguments: Arguments, dresses_folder: Path
) -> Callable[..., Played]:
    """Play the release by the command in a workspace, and score it."""

    def played(workspace: Path, server: Any, player: str, *options: str, **settings: Any) -> Played:
        said = arguments(server, player, workspace, *options, **settings)
        return playing(said, server, release=dresses_folder)

    return played


@pytest.fixture(scope="session")
def calm(once: Callable[..., Any], play_in: Any, serve: Serve) -> Callable[..., Played]:
    """A run of a player, played once for all tests."""
    found: Callable[..., Played] = once(play_in, serve)
    return found
