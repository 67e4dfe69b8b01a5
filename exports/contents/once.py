"""What runs hold goes out once: a copied folder of a run would double it."""

from collections import Counter

import pyarrow as pa

from benchwright.errors import SourceError
from benchwright.plain_text import excerpt


def check_once(table: pa.Table, key: tuple[str, str, str], kind: str) -> None:
    """Raise SourceError where two rows have one ``key``: the run, what parts its rows, their id."""
    rows = zip(*(table[name].to_pylist() for name in key), strict=True)
    for (run, _, row_id), count in Counter(rows).items():
        if count > 1:
            raise SourceError(
                f"runs: {kind} {excerpt(row_id)} of the run {excerpt(run)} stands in several"
                " folders; move all but one of them away"
            )
