"""Episodes as steps: four pictures that hem and neck tell apart, and a release with its runs."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import Step, Trajectory
from benchwright.workspace import Workspace
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.trajectories.rewards import RewardSettings
from evaluation.hidden_target.trajectories.steps import Setting, steps_of
from evaluation.hidden_target.wording import question_texts

StepsOf = Callable[..., list[Step]]


@pytest.fixture
def steps(plain_game: Game, make_terms: Callable[..., Any]) -> StepsOf:
    """Make the steps of an episode of the plain game."""
    terms = make_terms(plain_game.gallery.values)
    setting = Setting(
        release="things/1.0.0",
        terms=terms,
        rules=plain_game.rules,
        texts=question_texts(terms, plain_game.rules.noun),
        rewards=RewardSettings(),
    )

    def made(played: Trajectory, *, is_by_labels: bool = True) -> list[Step]:
        episode = replayed(plain_game.gallery, played, is_by_labels=is_by_labels)
        return list(steps_of(episode, setting))

    return made


@pytest.fixture(scope="session")
def _ran(
    dresses_release: Workspace, tmp_path_factory: pytest.TempPathFactory, run: Callable[..., Any]
) -> Path:
    root = tmp_path_factory.mktemp("ran") / "workspace"
    release = root / "releases" / "dresses" / "1.0.0"
    shutil.copytree(dresses_release.releases / "dresses" / "1.0.0", release)
    noisy = ("--player", "random", "--flip", "0.4", "--run", "noisy")
    for said in (("--player", "greedy", "--run", "greedy"), noisy):
        ran = run("run-benchmark", release, *said, "--workspace", root)
        assert ran.code == 0, ran.err
    return root


@pytest.fixture
def ran(_ran: Path, tmp_path: Path) -> Workspace:
    """A workspace with the release and the runs ``greedy`` and ``noisy``, which meets noise."""
    return Workspace(Path(shutil.copytree(_ran, tmp_path / "ran")))
