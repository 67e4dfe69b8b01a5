"""Candidate-set samples of a release: a dialogue up to a turn each."""

from benchwright.records import CandidateSet
from benchwright.rows import from_table
from evaluation.candidate_set import CONFIG
from evaluation.releases.release import Release


def read_samples(release: Release, config: str = CONFIG) -> list[CandidateSet]:
    """Return the samples of a config, in its order.

    Raises UsageError for a config that the release has not, or whose answers are held back.
    """
    rows = release.open_rows(config)
    return list(from_table(rows.with_format("arrow")[:], CandidateSet))
