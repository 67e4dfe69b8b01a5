"""Labels of a workspace measured against labels that are known."""

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from benchwright.errors import UsageError
from benchwright.statistics.bootstrap import Interval
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.balanced_accuracy import LEAST
from labeling.attributes.calibrating.by_decisions import FROM_DECISIONS
from labeling.attributes.calibrating.calibrate import known_labels
from labeling.attributes.calibrating.known import FROM_CATALOG, Unmatched
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import UNSURE, Bytes, Mask, Reals
from labeling.attributes.deciding.weights import Question, share_weights
from labeling.attributes.labels.decide import Votes, read_votes
from labeling.attributes.measuring.bootstrap import Resampled, mean_over
from labeling.attributes.measuring.cells import Cells
from labeling.attributes.measuring.comparing import Comparison, compare, most_detailed
from labeling.attributes.measuring.measured import Measured, TypeMeasured, ValueMeasured
from labeling.attributes.measuring.stored_labels import StoredLabels, stored_labels
from labeling.attributes.measuring.unanimity import unanimity

SEED = 0  # of the bootstrap


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The votes and labels of a workspace with what is known of them."""

    workspace: Workspace
    votes: Votes
    labels: StoredLabels
    known: Known
    unmatched: Unmatched | None

    @property
    def chosen(self) -> Mask:
        """The cells of the ballots whose label is known."""
        chosen: Mask = self.known.truth != UNSURE
        return chosen


def hold(workspace: Workspace, known: str) -> Held:
    """Read what is to be measured; ``known`` is a file of labels, ``catalog`` or ``decisions``.

    Raises WorkspaceError without votes or labels of these, SourceError for a file that cannot be
    used, UsageError where nothing is known of what was voted on.
    """
    votes = read_votes(workspace)
    labels = stored_labels(workspace, votes)
    truth, unmatched = known_labels(workspace, votes, known)
    if not (truth.truth != UNSURE).any():
        why = "" if unmatched is None else f": {unmatched}"
        raise UsageError(
            f"{known}: knows nothing of the {len(votes.ballots):,} values that were voted on in"
            f" {workspace.root}{why}"
        )
    return Held(workspace=workspace, votes=votes, labels=labels, known=truth, unmatched=unmatched)


def measure(held: Held, known: str) -> Measured:
    """Measure what is held; ``known`` says where the known labels are from.

    Raises UsageError where no value has 8 known yes and as many known no.
    """
    chosen, ballots = held.chosen, held.votes.ballots
    cells, answer = _cells(held, chosen), held.labels.answer[chosen]
    measurable = cells.measurable()
    if not measurable.any():
        raise UsageError(_too_little(held, known, cells))
    full = chosen & held.known.counts
    unselected = _cells(held, full)
    balanced, types = _balanced(held, cells, answer, measurable)
    return Measured(
        known=known if known in (FROM_CATALOG, FROM_DECISIONS) else "file",
        unmatched=held.unmatched,
        pictures=len(np.unique(cells.pictures)),
        pairs=len(cells),
        types=types,
        balanced=balanced,
        coverage=float(np.average(answer != UNSURE, weights=cells.weights)),
        stopped=held.known.left_out,
        full_pictures=len(np.unique(unselected.pictures)),
        comparison=_comparison(held, unselected, full),
        unanimity=unanimity(unselected, ballots.answers[:, full], held.labels.answer[full]),
        votes=held.votes.manifest.digest(),
        labels=held.labels.digest,
    )


def _too_little(held: Held, known: str, cells: Cells) -> str:
    """Return why nothing can be measured by what is known, and what to do."""
    by_catalog = "" if known == FROM_CATALOG else f", or measure by --known {FROM_CATALOG}"
    yes, no = (int(counts.sum()) for counts in cells.counts())
    said = f"{known}: knows {len(cells):,} values of {held.workspace.root}"
    for lacking, others in (("no", no), ("yes", yes)):
        if not others:
            there = "yes" if lacking == "no" else "no"
            return (
                f"{said}, every one a {there}: labels are measured by known yes and known no, at"
                f" least {LEAST} of each for a value; add what is known to be {lacking} (answer"
                f" {lacking}){by_catalog}"
            )
    return (
        f"{said}, too few to measure by: no attribute value has {LEAST} known yes and {LEAST} known"
        f" no; add some{by_catalog}"
    )


def _cells(held: Held, chosen: Mask) -> Cells:
    ballots = held.votes.ballots
    pictures = pc.dictionary_encode(ballots.image_ids).indices.to_numpy(zero_copy_only=False)
    return Cells(
        values=len(ballots.values),
        truth=held.known.truth[chosen],
        columns=ballots.columns[chosen].astype(np.int64),
        pictures=pictures[ballots.subjects[chosen]].astype(np.int64),
        weights=held.known.weights[chosen],
    )


def _balanced(
    held: Held, cells: Cells, answer: Bytes, measurable: Mask
) -> tuple[Interval, tuple[TypeMeasured, ...]]:
    """Return the mean over all values, and what is measured of each type."""
    draws, shares = Resampled(cells, SEED).balanced(answer), cells.balanced(answer)

    def mean(values: Mask) -> Interval:
        return Interval.of(float(mean_over(shares, values)), mean_over(draws, values))

    values = _values(held, cells, answer, measurable)
    types = []
    for name in dict.fromkeys(value.type for value in values):
        of_type = np.array([value.type == name for value in values]) & measurable
        types.append(
            TypeMeasured(
                type=name,
                values=tuple(value for value in values if value.type == name),
                balanced=mean(of_type) if of_type.any() else None,
            )
        )
    return mean(measurable), tuple(types)


def _values(held: Held, cells: Cells, answer: Bytes, measurable: Mask) -> tuple[ValueMeasured, ...]:
    yes, no = cells.counts()
    coverage = _coverage(cells, answer)
    return tuple(
        ValueMeasured(
            type=value.type,
            value=value.value,
            yes=int(yes[at]),
            no=int(no[at]),
            sensitivity=rates[0],
            specificity=rates[1],
            balanced=rates[2],
            coverage=float(coverage[at]),
            measurable=bool(measurable[at]),
        )
        for at, (value, rates) in enumerate(
            zip(held.votes.values, cells.rates(answer), strict=True)
        )
    )


def _coverage(cells: Cells, answer: Bytes) -> Reals:
    total = np.bincount(cells.columns, cells.weights, cells.values)
    covered = np.bincount(cells.columns, cells.weights * (answer != UNSURE), cells.values)
    share = np.full(cells.values, np.nan)
    np.divide(covered, total, out=share, where=total > 0)
    return share


def _comparison(held: Held, cells: Cells, full: Mask) -> Comparison | None:
    asked = held.votes.manifest.plan.settings
    one = Question(
        voter=str(held.votes.voters[0]["name"]), template="1", view=most_detailed(asked["views"])
    )
    votes = held.votes
    own = {str(voter["name"]): int(voter["weight"]) for voter in votes.voters}
    weights = share_weights(votes.questions, [own] * len(votes.values))
    labels = held.labels.answer[full]
    return compare(votes.ballots, cells, full, labels, one, weights, held.labels.rule, SEED)
