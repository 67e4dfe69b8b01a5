"""Entries by hand, and runs of each kind that a report is made of."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import Build, CandidateSet, FalsePremise, Part, ScoreRow
from benchwright.workspace import Workspace
from evaluation.releases.records import read_records
from evaluation.releases.release import open_release
from evaluation.report.entries import Entry
from evaluation.scoring.figures import Figure, Key
from stand_ins.answerers import ANSWERERS, DETECTORS, Answerers, answerers_behind
from stand_ins.chain_players import chain_players_behind
from stand_ins.chain_release import five_chains, write_chain_release
from stand_ins.grounding.models import MANNERS, onlookers_behind
from stand_ins.grounding.scenes import store_scenes

MakeEntry = Callable[..., Entry]


def _figure(key: Key, value: Any) -> Figure:
    """Return a figure of a value, of (value, low, high), or as it is given."""
    if isinstance(value, Figure):
        return value
    if isinstance(value, tuple):
        return Figure(key=key, value=value[0], low=value[1], high=value[2], n=10)
    return Figure(key=key, value=value, low=None, high=None, n=0 if value is None else 10)


@pytest.fixture(scope="session")
def make_entry() -> MakeEntry:
    """Return a run with some figures of which nothing but the score is there."""

    def made(
        player: str = "ana",
        figures: Mapping[Key, Any] | None = None,
        *,
        run: str | None = None,
        config: str = "hidden-target-tau-0.6",
        model: str | None = "m",
        digest: str = "d1",
        release: str = "things/1.0.0",
        coverage: float = 1.0,
        parts: tuple[Part, ...] = (),
        builds: tuple[Build, ...] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Entry:
        asked = Build(part="player", voter=player, model=model, build=None, answers=1)
        about = ScoreRow(
            run=run or player,
            release=release,
            release_commit=None,
            release_digest=digest,
            config=config,
            player=player,
            model=model,
            builds=(asked,) if builds is None else builds,
            prompt=None,
            parts=parts,
            parse_route="",
            metric="m",
            by="all",
            of="all",
            value=None,
            low=None,
            high=None,
            n=0,
            coverage=coverage,
        )
        found = {key: _figure(key, value) for key, value in (figures or {}).items()}
        return Entry(about=about, figures=found, settings={} if settings is None else settings)

    return made


@pytest.fixture
def played(baselines: Path, tmp_path: Path) -> Path:
    """A workspace with runs of greedy, random and never-asking on dresses 1.0.0."""
    return Path(shutil.copytree(baselines, tmp_path / "played"))


@pytest.fixture(scope="session")
def dialogues(
    tmp_path_factory: pytest.TempPathFactory,
    whole_once: Workspace,
    _small: Path,
    run: Callable[..., Any],
) -> Path:
    """A workspace with one run or more of each kind of dialogue; not to be changed."""
    root = tmp_path_factory.mktemp("dialogues") / "workspace"
    things = root / "releases" / "things" / "1.0.0"
    shutil.copytree(whole_once.releases / "things" / "1.0.0", things)
    scenes = root / "releases" / "scenes" / "1.0.0"
    scenes_in = tmp_path_factory.mktemp("scenes") / "workspace"
    shutil.copytree(store_scenes(Workspace(Path(shutil.copytree(_small, scenes_in))), 3), scenes)
    chains = write_chain_release(root / "releases" / "chains" / "1.0.0", five_chains())

    def play(
        release: Path, server: Any, model: str, names: Any, *options: str, **more: Any
    ) -> None:
        voters = [
            {"name": name, "model": name, "base_url": server.base_url, "patience": 15, **more}
            for name in names
        ]
        path = root / "voters.json"
        path.write_text(json.dumps({"voters": voters}), "utf-8")
        ran = run(
            *("run-benchmark", release, "--voters", path, "--only", model, "--run", model),
            *("--workspace", root, *options),
        )
        assert ran.code == 0, ran.err

    brain = Answerers(read_records(open_release(str(things)), "false-premise", FalsePremise))
    with answerers_behind(brain) as server:
        for model in ("weary", "garbler"):
            options = ("--config", "false-premise", "--detectors", "keen,careless")
            play(things, server, model, (*ANSWERERS, *DETECTORS), *options)
    samples = read_records(open_release(str(scenes)), "candidate-set", CandidateSet)
    sizes = {sample.image_id: (24, 32) for sample in samples}
    with onlookers_behind(samples, sizes) as server:
        small = {"min_side": 1}
        play(scenes, server, "first-turn", MANNERS, "--config", "candidate-set", pictures=small)
    with chain_players_behind(five_chains()) as server:
        for model in ("strayer", "mistaken"):
            play(chains, server, model, (model,), "--config", "question-chain")
    return root
