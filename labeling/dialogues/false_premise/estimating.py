"""What a whole run would take, before its first call.

What is not written yet is put down with a phrase of the usual length in its place. On the high
side voters look for as many false descriptions as may be refused.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchwright import store
from benchwright.asking.estimates import Estimate, estimate_lines
from benchwright.asking.jobs import estimate_jobs
from benchwright.asking.session import Spending
from benchwright.records import Described, Falsified
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.casting import Cast
from labeling.dialogues.false_premise.describing.describe import (
    described_folder,
    estimate_targets,
)
from labeling.dialogues.false_premise.describing.targets import Target, targets_of
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder
from labeling.dialogues.false_premise.falsifying.falsify import estimate_falsifying
from labeling.dialogues.false_premise.falsifying.wanted import Material, wanted_of
from labeling.dialogues.false_premise.foreseeing import ForeseenPlan, foreseen_plan
from labeling.dialogues.false_premise.running import RunSettings
from labeling.dialogues.false_premise.seeing.glances import glances, shown_of, told
from labeling.dialogues.false_premise.seeing.see import estimate_glances, estimate_seeing

_TRUE = "the woman in the long grey coat on the left side"  # as long as descriptions are
_FALSE = "the woman in the long brown coat on the left side"


def run_estimate_lines(
    workspace: Workspace, cast: Cast, spending: Spending, settings: RunSettings
) -> Iterator[str]:
    """Yield what each step of a run would take; nothing is asked, and nothing is written.

    Raises what the steps raise before their first call.
    """
    plan = foreseen_plan(workspace, settings.plan, keeps_plan=settings.keeps_plan)
    yield f"{len(plan.dialogues):,} dialogues are planned"
    targets = targets_of(workspace, plan.dialogues)
    describing = estimate_targets(
        workspace, cast.authors, spending, targets, plan.schedule.turns, settings.jobs()
    )
    yield from _table("describe:", describing)
    described = _made_of(described_folder(workspace), "plan", plan.digest) if plan.stands else None
    falsifying = (
        estimate_falsifying(
            workspace, cast.authors, spending, settings.jobs(), variants=settings.variants
        )
        if described
        else _falsifying(workspace, cast, spending, settings, plan, targets)
    )
    yield from _table("falsify" + ("" if described else ", if all are described") + ":", falsifying)
    falsified = described and _made_of(falsified_folder(workspace), "described", described.digest())
    seeing = (
        estimate_seeing(workspace, cast.lookers, spending, settings.seeing())
        if falsified
        else _seeing(workspace, cast, spending, settings, plan)
    )
    yield from _table("check" + ("" if falsified else ", if all are falsified") + ":", seeing)
    yield (
        "Low is where every answer is taken at once; high is where all go back, or are refused by"
        f" sight, {settings.max_retries:,} times, and every answer is as long as it may be and is"
        " asked for again with more room"
    )
    is_looking = all(voter in cast.lookers for voter in cast.authors)
    authors = [] if is_looking else falsifying
    for estimates in filter(None, (authors, seeing)):
        yield from estimate_lines(estimates)[_rows_of(estimates) + 1 :]


def _table(title: str, estimates: Sequence[Estimate]) -> Iterator[str]:
    yield title
    yield from estimate_lines(estimates)[: _rows_of(estimates)]
    yield f"at most {sum(one.most_calls for one in estimates):,} calls"


def _rows_of(estimates: Sequence[Estimate]) -> int:
    """Return how many lines are the table: heads, voters, their total; notes follow."""
    return 1 + len(estimates) + (len(estimates) > 1)


def _made_of(folder: Path, name: str, before: str) -> store.Manifest | None:
    """Return the manifest of a step where it was made of what stands before it."""
    made = store.load_manifest(folder)
    return made if made and made.plan.inputs.get(name) == before else None


def _falsifying(
    workspace: Workspace,
    cast: Cast,
    spending: Spending,
    settings: RunSettings,
    plan: ForeseenPlan,
    targets: Sequence[Target],
) -> list[Estimate]:
    described, falsified = _expected(plan, settings)
    material = Material(
        targets=targets,
        described={one.dialogue_id: one for one in described},
        affirmed={},
        schedule=plan.schedule,
        inputs={},
    )
    before = {(one.dialogue_id, one.variant): one for one in falsified}
    jobs = [
        one.job()
        for variant in range(1, settings.variants + 1)
        for one in wanted_of(material, cast.authors, variant, before)
    ]
    return estimate_jobs(workspace, cast.authors, spending, jobs, settings.jobs())


def _seeing(
    workspace: Workspace,
    cast: Cast,
    spending: Spending,
    settings: RunSettings,
    plan: ForeseenPlan,
) -> list[Estimate]:
    shown = shown_of(workspace, plan.dialogues, settings.most_boxes)
    certain = list(glances(told(*_expected(plan, settings)), shown, cast.lookers))
    false = [glance for glance in certain if not glance.told.is_true]
    return estimate_glances(
        workspace,
        cast.lookers,
        spending,
        settings.seeing(),
        certain,
        possible=false * settings.max_retries,
    )


def _expected(plan: ForeseenPlan, settings: RunSettings) -> tuple[list[Described], list[Falsified]]:
    """Return what the first steps may come to."""
    described = [
        Described(
            dialogue_id=one.dialogue_id,
            true_description=_TRUE,
            questions=(f"Is {_TRUE} in sight?",) * plan.schedule.turns,
            model="",
            faults=(),
            is_failed=False,
        )
        for one in plan.dialogues
    ]
    falsified = [
        Falsified(
            dialogue_id=one.dialogue_id,
            variant=variant,
            false_description=_FALSE,
            model="",
            faults=(),
            refused=(),
            is_failed=False,
        )
        for one in plan.dialogues
        for variant in range(1, settings.variants + 1)
    ]
    return described, falsified
