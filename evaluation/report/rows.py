"""The rows of a table as they are read: players with their figures, and what stands beside."""

from collections.abc import Iterator
from dataclasses import dataclass

from evaluation.report.boards import Board, Standing
from evaluation.report.entries import Entry
from evaluation.report.kinds.sheet import SPELLING, Beside, Column
from evaluation.scoring.figures import Figure
from evaluation.scoring.spelling import NOTHING, interval, share


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A figure in words: its value, its interval and what it is over, each empty without one."""

    value: str
    spread: str = ""
    n: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A player in its place, such as 2=; ``under`` says how it was played, ``badge`` who it is."""

    place: str
    name: str
    run: str
    badge: str
    under: str
    cells: tuple[Cell, ...]
    coverage: str
    is_partial: bool
    is_person: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideRow:
    """What a player without a clue would have."""

    name: str
    cells: tuple[str, ...]


def rows_of(board: Board) -> Iterator[Row]:
    """Yield the players of a table, the best first."""
    for standing in board.standings:
        entry = standing.entry
        under = board.played_under(entry)
        yield Row(
            place=_place(standing),
            name=entry.name,
            run=entry.about.run,
            badge="a person" if entry.is_person else "no model" if entry.is_rule else "",
            under=", ".join(f"{name} {value}".strip() for name, value in under.items()),
            cells=tuple(_cell(entry, column) for column in board.sheet.columns),
            coverage=share(entry.about.coverage),
            is_partial=entry.about.coverage < 1,
            is_person=entry.is_person,
        )


def beside_rows(board: Board) -> Iterator[BesideRow]:
    """Yield the baselines; one that the runs measured differently has its least and its most.

    One that is each player's own has a row for each of them.
    """
    for beside in board.sheet.beside:
        if beside.is_own:
            for entry in board.entries:
                yield from _beside(board, beside, [entry], f"{beside.name}, {entry.name}")
        else:
            yield from _beside(board, beside, board.entries, beside.name)


def _beside(board: Board, beside: Beside, entries: list[Entry], name: str) -> Iterator[BesideRow]:
    cells = [_span(beside, entries, column) for column in board.sheet.columns]
    if any(cell != NOTHING for cell in cells):
        yield BesideRow(name=name, cells=tuple(cells))


def _span(beside: Beside, entries: list[Entry], column: Column) -> str:
    key = beside.keys.get(column.key)
    if key is None:
        return NOTHING
    figures: list[Figure] = [found for entry in entries if (found := entry.figure(key))]
    values = sorted(figure.value for figure in figures if figure.value is not None)
    if not values:
        return NOTHING
    spell = SPELLING[column.form]
    low, high = spell(values[0]), spell(values[-1])
    return low if low == high else f"{low.rstrip(' %pt')} to {high}"


def _place(standing: Standing) -> str:
    if standing.place is None:
        return NOTHING
    return f"{standing.place}{'=' if standing.is_tied else ''}"


def _cell(entry: Entry, column: Column) -> Cell:
    figure, spell = entry.figure(column.key), SPELLING[column.form]
    if figure is None:
        return Cell(value=NOTHING)
    spread = "" if figure.low is None else interval(figure, spell)
    return Cell(value=spell(figure.value), spread=spread, n=f"{figure.n:,}")
