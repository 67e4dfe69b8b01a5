"""Drafts that people judged already are not made otherwise behind their backs."""

from collections.abc import Sequence

from benchwright import store
from benchwright.asking.voters import Voter
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from benchwright.errors import WorkspaceError
from benchwright.records import FalsePremise
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.deciding import FIELD
from labeling.dialogues.stored import drafts_folder, read_drafts, record_digest


def judged_drafts(workspace: Workspace) -> list[FalsePremise]:
    """Return the drafts that people judged as they stand, in the order of their ids.

    A decision is about the very draft that was seen (its ``before`` is the digest of it), so it
    says nothing of one that is made otherwise. Raises CorruptShard.
    """
    if store.load_manifest(drafts_folder(workspace, "false-premise")) is None:
        return []
    judged = {
        (thing.record_id, decision.before)
        for thing, by_auditor in standing(read_journal(workspace).decisions).items()
        if thing.field == FIELD
        for decision in by_auditor.values()
    }
    return [
        draft
        for draft in read_drafts(workspace, "false-premise")
        if (draft.dialogue_id, record_digest(draft)) in judged
    ]


def lost_of(judged: Sequence[FalsePremise], drafts: Sequence[FalsePremise]) -> list[FalsePremise]:
    """Return the judged drafts that are not among others, as they are."""
    new = {(draft.dialogue_id, record_digest(draft)) for draft in drafts}
    return [draft for draft in judged if (draft.dialogue_id, record_digest(draft)) not in new]


def refuse_loss(workspace: Workspace, lost: Sequence[FalsePremise]) -> None:
    """Raise WorkspaceError, in one line, where some judged drafts would be lost."""
    if lost:
        raise WorkspaceError(
            f"{drafts_folder(workspace, 'false-premise')}: people judged {len(lost):,} drafts"
            f" (such as {lost[0].dialogue_id}) that would be other ones now, or none; run it with"
            " the voters and settings of before, in a new workspace, or with --force, which leaves"
            " those decisions without a dialogue"
        )


def were_seen_by(draft: FalsePremise, lookers: Sequence[Voter]) -> bool:
    """Tell whether the models that looked at a draft are those of some voters: it names them."""
    looked = [use.model for use in draft.models if use.step == "see"]
    return looked == list(dict.fromkeys(voter.model for voter in lookers))


def force_line(judged: Sequence[FalsePremise]) -> str:
    """Return what --force may cost, before anything is made."""
    return (
        f"--force: people judged {len(judged):,} of the drafts that stand; those that come out"
        " otherwise lose their judgement"
    )


def loss_line(judged: Sequence[FalsePremise], lost: Sequence[FalsePremise]) -> str:
    """Return how many of the judged drafts go, and how many stay."""
    such = f" (such as {lost[0].dialogue_id})" if lost else ""
    return (
        f"of {len(judged):,} drafts that people judged {len(lost):,}{such} are others now, or gone,"
        f" and lose their judgement; {len(judged) - len(lost):,} stay as they were judged"
    )
