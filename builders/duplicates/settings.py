"""What decides which pictures are near-duplicates."""

import math
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.clip.choosing import files_of
from benchwright.errors import UsageError
from benchwright.files import sha256_of
from builders.duplicates.clip import MODEL, WEIGHTS
from builders.duplicates.hashes import BITS

Method = Literal["phash", "clip"]
DEFAULTS: dict[Method, float] = {"phash": 30, "clip": 0.96}


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupSettings:
    """How near-duplicates are found.

    ``threshold`` is for phash the number of the 256 bits that may differ, for clip the least
    cosine; None takes the default of the method (30, 0.96). ``any_colour`` links pictures of one
    shape in other colours as well (phash only). ``model`` and ``weights`` are open_clip's.
    """

    method: Method = "phash"
    threshold: float | None = None
    any_colour: bool = False
    model: str = MODEL
    weights: str | None = WEIGHTS

    @property
    def reach(self) -> float:
        """The threshold, the default of the method where none is given."""
        return DEFAULTS[self.method] if self.threshold is None else self.threshold

    def checked(self) -> "DedupSettings":
        """Return the settings; raise UsageError for a threshold that means nothing."""
        reach = self.reach
        if self.method == "phash" and not (0 <= reach < BITS / 2 and reach == math.floor(reach)):
            raise UsageError(
                f"--threshold {reach:g}: phash wants the number of bits that may differ, a whole "
                f"number from 0 to {BITS // 2 - 1} (30 is usual)"
            )
        if self.method == "clip" and not 0 < reach <= 1:
            raise UsageError(
                f"--threshold {reach:g}: clip wants the least cosine, over 0 and up to 1 (0.96 is "
                "usual)"
            )
        return self

    def plan(self) -> dict[str, Any]:
        """Return what a plan names; a model in a folder goes by the folder's name and its files."""
        chosen: dict[str, Any] = {"method": self.method, "threshold": float(self.reach)}
        if self.method == "clip":
            model, weights = (
                name and name.rpartition("/")[2] for name in (self.model, self.weights)
            )
            kept = [sha256_of(path) for path in files_of(self.model)]
            return chosen | {"model": model, "weights": weights, "files": kept}
        return chosen | {"any_colour": self.any_colour}

    def show(self, distance: float) -> str:
        """Return a distance in words."""
        if self.method == "phash":
            return f"{distance:.0f} bits"
        return f"cosine {1 - distance:.3f}"

    def show_reach(self) -> str:
        """Return the threshold in words."""
        return f"{self.reach:g} bits" if self.method == "phash" else f"cosine {self.reach:g}"
