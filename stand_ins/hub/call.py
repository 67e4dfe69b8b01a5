"""A request to a Hub with what it is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from stand_ins.hub.exchange import Asked, missing
from stand_ins.hub.repository import MAIN, Commit, Repository


@dataclass(slots=True, kw_only=True)
class Holdings:
    """All that a Hub holds; ``part`` is the size in bytes from which an upload goes in parts.

    ``tokens`` says read or write of each; ``parts`` are those of uploads that are not whole yet.
    """

    tokens: Mapping[str, str]
    part: int
    address: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    parts: dict[tuple[str, int], bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request; ``given`` is what its path names."""

    hub: Holdings
    asked: Asked
    given: Mapping[str, str]

    @property
    def repo(self) -> str:
        """The name of the repository."""
        return self.given["repo"]

    @property
    def revision(self) -> str:
        """The branch, tag or commit that is asked for."""
        return self.given.get("revision") or MAIN

    @property
    def repository(self) -> Repository:
        """The repository; where there is none the call is refused."""
        try:
            return self.hub.repositories[self.repo]
        except KeyError:
            raise missing("RepoNotFound") from None

    @property
    def commit(self) -> Commit:
        """The commit of the revision; where there is none the call is refused."""
        found = self.repository.at(self.revision)
        if found is None:
            raise missing("RevisionNotFound")
        return found
