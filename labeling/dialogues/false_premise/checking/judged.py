"""Drafts that people judged already are not made otherwise behind their backs."""

from collections.abc import Sequence

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from benchwright.dialogue_records import FalsePremise
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.deciding import FIELD
from labeling.dialogues.stored import drafts_folder, read_drafts, record_digest


def keep_judged(workspace: Workspace, drafts: Sequence[FalsePremise]) -> None:
    """Refuse drafts in the place of others that people judged and that would be lost by it.

    A decision is about the very draft that was seen (its ``before`` is the digest of it), so it
    says nothing of one that is made otherwise. Raises WorkspaceError, in one line.
    """
    if store.load_manifest(drafts_folder(workspace, "false-premise")) is None:
        return
    judged = {
        (thing.record_id, decision.before)
        for thing, by_auditor in standing(read_journal(workspace).decisions).items()
        if thing.field == FIELD
        for decision in by_auditor.values()
    }
    new = {(draft.dialogue_id, record_digest(draft)) for draft in drafts}
    old = {
        (draft.dialogue_id, record_digest(draft))
        for draft in read_drafts(workspace, "false-premise")
    }
    lost = sorted(name for name, _ in (old & judged) - new)
    if lost:
        raise WorkspaceError(
            f"{drafts_folder(workspace, 'false-premise')}: people judged {len(lost):,} drafts"
            f" (such as {lost[0]}) that would be other ones now, or none; run it with the voters"
            " and settings of before, in a new workspace, or with --force, which leaves those"
            " decisions without a dialogue"
        )
