"""What the steps of false premises have made so far; a step that was not done is null."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchwright import store
from benchwright.records import Described, FalsePremise, Falsified, PlannedDialogue
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import described_folder, read_described
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder, read_falsified
from labeling.dialogues.false_premise.planning.cells import PlannedCell
from labeling.dialogues.false_premise.planning.plan import (
    COMMAND,
    plan_folder,
    read_cells,
    read_plan,
    schedule_of,
)
from labeling.dialogues.false_premise.rules.turns import Schedule
from labeling.dialogues.stored import dialogues_folder, drafts_folder, read_dialogues, read_drafts

_KIND: Literal["false-premise"] = "false-premise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The rows of each step that is done and was made of what the step before it is now.

    ``described`` is by dialogue. ``refused`` counts the false descriptions of which voters let no
    draft be made, ``withheld`` the drafts that do not stand after people's decisions, by reason.
    """

    planned: Mapping[str, PlannedDialogue]
    schedule: Schedule
    cells: Sequence[PlannedCell]
    described: Mapping[str, Described] | None = None
    falsified: Sequence[Falsified] | None = None
    drafts: Sequence[FalsePremise] | None = None
    refused: Mapping[str, int] | None = None
    dialogues: Sequence[FalsePremise] | None = None
    withheld: Mapping[str, int] | None = None


def read_made(workspace: Workspace) -> Made:
    """Return what there is; raises WorkspaceError, with the command, where nothing is planned."""
    plan = store.require(plan_folder(workspace), COMMAND)
    described = _of(described_folder(workspace), "plan", plan)
    falsified = _of(falsified_folder(workspace), "described", described)
    drafts = _of(drafts_folder(workspace, _KIND), "falsified", falsified)
    dialogues = _of(dialogues_folder(workspace, _KIND), "drafts", drafts)
    return Made(
        planned={one.dialogue_id: one for one in read_plan(workspace)},
        schedule=schedule_of(workspace),
        cells=read_cells(workspace),
        described=None
        if described is None
        else {one.dialogue_id: one for one in read_described(workspace)},
        falsified=None if falsified is None else read_falsified(workspace),
        drafts=None if drafts is None else read_drafts(workspace, _KIND),
        refused=None if drafts is None else drafts.reasons,
        dialogues=None if dialogues is None else read_dialogues(workspace, _KIND),
        withheld=None if dialogues is None else dialogues.reasons,
    )


def _of(folder: Path, name: str, before: store.Manifest | None) -> store.Manifest | None:
    """Return the manifest of a step where its input of a name is what stands there now."""
    manifest = store.load_manifest(folder)
    if manifest is None or before is None:
        return None
    return manifest if manifest.plan.inputs.get(name) == before.digest() else None
