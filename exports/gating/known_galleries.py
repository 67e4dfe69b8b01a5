"""The galleries of a release, with what is known of the pictures in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.knowledge import Knowledge
from benchwright.records import Episode

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGalleries:
    """The episodes of one config, and the knowledge about all pictures of the catalog."""

    config: str
    episodes: Sequence[Episode]
    knowledge: Knowledge
    row_of: Mapping[str, int]

    def rows(self, episode: Episode) -> list[int]:
        """Return the rows of the knowledge for the pictures of a gallery, in the order shown."""
        return [self.row_of[name] for name in episode.image_ids]

    def has(self, episode: Episode) -> Mask:
        """Return (k, m) which picture of a gallery has which value."""
        flags = np.zeros((len(episode.image_ids), len(self.knowledge.values)), bool)
        for at, row in enumerate(self.rows(episode)):
            flags[at, self.knowledge.attributes(row)] = True
        return flags


def rows_by_id(knowledge: Knowledge) -> Mapping[str, int]:
    """Return the row of each picture."""
    return {knowledge.image_id(row): row for row in range(len(knowledge.ids))}
