"""How figures of a measurement are worded, on the terminal and on the page alike."""

from math import isnan

from benchwright.plain_text import excerpt
from benchwright.statistics.bootstrap import Interval
from benchwright.statistics.intervals import Estimate
from labeling.attributes.measuring.measured import Blindness, ValueMeasured

WHY_BLIND: dict[Blindness, str] = {
    "abstains": "the voters abstain",
    "chance": "cannot be told from chance",
}
UNKNOWN = "–"


def percent(share: float, digits: int = 1) -> str:
    """Return a share as a percentage; NaN is a dash."""
    return UNKNOWN if isnan(share) else f"{share:.{digits}%}"


def ranged(figure: Estimate | Interval) -> str:
    """Return a share with its interval."""
    share = figure.mean if isinstance(figure, Interval) else figure.share
    return UNKNOWN if isnan(share) else f"{percent(share)} ({bounds(figure)})"


def bounds(figure: Estimate | Interval) -> str:
    """Return an interval."""
    return f"{percent(figure.low)} to {percent(figure.high)}"


def points(gain: Interval) -> str:
    """Return a difference of shares in percentage points, with its interval."""
    mean, low, high = (f"{100 * share:+.2f}" for share in (gain.mean, gain.low, gain.high))
    return f"{mean} points ({low} to {high})"


def named(value: ValueMeasured) -> str:
    """Return how a value is called apart from its type's list."""
    return f"{excerpt(value.type)}: {excerpt(value.value)}"


def why_blind(value: ValueMeasured) -> str:
    """Return why a value cannot be seen; empty where it can."""
    return WHY_BLIND[value.blindness] if value.blindness else ""
