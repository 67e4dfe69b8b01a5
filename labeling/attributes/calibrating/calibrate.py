"""Calibration: how good each voter is at each value, and the weights that follow from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchwright import files
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.by_decisions import FROM_DECISIONS, known_by_decisions
from labeling.attributes.calibrating.known import (
    FROM_CATALOG,
    Unmatched,
    known_by_catalog,
    known_by_file,
    read_known,
)
from labeling.attributes.calibrating.reliability_plot import reliability_png
from labeling.attributes.calibrating.weights_file import WeightsFile, save_weights
from labeling.attributes.deciding.calibration import (
    WIDEST,
    Calibration,
    Known,
    calibrate,
    unselected,
)
from labeling.attributes.deciding.codes import UNSURE, YES
from labeling.attributes.deciding.ranking import Bin, Ranked, rank, reliability
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.labels.decide import Votes, outcome_of, read_votes


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """What a calibration found; ``margins`` and ``p_yes`` are the bins of the plot.

    ``unmatched`` are known labels that are of no use, as those of nothing that was voted on.
    ``is_audited`` says that people decided what is known; ``widest`` is as it was given.
    """

    votes: Votes
    known: Known
    unmatched: Unmatched | None
    found: Calibration
    voters: Sequence[Ranked]
    templates: Sequence[Ranked]
    views: Sequence[Ranked]
    margins: Sequence[Bin]
    p_yes: Sequence[Bin]
    weights: Path
    plot: Path
    is_audited: bool
    widest: float


def calibrate_voters(workspace: Workspace, known: str, *, widest: float = WIDEST) -> Calibrated:
    """Write labels/weights.json and labels/reliability.png from labels that are known.

    ``known`` is a file of labels, ``catalog`` for what the catalog states, or ``decisions`` for
    what people decided of labels that a plan drew. ``widest`` is the widest interval of a share
    that is enough to judge a voter by.

    Raises WorkspaceError without votes, SourceError for a file that cannot be used, UsageError
    where nothing is known of what was voted on, or only of what an early stop selected.
    """
    votes = read_votes(workspace, with_p_yes=True)
    truth, unmatched = known_labels(workspace, votes, known)
    if not truth.usable.any():
        raise UsageError(f"{known}: {_nothing(votes, truth, unmatched)}")
    found = calibrate(votes.ballots, truth, widest)
    weights = WeightsFile.of(votes.values, found, votes=votes.manifest.digest())
    path, plot = workspace.weights, workspace.labels / "reliability.png"
    save_weights(path, weights)
    margins, p_yes = _margins(votes, truth), _p_yes(votes, truth)
    files.write_bytes(plot, reliability_png(margins, p_yes))
    return Calibrated(
        votes=votes,
        known=truth,
        unmatched=unmatched,
        found=found,
        voters=rank(votes.ballots, truth, "voter"),
        templates=rank(votes.ballots, truth, "template"),
        views=rank(votes.ballots, truth, "view"),
        margins=margins,
        p_yes=p_yes,
        weights=path,
        plot=plot,
        is_audited=known == FROM_DECISIONS,
        widest=widest,
    )


def known_labels(workspace: Workspace, votes: Votes, known: str) -> tuple[Known, Unmatched | None]:
    """Return what is known of the cells that were voted on; ``known`` as ``calibrate_voters``.

    Only cells count that no early stop selected. Rows of a file that match no cell are told.
    """
    plan = votes.manifest.plan
    full = DecimalShare.parse(str(plan.settings["full"]), "full")
    counts = unselected(votes.ballots, full, plan.seed or 0)
    if known == FROM_DECISIONS:
        return known_by_decisions(workspace, votes.ballots, counts)
    if known != FROM_CATALOG:
        return known_by_file(votes.ballots, read_known(Path(known), votes.vocabulary), counts)
    return known_by_catalog(workspace, votes.ballots, votes.vocabulary, counts), None


def _nothing(votes: Votes, known: Known, unmatched: Unmatched | None) -> str:
    """Return why nothing that is known can be calibrated by."""
    if known.left_out:
        return (
            f"all {known.left_out:,} values that it knows are of pictures whose questions were"
            " stopped early, and only pictures asked in full count: full in the ensemble"
        )
    said = f"knows nothing of the {len(votes.ballots):,} values that were voted on"
    return said if unmatched is None else f"{said}: {unmatched}"


def known_lines(unmatched: Unmatched | None, left_out: int = 0) -> list[str]:
    """Return what of the known labels is not calibrated by, and why."""
    lines = [] if unmatched is None else [f"{unmatched.path}: {unmatched}"]
    if left_out:
        lines.append(
            f"{left_out:,} known values left out: their questions were stopped early, and the"
            " answers that there are then are no fair sample; only pictures asked in full count"
            " (full in the ensemble)"
        )
    return lines


def _margins(votes: Votes, known: Known) -> list[Bin]:
    """Return how often labels by majority are right, by their margin."""
    outcome, _ = outcome_of(votes, "majority", Rule(), None)
    cells = known.usable & (outcome.answer != UNSURE)
    return reliability(
        outcome.margin[cells],
        outcome.answer[cells] == known.truth[cells],
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
