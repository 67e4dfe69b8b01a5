"""A filled sheet, read back as the slots that the App would hold."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchwright.decisions.auditors import auditor_name, warn_if_spelled_otherwise
from benchwright.decisions.journal import read_journal
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.spreadsheet_cells import bare, readable
from benchwright.workspace import Workspace
from labeling.audits.sheets.answers import BadRow, slot_of
from labeling.audits.sheets.earlier import Earlier
from labeling.audits.sheets.keys import SheetKey, read_keys
from labeling.audits.sheets.table import Line, read_table
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.names import AUDITS
from labeling.audits.tasks.task import Slot, TaskKey

_MARK = "UTC"  # before a time, which spreadsheets would else turn into one of theirs
_AHEAD = timedelta(days=1)  # of the file: what clocks may differ by
_ANSWERED = ("verdict", "value", "boxes", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetReject:
    """A row that gave no judgement; ``row`` is what a spreadsheet calls it, ``reason`` a code."""

    row: int
    task_id: str | None
    reason: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRead:
    """The judgements of a sheet in the order of its rows, and what was none.

    ``blank`` counts tasks that nobody judged.
    """

    rows: Sequence[tuple[TaskKey, Slot]]
    rejects: Sequence[SheetReject]
    blank: int

    def reasons(self) -> Mapping[str, int]:
        """Return how many rows were rejected for each reason."""
        return dict(sorted(Counter(reject.reason for reject in self.rejects).items()))


def read_sheet(workspace: Workspace, path: Path, auditor: str | None) -> SheetRead:
    """Read a CSV that was filled in, by hand or by a page.

    A row without a verdict is not judged. A judgement is refused for what the App refuses it for.
    A row without a time has that of the file, or that with which the journal has the same already.
    An auditor whom the journal knows in another spelling is warned of.

    Raises SourceError for a file that is no sheet; UsageError where no sheet was written in this
    workspace, where no row and no ``auditor`` says who judged, or where ``auditor`` is not who the
    sheet says or no name.
    """
    given = None if auditor is None else auditor_name(auditor)
    lines = list(read_table(path))
    keys = _Keys.of(workspace)
    if not keys.by_key:
        raise UsageError(
            f"{path}: no sheet was ever written in {workspace.root}, and nothing says what this one"
            " asks; name the workspace that it comes from by --workspace"
        )
    saved = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    decisions = read_journal(workspace).decisions
    earlier = Earlier.of(decisions)
    filled = [line for line in lines if line.problem or any(map(line.cells.get, _ANSWERED))]
    if filled and given is None and not any(line.cells["auditor"] for line in lines):
        raise UsageError(
            f"{path}: nobody says who judged; fill in the column auditor, or name the auditor by"
            " --auditor"
        )
    judged: list[_Judged] = []
    rejects: list[SheetReject] = []
    for line in filled:
        try:
            key = keys.of_line(line)
            slot = _slot(workspace, key, line, _auditor(path, line, given), saved, earlier)
        except BadRow as error:
            rejects.append(_reject(line, error.reason, str(error)))
        else:
            judged.append(_Judged(line=line, key=key, slot=slot))
    warn_if_spelled_otherwise([one.slot.auditor for one in judged], decisions)
    rows, differing = _each_once(judged)
    return SheetRead(
        rows=rows,
        rejects=tuple(sorted([*rejects, *differing], key=lambda reject: reject.row)),
        blank=len(lines) - len(filled),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    line: Line
    key: SheetKey
    slot: Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class _Keys:
    """The keys of a workspace, each task that was shown in several ways by its newest."""

    by_key: Mapping[str, SheetKey]
    by_task: Mapping[tuple[str, str], SheetKey]

    @classmethod
    def of(cls, workspace: Workspace) -> "_Keys":
        keys = read_keys(workspace)
        return cls(
            by_key={key.key: key for key in keys},
            by_task={(key.task.kind, bare(readable(key.task.task_id))): key for key in keys},
        )

    def of_line(self, line: Line) -> SheetKey:
        """Return the key of a row: by its name, else by the task and, where it says so, the kind.

        Raises BadRow for a task that nobody asked, or where the two name different ones.
        """
        if line.problem is not None:
            raise BadRow("unreadable", line.problem)
        kind, task_id = line.cells["kind"].casefold(), line.cells["task_id"]
        of_task = [
            key
            for audit in ((kind,) if kind in AUDITS else AUDITS)
            if (key := self.by_task.get((audit, task_id))) is not None
        ]
        named = self.by_key.get(line.cells["key"].casefold())
        if named is None and len(of_task) != 1:
            raise BadRow("unknown_task", "no sheet of this workspace asks this task")
        if named is None:
            return of_task[0]
        if of_task and named.task.task_id not in [key.task.task_id for key in of_task]:
            raise BadRow(
                "mixed_up", "key and task_id name two tasks; a column was sorted by itself"
            )
        return named


def _slot(
    workspace: Workspace,
    key: SheetKey,
    line: Line,
    auditor: str,
    saved: datetime,
    earlier: Earlier,
) -> Slot:
    own = _time(line.cells["judged at"], saved)
    at = own or saved.isoformat()
    slot = slot_of(key, line.cells, auditor, at, _seconds(line.cells["seconds"]))
    _check(workspace, key, slot)
    if own is None:
        at = earlier.time_of(key, slot, kind_of(key.task.kind).decisions) or at
    return earlier.with_what_no_longer_holds(key, replace(slot, at=at))


def _check(workspace: Workspace, key: SheetKey, slot: Slot) -> None:
    """Raise BadRow for what the App would not store."""
    kind = kind_of(key.task.kind)
    is_withdrawn = slot.verdict == "withdrawn"  # which no App refuses
    refusal = None if is_withdrawn else kind.refusal(workspace, key.shown, slot)
    if refusal is None:
        try:
            kind.decisions(key.task, slot)
        except ValueError as error:
            refusal = str(error)
    if refusal is not None:
        raise BadRow("refused", excerpt(refusal))


def _auditor(path: Path, line: Line, given: str | None) -> str:
    cell = line.cells["auditor"]
    if not cell:
        if given is None:
            raise BadRow("no_auditor", "nobody says who judged; fill in the column auditor")
        return given
    try:
        said = auditor_name(cell)
    except UsageError as error:
        raise BadRow("no_auditor", str(error)) from error
    if given not in (None, said):
        raise UsageError(
            f"{path}, row {line.number}: was judged by {said}, not by {given}; leave --auditor"
            " away, or mend the column auditor"
        )
    return said


def _time(cell: str, saved: datetime) -> str | None:
    """Return when a row was judged; null where it does not say, or not well."""
    try:
        said = datetime.fromisoformat(cell.removeprefix(_MARK).strip())
        if said.tzinfo is None and cell.startswith(_MARK):
            said = said.replace(tzinfo=UTC)
        if said.tzinfo is not None and said <= saved + _AHEAD:
            return said.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        pass
    return None


def _seconds(cell: str) -> float | None:
    try:
        seconds = float(cell.replace(",", "."))
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _each_once(
    judged: Sequence[_Judged],
) -> tuple[Sequence[tuple[TaskKey, Slot]], Sequence[SheetReject]]:
    """Return each judgement once, and the rows of tasks that an auditor answered in two ways."""
    groups: dict[tuple[str, str, str], list[_Judged]] = {}
    for one in judged:
        task = one.key.task
        groups.setdefault((one.slot.auditor, task.kind, task.task_id), []).append(one)
    rows, rejects = [], []
    for group in groups.values():
        latest = max(group, key=lambda one: datetime.fromisoformat(one.slot.at))
        if len({replace(one.slot, at="", seconds=None) for one in group}) == 1:
            rows.append((latest.key.task, latest.slot))
            continue
        where = ", ".join(str(one.line.number) for one in group)
        message = f"rows {where} answer one task in different ways; keep one of them"
        rejects += [_reject(one.line, "two_answers", message) for one in group]
    return rows, rejects


def _reject(line: Line, reason: str, message: str) -> SheetReject:
    return SheetReject(
        row=line.number, task_id=line.cells["task_id"] or None, reason=reason, message=message
    )
