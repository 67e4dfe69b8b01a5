"""What a stratum's judgements come to."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.decisions.standing import Standing, Thing, outcome
from benchwright.intervals import Stratum

_IN_VAIN = 5  # labels of a stratum that were looked at, none of which could be told


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Labels of one stratum: of ``size``, those that auditors looked at, by what they found.

    ``unsure``: no auditor could tell. ``undecided``: they hold different answers and nobody has
    settled it. Both are neither right nor wrong.
    """

    size: int
    right: int
    wrong: int
    unsure: int
    undecided: int

    @property
    def told(self) -> int:
        """How many are known to be right or wrong."""
        return self.right + self.wrong

    @property
    def open(self) -> int:
        """How many were looked at and are neither right nor wrong."""
        return self.unsure + self.undecided

    @property
    def seen(self) -> int:
        """How many were looked at."""
        return self.told + self.open

    @property
    def tellable(self) -> int:
        """How many of the stratum can be told, as far as those seen say.

        While none was told it is all of them, until five were seen: then nobody digs on.
        """
        if not self.told:
            return 0 if self.seen >= min(self.size, _IN_VAIN) else self.size
        return max(self.told, round(self.size * self.told / self.seen))

    def stratum(self) -> Stratum:
        """Return it as a stratum of what can be told."""
        return Stratum(size=self.tellable, audited=self.told, right=self.right)


def tally(size: int, labels: Iterable[tuple[Thing, str]], decisions: Standing) -> Tally:
    """Count the labels of a stratum of a size: each a thing with the machine's answer."""
    counts = {"right": 0, "wrong": 0, "unsure": 0, "undecided": 0}
    for thing, answer in labels:
        by_auditor = decisions.get(thing)
        if by_auditor is not None:
            after, is_open = outcome(by_auditor)
            if after not in ("yes", "no"):  # another text says nothing of the label
                is_open = is_open or "unsure"
            counts[is_open or ("right" if after == answer else "wrong")] += 1
    return Tally(size=size, **counts)
