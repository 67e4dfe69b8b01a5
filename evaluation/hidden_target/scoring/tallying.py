"""What hidden-target runs come to, episode by episode, as ``run-benchmark score`` takes it."""

from collections import Counter
from collections.abc import Sequence

from benchwright.records import Trajectory
from evaluation.hidden_target.metrics.score import score_of
from evaluation.hidden_target.metrics.table import lines_of
from evaluation.hidden_target.scoring.opened import PlayedOf, foreign, kept
from evaluation.hidden_target.scoring.played import Played
from evaluation.scoring.figures import Key
from evaluation.scoring.parse_route import parse_route
from evaluation.scoring.protocol import Compared, Identity, Item, Scoring, Tally

_SHARES = (
    "overall",
    "verified",
    "random_guess",
    "contradicted",
    "incorrect",
    "skip_rate",
    "premature",
)
_COMPARED = (
    *(Compared(key=Key(name)) for name in _SHARES),
    Compared(key=Key("turns"), is_share=False),
)


def tally_of(run: PlayedOf) -> Tally:
    """Return what the episodes of a run come to."""
    played, score = run.played, score_of(run.played, run.galleries)
    finished = played.finished
    return Tally(
        identity=_identity(played),
        planned=played.planned,
        failed=len(played.trajectories) - len(finished),
        items={
            name: Item(picture=score.targets[name], amounts=amounts)
            for name, amounts in score.amounts.items()
        },
        builds=[build for one in finished for build in one.builds],
        parse_route=route_of(finished),
        lines=lambda figures: lines_of(played, score, figures),
        compared=_COMPARED,
        facts={"conflicts": score.conflicts, "differing": score.differing},
        refused=played.refused,
    )


def route_of(episodes: Sequence[Trajectory]) -> str:
    """Return how replies were read and questions mapped."""
    turns = [turn for played in episodes for turn in played.turns]
    return parse_route(
        {
            "read": Counter(turn.read_by for turn in turns),
            "mapped": Counter(turn.mapped_by for turn in turns if turn.question is not None),
            "guess": Counter(played.guessed_by for played in episodes if played.guessed_by),
        }
    )


def _identity(played: Played) -> Identity:
    named = {"oracle": played.oracle, "verifier": played.verifier, "detector": played.detector}
    return Identity(
        name=played.name,
        player=played.player,
        prompt=played.prompt,
        parts={part: name for part, name in named.items() if name},
        settings=played.settings,
        seed=played.seed,
    )


SCORING = Scoring(
    noun="episode",
    page="docs/scoring.md",
    reads=("vocabulary", "labels"),
    conditions={
        "detector": "--detector",
        "oracle": "--oracle",
        "verifier": "--verifier",
        "rules": "rules",
        "noise": "noise",
        "seed": "--seed",
    },
    tally=lambda run: tally_of(kept(run)),
    tally_of_file=lambda run: tally_of(foreign(run)),
)
