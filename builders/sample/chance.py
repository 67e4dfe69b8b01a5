"""Named draws for one garment or picture, in the units that drawing needs."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from benchwright import seeds

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A source of named draws; the same key and purpose always give the same draw."""

    key: str

    def unit(self, purpose: str) -> float:
        """Return a number in [0, 1)."""
        return (seeds.draw(self.key, purpose) >> 11) / 2**53  # exact in a float, never 1

    def between(self, purpose: str, low: float, high: float) -> float:
        """Return a number in [low, high)."""
        return low + (high - low) * self.unit(purpose)

    def below(self, purpose: str, count: int) -> int:
        """Return a whole number in [0, count)."""
        return seeds.below(count, self.key, purpose)

    def pick(self, purpose: str, choices: Sequence[T]) -> T:
        """Return one of the choices, all equally likely; raises IndexError if there are none."""
        return choices[self.below(purpose, len(choices))]

    def noise(self, purpose: str, count: int) -> bytes:
        """Return that many bytes of white noise."""
        return hashlib.shake_256(f"{self.key}:{purpose}".encode()).digest(count)
