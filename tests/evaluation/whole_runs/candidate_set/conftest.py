"""Whole runs of candidate sets by the console command, over scripted models."""

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import CandidateSet
from benchwright.workspace import Workspace
from evaluation.releases.records import read_records
from evaluation.releases.release import open_release
from stand_ins.grounding.models import MANNERS, onlookers_behind
from stand_ins.grounding.scenes import store_scenes
from stand_ins.models import Fault, ScriptedServer

SIZE = (24, 32)  # of all pictures
DIALOGUES = 6
_PICTURES = {"min_side": 1}  # they are that small


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory, _small: Path) -> Path:
    """The folder of a release with six dialogues of three turns; not to be changed."""
    root = tmp_path_factory.mktemp("scenes") / "workspace"
    return store_scenes(Workspace(Path(shutil.copytree(_small, root))), DIALOGUES)


@pytest.fixture(scope="session")
def samples(scenes: Path) -> list[CandidateSet]:
    return read_records(open_release(str(scenes)), "candidate-set", CandidateSet)


@pytest.fixture(scope="session")
def serve(samples: list[CandidateSet]) -> Callable[..., ScriptedServer]:
    """Return a server of the scripted models, which does not run yet."""
    sizes = {sample.image_id: SIZE for sample in samples}

    def served(faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
        return onlookers_behind(samples, sizes, faults=faults, **model)

    return served


Arguments = Callable[..., list[str]]


@pytest.fixture(scope="session")
def arguments(scenes: Path, arguments_by_file: Arguments) -> Arguments:
    """Return the arguments of run-benchmark that play the release with a model."""
    return partial(arguments_by_file, scenes, "candidate-set", MANNERS, pictures=_PICTURES)


@pytest.fixture(scope="session")
def play_in(playing: Callable[..., Any], arguments: Arguments) -> Callable[..., Any]:
    """Play the release by the command in a workspace, however it ends."""

    def played(workspace: Path, server: Any, model: str, *options: str, **settings: Any) -> Any:
        said = arguments(server, model, workspace, *options, **settings)
        return playing(said, server, code=None)

    return played


@pytest.fixture(scope="session")
def calm(once: Callable[..., Any], play_in: Any, serve: Any) -> Any:
    """A run of a model, played once for all tests."""
    return once(play_in, serve)
