"""Sets of box ids as one text, which decisions hold."""

import json
from collections.abc import Iterable

from benchwright.plain_text import excerpt


def ids_text(ids: Iterable[str]) -> str:
    """Return ids as a JSON list, each once, numbers in their order: the same set, the same text."""
    return json.dumps(list(in_order(ids)), ensure_ascii=False)


def ids_of(text: str) -> tuple[str, ...]:
    """Return the ids of a text as ``ids_text`` makes it; raises ValueError for another text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{excerpt(text)} is no list of box ids") from error
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ValueError(f"{excerpt(text)} is no list of box ids")
    return in_order(found)


def in_order(ids: Iterable[str]) -> tuple[str, ...]:
    """Return ids, each once, the shorter first and then by their letters: 2 before 10."""
    return tuple(sorted(set(ids), key=lambda each: (len(each), each)))
