"""Whole-number weights of questions, from those of the voters (definition 8)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchwright.errors import UsageError
from labeling.attributes.deciding.codes import Longs

MOST_WEIGHT = 2**31  # of all questions together: products of two weights then fit into 64 bits


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Question:
    """One planned question: who is asked, in which wording, over which view of the picture."""

    voter: str
    template: str
    view: str


def voters_of(questions: Sequence[Question]) -> tuple[str, ...]:
    """Return the voters' names, sorted."""
    return tuple(sorted({question.voter for question in questions}))


def share_weights(questions: Sequence[Question], by_value: Sequence[Mapping[str, int]]) -> Longs:
    """Return whole-number weights of shape (values, questions).

    ``by_value`` holds for each value the weight of each voter: 0 or more, not all 0. A voter's
    weight is shared equally by its questions; all are multiplied by the least common multiple of
    the voters' numbers of questions, and divided by what they all have in common. Raises
    UsageError when a weight is none, and when all together pass 2**31.
    """
    voters = voters_of(questions)
    asked = {name: sum(question.voter == name for question in questions) for name in voters}
    multiple = math.lcm(*asked.values())
    rows: dict[tuple[int, ...], list[int]] = {}
    for weights in by_value:
        own = tuple(_weight_of(name, weights) for name in voters)
        if own not in rows:
            each = {
                name: weight * multiple // asked[name]
                for name, weight in zip(voters, own, strict=True)
            }
            rows[own] = [each[question.voter] for question in questions]
            _check_total(rows[own], weights)
    common = math.gcd(*(weight for row in rows.values() for weight in row)) or 1
    made = [rows[tuple(weights[name] for name in voters)] for weights in by_value]
    table = np.array(made, np.int64).reshape(len(by_value), len(questions))
    return table // common


def equal_weights(questions: Sequence[Question], values: int) -> Longs:
    """Return the weights of an unweighted vote: every voter counts 1 for each of the values."""
    return share_weights(questions, [dict.fromkeys(voters_of(questions), 1)] * values)


def _weight_of(name: str, weights: Mapping[str, int]) -> int:
    weight = weights.get(name)
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0:
        raise UsageError(
            f"the weight of voter {name!r} must be a whole number, 0 or more; got {weight!r}"
        )
    return weight


def _check_total(row: Sequence[int], weights: Mapping[str, int]) -> None:
    if not 0 < sum(row) < MOST_WEIGHT:
        raise UsageError(
            f"the weights {dict(weights)} make {sum(row)} together once they are shared by the"
            f" voters' questions; wanted is more than 0 and less than {MOST_WEIGHT}: give smaller"
            " whole numbers in the same proportion, at least one of them not 0"
        )
