"""Randomness that stays byte-identical for ever.

Every draw is a SHA-256 of the key and a named purpose, so a result depends neither on the order of
the draws nor on the version of any library.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A source of named draws; the same key and purpose always give the same draw."""

    key: str

    def unit(self, purpose: str) -> float:
        """Return a number in [0, 1)."""
        digest = hashlib.sha256(f"{self.key}:{purpose}".encode()).digest()
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53

    def between(self, purpose: str, low: float, high: float) -> float:
        """Return a number in [low, high)."""
        return low + (high - low) * self.unit(purpose)

    def below(self, purpose: str, count: int) -> int:
        """Return a whole number in [0, count)."""
        return int(self.unit(purpose) * count)

    def pick(self, purpose: str, choices: Sequence[T]) -> T:
        """Return one of the choices, all equally likely; raises IndexError if there are none."""
        return choices[self.below(purpose, len(choices))]

    def noise(self, purpose: str, count: int) -> bytes:
        """Return that many bytes of white noise."""
        return hashlib.shake_256(f"{self.key}:{purpose}".encode()).digest(count)
