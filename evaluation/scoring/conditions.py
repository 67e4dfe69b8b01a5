"""In what two runs were not played alike, besides who played."""

import re
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from benchwright import store
from benchwright.plain_text import excerpt
from evaluation.scoring.scored import Scored
from evaluation.scoring.spelling import NOTHING, spoken

_WIDE = 79
_DIGEST = re.compile("[0-9a-f]{64}")
_DIGITS = 8  # of a digest


def other_conditions(first: Scored, second: Scored) -> list[str]:
    """Return the settings in which two runs differ that have nothing to do with who plays.

    Of a run made elsewhere none is known.
    """
    one, other = _settings(first), _settings(second)
    if one is None or other is None:
        return []
    return [
        name
        for name in first.scoring.conditions
        if store.digest_of(one.get(name)) != store.digest_of(other.get(name))
    ]


def condition_lines(first: Scored, second: Scored) -> Iterator[str]:
    """Yield what ``other_conditions`` were in either run; nothing where there are none."""
    names = other_conditions(first, second)
    if names:
        yield "they were not played alike, which may be why they differ:"
    one, other = _settings(first) or {}, _settings(second) or {}
    for name in names:
        values = one.get(name), other.get(name)
        said = _words(*values), _words(*reversed(values))
        # the same people, say, who were asked in other words
        what = " / ".join(said) if said[0] != said[1] else f"{said[0]}, set or asked otherwise"
        line = f"  {first.scoring.conditions[name]} {what}"
        yield from wrap(line, _WIDE, subsequent_indent="    ")


def _settings(one: Scored) -> Mapping[str, Any] | None:
    who = one.tally.identity
    return None if who.settings is None else {**who.settings, "seed": who.seed}


def _words(value: object, beside: object) -> str:
    """Return a setting in words; of what has parts those alone that are not as ``beside``."""
    match value:
        case None:
            return NOTHING
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return _parts(value, beside if isinstance(beside, Mapping) else {})
        case list() | tuple():
            return ", ".join(_words(part, None) for part in value)
        case _:
            said = str(value)
            return said[:_DIGITS] if _DIGEST.fullmatch(said) else excerpt(said)


def _parts(value: Mapping[str, Any], beside: Mapping[str, Any]) -> str:
    if "name" in value:  # a model
        return _words(value["name"], None)
    if any(isinstance(part, Mapping) for part in value.values()):  # several
        return ", ".join(map(excerpt, value))
    parts = [
        f"{spoken(name)} {_words(part, None)}"
        for name, part in value.items()
        if name not in beside or beside[name] != part
    ]
    return ", ".join(parts) or NOTHING
