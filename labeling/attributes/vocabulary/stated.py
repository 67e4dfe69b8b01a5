"""What the items of a catalog state of their pictures, as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchwright.workspace import Workspace
from builders.catalog import load_items


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the items state: pair ``pairs[which[i]]`` is stated of item row ``rows[i]``."""

    image_ids: pa.Array
    rows: np.ndarray
    which: np.ndarray
    pairs: Sequence[tuple[str, str]]  # (type, value) as the catalog spells them

    def pictures(self) -> Mapping[tuple[str, str], int]:
        """Return in how many pictures each pair is stated."""
        seen = np.unique(self.rows.astype(np.int64) * len(self.pairs) + self.which)
        counts = np.bincount(seen % max(1, len(self.pairs)), minlength=len(self.pairs))
        return {pair: int(count) for pair, count in zip(self.pairs, counts, strict=True)}


def read_stated(workspace: Workspace) -> Stated:
    """Read the attributes of all items; millions of rows without a Python object each."""
    table = load_items(workspace, ["image_id", "attributes"])
    attributes = table.column("attributes").combine_chunks()
    flat = pc.list_flatten(attributes)
    rows = pc.list_parent_indices(attributes)
    joined = pc.binary_join_element_wise(
        pc.replace_substring(pc.struct_field(flat, "type"), "\0", " "),  # NUL divides the two
        pc.struct_field(flat, "value"),
        "\0",
    )
    coded = pc.dictionary_encode(joined)
    pairs = [tuple(text.split("\0", 1)) for text in coded.dictionary.to_pylist()]
    return Stated(
        image_ids=table.column("image_id").combine_chunks(),
        rows=rows.to_numpy(zero_copy_only=False),
        which=coded.indices.to_numpy(zero_copy_only=False),
        pairs=pairs,
    )
