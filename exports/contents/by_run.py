"""How many rows of a release come from which run."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq

OF_RUNS = ("responses", "trajectories")  # the configs whose rows say which run they are of


def rows_by(paths: Iterable[Path], columns: tuple[str, ...]) -> Counter[tuple[str, ...]]:
    """Count the rows of some shards by what stands in ``columns``."""
    counts: Counter[tuple[str, ...]] = Counter()
    for path in paths:
        found = pq.read_table(path, columns=list(columns))
        counts.update(zip(*(found[name].to_pylist() for name in columns), strict=True))
    return counts
