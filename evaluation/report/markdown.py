"""The tables of a report as Markdown."""

import re
from collections.abc import Iterator, Sequence

from benchwright.plain_text import excerpt
from evaluation.report.rows import Cell, Row
from evaluation.report.sections import Compared, Section

_SIGNS = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def markdown_of(sections: Sequence[Section]) -> str:
    """Return the tables one after the other; texts of others are escaped."""
    return "\n".join(["# Leaderboard", *(line for one in sections for line in _section(one)), ""])


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is, on one line."""
    return _SIGNS.sub(r"\\\1", excerpt(text, 200))


def _section(one: Section) -> Iterator[str]:
    yield from (
        "",
        f"## {escaped(one.title)}",
        "",
        f"{escaped(one.facts)}. {escaped_note(one.order)}",
        "",
    )
    names = map(escaped, one.headings)
    heads = [f"**{name}**" if at in one.main else name for at, name in enumerate(names)]
    yield _line(["", "player", *heads, "coverage"])
    yield _line([":-", ":-", *("-:" for _ in one.headings), "-:"])
    yield from (_player(row) for row in one.rows)
    for beside in one.beside:
        yield _line(["", f"*{escaped(beside.name)}*", *(f"*{cell}*" for cell in beside.cells), ""])
    yield from ("", "In brackets: the 95 % interval and what the figure is over.", "")
    yield from (f"- {escaped_note(note)}" for note in one.notes)
    yield from (f"- {escaped_note(finding)}" for finding in one.board.sheet.findings)
    for compared in one.compared:
        yield from _pairs(compared)


def escaped_note(note: str) -> str:
    """Return a note, in which the names of players may stand, on one line."""
    return _SIGNS.sub(r"\\\1", " ".join(note.split()))


def _player(row: Row) -> str:
    name = escaped(row.name)
    beside = [text for text in (row.badge, row.under) if text]
    said = f"{name} ({escaped('; '.join(beside))})" if beside else name
    coverage = f"**{row.coverage}**" if row.is_partial else row.coverage
    return _line([row.place, said, *map(_cell, row.cells), coverage])


def _cell(cell: Cell) -> str:
    inside = "; ".join(text for text in (cell.spread, f"n {cell.n}" if cell.n else "") if text)
    return f"{cell.value} ({inside})" if inside else cell.value


def _pairs(compared: Compared) -> Iterator[str]:
    if not compared.rows:
        return
    yield from (
        "",
        f"### Pairs in {escaped(compared.heading)}",
        "",
        escaped_note(compared.summary),
        "",
    )
    yield _line(["first", "second", "first − second", "95 % interval", "items", "p (Holm)", ""])
    yield _line([":-", ":-", "-:", ":-", "-:", "-:", ":-"])
    for row in compared.rows:
        under = f"; played with other {row.under}" if row.under else ""
        yield _line(
            [
                *map(escaped, (row.first, row.second)),
                *(row.difference, row.spread, row.items, row.p),
                f"{row.verdict}{escaped(under)}",
            ]
        )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
