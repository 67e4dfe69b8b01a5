"""Names of auditors: one rule for what a name is, and which two are likely one person.

What a model made names it by ``model_author``, which no person can be called.
"""

import logging
from collections.abc import Iterable

from benchwright.errors import UsageError
from benchwright.plain_text import plain
from benchwright.records import Decision

LONGEST_NAME = 64
_MODEL = "model:"  # before the name of a voter, where an author is named

_log = logging.getLogger(__name__)


def auditor_name(name: str) -> str:
    """Return the name of an auditor without blanks round it.

    Raises UsageError unless it has 1 to 64 printable characters, and for what names a model.
    """
    trimmed = name.strip()
    if not trimmed or len(trimmed) > LONGEST_NAME or not trimmed.isprintable():
        raise UsageError(
            f"auditor {plain(name)[:80]!r}: a name has 1 to {LONGEST_NAME} printable characters;"
            " choose another"
        )
    if is_model(trimmed.casefold()):
        raise UsageError(
            f"auditor {plain(name)[:80]!r}: names with {_MODEL} are those of models; choose another"
        )
    return trimmed


def model_author(voter: str) -> str:
    """Return how a model is named as the author of something: never as an auditor can be."""
    return f"{_MODEL}{voter}"


def is_model(author: str) -> bool:
    """Tell whether an author is a model."""
    return author.startswith(_MODEL)


def spelled_otherwise(name: str, decisions: Iterable[Decision]) -> str | None:
    """Return the first auditor whose name differs from this one in case and blanks only."""
    folded = _folded(name)
    others = {each.auditor for each in decisions} - {name}
    return next((other for other in sorted(others) if _folded(other) == folded), None)


def warn_if_spelled_otherwise(names: Iterable[str], decisions: Iterable[Decision]) -> None:
    """Log a warning for each name that the decisions know in another spelling."""
    held = list(decisions)
    for name in sorted(set(names)):
        other = spelled_otherwise(name, held)
        if other is not None:
            _log.warning(
                "auditor %r: %r has decided before; they count as two people, so use one spelling"
                " where they are one",
                *(name, other),
            )


def _folded(name: str) -> str:
    return "".join(name.split()).casefold()
