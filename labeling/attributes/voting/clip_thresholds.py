"""From which margin on a clip voter says yes: fitted to known labels, by value and question.

A margin is the cosine of a picture with a caption that has the value less that with one that has
not. Where it lies depends on the wording and the view, so each question of a value has its own
cut: where a logistic curve, fitted with yes and no weighing the same, passes one half. Values
differ in how common they are; a cut that is best for the most frequent answer would never say yes
to a rare one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pydantic

from benchwright import files
from benchwright.errors import UsageError
from benchwright.statistics.intervals import Estimate, effective_size, estimate
from benchwright.yaml_files import read_json_settings
from labeling.attributes.calibrating.balanced_accuracy import LEAST, balanced
from labeling.attributes.deciding.calibration import Known
from labeling.attributes.deciding.codes import YES, Ints, Mask, Reals

# two-sided: a value at chance passes once in 200
CONFIDENCE = 0.99
_RIDGE = 1.0  # keeps the slope finite where margins separate yes from no
_STEPS = 50
_REMEDY = "label-attributes calibrate --clip makes the cuts anew; else move the file away"

Place = tuple[str, str, str, str]  # type, value, template, view


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """The margins of n cells for q questions.

    ``values`` are (type, value), ``columns`` (n,) the number of each cell's value among them;
    ``questions`` are (template, view), ``margins`` (q, n) with NaN where none was measured.
    """

    values: tuple[tuple[str, str], ...]
    columns: Ints
    questions: tuple[tuple[str, str], ...]
    margins: Reals


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What is known of one question about one value.

    It says yes from the margin ``cut`` on; the chance of yes at a margin is the logistic function
    of slope · (margin − cut) + log_odds, the last being those of yes among the known labels.
    ``balanced`` is the mean of sensitivity and specificity with its interval. ``is_chance``: it
    cannot be told from guessing, so the voter abstains; the cut is null where it was not fitted.
    """

    cut: float | None
    slope: float
    log_odds: float
    sensitivity: Estimate
    specificity: Estimate
    balanced: Estimate
    is_chance: bool

    def p_yes(self, margin: float) -> float | None:
        """Return the chance of yes at a margin, to four digits; null where nothing was fitted."""
        if self.cut is None:
            return None
        exponent = self.slope * (margin - self.cut) + self.log_odds
        return round(float(0.5 * (1 + np.tanh(exponent / 2))), 4)


Thresholds = Mapping[Place, Cut]


def calibrate_clip(margins: Margins, known: Known) -> Thresholds:
    """Return the cut of each question for each value of which any label is known.

    Labels count by their weights; sizes are effective ones. A question is at chance when it has
    fewer than 8 known labels of either answer, when its margin falls where yes grows likelier,
    or when the lower bound of its balanced accuracy (Wilson's intervals of the two rates at 99 %,
    joined by their squares) is no better than one half.
    """
    found: dict[Place, Cut] = {}
    for at, (kind, value) in enumerate(margins.values):
        cells = known.usable & (margins.columns == at)
        for row, (template, view) in zip(margins.margins, margins.questions, strict=True):
            own: Mask = cells & np.isfinite(row)
            if own.any():
                yes = known.truth[own] == YES
                found[kind, value, template, view] = _cut(row[own], yes, known.weights[own])
    return found


def _cut(margins: Reals, yes: Mask, weights: Reals) -> Cut:
    size_yes, size_no = _size(weights[yes]), _size(weights[~yes])
    slope, cut, log_odds = 0.0, None, 0.0
    if min(size_yes, size_no) >= LEAST:
        log_odds = float(np.log(weights[yes].sum() / weights[~yes].sum()))
        slope, cut = _fitted(margins, yes, weights)
    said = np.zeros(len(margins), bool) if cut is None else margins >= cut
    sensitivity = _rate(said[yes], weights[yes])
    specificity = _rate(~said[~yes], weights[~yes])
    mean = balanced(sensitivity, specificity)
    return Cut(
        cut=cut,
        slope=slope,
        log_odds=log_odds,
        sensitivity=sensitivity,
        specificity=specificity,
        balanced=mean,
        is_chance=cut is None or not mean.low > 0.5,
    )


def _size(weights: Reals) -> float:
    return float(effective_size(weights.sum(), (weights * weights).sum()))


def _rate(right: Mask, weights: Reals) -> Estimate:
    total = float(weights.sum())
    share = float((weights * right).sum()) / total if total else 0.0
    return estimate(share, _size(weights), CONFIDENCE)


def _fitted(margins: Reals, yes: Mask, weights: Reals) -> tuple[float, float | None]:
    """Return slope and cut of the logistic curve, the cut null where the slope is not positive."""
    alike = np.where(yes, weights / weights[yes].sum(), weights / weights[~yes].sum())
    alike = alike / 2 * _size(weights)
    spread = float(margins.std())
    if spread <= 1e-9:  # all captions said the same
        return 0.0, None
    centre = float(margins.mean())
    x = np.stack([(margins - centre) / spread, np.ones_like(margins)])
    slope, offset = _newton(x, yes, alike)
    if slope <= 1e-6:
        return 0.0, None
    return slope / spread, round(centre - offset / slope * spread, 6)


def _newton(x: Reals, yes: Mask, weights: Reals) -> tuple[float, float]:
    """Return the two coefficients of a logistic regression with a ridge on the first."""
    theta = np.zeros(2)
    ridge = np.array([_RIDGE, 1e-9])
    for _ in range(_STEPS):
        p = 0.5 * (1 + np.tanh(theta @ x / 2))
        slope = x @ (weights * (yes - p)) - ridge * theta
        bend = (x * (weights * p * (1 - p))) @ x.T + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        step *= min(1.0, 2.0 / float(np.abs(step).max(initial=1e-12)))  # far steps overshoot
        theta += step
        if np.abs(step).max() < 1e-10:
            break
    return float(theta[0]), float(theta[1])


_Share = Annotated[float, pydantic.Field(ge=0, le=1)]


class _Rate(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    share: _Share | None
    low: _Share
    high: _Share
    size: Annotated[pydantic.FiniteFloat, pydantic.Field(ge=0)]


class _Row(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    type: str
    value: str
    template: str
    view: str
    cut: pydantic.FiniteFloat | None
    slope: pydantic.FiniteFloat
    log_odds: pydantic.FiniteFloat
    sensitivity: _Rate
    specificity: _Rate
    balanced: _Rate
    is_chance: bool


class _File(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    version: Literal[1]
    basis: str
    cuts: list[_Row]


def save_thresholds(path: Path, thresholds: Thresholds, basis: str) -> None:
    """Write thresholds as JSON; ``basis`` is the digest of all that they hold for."""
    rows = [
        dict(zip(("type", "value", "template", "view"), place, strict=True))
        | {
            "cut": cut.cut,
            "slope": round(cut.slope, 6),
            "log_odds": round(cut.log_odds, 6),
            "sensitivity": _written(cut.sensitivity),
            "specificity": _written(cut.specificity),
            "balanced": _written(cut.balanced),
            "is_chance": cut.is_chance,
        }
        for place, cut in sorted(thresholds.items())
    ]
    files.write_json(path, {"version": 1, "basis": basis, "cuts": rows})


def load_thresholds(path: Path, basis: str) -> Thresholds:
    """Return the thresholds of a file; raise UsageError when it is none or of another basis."""
    said = read_json_settings(path, _File, _REMEDY)
    if said.basis != basis:
        raise UsageError(
            f"{path}: was calibrated for another model, other captions or other views; {_REMEDY}"
        )
    return {
        (row.type, row.value, row.template, row.view): Cut(
            cut=row.cut,
            slope=row.slope,
            log_odds=row.log_odds,
            sensitivity=_read(row.sensitivity),
            specificity=_read(row.specificity),
            balanced=_read(row.balanced),
            is_chance=row.is_chance or row.cut is None,
        )
        for row in said.cuts
    }


def _written(rate: Estimate) -> dict[str, Any]:
    shown = {name: round(getattr(rate, name), 6) for name in ("low", "high", "size")}
    return shown | {"share": round(rate.share, 6) if np.isfinite(rate.share) else None}


def _read(rate: _Rate) -> Estimate:
    share = float("nan") if rate.share is None else rate.share
    return Estimate(share=share, low=rate.low, high=rate.high, size=rate.size)
