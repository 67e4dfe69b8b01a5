"""Counts in words."""

from collections.abc import Mapping


def counts_text(counts: Mapping[str, int]) -> str:
    """Return counts in words, by their names: 2 no, 1 yes."""
    return ", ".join(f"{count:,} {name}" for name, count in sorted(counts.items()))
