"""The fewest questions that any order could have settled a full vote with, in hindsight.

Savings are printed beside this bound (definition 12). It is exact, for exclusive types too.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import (
    ABSTAINED,
    NOT_ASKED,
    SAID_NO,
    SAID_YES,
    UNSURE,
    YES,
    Ints,
    Longs,
)
from labeling.attributes.deciding.inquiry import is_more
from labeling.attributes.deciding.rule import Rule

_NEVER = 1 << 30  # more questions than there are
Score = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Vote:
    """A full vote on one value: what the first 0, 1, 2 … answers of a kind weigh together.

    The heaviest come first: for a number of answers of each kind no others settle more.
    """

    yes: tuple[int, ...]
    no: tuple[int, ...]
    abstained: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, answers: Sequence[int], weights: Sequence[int]) -> "_Vote":
        if any(said == NOT_ASKED for said, weight in zip(answers, weights, strict=True) if weight):
            raise ValueError("only a vote that was asked in full tells the fewest questions")

        def sums(kind: int) -> tuple[int, ...]:
            own = [weight for said, weight in zip(answers, weights, strict=True) if said == kind]
            return tuple(accumulate(sorted(filter(None, own), reverse=True), initial=0))

        return cls(sums(SAID_YES), sums(SAID_NO), sums(ABSTAINED), sum(weights))

    def turned(self) -> "_Vote":
        return _Vote(self.no, self.yes, self.abstained, self.total)

    def label(self, rule: Rule) -> int:
        return rule.label(self.yes[-1], self.no[-1], self.total)

    @property
    def score(self) -> Score:
        return self.yes[-1], self.yes[-1] + self.no[-1]

    @property
    def count(self) -> int:
        """How many questions weigh anything."""
        return len(self.yes) + len(self.no) + len(self.abstained) - 3


def fewest_questions(ballots: Ballots, weights: Longs, rule: Rule) -> Ints:
    """Return how many questions settle each cell's label by majority, had one known the answers.

    In an exclusive type it is the cell's part of the fewest that settle all labels of the
    subject's type together. Raises ValueError where a question that weighs anything was not asked.
    """
    fewest = np.zeros(len(ballots), np.int32)
    places, starts = ballots.exclusive_groups(slice(0, len(ballots)))
    alone = np.ones(len(ballots), bool)
    alone[places] = False
    rows = [tuple(row) for row in weights.tolist()]
    table = np.ascontiguousarray(ballots.answers.T)
    seen: dict[tuple[bytes, tuple[int, ...]], int] = {}
    for cell in np.flatnonzero(alone):
        key = table[cell].tobytes(), rows[ballots.columns[cell]]
        if key not in seen:
            seen[key] = _fewest_alone(_Vote.of(*key), rule)
        fewest[cell] = seen[key]
    for group in np.split(places, starts[1:]) if len(places) else ():
        votes = [_Vote.of(table[cell].tobytes(), rows[ballots.columns[cell]]) for cell in group]
        fewest[group] = _fewest_together(votes, rule)
    return fewest


def _fewest_alone(vote: _Vote, rule: Rule) -> int:
    label = vote.label(rule)
    if label == UNSURE:
        return _fewest_unsure(vote, rule)
    return min(_sure_of_yes(vote if label == YES else vote.turned(), rule))[0]


def _sure_of_yes(vote: _Vote, rule: Rule) -> Iterator[tuple[int, Score]]:
    """Yield numbers of questions that make sure of yes, each with the lowest score they leave."""
    for abstained, gone in enumerate(vote.abstained):
        most = vote.total - gone
        for yes, weight in enumerate(vote.yes):
            if rule.label(weight, most - weight, vote.total) == YES:
                # for the quorum answers of no may help
                no = _first(vote.no, lambda other: rule.label(weight, other, vote.total) == YES)  # noqa: B023
                if no < _NEVER:
                    yield yes + no + abstained, (weight, most)


def _fewest_unsure(vote: _Vote, rule: Rule) -> int:
    fewest, total = _NEVER, vote.total
    for abstained, gone in enumerate(vote.abstained):
        most = total - gone
        if rule.label(most, 0, total) == UNSURE == rule.label(0, most, total):
            return min(fewest, abstained)  # too few can answer
        yes = _first(vote.yes, lambda own: rule.label(own, most - own, total) == UNSURE)  # noqa: B023
        no = _first(vote.no, lambda own: rule.label(most - own, own, total) == UNSURE)  # noqa: B023
        fewest = min(fewest, yes + no + abstained)
    return fewest


def _fewest_together(votes: Sequence[_Vote], rule: Rule) -> list[int]:
    """Return each value's part of the fewest questions for an exclusive type.

    Where one value wins, the others are ruled out one by one against the lowest score that it
    keeps, so that for each such score the fewest are a sum; where none does, each stands alone.
    Values that tie are all asked in full, since p_yes decides between them.
    """
    labels = [vote.label(rule) for vote in votes]
    if YES not in labels:
        return [_fewest_alone(vote, rule) for vote in votes]
    scores = {at: votes[at].score for at, label in enumerate(labels) if label == YES}
    winner = min(scores)
    for at, score in scores.items():
        if is_more(score, scores[winner]):
            winner = at
    best = scores[winner]
    tied = [at for at, score in scores.items() if not is_more(best, score)]
    if len(tied) > 1:
        return [
            vote.count if at in tied else _fewest_ruled_out(vote, best, rule)
            for at, vote in enumerate(votes)
        ]
    best_at: dict[int, Score] = {}
    for cost, score in _sure_of_yes(votes[winner], rule):
        if cost not in best_at or is_more(score, best_at[cost]):
            best_at[cost] = score
    plans = []
    for cost, score in best_at.items():
        parts = [
            cost if at == winner else _fewest_ruled_out(vote, score, rule)
            for at, vote in enumerate(votes)
        ]
        plans.append((sum(parts), parts))
    return min(plans)[1]


def _fewest_ruled_out(vote: _Vote, score: Score, rule: Rule) -> int:
    """Return how many questions show that a value cannot reach a score of another."""
    fewest = _NEVER
    for abstained, gone in enumerate(vote.abstained):
        most = vote.total - gone

        def is_out(no: int, most: int = most) -> bool:
            is_yes = rule.label(most - no, no, vote.total) == YES
            return not is_yes or is_more(score, (most - no, most))

        fewest = min(fewest, abstained + _first(vote.no, is_out))
    return fewest


def _first(weights: Sequence[int], holds: Callable[[int], bool]) -> int:
    return next((at for at, weight in enumerate(weights) if holds(weight)), _NEVER)
