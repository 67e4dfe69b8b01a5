"""Audits of attributes: is a label that the votes made right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pydantic

from benchwright import store
from benchwright.decisions.cells import CELL, Cell
from benchwright.decisions.fields import label_field, label_of
from benchwright.decisions.standing import Thing
from benchwright.plain_text import excerpt
from benchwright.records import Decision
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.attributes.templates.used import filled
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary
from labeling.audits.planning.plan_file import PlannedItem, read_plan
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.slot_decision import slot_decision
from labeling.audits.tasks.task import AuditSettings, Facet, Slot, Task, TaskBox, TaskKey

# not those of the screens, and none of the App's own
ALTERNATIVE_KEYS = "123456789abcdeghijklmpqtvw"
_SCORES = ("score", "score_low", "score_high")
_ANSWERS = ("yes", "no")


@dataclass(frozen=True, slots=True)
class _Attributes:
    """The kind; see ``AuditKind``."""

    name: AuditName = "attributes"

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return a task for each label of audits/plan.json, in its order, up to a limit.

        Raises WorkspaceError without a plan or a catalog, UsageError for a vocabulary that cannot
        be read.
        """
        items = read_plan(workspace).items[: settings.limit]
        evidence = None if settings.blind else _evidence(workspace, items)
        wordings = _Wordings(load_vocabulary(workspace.vocabulary))
        subjects = _subjects(workspace, items)
        return [
            _task(item, subjects[item.image_id, item.object_id], wordings, evidence)
            for item in items
        ]

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the decision on the label, and on a value that an auditor holds in its place.

        That one is ``named_for`` the label: no plan drew it, and it touches nothing that the
        auditor says of that value when asked. What was named once and is no more is withdrawn.
        """
        _refuse_odd(slot)
        said, is_withdrawn = _said(slot), slot.verdict == "withdrawn"
        held = () if said.value is None else (said.value,)
        return [
            _on_label(task, slot),
            *(_on_other(task, slot, value, None if is_withdrawn else "yes") for value in held),
            *(
                _on_other(task, slot, value, None)
                for value in said.no_longer
                if value != said.value
            ),
        ]

    def check(
        self, workspace: Workspace, shown: Mapping[str, Any], draft: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return nothing: there is no draft of a label."""
        return {}

    def refusal(self, workspace: Workspace, shown: Mapping[str, Any], slot: Slot) -> str | None:
        """Return why a slot cannot be stored: it answers otherwise than the screen asked."""
        try:
            _refuse_odd(slot)
            said = _said(slot)
        except ValueError as error:
            return str(error)
        known = {other["value"] for other in shown["others"]}
        named = (*said.no_longer, *([] if said.value is None else [said.value]))
        strange = sorted(set(named) - known)
        if strange:
            return f"{shown['type']}: {excerpt(strange[0])} is no other value in vocabulary.yaml"
        return None


KIND = _Attributes()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """What a label is of: ``noun`` is what the question calls it."""

    noun: str
    box: TaskBox | None


class _Said(pydantic.BaseModel):
    """The text of a slot: another value that holds in place of the one asked, and those that the
    auditor held so before and holds no more.
    """

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True)

    value: str | None = None
    no_longer: tuple[str, ...] = ()


class _Wordings:
    """What is asked of a value, and which others could hold in its place."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._first = {
            (each.type, each.value): each.templates[0]
            for each in vocabulary.values
            if each.templates
        }
        exclusive = {each.type for each in vocabulary.types if each.exclusive}
        self._values: dict[str, list[str]] = {name: [] for name in exclusive}
        for each in vocabulary.values:
            if each.type in exclusive:
                self._values[each.type].append(each.value)

    def question(self, item: PlannedItem, noun: str) -> str:
        template = self._first.get((item.type, item.value))
        if template is None:
            return f"{item.type} of the {noun}: {item.value}?"
        return filled(template, noun)

    def others(self, item: PlannedItem) -> list[dict[str, str | None]]:
        """Return the other values with their keys, which a type's values keep in all its tasks."""
        values = self._values.get(item.type, [])
        keys = [*ALTERNATIVE_KEYS[: len(values)], *[None] * (len(values) - len(ALTERNATIVE_KEYS))]
        return [
            {"key": key, "value": value}
            for key, value in zip(keys, values, strict=True)
            if value != item.value
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """What the machine holds of the labels of a plan: scores, and the votes behind them."""

    scores: Mapping[Cell, Mapping[str, float | None]]
    votes: Mapping[Cell, Sequence[Mapping[str, str]]]


def _task(
    item: PlannedItem, subject: _Subject, wordings: _Wordings, evidence: _Evidence | None
) -> Task:
    facets: dict[str, Facet] = {
        "type": item.type,
        "value": item.value,
    }
    shown = {
        "question": wordings.question(item, subject.noun),
        "noun": subject.noun,
        "type": item.type,
        "value": item.value,
        "object": item.object_id is not None,
        "others": wordings.others(item),
        "machine": None,
        "votes": [],
    }
    if evidence is not None:
        cell = item.cell()
        unknown = dict.fromkeys(_SCORES)
        shown["machine"] = {"answer": item.answer, "margin": item.margin} | dict(
            evidence.scores.get(cell, unknown)
        )
        shown["votes"] = list(evidence.votes.get(cell, ()))
        facets |= {
            "machine": item.answer,
            "margin": item.margin,
            "confidence": round(0.5 + item.margin, 6),
        }
    return Task(
        task_id=_task_id(item),
        kind="attributes",
        image_id=item.image_id,
        thing=item.thing(),
        before=item.answer,
        looks=2 if item.twice else 1,
        stratum=item.stratum,
        probability=item.probability,
        facets=facets,
        boxes=() if subject.box is None else (subject.box,),
        shown=shown,
    )


def _task_id(item: PlannedItem) -> str:
    thing = item.thing()
    named = [thing.image_id, thing.object_id, thing.field]
    return "/".join(part for part in named if part is not None)


def _subjects(
    workspace: Workspace, items: Sequence[PlannedItem]
) -> Mapping[tuple[str, str | None], _Subject]:
    """Return what the labels are of; what the catalog no longer has goes without a box."""
    table = _of_pictures(load_items(workspace, ["image_id", "category", "objects"]), items)
    noun = _noun_of_votes(workspace)
    found: dict[tuple[str, str | None], _Subject] = {}
    for row in table.to_pylist():
        image_id = row["image_id"]
        found[image_id, None] = _Subject(noun=noun or _noun(row["category"]), box=None)
        for each in row["objects"]:
            box = TaskBox(label=each["category"], bbox=tuple(each["bbox"]), is_target=True)
            found[image_id, each["object_id"]] = _Subject(
                noun=noun or _noun(each["category"]), box=box
            )
    lost = _Subject(noun=noun or _noun(None), box=None)
    return {
        (item.image_id, item.object_id): found.get((item.image_id, item.object_id), lost)
        for item in items
    }


def _noun_of_votes(workspace: Workspace) -> str | None:
    """Return what all questions of the votes called their subject, where it was no category."""
    manifest = store.load_manifest(workspace.votes)
    return None if manifest is None else manifest.plan.settings.get("noun")


def _noun(category: str | None) -> str:
    return " ".join((category or "").replace("_", " ").split()).lower() or "picture"


def _evidence(workspace: Workspace, items: Sequence[PlannedItem]) -> _Evidence:
    labels = store.read_table(workspace.labels, "labels.parquet", [*CELL, *_SCORES])
    wanted = {item.cell() for item in items}
    return _Evidence(
        scores={
            cell: {name: row[name] for name in _SCORES}
            for cell, row in _rows(_of_pictures(labels, items), wanted)
        },
        votes=_votes(workspace, items, wanted),
    )


def _votes(
    workspace: Workspace, items: Sequence[PlannedItem], wanted: set[Cell]
) -> Mapping[Cell, Sequence[Mapping[str, str]]]:
    """Return the votes on the labels of a plan; shards are read one at a time."""
    manifest = store.load_manifest(workspace.votes)
    found: dict[Cell, list[Mapping[str, str]]] = {}
    columns = [*CELL, "voter", "template", "view", "answer", "status"]
    names = [] if manifest is None else [each for each in manifest.files if "votes-" in each]
    for name in sorted(names):
        shard = store.read_table(workspace.votes, name, columns)
        for cell, row in _rows(_of_pictures(shard, items), wanted):
            found.setdefault(cell, []).append(
                {
                    "voter": row["voter"],
                    "template": row["template"],
                    "view": row["view"],
                    "answer": row["answer"] or row["status"],
                }
            )
    return found


def _of_pictures(table: pa.Table, items: Sequence[PlannedItem]) -> pa.Table:
    planned = pa.array(sorted({item.image_id for item in items}), pa.string())
    return table.filter(pc.is_in(table.column("image_id"), value_set=planned))


def _rows(table: pa.Table, wanted: set[Cell]) -> Iterator[tuple[Cell, dict[str, Any]]]:
    for row in table.to_pylist():
        cell = (row["image_id"], row["object_id"], row["type"], row["value"])
        if cell in wanted:
            yield cell, row


def _on_label(task: TaskKey, slot: Slot) -> Decision:
    answer = _answer(slot)
    if answer in _ANSWERS:
        is_right = answer == task.before
        return slot_decision(task, slot, "confirmed" if is_right else "corrected", answer)
    return slot_decision(task, slot, slot.verdict, None)


def _on_other(task: TaskKey, slot: Slot, value: str, after: str | None) -> Decision:
    label = label_of(task.thing.field)
    if label is None or label[1] == value:
        raise ValueError(f"{task.thing.field}: {value!r} is no other value of its type")
    thing = Thing(*task.thing[:3], label_field(label[0], value))
    other = replace(task, thing=thing, before=None, stratum=None, probability=None)
    # the label's own decision holds how long it took
    untimed = replace(slot, seconds=None)
    made = slot_decision(other, untimed, "withdrawn" if after is None else "corrected", after)
    return replace(made, named_for=task.thing.field)


def _answer(slot: Slot) -> str:
    """Return yes, no, unsure or withdrawn; a screen that does not know the label confirms."""
    if slot.verdict in ("unsure", "withdrawn"):
        return slot.verdict
    if slot.verdict in ("confirmed", "corrected") and slot.value in _ANSWERS:
        return str(slot.value)
    raise ValueError(f"wanted yes, no or unsure of a label, got {slot.verdict} with {slot.value!r}")


def _said(slot: Slot) -> _Said:
    """Return what a slot says of other values; raises ValueError for a text that says nothing."""
    if slot.text is None:
        return _Said()
    try:
        return _Said.model_validate_json(slot.text)
    except pydantic.ValidationError as error:
        raise ValueError(
            f'wanted {{"value": another value}} of a label, got {excerpt(slot.text)}'
        ) from error


def _refuse_odd(slot: Slot) -> None:
    """Raise ValueError where another value goes with an answer other than no."""
    answer = _answer(slot)
    value = _said(slot).value
    if value is not None and answer not in ("no", "withdrawn"):
        raise ValueError(f"another value ({excerpt(value)}) goes with the answer no, not {answer}")
