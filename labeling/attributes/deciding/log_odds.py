"""Labels by the sum of log-odds of what each voter says (definition 9)."""

import numpy as np
from scipy.special import expit, logit

from benchwright.errors import UsageError
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.by_voter import counts, voter_leads
from labeling.attributes.deciding.codes import NO, UNSURE, YES, Bytes, Mask, Reals
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


def log_odds(ballots: Ballots, skills: Skills, rule: Rule, out: Mask | None = None) -> Outcome:
    """Return the labels by log-odds; the score is the sum x as a probability, 1 / (1 + e⁻ˣ).

    A voter whose answers tie, or who gave none, adds nothing. A label is settled when no answers
    to the open questions change it; ``out`` is as in ``Ballots.exclusive_groups``. Raises
    UsageError for a rule with a quorum, which weights alone have, and for voters without skills.
    """
    refuse_quorum(rule, "log-odds")
    voters = voters_of(ballots.questions)
    unknown = sorted(set(voters) - set(skills.voters))
    if unknown:
        raise UsageError(
            f"log-odds need the skills of every voter; those of {', '.join(unknown)} are not"
            " known: calibrate with them, or leave them out"
        )
    rows = [skills.voters.index(voter) for voter in voters]
    log_yes, log_no = skills.log_yes[rows], skills.log_no[rows]

    def decide(cells: slice) -> Outcome:
        columns = ballots.columns[cells]
        counted, missing = counts(ballots, cells)
        now, low, high = _sums(ballots, cells, log_yes[:, columns], log_no[:, columns])
        stands = Standing(
            label=labels_of(now, rule),
            lower=labels_of(low, rule),
            upper=labels_of(high, rule),
            now=Ratio(now, np.ones_like(now)),
            low=Ratio(low, np.ones_like(now)),
            high=Ratio(high, np.ones_like(now)),
            full=missing == 0,
        )
        groups = ballots.exclusive_groups(cells, out)
        answer, settled = settle(stands, *groups, sureness(ballots, cells))
        return decided(answer, settled, (expit(low), expit(high)), counted, missing)

    return by_chunks(ballots, decide)


def refuse_quorum(rule: Rule, method: str) -> None:
    """Raise UsageError for a rule with a quorum."""
    if rule.quorum.numerator:
        raise UsageError(f"--quorum belongs to the majority; {method} takes a margin only")


def labels_of(sums: Reals, rule: Rule) -> Bytes:
    """Return the labels of sums of log-odds; at a margin of ½ nothing is ever sure enough."""
    share = 0.5 + rule.margin.numerator / rule.margin.denominator
    bound = float(logit(share))
    labels = np.full(sums.shape, UNSURE, np.int8)
    labels[(sums >= bound) & (sums > 0)] = YES
    labels[(sums <= -bound) & (sums < 0)] = NO
    return labels


def _sums(
    ballots: Ballots, cells: slice, log_yes: Reals, log_no: Reals
) -> tuple[Reals, Reals, Reals]:
    """Return the sum now, the lowest that is possible and the highest."""
    lead, missing = voter_leads(ballots, cells)
    now, low, high = (np.zeros(lead.shape[1]) for _ in range(3))
    for voter in range(len(lead)):
        yes, no = log_yes[voter], log_no[voter]
        now += np.where(lead[voter] > 0, yes, 0.0) + np.where(lead[voter] < 0, no, 0.0)
        may_say = np.stack(
            [
                np.where(lead[voter] + missing[voter] > 0, yes, np.nan),
                np.where(lead[voter] - missing[voter] < 0, no, np.nan),
                np.where(np.abs(lead[voter]) <= missing[voter], 0.0, np.nan),
            ]
        )
        low += np.nanmin(may_say, axis=0)
        high += np.nanmax(may_say, axis=0)
    return now, low, high
