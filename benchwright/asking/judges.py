"""Judges that can be tried out on what people labelled: ``benchwright doctor --judge NAME``.

A judge is a question that an evaluation puts to a model. It stands in whatever package asks it,
and is found by the entry points of ``GROUP``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Protocol

from benchwright.asking.questions import Asks
from benchwright.errors import UsageError

GROUP = "benchwright.judges"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a model made of one case; ``verdict`` is null where its server gave no answer.

    ``is_read`` is false where an answer came that could not be read.
    """

    verdict: str | None
    is_read: bool = True


class Judge(Protocol):
    """A judge with its labelled cases; a case is whatever the judge makes of it."""

    @property
    def name(self) -> str:
        """What --judge calls it."""
        ...

    def cases(self) -> Sequence[Any]:
        """Return the labelled cases."""
        ...

    async def ask(self, case: Any, asks: Asks) -> Found:
        """Return what a model makes of one case, asked as an evaluation asks it."""
        ...

    def sheet(self, found: Mapping[str, Sequence[Found]]) -> list[str]:
        """Return for people how well each voter did; what it found is in the order of cases."""
        ...


def judge_named(name: str) -> Judge:
    """Return an installed judge; raises UsageError where there is none of this name."""
    known = {point.name: point for point in entry_points(group=GROUP)}
    if name not in known:
        have = f"there are {', '.join(sorted(known))}" if known else "none is installed"
        raise UsageError(f"--judge {name}: no judge has this name; {have}")
    judge: Judge = known[name].load()
    return judge
