"""Whether a command said what a page shows."""

import re
from collections.abc import Sequence

_LEFT_OUT = re.compile(r"\s*(?:\.\.\.|…)\s*")
_NUMBER = re.compile(r"\b[0-9a-f]{12,}\b|[+-]?\d[\d,]*(?:\.\d+)?[MG]?")


def not_said(shown: Sequence[str], said: str, *, with_numbers: bool) -> list[str]:
    """Return the lines that are shown and were not said, in this order, of a command's output.

    A line of dots stands for any lines, dots within one for any words; blanks count as one. Without
    numbers it is enough that a line has others in their places.
    """
    lines = [_plain(line, with_numbers) for line in said.splitlines()]
    found, at = [], 0
    for line in shown:
        if not line.strip() or _LEFT_OUT.fullmatch(line):
            continue
        pattern = _pattern(_plain(line, with_numbers))
        hit = next((n for n in range(at, len(lines)) if pattern.fullmatch(lines[n])), None)
        if hit is None:
            found.append(line)
        else:
            at = hit + 1
    return found


def _plain(line: str, with_numbers: bool) -> str:
    line = " ".join(line.split())
    return line if with_numbers else _NUMBER.sub("#", line)


def _pattern(line: str) -> re.Pattern[str]:
    parts = re.split(r"\.\.\.|…", line)
    return re.compile(".*".join(re.escape(part.strip()) for part in parts))
