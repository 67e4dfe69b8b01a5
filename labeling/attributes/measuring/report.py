"""What the command says of a measurement: one line a type, and the page for the rest."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchwright.plain_text import excerpt
from labeling.attributes.labels.report import listed, pictures_text
from labeling.attributes.measuring.comparing import Comparison
from labeling.attributes.measuring.measured import Measured, TypeMeasured
from labeling.attributes.measuring.wording import (
    UNKNOWN,
    named,
    percent,
    points,
    ranged,
    why_blind,
)

_SHOWN = 12  # lines of a list before it is cut
Row = tuple[str, list[str]]


def measured_lines(runs: Sequence[Measured], names: Sequence[str]) -> list[str]:
    """Return the lines about one or two workspaces; ``names`` are those of the columns."""
    several = len(runs) > 1
    lines = [line for run in runs for line in _left_out(run)]
    rows: list[Row] = [("", list(names))] if several else []
    rows += _overall(runs)
    rows += _types(runs)
    lines += _table(rows)
    lines += _comparison(runs, names)
    for run, name in zip(runs, names, strict=True):
        where = f" in {name}" if several else ""
        lines += _agreement(run, where)
        lines += _blind(run, where)
    return lines


def _left_out(run: Measured) -> Iterator[str]:
    if run.unmatched is not None:
        yield f"{run.unmatched.path}: {run.unmatched}"


def _overall(runs: Sequence[Measured]) -> list[Row]:
    return [
        ("known values", [f"{run.pairs:,} of {pictures_text(run.pictures)}" for run in runs]),
        ("balanced accuracy", [ranged(run.balanced) for run in runs]),
        ("labels of yes or no", [percent(run.coverage) for run in runs]),
    ]


def _types(runs: Sequence[Measured]) -> Iterator[Row]:
    yield "by type, with the worst value of each:", []
    for kinds in zip(*(run.types for run in runs), strict=True):
        yield f"  {excerpt(kinds[0].type)}", [_type(kind) for kind in kinds]


def _type(kind: TypeMeasured) -> str:
    if kind.balanced is None:
        return "too little known"
    worst = kind.measurable[-1]
    return f"{ranged(kind.balanced)}  {excerpt(worst.value)} {percent(worst.balanced.share)}"


def _comparison(runs: Sequence[Measured], names: Sequence[str]) -> Iterator[str]:
    for run, name in zip(runs, names, strict=True):
        if run.stopped:
            yield (
                f"{run.stopped:,} known values{f' in {name}' if len(runs) > 1 else ''} are left out"
                " of what follows: their questions were stopped early, and the answers that there"
                " are then are no fair sample"
            )
    found = [run.comparison for run in runs]
    first = next((each for each in found if each is not None), None)
    if first is None:
        yield "no value can be compared with a single question: ask more known pictures in full"
        return
    one = first.one
    yield (
        f"One question (voter {one.voter}, template {one.template}, view {one.view}: its most"
        " detailed) against the ensemble, both decided by the same rule, on pictures asked in full:"
    )
    yield from _table(compared_rows(found))


def compared_rows(found: Sequence[Comparison | None]) -> list[Row]:
    """Return the rows that set single questions beside the ensemble, a cell a workspace."""

    def row(title: str, cell: Callable[[Comparison], str | None]) -> Row:
        cells = [None if each is None else cell(each) for each in found]
        return f"  {title}", [text or UNKNOWN for text in cells]

    sizes = dict.fromkeys(
        (part.templates, part.views) for each in found if each for part in each.parts
    )
    rows = [row("pictures, values", lambda each: f"{each.pictures:,}, {each.values:,}")]
    rows += [row(size_text(*size), partial(_part, size=size)) for size in sizes]
    if any(each and each.parts[-1].balanced != each.ensemble for each in found):
        rows.append(row("all voters", lambda each: ranged(each.ensemble)))
    rows += [
        row("mean of single questions", lambda each: ranged(each.mean_alone)),
        row("gain over one question", lambda each: points(each.gain_over_one)),
        row("gain over that mean", lambda each: points(each.gain_over_mean)),
    ]
    if any(each and each.labels != each.ensemble for each in found):
        rows.append(row("the labels", lambda each: ranged(each.labels)))
    return rows


def size_text(templates: int, views: int) -> str:
    """Return how many templates on how many views."""
    return (
        f"{templates} {'template' if templates == 1 else 'templates'} x"
        f" {views} {'view' if views == 1 else 'views'}"
    )


def _part(found: Comparison, size: tuple[int, int]) -> str | None:
    parts = {(part.templates, part.views): part for part in found.parts}
    return ranged(parts[size].balanced) if size in parts else None


def _agreement(run: Measured, where: str) -> Iterator[str]:
    found = run.unanimity
    if found.labels:
        yield (
            f"Votes are unanimous on {percent(found.unanimous.share, 0)} of {found.labels:,}"
            f" labels{where}, of which {ranged(found.right)} are right; of the split ones"
            f" {ranged(found.right_split)}"
        )


def _blind(run: Measured, where: str) -> Iterator[str]:
    entries = [f"{named(value)} ({why_blind(value)})" for value in run.blind]
    measurable = sum(value.measurable for value in run.values)
    if entries:
        title = f"Cannot be seen{where} ({len(entries):,} of {measurable:,} values measured):"
        yield from listed(title, entries, _SHOWN)
    else:
        yield f"All {measurable:,} values measured{where} can be told from chance"
    few = [f"{named(value)} ({value.yes} yes, {value.no} no)" for value in run.not_measurable]
    yield from listed(f"Too little known to measure{where} ({len(few):,}):", few, _SHOWN)


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield rows with their cells in columns; a row without cells is a heading."""
    cells = [row for row in rows if row[1]]
    first = max((len(title) for title, _ in cells), default=0)
    widths = [max(map(len, column)) for column in zip(*(row for _, row in cells), strict=True)]
    for title, row in rows:
        shown = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([f"{title:<{first}}", *shown] if row else [title]).rstrip()
