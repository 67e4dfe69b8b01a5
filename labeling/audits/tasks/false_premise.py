"""Tasks of false premises: whether a dialogue is as it must be, and a better wording if not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from benchwright import seeds, store
from benchwright.boxes import Box
from benchwright.decisions.standing import Thing
from benchwright.errors import UsageError
from benchwright.records import Check, Decision, FalsePremise, PremiseTurn
from benchwright.workspace import Workspace
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.overlap import seen_twice
from labeling.audits.tasks.slot_decision import slot_decision
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskBox, TaskKey
from labeling.dialogues.false_premise.deciding import (
    CHECKLIST,
    FIELD,
    corrected_description,
    corrected_text,
)
from labeling.dialogues.false_premise.falsifying.draft import planned_id
from labeling.dialogues.false_premise.rebuilding import rebuild
from labeling.dialogues.false_premise.rules.checks import RULES, check_dialogue
from labeling.dialogues.false_premise.rules.edits import edit_between
from labeling.dialogues.false_premise.rules.turns import places_of, repairs_in
from labeling.dialogues.false_premise.seeing.verdicts import boxes_of
from labeling.dialogues.staleness import refuse_stale_drafts
from labeling.dialogues.stored import drafts_folder, read_drafts, record_digest

if TYPE_CHECKING:
    from benchwright.asking.voters import Voter


class FalsePremiseAudit:
    """The audit ``false-premise``: a task a dialogue.

    What voters did not settle by sight comes first, the rest in a seeded order.
    """

    name: AuditName = "false-premise"

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return the tasks; raises WorkspaceError, with what to do, without drafts of what stands.

        Nothing is left out where the audit is blind: a false description is no label of a machine.
        """
        refuse_stale_drafts(workspace, "false-premise")
        drafts = {draft.dialogue_id: draft for draft in read_drafts(workspace, "false-premise")}
        seen = _boxes_seen(workspace)
        order = seeds.shuffled(list(drafts), settings.seed, "audit-dialogues")
        order.sort(key=lambda name: _is_settled(drafts[name]))
        chosen = order[: settings.limit]
        twice = seen_twice(chosen, settings.overlap, settings.seed)
        return [_task_of(drafts[name], seen, looks=2 if name in twice else 1) for name in chosen]

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the one decision of a slot.

        ``after`` is the digest of the draft where it was confirmed, and JSON of the new wording
        where it was corrected. Raises ValueError for a correction that says none.
        """
        after = None
        if slot.verdict == "confirmed":
            after = task.before
        elif slot.verdict == "corrected":
            after = corrected_text(corrected_description(slot.text))
        return [slot_decision(task, slot, slot.verdict, after)]

    def check(
        self, workspace: Workspace, shown: Mapping[str, Any], draft: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return what the screen draws anew for another ``false_description`` of a draft.

        The keys are those of ``shown`` that change, ``checks`` among them.
        """
        said = draft.get("false_description")
        made = rebuild(_record_of(shown), said if isinstance(said, str) else "")
        return _shown_anew(made)

    def refusal(self, workspace: Workspace, shown: Mapping[str, Any], slot: Slot) -> str | None:
        """Return why a slot cannot be stored; null where it can.

        Nothing is approved that fails a check by rule or an entry of the checklist; who rejects
        says which entry failed.
        """
        unknown = [name for name in slot.failed if name not in CHECKLIST]
        if unknown:
            return f"no {unknown[0]!r} is on the checklist: {', '.join(CHECKLIST)}"
        if slot.verdict == "rejected" and not slot.failed:
            return f"mark what failed, then reject: {', '.join(CHECKLIST)}"
        if slot.verdict not in ("confirmed", "corrected"):
            return None
        if slot.failed:
            return f"not ticked: {', '.join(slot.failed)}; tick what holds, then approve"
        return _why_no_approval(_record_of(shown), slot)

    def redraft(
        self, workspace: Workspace, shown: Mapping[str, Any], voter: "Voter", tried: Sequence[str]
    ) -> Mapping[str, Any]:
        """Return another draft by a model; raises as ``redrafting.redraft``."""
        from labeling.dialogues.false_premise.redrafting import (  # noqa: PLC0415  # imports openai
            redraft,
        )

        name = shown["dialogue_id"]
        for draft in read_drafts(workspace, "false-premise"):
            if draft.dialogue_id == name:
                return {"false_description": redraft(workspace, draft, voter, tried)}
        raise UsageError(f"dialogue {name} is no draft any more; open the audit again")


def _by_sight(record: FalsePremise) -> list[Check]:
    return [check for check in record.checks if check.name not in RULES]


def _is_settled(record: FalsePremise) -> bool:
    return all(check.passed for check in _by_sight(record))


def _boxes_seen(workspace: Workspace) -> Mapping[str, Sequence[Box]]:
    """Return the boxes that voters looked at, the first one's number being 1, by dialogue.

    There are none where the drafts were not made of what is seen now.
    """
    from labeling.dialogues.false_premise.seeing.see import (  # noqa: PLC0415  # imports openai
        read_sightings,
        seen_folder,
    )

    drafts = store.load_manifest(drafts_folder(workspace, "false-premise"))
    seen = store.load_manifest(seen_folder(workspace))
    if drafts is None or seen is None or drafts.plan.inputs.get("seen") != seen.digest():
        return {}
    return boxes_of(read_sightings(workspace))


def _boxes_of(record: FalsePremise, seen: Mapping[str, Sequence[Box]]) -> Iterator[TaskBox]:
    """Yield the target, and the other boxes that the reasons of checks by sight name."""
    yield TaskBox(label="target", bbox=record.box, is_target=True)
    reasons = " ".join(check.reason or "" for check in _by_sight(record))
    for number, box in enumerate(seen.get(planned_id(record), ()), 1):
        if f"box {number} at " in reasons:
            yield TaskBox(label=f"box {number}", bbox=box)


def _task_of(record: FalsePremise, seen: Mapping[str, Sequence[Box]], *, looks: int) -> Task:
    return Task(
        task_id=record.dialogue_id,
        kind="false-premise",
        image_id=record.image_id,
        thing=Thing(None, None, record.dialogue_id, FIELD),
        before=record_digest(record),
        looks=looks,
        facets={
            "type": record.premise_class,
            "category": record.category,
            "complexity": record.complexity,
            "variant": record.variant,
            "is_settled_by_sight": _is_settled(record),
            "keeps_rules": all(check.passed for check in check_dialogue(record)),
        },
        boxes=tuple(_boxes_of(record, seen)),
        shown={
            "dialogue_id": record.dialogue_id,
            "premise_class": record.premise_class,
            "category": record.category,
            "complexity": record.complexity,
            "variant": record.variant,
            "checklist": list(CHECKLIST),
            "true_description": record.true_description,
            **_shown_anew(record),
        },
    )


def _shown_anew(record: FalsePremise) -> dict[str, Any]:
    """Return what the screen shows of the false description.

    A span is [first, past the last] in code points. ``true_span`` and ``false_span`` are what the
    edit changes in the two descriptions; ``span`` is the description in the question that is asked,
    null where it does not stand there just once, ``repairs`` the words beside it that changed.
    Only checks ``by_rule`` keep from approving.
    """
    edit = record.edit
    return {
        "false_description": record.false_description,
        "edit": asdict(edit),
        "true_span": [edit.start, edit.start + len(edit.before)],
        "false_span": [edit.start, edit.start + len(edit.after)],
        "questions": [_question(record, turn) for turn in record.turns],
        "checks": [
            asdict(check) | {"by_rule": check.name in RULES}
            for check in (*check_dialogue(record), *_by_sight(record))
        ],
    }


def _question(record: FalsePremise, turn: PremiseTurn) -> dict[str, Any]:
    description = record.false_description if turn.has_false_premise else record.true_description
    places = places_of(turn.asked_question, description)
    start = len(places[0].before) if len(places) == 1 else 0
    return {
        "index": turn.index,
        "true": turn.true_question,
        "asked": turn.asked_question,
        "is_false": turn.has_false_premise,
        "span": [start, start + len(description)] if len(places) == 1 else None,
        "repairs": [list(span) for span in repairs_in(turn, record)],
    }


def _record_of(shown: Mapping[str, Any]) -> FalsePremise:
    """Return the draft of a task, without what the rules do not look at."""
    true, false = shown["true_description"], shown["false_description"]
    return FalsePremise(
        dialogue_id=shown["dialogue_id"],
        image_id="",
        box=(0.0, 0.0, 0.0, 0.0),
        complexity=shown["complexity"],
        category=shown["category"],
        premise_class=shown["premise_class"],
        true_description=true,
        false_description=false,
        edit=edit_between(true, false),
        variant=shown["variant"],
        turns=tuple(
            PremiseTurn(
                index=question["index"],
                true_question=question["true"],
                asked_question=question["asked"],
                has_false_premise=question["is_false"],
            )
            for question in shown["questions"]
        ),
        checks=(),
        models=(),
        approvals=(),
    )


def _why_no_approval(record: FalsePremise, slot: Slot) -> str | None:
    checked = record
    if slot.verdict == "corrected":
        try:
            said = corrected_description(slot.text)
        except ValueError as error:
            return str(error)
        if said == record.false_description:
            return "the wording is that of the draft; approve it as it is"
        checked = rebuild(record, said)
    failing = next((check for check in check_dialogue(checked) if not check.passed), None)
    if failing is None:
        return None
    return f"{failing.name}: {failing.reason}; mend the false description (e) or reject it (j)"


KIND = FalsePremiseAudit()
