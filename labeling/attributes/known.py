"""Labels that are known apart from the votes: what calibration goes by."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchwright.errors import SourceError
from benchwright.records import AttributeType
from benchwright.workspace import Workspace
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import NO, UNSURE, YES
from labeling.attributes.deciding.rule import Share
from labeling.attributes.deciding.savings import full_sample
from labeling.attributes.stated import read_stated
from labeling.attributes.stated_labels import stated_labels
from labeling.attributes.vocabulary import Vocabulary

FROM_CATALOG = "catalog"  # in the place of a file: what the catalog states
_CODES = {"yes": YES, "no": NO, "unsure": UNSURE}
_LEAST = 1e-12  # of a probability: the inverse of a smaller one is no weight to reckon with
_WANTED = ("image_id", "type", "value", "answer")
Cell = tuple[str, str | None, str, str]


def read_known(path: Path) -> dict[Cell, tuple[int, float]]:
    """Return the labels of a CSV or Parquet file, with the inverse of their inclusion probability.

    The columns are image_id, type, value, answer (yes or no; unsure counts as not known) and, where
    they are wanted, object_id and probability (above 0, at most 1; 1 where it is not given).

    Raises SourceError that names file and row, also where two rows are unlike on one label.
    """
    known: dict[Cell, tuple[int, float]] = {}
    rows: dict[Cell, int] = {}
    for number, row in _rows(path):
        said = {name: _text(row.get(name)) for name in (*_WANTED, "object_id")}
        missing = [name for name in _WANTED if not said[name]]
        if missing:
            raise SourceError(f"{path}: row {number} has no {', '.join(missing)}; mend it")
        answer = said["answer"].lower()
        if answer not in _CODES:
            raise SourceError(f"{path}: row {number}: answer wants yes or no, got {answer!r:.80}")
        cell = (said["image_id"], said["object_id"] or None, said["type"], said["value"])
        label = (_CODES[answer], _weight(path, number, row.get("probability")))
        if known.setdefault(cell, label) != label:
            raise SourceError(
                f"{path}: row {number} says otherwise than row {rows[cell]} of {cell[0]}"
                f" {cell[2]}: {cell[3]}; keep one of the two"
            )
        rows.setdefault(cell, number)
    return known


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        if path.suffix.lower() == ".parquet":
            yield from enumerate(pq.read_table(path).to_pylist(), 1)
        else:
            with path.open(encoding="utf-8-sig", newline="") as stream:
                yield from enumerate(csv.DictReader(stream), 1)
    except (OSError, pa.ArrowException, UnicodeDecodeError, csv.Error) as error:
        said = " ".join(str(error).split())
        raise SourceError(f"{path}: wanted a CSV or Parquet file of labels ({said})") from error


def _weight(path: Path, number: int, probability: Any) -> float:
    if probability in (None, ""):
        return 1.0
    try:
        share = float(probability)
    except (TypeError, ValueError):
        share = float("nan")
    if not _LEAST <= share <= 1:
        raise SourceError(
            f"{path}: row {number}: probability wants a number above 0 and at most 1, got"
            f" {probability!r}"
        )
    return 1 / share


def known_by_file(ballots: Ballots, path: Path) -> Known:
    """Return what a file knows of the cells of some ballots; all that it holds counts."""
    held = read_known(path)
    truth = np.zeros(len(ballots), np.int8)
    weights = np.ones(len(ballots))
    for cell, key in enumerate(_cells(ballots)):
        if key in held:
            truth[cell], weights[cell] = held[key]
    return Known(truth=truth, counts=truth != UNSURE, weights=weights)


def known_by_catalog(
    workspace: Workspace, ballots: Ballots, vocabulary: Vocabulary, full: Share, seed: int
) -> Known:
    """Return what the catalog states of the cells that were asked in full; see ``Catalog``."""
    catalog = Catalog.read(workspace, vocabulary)
    truth = np.array([catalog.says(cell) for cell in _cells(ballots)], np.int8)
    return Known(
        truth=truth, counts=full_sample(ballots, full, seed), weights=np.ones(len(ballots))
    )


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


def _cells(ballots: Ballots) -> Iterator[Cell]:
    images, things = ballots.image_ids.to_pylist(), ballots.object_ids.to_pylist()
    pairs = zip(ballots.subjects.tolist(), ballots.columns.tolist(), strict=True)
    for subject, column in pairs:
        value = ballots.values[column]
        yield images[subject], things[subject], value.type, value.value
