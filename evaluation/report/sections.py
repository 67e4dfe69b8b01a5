"""The sections of a report in words: for each table what it is of, its rows and its pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.plain_text import counted
from evaluation.report.boards import Board, condition_name
from evaluation.report.entries import Entry
from evaluation.report.kinds.sheet import SPELLING, Chart
from evaluation.report.pairs import LEVEL, Pair, pairs_of
from evaluation.report.rows import BesideRow, Row, beside_rows, rows_of
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import NOTHING, interval, spoken

_LEAST_P = 0.0001
_FEW = 20  # pictures, under which percentile intervals fall short


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """Two players: first minus second in words."""

    first: str
    second: str
    difference: str
    spread: str
    items: str
    p: str
    is_told_apart: bool
    verdict: str
    under: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """All pairs in one figure; ``summary`` says how many can be told apart."""

    heading: str
    summary: str
    rows: tuple[PairRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One table with all that belongs to it; ``order`` says by what the players stand."""

    name: str
    board: Board
    title: str
    facts: str
    order: str
    headings: tuple[str, ...]
    main: frozenset[int]
    rows: tuple[Row, ...]
    beside: tuple[BesideRow, ...]
    notes: tuple[str, ...]
    compared: tuple[Compared, ...]
    charts: Sequence[Chart]


def sections_of(boards: Sequence[Board], seed: int) -> list[Section]:
    """Return a section for each table."""
    return [_section(board, boards, at, seed) for at, board in enumerate(boards, 1)]


def _section(board: Board, boards: Sequence[Board], at: int, seed: int) -> Section:
    sheet = board.sheet
    main = [column.heading for column in sheet.columns if column.key in sheet.main]
    return Section(
        name=f"table-{at}",
        board=board,
        title=f"{spoken(board.config)}, {board.release}",
        facts=(
            f"{counted(len(board.standings), 'run')}; digest of what was played {board.digest}"
            + (
                f"; all with {_parts(board.shared)}"
                if len(board.standings) > 1 and board.shared
                else ""
            )
        ),
        order=_order(main),
        headings=tuple(column.heading for column in sheet.columns),
        main=frozenset(at for at, column in enumerate(sheet.columns) if column.key in sheet.main),
        rows=tuple(rows_of(board)),
        beside=tuple(beside_rows(board)),
        notes=tuple(_notes(board, boards)),
        compared=tuple(_compared(board, key, seed) for key in sheet.main)
        if len(board.standings) > 1
        else (),
        charts=sheet.charts,
    )


def _parts(played: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}".strip() for name, value in played.items())


def _order(main: Sequence[str]) -> str:
    if not main:
        return "Nothing was measured by which players could be ordered."
    then = f", then by {main[1]}" if len(main) > 1 else ""
    return f"Ordered by {main[0]}{then}; players with the same figures share a place (=)."


def _notes(board: Board, boards: Sequence[Board]) -> list[str]:
    notes = []
    if any(
        other is not board and other.config == board.config and other.release == board.release
        for other in boards
    ):
        notes.append(
            f"Other runs of {board.config} were played on other rows under the same name of the"
            " release; they have a table of their own and are not comparable with these."
        )
    elif any(other is not board and other.config == board.config for other in boards):
        notes.append(
            f"Other runs of {board.config} were played on another release; they have a table of"
            " their own and are not comparable with these."
        )
    few = [count for entry in board.entries if (count := _pictures(entry)) is not None]
    if few and min(few) < _FEW:
        notes.append(
            f"Only {counted(min(few), 'picture')}: intervals from fewer than {_FEW} are too narrow."
        )
    if board.conditions:
        names = ", ".join(map(condition_name, board.conditions))
        notes.append(
            f"The runs were not played alike ({names}): each row says how it was played, and a"
            " difference between two may come from that."
        )
    partial = [entry.name for entry in board.entries if entry.about.coverage < 1]
    if partial:
        notes.append(
            f"Not whole: {', '.join(partial)}. Their figures are of the {board.noun}s that were"
            " played, which their coverage says; the others may have been harder."
        )
    if not board.has_person:
        notes.append(
            "There is no human line: no run of a person is among these (run-benchmark human makes"
            " one)."
        )
    if alone := [entry.name for entry in board.entries if entry.scored is None]:
        notes.append(
            f"Of {', '.join(alone)} the score alone is there: no pairs and no {board.noun}s."
        )
    return notes


def _pictures(entry: Entry) -> int | None:
    """Return how many pictures a score is over, null where that is not known."""
    if entry.scored is None:
        return None
    return len({item.picture for item in entry.scored.tally.items.values()})


def _compared(board: Board, key: Key, seed: int) -> Compared:
    pairs = pairs_of(board, key, seed)
    column = next(one for one in board.sheet.columns if one.key == key)
    tested = sum(pair.p is not None for pair in pairs)
    apart = sum(pair.is_told_apart for pair in pairs)
    return Compared(
        heading=column.heading,
        summary=(
            f"{apart:,} of {counted(len(pairs), 'pair')} can be told apart in {column.heading}:"
            f" p under {LEVEL} after Holm's correction over {counted(tested, 'test')}."
            if tested
            else f"All players are the same in {column.heading}."
        ),
        rows=tuple(map(_pair_row, pairs)),
    )


def _pair_row(pair: Pair) -> PairRow:
    points = SPELLING["points"]
    sign = "+" if (pair.difference.value or 0) > 0 else ""
    return PairRow(
        first=pair.first.name,
        second=pair.second.name,
        difference=sign + points(pair.difference.value),
        spread=interval(pair.difference, points),
        items=f"{pair.items:,}",
        p=_spelt_p(pair.adjusted),
        is_told_apart=pair.is_told_apart,
        verdict=_verdict(pair),
        under=", ".join(map(condition_name, pair.conditions)),
    )


def _verdict(pair: Pair) -> str:
    if pair.is_told_apart:
        return "told apart"
    if pair.p is not None:
        return "not told apart"
    return "the same"


def _spelt_p(p: float | None) -> str:
    if p is None:
        return NOTHING
    return f"under {_LEAST_P:f}".rstrip("0") if p < _LEAST_P else f"{p:.4f}"
