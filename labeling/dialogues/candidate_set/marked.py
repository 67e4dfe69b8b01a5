"""What people marked already, and what would lose it."""

from collections.abc import Mapping

from benchwright import store
from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from benchwright.errors import UsageError
from benchwright.plain_text import counted, excerpt
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.candidate_set.choosing.choice import Choice, choosing_folder
from labeling.dialogues.candidate_set.choosing.chosen import filtered_of_catalog
from labeling.dialogues.candidate_set.choosing.rules import FilterSettings, choice_of
from labeling.dialogues.candidate_set.choosing.sampling import in_order_of_drawing
from labeling.dialogues.candidate_set.deciding import FIELD
from labeling.dialogues.stored import drafts_folder, read_drafts, record_id_of


def marked_turns(workspace: Workspace) -> Mapping[str, str]:
    """Return the turns of the drafts of which people marked boxes, each with its dialogue."""
    if store.load_manifest(drafts_folder(workspace, "candidate-set")) is None:
        return {}
    judged = {
        thing.record_id
        for thing in standing(read_journal(workspace).decisions)
        if thing.field == FIELD
    }
    if not judged:
        return {}
    return {
        name: draft.dialogue_id
        for draft in read_drafts(workspace, "candidate-set")
        if (name := record_id_of(draft)) in judged
    }


def refuse_loss(
    workspace: Workspace, settings: FilterSettings | None, dialogues: int, *, seed: int
) -> None:
    """Raise UsageError where a filter and a sample would leave out what people marked.

    To be asked before either is made, so that what stands is not lost first; the error says what
    keeps it. Without settings the filter is the one that stands. Raises WorkspaceError where there
    is no catalog, or no filter that stands.
    """
    marked = frozenset(marked_turns(workspace).values())
    if not marked:
        return
    if settings is None:
        settings = FilterSettings(**filtered_of_catalog(workspace).plan.settings)
    choices = {
        dialogue.dialogue_id: choice_of(item, dialogue, settings)
        for item in iterate_items(workspace)
        for dialogue in item.dialogues
    }
    kept = {name: one.of_category for name, one in choices.items() if one.reason is None}
    out = sorted(marked - kept.keys())
    if out:
        raise _left_out_by_filter(workspace, out, choices.get(out[0]))
    order = in_order_of_drawing(kept, seed)
    lost = sorted(marked.difference(order[:dialogues]))
    if lost:
        enough = 1 + max(order.index(name) for name in lost)
        raise UsageError(
            f"a sample of {counted(dialogues, 'dialogue')} by the seed {seed} leaves out"
            f" {len(lost):,} of the {len(marked):,} of which people marked boxes (such as"
            f" {excerpt(lost[0])}); --dialogues {enough} keeps them all. Nothing was changed"
        )


def _left_out_by_filter(workspace: Workspace, out: list[str], first: Choice | None) -> UsageError:
    why = "none of this catalog" if first is None else str(first.reason)
    made = store.load_manifest(choosing_folder(workspace, "filtered"))
    before = "bring the catalog back" if first is None else "loosen it"
    if made is not None and first is not None:
        said = made.plan.settings.items()
        options = " ".join(f"--{name.replace('_', '-')} {value:g}" for name, value in said)
        before = f"the one of before was {options}"
    return UsageError(
        f"the filter leaves out {counted(len(out), 'dialogue')} of which people marked boxes (such"
        f" as {excerpt(out[0])}: {why.replace('_', ' ')}); {before}. Nothing was changed"
    )
