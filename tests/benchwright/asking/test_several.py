"""Many requests, few at once."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from benchwright.asking.several import _stopped, ask_by_voter, ask_each, side_by_side
from benchwright.errors import BenchwrightError, BudgetSpent, ServerError


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


def test_a_cancellation_at_the_very_end_is_not_lost() -> None:
    async def ask(item: int) -> int:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.05)  # it takes a while to stop
        return item

    async def main() -> None:
        answers = ask_by_voter(ask, {"": iter(range(3))}, {"": 3}, {})
        asking = asyncio.ensure_future(anext(answers))
        await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.sleep(0.01)  # it stops what is under way
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    async def closing() -> str:
        async def stuck() -> None:
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.05)

        stopping = asyncio.ensure_future(_stopped([asyncio.ensure_future(stuck())]))
        await asyncio.sleep(0.01)
        stopping.cancel()
        await asyncio.wait([stopping])
        return "lost" if not stopping.cancelled() else "kept"

    asyncio.run(main())
    assert asyncio.run(closing()) == "kept"


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


async def by_voter(
    ask: Any, items: dict[str, Iterator[Any]], at_once: int = 2
) -> tuple[list[Any], dict[str, BenchwrightError]]:
    """Return the answered items, and what ended a voter's part."""
    faults: dict[str, BenchwrightError] = {}
    answers = ask_by_voter(ask, items, dict.fromkeys(items, at_once), faults)
    return [item async for item, _ in answers], faults


def numbered(name: str, count: int) -> Iterator[tuple[str, int]]:
    return ((name, number) for number in range(count))


def test_a_voter_that_pauses_holds_up_nobody_else() -> None:
    others_are_done = asyncio.Event()
    left = 50

    async def ask(item: tuple[str, int]) -> None:
        nonlocal left
        if item[0] == "paused":
            await others_are_done.wait()
        else:
            left -= 1
            if left == 0:
                others_are_done.set()

    items = {name: numbered(name, 50) for name in ("paused", "quick")}
    got, faults = asyncio.run(asyncio.wait_for(by_voter(ask, items), 10))
    assert len(got) == 100
    assert {name for name, _ in got[:40]} == {"quick"}
    assert faults == {}


def test_a_voter_that_is_gone_ends_alone() -> None:
    async def ask(item: tuple[str, int]) -> None:
        await asyncio.sleep(0)
        if item == ("gone", 3):
            raise ServerError("nobody answers")

    items = {name: numbered(name, 40) for name in ("gone", "good")}
    got, faults = asyncio.run(by_voter(ask, items))
    assert sorted(n for name, n in got if name == "good") == list(range(40))
    gone = [n for name, n in got if name == "gone"]
    assert {0, 1, 2} <= set(gone) <= {0, 1, 2, 4}
    assert {name: str(fault) for name, fault in faults.items()} == {"gone": "nobody answers"}


def test_nobody_to_ask() -> None:
    async def ask(item: Any) -> None:
        raise AssertionError(item)

    assert asyncio.run(by_voter(ask, {})) == ([], {})
    assert asyncio.run(by_voter(ask, {"a": iter(())})) == ([], {})


def test_side_by_side() -> None:
    stopped = []

    async def work(number: int) -> int:
        if number == 3:
            raise ZeroDivisionError
        try:
            await asyncio.sleep(0 if number < 2 else 60)
        except asyncio.CancelledError:
            stopped.append(number)
            raise
        return number

    async def main(*numbers: int) -> list[int]:
        return await side_by_side(work(number) for number in numbers)

    assert asyncio.run(main(1, 0)) == [1, 0]
    assert asyncio.run(main()) == []
    with pytest.raises(ZeroDivisionError):
        asyncio.run(main(2, 3))
    assert stopped == [2]
