"""The columns of a sheet, and how several entries stand in one cell."""

import re
from collections.abc import Sequence

ASKED = ("key", "task_id", "kind", "picture", "asked", "machine")  # by us
FILLED = ("verdict", "value", "boxes", "failed", "note", "auditor", "judged at", "seconds")

_MARKS = "|;, "  # between the entries of a cell, where no entry holds one


def separator(known: Sequence[str]) -> str:
    """Return what stands between entries of ``known`` in a cell, so that it can be divided."""
    return "\n" if any("|" in entry for entry in known) else " | "


def divided(text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the entries of a cell, each once; a mark that an entry of ``known`` holds is none."""
    marks = "".join(mark for mark in _MARKS if not any(mark in entry for entry in known))
    parts = re.split(rf"[\r\n{re.escape(marks)}]", text)
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))
