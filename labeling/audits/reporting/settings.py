"""How the figures of a report are made."""

from dataclasses import dataclass

from benchwright.statistics.draws import DRAWS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """``confidence`` (0 to 1, both exclusive) is that of all intervals.

    ``seed`` and the number of ``draws`` are those of the bootstrap.
    """

    confidence: float = 0.95
    seed: int = 0
    draws: int = DRAWS
