"""One question against the ensemble: what more wordings and more views gain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchwright.statistics.bootstrap import Interval
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import Bytes, Longs, Mask
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.weights import Question, equal_weights
from labeling.attributes.measuring.bootstrap import Resampled, mean_over
from labeling.attributes.measuring.cells import Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """One question asked of all, the labels by majority of it alone; the mean over values."""

    question: Question
    balanced: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What the first voter's questions of so many templates and views make of the labels."""

    templates: int
    views: int
    balanced: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The ensemble against single questions, over ``values`` values of ``pictures`` pictures.

    ``one`` is template 1 of the first voter on the most detailed view. ``parts`` are its own
    questions in four sizes, ``ensemble`` those of all voters by their weights. All are decided by
    the same rule, a majority in which an exclusive type has one yes at most and p_yes decides
    between equal scores, so that a gain is that of more votes and not of the rule. ``labels`` are
    what was decided in the end. The gains are those of the ensemble, differences of means over
    values with intervals from the same draws of pictures.
    """

    pictures: int
    values: int
    one: Question
    alone: tuple[Alone, ...]
    parts: tuple[Part, ...]
    mean_alone: Interval
    ensemble: Interval
    labels: Interval
    gain_over_one: Interval
    gain_over_mean: Interval


def most_detailed(views: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the view that shows most pixels along a side: no bound, or tiles · long_side.

    At a tie it is the last by name.
    """

    def detail(name: str) -> tuple[float, str]:
        side = views[name].get("long_side")
        return (np.inf if side is None else side) * (views[name].get("tiles") or 1), name

    return max(views, key=detail)


def compare(
    ballots: Ballots,
    cells: Cells,
    chosen: Mask,
    labels: Bytes,
    one: Question,
    weights: Longs,
    rule: Rule,
    seed: int,
) -> Comparison | None:
    """Compare on ``cells``, those of the ballots that are ``chosen``: all questions were asked.

    ``labels`` are those of the cells, ``weights`` (values, questions) those of the ensemble. Null
    where no value is measurable.
    """
    values = cells.measurable()
    if not values.any():
        return None
    resampled = Resampled(cells, seed)

    def measured(answers: Bytes) -> tuple[float, Any]:
        draws = mean_over(resampled.balanced(answers), values)
        return float(mean_over(cells.balanced(answers), values)), draws

    def of(some: Sequence[Question]) -> tuple[float, Any]:
        equal = equal_weights(some, len(ballots.values))
        return measured(_decided(ballots, some, equal, rule)[chosen])

    singles = [of([question]) for question in ballots.questions]
    first = singles[ballots.questions.index(one)]
    mean = float(np.mean([share for share, _ in singles]))
    mean_draws = np.mean([draws for _, draws in singles], axis=0)
    ensemble, ensemble_draws = measured(_decided(ballots, ballots.questions, weights, rule)[chosen])
    parts = [Part(templates=1, views=1, balanced=Interval.of(*first))]
    parts += [
        Part(
            templates=len({each.template for each in some}),
            views=len({each.view for each in some}),
            balanced=Interval.of(*of(some)),
        )
        for some in _parts(ballots.questions, one)
    ]
    return Comparison(
        pictures=len(np.unique(cells.pictures)),
        values=int(values.sum()),
        one=one,
        alone=tuple(
            Alone(question=question, balanced=Interval.of(*single))
            for question, single in zip(ballots.questions, singles, strict=True)
        ),
        parts=tuple(parts),
        mean_alone=Interval.of(mean, mean_draws),
        ensemble=Interval.of(ensemble, ensemble_draws),
        labels=Interval.of(*measured(labels)),
        gain_over_one=Interval.of(ensemble - first[0], ensemble_draws - first[1]),
        gain_over_mean=Interval.of(ensemble - mean, ensemble_draws - mean_draws),
    )


def _parts(questions: Sequence[Question], one: Question) -> list[list[Question]]:
    """Return the voter's questions on its view, in its wording, and all; none twice."""
    own = [each for each in questions if each.voter == one.voter]
    parts = [
        [each for each in own if each.view == one.view],
        [each for each in own if each.template == one.template],
        own,
    ]
    return [part for at, part in enumerate(parts) if len(part) > 1 and part not in parts[:at]]


def _decided(ballots: Ballots, some: Sequence[Question], weights: Longs, rule: Rule) -> Bytes:
    """Return the labels of all cells by majority of some questions, as if no other was asked."""
    rows = [ballots.questions.index(question) for question in some]
    part = replace(
        ballots,
        questions=tuple(some),
        answers=ballots.answers[rows],
        p_yes=None if ballots.p_yes is None else ballots.p_yes[rows],
        failed=None,
    )
    return majority(part, weights, rule).answer
