"""What scripted players and judges know: the labels of each picture of a release."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.knowledge import Value
from evaluation.releases.galleries import hidden_target_configs, read_galleries, read_terms
from evaluation.releases.release import Release

Answers = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The labels of pictures, which are known by the sha256 of their bytes.

    ``answers`` holds a(x, v) of each picture as 1 yes, -1 no, 0 unknown, for the ``values``, which
    stand by (type, value).
    """

    values: tuple[Value, ...]
    answers: Mapping[str, Answers]

    def of(self, pictures: Sequence[str]) -> Answers:
        """Return a(x, v) of some pictures, (pictures, values); KeyError for one that is strange."""
        return np.array([self.answers[each] for each in pictures], np.int8)


def table_of(release: Release) -> Table:
    """Return the labels of all pictures that stand in a gallery of a release."""
    from datasets import Image  # noqa: PLC0415  # takes seconds

    terms = read_terms(release)
    known: dict[str, Answers] = {}
    for config in hidden_target_configs(release):
        for gallery in read_galleries(release, config, terms):
            known |= dict(zip(gallery.image_ids, gallery.answers, strict=True))
    rows = release.rows("images").cast_column("image", Image(decode=False))
    return Table(
        values=tuple(term.value for term in terms),
        answers={
            hashlib.sha256(row["image"]["bytes"]).hexdigest(): known[row["image_id"]]
            for row in rows
            if row["image_id"] in known
        },
    )
