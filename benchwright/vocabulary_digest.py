"""What of vocabulary.yaml decides labels: all of it but the wordings of questions.

types > TYPE > values > VALUE > templates
"""

from pathlib import Path
from typing import Any

from benchwright.store import digest_of
from benchwright.yaml_files import parse_text, read_yaml

_WORDINGS = "templates"


def vocabulary_digest(path: Path) -> str:
    """Return the digest of a vocabulary, whatever its comments, order of keys and templates.

    Raises UsageError as ``read_yaml`` does.
    """
    return digest_of(_without_wordings(read_yaml(path, as_text=True)))


def wordings_digest(path: Path) -> str:
    """Return the digest of all that a vocabulary says, templates among it; raises as above."""
    return digest_of(read_yaml(path, as_text=True))


def vocabulary_text_digest(text: str) -> str:
    """Return the ``vocabulary_digest`` that a file with this text has."""
    return digest_of(_without_wordings(parse_text(text)))


def _without_wordings(said: Any) -> Any:
    types = said.get("types") if isinstance(said, dict) else None
    if not isinstance(types, dict):
        return said
    return {**said, "types": {name: _type(entry) for name, entry in types.items()}}


def _type(entry: Any) -> Any:
    values = entry.get("values") if isinstance(entry, dict) else None
    if not isinstance(values, dict):
        return entry
    return {**entry, "values": {name: _value(value) for name, value in values.items()}}


def _value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    # an entry that holds templates alone says as much as an empty one, which is an empty text
    return {key: entry for key, entry in value.items() if key != _WORDINGS} or ""
