"""Pictures that can be planned: their cells, a target in each, one of each group."""

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from builders.complexity import LEVELS, GridRules, grid_cells, targets_of
from labeling.dialogues.false_premise.planning.pictures import (
    fitting_pictures,
    one_of_each_group,
)

RULES = GridRules()
CLEAN = LEVELS[0]


def test_the_target_is_one_that_the_rules_call_so(coco: Workspace) -> None:
    items = {item.image_id: item for item in iterate_items(coco)}
    found = fitting_pictures(items.values(), RULES, seed=0)
    assert len(found) == 43
    for one in found:
        item = items[one.image_id]
        assert list(one.targets) == grid_cells(item, RULES)
        for (category, _), target in one.targets.items():
            able = {each.object_id: each.bbox for each in targets_of(item, category, RULES)}
            assert able[target.object_id] == target.box


def test_the_seed_chooses_among_several_targets(coco: Workspace) -> None:
    items = list(iterate_items(coco))
    by_seed = [fitting_pictures(items, RULES, seed) for seed in range(20)]
    several = {
        (item.image_id, category)
        for item in items
        for category, _ in grid_cells(item, RULES)
        if len(targets_of(item, category, RULES)) > 1
    }
    chosen: dict[tuple[str, str], set[str]] = {}
    for found in by_seed:
        for one in found:
            for (category, _), target in one.targets.items():
                chosen.setdefault((one.image_id, category), set()).add(target.object_id)
    assert {key for key, names in chosen.items() if len(names) > 1} == several
    assert len(several) == 22


def test_an_item_without_a_picture_is_none(coco: Workspace) -> None:
    items = [replace(item, image=None) for item in iterate_items(coco)]
    assert fitting_pictures(items, RULES, seed=0) == []


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ({}, {"a": ["a"], "b": ["b"], "c": ["c"]}),
        ({"a": None, "b": None, "c": None}, {"a": ["a"], "b": ["b"], "c": ["c"]}),
        # a group goes by the first id of those that fill a cell, whatever it is called
        ({"b": "g", "c": "g"}, {"a": ["a"], "b": ["b", "c"]}),
        # a group that is called as another picture is
        ({"b": "a", "c": "a"}, {"a": ["a"], "b": ["b", "c"]}),
        ({"a": "g", "b": "g", "c": "g", "d": "g"}, {"a": ["a", "b", "c"]}),
    ],
)
def test_pictures_of_a_group_stand_together(
    groups: Mapping[str, str | None], expected: dict[str, list[str]], kit: SimpleNamespace
) -> None:
    pictures = [kit.fitting(name, [("person", CLEAN)]) for name in "abc"]
    found = one_of_each_group(pictures, groups)
    assert {name: [one.image_id for one in some] for name, some in found.items()} == expected
