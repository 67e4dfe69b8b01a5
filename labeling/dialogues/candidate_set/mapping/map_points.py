"""Annotations made elsewhere as decisions: whole dialogues, or nothing of them (CandVG, section 3).

What a run does is a function of the drafts and of the files: mapped again, a file adds nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import files, store
from benchwright.decisions.auditors import warn_if_spelled_otherwise
from benchwright.decisions.journal import read_journal
from benchwright.decisions.taking_in import take_in
from benchwright.errors import WorkspaceError
from benchwright.records import CandidateSet, Decision, MappedDialogue, Reject
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.dialogues.candidate_set.deciding import decision_of_marks
from labeling.dialogues.candidate_set.mapping.annotations import (
    Annotation,
    AnnotationsRead,
    Given,
    read_annotations,
)
from labeling.dialogues.candidate_set.mapping.points import (
    NoMatch,
    Size,
    boxes_at,
    boxes_like,
    boxes_named,
)
from labeling.dialogues.stored import decide_dialogues, dialogues_folder, read_drafts

_CONFIGS = {"mapped": "mapped.parquet", "rejects": "rejects.parquet"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """What a mapping did: its stage, the rows of it, how many decisions were new, what stands."""

    manifest: store.Manifest
    dialogues: Sequence[MappedDialogue]
    rejects: Sequence[Reject]
    new_decisions: int
    decided: store.Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """The turns of the drafts by dialogue, and the sizes of their pictures by image id."""

    by_dialogue: Mapping[str, Sequence[CandidateSet]]
    sizes: Mapping[str, Size]


def mapped_folder(workspace: Workspace) -> Path:
    """Return where the last mapping is told of."""
    return dialogues_folder(workspace, "candidate-set") / "mapped"


def map_annotations(workspace: Workspace, paths: Sequence[Path], given: Given) -> Mapped:
    """Take in what was annotated elsewhere; write dialogues/candidate-set/mapped and what stands.

    A dialogue of an annotator is kept where all of its turns map one to one. Raises as
    ``read_annotations`` does, and WorkspaceError where there are no drafts or pictures of them.
    """
    turns = _turns(workspace)
    read = [read_annotations(path, given) for path in paths]
    annotations = [each for one in read for each in one.annotations]
    found = list(map_dialogues(annotations, turns))
    decisions = [one for _, made in found for one in made]
    journal = read_journal(workspace).decisions
    warn_if_spelled_otherwise({one.annotator for one in annotations}, journal)
    dialogues = [dialogue for dialogue, _ in found]
    rejects = _in_order(read)
    manifest = _written(workspace, paths, given, dialogues, rejects)
    taken = take_in(workspace, decisions)
    return Mapped(
        manifest=manifest,
        dialogues=dialogues,
        rejects=rejects,
        new_decisions=taken.new,
        decided=decide_dialogues(workspace, "candidate-set"),
    )


def map_dialogues(
    annotations: Iterable[Annotation], turns: Turns
) -> Iterator[tuple[MappedDialogue, Sequence[Decision]]]:
    """Yield for each dialogue and annotator, in order, what became of it and its decisions."""
    ordered = sorted(annotations, key=lambda one: (one.dialogue_id, one.annotator, one.turn))
    for (dialogue_id, annotator), group in groupby(
        ordered, key=lambda one: (one.dialogue_id, one.annotator)
    ):
        decisions: list[Decision] = []
        failed: _Failed | None = None
        try:
            decisions = list(_decisions(turns, dialogue_id, list(group)))
        except _Failed as error:
            failed = error
        yield (
            MappedDialogue(
                dialogue_id=dialogue_id,
                annotator=annotator,
                is_kept=failed is None,
                failed_turn=None if failed is None else failed.turn,
                reason=None if failed is None else failed.reason,
                detail=None if failed is None else str(failed),
            ),
            () if failed is not None else decisions,
        )


class _Failed(ValueError):
    """A turn, null for the whole dialogue, of which no marks can be made."""

    def __init__(self, turn: int | None, reason: str, message: str) -> None:
        super().__init__(message)
        self.turn = turn
        self.reason = reason


def _decisions(
    turns: Turns, dialogue_id: str, annotations: Sequence[Annotation]
) -> Iterator[Decision]:
    """Yield a decision a turn; raises _Failed at the first turn that gives none."""
    drafts = turns.by_dialogue.get(dialogue_id)
    if drafts is None:
        raise _Failed(None, "unknown_dialogue", "no draft is of this dialogue")
    by_turn = {turn: list(each) for turn, each in groupby(annotations, key=lambda one: one.turn)}
    for draft in drafts:
        said = by_turn.pop(draft.turn, None)
        if said is None:
            raise _Failed(draft.turn, "missing_turn", f"nothing says what turn {draft.turn} marks")
        try:
            marks = {_ids(one, draft, turns.sizes[draft.image_id]) for one in said}
        except NoMatch as error:
            raise _Failed(draft.turn, error.reason, str(error)) from error
        if len(marks) > 1:
            rows = ", ".join(str(one.row) for one in said)
            message = f"rows {rows} mark turn {draft.turn} in different ways"
            raise _Failed(draft.turn, "two_answers", message)
        latest = max(said, key=lambda one: one.at)
        yield decision_of_marks(draft, marks.pop(), annotator=latest.annotator, at=latest.at)
    if by_turn:
        strange = min(by_turn)
        message = f"the dialogue has {len(drafts)} turns and no turn {strange}"
        raise _Failed(strange, "unknown_turn", message)


def _ids(said: Annotation, draft: CandidateSet, size: Size) -> frozenset[str]:
    """Return the boxes that an annotation marks, one each; raises NoMatch."""
    if said.fault is not None:
        raise said.fault
    if said.points:
        return frozenset(boxes_at(said.points, draft.boxes, size))
    if said.drawn:
        return frozenset(boxes_like(said.drawn, draft.boxes))
    return frozenset(boxes_named(said.named, draft.boxes))


def _turns(workspace: Workspace) -> Turns:
    drafts = read_drafts(workspace, "candidate-set")
    wanted = sorted({draft.image_id for draft in drafts})
    items = load_items(workspace, ["image_id", "width", "height"])
    chosen = items.filter(pc.is_in(items.column("image_id"), pa.array(wanted, pa.string())))
    sizes = {row["image_id"]: (row["width"], row["height"]) for row in chosen.to_pylist()}
    lost = [name for name in wanted if None in sizes.get(name, (None,))]
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture {lost[0]} ({len(lost)} of {len(wanted)} of the"
            " drafts); run build-dialogues candidate-set draft again for this catalog"
        )
    by_dialogue = groupby(drafts, key=lambda draft: draft.dialogue_id)
    return Turns(by_dialogue={name: list(turns) for name, turns in by_dialogue}, sizes=sizes)


def _in_order(read: Iterable[AnnotationsRead]) -> list[Reject]:
    rejects = [reject for one in read for reject in one.rejects]
    return sorted(rejects, key=lambda one: (one.path or "", one.row or 0, one.reason))


def _written(
    workspace: Workspace,
    paths: Sequence[Path],
    given: Given,
    dialogues: Sequence[MappedDialogue],
    rejects: Sequence[Reject],
) -> store.Manifest:
    folder = mapped_folder(workspace)
    plan = store.Plan(
        stage="dialogues/candidate-set/mapped",
        inputs={
            "drafts": store.require(
                dialogues_folder(workspace, "candidate-set") / "drafts",
                "build-dialogues candidate-set draft",
            ).digest(),
            "annotations": store.digest_of(
                sorted([path.name, files.sha256_of(path)] for path in paths)
            ),
        },
        settings={"annotator": given.annotator, "at": given.at},
    )
    made = store.finished(folder, plan)
    if made is not None:
        return made
    kept = [one for one in dialogues if one.is_kept]
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        out.table("mapped", to_table(dialogues, MappedDialogue))
        out.table("rejects", to_table(rejects, Reject))
        out.counts.update(
            dialogues=len({one.dialogue_id for one in dialogues}),
            kept=len({one.dialogue_id for one in kept}),
            annotated=len(dialogues),
            annotated_and_kept=len(kept),
            rejects=len(rejects),
        )
        reasons = Counter(one.reason for one in dialogues if one.reason is not None)
        out.reasons.update(sorted(reasons.items()))
    return store.require(folder, "build-dialogues candidate-set map")
