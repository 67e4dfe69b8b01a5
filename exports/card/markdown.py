"""Markdown of a card; what strangers wrote stays text, whatever markup is in it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote, urlsplit

from benchwright.plain_text import EXCERPT, excerpt
from labeling.audits.reporting.markdown import escaped
from labeling.audits.reporting.tables import Table

_BEGINS = re.compile(r"^(\d{0,9})((?<!\d)#{1,6}|(?<!\d)[+-]|(?<=\d)[.)])(?=[\s-]|$)")
_IN_LINKS = "%:/?#@!$&*+,;=~-._"  # of an address; quotes, brackets and blanks are encoded


def text(said: str, most: int = EXCERPT) -> str:
    """Return somebody's text on one line, cut to so many characters, as Markdown that shows it.

    It may begin an entry of a list, where a sign or a number would begin a heading or a list.
    """
    return _BEGINS.sub(r"\1\\\2", escaped(excerpt(said, most)))


def link(said: str, address: str | None) -> str:
    """Return a text, linked where the address is one of the web."""
    shown = text(said)
    if address is None or not _is_of_the_web(address):
        return shown
    return f"[{shown}]({quote(address, safe=_IN_LINKS)})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: int = 1) -> Iterator[str]:
    """Yield a table and a blank line; cells are Markdown, the first ``texts`` columns no figures.

    Without rows there is no table.
    """
    given = list(rows)
    if not given:
        return
    yield _row(head)
    yield _row(["---" if at < texts else "---:" for at in range(len(head))])
    yield from map(_row, given)
    yield ""


def audit_table(found: Table) -> Iterator[str]:
    """Yield a table of an audit report with its title."""
    yield from (f"**{escaped(found.title)}**", "")
    rows = [[escaped(cell) for cell in row] for row in found.rows]
    yield from table([escaped(cell) for cell in found.head], rows, found.texts)


def code(lines: Iterable[str], language: str = "") -> Iterator[str]:
    """Yield a block of code and a blank line; no line of it may begin with a fence."""
    yield from (f"```{language}", *lines, "```", "")


def folded(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that a reader opens by a click; the title is plain text of ours."""
    yield from (f"<details><summary>{title}</summary>", "", *lines, "</details>", "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _is_of_the_web(address: str) -> bool:
    try:
        found = urlsplit(address)
        return found.scheme in ("http", "https") and bool(found.hostname)
    except ValueError:
        return False
