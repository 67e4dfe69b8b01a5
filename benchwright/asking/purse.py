"""One allowance for several steps that ask models, each by a session of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from benchwright.asking.answers import IF_BROKEN
from benchwright.asking.money_text import exact_text
from benchwright.asking.replies import Usage
from benchwright.asking.session import Spending, check_prices
from benchwright.asking.tokens import money
from benchwright.asking.voters import Voter
from benchwright.errors import BudgetSpent
from benchwright.sqlite_file import read_only
from benchwright.workspace import Workspace


class Purse:
    """What a user allows for a whole run; what was spent of it is read off the stored attempts.

    An attempt whose server told no tokens counts as a call and costs nothing here. Those of a
    batch have taken no seconds, and cost what the Batch API bills.
    """

    def __init__(self, workspace: Workspace, voters: Sequence[Voter], spending: Spending) -> None:
        """Begin to count; raises UsageError where money is bounded and a voter has no price."""
        if spending.max_cost is not None:
            check_prices(voters)
        self._path = workspace.answers
        self._prices = {voter.name: voter.price for voter in voters}
        self._allowed = spending
        self._begun = self._last()
        self._taken: set[str] = set()

    @contextmanager
    def step(self, name: str) -> Iterator[Spending]:
        """Give what is left to a step; one that comes again asks nothing anew a second time.

        Raises BudgetSpent that names what was allowed to all steps.
        """
        calls, cost = self._spent()
        allowed = self._allowed
        again = frozenset() if name in self._taken else allowed.again
        self._taken.add(name)
        left = replace(
            allowed,
            max_calls=None if allowed.max_calls is None else max(0, allowed.max_calls - calls),
            max_cost=None if allowed.max_cost is None else max(0.0, allowed.max_cost - cost),
            again=again,
        )
        try:
            yield left
        except BudgetSpent as error:
            raise BudgetSpent(self._said()) from error

    def _said(self) -> str:
        calls, cost = self._spent()
        bounds = []
        if self._allowed.max_calls is not None:
            bounds.append(f"--max-calls {self._allowed.max_calls:,}: {calls:,} are made")
        if self._allowed.max_cost is not None:
            bounds.append(f"--max-cost {self._allowed.max_cost:g}: {exact_text(cost)} is spent")
        return (
            f"{', and '.join(bounds)}, and the next call would pass what is allowed; what was"
            " answered is kept: run it again with a larger bound to go on"
        )

    def _spent(self) -> tuple[int, float]:
        """Return the calls that were made since the beginning, and their price."""
        if not self._path.exists():
            return 0, 0.0
        with read_only(self._path, if_broken=IF_BROKEN) as run:
            rows = run(
                "SELECT voter, seconds = 0, count(*), sum(prompt_tokens), sum(completion_tokens),"
                " sum(min(cached_tokens, prompt_tokens)) FROM attempts WHERE id > ?"
                " GROUP BY voter, seconds = 0",
                (self._begun,),
            ).fetchall()
        calls, cost = 0, 0.0
        for voter, is_batch, count, prompt, completion, cached in rows:
            calls += count
            price = self._prices.get(voter)
            if price is not None:
                usage = Usage(prompt=prompt, completion=completion, cached=cached)
                cost += money(usage, price, batch=bool(is_batch))
        return calls, cost

    def _last(self) -> int:
        if not self._path.exists():
            return 0
        with read_only(self._path, if_broken=IF_BROKEN) as run:
            (last,) = run("SELECT ifnull(max(id), 0) FROM attempts").fetchone()
        return int(last)
