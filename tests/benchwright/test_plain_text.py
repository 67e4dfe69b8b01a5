"""Text of others on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.plain_text import counted, excerpt, plain, printable


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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("short\n", "short"),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "…"),
        ("\n" * 3000 + "far", ""),  # what stands behind a page of blanks is not looked for
    ],
)
def test_excerpt(text: str, line: str) -> None:
    assert excerpt(text) == line


@given(text=st.text())
def test_any_text(text: str) -> None:
    assert plain(text).isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  two   columns\nand a line", "  two   columns\nand a line"),  # a table stays one
        ("\x1b]0;title\x07 neck", " ]0;title  neck"),  # the title of a terminal
        ("\x9b31m", " 31m"),  # an escape of one byte
        ("abc\u202edef", "abc def"),
    ],
)
def test_what_may_be_printed(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (1_234, "1,234 turns")]
)
def test_a_number_has_its_noun(number: int, said: str) -> None:
    assert counted(number, "turn") == said
