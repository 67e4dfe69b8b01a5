"""All steps up to the human one, in one go; each leaves its state on the disk."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from benchwright import store
from benchwright.asking.jobs import JobSettings
from benchwright.asking.purse import Purse
from benchwright.asking.session import Spending
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.casting import Cast
from labeling.dialogues.false_premise.checking.drafting import draft_dialogues
from labeling.dialogues.false_premise.checking.judged import (
    force_line,
    judged_drafts,
    refuse_loss,
)
from labeling.dialogues.false_premise.checking.report import drafted_lines, seen_lines
from labeling.dialogues.false_premise.describing.describe import describe
from labeling.dialogues.false_premise.describing.report import describe_lines
from labeling.dialogues.false_premise.falsifying.falsify import falsify
from labeling.dialogues.false_premise.falsifying.report import falsify_lines
from labeling.dialogues.false_premise.foreseeing import foreseen_plan, kept_plan, lost_by_run
from labeling.dialogues.false_premise.funnel.counting import count_funnel
from labeling.dialogues.false_premise.funnel.report import funnel_lines, next_line
from labeling.dialogues.false_premise.planning.plan import (
    Planned,
    PlanSettings,
    plan_dialogues,
)
from labeling.dialogues.false_premise.seeing.see import MOST_BOXES, SeeingSettings, see

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What is planned, and how it is made; a plan that stands is kept where ``keeps_plan``.

    ``all_cells`` has the funnel print each cell, not only those that lost something.
    """

    plan: PlanSettings = field(default_factory=PlanSettings)
    keeps_plan: bool = False
    variants: int = 1
    max_retries: int = 2
    most_boxes: int = MOST_BOXES
    batch: bool = False
    all_cells: bool = False

    def jobs(self) -> JobSettings:
        """Return how authors are asked."""
        return JobSettings(max_retries=self.max_retries, batch=self.batch)

    def seeing(self) -> SeeingSettings:
        """Return how voters look."""
        return SeeingSettings(most_boxes=self.most_boxes, batch=self.batch)


def run_false_premise(
    workspace: Workspace,
    cast: Cast,
    spending: Spending,
    settings: RunSettings,
    *,
    force: bool = False,
    say: Say,
    progress: Progress = no_progress,
) -> bool:
    """Plan, describe, falsify and check until no false description is refused any more; count.

    What is made already is not made again, and what was answered is not bought again. ``spending``
    bounds all steps together. Returns whether everything that was asked was answered.

    Raises WorkspaceError, before anything is written, where drafts that people judged would be
    other ones for certain and there is no ``force``; and what the steps raise.
    """
    _mind_judged(workspace, cast, settings, force, say)
    planned = planned_for_run(workspace, settings, force=force)
    for line in _plan_lines(planned):
        say(line)
    purse = Purse(cast.everybody(), spending)
    described, was_there = describe(
        workspace,
        cast.authors,
        purse.step("describe"),
        settings.jobs(),
        force=force,
        progress=progress,
    )
    _say(say, describe_lines(described, workspace, was_there=was_there))
    falsified, seen = _falsify_and_see(workspace, cast, purse, settings, force, say, progress)
    _say(say, drafted_lines(draft_dialogues(workspace, force=force, say=say)))
    funnel = count_funnel(workspace)
    _say(say, funnel_lines(funnel, all_cells=settings.all_cells))
    failed = sum(made.counts["failed"] for made in (described, falsified, seen))
    if failed:
        say(f"next: the same command again, for what the servers failed to answer: {failed:,}")
    else:
        say(next_line(funnel, workspace))
    return not failed


def planned_for_run(workspace: Workspace, settings: RunSettings, *, force: bool = False) -> Planned:
    """Return the plan of a run, or the one that stands where it is kept.

    Raises WorkspaceError where that one was made of another catalog.
    """
    made = kept_plan(workspace) if settings.keeps_plan else None
    if made is None:
        return plan_dialogues(workspace, settings.plan, force=force)
    return Planned(manifest=made, is_new=False)


def _mind_judged(
    workspace: Workspace, cast: Cast, settings: RunSettings, force: bool, say: Say
) -> None:
    judged = judged_drafts(workspace)
    if not judged:
        return
    if force:
        say(force_line(judged))
        return
    plan = foreseen_plan(workspace, settings.plan, keeps_plan=settings.keeps_plan)
    refuse_loss(workspace, lost_by_run(judged, plan, cast, settings.variants))


def _falsify_and_see(
    workspace: Workspace,
    cast: Cast,
    purse: Purse,
    settings: RunSettings,
    force: bool,
    say: Say,
    progress: Progress,
) -> tuple[store.Manifest, store.Manifest]:
    """Go round until what was seen leads to no other false description."""

    def make() -> tuple[store.Manifest, bool]:
        return falsify(
            workspace,
            cast.authors,
            purse.step("falsify"),
            settings.jobs(),
            variants=settings.variants,
            force=force,
            progress=progress,
        )

    falsified, was_there = make()
    while True:
        _say(say, falsify_lines(falsified, workspace, was_there=was_there))
        seen = see(
            workspace,
            cast.lookers,
            purse.step("see"),
            settings.seeing(),
            force=force,
            progress=progress,
        )
        looked, *left_out = seen_lines(seen)
        say(looked)
        before = falsified
        falsified, was_there = make()
        if falsified.digest() == before.digest():
            _say(say, left_out)
            return falsified, seen


def _plan_lines(planned: Planned) -> Iterable[str]:
    counts = planned.manifest.counts
    if not planned.is_new:
        yield "nothing to do: the plan stands as it was made of this catalog"
    yield (
        f"{counts['dialogues']:,} dialogues planned about {counts['pictures']:,} pictures;"
        f" {counts['missing']:,} are missing for lack of pictures"
    )


def _say(say: Say, lines: Iterable[str]) -> None:
    """Print what a step says, but for what it would have come next."""
    for line in lines:
        if not line.startswith("next: "):
            say(line)
