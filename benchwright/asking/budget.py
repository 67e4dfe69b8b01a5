"""What a run may spend: calls and money, never more than the user allowed."""

import asyncio
from dataclasses import dataclass, field

from benchwright.asking.money_text import exact_text
from benchwright.errors import BudgetSpent


@dataclass
class Spent:
    """The calls that were made and the money that they took, or may have taken."""

    calls: int = 0
    cost: float = 0.0


@dataclass
class Budget:
    """Counts calls and money over all voters of a run; null is no bound.

    ``currency`` is that of the bound, for messages. ``calls`` and ``cost`` begin with what the run
    has spent before.

    A call is only made when its highest possible price is still within the bound: it is reserved
    before and replaced by what was really used afterwards.
    """

    max_calls: int | None = None
    max_cost: float | None = None
    currency: str = ""
    calls: int = 0
    cost: float = 0.0
    _reserved: float = 0.0
    _in_flight: int = 0
    _settled: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def reserve(self, highest: float) -> None:
        """Take a call out of the budget, waiting for calls in flight that may cost less.

        Raises BudgetSpent when the bound does not allow it.
        """
        if self.max_cost is not None:
            async with self._settled:
                while self._lacks(highest) and self._in_flight:
                    await self._settled.wait()
        self.reserve_now(highest)

    def reserve_now(self, highest: float) -> None:
        """Take a call out of the budget without waiting for those in flight.

        Raises BudgetSpent when the bound does not allow it now.
        """
        if self._lacks(highest):
            spent, more = exact_text(self.cost), exact_text(highest)
            of = f"{self.currency} ".lstrip()
            raise BudgetSpent(
                f"--max-cost {self.max_cost:g} would be passed: {of}{spent} is spent"
                f" and the next call may cost {of}{more}; what was answered is kept:"
                " run it again with a larger one to go on"
            )
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise BudgetSpent(
                f"--max-calls {self.max_calls:,} is reached; what was answered is kept: run it"
                " again with a larger one to go on"
            )
        self.calls += 1
        self.reserve_made(highest)

    def reserve_made(self, highest: float, calls: int = 1) -> None:
        """Reserve the money of calls that are made already, and so are not counted as calls."""
        self._in_flight += calls
        self._reserved += highest

    def _lacks(self, highest: float) -> bool:
        return self.max_cost is not None and self.cost + self._reserved + highest > self.max_cost

    async def settle(self, highest: float, cost: float, calls: int = 1) -> None:
        """Replace the reservation of so many calls by what they cost."""
        self._in_flight -= calls
        self._reserved = self._reserved - highest if self._in_flight else 0.0
        self.cost += cost
        if self.max_cost is not None:
            async with self._settled:
                self._settled.notify_all()
