"""Figures of galleries as a card gives them."""

from typing import Any

from exports.card.facts import GALLERIES, Facts
from galleries.summary import Totals, summarise


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
    return summarise(facts.records(config), totals, folder.removeprefix("tau-"))
