"""How far those who read responses agree: detectors with each other, and people with both.

FPCO-Dialog, table 4 and table 2 (appendices B and C; definition 24).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchwright.statistics.agreement.coefficient import Coefficient
from benchwright.statistics.agreement.exact import exact_agreement
from benchwright.statistics.agreement.judgements import Judgements
from benchwright.statistics.agreement.two_raters import TwoByTwo, cohens_kappa, two_by_two
from evaluation.false_premise.metrics.corrections import Corrections, Longs, Mask

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """How far two raters agree on the responses to false premises of a class, or of all.

    ``counts`` has who reads a correction alone. Shares of one rater are over what both read.
    """

    scope: str
    first: str
    second: str
    counts: TwoByTwo
    kappa: Coefficient
    exact: Coefficient

    @property
    def judged(self) -> int:
        """How many responses both read."""
        return self.kappa.judged

    @property
    def shares(self) -> tuple[float, float] | None:
        """The shares of corrections by either, null where both read none."""
        both, n = self.counts.both_yes, self.judged
        if not n:
            return None
        return (both + self.counts.first_only) / n, (both + self.counts.second_only) / n


@dataclass(frozen=True, kw_only=True)
class Rated:
    """What each rater says of each response: ``codes`` (responses, raters), 1, 0, or -1 for none.

    ``scopes`` (responses,) are premise classes, ``pictures`` (responses,) what is drawn together.
    """

    raters: tuple[str, ...]
    codes: Longs
    scopes: tuple[str, ...]
    pictures: Longs

    def agreement(
        self, pairs: Iterable[tuple[str, str]], classes: Sequence[str], seed: int
    ) -> list[PairAgreement]:
        """Return the agreement of pairs of raters, over all responses and then by class.

        Intervals come from the bootstrap over pictures. A class without responses is left out.
        """
        return [
            self._of(scope, has, pair, seed)
            for scope, has in self._scopes(classes)
            for pair in pairs
        ]

    def _scopes(self, classes: Sequence[str]) -> list[tuple[str, Mask]]:
        held = np.array(self.scopes, dtype=object)
        scopes = [(ALL, np.ones(len(held), bool)), *((name, held == name) for name in classes)]
        return [(name, has) for name, has in scopes if has.any()]

    def _of(self, scope: str, has: Mask, pair: tuple[str, str], seed: int) -> PairAgreement:
        columns = [self.raters.index(name) for name in pair]
        judged = Judgements.of(self.codes[has][:, columns], 2, self.pictures[has])
        return PairAgreement(
            scope=scope,
            first=pair[0],
            second=pair[1],
            counts=two_by_two(judged, yes=1, no=0),
            kappa=cohens_kappa(judged, seed),
            exact=exact_agreement(judged),
        )


def rated_by_detectors(corrections: Corrections) -> Rated:
    """Return what detectors say of the responses to false premises, dialogue by dialogue."""
    at, turn = np.nonzero(corrections.is_false)
    return Rated(
        raters=corrections.detectors,
        codes=corrections.codes[at, turn],
        scopes=tuple(corrections.dialogues[each].premise_class for each in at.tolist()),
        pictures=corrections.pictures[at],
    )


def agreement_of_detectors(corrections: Corrections, seed: int) -> list[PairAgreement]:
    """Return the agreement of each two detectors (table 4); nothing of one detector alone."""
    pairs = list(combinations(corrections.detectors, 2))
    return rated_by_detectors(corrections).agreement(pairs, corrections.classes, seed)


def facts_of(found: Iterable[PairAgreement]) -> Iterator[dict[str, object]]:
    """Yield agreement as scores.json has it."""
    for each in found:
        yield {
            "scope": each.scope,
            "raters": [each.first, each.second],
            "n": each.judged,
            "left_out": each.counts.left_out,
            "shares": each.shares,
            "both": each.counts.both_yes,
            "neither": each.counts.both_no,
            "first_only": each.counts.first_only,
            "second_only": each.counts.second_only,
            "exact": {"value": each.exact.value, "low": each.exact.low, "high": each.exact.high},
            "kappa": {"value": each.kappa.value, "low": each.kappa.low, "high": each.kappa.high},
        }
