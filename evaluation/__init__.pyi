from .releases.galleries import Gallery, Term, hidden_target_configs, read_galleries, read_terms
from .releases.records import read_records
from .releases.release import Release, open_release
from .report.report import write_report
from .scoring.comparing import Comparison, compare
from .scoring.scored import Scored, Wanted, scored

__all__ = [
    "Comparison",
    "Gallery",
    "Release",
    "Scored",
    "Term",
    "Wanted",
    "compare",
    "hidden_target_configs",
    "open_release",
    "read_galleries",
    "read_records",
    "read_terms",
    "scored",
    "write_report",
]
