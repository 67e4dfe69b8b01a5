"""Rows that were refused are counted by reason, the most frequent first."""

from collections.abc import Sequence

import pytest

from evaluation.scoring.protocol import RefusedRow
from evaluation.scoring.refusals import refused_rows


def row(line: int, reason: str) -> RefusedRow:
    return RefusedRow(line=line, item=None, reason=reason, detail=f"says {line}")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row(7, "not_json")], "1 row refused (1 not json), the first in line 7: says 7"),
        # by count, then by name; the first is that of the file
        (
            [row(2, "twice"), row(3, "unknown_episode"), row(5, "twice"), row(6, "fits")],
            "4 rows refused (2 twice, 1 fits, 1 unknown episode), the first in line 2: says 2",
        ),
    ],
)
def test_reasons_are_counted(rows: Sequence[RefusedRow], said: str) -> None:
    assert refused_rows(rows) == said
