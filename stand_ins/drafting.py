"""What the steps before the check leave of hand-written false premises, for tests."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from benchwright import store
from benchwright.records import Described, FalsePremise, Falsified, PlannedDialogue
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.describing.describe import described_folder
from labeling.dialogues.false_premise.falsifying.falsified import falsified_folder
from labeling.dialogues.false_premise.planning.plan import plan_folder
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE


def planned(record: FalsePremise) -> PlannedDialogue:
    """Return the plan that a draft came of."""
    return PlannedDialogue(
        dialogue_id=record.dialogue_id,
        image_id=record.image_id,
        object_id="1",
        box=record.box,
        complexity=record.complexity,
        category=record.category,
        premise_class=record.premise_class,
    )


def described(record: FalsePremise) -> Described:
    """Return what was described before a draft was made."""
    return Described(
        dialogue_id=record.dialogue_id,
        true_description=record.true_description,
        questions=tuple(turn.true_question for turn in record.turns),
        model="writer",
        faults=(),
        is_failed=False,
    )


def falsified(record: FalsePremise, **more: Any) -> Falsified:
    """Return what was falsified before a draft was made."""
    said: dict[str, Any] = {
        "dialogue_id": record.dialogue_id,
        "variant": record.variant,
        "false_description": record.false_description,
        "model": "writer",
        "faults": (),
        "refused": (),
        "is_failed": False,
    }
    return Falsified(**{**said, **more})


def store_falsified(
    workspace: Workspace, records: Iterable[FalsePremise], rows: Iterable[Falsified] | None = None
) -> None:
    """Write what comes before the check: plan, descriptions, and false ones (``rows``)."""
    first = list(records)
    of: Mapping[Any, tuple[str, Iterable[Any]]] = {
        PlannedDialogue: ("plan", map(planned, first)),
        Described: ("described", map(described, first)),
        Falsified: ("falsified", map(falsified, first) if rows is None else rows),
    }
    digests: dict[str, str] = {}
    folders = (plan_folder(workspace), described_folder(workspace), falsified_folder(workspace))
    for folder, (kind, (name, made)) in zip(folders, of.items(), strict=True):
        settings = {"schedule": asdict(DEFAULT_SCHEDULE)} if name == "plan" else {}
        plan = store.Plan(
            stage=f"dialogues/false-premise/{name}", inputs=dict(digests), settings=settings
        )
        with store.writing(folder, plan, configs={name: f"{name}.parquet"}) as out:
            ordered = sorted(made, key=lambda one: (one.dialogue_id, getattr(one, "variant", 0)))
            out.table(name, to_table(ordered, kind))
            out.counts.update(failed=0)
        digests[name] = store.require(folder, "the step before").digest()
