"""Text of others on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.plain_text import plain


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("as it is: τ, 好", "as it is: τ, 好"),
        (" two\r\n\tlines\u2028of it ", "two lines of it"),
        ("\x1b[31mred\x07", " [31mred "),  # an escape of a terminal, a bell
        ("abc\u202edef", "abc def"),  # turns the direction of writing
        ("half \ud83d", "half  "),  # no terminal can write it
        ("", ""),
    ],
)
def test_line(text: str, line: str) -> None:
    assert plain(text) == line


@given(text=st.text())
def test_any_text(text: str) -> None:
    assert plain(text).isprintable()
