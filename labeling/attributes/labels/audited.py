"""Labels with what people decided in the place of what votes and catalog say.

The figures of the votes stay. What stood there before is kept beside it, so that an audit can
always tell how good the votes were.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.decisions.cells import CELL, Cell, cells_in
from benchwright.records import SCHEMAS, Label
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import Longs, Mask
from labeling.attributes.labels.rulings import Ruling, Rulings
from labeling.attributes.labels.writing import UNAUDITED, in_order, write_labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """Labels that heed people's decisions.

    ``unaudited`` are the labels without any decision, of the pictures of which people decided
    something; null where they decided nothing.
    """

    labels: pa.Table
    unaudited: pa.Table | None


def audited(plain: pa.Table, rest: pa.Table, rulings: Rulings) -> Audited:
    """Return labels with the rulings of people.

    ``plain`` are the labels without any; ``rest`` are those for which the values that people
    said no to were taken out of their exclusive types (``taken_out``). A label that people
    decided has a row, whether it was voted on or not.
    """
    if not rulings.by_cell:
        return Audited(labels=plain, unaudited=None)
    pictures = rulings.pictures()
    near = np.flatnonzero(pc.is_in(rest.column("image_id"), value_set=pictures).to_numpy())
    cells = list(cells_in(rest.take(pa.array(near))))
    found = [(row, rulings.on(cell)) for row, cell in zip(near.tolist(), cells, strict=True)]
    labels = _replaced(rest, [(row, ruling) for row, ruling in found if ruling is not None])
    held = set(cells)
    new = [_row(cell, own) for cell, own in rulings.by_cell.items() if cell not in held]
    return Audited(
        labels=in_order(pa.concat_tables([labels, to_table(new, Label)])) if new else labels,
        unaudited=plain.filter(pc.is_in(plain.column("image_id"), value_set=pictures)),
    )


def write_audited(
    workspace: Workspace,
    plan: store.Plan,
    found: Audited,
    rulings: Rulings,
    *,
    counts: Mapping[str, int],
    reasons: Mapping[str, int] | None = None,
) -> store.Manifest:
    """Write labels that heed people's decisions, with counts of these."""
    changed = {
        "audited": int(pc.sum(pc.equal(found.labels.column("origin"), "audited")).as_py() or 0),
        "undecided": len(rulings.undecided),
        "contradictions": len(rulings.contradictions),
    }
    return write_labels(
        workspace,
        plan,
        lambda: found.labels,
        counts={**counts, **{name: count for name, count in changed.items() if count}},
        reasons={**(reasons or {}), **rulings.left_out},
        unaudited=found.unaudited,
    )


def unaudited_labels(workspace: Workspace, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the labels as votes and catalog alone have them, sorted as in labels.parquet.

    Raises as ``store.read_table``.
    """
    manifest = store.require(workspace.labels, "label-attributes")
    names = list(SCHEMAS[Label].names if columns is None else columns)
    read = sorted({*names, *CELL, "origin"})
    labels = store.read_table(workspace.labels, "labels.parquet", read)
    if UNAUDITED not in manifest.files:
        return labels.select(names)
    kept = store.read_table(workspace.labels, UNAUDITED, read)
    changed = labels.filter(pc.equal(labels.column("origin"), "audited"))
    pictures = pa.concat_tables([kept.select(["image_id"]), changed.select(["image_id"])])
    is_other = pc.invert(
        pc.is_in(labels.column("image_id"), value_set=pictures.column(0).combine_chunks())
    )
    return in_order(pa.concat_tables([labels.filter(is_other), kept])).select(names)


def taken_out(ballots: Ballots, rulings: Rulings) -> Mask | None:
    """Return the cells that people took out of their exclusive types; null without any."""
    noes = [
        cell
        for cell, ruling in rulings.by_cell.items()
        if ruling.answer == "no" and cell[2] in rulings.exclusive
    ]
    places = _places(ballots, noes)
    if not len(places):
        return None
    out = np.zeros(len(ballots), bool)
    out[places] = True
    return out


def ruled_cells(ballots: Ballots, rulings: Rulings) -> Longs:
    """Return the cells of which people's decisions leave nothing to the votes."""
    cells = list(rulings.by_cell)
    cells += [
        (*cell[:3], value.value)
        for cell, ruling in rulings.by_cell.items()
        if ruling.answer == "yes" and cell[2] in rulings.exclusive
        for value in ballots.values
        if value.type == cell[2]
    ]
    return _places(ballots, cells)


def _places(ballots: Ballots, cells: Sequence[Cell]) -> Longs:
    """Return where cells stand among the ballots, ascending; those that do not are left out."""
    if not cells or not len(ballots):
        return np.zeros(0, np.int64)
    wanted = {cell[:2] for cell in cells}
    subjects = {
        subject: number
        for number, subject in enumerate(
            zip(ballots.image_ids.to_pylist(), ballots.object_ids.to_pylist(), strict=True)
        )
        if subject in wanted
    }
    columns = {(value.type, value.value): at for at, value in enumerate(ballots.values)}
    wide = len(ballots.values)
    keys = np.array(
        sorted(
            {
                subjects[cell[:2]] * wide + columns[cell[2:]]
                for cell in cells
                if cell[:2] in subjects and cell[2:] in columns
            }
        ),
        np.int64,
    )
    own = ballots.subjects.astype(np.int64) * wide + ballots.columns
    places = np.minimum(np.searchsorted(own, keys), len(own) - 1)
    found: Longs = places[own[places] == keys]
    return found


def _replaced(labels: pa.Table, changes: Sequence[tuple[int, Ruling]]) -> pa.Table:
    mask = np.zeros(labels.num_rows, bool)
    mask[[row for row, _ in changes]] = True
    said = {
        "answer": [ruling.answer for _, ruling in changes],
        "origin": ["audited"] * len(changes),
        "auditor": [ruling.auditor for _, ruling in changes],
    }
    for name, texts in said.items():
        column = labels.column(name).combine_chunks()
        new = pc.replace_with_mask(column, pa.array(mask), pa.array(texts, pa.string()))
        labels = labels.set_column(labels.schema.get_field_index(name), labels.field(name), new)
    return labels


def _row(cell: Cell, ruling: Ruling) -> Label:
    """Return the label of a cell of which neither votes nor catalog say anything."""
    image_id, object_id, type_name, value = cell
    return Label(
        image_id=image_id,
        object_id=object_id,
        type=type_name,
        value=value,
        answer=ruling.answer,
        score=None,
        score_low=None,
        score_high=None,
        margin=None,
        votes_counted=0,
        votes_saved=0,
        origin="audited",
        auditor=ruling.auditor,
    )
