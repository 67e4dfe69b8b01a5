"""How often each voter is right about each value: what log-odds and Dawid-Skene go by."""

from dataclasses import dataclass

import numpy as np

from labeling.attributes.deciding.codes import Reals


@dataclass(frozen=True, slots=True, kw_only=True)
class Skills:
    """Sensitivity and specificity of voters, each (voters, values) and strictly within 0 to 1.

    Sensitivity is the share of yes where the truth is yes, specificity the share of no where it
    is no, among a voter's answers of yes and no (one for each cell).
    """

    voters: tuple[str, ...]
    sensitivity: Reals
    specificity: Reals

    @property
    def log_yes(self) -> Reals:
        """What a yes says: the log of sensitivity over false-positive rate."""
        return np.log(self.sensitivity) - np.log1p(-self.specificity)

    @property
    def log_no(self) -> Reals:
        """What a no says: the log of miss rate over specificity."""
        return np.log1p(-self.sensitivity) - np.log(self.specificity)
