"""The plan of a catalog: real boxes end to end, crossed, one picture of a group, what is stored."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Item, PlannedDialogue
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.complexity import CATEGORIES, LEVELS, Cell, GridRules, load_rules
from builders.duplicates.groups import FOLDER, GROUPS
from labeling.dialogues.false_premise.planning.cells import CLASSES
from labeling.dialogues.false_premise.planning.pictures import Fitting, Target, fitting_pictures
from labeling.dialogues.false_premise.planning.plan import (
    PlanSettings,
    make_plan,
    plan_dialogues,
    plan_folder,
    read_cells,
    read_plan,
    schedule_of,
)
from labeling.dialogues.false_premise.rules.turns import Schedule

WithCatalog = Callable[[str], Workspace]
CELLS: list[Cell] = [(category, level) for level in LEVELS for category in CATEGORIES]
CLEAN, SEPARATED, OVERLAPPING = LEVELS


def files_of(workspace: Workspace) -> dict[str, bytes]:
    folder = plan_folder(workspace)
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".json"}


def table_of(workspace: Workspace) -> dict[tuple[str, str], tuple[list[int], int]]:
    """Filled of each class, and candidates, by complexity and category."""
    found: dict[tuple[str, str], tuple[list[int], int]] = {}
    for cell in read_cells(workspace):
        counts, _ = found.setdefault((cell.complexity, cell.category), ([], cell.candidates))
        counts.append(cell.filled)
        assert cell.missing == cell.wanted - cell.filled
    return found


def test_real_boxes_fill_what_they_can(with_catalog: WithCatalog) -> None:
    workspace = with_catalog("w")
    counts = plan_dialogues(workspace, PlanSettings(per_cell=2)).manifest.counts
    assert counts == {"fitting": 43, "pictures": 42, "dialogues": 42, "missing": 30}
    rows = {key: (sum(filled), able) for key, (filled, able) in table_of(workspace).items()}
    assert rows == {
        (CLEAN, "person"): (6, 10),
        (CLEAN, "vehicle"): (6, 8),
        (CLEAN, "animal"): (6, 8),
        (CLEAN, "food"): (3, 3),
        (SEPARATED, "person"): (5, 7),
        (SEPARATED, "vehicle"): (0, 0),
        (SEPARATED, "animal"): (2, 2),
        (SEPARATED, "food"): (0, 0),
        (OVERLAPPING, "person"): (6, 9),
        (OVERLAPPING, "vehicle"): (4, 4),
        (OVERLAPPING, "animal"): (0, 0),
        (OVERLAPPING, "food"): (4, 4),
    }
    assert all(max(filled) - min(filled) <= 1 for filled, _ in table_of(workspace).values())
    dialogues = read_plan(workspace)
    assert len({one.image_id for one in dialogues}) == 42  # each picture once
    items = {item.image_id: item for item in iterate_items(workspace)}
    for one in dialogues:
        assert one.dialogue_id == f"{one.image_id}-{one.premise_class}"
        boxes = {each.object_id: each.bbox for each in items[one.image_id].objects}
        assert boxes[one.object_id] == one.box


def test_crossed_puts_a_picture_under_all_classes(with_catalog: WithCatalog) -> None:
    workspace = with_catalog("w")
    made = plan_dialogues(workspace, PlanSettings(per_cell=2, is_crossed=True)).manifest
    assert made.counts == {"fitting": 43, "pictures": 18, "dialogues": 54, "missing": 18}
    by_picture: dict[str, list[PlannedDialogue]] = {}
    for one in read_plan(workspace):
        by_picture.setdefault(one.image_id, []).append(one)
    for some in by_picture.values():
        assert [one.premise_class for one in some] == sorted(CLASSES)
        assert len({(one.object_id, one.box, one.complexity, one.category) for one in some}) == 1
    for filled, able in table_of(workspace).values():
        assert filled == [min(2, able)] * 3


def test_the_same_settings_give_the_same_bytes_and_a_seed_others(with_catalog: WithCatalog) -> None:
    first, other, seeded = map(with_catalog, "abc")
    plan_dialogues(first, PlanSettings(per_cell=1))
    plan_dialogues(other, PlanSettings(per_cell=1))
    plan_dialogues(seeded, PlanSettings(per_cell=1, seed=1))
    assert files_of(first) == files_of(other)
    assert [one.image_id for one in read_plan(first)] != [one.image_id for one in read_plan(seeded)]


def test_the_order_of_the_catalog_does_not_matter(coco: Workspace, tmp_path: Path) -> None:
    items = list(iterate_items(coco))
    plans = []
    for name, rows in (("a", items), ("b", items[::-1])):
        workspace = Workspace(tmp_path / name)
        plan = store.Plan(stage="catalog", inputs={}, settings={})
        configs = {"items": "items-*.parquet"}
        with store.writing(workspace.catalog, plan, configs=configs) as out:
            out.shards("items", to_table(rows, Item))
        plan_dialogues(workspace, PlanSettings(per_cell=1))
        plans.append(files_of(workspace))
    assert plans[0] == plans[1]


def test_what_stands_is_left_alone_and_what_changes_it_makes_it_anew(
    with_catalog: WithCatalog, tmp_path: Path
) -> None:
    workspace, settings = with_catalog("w"), PlanSettings(per_cell=1)
    assert plan_dialogues(workspace, settings).is_new
    assert not plan_dialogues(workspace, settings).is_new
    assert plan_dialogues(workspace, settings, force=True).is_new
    rules = tmp_path / "rules.yaml"
    rules.write_text("target_area: 0.2\ncategories: {chair: food}\n", "utf-8")
    for changed in (
        replace(settings, per_cell=2),
        replace(settings, is_crossed=True),
        replace(settings, seed=5),
        replace(settings, schedule=Schedule(correct=2, turns=4)),
        replace(settings, rules=load_rules(rules)),
    ):
        assert plan_dialogues(workspace, changed).is_new
        assert not plan_dialogues(workspace, changed).is_new


def test_rules_of_a_file_decide_what_a_target_is(with_catalog: WithCatalog, tmp_path: Path) -> None:
    workspace, rules = with_catalog("w"), tmp_path / "rules.yaml"
    rules.write_text("target_area: 0.2\n", "utf-8")
    plan_dialogues(workspace, PlanSettings(per_cell=9, rules=load_rules(rules)))
    sizes = {item.image_id: (item.width, item.height) for item in iterate_items(workspace)}
    shares = []
    for one in read_plan(workspace):
        width, height = sizes[one.image_id]
        assert width is not None
        assert height is not None
        shares.append(one.box[2] * one.box[3] / (width * height))
    assert shares
    assert min(shares) >= 0.2


def test_one_picture_of_a_group_is_planned(coco: Workspace, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    workspace.catalog.mkdir()
    for path in coco.catalog.iterdir():
        (workspace.catalog / path.name).symlink_to(path)
    names = [item.image_id for item in iterate_items(coco)]
    group_of = {name: f"g{at // 4}" for at, name in enumerate(names)}  # four pictures a group
    plan = store.Plan(
        stage="catalog/duplicates",
        inputs={"catalog": store.require(workspace.catalog, "build-catalog").digest()},
        settings={},
    )
    with store.writing(workspace.catalog / FOLDER, plan, configs={}) as out:
        out.table(GROUPS, pa.table({"group_id": [group_of[name] for name in names]}))
    made = plan_dialogues(workspace, PlanSettings(per_cell=30)).manifest
    assert "duplicates" in made.plan.inputs
    able = {group_of[one.image_id] for one in fitting_pictures(iterate_items(coco), GridRules(), 0)}
    found = Counter(group_of[one.image_id] for one in read_plan(workspace))
    assert found == dict.fromkeys(able, 1)
    assert sum(cell.candidates for cell in read_cells(workspace)) / 3 < 55  # without groups 55


@pytest.mark.parametrize(
    ("schedule", "fault"),
    [
        (Schedule(correct=0, turns=10), "--correct-turns 0 of --turns 10"),
        (Schedule(correct=10, turns=10), "--correct-turns 10 of --turns 10"),
        (Schedule(correct=3, turns=2), "--correct-turns 3 of --turns 2"),
    ],
)
def test_a_schedule_wants_both_kinds_of_turns(
    schedule: Schedule, fault: str, with_catalog: WithCatalog
) -> None:
    workspace = with_catalog("w")
    with pytest.raises(UsageError, match=fault):
        plan_dialogues(workspace, PlanSettings(schedule=schedule))
    assert not plan_folder(workspace).exists()


def test_the_schedule_is_kept_for_later_steps(with_catalog: WithCatalog) -> None:
    workspace = with_catalog("w")
    plan_dialogues(workspace, PlanSettings(schedule=Schedule(correct=2, turns=5)))
    assert schedule_of(workspace) == Schedule(correct=2, turns=5)


def test_a_catalog_in_which_nothing_fills_a_cell_is_refused_and_an_earlier_plan_stays(
    with_catalog: WithCatalog, tmp_path: Path
) -> None:
    workspace, rules = with_catalog("w"), tmp_path / "rules.yaml"
    plan_dialogues(workspace, PlanSettings(per_cell=1))
    before = files_of(workspace)
    rules.write_text("target_area: 1.0\n", "utf-8")
    with pytest.raises(UsageError, match="found none; build a catalog with build-catalog coco"):
        plan_dialogues(workspace, PlanSettings(rules=load_rules(rules)))
    assert files_of(workspace) == before


@pytest.mark.parametrize("read", [read_plan, read_cells, schedule_of])
def test_without_a_plan_it_says_what_to_run(read: Callable[..., Any], tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run build-dialogues false-premise plan first"):
        read(Workspace(tmp_path))


def test_without_a_catalog_it_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run build-catalog first"):
        plan_dialogues(Workspace(tmp_path), PlanSettings())


_GROUPS = st.lists(
    st.lists(st.sets(st.sampled_from(CELLS), min_size=1, max_size=3), min_size=1, max_size=3),
    max_size=25,
)


@given(_GROUPS, st.integers(1, 3), st.booleans(), st.integers(0, 2))
def test_any_plan_keeps_its_rules(
    found: list[list[set[Cell]]], per_cell: int, crossed: bool, seed: int
) -> None:
    groups = {
        f"{number}-0": [
            Fitting(
                image_id=f"{number}-{at}",
                targets={cell: Target(object_id=cell[0], box=(0, 0, 1, 1)) for cell in cells},
            )
            for at, cells in enumerate(some)
        ]
        for number, some in enumerate(found)
    }
    able = {one.image_id: one for some in groups.values() for one in some}
    settings = PlanSettings(per_cell=per_cell, is_crossed=crossed, seed=seed)
    dialogues, cells = make_plan(groups, settings)
    times = Counter(one.image_id.split("-")[0] for one in dialogues)
    assert set(times.values()) <= {3 if crossed else 1}
    counts = Counter((one.complexity, one.category, one.premise_class) for one in dialogues)
    assert len(cells) == 36
    for cell in cells:
        assert cell.filled == counts[cell.complexity, cell.category, cell.premise_class]
        assert 0 <= cell.filled == cell.wanted - cell.missing <= cell.wanted == per_cell
        assert cell.filled == cell.wanted or cell.filled <= cell.candidates
    for one in dialogues:
        assert any(cell == (one.category, one.complexity) for cell in able[one.image_id].targets)
    turned = {name: some[::-1] for name, some in reversed(groups.items())}
    assert make_plan(turned, settings) == (dialogues, cells)
