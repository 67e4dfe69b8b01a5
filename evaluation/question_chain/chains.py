"""The question chains of a release."""

from collections.abc import Sequence

from benchwright.errors import UsageError
from benchwright.records import ChainStep, QuestionChain
from evaluation.releases.records import read_records
from evaluation.releases.release import Release

CONFIG = "question-chain"


def read_chains(release: Release, config: str = CONFIG) -> tuple[QuestionChain, ...]:
    """Return the chains of a release, in its order, that have steps before the last.

    Raises UsageError where there is none, and as ``read_records`` does.
    """
    found = read_records(release, config, QuestionChain)
    chains = tuple(chain for chain in found if steps_that_count(chain))
    if not chains:
        raise UsageError(f"{release.name}: {config} has no chain with a step before the last")
    return chains


def steps_that_count(chain: QuestionChain) -> Sequence[ChainStep]:
    """Return the steps at which planning and following are scored: all but the last.

    They are the first T − 1 of T (V-REX, section 3.4; definition 22).
    """
    return chain.steps[:-1]
