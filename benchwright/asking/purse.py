"""One allowance for several steps that ask models, each by sessions of its own."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.asking.session import Spending, check_prices
from benchwright.asking.voters import Voter


class Purse:
    """What a user allows for a whole run: all steps count on from what those before have spent."""

    def __init__(self, voters: Sequence[Voter], spending: Spending) -> None:
        """Raise UsageError where money is bounded and a voter of any step has no price."""
        if spending.max_cost is not None:
            check_prices(voters)
        self._spending = spending
        self._taken: set[str] = set()

    def step(self, name: str) -> Spending:
        """Return what a step may spend; one that comes again asks nothing anew a second time."""
        again = frozenset() if name in self._taken else self._spending.again
        self._taken.add(name)
        return replace(self._spending, again=again)
