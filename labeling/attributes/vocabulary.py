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

An alias is another spelling; ``TYPE: SPELLING`` takes a spelling from the wrong column. Spellings
that differ only by case, hyphens or blanks need no alias. What stands in no entry gets no label.
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
from labeling.attributes.spelling import fold

Key = tuple[str, str]  # folded type, folded value


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Types and values, each sorted by name."""

    types: tuple[AttributeType, ...]
    values: tuple[AttributeValue, ...]

    def lookup(self) -> dict[Key, AttributeValue]:
        """Return the value that each folded (type, spelling) stands for.

        Raises UsageError when one spelling would stand for two values.
        """
        found: dict[Key, AttributeValue] = {}
        names = {entry.type: [entry.type, *entry.aliases] for entry in self.types}
        for value in self.values:
            for key in _keys(value, names[value.type]):
                other = found.setdefault(key, value)
                if other is not value:
                    raise UsageError(
                        f"{key[1]!r} of type {key[0]!r} stands for both "
                        f"{other.type}: {other.value} and {value.type}: {value.value}; keep one"
                    )
        return found


def _keys(value: AttributeValue, type_names: list[str]) -> Iterator[Key]:
    own = [value.value]  # a colon in it is part of it
    for alias in value.aliases:
        type_name, colon, spelling = alias.partition(": ")
        if colon:
            yield fold(type_name), fold(spelling)
        else:
            own.append(alias)
    for name in type_names:
        for spelling in own:
            yield fold(name), fold(spelling)


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


class _File(_Entry):
    types: dict[str, _TypeEntry]


def load_vocabulary(path: Path) -> Vocabulary:
    """Read and check a vocabulary; raise UsageError that names the file and the place."""
    content = read_settings(path, _File)
    vocabulary = _vocabulary(content)
    try:
        vocabulary.lookup()
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return vocabulary


def _vocabulary(content: _File) -> Vocabulary:
    types, values = [], []
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
    return Vocabulary(types=tuple(types), values=tuple(values))


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
            for entry in vocabulary.types
        }
    }


def _filled(**lists: list[str]) -> dict[str, Any]:
    return {name: values for name, values in lists.items() if values}


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """Return the vocabulary as YAML; the same vocabulary gives the same text."""
    text = yaml.safe_dump(
        _as_mapping(vocabulary),
        sort_keys=False,
        allow_unicode=True,
        width=100,
        default_flow_style=None,  # short lists stay on one line
    )
    return (
        "# Yours to edit: merge spellings with aliases, delete what is no visible attribute.\n"
        + text
    )


def save_vocabulary(vocabulary: Vocabulary, path: Path) -> None:
    """Write the vocabulary as YAML.

    A file that stood there goes on as ``NAME.previous``, for it may hold a person's work.
    """
    data = vocabulary_text(vocabulary).encode()
    if path.is_file() and path.read_bytes() != data:
        files.write_bytes(path.with_name(f"{path.name}.previous"), path.read_bytes())
    files.write_bytes(path, data)
