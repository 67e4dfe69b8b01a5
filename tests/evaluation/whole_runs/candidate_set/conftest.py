"""Whole runs of candidate sets by the console command, over scripted models."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.records import CandidateSet
from benchwright.workspace import Workspace
from evaluation.candidate_set.samples import read_samples
from evaluation.releases.release import open_release
from stand_ins.grounding.models import MANNERS, onlookers_behind
from stand_ins.grounding.scenes import store_scenes
from stand_ins.models import Fault, ScriptedServer

SIZE = (24, 32)  # of all pictures
DIALOGUES = 6
_VOTER = {"patience": 15, "pictures": {"min_side": 1}}


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory, _small: Path) -> Path:
    """The folder of a release with six dialogues of three turns; not to be changed."""
    root = tmp_path_factory.mktemp("scenes") / "workspace"
    return store_scenes(Workspace(Path(shutil.copytree(_small, root))), DIALOGUES)


@pytest.fixture(scope="session")
def samples(scenes: Path) -> list[CandidateSet]:
    return read_samples(open_release(str(scenes)))


Behind = Callable[..., ScriptedServer]


@pytest.fixture
def behind(samples: list[CandidateSet]) -> Iterator[Behind]:
    """Start a server of the scripted models that runs until the test ends."""
    sizes = {sample.image_id: SIZE for sample in samples}
    with ExitStack() as stack:

        def started(faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
            return stack.enter_context(onlookers_behind(samples, sizes, faults=faults, **model))

        yield started


@dataclass(frozen=True)
class Played:
    """A run that was played: its exit code, what was printed, its folder and rows."""

    code: int
    said: str
    folder: Path
    rows: list[Mapping[str, Any]]


@pytest.fixture
def arguments(scenes: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Return the arguments of run-benchmark that play the release with a model."""

    def of(server: Any, model: str, workspace: Path, *options: str, **settings: Any) -> list[str]:
        voters = [
            {"name": name, "model": name, "base_url": server.base_url, **_VOTER, **settings}
            for name in MANNERS
        ]
        path = tmp_path / "voters.json"  # which is YAML, too
        path.write_text(json.dumps({"voters": voters}), "utf-8")
        return [
            *(str(scenes), "--config", "candidate-set", "--voters", str(path), "--only", model),
            *("--run", "tried", "--workspace", str(workspace), *options),
        ]

    return of


@pytest.fixture
def play(
    run: Callable[..., Any], arguments: Callable[..., list[str]], tmp_path: Path
) -> Callable[..., Played]:
    """Play the release by the command."""

    def played(
        server: Any, model: str, *options: str, place: str = "workspace", **settings: Any
    ) -> Played:
        workspace = tmp_path / place
        ran = run("run-benchmark", *arguments(server, model, workspace, *options, **settings))
        folder = workspace / "runs" / "tried"
        rows = [
            row
            for path in sorted(folder.glob("groundings-*.parquet"))
            for row in pq.read_table(path).to_pylist()
        ]
        return Played(code=ran.code, said=ran.out + ran.err, folder=folder, rows=rows)

    return played
