"""By which routes answers were read, in words."""

from collections import Counter
from collections.abc import Mapping

from benchwright.plain_text import excerpt

_ROUTE = 40  # characters of the name of a route that somebody else gave


def parse_route(routes: Mapping[str, Counter[str]]) -> str:
    """Return the routes with their shares, the most frequent first, by what was read.

    Such as ``read: json 96.0%, prose 4.0%; mapped: rules 100.0%``; what was never read is left out.
    """
    return "; ".join(f"{what}: {_shares(found)}" for what, found in routes.items() if found)


def _shares(found: Counter[str]) -> str:
    total = found.total()
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{excerpt(name, _ROUTE)} {count / total:.1%}" for name, count in ordered)
