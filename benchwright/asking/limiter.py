"""The pace of one endpoint, shared by all calls to it.

A call holds a slot: at most ``concurrency`` at once, spread evenly over the minute where the
endpoint allows so many requests or tokens a minute. When the server asks for a pause, or nobody
answers, everything to it waits; then one call alone tries, and the rest follow once it is
answered.
"""

import asyncio
import logging
import math
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from benchwright.asking.failures import Failure
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError
from benchwright.plain_text import excerpt

logger = logging.getLogger(__name__)

FIRST_PATIENCE = 20.0  # seconds
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds, where the server names none
_LEAST = 0.25  # of such a pause that is made where the server names a shorter one
_JITTER = 0.25  # share of a pause that chance adds, so that clients do not come back together
_SOON = 0.001  # seconds of patience that are as good as none
_ERRORS_IN_A_ROW = 5  # that make a server that answers with errors as good as down


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Slot:
    """The right to make one call; ``era`` counts the pauses that began before it.

    ``used`` are the tokens that the call took, as far as is known.
    """

    era: int
    used: int = 0


@dataclass(slots=True)
class _Spread:
    """Spreads what a minute allows evenly over it."""

    a_minute: int | None
    free_at: float = 0.0

    def take(self, amount: float, now: float) -> float:
        """Return how many seconds to wait for so much."""
        if self.a_minute is None:
            return 0.0
        begin = max(self.free_at, now)
        self.free_at = begin + amount * 60 / self.a_minute
        return begin - now

    def give_back(self, amount: float) -> None:
        if self.a_minute is not None:
            self.free_at -= amount * 60 / self.a_minute


@dataclass
class Limiter:
    """A server that has answered before is waited for as long as the voter's patience says.

    One that never answered in this run is given ``first_patience``: most likely it was never
    started, or the address is wrong.
    """

    voter: Voter
    first_patience: float = field(default_factory=lambda: FIRST_PATIENCE)
    _slots: asyncio.Semaphore = field(init=False)
    _alone: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _requests: _Spread = field(init=False)
    _tokens: _Spread = field(init=False)
    _not_before: float = 0.0
    _era: int = 0
    _pauses: int = 0  # in a row
    _errors: int = 0  # in a row
    _troubled_since: float | None = None
    _has_answered: bool = False

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.voter.concurrency)
        self._requests = _Spread(self.voter.requests_per_minute)
        self._tokens = _Spread(self.voter.tokens_per_minute)

    @asynccontextmanager
    async def slot(self, tokens: int = 0) -> AsyncIterator[Slot]:
        """Wait for a turn and hold it; ``tokens`` is what the call is expected to use.

        Raises ServerError when the server has been gone for longer than patience allows.
        """
        async with self._slots:
            await self._paused()
            now = _now()
            wait = max(self._requests.take(1, now), self._tokens.take(tokens, now))
            slot = Slot(self._era)
            try:
                if wait > 0:
                    await asyncio.sleep(wait)
                    await self._paused()
                async with self._alone_in_trouble():
                    slot.era = self._era
                    yield slot
            finally:
                self._tokens.give_back(tokens - slot.used)

    @asynccontextmanager
    async def _alone_in_trouble(self) -> AsyncIterator[None]:
        """After a pause one call alone tries the server."""
        if self._troubled_since is not None:
            async with self._alone:
                await self._paused()
                if self._troubled_since is not None:
                    yield
                    return
        yield

    async def _paused(self) -> None:
        while (left := self._not_before - _now()) > 0:
            await asyncio.sleep(left)

    def answered(self, slot: Slot, tokens: int) -> None:
        """Note that the server answered and what the call used."""
        slot.used = tokens
        self._errors = self._pauses = 0
        self._has_answered = True
        self._troubled_since = None

    def failed(self, slot: Slot, failure: Failure) -> bool:
        """Note a failure, and tell whether it is one that may pass.

        Raises ServerError when there was nothing else for too long.
        """
        if failure.kind == "throttled":
            self.throttled(slot, failure.retry_after, failure.message)
        elif failure.kind == "down":
            self.down(slot, failure.message)
        elif failure.kind == "again":
            self.erred(slot, failure.message)
        else:
            return failure.kind == "lost"  # nothing of it is the server's
        return True

    def throttled(self, slot: Slot, seconds: float | None, why: str) -> None:
        """Note that the server wants a pause, of so many seconds where it says so.

        Raises ServerError when it wanted nothing else for too long, the time that it named not
        counted: it was heard.
        """
        pause = self._pause(slot, seconds)
        if self._is_beyond(self.voter.patience):
            raise self._error(
                f"{self.voter.base_url} wants pauses and answers nothing ({excerpt(why)}); lower"
                " concurrency or requests_per_minute in the voters' file, or see to its quota,"
            )
        self._announce(pause, why)

    def erred(self, slot: Slot, why: str) -> None:
        """Note an error that may be the request's own fault, until there are many in a row.

        Raises ServerError when there was nothing else for too long.
        """
        self._errors += 1
        if self._errors >= _ERRORS_IN_A_ROW:
            self._wait_or_give_up(slot, f"{self.voter.base_url} answers with errors only", why)

    def down(self, slot: Slot, why: str) -> None:
        """Note that nobody answered; raise ServerError when that has lasted too long."""
        self._wait_or_give_up(slot, f"nobody answers at {self.voter.base_url}", why)

    def _wait_or_give_up(self, slot: Slot, what: str, why: str) -> None:
        patience = self.voter.patience if self._has_answered else self.first_patience
        pause = self._pause(slot, None, most=self._left_of(patience))
        if self._is_beyond(patience):
            remedy = "bring it back" if self._has_answered else "start it, or mend its entry"
            raise self._error(f"{what} ({excerpt(why)}); {remedy}")
        self._announce(pause, why, patience)

    def _announce(self, pause: float | None, why: str, patience: float = math.inf) -> None:
        if pause is None:
            return
        left = self._left_of(patience)
        then = f"goes on in {max(1.0, pause):,.0f} s"
        if pause >= left:
            then = f"tries once more in {max(1.0, pause):,.0f} s, then gives up"
        elif left < math.inf:
            then += f", gives up in {left:,.0f} s"
        logger.warning("voter %s: %s; %s", self.voter.name, excerpt(why), then)

    def _left_of(self, patience: float) -> float:
        since = self._troubled_since
        return patience if since is None else patience - (_now() - since)

    def _is_beyond(self, patience: float) -> bool:
        return self._left_of(patience) <= _SOON

    def _error(self, what: str) -> ServerError:
        return ServerError(
            f"voter {self.voter.name}: {what} and run it again: what was answered is kept"
        )

    def _pause(self, slot: Slot, seconds: float | None, most: float = math.inf) -> float | None:
        """Let everything to the server wait; return the seconds, null where it waits already.

        A pause for which the server names no time is at most ``most`` seconds.
        Calls that set out before the last pause tell nothing new, but for the time that the
        server itself names.
        """
        now = _now()
        if self._troubled_since is None:
            self._troubled_since = now
        if slot.era != self._era and seconds is None:
            return None
        if slot.era == self._era:
            self._era += 1
            self._pauses += 1
        # one that names no time, or a shorter one each time, is asked less and less often
        own = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(self._pauses - 1, 10))
        pause = own if seconds is None else max(seconds, _LEAST * own)
        pause = pause if seconds is not None else max(0.0, min(pause, most))
        until = now + pause + random.uniform(0, _JITTER) * min(pause, _LONGEST_PAUSE)
        longer = until - max(now, self._not_before)
        if longer <= 0:
            return None
        self._troubled_since += min(longer, seconds or 0.0)
        self._not_before = until
        seconds_left: float = until - now
        return seconds_left
