"""Labels that are known apart from the votes: what calibration goes by."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from benchwright.decisions.cells import Cell, name_of
from benchwright.errors import SourceError
from benchwright.plain_text import excerpt
from benchwright.records import AttributeType, AttributeValue
from benchwright.workspace import Workspace
from builders.table.reading import read_table
from builders.table.row import Cell as TableCell
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import LABEL_CODES, NO, UNSURE, YES, Mask
from labeling.attributes.labels.stated_labels import stated_labels
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.stated import read_stated
from labeling.attributes.vocabulary.vocabulary import Key, Vocabulary

FROM_CATALOG = "catalog"  # in the place of a file: what the catalog states
_LEAST = 1e-12  # of a probability: the inverse of a smaller one is no weight to reckon with
_WANTED = ("image_id", "type", "value", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """Known labels that are of no use, ``what`` says of which kind; one of them by name."""

    path: Path
    count: int
    of: int
    example: str
    what: str = "rows match no picture, object or value that is voted on"

    def __str__(self) -> str:
        return f"{self.count:,} of {self.of:,} {self.what}, such as {self.example}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFile:
    """The labels of a file with the inverse of their inclusion probability.

    ``rows`` holds where each row stands (``line 2``) and the label's cell.
    """

    path: Path
    labels: Mapping[Cell, tuple[int, float]]
    rows: tuple[tuple[str, Cell], ...]

    def unmatched(self, matched: Container[Cell]) -> Unmatched | None:
        """Return what is known of the rows whose cell is not among those; null where all are."""
        others = [(place, cell) for place, cell in self.rows if cell not in matched]
        if not others:
            return None
        place, cell = others[0]
        return Unmatched(
            path=self.path,
            count=len(others),
            of=len(self.rows),
            example=f"{place}: {excerpt(name_of(cell))}",
        )


def read_known(path: Path, vocabulary: Vocabulary) -> KnownFile:
    """Return the labels of a CSV or Parquet file, in the words of the vocabulary.

    A file is read as ``build-catalog table`` reads it, whatever its delimiter and encoding.
    The columns are image_id, type, value, answer (yes or no; unsure counts as not known) and, where
    they are wanted, object_id and probability (above 0, at most 1; 1 where it is not given). Types
    and values may be spelt in any way that the vocabulary knows; others stay as they are.

    Raises SourceError that names the file and what it lacks, or the line, also where two lines
    are unlike on one label.
    """
    lookup = vocabulary.lookup()
    labels: dict[Cell, tuple[int, float]] = {}
    rows: list[tuple[str, Cell]] = []
    first: dict[Cell, str] = {}
    for place, row in _rows(path):
        cell, label = _said(path, place, row, lookup)
        if labels.setdefault(cell, label) != label:
            raise SourceError(
                f"{path}: {place} says otherwise than {first[cell]} of"
                f" {excerpt(name_of(cell))}; keep one of the two"
            )
        first.setdefault(cell, place)
        rows.append((place, cell))
    if not rows:
        raise SourceError(f"{path}: has no row; wanted one for each label that is known")
    return KnownFile(path=path, labels=labels, rows=tuple(rows))


def _said(
    path: Path, place: str, row: Mapping[str, TableCell], lookup: Mapping[Key, AttributeValue]
) -> tuple[Cell, tuple[int, float]]:
    said = {name: _text(row.get(name)) for name in (*_WANTED, "object_id")}
    missing = [name for name in _WANTED if not said[name]]
    if missing:
        raise SourceError(f"{path}: {place} has no {', '.join(missing)}; mend it")
    answer = said["answer"].lower()
    if answer not in LABEL_CODES:
        raise SourceError(f"{path}: {place}: answer wants yes or no, got {answer!r:.80}")
    kind, value = said["type"], said["value"]
    found = lookup.get((fold(kind), fold(value)))
    if found is not None:
        kind, value = found.type, found.value
    cell = (said["image_id"], said["object_id"] or None, kind, value)
    return cell, (LABEL_CODES[answer], _weight(path, place, row.get("probability")))


def _text(cell: TableCell) -> str:
    return "" if cell is None else str(cell).strip()


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, TableCell]]]:
    """Yield each row by column, and where it stands: a line of text, or a row of Parquet."""
    table = read_table(path, "known labels")
    missing = [name for name in _WANTED if name not in table.columns]
    if missing:
        raise SourceError(
            f"{path}: wanted the columns {', '.join(_WANTED)}; there is no {', '.join(missing)}"
            f" (the first line has {excerpt(', '.join(table.columns))})"
        )
    for reject in table.rejects:
        what = reject.message.removeprefix(f"{path.name}, ")
        hint = f"; quote cells that hold {table.delimiter!r}" if reject.reason == "ragged" else ""
        raise SourceError(f"{path}: {what}{hint}")
    kind = "row" if table.format == "parquet" else "line"
    for row in table.rows:
        yield f"{kind} {row.line}", dict(zip(table.columns, row.cells, strict=True))


def _weight(path: Path, place: str, probability: TableCell) -> float:
    if not _text(probability):
        return 1.0
    try:
        share = float(_text(probability))
    except ValueError:
        share = float("nan")
    if not _LEAST <= share <= 1:
        raise SourceError(
            f"{path}: {place}: probability wants a number above 0 and at most 1, got"
            f" {probability!r:.80}"
        )
    return 1 / share


def known_by_file(
    ballots: Ballots, held: KnownFile, counts: Mask
) -> tuple[Known, Unmatched | None]:
    """Return what a file knows of the cells of some ballots, and what of it matches none.

    ``counts`` marks the cells that may be calibrated by: see ``unselected``.
    """
    truth = np.zeros(len(ballots), np.int8)
    weights = np.ones(len(ballots))
    matched = set()
    for at, cell in enumerate(cells_of(ballots)):
        label = held.labels.get(cell)
        if label is not None:
            truth[at], weights[at] = label
            matched.add(cell)
    return Known(truth=truth, counts=counts, weights=weights), held.unmatched(matched)


def known_by_catalog(
    workspace: Workspace, ballots: Ballots, vocabulary: Vocabulary, counts: Mask
) -> Known:
    """Return what the catalog states of the cells of some ballots; see ``Catalog``.

    ``counts`` is as in ``known_by_file``.
    """
    catalog = Catalog.read(workspace, vocabulary)
    truth = np.array([catalog.says(cell) for cell in cells_of(ballots)], np.int8)
    return Known(truth=truth, counts=counts, weights=np.ones(len(ballots)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """What a catalog states of its pictures, as labels that are known.

    Yes for what it lists of a picture; no for another value of an exclusive type of which it
    lists one, and for all that a complete type does not list. Objects are not known.
    """

    listed: frozenset[tuple[str, str, str]]  # image_id, type, value
    typed: frozenset[tuple[str, str]]  # image_id and a type of which it lists a value
    types: Mapping[str, AttributeType]

    @classmethod
    def read(cls, workspace: Workspace, vocabulary: Vocabulary) -> Self:
        """Read what the catalog states in the words of the vocabulary."""
        stated = stated_labels(read_stated(workspace), vocabulary)
        columns = (stated.column(name).to_pylist() for name in ("image_id", "type", "value"))
        listed = frozenset(zip(*columns, strict=True))
        return cls(
            listed=listed,
            typed=frozenset((image_id, kind) for image_id, kind, _ in listed),
            types={entry.type: entry for entry in vocabulary.types},
        )

    def says(self, cell: Cell) -> int:
        """Return 1 for yes, -1 for no, 0 where nothing is stated."""
        image_id, object_id, kind, value = cell
        if object_id is not None:
            return UNSURE
        if (image_id, kind, value) in self.listed:
            return YES
        entry = self.types[kind]
        absent = entry.complete or (entry.exclusive and (image_id, kind) in self.typed)
        return NO if absent else UNSURE


def cells_of(ballots: Ballots) -> Iterator[Cell]:
    """Yield the subject, type and value of each cell."""
    images, things = ballots.image_ids.to_pylist(), ballots.object_ids.to_pylist()
    pairs = zip(ballots.subjects.tolist(), ballots.columns.tolist(), strict=True)
    for subject, column in pairs:
        value = ballots.values[column]
        yield images[subject], things[subject], value.type, value.value
