"""Whole runs of false premises by the console command over scripted answerers and detectors."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from evaluation.releases.records import read_records
from evaluation.releases.release import open_release
from stand_ins.answerers import ANSWERERS, DETECTORS, Answerers, answerers_behind
from stand_ins.models import Fault, ScriptedServer
from stand_ins.models.counts import Counts


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
    def base_url(self) -> str:
        return self.server.base_url

    @property
    def counts(self) -> Counts:
        """What the server remembers."""
        return self.server.counts

    @property
    def chats(self) -> int:
        """How many calls there were."""
        return self.counts.chats

    def asked_again(self) -> int:
        """How many requests came once too often."""
        return sum(count - 1 for count in self.counts.requests.values())


@pytest.fixture(scope="session")
def serve(dialogues: list[FalsePremise]) -> Callable[..., Any]:
    """Serve the scripted answerers and detectors."""

    @contextmanager
    def served(faults: Sequence[Fault] = (), **model: Any) -> Iterator[Served]:
        brain = Answerers(dialogues)
        with answerers_behind(brain, faults=faults, **model) as server:
            yield Served(server, brain)

    return served


Arguments = Callable[..., list[str]]


@pytest.fixture(scope="session")
def arguments(release: Path, arguments_by_file: Arguments) -> Arguments:
    """Return the arguments of run-benchmark that play the release with a model."""
    return partial(arguments_by_file, release, "false-premise", (*ANSWERERS, *DETECTORS))


@pytest.fixture(scope="session")
def play_in(playing: Callable[..., Any], arguments: Arguments) -> Callable[..., Any]:
    """Play the release by the command in a workspace; it ends with ``code``."""

    def played(
        workspace: Path, served: Served, model: str, *options: str, code: int = 0, **settings: Any
    ) -> Any:
        said = arguments(served, model, workspace, *options, **settings)
        return playing(said, served, code=code)

    return played


@pytest.fixture(scope="session")
def calm(once: Callable[..., Any], play_in: Any, serve: Any) -> Any:
    """A run of a model, played once for all tests."""
    return once(play_in, serve)
