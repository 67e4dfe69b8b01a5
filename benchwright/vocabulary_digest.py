"""What of vocabulary.yaml decides labels: all of it but the wordings of questions."""

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


def vocabulary_text_digest(text: str) -> str:
    """Return the ``vocabulary_digest`` that a file with this text has."""
    return digest_of(_without_wordings(parse_text(text)))


def _without_wordings(said: Any) -> Any:
    if isinstance(said, list):
        return [_without_wordings(entry) for entry in said]
    if not isinstance(said, dict):
        return said
    kept = {key: _without_wordings(entry) for key, entry in said.items() if key != _WORDINGS}
    # an entry that holds templates alone says as much as an empty one, which is an empty text
    return {key: entry or "" for key, entry in kept.items()}
