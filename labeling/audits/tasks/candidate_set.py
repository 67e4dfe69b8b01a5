"""Tasks of candidate sets: at each turn of a dialogue, which boxes are still plausible."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import seeds
from benchwright.decisions.standing import Thing
from benchwright.errors import WorkspaceError
from benchwright.plain_text import excerpt
from benchwright.records import CandidateSet, Decision, Item, ProposedMarks, Verdict
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.audits.tasks.checks_shown import checks_shown
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.overlap import seen_twice
from labeling.audits.tasks.slot_decision import slot_decision
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskBox, TaskKey
from labeling.dialogues.candidate_set import rules
from labeling.dialogues.candidate_set.box_ids import ids_text
from labeling.dialogues.candidate_set.deciding import FIELD, marked_verdict
from labeling.dialogues.candidate_set.numbering import target_of
from labeling.dialogues.candidate_set.proposing.proposals import read_proposals
from labeling.dialogues.staleness import refuse_stale_drafts
from labeling.dialogues.stored import read_drafts, record_id_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sight:
    """What is known of the picture of a dialogue; ``target`` is null where it is not to be shown.

    ``path`` is under the pictures of the catalog.
    """

    path: str
    width: int
    height: int
    target: str | None


class CandidateSetAudit:
    """The audit ``candidate-set``: a task a turn, the turns of a dialogue one after another.

    Dialogues come in a seeded order, so that the first so many are a random part. All turns of a
    dialogue are seen by two auditors, or none.
    """

    name: AuditName = "candidate-set"

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return the tasks; with a limit, those of whole dialogues up to so many tasks.

        Raises WorkspaceError where there are no drafts, where dialogues were chosen anew since, or
        where the pictures are not those of the catalog.
        """
        refuse_stale_drafts(workspace, "candidate-set")
        dialogues = {
            name: list(turns)
            for name, turns in groupby(
                read_drafts(workspace, "candidate-set"), key=lambda one: one.dialogue_id
            )
        }
        order = seeds.shuffled(list(dialogues), settings.seed, "audit-dialogues")
        chosen = _within(settings.limit, [dialogues[name] for name in order])
        twice = seen_twice(
            [turns[0].dialogue_id for turns in chosen], settings.overlap, settings.seed
        )
        sights = _sights(workspace, chosen, blind=settings.blind)
        proposals = {} if settings.blind else read_proposals(workspace)
        return [
            task
            for turns in chosen
            for task in _tasks_of(
                turns,
                sights[turns[0].dialogue_id],
                proposals,
                looks=2 if turns[0].dialogue_id in twice else 1,
                blind=settings.blind,
            )
        ]

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the one decision of a slot: ``after`` is the JSON list of the marked boxes.

        A verdict of ``rejected`` calls the dialogue unusable. Raises ValueError for marks of none.
        """
        marks = ids_text(slot.boxes) if slot.verdict in ("confirmed", "corrected") else None
        if marks is not None and not slot.boxes:
            raise ValueError(f"{task.task_id}: a turn was stored without a box")
        verdict: Verdict = slot.verdict
        if marks is not None:
            verdict = marked_verdict(task.before, marks)
        return [slot_decision(task, slot, verdict, marks)]

    def check(
        self,
        workspace: Workspace,
        shown: Mapping[str, Any],
        draft: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """Return the ``checks`` of marks, and as ``advice`` what is seldom right about them.

        ``draft`` holds ``boxes``, the ids that are marked, and ``last``, the auditor's own of the
        turn before, null where there are none. What is advised against can be stored.
        """
        ids = _texts(draft.get("boxes"))
        checks = [rules.has_candidate(ids), rules.are_known(ids, _known(shown))]
        advice = []
        if draft.get("last") is not None:
            advice.append(rules.narrows(_texts(draft["last"]), ids))
        if shown.get("target") is not None:
            advice.append(rules.keeps_target(ids, shown["target"]))
        return {"checks": checks_shown(checks), "advice": checks_shown(advice)}

    def refusal(
        self,
        workspace: Workspace,
        shown: Mapping[str, Any],
        slot: Slot,
    ) -> str | None:
        """Return why a slot cannot be stored: marks of no box, or of one that is not there."""
        if slot.verdict not in ("confirmed", "corrected"):
            return None
        checks = (rules.has_candidate(slot.boxes), rules.are_known(slot.boxes, _known(shown)))
        failed = next((each.reason for each in checks if not each.passed), None)
        return None if failed is None else f"{failed}; mark each object that may still be meant"


def _within(
    limit: int | None, dialogues: Sequence[list[CandidateSet]]
) -> Sequence[list[CandidateSet]]:
    """Return the first dialogues, one at least, that have no more turns than the limit."""
    if limit is None:
        return dialogues
    kept, turns = 0, 0
    for dialogue in dialogues:
        turns += len(dialogue)
        if kept and turns > limit:
            break
        kept += 1
    return dialogues[:kept]


def _sights(
    workspace: Workspace, dialogues: Iterable[Sequence[CandidateSet]], *, blind: bool
) -> Mapping[str, _Sight]:
    """Return what is known of the picture of each dialogue, by dialogue id."""
    wanted = {turns[0].dialogue_id: turns[0] for turns in dialogues}
    items = load_items(workspace)
    of_them = pc.is_in(
        items.column("image_id"), pa.array(sorted({one.image_id for one in wanted.values()}))
    )
    found = {}
    for item in from_table(items.filter(of_them), Item):
        for dialogue in item.dialogues:
            draft = wanted.get(dialogue.dialogue_id)
            if draft is None or draft.image_id != item.image_id or item.image is None:
                continue
            found[dialogue.dialogue_id] = _Sight(
                path=item.image,
                width=item.width or 0,
                height=item.height or 0,
                target=None if blind else target_of(draft.boxes, dialogue),
            )
    lost = sorted(set(wanted).difference(found))
    if lost:
        raise WorkspaceError(
            f"{workspace.catalog}: has no picture of dialogue {lost[0]} ({len(lost)} of"
            f" {len(wanted)} dialogues); run build-dialogues candidate-set draft again for this"
            " catalog"
        )
    return found


def _tasks_of(
    turns: Sequence[CandidateSet],
    sight: _Sight,
    proposals: Mapping[str, ProposedMarks],
    *,
    looks: int,
    blind: bool,
) -> Iterator[Task]:
    said = 0
    for record in turns:
        record_id = record_id_of(record)
        yield Task(
            task_id=record_id,
            kind="candidate-set",
            image_id=record.image_id,
            thing=Thing(None, None, record_id, FIELD),
            before=ids_text(record.candidate_ids) if record.candidate_ids else None,
            looks=looks,
            facets={
                "dialogue_id": record.dialogue_id,
                "turn": record.turn,
                "turns": len(turns),
                "box_count": len(record.boxes),
            },
            boxes=_task_boxes(record, sight),
            shown={
                **_shown(record, sight, said, len(turns), blind=blind),
                "model_marks": _model_marks(proposals.get(record_id)),
            },
        )
        said = len(record.context)


def _task_boxes(record: CandidateSet, sight: _Sight) -> tuple[TaskBox, ...]:
    return tuple(
        TaskBox(
            label=box.box_id if box.category is None else f"{box.box_id} {box.category}",
            bbox=box.bbox,
            is_target=box.box_id == sight.target,
        )
        for box in record.boxes
    )


def _shown(
    record: CandidateSet, sight: _Sight, said: int, turns: int, *, blind: bool
) -> Mapping[str, Any]:
    """Return what the screen draws; the lines from ``said`` on (from 0) are those of this turn."""
    return {
        "dialogue_id": record.dialogue_id,
        "turn": record.turn,
        "turns": turns,
        "picture": sight.path,
        "width": sight.width,
        "height": sight.height,
        "first_utterance": record.first_utterance,
        "context": [{"speaker": line.speaker, "text": line.text} for line in record.context],
        "said": said,
        "boxes": [
            {"id": box.box_id, "category": box.category, "bbox": list(box.bbox)}
            for box in record.boxes
        ],
        "target": sight.target,
        "proposed": None if blind else list(record.candidate_ids) or None,
    }


def _model_marks(proposal: ProposedMarks | None) -> Mapping[str, Any] | None:
    """Return what a model proposed, under its name; null where none did."""
    if proposal is None:
        return None
    return {"model": excerpt(proposal.model, 40), "boxes": list(proposal.box_ids)}


def _known(shown: Mapping[str, Any]) -> list[str]:
    return [box["id"] for box in shown["boxes"]]


def _texts(value: Any) -> list[str]:
    """Return the texts of what a screen sent as a list."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


KIND = CandidateSetAudit()
