"""Whole runs of question chains by the console command over scripted models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.records import QuestionChain
from stand_ins.chain_players import chain_players_behind
from stand_ins.chain_release import five_chains, write_chain_release
from stand_ins.models import Fault, ScriptedServer

Behind = Callable[..., ScriptedServer]


@pytest.fixture(scope="session")
def five() -> Mapping[str, QuestionChain]:
    """The chains of the release by their ids."""
    return {chain.chain_id: chain for chain in five_chains()}


@pytest.fixture(scope="session")
def chains_folder(
    tmp_path_factory: pytest.TempPathFactory, five: Mapping[str, QuestionChain]
) -> Path:
    """The folder of a release of five chains."""
    root = tmp_path_factory.mktemp("chains")
    return write_chain_release(root / "chains" / "1.0.0", list(five.values()))


@pytest.fixture
def behind(five: Mapping[str, QuestionChain]) -> Iterator[Behind]:
    """Start a server of the scripted models that runs until the test ends."""
    with ExitStack() as stack:

        def started(faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
            server = chain_players_behind(list(five.values()), faults=faults, **model)
            return stack.enter_context(server)

        yield started


@dataclass(frozen=True)
class Played:
    """A run that was played and scored: what was printed, its rows, the rows of its score."""

    said: str
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


@pytest.fixture
def arguments(chains_folder: Path) -> Callable[..., list[str]]:
    """Return the arguments of run-benchmark with which a model goes through the chains."""

    def of(server: Any, player: str, workspace: Path, *options: str) -> list[str]:
        return [
            *(str(chains_folder), "--config", "question-chain"),
            *("--model", player, "--base-url", server.base_url),
            *("--workspace", str(workspace), "--run", "tried", *options),
        ]

    return of


@pytest.fixture
def score(run: Callable[..., Any], chains_folder: Path) -> Callable[..., Any]:
    """Score a run of a workspace by the command."""

    def scored(workspace: Path, *options: str, name: str = "tried") -> Any:
        return run(
            *("run-benchmark", "score", name, "--release", chains_folder),
            *("--workspace", workspace, *options),
        )

    return scored


@pytest.fixture
def play(
    run: Callable[..., Any],
    arguments: Callable[..., list[str]],
    score: Callable[..., Any],
    tmp_path: Path,
) -> Callable[..., Played]:
    """Play the chains by the command and score them."""

    def played(server: Any, player: str, *options: str, place: str = "workspace") -> Played:
        workspace = tmp_path / place
        ran = run("run-benchmark", *arguments(server, player, workspace, *options))
        assert ran.code == 0, ran.err
        folder = Path(next(line for line in ran.out.splitlines() if "it lies in" in line)[11:])
        scored = score(workspace, name=folder.name)
        assert scored.code == 0, scored.err
        return Played(
            said=ran.out + ran.err + scored.out,
            folder=folder,
            rows=rows_of(folder),
            scores=pq.read_table(folder / "scores.parquet").to_pylist(),
        )

    return played


def rows_of(folder: Path) -> list[Mapping[str, Any]]:
    """Return the answers of a run."""
    found: list[Mapping[str, Any]] = []
    for path in sorted(folder.glob("answers-*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found
