"""Whether drafts are still those of the steps before them."""

from benchwright import store
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.dialogues.stored import (
    DialogueKind,
    dialogues_folder,
    drafts_folder,
    how_to_draft,
)

_LEAVES_DRAFTS = "seen"  # a look that would change judged drafts makes none, and those stand


def stale_drafts(workspace: Workspace, kind: DialogueKind) -> list[str]:
    """Return the steps that the drafts name among their inputs and that were made anew since.

    A step whose folder is gone tells nothing. Raises CorruptShard.
    """
    drafts = store.load_manifest(drafts_folder(workspace, kind))
    if drafts is None:
        return []
    return sorted(
        name
        for name, digest in drafts.plan.inputs.items()
        if name != _LEAVES_DRAFTS
        and (made := store.load_manifest(dialogues_folder(workspace, kind) / name)) is not None
        and made.digest() != digest
    )


def refuse_stale_drafts(workspace: Workspace, kind: DialogueKind) -> None:
    """Raise WorkspaceError, with what to run, where drafts are not of the steps that stand."""
    stale = stale_drafts(workspace, kind)
    if stale:
        raise WorkspaceError(
            f"{drafts_folder(workspace, kind)}: {' and '.join(stale)} changed since these drafts"
            f" were made; {how_to_draft(kind)}"
        )
