"""What every source of rows offers, whatever it is a file of."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A row that cannot be read at all."""

    reason: str
    message: str


class Rows(Protocol):
    """Rows that can be gone over more than once.

    ``name`` is what rejects call the source, ``format`` and ``noun`` are for lines to the user.
    """

    @property
    def name(self) -> str:
        """Name in messages and rejects: a file name, never a path of this machine."""

    @property
    def path(self) -> Path | None:
        """The file, None for what is no single file: its rows themselves are its digest then."""

    @property
    def split(self) -> str | None:
        """Split of all the rows, where it is known."""

    @property
    def folder(self) -> Path | None:
        """Where its pictures lie unless something else is said; None where that is nowhere."""

    @property
    def format(self) -> str:
        """What it is, as the commands print it."""

    @property
    def noun(self) -> str:
        """What a row is called: line, row or entry."""

    def rows(self) -> Iterator[tuple[int, dict[str, Any] | Unreadable]]:
        """Yield the number of each row, from 1, and its fields.

        ``image`` is text or bytes; ``image_name`` then names the bytes, if anything does.
        """

    def pictures(self, rows: frozenset[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the bytes of the pictures that stand in these rows."""
