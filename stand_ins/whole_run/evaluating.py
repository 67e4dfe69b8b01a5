"""Runs of scripted models on the releases as they stand on the Hub, scores, leaderboards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.records import CandidateSet, FalsePremise
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from evaluation.question_chain.chains import read_chains
from evaluation.releases.records import read_records
from evaluation.releases.release import Release, open_release
from stand_ins.answerers import Answerers, answerers_behind
from stand_ins.chain_players import chain_players_behind
from stand_ins.grounding.models import onlookers_behind
from stand_ins.models import ScriptedServer
from stand_ins.players import players_behind, table_of
from stand_ins.whole_run.making import Answered
from stand_ins.whole_run.places import PLAYED_TAU, Amounts, Places
from stand_ins.whole_run.publishing import VERSION, repo
from stand_ins.whole_run.steps import Steps
from stand_ins.whole_run.voters import playing


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A config of a release with those who play it: models, and ``judges`` that read answers."""

    release: str
    config: str
    players: tuple[str, ...]
    serve: Callable[[Release, Workspace], ScriptedServer]
    judges: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()

    def run(self, player: str) -> str:
        """Return the name of a run."""
        return f"{self.config}-{player}"


def _of_premises(release: Release, _: Workspace) -> ScriptedServer:
    return answerers_behind(Answerers(read_records(release, "false-premise", FalsePremise)))


def _of_sets(release: Release, workspace: Workspace) -> ScriptedServer:
    sizes = {
        item.image_id: (item.width or 0, item.height or 0) for item in iterate_items(workspace)
    }
    samples = read_records(release, "candidate-set", CandidateSet)
    return onlookers_behind(samples, sizes)


BENCHMARKS = (
    Benchmark(
        release="dresses",
        config=f"hidden-target-tau-{PLAYED_TAU}",
        players=("reference", "hasty"),
        serve=lambda release, _: players_behind(table_of(release)),
        baselines=("greedy",),
    ),
    Benchmark(
        release="scenes",
        config="false-premise",
        players=("correcting", "weary"),
        serve=_of_premises,
        judges=("keen", "careless"),
    ),
    Benchmark(
        release="scenes",
        config="question-chain",
        players=("knower", "first"),
        serve=lambda release, _: chain_players_behind(read_chains(release)),
    ),
    Benchmark(
        release="spoken",
        config="candidate-set",
        players=("thousandths", "all-of-category"),
        serve=_of_sets,
    ),
)


def evaluate(steps: Steps, places: Places, amounts: Amounts, answered: Answered) -> list[Path]:
    """Run and score everybody on everything; return the folders of the runs."""
    folders: list[Path] = []
    for one in BENCHMARKS:
        workspace = places.released()[one.release]
        folder = workspace.releases / one.release / VERSION
        server = one.serve(open_release(str(folder)), workspace)
        file = places.out / "players.yaml"
        with playing(server, (*one.players, *one.judges), file):
            for player in one.players:
                _run(steps, one, player, ("--voters", file, "--only", player), workspace, amounts)
            answered["played"] = answered.get("played", 0) + server.counts.chats
        for player in one.baselines:
            _run(steps, one, player, ("--player", player), workspace, amounts)
        for player in (*one.players, *one.baselines):
            steps.do("run-benchmark", "score", one.run(player), "--workspace", workspace.root)
            folders.append(workspace.runs / one.run(player))
    steps.do("run-benchmark", "report", *folders, "--out", places.out / "leaderboard")
    return folders


def _run(
    steps: Steps,
    one: Benchmark,
    player: str,
    who: Sequence[str | Path],
    workspace: Workspace,
    amounts: Amounts,
) -> None:
    judges = ("--detectors", ",".join(one.judges)) if one.judges else ()
    few = ("--episodes", amounts.episodes) if one.config.startswith("hidden-target") else ()
    release = f"{repo(one.release)}@v{VERSION}"
    named = ("--run", one.run(player), "--workspace", workspace.root)
    steps.do("run-benchmark", release, "--config", one.config, *who, *judges, *few, *named)
