"""Whole runs of question chains by the console command over scripted models."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import QuestionChain
from stand_ins.chain_players import chain_players_behind
from stand_ins.chain_release import five_chains, write_chain_release
from stand_ins.models import Fault, ScriptedServer


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


@pytest.fixture(scope="session")
def serve(five: Mapping[str, QuestionChain]) -> Callable[..., ScriptedServer]:
    """Return a server of the scripted models, which does not run yet."""

    def served(faults: Sequence[Fault] = (), **model: Any) -> ScriptedServer:
        return chain_players_behind(list(five.values()), faults=faults, **model)

    return served


@pytest.fixture(scope="session")
def arguments(chains_folder: Path) -> Callable[..., list[str]]:
    """Return the arguments of run-benchmark with which a model goes through the chains."""

    def of(server: Any, player: str, workspace: Path, *options: str) -> list[str]:
        return [
            *(str(chains_folder), "--config", "question-chain"),
            *("--model", player, "--base-url", server.base_url),
            *("--workspace", str(workspace), "--run", "tried", *options),
        ]

    return of


@pytest.fixture(scope="session")
def score(run: Callable[..., Any], chains_folder: Path) -> Callable[..., Any]:
    """Score a run of a workspace by the command."""

    def scored(workspace: Path, *options: str, name: str = "tried") -> Any:
        return run(
            *("run-benchmark", "score", name, "--release", chains_folder),
            *("--workspace", workspace, *options),
        )

    return scored


@pytest.fixture(scope="session")
def play_in(
    playing: Callable[..., Any], arguments: Callable[..., list[str]], chains_folder: Path
) -> Callable[..., Any]:
    """Go through the chains by the command in a workspace, and score it."""

    def played(workspace: Path, server: Any, player: str, *options: str) -> Any:
        said = arguments(server, player, workspace, *options)
        return playing(said, server, release=chains_folder)

    return played


@pytest.fixture(scope="session")
def calm(once: Callable[..., Any], play_in: Any, serve: Any) -> Any:
    """A run of a model, played once for all tests."""
    return once(play_in, serve)
