"""How a long step shows where it is: the commands pass a bar, everyone else passes nothing."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol


class Progress(Protocol):
    """Given what is done and how many there are, wraps the iterable that is consumed."""

    def __call__(
        self, what: str, total: int | None = None, /
    ) -> Callable[[Iterable[Any]], Iterable[Any]]:
        """Return the function that wraps."""


def no_progress(
    _what: str, _total: int | None = None, /
) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """Show nothing."""
    return lambda values: values
