"""The labels that were decided, at the cells of the votes behind them."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.decisions.cells import CELL
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import LABEL_CODES, Bytes, Longs, Reals
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.labels.audited import unaudited_labels
from labeling.attributes.labels.decide import Votes

_COLUMNS = [*CELL, "answer", "margin", "origin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLabels:
    """The labels of n cells, unsure where there is none, and the rule that they were decided by.

    ``margin`` (n,) is 0 where there is none.
    """

    answer: Bytes
    margin: Reals
    rule: Rule
    digest: str


def stored_labels(workspace: Workspace, votes: Votes) -> StoredLabels:
    """Return the labels whose origin is the votes, as these have them without any decision.

    Raises WorkspaceError where labels were not decided from the votes that stand there.
    """
    manifest = store.require(workspace.labels, "label-attributes decide")
    if manifest.plan.inputs.get("votes") != votes.manifest.digest():
        raise WorkspaceError(
            f"{workspace.labels}: its labels were not decided from the votes that stand there; run"
            " label-attributes decide first"
        )
    table = unaudited_labels(workspace, _COLUMNS)
    table = table.filter(pc.equal(table.column("origin"), "voted"))
    places, rows = _places(votes.ballots, table)
    answer, margin = np.zeros(len(votes.ballots), np.int8), np.zeros(len(votes.ballots))
    said = table.column("answer").to_pylist()
    answer[places] = np.array([LABEL_CODES[text] for text in said], np.int8)[rows]
    margin[places] = pc.fill_null(table.column("margin"), 0.0).to_numpy()[rows]
    settings = manifest.plan.settings
    return StoredLabels(
        answer=answer,
        margin=margin,
        rule=Rule.parse(settings["margin"], settings["quorum"]),
        digest=manifest.digest(),
    )


def _places(ballots: Ballots, table: pa.Table) -> tuple[Longs, Longs]:
    """Return the cells of those rows that have one, and the rows."""
    subjects = _joined(ballots.image_ids, ballots.object_ids)
    names = pa.array([f"{value.type}\0{value.value}" for value in ballots.values], pa.string())
    subject = pc.index_in(_joined(*map(table.column, _COLUMNS[:2])), value_set=subjects)
    column = pc.index_in(_joined(*map(table.column, _COLUMNS[2:4])), value_set=names)
    rows = np.flatnonzero(pc.and_(pc.is_valid(subject), pc.is_valid(column)).to_numpy())
    wide = len(ballots.values)
    keys = subject.to_numpy()[rows].astype(np.int64) * wide + column.to_numpy()[rows].astype(int)
    cells = ballots.subjects.astype(np.int64) * wide + ballots.columns
    places = np.searchsorted(cells, keys)
    found = (places < len(cells)) & (cells[np.minimum(places, len(cells) - 1)] == keys)
    return places[found], rows[found]


def _joined(left: pa.Array, right: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(left, pc.fill_null(right, ""), "\0")
