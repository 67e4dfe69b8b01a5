"""labels.parquet: the one place where it is written.

It is a pure function of what the catalog states, the votes, people's decisions, the vocabulary,
the weights and the method (definition 28). A cell that people decided has their answer; one that
was voted on has the label of its votes; one that was not has what the catalog states, where that
is wanted. Where people decided anything unaudited.parquet lies beside it: see ``audited``.
"""

from collections.abc import Callable, Collection, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import store
from benchwright.errors import CorruptShard
from benchwright.workspace import Workspace

_CELL = ["image_id", "type", "value"]  # of a picture
_TYPE = ["image_id", "type"]
_ORDER = [(name, "ascending") for name in ("image_id", "thing", "type", "value")]
UNAUDITED = "unaudited.parquet"
CATALOG = {"method": "catalog"}  # the settings of labels without votes


def write_labels(
    workspace: Workspace,
    plan: store.Plan,
    make: Callable[[], pa.Table],
    *,
    counts: Mapping[str, int],
    reasons: Mapping[str, int],
    unaudited: pa.Table | None = None,
) -> store.Manifest:
    """Write labels/labels.parquet, with unaudited.parquet where there is one, and its manifest."""
    with store.writing(
        workspace.labels,
        plan,
        configs={"labels": "labels.parquet"},
        owns=("labels.parquet", UNAUDITED),
    ) as out:
        labels = make()
        out.table("labels", labels)
        if unaudited is not None:
            out.table(UNAUDITED.removesuffix(".parquet"), unaudited)
        out.counts.update(labels=labels.num_rows, **counts)
        out.reasons.update(reasons)
    return store.require(workspace.labels, "label-attributes")


def keeps_catalog(workspace: Workspace) -> bool:
    """Whether the labels there keep what the catalog states; so it is where none were decided."""
    try:
        made = store.load_manifest(workspace.labels)
    except CorruptShard:  # decide says it, or --force makes them anew
        return True
    return made is None or bool(made.plan.settings.get("keep_catalog", True))


def merged(voted: pa.Table, stated: pa.Table, exclusive: Collection[str]) -> pa.Table:
    """Return the labels of both, sorted; where both speak of a value of a picture, votes win.

    So they do in a type of ``exclusive`` of which they say yes to another value.
    """
    rest = stated.join(_of_pictures(voted), keys=_CELL, join_type="left anti")
    of_one = pc.is_in(voted.column("type"), value_set=pa.array(sorted(exclusive), pa.string()))
    chosen = voted.filter(pc.and_(pc.equal(voted.column("answer"), "yes"), of_one))
    taken = _of_pictures(chosen).select(_TYPE).group_by(_TYPE).aggregate([])
    rest = rest.join(taken, keys=_TYPE, join_type="left anti")
    return in_order(pa.concat_tables([voted, rest.select(voted.schema.names).cast(voted.schema)]))


def in_order(labels: pa.Table) -> pa.Table:
    """Return labels in the order of labels.parquet."""
    keys = labels.select(_CELL).append_column("thing", pc.fill_null(labels.column("object_id"), ""))
    return labels.take(pc.sort_indices(keys, sort_keys=_ORDER)).combine_chunks()


def voted_down(voted: pa.Table, stated: pa.Table) -> int:
    """Return how many values that the catalog states the votes say no to."""
    cells = stated.select(_CELL)
    no = _of_pictures(voted.filter(pc.equal(voted.column("answer"), "no")))
    return int(cells.join(no, keys=_CELL, join_type="left semi").num_rows)


def _of_pictures(labels: pa.Table) -> pa.Table:
    return labels.filter(pc.is_null(labels.column("object_id"))).select(_CELL)
