"""Tables of what annotators marked elsewhere: a row a turn, with points or boxes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from benchwright.boxes import Box
from benchwright.decisions.auditors import auditor_name
from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.records import Reject
from builders.table.reading import Table, read_table
from builders.table.row import Cell
from labeling.dialogues.candidate_set.mapping.cells import (
    entries_of,
    given_time,
    numbers_of,
    text_of,
    time_of,
    turn_of,
)
from labeling.dialogues.candidate_set.mapping.points import NoMatch, Point

COLUMNS = ("dialogue_id", "turn", "annotator", "points", "boxes", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What holds for rows that do not say it themselves: who annotated, and when (ISO 8601)."""

    annotator: str | None = None
    at: str | None = None

    @classmethod
    def of(cls, annotator: str | None, at: str | None) -> Self:
        """Return what options say; raises UsageError for no name, or no day or time."""
        try:
            return cls(
                annotator=None if annotator is None else auditor_name(annotator),
                at=None if at is None else given_time(at),
            )
        except (ValueError, OverflowError) as error:
            raise UsageError(
                f"--at wants a day or a time such as 2026-03-01, got {excerpt(at or '', 40)!r}"
            ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """What a row says one annotator marked at a turn: points, drawn boxes or named ones.

    ``fault`` says why nothing can be taken from it; then there are no marks. ``at`` is ISO 8601
    with an offset.
    """

    dialogue_id: str
    turn: int
    annotator: str
    row: int
    at: str = ""
    points: tuple[Point, ...] = ()
    drawn: tuple[Box, ...] = ()
    named: tuple[str, ...] = ()
    fault: NoMatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationsRead:
    """The annotations of a file in the order of its rows, and rows of which nobody knows whose."""

    annotations: Sequence[Annotation]
    rejects: Sequence[Reject]


def read_annotations(path: Path, given: Given) -> AnnotationsRead:
    """Read a CSV, JSON Lines or Parquet file with the columns COLUMNS, of which some may lack.

    A row that cannot be taken is an annotation with a fault where it says of which turn it is and
    by whom, else a reject. Raises SourceError for a file that is no table; UsageError where it
    lacks a column that it wants, or names another annotator than the one who is given.
    """
    table = read_table(path, "annotations")
    columns = _columns(path, table, given)
    annotations: list[Annotation] = []
    rejects = [replace(one, kind="dialogue") for one in table.rejects]
    for line, cells in _named_rows(table, columns):
        try:
            annotations.append(_annotation(path, line, cells, given))
        except NoMatch as error:
            rejects.append(_reject(path, line, cells, error))
    return AnnotationsRead(annotations=annotations, rejects=rejects)


def _columns(path: Path, table: Table, given: Given) -> Mapping[str, int]:
    """Return the places of the columns that are ours."""
    names = [name.replace("\ufeff", "").strip().casefold() for name in table.columns]
    places = {name: names.index(name) for name in COLUMNS if name in names}
    lacking = [name for name in ("dialogue_id", "turn") if name not in places]
    if "points" not in places and "boxes" not in places:
        lacking.append("points or boxes")
    if lacking:
        found = excerpt(", ".join(table.columns))
        raise UsageError(f"{path}: wanted the columns {', '.join(lacking)}; found {found}")
    if "annotator" not in places and given.annotator is None:
        raise UsageError(
            f"{path}: nobody says who annotated; add a column annotator, or name one by --annotator"
        )
    if "at" not in places and given.at is None:
        raise UsageError(
            f"{path}: nothing says when it was annotated, and the later of two marks stands; add a"
            " column at, or name the day by --at 2026-03-01"
        )
    return places


def _named_rows(
    table: Table, columns: Mapping[str, int]
) -> Iterable[tuple[int, Mapping[str, Cell]]]:
    for row in table.rows:
        yield row.line, {name: row.cells[place] for name, place in columns.items()}


def _annotation(path: Path, line: int, cells: Mapping[str, Cell], given: Given) -> Annotation:
    whose = Annotation(
        dialogue_id=text_of(cells, "dialogue_id", "no_dialogue"),
        turn=turn_of(cells),
        annotator=_annotator(path, line, cells, given),
        row=line,
    )
    try:
        return _filled(whose, cells, given)
    except NoMatch as fault:
        return replace(whose, fault=fault)


def _filled(whose: Annotation, cells: Mapping[str, Cell], given: Given) -> Annotation:
    """Return an annotation with what a row marks; raises NoMatch for what cannot be read."""
    points = [numbers_of(entry, 2, "points") for entry in entries_of(cells, "points")]
    boxes = entries_of(cells, "boxes")
    if points and boxes:
        raise NoMatch("points_and_boxes", "it has points and boxes; leave one of them away")
    drawn = [numbers_of(entry, 4, "boxes") for entry in boxes if isinstance(entry, list)]
    named = [str(entry).strip() for entry in boxes if not isinstance(entry, list)]
    if drawn and named:
        raise NoMatch("bad_boxes", "it draws some boxes and names others; do one of both")
    if not (points or drawn or named):
        raise NoMatch("nothing_marked", "nothing is marked")
    return replace(
        whose,
        at=time_of(cells, given.at),
        points=tuple((x, y) for x, y in points),
        drawn=tuple((x, y, width, height) for x, y, width, height in drawn),
        named=tuple(named),
    )


def _annotator(path: Path, line: int, cells: Mapping[str, Cell], given: Given) -> str:
    cell = cells.get("annotator")
    if not isinstance(cell, str) or not cell.strip():
        if given.annotator is None:
            raise NoMatch("no_annotator", "it has no annotator")
        return given.annotator
    try:
        said = auditor_name(cell)
    except UsageError as error:
        raise NoMatch("no_annotator", str(error)) from error
    if given.annotator not in (None, said):
        raise UsageError(
            f"{path}, row {line}: was annotated by {excerpt(said)}, not by {given.annotator};"
            " leave --annotator away, or mend the column annotator"
        )
    return said


def _reject(path: Path, line: int, cells: Mapping[str, Cell], error: NoMatch) -> Reject:
    dialogue_id = cells.get("dialogue_id")
    return Reject(
        source="annotations",
        kind="dialogue",
        source_id=dialogue_id if isinstance(dialogue_id, str) else None,
        row=line,
        path=path.name,
        reason=error.reason,
        message=f"{path.name}, line {line}: {error}",
    )
