"""Choosing among distractors so that nothing but what it says tells the true option.

Where the drafts allow it both origins and all families are in, and the question is put in the same
form. The true option is neither always nor never the longest: its place by length is drawn for each
position among those that some subset can give, by weights that make all places as frequent as they
can be. Models write longer or shorter than people, so that equal weights would not do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from types import MappingProxyType

from benchwright import seeds
from labeling.dialogues.question_chain.distracting.styling import form_of
from labeling.dialogues.question_chain.rules.options import FAR

_CONSIDERED = 12  # of which all subsets are looked at: 924 at most
_ROUNDS = 200  # of scaling; the weights are steady long before
_STEEPEST = 1e6

Nearly = Callable[[str, str], bool]
Weights = Mapping[int, float]
EQUAL: Weights = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A distractor that could be taken; ``origin`` and ``family`` are empty where none counts.

    One that a person wrote is always taken, before all others. ``key`` tells apart candidates
    of one text.
    """

    text: str
    key: str
    origin: str = ""
    family: str = ""
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where options are wanted: the true one, how many beside it, and what draws the choice."""

    true: str
    wanted: int
    seed: int
    ids: tuple[str, ...]
    counts_form: bool


def apart(
    candidates: Sequence[Candidate], position: Position, taken: Sequence[str], nearly: Nearly
) -> list[Candidate]:
    """Return the candidates that are near neither to ``taken`` nor to one another.

    Of two that are near the one stays that a person wrote, else the one that the seed draws: the
    order in which they are given does not matter.
    """
    kept: list[Candidate] = []
    for one in sorted(candidates, key=lambda each: _order(each, position)):
        if not any(nearly(one.text, text) for text in taken) and not any(
            nearly(one.text, other.text) for other in kept
        ):
            kept.append(one)
    return kept


def level(
    candidates: Sequence[Candidate], position: Position, weights: Weights = EQUAL
) -> list[Candidate]:
    """Return the subset that levels a position best, in an order that the seed draws.

    It has as many as are wanted, or all where there are fewer. Of all subsets those are left that
    miss the fewest origins, then the fewest families; of these those that give the true option the
    drawn place by length; of these the one that has the fewest lengths that stand out, then the
    fewest other forms, then lengths closest to the true one. What people wrote is in each subset.
    """
    subsets = _subsets(candidates, position)
    wanted = _drawn_place(subsets, position, weights)
    best = min(
        (subset for subset in subsets if wanted in _places(subset, position)),
        key=lambda subset: tuple(_unlike(subset, position)),
    )
    names = {f"{one.text}\0{one.key}": one for one in best}
    return [
        names[name]
        for name in seeds.shuffled(list(names), position.seed, "distractors", *position.ids)
    ]


def reachable_places(candidates: Sequence[Candidate], position: Position) -> frozenset[int] | None:
    """Return at which places by length (0 for the shortest) the true option can come.

    Null where there are fewer candidates than are wanted.
    """
    if len(candidates) < position.wanted:
        return None
    return frozenset(
        place for subset in _subsets(candidates, position) for place in _places(subset, position)
    )


def levelling_weights(reachable: Sequence[frozenset[int]]) -> Weights:
    """Return weights of places by which, drawn where they are reachable, all come equally often.

    They are found by iterative scaling. Where that cannot be (the true option is longer than all
    distractors nearly everywhere) the rare places are taken wherever they can be reached.
    """
    places = sorted(frozenset().union(*reachable))
    weights = dict.fromkeys(places, 1.0)
    for _ in range(_ROUNDS):
        expected = dict.fromkeys(places, 0.0)
        for some in reachable:
            total = sum(weights[place] for place in some)
            for place in some:
                expected[place] += weights[place] / total
        for place in places:
            scaled = weights[place] * len(reachable) / len(places) / expected[place]
            weights[place] = min(max(scaled, 1 / _STEEPEST), _STEEPEST)
    return {place: round(weight, 6) for place, weight in weights.items()}


def _subsets(candidates: Sequence[Candidate], position: Position) -> list[list[Candidate]]:
    """Return the subsets that miss the fewest origins and families."""
    ordered = sorted(candidates, key=lambda each: _order(each, position))
    by_hand = [one for one in ordered if one.is_by_hand][: position.wanted]
    others = [one for one in ordered if not one.is_by_hand][:_CONSIDERED]
    left = min(position.wanted - len(by_hand), len(others))
    subsets = [[*by_hand, *chosen] for chosen in combinations(others, left)]
    missed = [_missed(subset, ordered) for subset in subsets]
    return [subset for subset, miss in zip(subsets, missed, strict=True) if miss == min(missed)]


def _order(one: Candidate, position: Position) -> tuple[bool, int, str, str]:
    drawn = seeds.draw(position.seed, "candidate", *position.ids, one.text, one.key)
    return not one.is_by_hand, drawn, one.text, one.key


def _missed(subset: Sequence[Candidate], candidates: Sequence[Candidate]) -> tuple[int, int]:
    return (
        len({one.origin for one in candidates} - {one.origin for one in subset}),
        len({one.family for one in candidates} - {one.family for one in subset}),
    )


def _places(subset: Sequence[Candidate], position: Position) -> range:
    """Return the places that the true option has by length; with equal lengths it has several."""
    shorter = sum(len(one.text) < len(position.true) for one in subset)
    as_long = sum(len(one.text) == len(position.true) for one in subset)
    return range(shorter, shorter + as_long + 1)


def _drawn_place(
    subsets: Sequence[Sequence[Candidate]], position: Position, weights: Weights
) -> int:
    reachable = sorted({place for subset in subsets for place in _places(subset, position)})
    total = sum(weights.get(place, 1.0) for place in reachable)
    drawn = seeds.draw(position.seed, "place by length", *position.ids) / 2**64 * total
    for place in reachable[:-1]:
        drawn -= weights.get(place, 1.0)
        if drawn < 0:
            return place
    return reachable[-1]


def _unlike(subset: Sequence[Candidate], position: Position) -> Iterator[float]:
    ratios = [_ratio(one.text, position.true) for one in subset]
    yield sum(ratio >= log(FAR) for ratio in ratios)
    form = form_of(position.true)
    yield sum(form_of(one.text) != form for one in subset) if position.counts_form else 0
    yield round(sum(ratios), 6)


def _ratio(text: str, true: str) -> float:
    return abs(log(max(len(text), 1) / max(len(true), 1)))
