"""How many of the voted labels are right, from what auditors decided (definition 25)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright.decisions.standing import Standing
from benchwright.decisions.tally import Tally, tally
from benchwright.statistics.intervals import Estimate, stratified_share
from labeling.audits.planning.plan_file import AuditPlan, PlannedItem, PlannedStratum


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
    right: int
    unsure: int
    undecided: int
    estimate: Estimate | None
    worst: float | None
    best: float | None

    @property
    def plain(self) -> float | None:
        """The share of right labels among those told, each counting once; null without any.

        It is biased where strata were drawn at unequal rates, as close votes are.
        """
        return self.right / self.told if self.told else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Label accuracy of all voted labels of yes or no, of each type, and by the vote margin.

    Classes of the margin are named by their bounds in hundredths.
    """

    overall: Share
    by_type: Mapping[str, Share]
    by_margin: Mapping[tuple[int, int], Share]
    by_stratum: Mapping[str, Tally]


def label_accuracy(
    plan: AuditPlan, decisions: Standing, confidence: float | None = None
) -> Accuracy:
    """Return the accuracy of the labels that a plan is of, from the decisions that stand.

    ``confidence`` (0 to 1) is that of the intervals, by default the plan's.

    Only labels of the plan count: others were not drawn, or by other strata; nor does a value count
    that was only named in the place of another. A label is right when
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
    level = plan.settings.confidence if confidence is None else confidence

    def share(strata: Iterable[PlannedStratum]) -> Share:
        chosen = list(strata)
        planned = sum(each.planned for each in chosen)
        return _share([tallies[each.name] for each in chosen], planned, level)

    types = sorted({each.type for each in plan.strata})
    classes = sorted({(each.low, each.high) for each in plan.strata})
    return Accuracy(
        overall=share(plan.strata),
        by_type={name: share(each for each in plan.strata if each.type == name) for name in types},
        by_margin={
            bounds: share(each for each in plan.strata if (each.low, each.high) == bounds)
            for bounds in classes
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
        right=sum(each.right for each in tallies),
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
