"""Two-coin Dawid-Skene: labels and the voters' skills together, from the votes alone.

Dawid and Skene, "Maximum likelihood estimation of observer error-rates using the EM algorithm"
(1979), for two classes, with priors, and with votes missing at random.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.by_voter import counts, voter_answers
from labeling.attributes.deciding.codes import Bytes, Ints, Longs, Mask, Reals
from labeling.attributes.deciding.log_odds import labels_of, refuse_quorum
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.skills import Skills
from labeling.attributes.deciding.standing import (
    Outcome,
    Ratio,
    Standing,
    by_chunks,
    decided,
    settle,
)
from labeling.attributes.deciding.sureness import sureness
from labeling.attributes.deciding.weights import voters_of

_RIGHT, _WRONG = 4.0, 2.0  # beta prior of both skills: two thirds right, worth four answers more
_DRAWN = 20.0  # answers by which a value's skills are drawn toward those of its type
_BESIDE = 1.0  # one yes and one no beside the cells of each value
_TOLERANCE = 1e-7  # the largest change of a probability at which the steps end
_MOST_STEPS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What the votes say of cells and voters.

    ``log_odds`` (n,) are those of yes for each cell, prevalence included. ``prevalence`` is of
    each value. ``has_converged`` is false when the steps ran out first.
    """

    log_odds: Reals
    skills: Skills
    prevalence: Reals
    steps: int
    has_converged: bool


def dawid_skene(ballots: Ballots, rule: Rule, out: Mask | None = None) -> tuple[Outcome, Fitted]:
    """Return labels by Dawid-Skene, and what was fitted.

    A voter gives one answer for each cell; a tie or none is missing. The score is the probability
    of yes. There is no early stop: a label is settled when all its questions were asked, and those
    of the other values of its exclusive type; ``out`` is as in ``Ballots.exclusive_groups``.
    Raises UsageError for a rule with a quorum.
    """
    refuse_quorum(rule, "Dawid-Skene")
    fitted = fit(ballots)

    def decide(cells: slice) -> Outcome:
        counted, missing = counts(ballots, cells)
        sums = fitted.log_odds[cells]
        labels, ratio = labels_of(sums, rule), Ratio(sums, np.ones_like(sums))
        settled = missing == 0
        stands = Standing(
            label=labels,
            lower=labels,
            upper=labels,
            now=ratio,
            low=ratio,
            high=ratio,
            full=settled,
        )
        places, starts = ballots.exclusive_groups(cells, out)
        answer, _ = settle(stands, places, starts, sureness(ballots, cells))
        if len(places):
            whole = np.logical_and.reduceat(settled[places], starts)
            settled[places] = np.repeat(whole, np.diff(starts, append=len(places)))
        share = expit(sums)
        return decided(answer, settled, (share, share), counted, missing)

    return by_chunks(ballots, decide), fitted


def fit(ballots: Ballots) -> Fitted:
    """Return the probabilities of yes and the skills that the votes themselves make likely.

    A voter's skills are each value's own, drawn toward its rate over the values of the type as by
    twenty answers more: what few cells cannot tell the type tells, and a voter may be blind on
    one value. The prevalence is each value's own. The first guess is the majority of the voters.
    Yes and no cannot change places: the start is the majority, and the priors take voters to be
    right more often than wrong. The same votes always give the same result.
    """
    voters = voters_of(ballots.questions)
    patterns, columns, weights, inverse = _patterns(ballots)
    types = ballots.types
    said_yes, said_no = patterns == 1, patterns == -1
    agree, differ = said_yes.sum(axis=0), said_no.sum(axis=0)
    probability = (agree + 0.5) / (agree + differ + 1)
    sums = np.zeros(len(probability))
    steps, has_converged = 0, not len(probability)
    sensitivity = specificity = np.full((len(voters), len(types)), _RIGHT / (_RIGHT + _WRONG))
    prevalence = np.full(len(types), 0.5)
    while steps < _MOST_STEPS and not has_converged:
        steps += 1
        sensitivity = _rates(said_yes, said_no, columns, weights * probability, types)
        specificity = _rates(said_no, said_yes, columns, weights * (1 - probability), types)
        yes = np.bincount(columns, weights * probability, len(types)) + _BESIDE
        no = np.bincount(columns, weights * (1 - probability), len(types)) + _BESIDE
        prevalence = yes / (yes + no)
        says_yes = np.log(sensitivity / (1 - specificity))[:, columns]
        says_no = np.log((1 - sensitivity) / specificity)[:, columns]
        sums = np.log(yes / no)[columns]
        sums += (said_yes * says_yes + said_no * says_no).sum(axis=0)
        before, probability = probability, expit(sums)
        has_converged = bool(np.abs(probability - before).max() < _TOLERANCE)
    return Fitted(
        log_odds=sums[inverse],
        skills=Skills(voters=voters, sensitivity=sensitivity, specificity=specificity),
        prevalence=prevalence,
        steps=steps,
        has_converged=has_converged,
    )


def _rates(right: Mask, wrong: Mask, columns: Ints, weights: Reals, types: Ints) -> Reals:
    """Return the share of right answers of each voter for each value, with the priors."""
    rows = []
    for own_right, own_wrong in zip(right, wrong, strict=True):
        hits = np.bincount(columns, weights * own_right, len(types))
        misses = np.bincount(columns, weights * own_wrong, len(types))
        all_hits, all_misses = (
            np.bincount(types, hits) + _RIGHT,
            np.bincount(types, misses) + _WRONG,
        )
        of_type = (all_hits / (all_hits + all_misses))[types]
        rows.append((hits + _DRAWN * of_type) / (hits + misses + _DRAWN))
    return np.array(rows).reshape(len(right), len(types))


def _patterns(ballots: Ballots) -> tuple[Bytes, Ints, Reals, Longs]:
    """Return what the voters can say of a value, how often they did, and what of each cell.

    Cells of one value about which all voters say the same are one: there are few such patterns,
    and many cells. They are told apart voter by voter, so that no number grows too large.
    """
    keys = ballots.columns.astype(np.int64)
    answers = [voter_answers(ballots, cells) for cells in ballots.chunks()]
    table = np.concatenate(answers, axis=1)
    for row in table:
        _, keys = np.unique(keys * 3 + row + 1, return_inverse=True)
    _, first, inverse, weights = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    return table[:, first], ballots.columns[first], weights.astype(float), inverse
