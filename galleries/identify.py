"""Whether an episode has a solution, before anyone plays it."""

from collections.abc import Iterator, Sequence
from itertools import count, groupby

import numpy as np

from benchwright.feasible import Board

_MOST_BRANCHES = 2_000  # about a second; most boards need fewer than twenty


def identifiable(board: Board) -> bool:
    """Return whether each distractor differs from the target in some askable value.

    Both answers must be known; what is unknown of a picture never tells it apart.
    """
    told = np.delete(board.telling().any(axis=1), board.target)
    return bool(told.all())


def identifiable_protocol(board: Board) -> bool:
    """Return whether at most one value of each type tells the target from all distractors.

    The protocol forbids going through the values of a type one by one (AMIGO, section 3.1). The
    search over types is exact: bit i of a mask is picture i. It is a set cover, so the worst
    cases are left to an integer program.
    """
    telling = board.telling()
    masks = [
        sum(1 << int(row) for row in telling[:, column].nonzero()[0])
        for column in range(len(board.values))
    ]
    by_type = groupby(range(len(masks)), key=lambda column: board.values[column].type)
    options = [_undominated({masks[column] for column in columns}) for _, columns in by_type]
    distractors = ((1 << len(board.answers)) - 1) & ~(1 << board.target)
    choices = tuple(filter(None, options))
    try:
        return _covers(distractors, choices, count())
    except _TooManyError:
        return _covers_by_program(distractors, choices)


def _undominated(masks: set[int]) -> tuple[int, ...]:
    """Drop what a larger mask contains; one choice a type never needs it."""
    return tuple(
        sorted(
            (
                mask
                for mask in masks
                if mask and not any(mask != other and mask & ~other == 0 for other in masks)
            ),
            key=lambda mask: (-mask.bit_count(), mask),
        )
    )


class _TooManyError(Exception):
    """The search has branched too often."""


def _covers(left: int, options: Sequence[tuple[int, ...]], branches: Iterator[int]) -> bool:
    """Return whether one mask from each of some options covers all bits that are left.

    It branches on the picture that the fewest masks tell apart, so that a picture that none does
    ends the branch at once; so does what even the largest masks together cannot cover.

    Raises _TooManyError past ``_MOST_BRANCHES``.
    """
    if not left:
        return True
    if next(branches) > _MOST_BRANCHES:
        raise _TooManyError
    options = [_undominated({mask & left for mask in masks}) for masks in options]
    if sum(masks[0].bit_count() for masks in options if masks) < left.bit_count():
        return False
    rarest = min(_bits(left), key=lambda bit: sum(bool(m & bit) for ms in options for m in ms))
    ways = [(at, mask) for at, masks in enumerate(options) for mask in masks if mask & rarest]
    return any(
        _covers(left & ~mask, (*options[:at], *options[at + 1 :]), branches)
        for at, mask in sorted(ways, key=lambda way: -way[1].bit_count())
    )


def _covers_by_program(left: int, options: Sequence[tuple[int, ...]]) -> bool:
    """Return the same by an integer program: one variable for each mask, 0 or 1."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415  # rarely needed

    masks = [(at, mask) for at, choices in enumerate(options) for mask in choices]
    covers = np.array([[bool(mask & bit) for _, mask in masks] for bit in _bits(left)], float)
    chosen = np.array([[at == kind for at, _ in masks] for kind in range(len(options))], float)
    solution = milp(
        np.zeros(len(masks)),
        integrality=np.ones(len(masks), np.int64),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(covers, lb=1), LinearConstraint(chosen, ub=1)],
    )
    if solution.status not in (0, 2):  # neither solved nor shown to have no solution
        raise ArithmeticError(f"the integer program ended undecided: {solution.message}")
    return bool(solution.status == 0)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found
