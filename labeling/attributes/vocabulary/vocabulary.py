"""vocabulary.yaml: the types and values that labels are made of, editable by hand.

    types:
      neckline:
        aliases: [neck line]
        exclusive: true
        complete: false
        askable: true
        values:
          v-neck:
            aliases: [v neckline, "sleeve: v-neck"]
            templates: []
        set_aside:
          petite: a size

An alias is another spelling; ``TYPE: SPELLING`` takes a spelling from the wrong column. Spellings
that differ only by case, hyphens or blanks need no alias. What stands in no entry gets no label.
What is set aside gets none either, on purpose: each spelling, which may be ``TYPE: SPELLING`` as
well, with the reason.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic
import yaml

from benchwright import files
from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from benchwright.yaml_files import read_settings
from labeling.attributes.vocabulary.spelling import fold

Key = tuple[str, str]  # folded type, folded value


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A spelling of a type that gets no label, and why; ``TYPE: SPELLING`` is of another type."""

    type: str
    spelling: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Types and values, each sorted by name, and what is set aside, by type and spelling."""

    types: tuple[AttributeType, ...]
    values: tuple[AttributeValue, ...]
    set_aside: tuple[SetAside, ...] = ()

    def lookup(self) -> dict[Key, AttributeValue]:
        """Return the value that each folded (type, spelling) stands for.

        Raises UsageError when one spelling would stand for two values.
        """
        found: dict[Key, AttributeValue] = {}
        names = _Names(self.types)
        for value in self.values:
            own = [(name, fold(value.value)) for name in names.own[value.type]]
            aliases = [key for alias in value.aliases for key in names.keys(value.type, alias)]
            for key in own + aliases:  # a colon in the value itself is part of it
                other = found.setdefault(key, value)
                if other is not value:
                    raise UsageError(
                        f"{key[1]!r} of type {key[0]!r} stands for both "
                        f"{other.type}: {other.value} and {value.type}: {value.value}; keep one"
                    )
        return found

    def aside(self) -> dict[Key, SetAside]:
        """Return what is set aside by its folded (type, spelling)."""
        names = _Names(self.types)
        return {
            key: entry for entry in self.set_aside for key in names.keys(entry.type, entry.spelling)
        }


class _Names:
    """The folded names of types: ``own`` by type, ``of`` by any of their names."""

    def __init__(self, types: tuple[AttributeType, ...]) -> None:
        self.own = {
            entry.type: [fold(name) for name in (entry.type, *entry.aliases)] for entry in types
        }
        self.of: dict[str, list[str]] = {}
        for names in self.own.values():
            for name in names:
                self.of.setdefault(name, names)

    def keys(self, type_name: str, alias: str) -> Iterator[Key]:
        """Yield the keys of an alias in a type; ``TYPE: SPELLING`` is of another one."""
        other, colon, spelling = alias.partition(": ")
        names = self.of.get(fold(other), [fold(other)]) if colon else self.own[type_name]
        for name in names:
            yield name, fold(spelling if colon else alias)


class _Entry(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")


class _ValueEntry(_Entry):
    aliases: list[str] = []
    templates: list[str] = []


class _TypeEntry(_Entry):
    aliases: list[str] = []
    exclusive: bool = False
    complete: bool = False
    askable: bool = True
    values: dict[str, _ValueEntry | None]
    set_aside: dict[str, str] = {}


class _File(_Entry):
    types: dict[str, _TypeEntry]


def load_vocabulary(path: Path) -> Vocabulary:
    """Read and check a vocabulary; raise UsageError that names the file and the place."""
    content = read_settings(path, _File)
    vocabulary = _vocabulary(content)
    try:
        check(vocabulary)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return vocabulary


def check(vocabulary: Vocabulary) -> None:
    """Raise UsageError when a spelling stands for two values, or for one and is set aside."""
    aside = vocabulary.aside()
    for key, value in vocabulary.lookup().items():
        if key in aside:
            raise UsageError(
                f"{key[1]!r} of type {key[0]!r} stands for {value.type}: {value.value} and is set "
                "aside; keep one"
            )


def _vocabulary(content: _File) -> Vocabulary:
    types, values, aside = [], [], []
    for type_name, entry in sorted(content.types.items()):
        types.append(
            AttributeType(
                type=type_name,
                aliases=tuple(entry.aliases),
                exclusive=entry.exclusive,
                complete=entry.complete,
                askable=entry.askable,
            )
        )
        for name, given in sorted(entry.values.items()):
            value = given or _ValueEntry()
            values.append(
                AttributeValue(
                    type=type_name,
                    value=name,
                    aliases=tuple(value.aliases),
                    templates=tuple(value.templates),
                )
            )
        aside += [
            SetAside(type=type_name, spelling=spelling, reason=reason)
            for spelling, reason in sorted(entry.set_aside.items())
        ]
    return Vocabulary(types=tuple(types), values=tuple(values), set_aside=tuple(aside))


def _as_mapping(vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the vocabulary as it stands in YAML, without what is empty."""
    return {
        "types": {
            entry.type: _filled(aliases=list(entry.aliases))
            | {
                "exclusive": entry.exclusive,
                "complete": entry.complete,
                "askable": entry.askable,
                "values": {
                    value.value: _filled(
                        aliases=list(value.aliases), templates=list(value.templates)
                    )
                    for value in vocabulary.values
                    if value.type == entry.type
                },
            }
            | _filled(
                set_aside=_Lines(
                    (one.spelling, one.reason)
                    for one in vocabulary.set_aside
                    if one.type == entry.type
                )
            )
            for entry in vocabulary.types
        }
    }


class _Lines(dict[str, str]):
    """A mapping that is written one entry a line, though it is short."""


class _Dumper(yaml.SafeDumper):
    def lines(self, said: _Lines) -> yaml.MappingNode:
        return self.represent_mapping("tag:yaml.org,2002:map", said, flow_style=False)


_Dumper.add_representer(_Lines, _Dumper.lines)


def _filled(**parts: list[str] | _Lines) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if part}


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """Return the vocabulary as YAML; the same vocabulary gives the same text."""
    text = yaml.dump(
        _as_mapping(vocabulary),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=100,
        default_flow_style=None,  # short lists stay on one line
    )
    return (
        "# Yours to edit: merge spellings with aliases, set aside what is no visible attribute.\n"
        + text
    )


def save_vocabulary(vocabulary: Vocabulary, path: Path) -> None:
    """Write the vocabulary as YAML.

    A file that stood there goes on as ``NAME.previous``, for it may hold a person's work.
    """
    replace_file(path, vocabulary_text(vocabulary))


def replace_file(path: Path, text: str) -> None:
    """Write a file that people edit; one with another text goes on as ``NAME.previous``."""
    data = text.encode()
    if path.is_file() and path.read_bytes() != data:
        files.write_bytes(path.with_name(f"{path.name}.previous"), path.read_bytes())
    files.write_bytes(path, data)
