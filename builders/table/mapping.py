"""Which column of a table is what: a small record, given by options or by a YAML file.

A source takes a mapping, never a subclass of its own.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchwright.errors import UsageError
from benchwright.yaml_files import read_settings

DEFAULT_MISSING = ("", "null", "none")
DEFAULT_SOURCE = "table"
ROLES = ("id", "image", "group", "title", "licence", "author", "url", "split")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMapping:
    """The column of each role, null for a role that no column has; ``attributes`` are columns.

    ``missing`` are the words that stand for no value, compared without case and surrounding
    blanks, the empty word always among them. ``value_separator`` divides a cell that holds
    several values. ``source`` goes into every image id.
    """

    id: str | None = None
    image: str | None = None
    group: str | None = None
    title: str | None = None
    licence: str | None = None
    author: str | None = None
    url: str | None = None
    split: str | None = None
    attributes: tuple[str, ...] = ()
    missing: tuple[str, ...] = DEFAULT_MISSING
    value_separator: str | None = None
    source: str = DEFAULT_SOURCE

    def uses(self) -> list[tuple[str, str]]:
        """Return each role with its column, the attributes last."""
        roles = [(role, getattr(self, role)) for role in ROLES]
        named = [(role, column) for role, column in roles if column is not None]
        return [*named, *(("attribute", column) for column in self.attributes)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MappingOptions:
    """What a user states of a mapping; null is unsaid, an empty text is "no such column"."""

    id: str | None = None
    image: str | None = None
    group: str | None = None
    title: str | None = None
    licence: str | None = None
    author: str | None = None
    url: str | None = None
    split: str | None = None
    attributes: tuple[str, ...] | None = None
    missing: tuple[str, ...] | None = None
    value_separator: str | None = None
    source: str | None = None

    def over(self, other: "MappingOptions") -> "MappingOptions":
        """Return these options where they say something, the others where they do not."""
        said = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) is not None
        }
        return replace(other, **said)


class _MappingFile(BaseModel):
    """The YAML file: a column name for each role."""

    model_config = ConfigDict(extra="forbid", strict=True)

    id: str | None = None
    image: str | None = None
    group: str | None = None
    title: str | None = None
    licence: str | None = None
    author: str | None = None
    url: str | None = None
    split: str | None = None
    attributes: list[str] | str | None = None
    missing: list[str] | str | None = None
    value_separator: str | None = None
    source: str | None = None


def load_mapping(path: Path) -> MappingOptions:
    """Read a mapping file. What it leaves out is "no such column": nothing is guessed.

    Raises UsageError when the file cannot be read or holds an unknown key.
    """
    # every scalar as text: `null`, `no` and `007` are words of a table, not YAML's
    parsed = read_settings(path, _MappingFile, as_text=True)
    return MappingOptions(
        **{role: getattr(parsed, role) or "" for role in ROLES},
        attributes=_listed(parsed.attributes) or (),
        missing=_listed(parsed.missing),
        value_separator=parsed.value_separator,
        source=parsed.source,
    )


def _listed(value: list[str] | str | None) -> tuple[str, ...] | None:
    return (value,) if isinstance(value, str) else None if value is None else tuple(value)


def resolve(options: MappingOptions, proposed: TableMapping) -> TableMapping:
    """Return the mapping that the options state, the proposal where they say nothing."""
    roles = {
        role: getattr(proposed, role)
        if getattr(options, role) is None
        else getattr(options, role) or None
        for role in ROLES
    }
    missing = proposed.missing if options.missing is None else options.missing
    if options.value_separator == "":
        raise UsageError(
            "--value-separator is empty; give the text between two values, such as ';'"
        )
    if options.source == "":
        raise UsageError("--source is empty; give a short name of where the rows come from")
    return TableMapping(
        **roles,
        attributes=proposed.attributes if options.attributes is None else options.attributes,
        missing=missing_words(missing),
        value_separator=options.value_separator or proposed.value_separator,
        source=options.source or proposed.source,
    )


def missing_words(given: Sequence[str]) -> tuple[str, ...]:
    """Return words for no value as cells are compared with them: casefold, the empty one first."""
    return tuple(dict.fromkeys(["", *(word.strip().casefold() for word in given)]))


def split_names(given: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of ``COL,COL``; a column whose own name holds a comma is one."""
    names: list[str] = []
    for text in given:
        names += [text] if text in columns else [part.strip() for part in text.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


def check_columns(options: MappingOptions, path: Path, columns: Sequence[str]) -> None:
    """Raise UsageError when a column that the options name is not in the file."""
    named = {role: getattr(options, role) for role in ROLES}
    asked = [(role, column) for role, column in named.items() if column]
    asked += [("attributes", column) for column in options.attributes or ()]
    for role, column in asked:
        if column not in columns:
            raise UsageError(
                f"{path}: no column {column!r} (given as {role}){_near(column, columns)}; "
                f"its columns: {', '.join(columns)}"
            )


def _near(name: str, known: Sequence[str]) -> str:
    by_fold = {entry.casefold(): entry for entry in known}
    close = difflib.get_close_matches(name.casefold(), by_fold, n=3, cutoff=0.6)
    return (
        f", did you mean {' or '.join(repr(by_fold[entry]) for entry in close)}?" if close else ""
    )
