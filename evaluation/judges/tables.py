"""Tables of scores as lines of text."""

import math
from collections.abc import Mapping, Sequence

from benchwright.statistics.intervals import Estimate


def share_text(one: Estimate) -> str:
    """Return a share with its interval, as 0.93 (0.88 to 0.96); a dash where there is none."""
    if math.isnan(one.share):
        return "-"
    return f"{one.share:.2f} ({one.low:.2f} to {one.high:.2f})"


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of texts, the first the head, as lines with columns of equal width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def confusion_lines(
    what: str, names: Sequence[str], counts: Mapping[tuple[str, str], int]
) -> list[str]:
    """Return how often each label (rows) got each verdict (columns), a dot for never."""
    rows = [
        (wanted, *(str(counts.get((wanted, found), 0) or ".") for found in names))
        for wanted in names
    ]
    return table_lines([(what, *names), *rows])
