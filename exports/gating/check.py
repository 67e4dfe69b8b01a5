"""What one check of the gate found."""

from collections.abc import Sequence
from typing import Literal, Self

import pydantic
from pydantic import ConfigDict

from benchwright.statistics.intervals import Estimate
from exports.gating.limits import ROWS_SHOWN

Unit = Literal["share", "p", "count"]
Outcome = Literal["passes", "fails", "waived", "too few to tell", "information"]
_DIGITS = 4  # the last bits of a float differ from machine to machine

CHECKS = (
    "attribute-frequency",
    "candidate-set-guess",
    "duplicates",
    "false-premise-text",
    "label-effect",
    "label-error",
    "leaks",
    "licences",
    "membership",
    "nearest-picture",
    "option-place",
    "position",
    "published",
    "question-chain-text",
    "splits",
)


class Check(pydantic.BaseModel):
    """One figure against its limit; without a limit it is for information and passes.

    ``of`` is the config, or what of the release, ``what`` the figure: a share with its interval of
    95 %, a p-value or a count, null where there is nothing to measure by. ``n`` is how many it is
    made of. ``rows`` are ids of the worst, some of the ``found`` ones. ``note`` goes on the card,
    ``detail`` does not. ``advice`` says what to do where it fails, ``waived`` why a failure is let
    pass. With ``too_few`` samples nothing fails, and nothing is shown to be under the limit.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    of: str
    what: str
    unit: Unit = "share"
    figure: float | None
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    limit: float | None = None
    wanted: Literal["at most", "at least"] = "at most"
    n: int
    passed: bool = True
    too_few: bool = False
    rows: tuple[str, ...] = ()
    found: int = 0
    detail: str = ""
    note: str = ""
    advice: str = ""
    waived: str | None = None

    @property
    def outcome(self) -> Outcome:
        """What the check comes to."""
        if self.limit is None:
            return "information"
        if self.passed:
            return "too few to tell" if self.too_few else "passes"
        return "fails" if self.waived is None else "waived"

    def saying(self, *, detail: str = "", note: str = "") -> Self:
        """Return the check with more to read; what is not given stays as it is."""
        said = {"detail": detail or self.detail, "note": note or self.note}
        return self.model_copy(update=said)

    def advised(self, advice: str) -> Self:
        """Return the check with what to do where it fails."""
        return self if self.passed else self.model_copy(update={"advice": advice})


def guess_check(
    name: str,
    of: str,
    what: str,
    found: Estimate,
    *,
    n: int,
    chance: float | None = None,
    limit: float | None = None,
    rows: Sequence[str] = (),
) -> Check:
    """Return the check of a guess that should be right by chance alone.

    Without a limit the figure is for information. It fails where the whole interval lies over the
    limit, and passes where it lies within; where the limit lies between its ends, too few samples
    were there to tell. ``rows`` are kept where it fails alone.
    """
    passed = limit is None or not found.low > limit
    return Check(
        name=name,
        of=of,
        what=what,
        figure=rounded(found.share),
        low=rounded(found.low),
        high=rounded(found.high),
        chance=None if chance is None else rounded(chance),
        limit=None if limit is None else rounded(limit),
        n=n,
        passed=passed,
        too_few=limit is not None and found.low <= limit < found.high,
        rows=() if passed else tuple(sorted(rows)[:ROWS_SHOWN]),
        found=0 if passed else len(rows),
    )


def count_check(name: str, of: str, what: str, rows: Sequence[str], *, n: int) -> Check:
    """Return the check of what may not be there at all; ``rows`` are the ids where it is."""
    return Check(
        name=name,
        of=of,
        what=what,
        unit="count",
        figure=len(rows),
        limit=0,
        n=n,
        passed=not rows,
        rows=tuple(sorted(rows)[:ROWS_SHOWN]),
        found=len(rows),
    )


def rounded(figure: float) -> float:
    """Return a figure as it is kept."""
    return round(float(figure), _DIGITS)
