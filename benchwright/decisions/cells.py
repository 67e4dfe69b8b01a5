"""The cell of a label: one value of one subject, which is a picture or an object in one."""

from collections.abc import Iterator

import pyarrow as pa

from benchwright.decisions.fields import label_field, label_of
from benchwright.decisions.standing import Thing

Cell = tuple[str, str | None, str, str]
CELL = ("image_id", "object_id", "type", "value")  # the columns of one in a table


def cell_of(thing: Thing) -> Cell | None:
    """Return the cell of the label that decisions are about; null for the check of a record."""
    label = label_of(thing.field)
    if thing.image_id is None or label is None:
        return None
    return thing.image_id, thing.object_id, *label


def thing_of_cell(cell: Cell) -> Thing:
    """Return what decisions on the label of a cell are about."""
    image_id, object_id, kind, value = cell
    return Thing(image_id, object_id, None, label_field(kind, value))


def cells_in(table: pa.Table) -> Iterator[Cell]:
    """Return the cell of each row of a table that has the columns ``CELL``."""
    return zip(*(table.column(name).to_pylist() for name in CELL), strict=True)


def name_of(cell: Cell) -> str:
    """Return the name of a cell, in full: a line that is printed takes an ``excerpt`` of it."""
    image_id, object_id, kind, value = cell
    where = image_id if object_id is None else f"{image_id}/{object_id}"
    return f"{where} {kind}: {value}"
