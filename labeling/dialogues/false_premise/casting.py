"""Which voters write the dialogues and which look whether they are right."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.asking.voters import Voter
from benchwright.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Those who describe and falsify, and those who look."""

    authors: tuple[Voter, ...]
    lookers: tuple[Voter, ...]

    def everybody(self) -> tuple[Voter, ...]:
        """Return all of them, each once."""
        others = tuple(voter for voter in self.lookers if voter not in self.authors)
        return self.authors + others


def cast_of(voters: Sequence[Voter], authors: Sequence[str] = ()) -> Cast:
    """Return who writes and who looks.

    Those that are named write, and all the others look, so that nobody judges his own words; where
    there are no others, the same ones do. Without names the first writes and all look. Raises
    UsageError for a name that no voter has.
    """
    unknown = sorted(set(authors) - {voter.name for voter in voters})
    if unknown:
        names = ", ".join(voter.name for voter in voters)
        raise UsageError(f"--author {unknown[0]}: no voter is named so; there are {names}")
    if not authors:
        return Cast(authors=tuple(voters[:1]), lookers=tuple(voters))
    writing = tuple(voter for voter in voters if voter.name in authors)
    looking = tuple(voter for voter in voters if voter.name not in authors)
    return Cast(authors=writing, lookers=looking or writing)
