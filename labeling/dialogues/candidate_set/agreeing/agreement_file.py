"""dialogues/candidate-set/agreement.json: how far annotators agree with one of them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchwright import files, store
from benchwright.decisions.journal import read_journal
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.agreeing.agree import (
    PairAgreement,
    agreement_with,
    marked_turns,
)
from labeling.dialogues.stored import (
    decisions_of,
    dialogues_folder,
    drafts_folder,
    read_drafts,
    record_id_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The agreement of all annotators with a reference; ``unread`` marks name no boxes of theirs.

    ``drafts`` is the digest of the drafts whose turns they marked.
    """

    reference: str
    pairs: Sequence[PairAgreement]
    unread: int
    seed: int
    drafts: str


def agreement_path(workspace: Workspace) -> Path:
    """Return where the agreement that was worked out last is."""
    return dialogues_folder(workspace, "candidate-set") / "agreement.json"


def work_out_agreement(workspace: Workspace, reference: str, *, seed: int = 0) -> Agreement:
    """Compare everybody's marks with those of a reference, and write agreement.json.

    Raises WorkspaceError where there are no drafts, and UsageError where the reference, or nobody
    else, has marked a turn.
    """
    drafts = read_drafts(workspace, "candidate-set")
    made = store.require(
        drafts_folder(workspace, "candidate-set"), "build-dialogues candidate-set draft"
    )
    journal = read_journal(workspace).decisions
    marked = marked_turns(drafts, decisions_of(journal, {record_id_of(one) for one in drafts}))
    annotators = marked.annotators()
    if reference not in annotators or len(annotators) < 2:
        who = ", ".join(excerpt(name, 40) for name in annotators) or "nobody"
        raise UsageError(
            f"--reference {excerpt(reference, 40)}: wanted an annotator who marked turns, beside"
            f" another who did; marked by {who}; review-labels sync takes in what was marked in the"
            " App, build-dialogues candidate-set map what was marked elsewhere"
        )
    found = Agreement(
        reference=reference,
        pairs=[
            agreement_with(reference, annotator, marked.turns, seed=seed)
            for annotator in annotators
            if annotator != reference
        ],
        unread=marked.unread,
        seed=seed,
        drafts=made.digest(),
    )
    files.write_json(agreement_path(workspace), asdict(found))
    return found
