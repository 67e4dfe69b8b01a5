"""Candidate-set samples of a release: a dialogue up to a turn each."""

from benchwright.dialogue_records import CandidateSet
from benchwright.errors import UsageError
from benchwright.rows import from_table
from evaluation.candidate_set import CONFIG
from evaluation.releases.release import Release

_COMMITMENT = "commitment"  # stands where the answers of a release are held back


def read_samples(release: Release, config: str = CONFIG) -> list[CandidateSet]:
    """Return the samples of a config, in its order.

    Raises UsageError for a config that the release has not, or whose answers are held back.
    """
    rows = release.rows(config)
    if _COMMITMENT in rows.column_names:
        raise UsageError(
            f"{release.name}: holds back the answers of {config}; whoever holds them can play it"
        )
    return list(from_table(rows.with_format("arrow")[:], CandidateSet))
