"""Whether the place of what is right tells anything: of targets in galleries, of true options."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchwright.records import Episode, QuestionChain
from exports.gating.check import Check, rounded
from exports.gating.limits import P_VALUE, PLACE_DRAWS, ROWS_SHOWN

Longs = npt.NDArray[np.int64]
_MANY = 20  # of two things each, the same place everywhere has p 0.000002


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of what is right among ``size`` things, from 1, in the sample of that id."""

    of: str
    place: int
    size: int


def target_places(config: str, episodes: Sequence[Episode]) -> Check:
    """Return whether the targets of galleries stand in every place alike."""
    places = [
        Place(of=one.episode_id, place=one.target_index, size=len(one.image_ids))
        for one in episodes
    ]
    return _place_check("position", config, "the target's place is uniform", places)


def option_places(chains: Sequence[QuestionChain]) -> Iterator[Check]:
    """Yield whether true options stand in every place alike, of questions and of answers."""
    questions, answers = [], []
    for chain in chains:
        for step in chain.steps:
            origins = [option.origin for option in step.question_options]
            if "true" in origins:
                at = origins.index("true") + 1
                questions.append(Place(of=chain.chain_id, place=at, size=len(origins)))
            if step.answer in step.answer_options:
                at = step.answer_options.index(step.answer) + 1
                answers.append(Place(of=chain.chain_id, place=at, size=len(step.answer_options)))
    for kind, places in (("questions", questions), ("answers", answers)):
        if places:
            what = f"the place of the true one of the {kind} is uniform"
            yield _place_check("option-place", "question-chain", what, places)


def p_value(places: Longs, sizes: Longs) -> float:
    """Return the p-value of places (from 1) that are uniform in 1 to size each, 0 to 1.

    The statistic is Σ (O - E)² / E over the places counted from the front, or the same counted
    from the back where that is more. Its distribution comes from ``PLACE_DRAWS`` draws of all
    places, so that it holds for few galleries and for unequal sizes (Davison & Hinkley 1997,
    Bootstrap Methods and their Application, section 4.2).
    """
    expected = _expected(sizes)
    found = _distance(places, sizes, expected)
    more = sum(
        _distance(_drawn(sizes, number), sizes, expected) >= found - 1e-9
        for number in range(PLACE_DRAWS)
    )
    return (1 + more) / (1 + PLACE_DRAWS)


def _is_blind(sizes: Longs) -> bool:
    """Tell whether not even the same place everywhere would be found among so few."""
    return len(sizes) < _MANY and p_value(np.ones_like(sizes), sizes) >= P_VALUE


def _place_check(name: str, of: str, what: str, found: Sequence[Place]) -> Check:
    places = np.array([one.place for one in found], np.int64)
    sizes = np.array([one.size for one in found], np.int64)
    value = p_value(places, sizes)
    passed = value >= P_VALUE
    fullest = 1 + int((np.bincount(places - 1, minlength=sizes.max()) - _expected(sizes)).argmax())
    rows = [] if passed else sorted({one.of for one in found if one.place == fullest})
    count = int((places == fullest).sum())
    return Check(
        name=name,
        of=of,
        what=what,
        unit="p",
        figure=rounded(value),
        limit=P_VALUE,
        wanted="at least",
        n=len(found),
        passed=passed,
        too_few=passed and _is_blind(sizes),
        rows=tuple(rows[:ROWS_SHOWN]),
        found=len(rows),
        note=""
        if passed
        else f"place {fullest} has {count:,}, expected {_expected(sizes)[fullest - 1]:,.1f}",
        advice="" if passed else "put what is shown in a drawn order",
    )


def _expected(sizes: Longs) -> npt.NDArray[np.float64]:
    """Return how many are expected in each place."""
    counts = np.bincount(sizes, minlength=int(sizes.max()) + 1)
    per_place = counts[1:] / np.arange(1, len(counts))
    return per_place[::-1].cumsum()[::-1]


def _distance(places: Longs, sizes: Longs, expected: npt.NDArray[np.float64]) -> float:
    ends = (places - 1, sizes - places)
    counts = [np.bincount(one, minlength=len(expected)) for one in ends]
    return max(float(((count - expected) ** 2 / expected).sum()) for count in counts)


def _drawn(sizes: Longs, number: int) -> Longs:
    """Return uniform places; the draws hang on nothing but their number."""
    bits = hashlib.shake_256(f"gate\0places\0{number}".encode()).digest(4 * len(sizes))
    uniform = np.frombuffer(bits, "<u4").astype(np.int64)
    return (uniform * sizes >> 32) + 1
