"""How crowded a picture is, for the grid of the false-premise benchmark (FPCO-Dialog, 3.2).

A cell of the grid is an object category and a visual complexity. The paper chose its pictures by
hand and names three levels; here they are read off the boxes of one category:

    single-target clean       one object of the category, and no crowd of it
    multi-target separated    several, and no target overlaps another one
    multi-target overlapping  several, and some target overlaps another one

A target is an object that fills ``target_area`` of the picture and is no crowd: only of it can
one ask without a magnifying glass. A picture without a target has no complexity. What else fills
``counted_area`` is counted and may overlap, but is no target. A crowd counts as many. Boxes of
one category that all but coincide are one object that was annotated twice (Person and Man).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal, get_args

import pydantic
import yaml

from benchwright.boxes import Box, area, contained, iou
from benchwright.errors import UsageError
from benchwright.records import Item, SceneObject
from benchwright.yaml_files import read_settings

Category = Literal["person", "vehicle", "animal", "food"]
Complexity = Literal["single-target clean", "multi-target separated", "multi-target overlapping"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
LEVELS: tuple[Complexity, ...] = get_args(Complexity)  # from simple to complex
Cell = tuple[Category, Complexity]

_Share = Annotated[float, pydantic.Field(gt=0, le=1, allow_inf_nan=False)]


def category_key(name: str) -> str:
    """Return the one spelling of a class name: case, hyphens, underscores, blanks aside."""
    return " ".join(name.casefold().replace("_", " ").replace("-", " ").split())


@cache
def built_in_categories() -> Mapping[str, Category]:
    """Return the category of each class of COCO and Open Images that has one (categories.yaml)."""
    text = resources.files("builders").joinpath("categories.yaml").read_text("utf-8")
    lists: dict[Category, list[str]] = yaml.safe_load(text)
    return MappingProxyType(
        {category_key(name): category for category, names in lists.items() for name in names}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRules:
    """What makes a target, an overlap, a category; all thresholds are shares from 0 to 1.

    ``target_area`` and ``counted_area`` are shares of the picture. Two boxes overlap when their
    IoU reaches ``overlap_iou`` or the smaller lies in the larger by ``overlap_contained`` of its
    own area; they are one object when their IoU reaches ``same_object_iou``. ``categories`` maps
    class names, as ``category_key`` spells them.
    """

    target_area: float = 0.01
    counted_area: float = 0.001
    overlap_iou: float = 0.1
    overlap_contained: float = 0.25
    same_object_iou: float = 0.9
    categories: Mapping[str, Category] = field(default_factory=built_in_categories)


class _RulesFile(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)

    target_area: _Share | None = None
    counted_area: _Share | None = None
    overlap_iou: _Share | None = None
    overlap_contained: _Share | None = None
    same_object_iou: _Share | None = None
    categories: dict[str, Category | Literal["none"]] = {}


def load_rules(path: Path) -> GridRules:
    """Return the rules with what a YAML file puts over them.

    Its keys are the fields of ``GridRules``. Its ``categories`` maps class names to a category,
    or to ``none``, and is laid over the built-in one.

    Raises UsageError that names the key and what came.
    """
    chosen = read_settings(path, _RulesFile)
    values = chosen.model_dump(exclude_none=True)
    said_of: dict[str, Category | Literal["none"]] = values.pop("categories")
    laid_over = {category_key(name): category for name, category in said_of.items()}
    kept: dict[str, Category] = {
        name: category for name, category in built_in_categories().items() if name not in laid_over
    }
    kept |= {name: category for name, category in laid_over.items() if category != "none"}
    rules = GridRules(**values, categories=MappingProxyType(kept))
    if rules.counted_area > rules.target_area:
        raise UsageError(
            f"{path}: counted_area {rules.counted_area} is more than target_area "
            f"{rules.target_area}; what is a target is counted as well"
        )
    return rules


def complexity_of(
    objects: Sequence[SceneObject], size: tuple[int, int], rules: GridRules
) -> Complexity | None:
    """Return the complexity of a picture for objects of one category, None without a target.

    ``size`` is width and height in pixels; the order of the objects does not matter.
    """
    whole = float(size[0]) * float(size[1])
    boxes = [one.bbox for one in objects if not one.is_crowd]
    crowds = [one.bbox for one in objects if one.is_crowd]
    boxes, crowds = (
        [box for box in some if _fills(box, whole, rules.counted_area)] for some in (boxes, crowds)
    )
    things = _distinct(boxes, rules)
    targets = [at for at, box in enumerate(things) if _fills(box, whole, rules.target_area)]
    if not targets:
        return None
    if len(things) == 1 and not crowds:
        return "single-target clean"
    for at in targets:
        others = [*things[:at], *things[at + 1 :], *crowds]
        if any(_overlap(things[at], other, rules) for other in others):
            return "multi-target overlapping"
    return "multi-target separated"


def _fills(box: Box, whole: float, share: float) -> bool:
    return area(box) >= share * whole > 0


def _overlap(one: Box, other: Box, rules: GridRules) -> bool:
    inside = max(contained(one, other), contained(other, one))  # the smaller has the larger share
    return iou(one, other) >= rules.overlap_iou or inside >= rules.overlap_contained


def _distinct(boxes: Sequence[Box], rules: GridRules) -> list[Box]:
    """Return one box for each object: of those that all but coincide the largest.

    The largest take their doubles first, so that the order in which they came does not matter.
    """
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: (-area(box), box)):
        if all(iou(box, other) < rules.same_object_iou for other in kept):
            kept.append(box)
    return kept


def targets_of(item: Item, category: Category, rules: GridRules) -> list[SceneObject]:
    """Return the objects of a category that are targets, in the order of their ids.

    Of boxes that are one object it is the largest; there is none without the size of the picture.
    """
    if item.width is None or item.height is None:
        return []
    whole = float(item.width) * float(item.height)
    objects = [one for one in by_category(item, rules).get(category, ()) if not one.is_crowd]
    large = [one.bbox for one in objects if _fills(one.bbox, whole, rules.target_area)]
    kept = set(_distinct(large, rules))
    of_box = {one.bbox: one for one in sorted(objects, key=_id_and_box, reverse=True)}
    targets = [one for box, one in of_box.items() if box in kept]
    return sorted(targets, key=_id_and_box)


def _id_and_box(one: SceneObject) -> tuple[str, Box]:
    return one.object_id, one.bbox


def by_category(item: Item, rules: GridRules) -> Mapping[Category, list[SceneObject]]:
    """Return the objects of a picture that are of a category, by category."""
    found: dict[Category, list[SceneObject]] = {}
    for one in item.objects:
        category = rules.categories.get(category_key(one.category))
        if category is not None:
            found.setdefault(category, []).append(one)
    return found


def grid_cells(item: Item, rules: GridRules) -> list[Cell]:
    """Return the cells of the grid that a picture can fill, at most one for each category."""
    if item.width is None or item.height is None:
        return []
    objects = by_category(item, rules)
    cells: list[Cell] = []
    for category in CATEGORIES:
        level = complexity_of(objects.get(category, ()), (item.width, item.height), rules)
        if level is not None:
            cells.append((category, level))
    return cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """How many pictures fill each cell.

    ``filled`` pictures fill one cell or more; the others have no objects, none of a category
    (``without_category``), or none that is large enough (``without_target``). ``unmapped`` counts
    the objects of each class that has no category.
    """

    cells: Mapping[Cell, int]
    pictures: int
    filled: int
    without_objects: int
    without_category: int
    without_target: int
    unmapped: Mapping[str, int]


def count_grid(items: Iterable[Item], rules: GridRules) -> Grid:
    """Count the pictures of each cell; items without a picture are left aside."""
    cells: Counter[Cell] = Counter()
    unmapped: Counter[str] = Counter()
    why: Counter[str] = Counter()
    for item in items:
        if item.image is None:
            continue
        found = grid_cells(item, rules)
        cells.update(found)
        unmapped.update(
            one.category
            for one in item.objects
            if category_key(one.category) not in rules.categories
        )
        if found:
            why["filled"] += 1
        elif not item.objects:
            why["objects"] += 1
        else:
            why["target" if by_category(item, rules) else "category"] += 1
    return Grid(
        cells={
            (category, level): cells[category, level] for category in CATEGORIES for level in LEVELS
        },
        pictures=sum(why.values()),
        filled=why["filled"],
        without_objects=why["objects"],
        without_category=why["category"],
        without_target=why["target"],
        unmapped=dict(sorted(unmapped.items(), key=lambda pair: (-pair[1], pair[0]))),
    )


def grid_lines(grid: Grid) -> list[str]:
    """Return the grid as lines of text."""
    width = max(map(len, CATEGORIES))
    lines = [f"{'':<{width}}  {'  '.join(LEVELS)}"]
    for category in CATEGORIES:
        counts = [f"{grid.cells[category, level]:>{len(level)},}" for level in LEVELS]
        lines.append(f"{category:<{width}}  {'  '.join(counts)}")
    lines.append(
        f"{grid.pictures:,} pictures: {grid.filled:,} fill a cell, {grid.without_target:,} have no "
        f"object that is large enough, {grid.without_category:,} none of the four categories, "
        f"{grid.without_objects:,} no objects"
    )
    if grid.unmapped:
        most = ", ".join(f"{name} ({count:,})" for name, count in list(grid.unmapped.items())[:6])
        lines.append(f"{len(grid.unmapped):,} classes are of no category, most often {most}")
    return lines
