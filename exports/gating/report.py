"""gate.json: what all checks of a release found, kept in it, and said in lines and on the card."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pydantic
from pydantic import ConfigDict

from benchwright import files
from benchwright.errors import UsageError, WorkspaceError
from benchwright.plain_text import excerpt
from exports.gating.check import Check
from labeling.audits.reporting.markdown import escaped

GATE = "gate.json"
_LONGEST = 600  # characters of a remark on the card
_RULE = (
    "A guess fails where its whole interval (95 %) lies over the limit and passes where it lies"
    " within; between the two there are too few samples to tell. `label-error` fails where its"
    " interval does not lie within, anything else by its figure."
)
_HEAD = ("check", "of", "what is measured", "found", "limit", "outcome")


class GateReport(pydantic.BaseModel):
    """What the gate found; ``checks`` are in a fixed order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    checks: tuple[Check, ...]

    @property
    def failing(self) -> tuple[Check, ...]:
        """The checks that fail and that nobody waived."""
        return tuple(check for check in self.checks if check.outcome == "fails")

    def lines(self) -> list[str]:
        """Return what was found, for people: a line for each check, and what to do below it."""
        return [line for check in self.checks for line in _lines(check)]

    def refusal(self) -> str:
        """Return in one line which checks fail, with their rows."""
        said = "; ".join(f"{one.name} of {one.of} ({_why(one)})" for one in self.failing)
        return f"{said}; mend that, or build the next version with --waive CHECK --reason TEXT"

    def markdown(self) -> str:
        """Return a table for the card, with the reasons of what was waived below it."""
        rows = [_HEAD, ("---",) * len(_HEAD), *(_cells(check) for check in self.checks)]
        table = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([*table, "", _RULE, *_remarks(self.checks)])


def write_gate(folder: Path, report: GateReport) -> None:
    """Write gate.json into a release; the same findings give the same bytes."""
    files.write_json(folder / GATE, report.model_dump(mode="json"))


def read_gate(folder: Path) -> GateReport:
    """Return what the gate of a release found.

    Raises UsageError where there is no gate.json, WorkspaceError for one that cannot be read.
    """
    path = folder / GATE
    try:
        return GateReport.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise UsageError(
            f"{path}: is not there, so that nothing says what the gate found; name a release that"
            " was built, or build it"
        ) from error
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        what = excerpt(f"{'.'.join(map(str, first['loc']))} {first['msg']}")
        raise WorkspaceError(
            f"{path}: is no gate.json that this version reads ({what}); build the release again"
        ) from error


def figure_text(check: Check) -> str:
    """Return a figure with its interval, chance and number."""
    if check.figure is None:
        return "not measured"
    if check.unit == "count":
        return f"{check.figure:,.0f} of {check.n:,}"
    if check.unit == "p":
        return f"p {check.figure:.4g}, n {check.n:,}"
    said = _percent(check.figure)
    if check.low is not None and check.high is not None:
        said = f"{said} ({_percent(check.low)} to {_percent(check.high)})"
    if check.chance is not None:
        said = f"{said}, by chance {_percent(check.chance)}"
    return f"{said}, n {check.n:,}"


def limit_text(check: Check) -> str:
    """Return the limit; empty where there is none."""
    if check.limit is None:
        return ""
    number = {
        "share": _percent(check.limit),
        "p": f"{check.limit:g}",
        "count": f"{check.limit:.0f}",
    }[check.unit]
    return f"{check.wanted} {number}"


def _lines(check: Check) -> Iterator[str]:
    mark = {
        "passes": "passes",
        "fails": "FAILS",
        "waived": "waived",
        "too few to tell": "too few",
        "information": "for info",
    }
    limit = f" ({limit_text(check)})" if check.limit is not None else ""
    yield (
        f"{mark[check.outcome]:>8}  {check.name}, {check.of}: {check.what}:"
        f" {figure_text(check)}{limit}"
    )
    yield from (f"{'':10}{line}" for line in (check.note, check.detail) if line)
    if check.outcome == "waived":
        yield f"{'':10}waived: {excerpt(check.waived or '')}"
    if check.outcome == "fails":
        yield from (f"{'':10}{line}" for line in (_rows(check), check.advice) if line)


def _why(check: Check) -> str:
    said = f"{figure_text(check)}, wanted {limit_text(check)}"
    parts = ("" if check.figure is None else said, _rows(check, 3), check.advice)
    return "; ".join(part for part in parts if part)


def _rows(check: Check, most: int | None = None) -> str:
    shown = check.rows[:most]
    if not shown:
        return ""
    more = check.found - len(shown)
    return f"rows: {', '.join(map(excerpt, shown))}{f' and {more:,} more' if more > 0 else ''}"


def _cells(check: Check) -> tuple[str, ...]:
    return (
        f"`{check.name}`",
        *(escaped(text) for text in (check.of, check.what, figure_text(check), limit_text(check))),
        f"**{check.outcome}**" if check.outcome in ("fails", "waived") else check.outcome,
    )


def _remarks(checks: tuple[Check, ...]) -> Iterator[str]:
    yield ""
    for check in checks:
        said = [escaped(excerpt(check.note, _LONGEST))] if check.note else []
        if check.outcome == "waived":
            said.append(f"**waived**: {escaped(excerpt(check.waived or '', _LONGEST))}")
        if said:
            yield f"- `{check.name}`, {escaped(check.of)}: {'; '.join(said)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
