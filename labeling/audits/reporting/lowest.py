"""Where errors gather: types, values, templates, views and voters with the lowest accuracy.

They stand by the upper bound of their interval, the lowest first. A part of which little was
judged has a wide interval and a high upper bound, so that few labels put nothing in front.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from benchwright.statistics.intervals import Estimate, weighted_share
from labeling.attributes.deciding.codes import SAID_NO, SAID_YES, YES
from labeling.audits.accuracy import Accuracy
from labeling.audits.reporting.ballots_at import JudgedBallots
from labeling.audits.reporting.truth import Truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How often one part of the labels, or of the answers of voters, is right.

    ``name`` is one text, or type and value. ``judged`` counts labels or answers, ``wrong`` those
    of them that are not what auditors hold.
    """

    name: tuple[str, ...]
    right: Estimate
    judged: int
    wrong: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowest:
    """The parts of each kind, the lowest upper bound first; without votes the last three are empty.

    Those of which nothing was judged are left out.
    """

    types: tuple[Part, ...]
    values: tuple[Part, ...]
    templates: tuple[Part, ...] = ()
    views: tuple[Part, ...] = ()
    voters: tuple[Part, ...] = ()


def lowest(
    accuracy: Accuracy, truth: Truth, votes: JudgedBallots | None, confidence: float
) -> Lowest:
    """Return the parts of the labels, and of the votes where they are known."""
    return Lowest(
        types=_ranked(_types(accuracy)),
        values=_ranked(_values(truth, confidence)),
        templates=_ranked(_questions(votes, "template", confidence)),
        views=_ranked(_questions(votes, "view", confidence)),
        voters=_ranked(_questions(votes, "voter", confidence)),
    )


def _ranked(parts: Sequence[Part]) -> tuple[Part, ...]:
    known = [part for part in parts if not isnan(part.right.share)]
    return tuple(sorted(known, key=lambda part: (part.right.high, part.right.share, part.name)))


def _types(accuracy: Accuracy) -> list[Part]:
    return [
        Part(name=(name,), right=share.estimate, judged=share.told, wrong=share.told - share.right)
        for name, share in accuracy.by_type.items()
        if share.estimate is not None
    ]


def _values(truth: Truth, confidence: float) -> list[Part]:
    rows: dict[tuple[str, str], list[int]] = {}
    for at, item in enumerate(truth.items):
        rows.setdefault((item.type, item.value), []).append(at)
    parts = []
    for name, own in rows.items():
        some = truth.take(own)
        parts.append(
            Part(
                name=name,
                right=weighted_share(some.right, some.weights, some.pictures, confidence),
                judged=len(some),
                wrong=int((~some.right).sum()),
            )
        )
    return parts


def _questions(votes: JudgedBallots | None, part: str, confidence: float) -> list[Part]:
    """Return templates, views or voters by their single answers of yes and no."""
    if votes is None:
        return []
    parts = []
    truth = votes.truth
    for name in sorted({getattr(question, part) for question in votes.questions}):
        rows = votes.rows(part, name)
        answers = votes.answers[rows]
        said = votes.fair[rows] & ((answers == SAID_YES) | (answers == SAID_NO))
        right = ((answers == SAID_YES) == (truth.truth == YES))[said]
        weights, pictures = (
            np.broadcast_to(each, answers.shape)[said] for each in (truth.weights, truth.pictures)
        )
        parts.append(
            Part(
                name=(name,),
                right=weighted_share(right, weights, pictures, confidence),
                judged=len(right),
                wrong=int((~right).sum()),
            )
        )
    return parts
