"""audits/sheets/<audit>.keys.jsonl: what no sheet holds of a task, to make decisions of its rows.

A line stands for each task as it was shown, and goes on to stand when the task is shown otherwise:
a sheet that was written months ago is read by what it asked then. A task that is shown again as it
was has its old line replaced, for what was drawn of it may be new.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pydantic

from benchwright import files
from benchwright.errors import WorkspaceError
from benchwright.plain_text import excerpt
from benchwright.store import digest_of
from benchwright.workspace import Workspace
from labeling.audits.tasks.names import AUDITS, DISAGREEMENTS, AuditName, ThirdLook
from labeling.audits.tasks.task import Task, TaskKey


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetKey:
    """One task as a sheet shows it; ``key`` names both in the rows of the sheet."""

    key: str
    task: TaskKey
    shown: Mapping[str, Any]


_LINE = pydantic.TypeAdapter(SheetKey)


def sheets_folder(workspace: Workspace) -> Path:
    """Return where sheets are written unless told otherwise; the keys always are here."""
    return workspace.audits / "sheets"


def keys_path(workspace: Workspace, audit: AuditName | ThirdLook) -> Path:
    """Return the file of the keys of one audit."""
    return sheets_folder(workspace) / f"{audit}.keys.jsonl"


def key_of(task: Task) -> SheetKey:
    """Return the key of a task; no spreadsheet takes its name for a number, date or formula.

    It hangs on what is shown, never on ``before``, which a blind auditor could guess from it.
    """
    shown = json.loads(json.dumps(dict(task.shown)))
    return SheetKey(
        key=f"t{digest_of([task.kind, task.task_id, shown])[:15]}",
        task=TaskKey(
            task_id=task.task_id,
            kind=task.kind,
            thing=task.thing,
            before=task.before,
            stratum=task.stratum,
            probability=task.probability,
        ),
        shown=shown,
    )


def add_keys(workspace: Workspace, audit: AuditName | ThirdLook, keys: Iterable[SheetKey]) -> None:
    """Add keys to those that are there; where a task is shown as it was before, the new one stays.

    Raises WorkspaceError where the file holds something else, or another process writes sheets.
    """
    path = keys_path(workspace, audit)
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.locked(path.parent, "writing sheets"):  # two at once would lose the keys of one
        kept = {key.key: key for key in _read(path)}
        for key in keys:
            kept.pop(key.key, None)  # the newest of a task is the last of its lines
            kept[key.key] = key
        with files.atomic(path) as stream:
            for key in kept.values():
                line = json.dumps(asdict(key), sort_keys=True, ensure_ascii=False)
                stream.write(f"{line}\n".encode())


def read_keys(workspace: Workspace) -> Sequence[SheetKey]:
    """Return the keys of all audits, those of a task from the oldest to the newest.

    Raises WorkspaceError for a line that is no key.
    """
    audits = (*AUDITS, DISAGREEMENTS)
    return [key for audit in audits for key in _read(keys_path(workspace, audit))]


def _read(path: Path) -> Sequence[SheetKey]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    return [_key(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _key(path: Path, number: int, line: bytes) -> SheetKey:
    try:
        return _LINE.validate_json(line)
    except pydantic.ValidationError as error:
        raise WorkspaceError(
            f"{path}, line {number}: wanted the key of a task"
            f" ({excerpt(error.errors()[0]['msg'])}); move the file away and write the sheets"
            " again: the tasks stay the same"
        ) from error
