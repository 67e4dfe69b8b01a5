"""JSON that a server sends, whatever it is: what is missing or of another kind is empty."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

_SHORTEST = 12  # characters; what services give out has 30 and more
_DEEPEST = 100  # levels; no answer has so many, and walking through thousands would end the stack


def parsed(text: str | bytes) -> Any:
    """Return what a text says; null where it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def mapping_of(value: Any) -> Mapping[str, Any]:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: Any) -> Sequence[Any]:
    """Return a list, an empty one for anything else."""
    return value if isinstance(value, list) else []


def text_of(value: Any) -> str | None:
    """Return a text that says something, null for anything else."""
    return value if isinstance(value, str) and value else None


def cleaned(value: Any, secret: str | None = None, *, levels: int = _DEEPEST) -> Any:
    """Return any JSON with texts that can be kept: without the key, nor half a surrogate pair.

    What is nested deeper than ``levels`` becomes null.
    """
    if isinstance(value, str):
        return without_secret(storable(value), secret)
    if not isinstance(value, list | Mapping):
        return value
    if levels == 0:
        return None
    if isinstance(value, list):
        return [cleaned(each, secret, levels=levels - 1) for each in value]
    return {
        cleaned(name, secret): cleaned(each, secret, levels=levels - 1)
        for name, each in value.items()
    }


def storable(text: str) -> str:
    """Return a text that can be written: half a surrogate pair becomes a question mark."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode()


def without_secret(text: str, secret: str | None) -> str:
    """Return a text without the key, which some servers repeat, also where it stands as JSON.

    One of fewer than 12 characters is left: it is what somebody made up for a server of their own
    ("ollama", "EMPTY"), and an answer may hold the same letters.
    """
    if secret is None or len(secret) < _SHORTEST:
        return text
    if not (secret in text or "\\" in text):
        return text
    return _spellings(secret).sub("[key]", text)


@lru_cache
def _spellings(secret: str) -> re.Pattern[str]:
    """Match a key of ASCII as it is and with letters escaped as JSON allows it, once or often."""
    letters = [rf"\\{{0,15}}(?:{re.escape(each)}|u00(?i:{ord(each):02x}))" for each in secret]
    return re.compile("".join(letters))
