"""Files of JSON Lines that a maintainer adds to: one declaration a line, never changed by us.

A line that was added by mistake is taken out with an editor.
"""

import json
from pathlib import Path
from typing import Any, TypeVar

import pydantic

from benchwright import files
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.yaml_files import as_settings

TAKEDOWNS, ERRATA = "takedowns.jsonl", "errata.jsonl"
DECLARED = (TAKEDOWNS, ERRATA)  # beside the versions of a release
M = TypeVar("M", bound=pydantic.BaseModel)


def read_declared(path: Path, model: type[M]) -> tuple[M, ...]:
    """Return the declarations of a file, in their order, each once; no file: none.

    Raises UsageError, with the number of the line, for one that is no declaration.
    """
    return tuple(dict.fromkeys(entry for _, entry in _lines(path, model)))


def declare(path: Path, entry: pydantic.BaseModel) -> bool:
    """Add a declaration; false where it stands already. When it returns it is on the disk.

    Raises UsageError as ``read_declared`` does, WorkspaceError while a release is made there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(path.parent, "making a release or declaring something of it"):
        if entry in read_declared(path, type(entry)):
            return False
        held = path.read_bytes() if path.is_file() else b""
        before = held if not held or held.endswith(b"\n") else held + b"\n"
        files.write_bytes(path, before + as_line(entry.model_dump(mode="json")))
    return True


def as_line(values: dict[str, Any]) -> bytes:
    """Return a line of JSON: the same values give the same bytes."""
    return json.dumps(values, sort_keys=True, ensure_ascii=False).encode() + b"\n"


def _lines(path: Path, model: type[M]) -> list[tuple[int, M]]:
    if not path.is_file():
        return []
    return [
        (number, _entry(line, model, Path(f"{path}, line {number}")))
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1)
        if line.strip()
    ]


def _entry(line: bytes, model: type[M], where: Path) -> M:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"{where}: is no JSON ({excerpt(str(error))}); mend the line or take it out"
        ) from error
    return as_settings(said if isinstance(said, dict) else [], model, where)
