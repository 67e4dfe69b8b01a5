"""The pictures that can be planned: the cells that each can fill, with a target in each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchwright import seeds
from benchwright.boxes import Box
from benchwright.records import Item
from builders.complexity import Cell, GridRules, grid_cells, targets_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The object that a dialogue is about; ``box`` is [x, y, width, height] in pixels."""

    object_id: str
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """A picture that fills a cell or more: the target that it would have in each."""

    image_id: str
    targets: Mapping[Cell, Target]


def fitting_pictures(items: Iterable[Item], rules: GridRules, seed: int) -> list[Fitting]:
    """Return the pictures that fill a cell, in the order of the items.

    Where a picture has several targets of a category, the seed chooses one.
    """
    found: list[Fitting] = []
    for item in items:
        if item.image is None:
            continue
        cells = grid_cells(item, rules)
        if cells:
            targets = {cell: _target(item, cell, rules, seed) for cell in cells}
            found.append(Fitting(image_id=item.image_id, targets=targets))
    return found


def one_of_each_group(
    pictures: Iterable[Fitting], groups: Mapping[str, str | None]
) -> dict[str, Sequence[Fitting]]:
    """Return the pictures of each group under the first of their ids; one without any is its own.

    ``groups`` gives the group of a picture by its id.
    """
    together: dict[tuple[str, str], list[Fitting]] = {}
    for one in pictures:
        group = groups.get(one.image_id)
        key = ("picture", one.image_id) if group is None else ("group", group)
        together.setdefault(key, []).append(one)
    return {min(one.image_id for one in some): some for some in together.values()}


def _target(item: Item, cell: Cell, rules: GridRules, seed: int) -> Target:
    targets = {one.object_id: one for one in targets_of(item, cell[0], rules)}
    chosen = seeds.shuffled(list(targets), seed, "target", item.image_id)[0]
    return Target(object_id=chosen, box=targets[chosen].bbox)
