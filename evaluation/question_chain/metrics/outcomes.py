"""What became of a chain: which of its questions were answered rightly, by mode and step."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType
from typing import Literal

from benchwright.records import ChainAnswer, ChainMode, QuestionChain
from evaluation.question_chain.offers import Offer, Offers
from evaluation.question_chain.playing.asking import is_missing
from evaluation.question_chain.settings import ChainSettings

Place = tuple[ChainMode, int]  # a mode and a step, from 1
Measure = Literal["planning", "following", "final", "alone", "planned"]
Baseline = Literal["chance", "longest_option", "first_option"]

MEASURES: Mapping[Measure, ChainMode] = MappingProxyType(
    {
        "planning": "planning",
        "following": "following",
        "final": "final",
        "alone": "alone",
        "planned": "planning",  # the last question after the model's own plan
    }
)
BASELINES: tuple[Baseline, ...] = ("chance", "longest_option", "first_option")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A chain with what was right in it.

    ``right`` tells of each place whether all that was asked there was answered rightly; a question
    that was asked in every rotation of its options counts when all of them were (circular).
    ``baselines`` holds for each place the probability, 0 to 1, that a player without a clue would
    have it right. ``answers`` are all that were had.
    """

    chain: QuestionChain
    right: Mapping[Place, bool]
    baselines: Mapping[Baseline, Mapping[Place, float]]
    answers: tuple[ChainAnswer, ...]

    def share(self, measure: Measure) -> float:
        """Return the share of the steps of a measure that are right (definition 22)."""
        return fmean(self.right[place] for place in places_of(self.chain, measure))

    def by_baseline(self, measure: Measure, baseline: Baseline) -> float:
        """Return the same share as a baseline would have it."""
        found = self.baselines[baseline]
        return fmean(found[place] for place in places_of(self.chain, measure))

    def first_wrong(self, measure: Measure) -> int | None:
        """Return the first step that is wrong, null where none is."""
        wrong = (
            step for mode, step in places_of(self.chain, measure) if not self.right[mode, step]
        )
        return next(wrong, None)


def places_of(chain: QuestionChain, measure: Measure) -> list[Place]:
    """Return the places that a measure is over: the first T − 1 steps, or the last one."""
    last = len(chain.steps)
    if measure in ("planning", "following"):
        return [(MEASURES[measure], step) for step in range(1, last)]
    return [(MEASURES[measure], last)]


def measures_of(settings: ChainSettings) -> list[Measure]:
    """Return what can be measured of a run with these settings."""
    return [measure for measure, mode in MEASURES.items() if mode in settings.modes]


def outcomes_of(
    chains: Sequence[QuestionChain],
    answers: Iterable[ChainAnswer],
    settings: ChainSettings,
    offers: Offers,
) -> dict[str, Outcome]:
    """Return the outcomes of the chains that were played to their end, by chain."""
    by_chain: dict[str, list[ChainAnswer]] = defaultdict(list)
    for answer in answers:
        by_chain[answer.chain_id].append(answer)
    found = (
        (chain.chain_id, _outcome_of(chain, by_chain[chain.chain_id], settings, offers))
        for chain in chains
    )
    return {name: outcome for name, outcome in found if outcome is not None}


def _outcome_of(
    chain: QuestionChain, answers: Sequence[ChainAnswer], settings: ChainSettings, offers: Offers
) -> Outcome | None:
    """Return the outcome of a chain, null where an answer to it is missing."""
    came: dict[Place, dict[int, ChainAnswer]] = defaultdict(dict)
    for answer in answers:
        if not is_missing(answer.status):
            came[answer.mode, answer.step][answer.rotation] = answer
    right: dict[Place, bool] = {}
    expected: dict[Baseline, dict[Place, float]] = {baseline: {} for baseline in BASELINES}
    for place in _all_places(chain, settings):
        offer = _offer(chain, place, offers)
        rotations = len(offer) if settings.is_circular else 1
        there = [came[place].get(rotation) for rotation in range(rotations)]
        asked = [answer for answer in there if answer is not None]
        if len(asked) < rotations:
            return None
        right[place] = all(answer.pick == offer.truth for answer in asked)
        expected["chance"][place] = len(offer) ** -rotations
        shown = [answer.order for answer in asked]
        expected["first_option"][place] = all(order[0] == offer.truth for order in shown)
        expected["longest_option"][place] = all(
            _longest(offer, order) == offer.truth for order in shown
        )
    return Outcome(chain=chain, right=right, baselines=expected, answers=tuple(answers))


def _all_places(chain: QuestionChain, settings: ChainSettings) -> Iterator[Place]:
    for measure in measures_of(settings):
        yield from places_of(chain, measure)


def _offer(chain: QuestionChain, place: Place, offers: Offers) -> Offer:
    mode, step = place
    if mode == "planning" and step < len(chain.steps):
        return offers.questions(chain, step)
    return offers.answers(chain, step)


def _longest(offer: Offer, order: Sequence[int]) -> int:
    """Return the place of the longest option, of several the first that is shown."""
    return max(order, key=lambda place: len(offer.texts[place]))
