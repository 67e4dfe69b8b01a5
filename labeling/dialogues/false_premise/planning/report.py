"""The plan as lines of text."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from labeling.dialogues.false_premise.planning.cells import CLASSES, PlannedCell


def plan_lines(counts: Mapping[str, int], cells: Sequence[PlannedCell]) -> list[str]:
    """Return the grid, filled of wanted in each cell, and what it comes to.

    ``counts`` are those of the manifest of the plan, ``cells`` in the order of ``read_cells``.
    """
    rows = [("", "", *CLASSES, "missing", "candidates")]
    for (complexity, category), group in groupby(
        cells, key=lambda cell: (cell.complexity, cell.category)
    ):
        some = list(group)
        rows.append(
            (
                complexity,
                category,
                *(f"{cell.filled:,}/{cell.wanted:,}" for cell in some),
                f"{sum(cell.missing for cell in some):,}",
                f"{some[0].candidates:,}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            text.ljust(width) if at < 2 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return [*lines, *_sums(counts, cells)]


def _sums(counts: Mapping[str, int], cells: Sequence[PlannedCell]) -> list[str]:
    wanted = sum(cell.wanted for cell in cells)
    lines = [
        f"{counts['dialogues']:,} of {wanted:,} dialogues planned, about {counts['pictures']:,} of"
        f" the {counts['fitting']:,} pictures that fill a cell"
    ]
    lacking = [cell for cell in cells if cell.missing]
    if lacking:
        empty = sum(not cell.filled for cell in cells)
        lines.append(
            f"{counts['missing']:,} are missing, in {len(lacking)} of {len(cells)} cells, of which"
            f" {empty} are empty: there are too few pictures for them"
        )
    return lines
