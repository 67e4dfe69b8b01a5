"""Calibration: how good each voter is at each value, and the weights that follow from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright import files
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.attributes.decide import Votes, decision_of, read_votes
from labeling.attributes.deciding.calibration import WIDEST, Calibration, Known, calibrate
from labeling.attributes.deciding.codes import UNSURE, YES
from labeling.attributes.deciding.ranking import Bin, Ranked, rank, reliability
from labeling.attributes.deciding.rule import Rule, Share
from labeling.attributes.known import FROM_CATALOG, known_by_catalog, known_by_file
from labeling.attributes.reliability_plot import reliability_png
from labeling.attributes.weights_file import WeightsFile, save_weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """What a calibration found; ``margins`` and ``p_yes`` are the bins of the plot."""

    votes: Votes
    known: Known
    found: Calibration
    voters: Sequence[Ranked]
    templates: Sequence[Ranked]
    views: Sequence[Ranked]
    margins: Sequence[Bin]
    p_yes: Sequence[Bin]
    weights: Path
    plot: Path


def calibrate_voters(workspace: Workspace, known: str, *, widest: float = WIDEST) -> Calibrated:
    """Write labels/weights.json and labels/reliability.png from labels that are known.

    ``known`` is a file of labels, or ``catalog`` for what the catalog states. ``widest`` is the
    widest interval of a share that is enough to judge a voter by.

    Raises WorkspaceError without votes, UsageError where nothing is known of what was voted on.
    """
    votes = read_votes(workspace, with_p_yes=True)
    truth = _known(workspace, votes, known)
    if not truth.usable.any():
        raise UsageError(
            f"{known}: knows nothing of the {len(votes.ballots):,} values that were voted on"
            " (of the catalog, only pictures asked in full count: full in the ensemble)"
        )
    found = calibrate(votes.ballots, truth, widest)
    weights = WeightsFile.of(votes.values, found)
    path, plot = workspace.labels / "weights.json", workspace.labels / "reliability.png"
    save_weights(path, weights)
    margins, p_yes = _margins(votes, truth), _p_yes(votes, truth)
    files.write_bytes(plot, reliability_png(margins, p_yes))
    return Calibrated(
        votes=votes,
        known=truth,
        found=found,
        voters=rank(votes.ballots, truth, "voter"),
        templates=rank(votes.ballots, truth, "template"),
        views=rank(votes.ballots, truth, "view"),
        margins=margins,
        p_yes=p_yes,
        weights=path,
        plot=plot,
    )


def _known(workspace: Workspace, votes: Votes, known: str) -> Known:
    if known != FROM_CATALOG:
        return known_by_file(votes.ballots, Path(known))
    plan = votes.manifest.plan
    full = Share.parse(str(plan.settings["full"]), "full")
    return known_by_catalog(workspace, votes.ballots, votes.vocabulary, full, plan.seed or 0)


def _margins(votes: Votes, known: Known) -> list[Bin]:
    """Return how often labels by majority are right, by their margin."""
    decision, _ = decision_of(votes, "majority", Rule(), None)
    cells = known.usable & (decision.answer != UNSURE)
    return reliability(
        decision.margin[cells],
        decision.answer[cells] == known.truth[cells],
        known.weights[cells],
        most=0.5,
    )


def _p_yes(votes: Votes, known: Known) -> list[Bin]:
    """Return how often the truth is yes, by the probability that voters gave it."""
    if votes.ballots.p_yes is None:
        return []
    said = votes.ballots.p_yes[:, known.usable]
    truth = np.broadcast_to(known.truth[known.usable] == YES, said.shape)
    weights = np.broadcast_to(known.weights[known.usable], said.shape)
    given = ~np.isnan(said)
    return reliability(said[given], truth[given], weights[given])
