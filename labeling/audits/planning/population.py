"""What an audit is about: the labels that the votes made, as the votes made them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.decisions.cells import CELL, Cell, cells_in, thing_of_cell
from benchwright.decisions.standing import Thing
from benchwright.errors import WorkspaceError
from benchwright.rows import content_digest
from benchwright.workspace import Workspace
from labeling.attributes.labels.audited import unaudited_labels

Longs = npt.NDArray[np.int64]
_COLUMNS = (*CELL, "answer", "margin", "origin")
_HUNDREDTHS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """The labels of yes or no that were voted, in the order of labels.parquet.

    ``labels`` has the columns image_id, object_id, type, value, answer and margin; ``margins``
    are the margins in whole hundredths, 0 to 50, rounded down. ``digest`` is of all voted labels,
    of the unsure too. ``left_out`` counts what is no part of it, by reason.
    """

    labels: pa.Table
    margins: Longs
    digest: str
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return int(self.labels.num_rows)

    def thing(self, row: int) -> Thing:
        """Return what decisions on a label are about."""
        (cell,) = cells_in(self.labels.slice(row, 1))
        return thing_of_cell(cell)

    def cells(self) -> Iterator[Cell]:
        """Return the cell of each label."""
        return cells_in(self.labels)


def read_population(workspace: Workspace) -> Population:
    """Return the labels that an audit is about.

    A label that people decided counts as the votes had it. A label that the votes leave unsure
    claims nothing that could be right or wrong, and what the catalog states is no vote.

    Raises WorkspaceError without labels, or when none of them was voted.
    """
    store.require(workspace.labels, "label-attributes run --ensemble FILE")
    labels = unaudited_labels(workspace, _COLUMNS).combine_chunks()
    origin = labels.column("origin")
    stated = int(pc.sum(pc.equal(origin, "catalog")).as_py() or 0)
    labels = labels.filter(pc.equal(origin, "voted")).drop_columns(["origin"])
    margin = pc.fill_null(labels.column("margin"), 0.0)
    labels = labels.set_column(labels.schema.get_field_index("margin"), "margin", margin)
    if not labels.num_rows:
        raise WorkspaceError(
            f"{workspace.labels}: no label here was voted, and what the catalog states is not"
            " audited; run label-attributes run --ensemble FILE first"
        )
    definite = labels.filter(pc.not_equal(labels.column("answer"), "unsure"))
    if not definite.num_rows:
        raise WorkspaceError(
            f"{workspace.labels}: the votes leave all {labels.num_rows:,} labels unsure, so that"
            " none can be right or wrong; run label-attributes decide with a smaller --margin"
        )
    left_out = {
        "unsure": labels.num_rows - definite.num_rows,
        "catalog": stated,
    }
    margins = definite.column("margin").to_numpy()
    # a margin of 0.29 must not fall to 28 because 0.29 * 100 is 28.999…
    hundredths = np.clip(np.floor(margins * _HUNDREDTHS + 1e-9), 0, _HUNDREDTHS // 2)
    return Population(
        labels=definite,
        margins=hundredths.astype(np.int64),
        digest=content_digest([labels]),
        left_out={reason: count for reason, count in left_out.items() if count},
    )
