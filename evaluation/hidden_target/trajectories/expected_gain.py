"""What a question can be expected to tell, by the labels and by nothing of the target."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from benchwright.knowledge import NO, YES
from benchwright.records import Asked, Turn
from benchwright.reference_questioner import next_question
from evaluation.hidden_target.by_labels import answers_by_labels
from evaluation.hidden_target.feasible import is_answered
from evaluation.releases.galleries import Gallery


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """What could be asked in a state, gains in bits.

    ``asked`` is what the reference questioner would ask, null where it has nothing to ask, and
    ``reference_gain`` what that can be expected to tell. ``most`` is the gain of the question that
    is expected to tell the most, 0 where none tells anything. That is another one at times: the
    reference questioner minimises the expected size of F (definition 6), not of its logarithm.
    """

    asked: Asked | None
    reference_gain: float | None
    most: float


def expected_gain(gallery: Gallery, feasible: Sequence[int], asked: Sequence[Asked]) -> float:
    """Return the expected information gain of a question in bits, while F is not empty.

    Each picture of F is as likely as another. Of each the labels say what the answer would be and
    which pictures it would leave (definition 7).
    """
    known = answers_by_labels(gallery, asked)[_places(feasible)]
    return _gain(int((known == YES).sum()), int((known == NO).sum()), len(known))


def best_question(gallery: Gallery, feasible: Sequence[int], types: Sequence[str]) -> Best:
    """Return what could be asked, each type once, after questions about ``types``.

    F must not be empty.
    """
    board = gallery.board
    left = np.array([value.type not in types for value in board.values], bool)
    is_feasible = np.zeros(len(board.answers), bool)
    is_feasible[_places(feasible)] = True
    now = board.answers[is_feasible][:, left]
    splits = zip((now == YES).sum(axis=0).tolist(), (now == NO).sum(axis=0).tolist(), strict=True)
    most = max((_gain(yes, no, len(now)) for yes, no in set(splits)), default=0.0)
    column = next_question(board, is_feasible, left)
    if column is None:
        return Best(asked=None, reference_gain=None, most=most)
    value = board.values[column]
    asked = Asked(type=value.type, value=value.value, is_negated=False)
    return Best(asked=asked, reference_gain=expected_gain(gallery, feasible, [asked]), most=most)


def types_asked(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the types of which a question was answered, in the order in which they first were."""
    answered = (turn for turn in turns if is_answered(turn))
    return tuple(dict.fromkeys(one.type for turn in answered for one in turn.asked))


def _gain(yes: int, no: int, pictures: int) -> float:
    """Return log2 |F| less its expected value after the answer; unsure leaves all of F."""
    after_yes, after_no = pictures - no, pictures - yes
    told = yes * log2(pictures / after_yes) if yes else 0.0
    told += no * log2(pictures / after_no) if no else 0.0
    return told / pictures


def _places(numbers: Sequence[int]) -> list[int]:
    return [number - 1 for number in numbers]
