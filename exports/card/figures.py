"""Figures of samples as a card gives them."""

from collections.abc import Sequence
from typing import Any

from benchwright.records import Episode
from benchwright.rows import to_table
from exports.card.facts import GALLERIES, Facts
from galleries.summary import Totals, summarise


def span(counts: Sequence[int]) -> str:
    """Return the least and the largest count in words, one number where they are the same."""
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def of_each(counts: Sequence[int], what: str) -> str:
    """Return how many parts each of some samples has, in words: of 3 to 5 steps each."""
    return f"of {span(counts)} {what}{' each' if len(counts) > 1 else ''}"


def gallery_summary(facts: Facts, config: str) -> dict[str, Any]:
    """Return the summary of the released galleries of a config, as ``galleries.summary`` has it."""
    folder = config.removeprefix(GALLERIES)
    manifest = facts.making.gathered.inputs[f"galleries/{folder}"]
    totals = Totals(
        pictures=manifest.counts.get("pictures", 0),
        qualifying=manifest.counts.get("qualifying", 0),
        dropped=manifest.reasons,
        not_identifiable=0,
        not_asked=(),
        mean_whole_gallery=None,
    )
    episodes = to_table(facts.records(config), Episode)
    return summarise(episodes, totals, folder.removeprefix("tau-"))
