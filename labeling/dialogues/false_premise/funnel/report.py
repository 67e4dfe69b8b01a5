"""The funnel as lines of text, and what comes next."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple

from benchwright.next_step import judging_text, workspace_text
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.funnel.counting import Funnel, Reached

_MOST_REASONS = 5
_STEPS = ("planned", "described", "falsified", "passed", "people first", "approved")
_JUDGED_LATER = ("not judged yet", "undecided")  # why drafts are withheld that somebody looks at


def funnel_lines(funnel: Funnel, *, all_cells: bool = True) -> Iterator[str]:
    """Yield a line for all, for each variant and each cell, then what each step lost and why.

    Without ``all_cells`` only those of the cells that machines lost some dialogue of, and how many
    others there are.
    """
    shown = [cell for cell in funnel.cells if all_cells or _lost_some(cell.reached)]
    rows: list[tuple[str, ...]] = [("", "wanted", *_STEPS)]
    wanted = sum(cell.wanted for cell in funnel.cells)
    rows.append(("all", f"{wanted:,}", *_counts(funnel.all)))
    rows += [(f"  variant {one.variant}", "", *_counts(one.reached)) for one in funnel.variants]
    rows += [
        (
            f"{cell.complexity}, {cell.category}, {cell.premise_class}",
            f"{cell.wanted:,}",
            *_counts(cell.reached),
        )
        for cell in shown
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (text.rjust(width) for text, width in zip(others, widths[1:], strict=True))
        yield "  ".join((first.ljust(widths[0]), *cells))
    if len(shown) < len(funnel.cells):
        empty = sum(cell.reached.planned == 0 for cell in funnel.cells)
        whole = len(funnel.cells) - len(shown) - empty
        yield (
            f"cells not shown: {whole:,} that lost nothing, {empty:,} without a dialogue"
            " (funnel, or --cells, shows them)"
        )
    for step, reasons in funnel.lost.items():
        if reasons:
            yield f"lost, not {step}: {_said(reasons)}"


def next_line(funnel: Funnel, workspace: Workspace) -> str:
    """Return what to do next: a command, or that nothing waits."""
    reached, where = funnel.all, workspace_text(workspace)
    steps = {
        "describe": reached.described,
        "falsify": reached.falsified,
        "check": reached.passed,
    }
    for command, count in steps.items():
        if count is None:
            return f"next: build-dialogues false-premise {command} --voters FILE{where}"
    waiting = funnel.lost.get("approved", {})
    if reached.approved is None or any(reason in waiting for reason in _JUDGED_LATER):
        return f"next: {judging_text('false-premise', workspace)}{where}"
    return "nothing waits: people judged every draft"


def _lost_some(reached: Reached) -> bool:
    """Tell whether some planned dialogue of a cell is no draft, of the steps that were done."""
    drafted = None if reached.passed is None else reached.passed + (reached.people_first or 0)
    steps = (reached.described, reached.falsified, drafted)
    return any(count is not None and count < reached.planned for count in steps)


def _counts(reached: Reached) -> Iterator[str]:
    return ("-" if count is None else f"{count:,}" for count in astuple(reached))


def _said(reasons: Mapping[str, int]) -> str:
    named = [f"{reason} ({count:,})" for reason, count in list(reasons.items())[:_MOST_REASONS]]
    rest = sum(list(reasons.values())[_MOST_REASONS:])
    return ", ".join(named + ([f"other reasons ({rest:,})"] if rest else []))
