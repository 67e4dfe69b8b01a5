"""Which labels people are to judge, so that the share that is right is known well enough.

First a pilot, in proportion to the strata; then, from the errors that it showed, as many more in
each stratum as the interval needs. A plan is a function of labels, decisions and settings, and
each plan holds what an earlier one of the same labels and seed had judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from benchwright.decisions.cells import cell_of
from benchwright.decisions.journal import BadLine, read_journal
from benchwright.decisions.on_labels import of_labels
from benchwright.decisions.standing import Standing, asked
from benchwright.decisions.tally import Tally, tally
from benchwright.workspace import Workspace
from labeling.audits.accuracy import Accuracy, label_accuracy
from labeling.audits.planning.allocation import allocate, allocate_pilot
from labeling.audits.planning.drawing import draw_order, second_looks
from labeling.audits.planning.duration import Duration, duration, judgements_left
from labeling.audits.planning.plan_file import (
    AuditPlan,
    PlannedItem,
    PlannedStratum,
    PlanSettings,
    Stage,
    write_plan,
)
from labeling.audits.planning.population import Longs, Population, read_population
from labeling.audits.planning.strata import LabelStratum, stratify

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan with where its audit stands.

    ``decisions`` are those on labels that were asked. ``left`` are judgements still to be made,
    ``accuracy`` what those made say. ``bad_lines`` are lines of the journal that are no decision.
    """

    plan: AuditPlan
    population: Population
    decisions: Standing
    accuracy: Accuracy
    left: int
    duration: Duration | None
    bad_lines: tuple[BadLine, ...]


def plan_audit(workspace: Workspace, settings: PlanSettings) -> Planned:
    """Write audits/plan.json and return it.

    Raises WorkspaceError when there are no voted labels.
    """
    journal = read_journal(workspace)
    decisions = asked(of_labels(journal.decisions))
    population = read_population(workspace)
    plan = make_plan(population, decisions, settings)
    write_plan(workspace, plan)
    return Planned(
        plan=plan,
        population=population,
        decisions=decisions,
        accuracy=label_accuracy(plan, decisions),
        left=judgements_left(plan.items, decisions),
        duration=duration(decisions),
        bad_lines=journal.bad_lines,
    )


def make_plan(population: Population, decisions: Standing, settings: PlanSettings) -> AuditPlan:
    """Return the plan of an audit; of decisions on labels those count that were asked."""
    decisions = asked(decisions)
    strata, codes = stratify(population)
    sizes = np.array([stratum.size for stratum in strata], np.int64)
    order = draw_order(population, codes, len(strata), settings.seed)
    pilot = allocate_pilot(sizes, settings.pilot)
    judged = _judged(population, decisions)
    in_order = [judged[rows] for rows in order]
    reached = np.array([_reached(done) for done in in_order], np.int64)
    stage: Stage = "pilot"
    planned = np.maximum(pilot, reached)
    if all(done[:count].all() for done, count in zip(in_order, pilot.tolist(), strict=True)):
        stage = "main"
        tallies = [
            _tally(population, stratum, rows[:count], decisions)
            for stratum, rows, count in zip(strata, order, planned.tolist(), strict=True)
        ]
        planned = np.maximum(planned, _wanted(tallies, strata, settings))
    return _plan(population, strata, order, planned, settings, stage)


def _judged(population: Population, decisions: Standing) -> Mask:
    """Return which labels somebody has judged."""
    if not decisions:
        return np.zeros(len(population), bool)
    held = {cell_of(thing) for thing in decisions}
    return np.fromiter((cell in held for cell in population.cells()), bool, len(population))


def _reached(done: Mask) -> int:
    """Return how far a stratum was judged: to the last label at which half of all are.

    What an auditor skipped does not cut off what comes after it, and single labels that were
    judged by another plan, of other strata, do not drag a whole stratum in.
    """
    ends = np.flatnonzero(done & (2 * np.cumsum(done) >= np.arange(1, len(done) + 1)))
    return int(ends[-1]) + 1 if len(ends) else 0


def _tally(
    population: Population, stratum: LabelStratum, rows: Longs, decisions: Standing
) -> Tally:
    answers = population.labels.column("answer")
    labels = ((population.thing(row), answers[row].as_py()) for row in rows.tolist())
    return tally(stratum.size, labels, decisions)


def _wanted(
    tallies: Sequence[Tally], strata: Sequence[LabelStratum], settings: PlanSettings
) -> Longs:
    """Return how many labels of each stratum the interval needs, those that none can tell too."""
    sizes = np.array([each.tellable for each in tallies], np.int64)
    told = np.array([each.told for each in tallies], np.int64)
    kept = sizes > 0
    wanted = np.zeros(len(tallies), np.int64)
    wanted[kept] = allocate(
        sizes[kept],
        np.array([stratum.margin_class for stratum in strata], np.int64)[kept],
        told[kept],
        np.array([each.wrong for each in tallies], np.int64)[kept],
        told[kept],
        settings.half_width,
        settings.confidence,
    )
    whole = np.array([each.size for each in tallies], np.int64)
    seen = np.array([each.seen for each in tallies], np.int64)
    # some of those to come cannot be told either
    more = np.maximum(wanted - told, 0) * seen.sum() / max(1, told.sum())
    planned: Longs = np.minimum(whole, seen + np.ceil(more).astype(np.int64))
    return planned


def _plan(
    population: Population,
    strata: Sequence[LabelStratum],
    order: Sequence[Longs],
    planned: Longs,
    settings: PlanSettings,
    stage: Stage,
) -> AuditPlan:
    overlap = Fraction(repr(settings.overlap))
    held, ranked = [], []
    for number, (stratum, count) in enumerate(zip(strata, planned.tolist(), strict=True)):
        twice = second_looks(stratum, count, overlap, settings.seed)
        held.append(
            PlannedStratum(
                name=stratum.name,
                type=stratum.type,
                value=stratum.value,
                low=stratum.low,
                high=stratum.high,
                size=stratum.size,
                planned=count,
                twice=sum(twice),
            )
        )
        for rank, row in enumerate(order[number][:count].tolist()):
            place = Fraction(2 * rank + 1, 2 * count)
            ranked.append((place, number, _item(population, row, held[-1], twice[rank])))
    ranked.sort(key=lambda entry: entry[:2])
    return AuditPlan(
        stage=stage,
        labels=population.digest,
        settings=settings,
        strata=tuple(held),
        items=tuple(item for _, _, item in ranked),
    )


def _item(population: Population, row: int, stratum: PlannedStratum, twice: bool) -> PlannedItem:
    of = {
        name: population.labels.column(name)[row].as_py() for name in population.labels.schema.names
    }
    return PlannedItem(
        **of, stratum=stratum.name, probability=stratum.planned / stratum.size, twice=twice
    )
