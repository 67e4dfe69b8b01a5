"""Many requests, few at once."""

import asyncio
from collections.abc import Iterator

import pytest

from benchwright.asking.several import ask_each
from benchwright.errors import BudgetSpent


async def collect(items: Iterator[int], at_once: int, fail_at: int | None = None) -> list[int]:
    """Return the answered items; ``running`` must never pass ``at_once``."""
    running = 0

    async def ask(item: int) -> int:
        nonlocal running
        running += 1
        assert running <= at_once
        await asyncio.sleep(0.001 * (item % 3))
        running -= 1
        if item == fail_at:
            raise BudgetSpent("spent")
        return item * 2

    got = []
    async for item, answer in ask_each(ask, items, at_once):
        assert answer == item * 2
        got.append(item)
        if len(got) > 10_000:
            raise AssertionError("never ends")
    return got


@pytest.mark.parametrize("number", [0, 1, 7, 200])
@pytest.mark.parametrize("at_once", [1, 4, 64])
def test_each_item_once(number: int, at_once: int) -> None:
    assert sorted(asyncio.run(collect(iter(range(number)), at_once))) == list(range(number))


def test_items_are_made_only_when_they_are_asked() -> None:
    made = 0

    def items() -> Iterator[int]:
        nonlocal made
        for number in range(1_000):
            made = number
            yield number

    async def first_five() -> None:
        async def ask(item: int) -> int:
            await asyncio.sleep(0)
            return item * 2

        seen = 0
        answers = ask_each(ask, items(), 4)
        async for _ in answers:
            seen += 1
            if seen == 5:
                await answers.aclose()  # type: ignore[attr-defined]
                return

    asyncio.run(first_five())
    assert made < 40


def test_spent_budget_lets_what_is_under_way_finish() -> None:
    got: list[int] = []

    async def ask(item: int) -> int:
        if item == 5:
            raise BudgetSpent("spent")
        await asyncio.sleep(0.01)
        return item

    async def main() -> None:
        async for item, _ in ask_each(ask, iter(range(100)), 8):
            got.append(item)

    with pytest.raises(BudgetSpent):
        asyncio.run(main())
    assert sorted(got) == [0, 1, 2, 3, 4, 6, 7]  # none begun after, none of these lost


def test_bug_stops_everything() -> None:
    async def ask(item: int) -> int:
        if item == 3:
            raise ZeroDivisionError
        await asyncio.sleep(60)
        return item

    async def main() -> None:
        async for _ in ask_each(ask, iter(range(100)), 8):
            pass

    with pytest.raises(ZeroDivisionError):
        asyncio.run(main())
