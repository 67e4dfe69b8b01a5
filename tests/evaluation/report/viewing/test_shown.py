"""Texts of models as the viewer shows them."""

import pytest

from evaluation.report.viewing.shown import MOST, said


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines", "two\nlines"),
        ("\x1b[31mred\x07", " [31mred "),  # nothing that steers
        ("\u202eright to left", " right to left"),
        ("A" * MOST, "A" * MOST),
        ("A" * (MOST + 1), "A" * MOST + " … (cut: 2,001 characters)"),
        ("", ""),
    ],
)
def test_said(text: str, shown: str) -> None:
    assert said("player", text).text == shown
