"""What the cells of a row of annotations say; NoMatch for what cannot be taken."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from benchwright.plain_text import excerpt
from builders.table.row import Cell
from labeling.dialogues.candidate_set.mapping.points import NoMatch


def given_time(text: str) -> str:
    """Return a date or time as an ISO 8601 time in UTC; without an offset it is UTC already.

    Raises ValueError for what is neither.
    """
    said = datetime.fromisoformat(text.strip())
    in_utc = said.replace(tzinfo=UTC) if said.tzinfo is None else said.astimezone(UTC)
    return in_utc.isoformat()


def text_of(cells: Mapping[str, Cell], name: str, reason: str) -> str:
    """Return the text of a cell; raise NoMatch for the reason given where there is none."""
    cell = cells.get(name)
    if not isinstance(cell, str) or not cell.strip():
        raise NoMatch(reason, f"it has no {name}")
    return cell.strip()


def turn_of(cells: Mapping[str, Cell]) -> int:
    """Return the number of a turn, from 1; raises NoMatch."""
    cell = text_of(cells, "turn", "no_turn")
    try:
        number = float(cell)  # a column with a gap comes out of pandas as 1.0, 2.0
    except ValueError:
        number = 0.0
    if not (number.is_integer() and 1 <= number < 2**31):
        raise NoMatch("no_turn", f"turn wants a number from 1 on, got {excerpt(cell, 40)!r}")
    return int(number)


def time_of(cells: Mapping[str, Cell], given: str | None) -> str:
    """Return when a row was annotated, as ``given`` where it does not say; raises NoMatch."""
    cell = cells.get("at")
    if not isinstance(cell, str) or not cell.strip():
        if given is None:
            raise NoMatch("no_time", "it does not say when; fill in at, or name a day by --at")
        return given
    try:
        return given_time(cell)
    except (ValueError, OverflowError) as error:
        message = f"at wants a time such as 2026-03-01T12:00:00+00:00, got {excerpt(cell, 40)!r}"
        raise NoMatch("bad_time", message) from error


def entries_of(cells: Mapping[str, Cell], name: str) -> list[Any]:
    """Return the entries of a cell that holds a list, none of an empty one; raises NoMatch."""
    cell = cells.get(name)
    if isinstance(cell, list):  # of JSON Lines: each entry is a text, of a list its JSON
        return [_parsed(entry) if entry.lstrip().startswith("[") else entry for entry in cell]
    if cell is None or not cell.strip():
        return []
    found = _parsed(cell)
    if not isinstance(found, list):
        raise NoMatch(f"bad_{name}", f"{name} wants a list such as [[10, 20]], got {excerpt(cell)}")
    return found


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def numbers_of(entry: Any, count: int, name: str) -> list[float]:
    """Return so many numbers of a point or box, which may be texts; raises NoMatch."""
    found = list(_floats(entry)) if isinstance(entry, list) else []
    if len(found) != count or not all(map(isfinite, found)):
        what = "[x, y]" if count == 2 else "[x, y, width, height]"
        raise NoMatch(f"bad_{name}", f"{name} wants {what} in pixels, got {excerpt(str(entry))}")
    return found


def _floats(entry: Iterable[Any]) -> Iterator[float]:
    for value in entry:
        try:
            yield float("nan") if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            yield float("nan")
