"""Seeded shares: the same ids always give the same number."""

from benchwright import seeds


def share(seed: int, purpose: str, *ids: str) -> float:
    """Return a uniform number, 0 to 1 (excluded), for this seed, purpose and ids."""
    return seeds.draw(seed, f"stand-in {purpose}", *ids) / 2**64
