"""Where proposals are kept; whoever shows them needs nothing that asks models."""

from collections.abc import Mapping
from pathlib import Path

from benchwright import store
from benchwright.records import ProposedMarks
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.dialogues.stored import dialogues_folder, drafts_folder


def proposals_folder(workspace: Workspace) -> Path:
    """Return the folder of what models proposed."""
    return dialogues_folder(workspace, "candidate-set") / "proposals"


def read_proposals(workspace: Workspace) -> Mapping[str, ProposedMarks]:
    """Return the proposals that have a box, by the record id of their turn.

    There are none where nothing was proposed of the drafts that stand. Raises CorruptShard.
    """
    folder = proposals_folder(workspace)
    made = store.load_manifest(folder)
    drafts = store.load_manifest(drafts_folder(workspace, "candidate-set"))
    if made is None or drafts is None or made.plan.inputs["drafts"] != drafts.digest():
        return {}
    rows = from_table(store.read_table(folder, "proposals.parquet"), ProposedMarks)
    return {f"{row.dialogue_id}/{row.turn}": row for row in rows if row.box_ids}
