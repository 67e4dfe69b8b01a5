"""Whole runs of false premises by the console command over scripted answerers and detectors."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from evaluation.releases.records import read_records
from evaluation.releases.release import open_release
from stand_ins.answerers import ANSWERERS, DETECTORS, Answerers, answerers_behind
from stand_ins.models import Fault, ScriptedServer

_SETTINGS = {"patience": 15}  # a server whose brain fails would be waited for


@pytest.fixture(scope="session")
def release(whole_once: Workspace) -> Path:
    """The release things 1.0.0, with four dialogues."""
    return whole_once.releases / "things" / "1.0.0"


@pytest.fixture(scope="session")
def dialogues(release: Path) -> list[FalsePremise]:
    return read_records(open_release(str(release)), "false-premise", FalsePremise)


@dataclass(frozen=True)
class Served:
    """A server that runs, and its brain, which knows what it was asked."""

    server: ScriptedServer
    brain: Answerers

    @property
    def chats(self) -> int:
        """How many calls there were."""
        return int(self.server.counts.chats)

    def asked_again(self) -> int:
        """How many requests came once too often."""
        return sum(count - 1 for count in self.server.counts.requests.values())


@pytest.fixture
def behind(dialogues: list[FalsePremise]) -> Iterator[Callable[..., Served]]:
    """Start a server of the scripted answerers that runs until the test ends."""
    with ExitStack() as stack:

        def started(faults: Sequence[Fault] = (), **model: Any) -> Served:
            brain = Answerers(dialogues)
            server = stack.enter_context(answerers_behind(brain, faults=faults, **model))
            return Served(server, brain)

        yield started


@pytest.fixture
def arguments(release: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Return the arguments of run-benchmark that play the release; settings are of all voters."""

    def of(
        served: Served, model: str, workspace: Path, *options: str, **settings: Any
    ) -> list[str]:
        voters = [
            {
                "name": name,
                "model": name,
                "base_url": served.server.base_url,
                **_SETTINGS,
                **settings,
            }
            for name in (*ANSWERERS, *DETECTORS)
        ]
        path = tmp_path / "voters.json"  # which is YAML, too
        path.write_text(json.dumps({"voters": voters}), "utf-8")
        return [
            *(str(release), "--config", "false-premise", "--voters", str(path), "--only", model),
            *("--run", "tried", "--workspace", str(workspace), *options),
        ]

    return of


@dataclass(frozen=True)
class Played:
    """A run that was played: what was printed, where it lies, and its rows."""

    said: str
    folder: Path
    rows: list[Mapping[str, Any]]

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


Play = Callable[..., Played]


@pytest.fixture
def play(
    run: Callable[..., Any], arguments: Callable[..., list[str]], tmp_path: Path
) -> Callable[..., Played]:
    """Play the release by the command; it ends with ``code``."""

    def played(
        served: Served,
        model: str,
        *options: str,
        place: str = "workspace",
        code: int = 0,
        **settings: Any,
    ) -> Played:
        workspace = tmp_path / place
        ran = run("run-benchmark", *arguments(served, model, workspace, *options, **settings))
        assert ran.code == code, ran.out + ran.err
        folder = workspace / "runs" / "tried"
        return Played(ran.out + ran.err, folder, rows_of(folder))

    return played


def rows_of(folder: Path) -> list[Mapping[str, Any]]:
    """Return the responses of a run."""
    found: list[Mapping[str, Any]] = []
    for path in sorted(folder.glob("responses-*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found
