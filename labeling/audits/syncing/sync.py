"""Decisions of auditors into the journal, and from there into labels and dialogues.

Each step is a function of what the one before it left on the disk, so that a run that was killed
is run again and goes on, and one that finds nothing new changes no byte.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright import store
from benchwright.decisions.taking_in import TakenIn, take_in
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.differing import Differing, differing
from labeling.audits.syncing.left_out import write_left_out
from labeling.audits.syncing.redeciding import Redecided, redecide
from labeling.audits.syncing.slots import Gathered, from_database, from_sheet
from labeling.dialogues.stored import (
    DIALOGUE_KINDS,
    DialogueKind,
    decide_dialogues,
    dialogues_folder,
    drafts_folder,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DialoguesDecided:
    """What people's decisions make of the dialogues of one kind; ``withheld`` by reason."""

    kind: DialogueKind
    stand: int
    withheld: Mapping[str, int]
    has_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a sync did; ``gathered`` is null where there is no database and no sheet was named.

    ``left_out`` is the file of all judgements that are no decision, null where there are none.
    """

    gathered: Sequence[Gathered] | None
    left_out: Path | None
    taken_in: TakenIn
    labels: Redecided | None
    dialogues: Sequence[DialoguesDecided]
    differing: Differing


def sync(
    workspace: Workspace, sheets: Sequence[Path] = (), *, auditor: str | None = None
) -> Synced:
    """Take in what auditors decided: of ``sheets`` where some are named, else of the database.

    Raises WorkspaceError or UsageError where the database cannot be read, and as ``read_sheet``
    for a sheet, whose rows without an auditor are by ``auditor``.
    """
    if not workspace.root.is_dir():
        raise WorkspaceError(f"{workspace.root}: is no workspace; make one with build-catalog")
    found = _gather(workspace, sheets, auditor)
    taken = take_in(workspace, [one for each in found or () for one in each.decisions])
    return Synced(
        gathered=found,
        left_out=write_left_out(workspace, [one for each in found or () for one in each.refused]),
        taken_in=taken,
        labels=redecide(workspace),
        dialogues=_dialogues(workspace),
        differing=differing(workspace),
    )


def _gather(
    workspace: Workspace, sheets: Sequence[Path], auditor: str | None
) -> Sequence[Gathered] | None:
    if sheets:
        return [from_sheet(workspace, path, auditor) for path in sheets]
    from labeling.audits.app.database import has_database  # noqa: PLC0415  # slow to import

    return from_database(workspace) if has_database(workspace) else None


def _dialogues(workspace: Workspace) -> list[DialoguesDecided]:
    found = []
    for kind in DIALOGUE_KINDS:
        if store.load_manifest(drafts_folder(workspace, kind)) is None:
            continue
        before = store.load_manifest(dialogues_folder(workspace, kind))
        made = decide_dialogues(workspace, kind)
        found.append(
            DialoguesDecided(
                kind=kind,
                stand=made.counts["dialogues"],
                withheld=made.reasons,
                has_changed=before is None or before.digest() != made.digest(),
            )
        )
    return found
