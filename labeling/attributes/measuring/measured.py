"""What a measurement of labels says, from the single value to the whole."""

from dataclasses import dataclass
from typing import Literal

from benchwright.statistics.bootstrap import Interval
from benchwright.statistics.intervals import Estimate
from labeling.attributes.calibrating.known import Unmatched
from labeling.attributes.measuring.comparing import Comparison
from labeling.attributes.measuring.unanimity import Unanimity

Blindness = Literal["abstains", "chance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueMeasured:
    """The labels of one value against ``yes`` and ``no`` pairs (subject, value) that are known.

    ``coverage`` is the share of these pairs whose label is yes or no, NaN without any. Where
    fewer than 8 of either are known the value is not ``measurable``.
    """

    type: str
    value: str
    yes: int
    no: int
    sensitivity: Estimate
    specificity: Estimate
    balanced: Estimate
    coverage: float
    measurable: bool

    @property
    def blindness(self) -> Blindness | None:
        """Why the value cannot be seen: no label at all, or an interval that reaches one half."""
        if not self.measurable:
            return None
        if self.coverage == 0:
            return "abstains"
        return "chance" if self.balanced.low <= 0.5 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeMeasured:
    """The mean over the measurable values of a type, null where it has none."""

    type: str
    values: tuple[ValueMeasured, ...]
    balanced: Interval | None

    @property
    def measurable(self) -> tuple[ValueMeasured, ...]:
        """The values that can be measured, the best first."""
        found = [value for value in self.values if value.measurable]
        return tuple(sorted(found, key=lambda value: (-value.balanced.share, value.value)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The labels of one workspace, measured.

    ``pairs`` of ``pictures`` are known and were voted on; ``coverage`` is the share of the pairs
    whose label is yes or no. Of ``full_pictures`` all questions were asked whatever the answers
    were; ``stopped`` counts the known pairs on which questions were left out, and which therefore
    neither the comparison nor the agreement goes by. ``votes`` and ``labels`` are digests.
    """

    known: str
    unmatched: Unmatched | None
    pictures: int
    pairs: int
    types: tuple[TypeMeasured, ...]
    balanced: Interval
    coverage: float
    stopped: int
    full_pictures: int
    comparison: Comparison | None
    unanimity: Unanimity
    votes: str
    labels: str

    @property
    def values(self) -> tuple[ValueMeasured, ...]:
        """All values, by (type, value)."""
        return tuple(value for kind in self.types for value in kind.values)

    @property
    def blind(self) -> tuple[ValueMeasured, ...]:
        """The values that cannot be seen."""
        return tuple(value for value in self.values if value.blindness)

    @property
    def not_measurable(self) -> tuple[ValueMeasured, ...]:
        """The values of which too little is known."""
        return tuple(value for value in self.values if not value.measurable)
