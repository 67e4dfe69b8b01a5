"""Where labels come from, and how close the votes were."""

from collections.abc import Iterator

from exports.card.facts import Facts
from exports.card.labels_found import CLASSES
from exports.card.markdown import table
from labeling.attributes.measuring.wording import percent

_ORIGINS = (
    ("catalog", "what the catalog states"),
    ("voted", "what models voted"),
    ("audited", "what people decided"),
    (None, "what follows from another label, or is not stated"),
)
_ANSWERS = ("yes", "no", "unknown")


def labels(facts: Facts) -> Iterator[str]:
    """Yield counts by origin and answer, and the margins of what was voted."""
    found = facts.labels
    if not found.total:
        return
    yield from ("## Labels", "")
    yield from table(
        ("a label is", *_ANSWERS, "all", "share"),
        [
            (
                said,
                *(f"{count:,}" for count in counts),
                f"{sum(counts):,}",
                percent(sum(counts) / found.total),
            )
            for origin, said in _ORIGINS
            if sum(counts := [found.counts.get((origin, answer), 0) for answer in _ANSWERS])
        ],
    )
    if sum(found.margins):
        yield (
            "How close the votes were: the margin is how far the share of yes lies from one half,"
            " 0 for a draw and 0.5 where all agree; where asking stopped early, the least that it"
            " can have been."
        )
        yield ""
        step = 0.5 / CLASSES
        heads = [f"{at * step:.1f} to {(at + 1) * step:.1f}" for at in range(CLASSES)]
        row = [f"{count:,} ({percent(count / sum(found.margins))})" for count in found.margins]
        yield from table(("margin", *heads), [("labels", *row)])
