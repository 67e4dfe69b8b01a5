"""The processes that a process has started, as Linux knows them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process, its name (of 15 letters at most) and the CPU-seconds that it has used.

    ``ended`` are those of its children that have ended.
    """

    number: int
    parent: int
    name: str
    seconds: float
    ended: float


def _all() -> Iterator[Process]:
    tick = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # processes come and go
            name, _, rest = path.read_text("utf-8").partition("(")[2].rpartition(")")
            fields = rest.split()
            user, system, ended_user, ended_system = (int(one) / tick for one in fields[11:15])
            if fields[0] not in "ZX":
                yield Process(
                    number=int(path.parent.name),
                    parent=int(fields[1]),
                    name=name,
                    seconds=user + system,
                    ended=ended_user + ended_system,
                )


def with_all_under(number: int) -> list[Process]:
    """Return a process and all under it that have not ended."""
    children: dict[int, list[Process]] = {}
    found = []
    for one in _all():
        children.setdefault(one.parent, []).append(one)
        if one.number == number:
            found.append(one)
    for one in found:  # which grows meanwhile
        found.extend(children.get(one.number, ()))
    return found
