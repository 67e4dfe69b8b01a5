"""What the labels of a release come to, counted in its shards."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from exports.building.making import Making

CLASSES = 5  # of margins from 0 to 0.5
_COLUMNS = ("origin", "answer", "margin")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsFound:
    """``counts`` are labels by origin and answer; the origin is null for what follows from flags.

    ``margins`` are counts of labels with a margin, in CLASSES equal classes from 0 to 0.5.
    """

    counts: Mapping[tuple[str | None, str], int]
    margins: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many labels there are."""
        return sum(self.counts.values())

    def of(self, *, origin: str | None = None, answer: str | None = None) -> int:
        """Return how many labels have this origin, or this answer; null leaves it open."""
        return sum(
            count
            for (whence, said), count in self.counts.items()
            if origin in (None, whence) and answer in (None, said)
        )


def labels_found(making: Making) -> LabelsFound:
    """Return the counts; none where the release has no labels."""
    counts: Counter[tuple[str | None, str]] = Counter()
    margins = np.zeros(CLASSES, np.int64)
    paths = [path for one in making.written if one.config == "labels" for path in one.paths]
    for path in paths:
        for batch in pq.ParquetFile(making.folder / path).iter_batches(columns=list(_COLUMNS)):
            found = pa.table(batch).group_by(["origin", "answer"]).aggregate([([], "count_all")])
            for row in found.to_pylist():
                counts[row["origin"], row["answer"]] += row["count_all"]
            known = pc.drop_null(batch.column("margin")).to_numpy(zero_copy_only=False)
            margins += np.histogram(known, CLASSES, (0.0, 0.5))[0]
    ordered = sorted(counts.items(), key=lambda pair: (pair[0][0] or "", pair[0][1]))
    return LabelsFound(counts=dict(ordered), margins=tuple(margins.tolist()))
