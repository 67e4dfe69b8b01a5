"""The pace of one endpoint; time is the loop's own here, and passes at once."""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from itertools import pairwise
from typing import Any

import pytest

from benchwright.asking.failures import Failure, FailureKind
from benchwright.asking.limiter import Limiter, Slot
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError


class _NoWaiting(selectors.DefaultSelector):
    """Moves the clock of the loop instead of waiting."""

    clock = 1_000.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is not None and timeout > 0:
            self.clock += timeout
        return super().select(0)


def in_no_time(main: Coroutine[Any, Any, Any]) -> Any:
    selector = _NoWaiting()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.clock  # type: ignore[method-assign]
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()


def limiter(**settings: Any) -> Limiter:
    return Limiter(Voter(name="v", model="m", base_url="http://h/v1", **settings))


def now() -> float:
    return asyncio.get_running_loop().time()


Call = Callable[[Slot], Awaitable[None]]


async def calls(pace: Limiter, number: int, call: Call, tokens: int = 0) -> list[float]:
    """Make so many calls at once; return when each began, from the start."""
    start, begun = now(), []

    async def one() -> None:
        async with pace.slot(tokens) as slot:
            begun.append(now() - start)
            await call(slot)

    await asyncio.gather(*(one() for _ in range(number)))
    return begun


def answering(pace: Limiter, seconds: float = 1.0, used: int = 0) -> Call:
    async def call(slot: Slot) -> None:
        await asyncio.sleep(seconds)
        pace.answered(slot, used)

    return call


def test_concurrency() -> None:
    pace = limiter(concurrency=3)
    begun = in_no_time(calls(pace, 7, answering(pace)))
    assert begun == pytest.approx([0, 0, 0, 1, 1, 1, 2])


def test_requests_a_minute_are_spread() -> None:
    pace = limiter(concurrency=50, requests_per_minute=120)
    begun = in_no_time(calls(pace, 5, answering(pace)))
    assert begun == pytest.approx([0, 0.5, 1, 1.5, 2])


def test_tokens_a_minute_are_spread_by_what_was_used() -> None:
    """1,000 are expected and 400 used: what was not used is there for the next."""
    pace = limiter(concurrency=1, tokens_per_minute=60_000)
    begun = in_no_time(calls(pace, 4, answering(pace, 0.1, used=400), tokens=1_000))
    assert begun == pytest.approx([0, 0.4, 0.8, 1.2])


def test_retry_after_is_honoured_without_a_cap_by_all() -> None:
    """One call is told to wait two hours: no other call goes out before, then one tries alone."""
    pace = limiter(concurrency=4)
    first = True

    async def call(slot: Slot) -> None:
        nonlocal first
        if first:
            first = False
            pace.throttled(slot, 7_200, "HTTP 429")
            return
        await asyncio.sleep(10)
        pace.answered(slot, 0)

    async def main() -> list[float]:
        async with pace.slot() as slot:
            await call(slot)
        return await calls(pace, 4, call)

    begun = in_no_time(main())
    assert begun[0] >= 7_200
    assert begun[0] < 7_200 + 0.25 * 60 + 0.1  # jitter is bounded
    assert begun[1:] == pytest.approx([begun[0] + 10] * 3)  # alone until it is answered


def test_calls_that_set_out_together_make_one_pause() -> None:
    """Eight 429 at once are one message, not eight steps of the backoff."""
    pace = limiter(concurrency=8)
    told = 0

    async def call(slot: Slot) -> None:
        nonlocal told
        await asyncio.sleep(0.1)
        if told < 8:
            told += 1
            pace.throttled(slot, None, "HTTP 429")
        else:
            pace.answered(slot, 0)

    async def main() -> list[float]:
        await calls(pace, 8, call)
        return await calls(pace, 1, call)

    (begun,) = in_no_time(main())
    assert 0.8 < begun < 1.3  # the first pause is one second


def test_pauses_grow_until_it_answers() -> None:
    pace = limiter(concurrency=1)
    refusals = 4

    async def call(slot: Slot) -> None:
        nonlocal refusals
        if refusals:
            refusals -= 1
            pace.throttled(slot, None, "HTTP 429")
        else:
            pace.answered(slot, 0)

    begun = in_no_time(calls(pace, 7, call))
    waits = [later - earlier for earlier, later in pairwise(begun)]
    for wait, pause in zip(waits, [1, 2, 4, 8, 0, 0], strict=True):
        assert pause <= wait <= 1.25 * pause + 0.01


def test_dead_server_comes_back() -> None:
    """Nobody answers for ten minutes; one call at a time looks, then all go on."""
    pace = limiter(concurrency=16)
    tries = running = most = 0

    async def call(slot: Slot) -> None:
        nonlocal tries, running, most
        running += 1
        most = max(most, running) if 1 < now() - 1_000 < 600 else most
        tries += 1
        await asyncio.sleep(0.01)
        running -= 1
        if 1 < now() - 1_000 < 600:
            pace.down(slot, "refused")
        else:
            await asyncio.sleep(1)
            pace.answered(slot, 0)

    async def main() -> float:
        await calls(pace, 16, call)  # it answers
        await asyncio.sleep(1)
        tasks = [calls(pace, 1, call) for _ in range(64)]
        await asyncio.gather(*tasks)
        return now() - 1_000

    ended = in_no_time(main())
    assert most == 16  # what had set out when it died
    assert tries < 16 + 64 + 30
    assert 600 < ended < 700


@pytest.mark.parametrize(
    ("has_answered", "least", "most"),
    [
        (False, 20, 60),  # never there: most likely the address is wrong
        (True, 3_600, 3_800),  # it worked before: somebody will start it again
    ],
)
def test_patience_ends(has_answered: bool, least: float, most: float) -> None:
    pace = limiter(concurrency=2)

    async def knock() -> None:
        while True:
            async with pace.slot() as slot:
                pace.down(slot, "gone")

    async def main() -> float:
        start = now()
        if has_answered:
            async with pace.slot() as slot:
                pace.answered(slot, 0)
        with pytest.raises(ServerError, match=r"voter v: nobody answers at http://h/v1 \(gone\)"):
            await knock()
        return now() - start

    assert least < in_no_time(main()) < most


@pytest.mark.parametrize("seconds", [0.0, None])
def test_a_server_that_only_wants_pauses(seconds: float | None) -> None:
    """It names none, or always a past moment: asked less and less often, given up at last."""
    pace = limiter(concurrency=2)
    begun: list[float] = []

    async def main() -> None:
        start = now()
        while True:
            async with pace.slot() as slot:
                begun.append(now() - start)
                pace.throttled(slot, seconds, "HTTP 429")

    with pytest.raises(ServerError, match=r"voter v: http://h/v1 wants pauses and answers nothing"):
        in_no_time(main())
    assert len(begun) < 350
    assert begun[8] > 25  # the last of a few pauses is long
    assert 3_600 < begun[-1] < 3_700


def test_a_past_moment_is_a_short_pause_at_first() -> None:
    pace = limiter(concurrency=1)
    refusals = 1

    async def call(slot: Slot) -> None:
        nonlocal refusals
        if refusals:
            refusals -= 1
            pace.throttled(slot, 0.0, "HTTP 429")
        else:
            pace.answered(slot, 0)

    begun = in_no_time(calls(pace, 2, call))
    assert 0.2 < begun[1] - begun[0] < 0.5


def test_pauses_that_the_server_names_are_not_held_against_it() -> None:
    """Ten times it asks for an hour, then it answers."""
    pace = limiter(concurrency=1)
    refusals = 10

    async def call(slot: Slot) -> None:
        nonlocal refusals
        if refusals:
            refusals -= 1
            pace.throttled(slot, 3_600, "HTTP 429")
        else:
            pace.answered(slot, 0)

    begun = in_no_time(calls(pace, 11, call))
    assert begun[-1] >= 36_000


@pytest.mark.parametrize("how", ["throttled", "down", "erred", "cancelled"])
def test_tokens_of_a_call_that_failed_are_given_back(how: str) -> None:
    """A minute's tokens are reserved by a call that fails; the next need not wait for them."""
    pace = limiter(concurrency=1, tokens_per_minute=1_000)

    async def main() -> float:
        start = now()
        try:
            async with pace.slot(1_000) as slot:
                if how == "throttled":
                    pace.throttled(slot, None, "x")
                elif how == "down":
                    pace.down(slot, "x")
                elif how == "erred":
                    pace.erred(slot, "x")
                else:
                    raise asyncio.CancelledError
        except asyncio.CancelledError:
            pass
        async with pace.slot(1_000):
            return now() - start

    assert in_no_time(main()) < 2  # the pause alone


@pytest.mark.parametrize(
    ("kind", "is_passing"),
    [
        ("throttled", True),
        ("down", True),
        ("again", True),
        ("rejected", False),
        ("refused", False),
        ("stop", False),
    ],
)
def test_failures_that_may_pass(kind: FailureKind, is_passing: bool) -> None:
    pace = limiter()

    async def main() -> bool:
        async with pace.slot() as slot:
            return pace.failed(slot, Failure(kind=kind, message="x"))

    assert in_no_time(main()) is is_passing


def test_patience_is_the_voter_s() -> None:
    pace = limiter(concurrency=1, patience=120)

    async def knock() -> None:
        while True:
            async with pace.slot() as slot:
                pace.down(slot, "gone")

    async def main() -> float:
        start = now()
        async with pace.slot() as slot:
            pace.answered(slot, 0)
        with pytest.raises(ServerError):
            await knock()
        return now() - start

    assert 119 < in_no_time(main()) < 200


def test_single_errors_pause_nothing() -> None:
    """An error now and then is the request's own affair."""
    pace = limiter(concurrency=1)
    ordinal = 0

    async def call(slot: Slot) -> None:
        nonlocal ordinal
        ordinal += 1
        if ordinal % 3 == 0:
            pace.erred(slot, "HTTP 500")
        else:
            pace.answered(slot, 0)

    assert in_no_time(calls(pace, 30, call)) == pytest.approx([0] * 30)


def test_pauses_say_when_patience_ends(caplog: pytest.LogCaptureFixture) -> None:
    pace = limiter(concurrency=1)

    async def main() -> None:
        while True:
            async with pace.slot() as slot:
                pace.down(slot, "<html>" + "x" * 5_000)

    with pytest.raises(ServerError) as caught:
        in_no_time(main())
    assert len(str(caught.value)) < 300
    *first, last = [record.getMessage() for record in caplog.records]
    assert all(", gives up in " in said for said in first)
    assert "goes on in 1 s, gives up in 20 s" in first[0]
    assert "tries once more in " in last
    assert last.endswith(" s, then gives up")
    assert all(len(said) < 200 for said in (*first, last))


def test_a_throttled_voter_only_waits(caplog: pytest.LogCaptureFixture) -> None:
    pace = limiter(concurrency=1)

    async def main() -> None:
        async with pace.slot() as slot:
            pace.throttled(slot, 36.0, "HTTP 429")

    in_no_time(main())
    (record,) = caplog.records
    assert record.getMessage().startswith("voter v: HTTP 429; goes on in ")
    assert "gives up" not in record.getMessage()


def test_errors_only_are_told() -> None:
    pace = limiter(concurrency=1)

    async def main() -> None:
        while True:
            async with pace.slot() as slot:
                pace.erred(slot, "HTTP 500: broken")

    with pytest.raises(ServerError, match="answers with errors only"):
        in_no_time(main())
