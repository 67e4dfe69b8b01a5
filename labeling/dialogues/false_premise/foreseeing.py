"""What a run will be made of, read before anything is written, and which drafts it cannot keep."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.records import FalsePremise, PlannedDialogue
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.casting import Cast
from labeling.dialogues.false_premise.checking.judged import were_seen_by
from labeling.dialogues.false_premise.falsifying.draft import planned_id
from labeling.dialogues.false_premise.planning.plan import (
    COMMAND,
    PlanSettings,
    finished_plan,
    plan_folder,
    plan_inputs,
    propose_plan,
    read_plan,
    schedule_of,
)
from labeling.dialogues.false_premise.rules.turns import Schedule


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeseenPlan:
    """The plan of a run; ``digest`` is its identity, ``stands`` says that it is written already."""

    dialogues: Sequence[PlannedDialogue]
    schedule: Schedule
    digest: str
    stands: bool


def foreseen_plan(
    workspace: Workspace, settings: PlanSettings, *, keeps_plan: bool
) -> ForeseenPlan:
    """Return the plan that a run goes by, the one that stands where it is kept; nothing is written.

    Raises WorkspaceError where that one was made of another catalog, and what planning raises.
    """
    made = kept_plan(workspace) if keeps_plan else None
    made = made or finished_plan(workspace, settings)
    if made is not None:
        return ForeseenPlan(
            dialogues=read_plan(workspace),
            schedule=schedule_of(workspace),
            digest=made.digest(),
            stands=True,
        )
    proposed = propose_plan(workspace, settings)
    standing, digest = store.load_manifest(plan_folder(workspace)), proposed.digest()
    return ForeseenPlan(
        dialogues=proposed.dialogues,
        schedule=proposed.schedule,
        digest=digest,
        stands=standing is not None and standing.digest() == digest,
    )


def kept_plan(workspace: Workspace) -> store.Manifest | None:
    """Return the plan that stands, null where there is none.

    Raises WorkspaceError where it was made of another catalog: another plan would be bought anew.
    """
    folder = plan_folder(workspace)
    made = store.load_manifest(folder)
    if made is not None and made.plan.inputs != plan_inputs(workspace):
        raise WorkspaceError(
            f"{folder}: was made of another catalog, or of other near-duplicates; run {COMMAND}"
            " again with the options that it had"
        )
    return made


def lost_by_run(
    judged: Sequence[FalsePremise], plan: ForeseenPlan, cast: Cast, variants: int
) -> list[FalsePremise]:
    """Return the drafts that come out otherwise, or not at all, whatever models will answer.

    They are of another plan, of a variant too many, or by other models, whom a draft names.
    """
    planned = {one.dialogue_id: one for one in plan.dialogues}
    authors = {voter.model for voter in cast.authors}
    return [
        draft
        for draft in judged
        if draft.variant > variants
        or not _is_planned(draft, planned.get(planned_id(draft)), plan.schedule)
        or not {use.model for use in draft.models if use.step != "see"} <= authors
        or not were_seen_by(draft, cast.lookers)
    ]


def _is_planned(draft: FalsePremise, plan: PlannedDialogue | None, schedule: Schedule) -> bool:
    """Tell whether a draft is about what is planned, in its schedule."""
    if plan is None:
        return False
    flags = [turn.has_false_premise for turn in draft.turns]
    wanted = [number >= schedule.correct for number in range(schedule.turns)]
    return flags == wanted and (draft.image_id, draft.box) == (plan.image_id, plan.box)
