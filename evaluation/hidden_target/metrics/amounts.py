"""What one episode adds to each figure of a run (definitions 13 to 16; AMIGO, section 5).

docs/scoring.md says of each figure what it means.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import groupby
from typing import get_args

from benchwright.knowledge import NO, YES
from benchwright.protocols.hidden_target import OUTCOMES, Outcome
from benchwright.records import Turn
from benchwright.reference_questioner import inquiry
from evaluation.hidden_target.by_labels import answers_by_labels
from evaluation.hidden_target.feasible import eliminated_at, is_answered, is_stall
from evaluation.hidden_target.metrics.after_contradiction import (
    MOVES,
    moves_after_contradictions,
)
from evaluation.hidden_target.metrics.outcomes import (
    is_conflict,
    is_ever_hit,
    outcome_of,
)
from evaluation.hidden_target.metrics.replaying import Replayed
from evaluation.hidden_target.metrics.unread import JUDGES
from evaluation.hidden_target.parts import SkipReason
from evaluation.scoring.figures import NOTHING, Amount, Amounts, Key, one_if

ACCURACIES = ("overall", *OUTCOMES)
BANDS = {"2-9": 9, "10-19": 19, "20-39": 39, "40+": None}  # pictures of a gallery, up to
REASONS: tuple[str, ...] = (*get_args(SkipReason), "other")
_PREMATURE = ("question", "guess")
_TOLD = {YES: "yes", NO: "no"}

# which figures are also given of the parts of a run
_BY_OUTCOME = ("turns", "skip_rate")
_BY_SIZE = (*ACCURACIES, "turns", "skip_rate", "premature", "par_ratio", "par_protocol_ratio")
_BY_NOISE = (*ACCURACIES, "turns", "contradiction")


def amounts_of(episode: Replayed) -> Amounts:
    """Return what an episode adds to each figure; every episode has the same keys."""
    outcome = outcome_of(episode)
    of_all = {
        **_accuracy(episode, outcome),
        **_compliance(episode),
        **_evidence(episode),
        **_par_ratios(episode, outcome),
    }
    band = band_of(len(episode.gallery))
    hit = "hit" if is_ever_hit(episode) else "spared"
    return {
        **{Key(metric): amount for metric, amount in of_all.items()},
        **_baselines(episode),
        **_unread(episode),
        **_parts(of_all, _BY_OUTCOME, "outcome", OUTCOMES, outcome),
        **_shares("skips", "reason", REASONS, Counter(map(_reason, _skips(episode)))),
        **_shares(
            "after_contradiction", "move", MOVES, Counter(moves_after_contradictions(episode))
        ),
        **_parts(of_all, _BY_SIZE, "size", BANDS, band),
        **_parts(of_all, _BY_NOISE, "noise", ("hit", "spared"), hit),
    }


def band_of(pictures: int) -> str:
    """Return the band of gallery sizes that so many pictures are in."""
    return next(name for name, most in BANDS.items() if most is None or pictures <= most)


def _accuracy(episode: Replayed, outcome: Outcome) -> dict[str, Amount]:
    return {
        "overall": one_if(episode.is_right),
        **{name: one_if(name == outcome) for name in OUTCOMES},
        "no_guess": one_if(episode.trajectory.guess is None),
    }


def _compliance(episode: Replayed) -> dict[str, Amount]:
    said = [upload.kind for upload in episode.trajectory.uploads]
    turns, batches = len(episode.turns), len(said)
    premature = sum(kind in _PREMATURE for kind in said)
    return {
        "turns": Amount(turns, 1),
        "skip_rate": _share(len(_skips(episode)), turns),
        "premature": _share(premature, batches),
        "echo": _share(said.count("echo"), batches),
    }


def _evidence(episode: Replayed) -> dict[str, Amount]:
    pictures, turns = len(episode.gallery), episode.turns
    places = range(len(turns))
    answered = [turn for turn in turns if is_answered(turn)]
    eliminated = [len(eliminated_at(pictures, turns, at)) for at in places]
    idle = [len(list(run)) for count, run in groupby(eliminated) if count == 0]
    known = [
        (turn.truth, _TOLD[label])
        for turn in answered
        if (label := _target_label(episode, turn)) in _TOLD
    ]
    return {
        "eliminated": Amount(sum(eliminated), len(turns)),
        "stall": Amount(sum(is_stall(pictures, turns, at) for at in places), len(answered)),
        "longest_idle": Amount(max(idle, default=0), 1) if turns else NOTHING,
        "unmapped": Amount(sum(not turn.asked for turn in answered), len(answered)),
        "unsure": Amount(sum(turn.told == "unsure" for turn in answered), len(answered)),
        "contradiction": one_if(any(not turn.feasible for turn in turns)),
        "conflict": one_if(is_conflict(episode)),
        "hit": one_if(is_ever_hit(episode)),
        "oracle_agrees": Amount(sum(truth == label for truth, label in known), len(known)),
    }


def _target_label(episode: Replayed, turn: Turn) -> int:
    return int(answers_by_labels(episode.gallery, turn.asked)[episode.gallery.target - 1])


def _par_ratios(episode: Replayed, outcome: Outcome) -> dict[str, Amount]:
    asked = len(episode.turns) - len(_skips(episode))
    pars = {
        "par_ratio": episode.gallery.par,
        "par_protocol_ratio": episode.gallery.par_protocol,
    }
    return {
        metric: Amount(asked / par, 1) if par and outcome == "verified" else NOTHING
        for metric, par in pars.items()
    }


def _unread(episode: Replayed) -> dict[Key, Amount]:
    answered = [turn for turn in episode.turns if is_answered(turn)]
    return {
        Key("unread", "part", judge): Amount(
            sum(judge in turn.unread for turn in answered), len(answered)
        )
        for judge in JUDGES
    }


def _baselines(episode: Replayed) -> dict[Key, Amount]:
    chance = 1 / len(episode.gallery)
    reference = inquiry(episode.gallery.board, one_of_a_type=True)
    return {
        Key("overall", "baseline", "never_asking"): Amount(chance, 1),
        Key("overall", "baseline", "reference"): Amount(1 / reference.left, 1),
        Key("verified", "baseline", "reference"): one_if(reference.left == 1),
        Key("turns", "baseline", "reference"): Amount(len(reference.asked), 1),
    }


def _parts(
    of_all: Mapping[str, Amount],
    metrics: Collection[str],
    by: str,
    parts: Collection[str],
    of_this: str,
) -> dict[Key, Amount]:
    return {
        Key(metric, by, part): of_all[metric] if part == of_this else NOTHING
        for part in parts
        for metric in metrics
    }


def _shares(
    metric: str, by: str, parts: Collection[str], counts: Mapping[str, int]
) -> dict[Key, Amount]:
    total = sum(counts.values())
    return {Key(metric, by, part): Amount(counts[part], total) for part in parts}


def _skips(episode: Replayed) -> list[Turn]:
    return [turn for turn in episode.turns if not is_answered(turn)]


def _reason(turn: Turn) -> str:
    return turn.reason if turn.reason in REASONS else "other"


def _share(part: int, whole: int) -> Amount:
    """Return a share that is averaged over the episodes in which there is a whole."""
    return Amount(part / whole, 1) if whole else NOTHING
