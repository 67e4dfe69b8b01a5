"""Files of chains that people wrote: YAML or JSON Lines, read with every plain word a text.

YAML has no anchors, aliases or tags here: nobody needs them to write down a chain, and a file of a
kilobyte can mean gigabytes by them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt, plain
from benchwright.yaml_files import read_yaml

_LINES, _YAML = (".jsonl", ".ndjson"), (".yaml", ".yml")
_MOST_BYTES = 50_000_000
_MOST_OF_YAML = 4_000_000  # some 7,000 chains; four seconds a megabyte, JSON a seventieth
_DEEPEST = 12  # levels of brackets; a chain has six


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What stands for one chain in a file, from ``line`` on (from 1); ``fault`` where it is none.

    ``said`` is of mappings, lists and texts; of JSON also true, false and null.
    """

    line: int
    said: Any
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainFile:
    """A file of chains; ``author`` is whom it names for all that name nobody."""

    name: str
    sha256: str
    author: str | None
    entries: tuple[Entry, ...]


def read_chain_file(path: Path) -> ChainFile:
    """Return the entries of a file, in its order.

    A line of JSON Lines that is no JSON is an entry with a fault. Raises UsageError that names the
    file, and the line where there is one, for a file that cannot be read as a whole.
    """
    suffix = path.suffix.lower()
    if suffix not in (*_LINES, *_YAML):
        wanted = ", ".join((*_YAML, *_LINES))
        raise UsageError(f"{path}: wants a file of chains, whose name ends with one of {wanted}")
    if not path.name.isprintable():
        raise UsageError(f"{plain(path.name)}: a name with signs that cannot be printed; rename it")
    data = _bytes_of(path, _MOST_BYTES if suffix in _LINES else _MOST_OF_YAML)
    author, entries = _lines(data) if suffix in _LINES else _yaml(data, path)
    return ChainFile(
        name=path.name,
        sha256=hashlib.sha256(data).hexdigest(),
        author=author,
        entries=tuple(entries),
    )


def _bytes_of(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > most:
        raise UsageError(f"{path}: has over {most:,} bytes; cut it, or write JSON Lines")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path}: is no UTF-8 at line {line}; store it as UTF-8") from error
    return data


def _lines(data: bytes) -> tuple[None, Iterator[Entry]]:
    lines = data.decode("utf-8-sig").split("\n")  # other line breaks may stand within a text
    return None, (_line(number, text) for number, text in enumerate(lines, 1) if text.strip())


def _line(number: int, text: str) -> Entry:
    try:
        said = json.loads(
            text,
            parse_int=str,
            parse_float=str,
            parse_constant=str,
            object_pairs_hook=_without_repeats,
        )
    except RecursionError:
        return Entry(line=number, said=None, fault="is nested too deeply")
    except ValueError as error:
        return Entry(line=number, said=None, fault=f"is no JSON ({excerpt(str(error))})")
    return Entry(line=number, said=said)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, times in counts.items() if times > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found


def _yaml(data: bytes, path: Path) -> tuple[str | None, Iterator[Entry]]:
    lines = _lines_of_entries(data, path)
    said = read_yaml(path, as_text=True)
    author = None
    if isinstance(said, dict):
        unknown = sorted(map(str, said.keys() - {"author", "chains"}))
        if unknown or "chains" not in said:
            came = f"got {', '.join(map(plain, unknown))[:80]}" if unknown else "chains: is missing"
            raise UsageError(f"{path}: wants a list of chains, or author: and chains:; {came}")
        author, said = said.get("author") or None, said["chains"] or []
        if author is not None and not isinstance(author, str):
            raise UsageError(f"{path}: author: wants one name, for all chains that name nobody")
    if not isinstance(said, list | None):
        raise UsageError(f"{path}: wants a list of chains, or author: and chains:")
    entries = zip(lines, said or [], strict=True)
    return author, (Entry(line=line, said=each) for line, each in entries)


def _lines_of_entries(data: bytes, path: Path) -> list[int]:
    """Return where each chain begins, having refused what YAML can hide.

    Chains are what the outermost list holds: at the top, or under a key there.
    """
    lines: list[int] = []
    open_lists: list[bool] = []  # whether each bracket that is open is of a list
    try:
        for event in yaml.parse(data.decode("utf-8-sig"), Loader=yaml.SafeLoader):
            _refuse_hidden(event, path, len(open_lists))
            if isinstance(event, yaml.CollectionEndEvent):
                open_lists.pop()
                continue
            if isinstance(event, yaml.NodeEvent) and open_lists in ([True], [False, True]):
                lines.append(_line_of(event))
            if isinstance(event, yaml.CollectionStartEvent):
                open_lists.append(isinstance(event, yaml.SequenceStartEvent))
    except yaml.YAMLError:
        return []  # ``read_yaml`` says what breaks it, and where
    return lines


def _refuse_hidden(event: yaml.Event, path: Path, depth: int) -> None:
    fault = None
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        fault = "an anchor or alias (&name, *name); write out what it stands for, or quote the text"
    elif getattr(event, "tag", None) is not None:
        fault = "a tag (!name); leave it away, or quote the text"
    elif depth > _DEEPEST:
        fault = "more brackets within each other than a chain has; mend it there"
    if fault is not None:
        raise UsageError(f"{path}: line {_line_of(event)} has {fault}")


def _line_of(event: yaml.Event) -> int:
    return 0 if event.start_mark is None else event.start_mark.line + 1
