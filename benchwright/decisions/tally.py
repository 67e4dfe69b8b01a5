"""What a stratum's judgements come to."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchwright.decisions.standing import Standing, Thing, asked_of, outcome
from benchwright.statistics.intervals import Stratum

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

    @property
    def stands_for(self) -> float:
        """For how many labels of the stratum each stands that was told; 0 where none was.

        It is the inverse of the share that was told of those that can be: 1 or more. A plan that is
        judged in part has told less than it drew.
        """
        return self.tellable / self.told if self.told else 0.0

    def stratum(self) -> Stratum:
        """Return it as a stratum of what can be told."""
        return Stratum(size=self.tellable, audited=self.told, right=self.right)


def tally(size: int, labels: Iterable[tuple[Thing, str]], decisions: Standing) -> Tally:
    """Count the labels of a stratum of a size: each a thing with the machine's answer.

    A value that an auditor only named in the place of another was drawn by no plan and is not
    counted.
    """
    counts = {"right": 0, "wrong": 0, "unsure": 0, "undecided": 0}
    for thing, answer in labels:
        by_auditor = asked_of(decisions.get(thing, {}))
        if by_auditor:
            after, is_open = outcome(by_auditor)
            if after not in ("yes", "no"):  # another text says nothing of the label
                is_open = is_open or "unsure"
            counts[is_open or ("right" if after == answer else "wrong")] += 1
    return Tally(size=size, **counts)
