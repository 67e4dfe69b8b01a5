"""Seeded choices that depend on ids alone, so that no order and no library version leaks in.

``numpy.random`` does not promise the same stream in every version, and a choice made by position
would change with the order of the rows. Here every choice is a hash of the seed, the purpose and
the ids that it concerns.
"""

import hashlib
from typing import TypeVar

T = TypeVar("T", bound=str)


def draw(seed: int | str, purpose: str, *ids: str) -> int:
    """Return 64 uniform bits, 0 to 2**64 - 1, for this seed, purpose and ids."""
    text = "\0".join((str(seed), purpose, *ids))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def below(limit: int, seed: int | str, purpose: str, *ids: str) -> int:
    """Return a uniform whole number, 0 to ``limit`` - 1 (the bias is under limit / 2**64)."""
    return draw(seed, purpose, *ids) * limit >> 64


def shuffled(values: list[T], seed: int | str, purpose: str, *ids: str) -> list[T]:
    """Return the distinct values in a uniform order that does not depend on the order given."""
    return sorted(values, key=lambda value: (draw(seed, purpose, *ids, value), value))
