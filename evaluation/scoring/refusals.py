"""Rows of a run made elsewhere that were refused, in words."""

from collections import Counter
from collections.abc import Sequence

from benchwright.plain_text import counted
from evaluation.scoring.protocol import RefusedRow
from evaluation.scoring.spelling import spoken


def refused_rows(rows: Sequence[RefusedRow]) -> str:
    """Return how many rows were refused for which reasons, and what is wrong with the first.

    There must be one.
    """
    first, reasons = rows[0], Counter(row.reason for row in rows)
    ordered = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    said = ", ".join(f"{count:,} {spoken(reason)}" for reason, count in ordered)
    return (
        f"{counted(len(rows), 'row')} refused ({said}), the first in line {first.line}:"
        f" {first.detail}"
    )
