"""One row of a table."""

from dataclasses import dataclass

Cell = str | list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The cells of a row, in the order of the table's columns.

    ``line`` is the line (text files) or the row (Parquet) where it starts, from 1.
    """

    line: int
    cells: tuple[Cell, ...]
