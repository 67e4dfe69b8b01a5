"""Several entries in one cell of a sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.audits.sheets.cells import divided, separator


@given(st.lists(st.text("ab|;, 1", min_size=1).map(str.strip).filter(bool), unique=True))
def test_entries_come_back_whatever_they_hold(known: list[str]) -> None:
    assert divided(separator(known).join(known), known) == tuple(known)


@pytest.mark.parametrize(
    ("cell", "known", "entries"),
    [
        ("1 | 3", ("1", "2", "3"), ("1", "3")),  # as the page writes it
        ("1,3", ("1", "2", "3"), ("1", "3")),  # by hand
        ("1; 3", ("1", "2", "3"), ("1", "3")),
        ("1 3", ("1", "2", "3"), ("1", "3")),
        ("1\n3", ("1", "2", "3"), ("1", "3")),
        ("3, 3,", ("1", "3"), ("3",)),  # each once, no empty ones
        ("single error, grounding", ("single error", "grounding"), ("single error", "grounding")),
        ("a, b", ("a, b", "c"), ("a, b",)),  # a comma of a name divides nothing
    ],
)
def test_cells_filled_by_hand(cell: str, known: tuple[str, ...], entries: tuple[str, ...]) -> None:
    assert divided(cell, known) == entries
