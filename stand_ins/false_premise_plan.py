"""Plans of dialogues with a false premise about the pictures of COCO that are here, for tests."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import get_args

from benchwright import store
from benchwright.identity import image_id_of
from benchwright.records import PlannedDialogue, PremiseClass
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.false_premise.planning.plan import STAGE, plan_folder, schedule_table
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE, Schedule

CLASSES: tuple[PremiseClass, ...] = get_args(PremiseClass)
# picture, object, category: by name, what stands first is planned first
_TARGETS = {
    "dog": ("validation/000000404484", "7981", "animal"),
    "bicycle": ("validation/000000184324", "126207", "vehicle"),
    "donut": ("train/000000024577", "2189168", "food"),
    "boat": ("train/000000204805", "180595", "vehicle"),
    "cook": ("train/000000401416", "421638", "person"),
    "woman": ("validation/000000343937", "425370", "person"),
}


def planned(
    workspace: Workspace, *names: str, classes: Sequence[PremiseClass] | None = None
) -> list[PlannedDialogue]:
    """Return dialogues about some targets, all of them without a name.

    Each is of one class, the classes taking turns, or of each of ``classes``.
    """
    boxes = {
        (item.image_id, thing.object_id): thing.bbox
        for item in iterate_items(workspace)
        for thing in item.objects
    }
    rows = []
    for number, name in enumerate(names or _TARGETS):
        source, object_id, category = _TARGETS[name]
        image_id = image_id_of("coco", f"{source}.jpg")
        rows += [
            PlannedDialogue(
                dialogue_id=f"{image_id}-{premise_class}",
                image_id=image_id,
                object_id=object_id,
                box=boxes[image_id, object_id],
                complexity="single-target clean",
                category=category,
                premise_class=premise_class,
            )
            for premise_class in classes or (CLASSES[number % len(CLASSES)],)
        ]
    return sorted(rows, key=lambda row: row.dialogue_id)


def store_plan(
    workspace: Workspace, rows: Sequence[PlannedDialogue], schedule: Schedule = DEFAULT_SCHEDULE
) -> None:
    """Write a plan of these dialogues, as the command does."""
    plan = store.Plan(stage=STAGE, inputs={}, settings={"schedule": asdict(schedule)}, seed=0)
    with store.writing(plan_folder(workspace), plan, configs={"plan": "plan.parquet"}) as out:
        out.table("plan", to_table(rows, PlannedDialogue))
        out.table("schedule", schedule_table(schedule))
        out.counts.update(dialogues=len(rows))
