"""The columns of a sheet, and how a text stands in a cell so that no spreadsheet runs it."""

import re
from collections.abc import Sequence

ASKED = ("key", "task_id", "kind", "picture", "asked", "machine")  # by us
FILLED = ("verdict", "value", "boxes", "failed", "note", "auditor", "judged at", "seconds")

# what spreadsheets take for a formula (OWASP, CSV Injection), also behind blanks and quotes
_RUNS = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n]")
_MARKS = "|;, "  # between the entries of a cell, where no entry holds one


def safe(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs; ``bare`` gives the text again."""
    return f"'{text}" if _RUNS.match(text) else text


def bare(cell: str) -> str:
    """Return the text of a cell that ``safe`` made, or that somebody typed."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell


def readable(text: str) -> str:
    """Return a text for people to read in a cell: one line, no letters that do not print."""
    return safe("".join(letter if letter.isprintable() else " " for letter in text).strip())


def separator(known: Sequence[str]) -> str:
    """Return what stands between entries of ``known`` in a cell, so that it can be divided."""
    return "\n" if any("|" in entry for entry in known) else " | "


def divided(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the entries of a cell, each once; a mark that an entry of ``known`` holds is none."""
    marks = "".join(mark for mark in _MARKS if not any(mark in entry for entry in known))
    parts = re.split(rf"[\r\n{re.escape(marks)}]", text)
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
