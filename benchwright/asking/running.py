"""Running what asks models, so that Ctrl-C and SIGTERM end it in order."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")
_Handler = Callable[[int, FrameType | None], Any]


def run(main: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns, as ``asyncio.run`` does.

    A first signal cancels it, so that it stores what came and closes what it opened; a second one
    breaks that off. Then the handler that the signal had before is called. With ``asyncio.run``
    the loop would swallow what that one raises while a callback runs.
    """
    handlers = _handlers()
    came: list[int] = []
    try:
        with asyncio.Runner() as runner:
            loop = runner.get_loop()
            task = loop.create_task(main)

            def stop(number: int, _: FrameType | None) -> None:
                came.append(number)
                if len(came) > 1:
                    raise KeyboardInterrupt  # which the loop lets pass
                if not loop.is_closed():
                    loop.call_soon_threadsafe(task.cancel)

            for number in handlers:
                signal.signal(number, stop)
            return loop.run_until_complete(task)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if came:
            handlers[came[0]](came[0], None)


def _handlers() -> dict[int, _Handler]:
    """Return the handlers that are Python's; without one a signal ends the process anyway."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    return {number: handler for number, handler in found.items() if callable(handler)}
