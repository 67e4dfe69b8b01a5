"""What comes next for chains with options: people while one waits for somebody, else the rest."""

from typing import Final

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.next_step import judging_text, next_step, workspace_text
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.deciding import progress
from labeling.dialogues.stored import (
    decisions_of,
    dialogues_folder,
    drafts_folder,
    how_to_draft,
    read_drafts,
)

_KIND: Final = "question-chain"


def next_line(workspace: Workspace) -> str:
    """Return the line that says what comes next; raises WorkspaceError where there are no drafts.

    Chains that are valid, or rejected, wait for nobody.
    """
    where = workspace_text(workspace)
    drafts = read_drafts(workspace, _KIND)
    of_chain = decisions_of(read_journal(workspace).decisions, {draft.chain_id for draft in drafts})
    if any(progress(draft, of_chain.get(draft.chain_id, {})).stage for draft in drafts):
        return f"next: {judging_text(_KIND, workspace)}{where}"
    decided = store.load_manifest(dialogues_folder(workspace, _KIND))
    made = store.require(drafts_folder(workspace, _KIND), how_to_draft(_KIND))
    if decided is None or decided.plan.inputs["drafts"] != made.digest():
        return f"next: review-labels sync{where}"
    return next_step(workspace)
