"""Calls and money are never passed."""

import asyncio

import pytest

from benchwright.asking.budget import Budget
from benchwright.errors import BudgetSpent


async def spend(budget: Budget, number: int, highest: float, cost: float) -> int:
    """Make so many calls at once; return how many the budget let through."""
    made = 0

    async def one() -> None:
        nonlocal made
        await budget.reserve(highest)
        await asyncio.sleep(0.001)
        assert budget.max_cost is None or budget.cost <= budget.max_cost + 1e-9
        await budget.settle(highest, cost)
        made += 1

    results = await asyncio.gather(*(one() for _ in range(number)), return_exceptions=True)
    assert all(isinstance(result, BudgetSpent | None) for result in results)
    return made


@pytest.mark.parametrize(
    ("budget", "highest", "cost", "made"),
    [
        (Budget(), 1.0, 1.0, 50),  # no bound
        (Budget(max_calls=0), 0.0, 0.0, 0),
        (Budget(max_calls=7), 0.0, 0.0, 7),
        (Budget(max_cost=5.0), 1.0, 1.0, 5),
        (Budget(max_cost=5.0), 1.0, 0.25, 17),  # what costs less leaves room: 16 x 0.25 + 1 <= 5
        (Budget(max_cost=0.5), 1.0, 0.1, 0),  # the first could pass it
        (Budget(max_cost=5.0, max_calls=3), 1.0, 1.0, 3),
    ],
)
def test_bounds(budget: Budget, highest: float, cost: float, made: int) -> None:
    assert asyncio.run(spend(budget, 50, highest, cost)) == made
    assert budget.calls == made
    assert budget.cost == pytest.approx(made * cost)


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(max_calls=0), "--max-calls 0 is reached"),
        (
            Budget(max_cost=0.5, cost=0.01234, currency="EUR"),
            "--max-cost 0.5 would be passed: EUR 0.0123 is spent and the next call may cost EUR 1",
        ),
    ],
)
def test_message(budget: Budget, said: str) -> None:
    with pytest.raises(BudgetSpent, match=said):
        asyncio.run(budget.reserve(1.0))
