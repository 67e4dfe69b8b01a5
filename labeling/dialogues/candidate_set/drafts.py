"""Drafts of candidate sets: the turns of the dialogues of a catalog, before anybody marks boxes."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.plain_text import counted, excerpt
from benchwright.records import CandidateSet, Dialogue, Item, Said, Utterance
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.candidate_set.choosing.chosen import (
    Chosen,
    chosen_dialogues,
    filtered_of_catalog,
)
from labeling.dialogues.candidate_set.choosing.remedy import remedy
from labeling.dialogues.candidate_set.marked import marked_turns
from labeling.dialogues.candidate_set.numbering import numbered_boxes
from labeling.dialogues.stored import drafts_folder, read_drafts, record_id_of, write_drafts


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """Drafts, one a turn, and how many dialogues were left out by why."""

    sets: tuple[CandidateSet, ...]
    dialogues: int
    left_out: Mapping[str, int]


def make_drafts(items: Iterable[Item], chosen: Collection[str] | None = None) -> Drafts:
    """Return the drafts of the dialogues of some items, in their order; with ``chosen`` of those.

    A turn is what is said up to and with a line of the one who speaks first, who knows what is
    meant: the opening, then each answer with the question before it. What is said after the last
    answer belongs to no turn. Left out is a dialogue without a picture (``no_picture``), without
    a line (``no_line``) and one of a picture with fewer than two boxes (``one_box``), where there
    is nothing to tell apart.
    """
    sets: list[CandidateSet] = []
    left_out: Counter[str] = Counter()
    dialogues = 0
    for item in items:
        for dialogue in item.dialogues:
            if chosen is not None and dialogue.dialogue_id not in chosen:
                continue
            made = _drafts_of(item, dialogue)
            if isinstance(made, str):
                left_out[made] += 1
            else:
                dialogues += 1
                sets.extend(made)
    return Drafts(sets=tuple(sets), dialogues=dialogues, left_out=dict(sorted(left_out.items())))


def draft_candidate_sets(workspace: Workspace) -> store.Manifest:
    """Write the drafts of the dialogues that were sampled, else filtered, else of all.

    The same catalog and choice give the same drafts. Raises WorkspaceError where there is no
    catalog, where dialogues were chosen from another one, or where boxes would get other numbers
    under which people marked them already, and UsageError where no dialogue can be drafted.
    """
    chosen = chosen_dialogues(workspace)
    plan = _plan(workspace, chosen)
    standing_there = store.finished(drafts_folder(workspace, "candidate-set"), plan)
    if standing_there is not None:
        return standing_there
    drafts = make_drafts(iterate_items(workspace), None if chosen is None else chosen.dialogue_ids)
    if not drafts.sets:
        raise _nothing_to_draft(workspace, chosen, drafts.left_out)
    _keep_numbers(workspace, drafts.sets)
    counts = {"dialogues": drafts.dialogues}
    return write_drafts(
        workspace, "candidate-set", drafts.sets, plan, counts=counts, reasons=drafts.left_out
    )


def _plan(workspace: Workspace, chosen: Chosen | None) -> store.Plan:
    """Return the plan of drafts of the chosen dialogues, of all where it is null.

    Its inputs name the step of choosing beside the catalog.
    """
    catalog = store.require(workspace.catalog, "build-catalog")
    of_them = {} if chosen is None else {str(chosen.step): chosen.digest}
    return store.Plan(
        stage="dialogues/candidate-set/drafts",
        inputs={"catalog": catalog.digest(), **of_them},
        settings={},
    )


def _nothing_to_draft(
    workspace: Workspace, chosen: Chosen | None, left_out: Mapping[str, int]
) -> UsageError:
    if chosen is not None and not chosen.dialogue_ids:
        helps = remedy(filtered_of_catalog(workspace).reasons)
        return UsageError(
            f"{workspace.root}: no dialogue is left of those that were {chosen.step}; {helps}"
        )
    if left_out.keys() == {"one_box"}:
        return UsageError(
            f"{workspace.catalog}: no dialogue to make candidate sets of, for all pictures have"
            f" one box; {remedy({'no_candidate_boxes': 1})}"
        )
    reasons = ", ".join(f"{reason} {count}" for reason, count in left_out.items())
    return UsageError(
        f"{workspace.catalog}: no dialogue to make candidate sets of"
        f" ({reasons or 'it has none'}); build a catalog of dialogues with build-catalog invig"
    )


def turns_of(utterances: Sequence[Utterance]) -> Iterator[int]:
    """Yield how many lines have been said at the end of each turn."""
    for count, line in enumerate(utterances, 1):
        if line.speaker == utterances[0].speaker:
            yield count


def _drafts_of(item: Item, dialogue: Dialogue) -> list[CandidateSet] | str:
    """Return the drafts of a dialogue, or why there are none."""
    if item.image is None:
        return "no_picture"
    if not dialogue.utterances:
        return "no_line"
    boxes = numbered_boxes(item, dialogue)
    if len(boxes) < 2:
        return "one_box"
    said = tuple(Said(speaker=line.speaker, text=line.text) for line in dialogue.utterances)
    return [
        CandidateSet(
            dialogue_id=dialogue.dialogue_id,
            image_id=item.image_id,
            turn=turn,
            context=said[:count],
            first_utterance=said[0].text,
            boxes=boxes,
            candidate_ids=(),
            marks=(),
            kind="set",
        )
        for turn, count in enumerate(turns_of(dialogue.utterances), 1)
    ]


def _keep_numbers(workspace: Workspace, sets: Sequence[CandidateSet]) -> None:
    """Refuse drafts that differ from those of which people marked boxes: in boxes, words, picture.

    Marks are numbers of boxes for what was said up to a turn: of other ones they mean nothing.
    """
    judged = marked_turns(workspace)
    if not judged:
        return
    new = {record_id_of(one): one for one in sets}
    moved = [
        record_id
        for old in read_drafts(workspace, "candidate-set")
        if (record_id := record_id_of(old)) in judged and new.get(record_id) != old
    ]
    if moved:
        raise WorkspaceError(
            f"{workspace.catalog}: people marked boxes of {counted(len(moved), 'turn')} (such as"
            f" {excerpt(moved[0])}) that this catalog has with other boxes, numbers, words or"
            " pictures, or not among its dialogues that were chosen; bring catalog and choice back,"
            " or use a new workspace"
        )
