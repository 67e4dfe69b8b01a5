"""The cells of the grid: how many dialogues each was to have, and how many it has."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import get_args

import pyarrow as pa

from benchwright.arrow_fields import TEXT, required
from benchwright.records import PremiseClass

CLASSES: tuple[PremiseClass, ...] = get_args(PremiseClass)
SCHEMA = pa.schema(
    [
        required("complexity", TEXT),
        required("category", TEXT),
        required("premise_class", TEXT),
        required("wanted", pa.int64()),
        required("filled", pa.int64()),
        required("missing", pa.int64()),
        required("candidates", pa.int64()),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCell:
    """One cell of the grid, in dialogues: ``missing`` are those of ``wanted`` that none fills.

    ``candidates`` are the pictures that could fill it, one of each group of near-duplicates; most
    could fill other cells as well.
    """

    complexity: str
    category: str
    premise_class: PremiseClass
    wanted: int
    filled: int
    missing: int
    candidates: int


def cells_table(cells: Iterable[PlannedCell]) -> pa.Table:
    """Return the cells as a table, in their order."""
    names = [field.name for field in fields(PlannedCell)]
    rows = [dict(zip(names, attrgetter(*names)(cell), strict=True)) for cell in cells]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def cells_of(table: pa.Table) -> list[PlannedCell]:
    """Return the cells of a table."""
    return [PlannedCell(**row) for row in table.to_pylist()]
