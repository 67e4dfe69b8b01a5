"""How many of the voted labels are right, from what auditors decided (definition 25)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.decisions.standing import Standing
from benchwright.intervals import Estimate, stratified_share
from labeling.audits.planning.plan_file import AuditPlan, PlannedItem
from labeling.audits.tally import Tally, tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The share of labels that are right, of those of which a person can tell.

    ``planned`` labels were to be judged, ``told`` are known to be right or wrong; the others are
    left out of the share. ``worst`` and ``best`` are the share if all that are unsure or undecided
    were wrong, or right. All three are null while a stratum has labels and none of them told.
    """

    size: int
    planned: int
    told: int
    unsure: int
    undecided: int
    estimate: Estimate | None
    worst: float | None
    best: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Label accuracy of all voted labels of yes or no, and of each type."""

    overall: Share
    by_type: Mapping[str, Share]
    by_stratum: Mapping[str, Tally]


def label_accuracy(plan: AuditPlan, decisions: Standing) -> Accuracy:
    """Return the accuracy of the labels that a plan is of, from the decisions that stand.

    Only labels of the plan count: others were not drawn, or by other strata. A label is right when
    most of its auditors hold the machine's answer; where two answers are as frequent it is
    undecided, and where none of them could tell it is unsure. Those two are left out, and each
    stratum weighs as much as those seen say can be told. Labels not judged yet are taken to be
    like those judged: they were drawn in the same way.
    """
    items: dict[str, list[PlannedItem]] = {stratum.name: [] for stratum in plan.strata}
    for item in plan.items:
        items[item.stratum].append(item)
    tallies = {
        stratum.name: tally(
            stratum.size,
            ((item.thing(), item.answer) for item in items[stratum.name]),
            decisions,
        )
        for stratum in plan.strata
    }
    types = sorted({stratum.type for stratum in plan.strata})
    confidence = plan.settings.confidence
    return Accuracy(
        overall=_share(list(tallies.values()), len(plan.items), confidence),
        by_type={
            type_name: _share(
                [tallies[each.name] for each in plan.strata if each.type == type_name],
                sum(each.planned for each in plan.strata if each.type == type_name),
                confidence,
            )
            for type_name in types
        },
        by_stratum=tallies,
    )


def _share(tallies: Sequence[Tally], planned: int, confidence: float) -> Share:
    is_known = all(each.told or not each.tellable for each in tallies) and any(
        each.told for each in tallies
    )
    return Share(
        size=sum(each.size for each in tallies),
        planned=planned,
        told=sum(each.told for each in tallies),
        unsure=sum(each.unsure for each in tallies),
        undecided=sum(each.undecided for each in tallies),
        estimate=stratified_share([each.stratum() for each in tallies], confidence)
        if is_known
        else None,
        worst=_weighted(tallies, [each.right for each in tallies]) if is_known else None,
        best=_weighted(tallies, [each.right + each.open for each in tallies]) if is_known else None,
    )


def _weighted(tallies: Sequence[Tally], right: Sequence[int]) -> float:
    whole = sum(each.size for each in tallies)
    parts = zip(tallies, right, strict=True)
    return sum(each.size * count / each.seen for each, count in parts) / whole
