"""What auditors decided, as decisions: from the App's database, from sheets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchwright.decisions.journal import refusal
from benchwright.plain_text import excerpt
from benchwright.records import Decision
from benchwright.workspace import Workspace
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.names import AUDITS
from labeling.audits.tasks.task import Slot, TaskKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A judgement that cannot be a decision; ``place`` names where it stands."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The decisions of one source: an audit in the database, or a sheet.

    ``judgements`` are all that are there, of which ``refused`` are no decision.
    """

    source: str
    judgements: int
    decisions: Sequence[Decision]
    refused: Sequence[Refused]
    is_sheet: bool = False


def from_database(workspace: Workspace) -> list[Gathered]:
    """Return what stands in the database of a workspace, audit by audit.

    Raises as ``connected`` of ``labeling.audits.app.database``.
    """
    from labeling.audits.app.reading import (  # noqa: PLC0415  # what it needs is an extra
        audits_of,
        connected,
        read_slots,
    )

    with connected(workspace) as database:
        return [gathered(name, read_slots(database, name)) for name in audits_of(database)]


def from_sheet(workspace: Workspace, path: Path, auditor: str | None) -> Gathered:
    """Return what was filled in on a sheet; raises as ``read_sheet``."""
    from labeling.audits.sheets.reading import read_sheet  # noqa: PLC0415

    sheet = read_sheet(workspace, path, auditor)
    found = gathered(str(path), sheet.rows)
    rejected = [
        Refused(place=f"{path}, row {reject.row}", reason=reject.message)
        for reject in sheet.rejects
    ]
    return Gathered(
        source=found.source,
        judgements=found.judgements + len(rejected),
        decisions=found.decisions,
        refused=[*rejected, *found.refused],
        is_sheet=True,
    )


def gathered(source: str, slots: Iterable[tuple[TaskKey, Slot]]) -> Gathered:
    """Return the decisions that judgements stand for; one that cannot be any stops no other."""
    decisions: list[Decision] = []
    refused: list[Refused] = []
    judgements = 0
    for key, slot in slots:
        judgements += 1
        try:
            decisions += _decisions(key, slot)
        except ValueError as error:
            place = f"{source}: {excerpt(key.task_id)} by {excerpt(slot.auditor)}"
            refused.append(Refused(place=place, reason=excerpt(str(error))))
    return Gathered(source=source, judgements=judgements, decisions=decisions, refused=refused)


def _decisions(key: TaskKey, slot: Slot) -> Sequence[Decision]:
    if key.kind not in AUDITS:
        raise ValueError(f"there is no audit of the kind {key.kind!r}")
    found = kind_of(key.kind).decisions(key, slot)
    for decision in found:
        why = refusal(decision)
        if why is not None:
            raise ValueError(why)
    return found
