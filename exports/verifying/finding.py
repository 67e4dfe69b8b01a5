"""What a check of a release found."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_SHOWN = 5  # of the things that are wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check: what was looked at, whether it holds, and what does not; ``faults`` are lines."""

    check: str
    looked_at: str
    faults: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def lines(self) -> Iterator[str]:
        """Yield it as lines for a person."""
        yield f"{'ok ' if self.holds else 'NO '} {self.check}: {self.looked_at}"
        for fault in self.faults[:_SHOWN]:
            yield f"      {fault}"
        if len(self.faults) > _SHOWN:
            yield f"      and {len(self.faults) - _SHOWN:,} more"


def finding(check: str, looked_at: str, faults: Iterable[str]) -> Finding:
    """Return a finding of some faults, each once, in their order."""
    return Finding(check=check, looked_at=looked_at, faults=tuple(dict.fromkeys(faults)))
