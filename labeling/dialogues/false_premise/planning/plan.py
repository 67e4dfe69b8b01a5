"""Planning: pictures are put into the cells of the grid, each with a target (FPCO-Dialog, 3.2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchwright import seeds, store
from benchwright.arrow_fields import required
from benchwright.errors import UsageError
from benchwright.records import PlannedDialogue
from benchwright.rows import content_digest, from_table, to_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items, load_items
from builders.complexity import CATEGORIES, LEVELS, Cell, GridRules
from builders.duplicates.groups import groups_digest, groups_of
from labeling.dialogues.false_premise.planning.cells import (
    CLASSES,
    PlannedCell,
    cells_of,
    cells_table,
)
from labeling.dialogues.false_premise.planning.filling import Place, fill
from labeling.dialogues.false_premise.planning.pictures import (
    Fitting,
    fitting_pictures,
    one_of_each_group,
)
from labeling.dialogues.false_premise.rules.turns import DEFAULT_SCHEDULE, Schedule
from labeling.dialogues.stored import dialogues_folder

COMMAND = "build-dialogues false-premise plan"
STAGE = "dialogues/false-premise/plan"
_CONFIGS = {"plan": "plan.parquet", "cells": "cells.parquet", "schedule": "schedule.parquet"}
_SCHEDULE = pa.schema([required("correct", pa.int32()), required("turns", pa.int32())])
_CELLS: tuple[Cell, ...] = tuple((category, level) for level in LEVELS for category in CATEGORIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSettings:
    """What a plan is to be.

    ``per_cell`` dialogues for each complexity, category and class. ``is_crossed`` puts a picture
    under all three classes, with one target. ``schedule`` is for the steps after it, which are not
    done where it is another one.
    """

    per_cell: int = 30
    is_crossed: bool = False
    rules: GridRules = field(default_factory=GridRules)
    schedule: Schedule = DEFAULT_SCHEDULE
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A plan that is written nowhere yet; ``fitting`` counts the pictures that fill some cell."""

    dialogues: Sequence[PlannedDialogue]
    cells: Sequence[PlannedCell]
    schedule: Schedule
    fitting: int

    def tables(self) -> Mapping[str, pa.Table]:
        """Return the tables of the stage."""
        return {
            "plan": to_table(self.dialogues, PlannedDialogue),
            "cells": cells_table(self.cells),
            "schedule": schedule_table(self.schedule),
        }

    def digest(self) -> str:
        """Return the identity that the plan has once it is written."""
        tables = self.tables()
        return store.digest_of({name: content_digest([table]) for name, table in tables.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A finished plan; ``is_new`` is false where it stood there already."""

    manifest: store.Manifest
    is_new: bool


def plan_folder(workspace: Workspace) -> Path:
    """Return the folder of the plan."""
    return dialogues_folder(workspace, "false-premise") / "plan"


def plan_dialogues(workspace: Workspace, settings: PlanSettings, *, force: bool = False) -> Planned:
    """Write dialogues, cells and schedule, or do nothing where this very plan stands already.

    Raises WorkspaceError where there is no catalog, and UsageError where the schedule has no true
    or no false turn, or no picture fills a cell.
    """
    _check(settings.schedule)
    made = None if force else finished_plan(workspace, settings)
    if made is not None:
        return Planned(manifest=made, is_new=False)
    folder, plan = plan_folder(workspace), _plan(workspace, settings)
    with store.writing(folder, plan, configs=_CONFIGS) as out:
        proposed = propose_plan(workspace, settings)
        for name, table in proposed.tables().items():
            out.table(name, table)
        out.counts.update(
            fitting=proposed.fitting,
            pictures=len({one.image_id for one in proposed.dialogues}),
            dialogues=len(proposed.dialogues),
            missing=sum(cell.missing for cell in proposed.cells),
        )
    return Planned(manifest=store.require(folder, COMMAND), is_new=True)


def finished_plan(workspace: Workspace, settings: PlanSettings) -> store.Manifest | None:
    """Return the manifest of the plan where just this one stands; raises WorkspaceError."""
    return store.finished(plan_folder(workspace), _plan(workspace, settings))


def propose_plan(workspace: Workspace, settings: PlanSettings) -> Proposed:
    """Return what ``plan_dialogues`` would write, without writing it; raises as it does."""
    _check(settings.schedule)
    fitting = fitting_pictures(iterate_items(workspace), settings.rules, settings.seed)
    if not fitting:
        raise UsageError(
            f"{workspace.catalog}: wanted pictures with boxes of people, vehicles, animals or"
            " food that are large enough, found none; build a catalog with build-catalog coco"
            " or open-images, and look at it with build-catalog grid"
        )
    dialogues, cells = make_plan(one_of_each_group(fitting, _groups(workspace)), settings)
    return Proposed(
        dialogues=dialogues, cells=cells, schedule=settings.schedule, fitting=len(fitting)
    )


def make_plan(
    groups: Mapping[str, Sequence[Fitting]], settings: PlanSettings
) -> tuple[list[PlannedDialogue], list[PlannedCell]]:
    """Return the dialogues, in the order of their ids, and all cells of the grid.

    At most one picture of a group is planned, in one cell, or in the three of its classes.
    """
    able = {
        name: frozenset(cell for one in some for cell in one.targets)
        for name, some in groups.items()
    }
    dialogues = [
        dialogue
        for name, place in _filled(able, settings).items()
        for dialogue in _dialogues(groups[name], place, settings.seed)
    ]
    dialogues.sort(key=lambda one: one.dialogue_id)
    filled = Counter((one.category, one.complexity, one.premise_class) for one in dialogues)
    candidates = Counter(cell for cells in able.values() for cell in cells)
    cells = [
        PlannedCell(
            complexity=level,
            category=category,
            premise_class=premise_class,
            wanted=settings.per_cell,
            filled=(count := filled[category, level, premise_class]),
            missing=settings.per_cell - count,
            candidates=candidates[category, level],
        )
        for category, level in _CELLS
        for premise_class in CLASSES
    ]
    return dialogues, cells


def schedule_table(schedule: Schedule) -> pa.Table:
    """Return a schedule as a table of one row: with another one a plan has another identity."""
    return pa.Table.from_pylist([asdict(schedule)], schema=_SCHEDULE)


def read_plan(workspace: Workspace) -> list[PlannedDialogue]:
    """Return the planned dialogues, in the order of their ids.

    Raises WorkspaceError, with the command to run, where there is no plan, and CorruptShard.
    """
    store.require(plan_folder(workspace), COMMAND)
    table = store.read_table(plan_folder(workspace), "plan.parquet")
    return list(from_table(table, PlannedDialogue))


def read_cells(workspace: Workspace) -> list[PlannedCell]:
    """Return the cells by complexity, category and class; raises as ``read_plan`` does."""
    store.require(plan_folder(workspace), COMMAND)
    return cells_of(store.read_table(plan_folder(workspace), "cells.parquet"))


def schedule_of(workspace: Workspace) -> Schedule:
    """Return the schedule of the plan; raises WorkspaceError where there is no plan."""
    said = store.require(plan_folder(workspace), COMMAND).plan.settings
    return Schedule(**said["schedule"])


def _check(schedule: Schedule) -> None:
    if not 0 < schedule.correct < schedule.turns:
        raise UsageError(
            "wanted turns with the true description and others with the false one, got"
            f" --correct-turns {schedule.correct} of --turns {schedule.turns}; take fewer correct"
            " turns, or more turns"
        )


def plan_inputs(workspace: Workspace) -> dict[str, str]:
    """Return the digests of what a plan would be made of now; raises WorkspaceError."""
    inputs = {"catalog": store.require(workspace.catalog, "build-catalog").digest()}
    duplicates = groups_digest(workspace)
    if duplicates is not None:
        inputs["duplicates"] = duplicates
    return inputs


def _plan(workspace: Workspace, settings: PlanSettings) -> store.Plan:
    return store.Plan(
        stage=STAGE,
        inputs=plan_inputs(workspace),
        settings={
            "per_cell": settings.per_cell,
            "is_crossed": settings.is_crossed,
            "schedule": asdict(settings.schedule),
            "rules": settings_of_rules(settings.rules),
        },
        seed=settings.seed,
    )


def settings_of_rules(rules: GridRules) -> dict[str, Any]:
    """Return rules as the manifest holds them: the categories by their digest."""
    said = {each.name: getattr(rules, each.name) for each in fields(GridRules)}
    return said | {"categories": store.digest_of(dict(rules.categories))}


def _groups(workspace: Workspace) -> Mapping[str, str | None]:
    names = load_items(workspace, ["image_id"]).column("image_id").to_pylist()
    return dict(zip(names, groups_of(workspace).to_pylist(), strict=True))


def _filled(able: Mapping[str, frozenset[Cell]], settings: PlanSettings) -> dict[str, Place]:
    """Return where each chosen group goes: a cell with its class or, where crossed, without one."""
    if settings.is_crossed:
        return fill(able, _CELLS, settings.per_cell, settings.seed)
    with_class = {
        cells: frozenset((*cell, premise_class) for cell in cells for premise_class in CLASSES)
        for cells in set(able.values())
    }
    places = [(*cell, premise_class) for cell in _CELLS for premise_class in CLASSES]
    return fill(
        {name: with_class[cells] for name, cells in able.items()},
        places,
        settings.per_cell,
        settings.seed,
    )


def _dialogues(group: Sequence[Fitting], place: Place, seed: int) -> list[PlannedDialogue]:
    """Return the dialogues of the picture of a group that the seed chooses for a place."""
    cell = next(cell for cell in _CELLS if cell == place[:2])
    classes = place[2:] or CLASSES
    able = {one.image_id: one for one in group if cell in one.targets}
    chosen = able[seeds.shuffled(list(able), seed, "picture-of-group")[0]]
    target = chosen.targets[cell]
    return [
        PlannedDialogue(
            dialogue_id=f"{chosen.image_id}-{premise_class}",
            image_id=chosen.image_id,
            object_id=target.object_id,
            box=target.box,
            complexity=cell[1],
            category=cell[0],
            premise_class=premise_class,
        )
        for premise_class in CLASSES
        if premise_class in classes
    ]
