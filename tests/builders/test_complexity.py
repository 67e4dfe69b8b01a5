"""Visual complexity: the three levels, the categories, the grid, the rules file."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.records import Item, SceneObject
from builders.complexity import (
    LEVELS,
    Complexity,
    GridRules,
    built_in_categories,
    category_key,
    complexity_of,
    count_grid,
    grid_cells,
    grid_lines,
    load_rules,
    targets_of,
)

Box = tuple[float, float, float, float]
CLASSES = Path(__file__).parents[1] / "data" / "open_images_classes"
SIZE = (1000, 1000)
RULES = GridRules()
CLEAN, SEPARATED, OVERLAPPING = LEVELS


def thing(box: Box, category: str = "dog", *, crowd: bool = False) -> SceneObject:
    return SceneObject(
        object_id=f"{category} {box}",
        category=category,
        bbox=box,
        area=box[2] * box[3],
        is_crowd=crowd,
        is_occluded=None,
        is_truncated=None,
        attributes=(),
        mask=None,
    )


def item(*objects: SceneObject, size: tuple[int, int] | None = SIZE) -> Item:
    return Item(
        image_id="0" * 16,
        image=None if size is None else "ab/ab.jpg",
        sha256=None,
        width=None if size is None else size[0],
        height=None if size is None else size[1],
        source="test",
        source_id="1",
        split=None,
        group_id=None,
        title=None,
        category=None,
        url=None,
        licence=None,
        author=None,
        attributes=(),
        objects=objects,
        captions=(),
        dialogues=(),
    )


BIG: Box = (100, 100, 300, 300)
FAR: Box = (700, 700, 200, 200)
TINY: Box = (5, 5, 40, 40)  # 0.16 %: counted, no target
DUST: Box = (5, 5, 20, 20)  # 0.04 %: not even counted


@pytest.mark.parametrize(
    ("boxes", "crowds", "expected"),
    [
        ([], [], None),
        ([BIG], [], CLEAN),
        ([BIG, FAR], [], SEPARATED),
        ([BIG, (350, 350, 300, 300)], [], SEPARATED),  # corners touch: 2,500 of 90,000 pixels
        ([BIG, (250, 100, 300, 300)], [], OVERLAPPING),  # half of each in the other
        ([BIG, (150, 150, 50, 50)], [], OVERLAPPING),  # IoU 0.03, but the small lies in the large
        ([TINY], [], None),  # nothing to ask about
        ([BIG, TINY], [], SEPARATED),  # yet it makes "the dog" ambiguous
        ([BIG, DUST], [], CLEAN),
        ([BIG, TINY, (10, 10, 40, 40)], [], SEPARATED),  # only two small ones overlap
        ([], [BIG], None),  # a crowd is no target
        ([FAR], [BIG], SEPARATED),  # a crowd counts as many
        ([BIG], [(250, 100, 300, 300)], OVERLAPPING),
        ([BIG, (101, 101, 299, 299)], [], CLEAN),  # one dog annotated twice
        ([BIG, BIG, FAR], [], SEPARATED),
        ([(0, 0, 0, 100)], [], None),  # a box without area
        ([(float("nan"),) * 4, BIG], [], CLEAN),
    ],
)
def test_the_levels(boxes: list[Box], crowds: list[Box], expected: Complexity | None) -> None:
    objects = [*map(thing, boxes), *(thing(box, crowd=True) for box in crowds)]
    assert complexity_of(objects, SIZE, RULES) == expected
    assert complexity_of(objects[::-1], SIZE, RULES) == expected


def test_a_picture_without_pixels_has_no_level() -> None:
    assert complexity_of([thing(BIG)], (0, 0), RULES) is None
    assert grid_cells(item(thing(BIG), size=None), RULES) == []


_SIDES = st.floats(1, 200)
_BOXES = st.builds(
    lambda x, y, w, h: (x, y, w, h), st.floats(0, 300), st.floats(0, 300), _SIDES, _SIDES
)
_OBJECTS = st.lists(
    st.builds(lambda box, crowd: thing(box, crowd=crowd), _BOXES, st.booleans()), max_size=7
)
_RANK = {None: -1, CLEAN: 0, SEPARATED: 1, OVERLAPPING: 2}


@given(_OBJECTS, st.randoms())
def test_the_order_of_objects_does_not_matter(objects: list[SceneObject], chance: Any) -> None:
    shuffled = list(objects)
    chance.shuffle(shuffled)
    assert complexity_of(shuffled, SIZE, RULES) == complexity_of(objects, SIZE, RULES)


@given(_OBJECTS, st.booleans())
def test_a_box_far_from_all_others_never_lowers(objects: list[SceneObject], crowd: bool) -> None:
    before = complexity_of(objects, SIZE, RULES)
    after = complexity_of([*objects, thing((600, 600, 200, 200), crowd=crowd)], SIZE, RULES)
    assert _RANK[after] >= _RANK[before]
    if before == CLEAN:
        assert after == SEPARATED


@given(_OBJECTS, st.sampled_from([2, 4, 0.5]))
def test_the_scale_of_the_picture_does_not_matter(objects: list[SceneObject], scale: float) -> None:
    x, y = SIZE
    larger = [
        replace(one, bbox=tuple(part * scale for part in one.bbox))  # type: ignore[arg-type]
        for one in objects
    ]
    assert complexity_of(larger, (int(x * scale), int(y * scale)), RULES) == complexity_of(
        objects, SIZE, RULES
    )


@given(_OBJECTS)
def test_an_object_annotated_twice_changes_nothing(objects: list[SceneObject]) -> None:
    once = complexity_of(objects, SIZE, RULES)
    alone = [one for one in objects if not one.is_crowd]
    assert complexity_of([*objects, *alone], SIZE, RULES) == once


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("person", "person"),
        ("Woman", "person"),
        ("HOT-DOG", "food"),  # however it is spelled
        ("hot_dog", "food"),
        ("Doughnut", "food"),  # Open Images
        ("donut", "food"),  # COCO
        ("Airplane", "vehicle"),
        ("Human face", None),  # a part
        ("Wheel", None),
        ("Teddy bear", None),
        ("Lobster", None),  # dish or beast
        ("mouse", None),  # COCO's is a computer's
        ("chair", None),
        ("", None),
    ],
)
def test_the_category_of_a_class(name: str, expected: str | None) -> None:
    assert built_in_categories().get(category_key(name)) == expected


def test_every_class_that_open_images_has_under_a_category_is_in_it() -> None:
    with (CLASSES / "class-descriptions-boxable.csv").open(encoding="utf-8", newline="") as stream:
        names = dict(csv.reader(stream))
    tree = json.loads((CLASSES / "bbox_labels_600_hierarchy.json").read_text("utf-8"))
    left_out = {"Crab", "Lobster", "Oyster", "Shellfish", "Shrimp", "Squid"}
    left_out |= {"Teddy bear", "Cooking spray", "Mouse"}
    seen = set()

    def walk(node: dict[str, Any], category: str | None) -> None:
        name = names.get(node["LabelName"], "Entity")
        own = name.lower() if name in ("Person", "Vehicle", "Animal", "Food") else category
        if own is not None and name not in left_out:
            assert built_in_categories()[category_key(name)] == own
            seen.add(category_key(name))
        for child in node.get("Subcategory", []):
            walk(child, own)

    walk(tree, None)
    coco_only = {"cow", "donut"}
    assert set(built_in_categories()) - seen == coco_only


@pytest.mark.parametrize(
    ("objects", "expected"),
    [
        ([], []),
        ([thing(BIG)], [BIG]),
        ([thing(FAR), thing(BIG)], [BIG, FAR]),  # in the order of the ids
        ([thing(BIG), thing(TINY)], [BIG]),  # counted, no target
        ([thing(BIG), thing(FAR, crowd=True)], [BIG]),
        ([thing(BIG), thing(FAR, "person")], [BIG]),  # of another category
        ([thing(BIG), thing((101, 101, 299, 299), "Cat")], [BIG]),  # one animal annotated twice
        ([thing(BIG, "cat"), thing(BIG, "dog")], [BIG]),
    ],
)
def test_the_targets_of_a_category(objects: list[SceneObject], expected: list[Box]) -> None:
    assert [one.bbox for one in targets_of(item(*objects), "animal", RULES)] == expected
    found = targets_of(item(*objects[::-1]), "animal", RULES)
    assert found == targets_of(item(*objects), "animal", RULES)


@given(_OBJECTS)
def test_a_picture_has_targets_where_it_has_a_level(objects: list[SceneObject]) -> None:
    found = targets_of(item(*objects), "animal", RULES)
    assert bool(found) == (complexity_of(objects, SIZE, RULES) is not None)
    assert all(one in objects and not one.is_crowd for one in found)


def test_a_picture_without_a_size_has_no_targets() -> None:
    assert targets_of(item(thing(BIG), size=None), "animal", RULES) == []


def test_a_picture_can_fill_several_cells() -> None:
    rider = item(thing(BIG, "Man"), thing(BIG, "horse"), thing(FAR, "horse"), thing(BIG, "hat"))
    assert grid_cells(rider, RULES) == [("person", CLEAN), ("animal", SEPARATED)]
    named_twice = item(thing(BIG, "Man"), thing(BIG, "Person"))
    assert grid_cells(named_twice, RULES) == [("person", CLEAN)]


def test_the_grid_accounts_for_every_picture() -> None:
    pictures = [
        item(thing(BIG, "dog")),
        item(thing(BIG, "dog"), thing(FAR, "car")),
        item(thing(DUST, "dog")),
        item(thing(BIG, "chair")),
        item(),
        item(thing(BIG, "dog"), size=None),  # no picture: not counted
    ]
    grid = count_grid(pictures, RULES)
    assert grid.cells["animal", CLEAN] == 2
    assert grid.cells["vehicle", CLEAN] == 1
    assert sum(grid.cells.values()) == 3
    assert (grid.pictures, grid.filled) == (5, 2)
    assert (grid.without_target, grid.without_category, grid.without_objects) == (1, 1, 1)
    assert grid.unmapped == {"chair": 1}
    assert count_grid(pictures[::-1], RULES) == grid
    lines = grid_lines(grid)
    assert lines[3].split() == ["animal", "2", "0", "0"]
    assert lines[-1] == "1 classes are of no category, most often chair (1)"


def test_rules_can_be_overridden(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(
        "target_area: 0.05\ncategories:\n  Teddy Bear: animal\n  person: none\n", encoding="utf-8"
    )
    rules = load_rules(path)
    assert (rules.target_area, rules.overlap_iou) == (0.05, RULES.overlap_iou)
    assert rules.categories["teddy bear"] == "animal"
    assert "person" not in rules.categories
    assert rules.categories["woman"] == "person"
    path.write_text("", encoding="utf-8")
    assert load_rules(path) == RULES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("target_aera: 0.1", "target_aera"),  # unknown key
        ("target_area: 2", "less than or equal to 1"),
        ("target_area: .nan", "target_area"),
        ("target_area: yes", "target_area"),
        ("target_area: 0.0005", "counted_area"),  # less than what is counted
        ("categories: {dog: beast}", "categories > dog"),
        ("categories: [dog]", "categories"),
        ("- 1", "the top"),
        ("a: [", "no YAML"),
        ("\xff", "no YAML"),
    ],
)
def test_bad_rules_are_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=words):
        load_rules(path)
    with pytest.raises(UsageError, match="nowhere"):
        load_rules(tmp_path / "nowhere.yaml")


def test_the_command_prints_the_grid(run: Callable[..., Any], small: Path, tmp_path: Path) -> None:
    ran = run("build-catalog", "grid", "--workspace", small)
    assert (ran.code, ran.err) == (0, "")
    assert "36 pictures: 0 fill a cell" in ran.out
    assert "no objects" in ran.out
    nothing = run("build-catalog", "grid", "--workspace", tmp_path / "empty")
    assert nothing.code == 1
    assert "no catalog" in nothing.err
