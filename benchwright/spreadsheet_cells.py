"""How a text stands in a cell of a table for spreadsheets, so that none runs it."""

import re

# what spreadsheets take for a formula (OWASP, CSV Injection), also behind blanks and quotes
_RUNS = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n]")


def safe(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs; ``bare`` gives the text again."""
    return f"'{text}" if _RUNS.match(text) else text


def bare(cell: str) -> str:
    """Return the text of a cell that ``safe`` made, or that somebody typed."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell


def readable(text: str) -> str:
    """Return a text for people to read in a cell: one line, no letters that do not print."""
    return safe("".join(letter if letter.isprintable() else " " for letter in text).strip())
