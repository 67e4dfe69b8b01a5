"""audits/decisions.jsonl: every decision that was ever made, one a line, only ever added to.

A decision that was added is on the disk. Nothing is changed or taken away: an auditor who thinks
better of it decides again, and one who withdraws says so in a line of its own.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Self

import pydantic
from pydantic import ConfigDict, Field, model_validator

from benchwright import files
from benchwright.plain_text import excerpt
from benchwright.records import Decision, Verdict
from benchwright.workspace import Workspace

Name = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """A line that is no decision; ``number`` counts from 1."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """The decisions in the order in which they were added, each once, and what was no decision."""

    decisions: tuple[Decision, ...]
    bad_lines: tuple[BadLine, ...]


def journal_path(workspace: Workspace) -> Path:
    """Return where the decisions of a workspace are."""
    return workspace.audits / "decisions.jsonl"


def append_decisions(workspace: Workspace, decisions: Iterable[Decision]) -> int:
    """Add decisions, those that stand there already left out; return how many were added.

    When it returns they are on the disk. Processes that add at once wait for each other. What a
    killed process left of its last line stays a line by itself. When the disk is full nothing is
    added, and OSError is raised. Raises ValueError for a decision that cannot be.
    """
    lines = list(dict.fromkeys(map(_line, decisions)))
    path = journal_path(workspace)
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with _alone_with(path) as handle:
        size = os.fstat(handle).st_size
        held = path.read_bytes()
        standing = set(held.split(b"\n"))
        added = [line for line in lines if line not in standing]
        data = b"".join(line + b"\n" for line in added)
        if data and held and not held.endswith(b"\n"):
            data = b"\n" + data
        try:
            _write(handle, data)
            os.fsync(handle)
        except OSError as error:
            os.ftruncate(handle, size)
            error.filename = str(path)
            raise
    if is_new:
        files.sync([path])  # the name, too, must be there after a power cut
    return len(added)


def refusal(decision: Decision) -> str | None:
    """Return why a decision cannot be added, in one line; null where it can."""
    try:
        _line(decision)
    except ValueError as error:
        return str(error)
    return None


def read_journal(workspace: Workspace) -> Journal:
    """Return all decisions; lines that are none are listed, never fatal. No file: no decisions."""
    path = journal_path(workspace)
    if not path.is_file():
        return Journal(decisions=(), bad_lines=())
    decisions: dict[Decision, None] = {}
    bad: list[BadLine] = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            decisions[_Entry.model_validate_json(line).decision()] = None
        except pydantic.ValidationError as error:
            bad.append(BadLine(number=number, reason=_reason(error)))
    return Journal(decisions=tuple(decisions), bad_lines=tuple(bad))


class _Entry(pydantic.BaseModel):
    """One line; the fields are those of Decision."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    image_id: Name | None
    object_id: Name | None
    record_id: Name | None
    field: Name
    auditor: Name
    before: str | None
    after: str | None
    verdict: Verdict
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None
    at: str
    stratum: str | None
    probability: Annotated[float, Field(gt=0, le=1)] | None
    failed: tuple[str, ...] = ()
    note: str | None = None
    named_for: Name | None = None  # older lines have none

    @model_validator(mode="after")
    def _of_one_thing(self) -> Self:
        if (self.image_id is None) == (self.record_id is None):
            raise ValueError("wants either image_id or record_id")
        if self.object_id is not None and self.image_id is None:
            raise ValueError("object_id wants an image_id")
        if self.named_for is not None and (self.image_id is None or self.named_for == self.field):
            raise ValueError("named_for wants an image_id and the field of another label")
        if (self.after is None) != (self.verdict not in ("confirmed", "corrected")):
            raise ValueError("after goes with the verdicts confirmed and corrected, and no other")
        try:
            offset = datetime.fromisoformat(self.at).utcoffset()
        except ValueError as error:
            raise ValueError("at wants a time such as 2026-03-01T12:00:00+00:00") from error
        if offset is None:
            raise ValueError("at wants an offset from UTC, such as +00:00")
        return self

    def decision(self) -> Decision:
        """Return it as the record."""
        return Decision(**dict(self))


def _line(decision: Decision) -> bytes:
    values = asdict(decision)
    if decision.seconds is not None and not math.isfinite(decision.seconds):
        raise ValueError(f"no decision takes {decision.seconds} seconds")
    text = json.dumps(values, sort_keys=True, ensure_ascii=False)
    try:
        _Entry.model_validate_json(text)
    except pydantic.ValidationError as error:
        raise ValueError(f"no decision: {_reason(error)}: {text}") from error
    return text.encode()


def _reason(error: pydantic.ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    return excerpt(f"{where}: {first['msg']}" if where else first["msg"])


@contextmanager
def _alone_with(path: Path) -> Iterator[int]:
    """Open a file to add to, once no other process adds; the lock dies with its process."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        if os.name == "posix":
            import fcntl  # noqa: PLC0415  # does not exist elsewhere

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield handle
    finally:
        os.close(handle)


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]
