"""Rewards of a step: a skip costs, information pays, a guess pays where it had to be right.

AMIGO, section 8: penalties for skipped questions, progress by the reduction of the feasible set or
by information, and terminal rewards for a right guess only where the target is uniquely determined.
"""

from dataclasses import dataclass
from math import log2

_DIGITS = 6  # of what is written: the last bits of a logarithm are not the same everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """What is paid: ``skip`` and ``wrong`` are taken off, ``per_bit`` and ``right`` are added."""

    skip: float = 0.25
    per_bit: float = 1.0
    right: float = 1.0
    wrong: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """The parts of a reward; ``information_gain`` is in bits, before it is weighed."""

    skip: float = 0.0
    information_gain: float = 0.0
    information: float = 0.0
    terminal: float = 0.0

    @property
    def total(self) -> float:
        """The sum of the parts."""
        return rounded(self.skip + self.information + self.terminal)


def reward_of_turn(
    settings: RewardSettings, *, is_skip: bool, pictures: int, before: int, after: int
) -> Reward:
    """Return the reward of a turn that left ``after`` of ``before`` feasible pictures.

    The gain is the log2 of |F| before less that after, an empty F counting as all pictures. It is
    under 0 where an answer takes an earlier one back, or contradicts those before it. Over the
    turns of an episode the gains sum up to what is known at its end, so that no detour pays.
    """
    if is_skip:
        return Reward(skip=0.0 - settings.skip)  # 0.0 - 0.0 has no sign
    gain = _bits_left(pictures, before) - _bits_left(pictures, after)
    return Reward(information_gain=rounded(gain), information=rounded(settings.per_bit * gain))


def reward_of_guess(
    settings: RewardSettings, *, guess: int, target: int, feasible: tuple[int, ...]
) -> Reward:
    """Return the reward of a guess; a right one that could have been another pays nothing."""
    if guess != target:
        return Reward(terminal=0.0 - settings.wrong)
    return Reward(terminal=settings.right if feasible == (target,) else 0.0)


def _bits_left(pictures: int, feasible: int) -> float:
    """Return how many bits are missing until one picture is left, log2 of |F|.

    An empty F says nothing of the target: it counts as all pictures do.
    """
    return log2(feasible or pictures)


def rounded(bits: float) -> float:
    """Return a number as it is written, never as minus zero."""
    return round(bits, _DIGITS) + 0.0
