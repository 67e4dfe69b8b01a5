"""What an audit says of the voted labels of a release."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from benchwright.statistics.intervals import Estimate, weighted_share
from benchwright.workspace import Workspace
from exports.gating.check import Check, rounded
from exports.gating.limits import LABEL_ERROR, ROWS_SHOWN
from labeling.attributes.deciding.codes import NO, YES, Mask
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from labeling.audits.accuracy import Accuracy, label_accuracy
from labeling.audits.planning.plan_file import read_plan
from labeling.audits.planning.population import Population, read_population
from labeling.audits.reporting.truth import Truth, audited_truth

_AT_THE_OVERALL_RATE = 2  # judgements added to each type, as in the interval of definition 25
_WHAT = "voted labels that are wrong"
_HELP = "run review-labels plan and judge what it draws, then build the next version"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRates:
    """How often voted labels are wrong, 0 to 1, by type and by what they say.

    ``YES``, and ``NO`` where the type is not exclusive or no value of it is yes: a no beside the
    yes of an exclusive type is right or wrong with that yes. A type that was not audited has the
    rate of all.
    """

    by_type: Mapping[tuple[str, int], float]
    overall: Mapping[int, float]

    def rate(self, kind: str, answer: int) -> float:
        """Return the rate of a type's labels that say yes or no."""
        return self.by_type.get((kind, answer), self.overall[answer])


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelAudit:
    """What auditors found of voted labels: the share that is wrong, and the rates behind it.

    ``least`` and ``most`` are the rates at the ends of the intervals of the labels that say yes,
    and of those that say no.
    """

    accuracy: Accuracy
    error: Estimate
    rates: ErrorRates
    least: ErrorRates
    most: ErrorRates


def read_audit(workspace: Workspace) -> LabelAudit | None:
    """Return what auditors found of the voted labels that stand.

    Null where there is no plan of them, or too little of it is judged. Raises WorkspaceError for a
    plan that cannot be read, or without voted labels.
    """
    if not (workspace.audits / "plan.json").is_file():
        return None
    plan, population = read_plan(workspace), read_population(workspace)
    if population.digest != plan.labels:
        return None  # it is of labels that were voted or decided otherwise
    decisions = standing(read_journal(workspace).decisions)
    accuracy = label_accuracy(plan, decisions, 0.95)
    if accuracy.overall.estimate is None:
        return None
    truth = audited_truth(plan, decisions, accuracy.by_stratum)
    error = _wrong(accuracy.overall.estimate)
    sides = {YES: truth.answer == YES, NO: _alone(workspace, population, truth)}
    errors = {answer: _error_among(truth, among, error) for answer, among in sides.items()}
    rates = _rates(truth, sides, {answer: one.share for answer, one in errors.items()})
    return LabelAudit(
        accuracy=accuracy,
        error=error,
        rates=rates,
        least=_shifted(rates, {answer: one.low - one.share for answer, one in errors.items()}),
        most=_shifted(rates, {answer: one.high - one.share for answer, one in errors.items()}),
    )


def voted_labels(workspace: Workspace, image_ids: Collection[str]) -> pa.Table:
    """Return the voted labels of yes or no of pictures: image_id, type, value, answer.

    A label that people decided is no longer voted; labels of single objects are left aside.
    """
    if store.load_manifest(workspace.labels) is None:
        return _VOTED.empty_table()
    labels = store.read_table(
        workspace.labels, "labels.parquet", columns=[*_VOTED.names, "object_id", "origin"]
    )
    chosen = pc.and_(
        pc.and_(pc.equal(labels.column("origin"), "voted"), pc.is_null(labels.column("object_id"))),
        pc.and_(
            pc.is_in(labels.column("answer"), value_set=pa.array(["yes", "no"])),
            pc.is_in(labels.column("image_id"), value_set=pa.array(sorted(image_ids))),
        ),
    )
    return labels.filter(chosen).select(_VOTED.names)


def label_error(voted: int, audit: LabelAudit | None) -> Check:
    """Return the check of the share of voted labels that are wrong.

    It fails unless an audit shows the error to be under the limit: without one it is anything from
    0 to 1. Where the source itself states all labels nothing was voted, and nothing is measured.
    """
    bare = Check(name="label-error", of="labels", what=_WHAT, figure=None, n=0)
    if not voted:
        said = "no label of a picture was voted: all are the source's own, or people's"
        return bare.saying(note=said)
    if audit is None:
        unknown = {"low": 0.0, "high": 1.0, "limit": LABEL_ERROR, "passed": False}
        said = f"NOT AUDITED: of the {voted:,} voted labels too few were judged, or others"
        return bare.model_copy(update=unknown).saying(note=said).advised(_HELP)
    found = audit.accuracy.overall
    passed = audit.error.high <= LABEL_ERROR
    return Check(
        name="label-error",
        of="labels",
        what=_WHAT,
        figure=rounded(audit.error.share),
        low=rounded(audit.error.low),
        high=rounded(audit.error.high),
        limit=LABEL_ERROR,
        n=found.told,
        passed=passed,
        rows=() if passed else _worst_types(audit.accuracy),
        found=0 if passed else len(audit.accuracy.by_type),
        note=f"{found.told:,} of {found.size:,} voted labels judged"
        f" ({100 * found.told / max(1, found.size):.1f} %), {found.unsure + found.undecided:,} more"
        " could not be told",
        advice="" if passed else f"vote the worst types again, or judge more: {_HELP}",
    )


def _worst_types(accuracy: Accuracy) -> tuple[str, ...]:
    shares = {kind: each.plain for kind, each in accuracy.by_type.items()}
    known = {kind: share for kind, share in shares.items() if share is not None}
    return tuple(sorted(known, key=lambda kind: (known[kind], kind))[:ROWS_SHOWN])


def _wrong(right: Estimate) -> Estimate:
    """Return the share that is wrong."""
    return Estimate(share=1 - right.share, low=1 - right.high, high=1 - right.low, size=right.size)


def _alone(workspace: Workspace, population: Population, truth: Truth) -> Mask:
    """Return which audited labels say no, beside no yes of an exclusive type.

    Labels are as the votes had them.
    """
    exclusive = {one.type for one in load_vocabulary(workspace.vocabulary).types if one.exclusive}
    labels = population.labels
    said_yes = labels.filter(pc.equal(labels.column("answer"), "yes"))
    names = ("image_id", "object_id", "type")
    held = set(zip(*(said_yes.column(name).to_pylist() for name in names), strict=True))
    beside = [
        item.type in exclusive and (item.image_id, item.object_id, item.type) in held
        for item in truth.items
    ]
    alone: Mask = (truth.answer == NO) & ~np.array(beside, bool)
    return alone


def _error_among(truth: Truth, among: Mask, otherwise: Estimate) -> Estimate:
    """Return the share of some labels that is wrong; that of all where none was judged."""
    if not among.any():
        return otherwise
    right = truth.right[among]
    return _wrong(weighted_share(right, truth.weights[among], truth.pictures[among]))


def _rates(truth: Truth, sides: Mapping[int, Mask], overall: Mapping[int, float]) -> ErrorRates:
    found: dict[tuple[str, int], float] = {}
    kinds = np.array([item.type for item in truth.items], dtype=object)
    for kind in sorted(set(kinds.tolist())):
        for answer, among in sides.items():
            at = among & (kinds == kind)
            judged, weights = int(at.sum()), truth.weights[at]
            if judged:
                wrong = float((weights * ~truth.right[at]).sum() / weights.sum())
                added = _AT_THE_OVERALL_RATE * overall[answer]
                found[kind, answer] = (judged * wrong + added) / (judged + _AT_THE_OVERALL_RATE)
    return ErrorRates(by_type=found, overall=overall)


def _shifted(rates: ErrorRates, by: Mapping[int, float]) -> ErrorRates:
    """Return rates with as much added to all that say yes, or no, within 0 to 1."""

    def moved(rate: float, answer: int) -> float:
        return min(1.0, max(0.0, rate + by[answer]))

    return ErrorRates(
        by_type={key: moved(rate, key[1]) for key, rate in rates.by_type.items()},
        overall={answer: moved(rate, answer) for answer, rate in rates.overall.items()},
    )


_VOTED = pa.schema([(name, pa.string()) for name in ("image_id", "type", "value", "answer")])
