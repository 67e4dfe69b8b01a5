"""How well verdicts fit labels: precision, recall and F1 of finding a violation, and by reason."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.statistics.intervals import Estimate, estimate

VALID = "valid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Counts and shares (0 to 1, with Wilson's 95 % intervals) of finding violations.

    A found violation is right whatever the reason given; ``same_reason`` is the share of the found
    ones whose reason is the labelled one too. ``confusion`` counts (wanted, found).
    """

    precision: Estimate
    recall: Estimate
    f1: Estimate
    same_reason: Estimate
    confusion: Counter[tuple[str, str]]

    def caught(self, wanted: str) -> int:
        """Return how many of a label were told from valid ones; of valid ones those left alone."""
        return sum(
            count
            for (label, found), count in self.confusion.items()
            if label == wanted and (found == wanted or VALID not in (label, found))
        )

    def labelled(self, wanted: str) -> int:
        """Return how many have a label."""
        return sum(count for (label, _), count in self.confusion.items() if label == wanted)


def score(wanted: Sequence[str], found: Sequence[str]) -> Score:
    """Return how verdicts fit labels, pair by pair.

    F1 is 2J / (1 + J) of the share J of right ones among all that are a violation by label or by
    verdict, and so are the ends of its interval.
    """
    confusion = Counter(zip(wanted, found, strict=True))
    bad = {pair: count for pair, count in confusion.items() if VALID not in pair}
    hits = sum(bad.values())
    false = sum(count for (label, said), count in confusion.items() if label == VALID != said)
    missed = sum(count for (label, said), count in confusion.items() if said == VALID != label)
    named = sum(count for (label, said), count in bad.items() if label == said)
    either = estimate(_share(hits, hits + false + missed), hits + false + missed)
    return Score(
        precision=estimate(_share(hits, hits + false), hits + false),
        recall=estimate(_share(hits, hits + missed), hits + missed),
        f1=Estimate(
            share=_f1(either.share), low=_f1(either.low), high=_f1(either.high), size=either.size
        ),
        same_reason=estimate(_share(named, hits), hits),
        confusion=confusion,
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _f1(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)
