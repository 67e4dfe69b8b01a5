"""Labels decided from stored votes and people's decisions, by any method, with no new call."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Self, cast

import pyarrow as pa

from benchwright import files, store
from benchwright.errors import UsageError
from benchwright.knowledge import Value
from benchwright.vocabulary_digest import vocabulary_digest
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.weights_file import WeightsFile, read_weights
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import NO, Longs, Mask
from labeling.attributes.deciding.collect import collect
from labeling.attributes.deciding.dawid_skene import dawid_skene
from labeling.attributes.deciding.log_odds import log_odds
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import DecimalShare, Rule
from labeling.attributes.deciding.savings import Savings, full_sample, savings
from labeling.attributes.deciding.skills import Skills
from labeling.attributes.deciding.standing import Outcome
from labeling.attributes.deciding.table import labels_table
from labeling.attributes.deciding.unsettled import (
    Unsettled,
    unsettled_by_majority,
    unsettled_otherwise,
)
from labeling.attributes.deciding.weights import Question, equal_weights, share_weights
from labeling.attributes.labels.audited import (
    audited,
    ruled_cells,
    taken_out,
    write_audited,
)
from labeling.attributes.labels.knowledge import values_of
from labeling.attributes.labels.methods import BY_MAJORITY, Method
from labeling.attributes.labels.rulings import Rulings, read_rulings
from labeling.attributes.labels.stated_labels import stated_labels
from labeling.attributes.labels.writing import merged, voted_down
from labeling.attributes.vocabulary.stated import read_stated
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary
from labeling.attributes.voting.plan import planned_questions

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideSettings:
    """How labels are decided; ``margin`` and ``quorum`` are decimals, null takes the votes' own.

    ``weights`` is a file that ``label-attributes calibrate`` wrote. Without ``keep_catalog`` a
    value that was not voted on has no label, whatever the catalog states.
    """

    method: Method = "majority"
    margin: str | None = None
    quorum: str | None = None
    weights: Path | None = None
    keep_catalog: bool = True

    @classmethod
    def of(
        cls,
        method: str,
        margin: str | None,
        quorum: str | None,
        weights: Path | None,
        *,
        keep_catalog: bool,
    ) -> Self:
        """Return the settings that options say; ``method`` is one of Method."""
        return cls(
            method=cast("Method", method),
            margin=margin,
            quorum=quorum,
            weights=weights,
            keep_catalog=keep_catalog,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """The votes of a workspace with what they were planned by."""

    manifest: store.Manifest
    vocabulary: Vocabulary
    values: tuple[Value, ...]
    questions: tuple[Question, ...]
    ballots: Ballots

    @property
    def voters(self) -> Sequence[Mapping[str, Any]]:
        """What the manifest says of the voters."""
        return self.manifest.plan.settings["voters"]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The labels, and what neither votes nor people settled; ``savings`` is of a majority alone.

    ``outcome`` is that of the votes, before ``rulings``, which are people's.
    """

    manifest: store.Manifest
    ballots: Ballots
    outcome: Outcome
    rulings: Rulings
    unsettled: Unsettled
    savings: Savings | None
    voted_down: int


def read_votes(workspace: Workspace, *, with_p_yes: bool = False) -> Votes:
    """Return the stored votes as ballots.

    Votes on values that the vocabulary no longer has are left out and counted. p_yes is read
    where it is wanted, and where a type is exclusive: there it decides between equal scores.

    Raises WorkspaceError without votes, UsageError for a vocabulary that cannot be read.
    """
    manifest = store.require(workspace.votes, "label-attributes ask --ensemble FILE")
    vocabulary = load_vocabulary(workspace.vocabulary)
    values = values_of(vocabulary)
    asked = manifest.plan.settings
    names = [voter["name"] for voter in asked["voters"]]
    questions = planned_questions(names, asked["templates"], asked["views"])
    needed = with_p_yes or any(value.exclusive for value in values)
    ballots = collect(
        _shards(workspace, manifest),
        values,
        questions,
        with_p_yes=needed,
        source=str(workspace.votes),
    )
    return Votes(
        manifest=manifest,
        vocabulary=vocabulary,
        values=values,
        questions=questions,
        ballots=ballots,
    )


def _shards(workspace: Workspace, manifest: store.Manifest) -> Iterator[pa.Table]:
    for name in sorted(name for name in manifest.files if name.endswith(".parquet")):
        yield store.read_table(workspace.votes, name)


def decide(
    workspace: Workspace, settings: DecideSettings, *, force: bool = False
) -> tuple[Decided, bool]:
    """Write labels.parquet from votes and decisions; tell whether it stood there already.

    Raises WorkspaceError without votes, UsageError for a method that lacks what it needs.
    """
    votes = read_votes(workspace)
    weights = None if settings.weights is None else _weights(settings.weights, votes)
    rule = _rule(settings, votes.manifest.plan.settings)
    outcome, shares = outcome_of(votes, settings.method, rule, weights)
    catalog = read_stated(workspace)
    stated = stated_labels(catalog, votes.vocabulary)
    rulings = read_rulings(workspace, votes.vocabulary, catalog.image_ids)
    among = _among_the_rest(votes, settings.method, rule, weights, rulings)
    plan = _plan(workspace, votes, settings, rule, shares, rulings)
    unsettled = _unsettled(
        votes.ballots, _ruled(votes, among or outcome, rulings), settings, shares, rule
    )
    kept = stated if settings.keep_catalog else stated.slice(0, 0)
    voted = labels_table(votes.ballots, outcome)
    plain = merged(voted, kept, rulings.exclusive)
    rest = plain
    if among is not None:
        rest = merged(labels_table(votes.ballots, among), kept, rulings.exclusive)
    found = audited(plain, rest, rulings)
    standing = None if force else store.finished(workspace.labels, plan)
    manifest = standing or write_audited(
        workspace,
        plan,
        found,
        rulings,
        counts={"voted": voted.num_rows, "unsettled": len(unsettled.cells)},
    )
    decided = Decided(
        manifest=manifest,
        ballots=votes.ballots,
        outcome=outcome,
        rulings=rulings,
        unsettled=unsettled,
        savings=_savings(votes, outcome, shares, rule) if settings.method == "majority" else None,
        voted_down=voted_down(voted, stated),
    )
    return decided, standing is not None


def outcome_of(
    votes: Votes, method: Method, rule: Rule, weights: WeightsFile | None, out: Mask | None = None
) -> tuple[Outcome, Longs]:
    """Return the outcome of a method, and the weights of the questions that it goes by.

    ``out`` is as in ``Ballots.exclusive_groups``.
    """
    ballots = votes.ballots
    shares = _shares(votes, method, weights)
    match method:
        case "majority" | "unweighted":
            return majority(ballots, shares, rule, out), shares
        case "log-odds":
            return log_odds(ballots, _skills(votes, weights), rule, out), shares
        case "dawid-skene":
            outcome, fitted = dawid_skene(ballots, rule, out)
            if not fitted.has_converged and out is None:  # it would be said twice
                logger.warning(
                    "Dawid-Skene had not settled after %d steps, so its labels are those of the"
                    " last one; compare them with --method majority, or ask more voters",
                    fitted.steps,
                )
            return outcome, shares


def _among_the_rest(
    votes: Votes, method: Method, rule: Rule, weights: WeightsFile | None, rulings: Rulings
) -> Outcome | None:
    """Return the outcome when what people said no to is taken out of its exclusive types.

    It is null where there is no such value.
    """
    out = taken_out(votes.ballots, rulings)
    if out is None:
        return None
    outcome, _ = outcome_of(votes, method, rule, weights, out)
    outcome.answer[out] = NO
    return outcome


def _ruled(votes: Votes, outcome: Outcome, rulings: Rulings) -> Outcome:
    """Return an outcome of which the labels that people decided count as settled."""
    places = ruled_cells(votes.ballots, rulings)
    settled = outcome.settled.copy()
    settled[places] = True
    return replace(outcome, settled=settled)


def _weights(path: Path, votes: Votes) -> WeightsFile:
    weights = read_weights(path)
    if weights.votes != votes.manifest.digest():
        logger.warning(
            "%s was calibrated on other votes than those that stand here; label-attributes"
            " calibrate makes it anew",
            path,
        )
    return weights


def _shares(votes: Votes, method: Method, weights: WeightsFile | None) -> Longs:
    if method == "unweighted":
        return equal_weights(votes.questions, len(votes.values))
    own = {str(voter["name"]): int(voter["weight"]) for voter in votes.voters}
    if method == "majority" and weights is not None:
        return share_weights(votes.questions, weights.by_value(votes.values, own))
    return share_weights(votes.questions, [own] * len(votes.values))


def _skills(votes: Votes, weights: WeightsFile | None) -> Skills:
    if weights is None:
        raise UsageError(
            "log-odds go by how often each voter is right: run label-attributes calibrate, then"
            " name its file with --weights labels/weights.json"
        )
    return weights.skills(votes.values)


def _rule(settings: DecideSettings, asked: Mapping[str, Any]) -> Rule:
    margin = asked["margin"] if settings.margin is None else settings.margin
    quorum = asked["quorum"] if settings.quorum is None else settings.quorum
    if settings.method not in BY_MAJORITY and settings.quorum is None:
        quorum = "0"  # the other methods have none
    return Rule.parse(margin, quorum)


def _plan(
    workspace: Workspace,
    votes: Votes,
    settings: DecideSettings,
    rule: Rule,
    shares: Longs,
    rulings: Rulings,
) -> store.Plan:
    inputs = {
        "catalog": store.require(workspace.catalog, "build-catalog").digest(),
        "vocabulary": vocabulary_digest(workspace.vocabulary),
        "votes": votes.manifest.digest(),
        "weighed": store.digest_of([[*map(astuple, votes.questions)], shares.tolist()]),
    }
    if rulings.digest is not None:
        inputs["decisions"] = rulings.digest
    if settings.weights is not None:
        own = settings.weights.resolve() == workspace.weights.resolve()
        inputs["weights" if own else "weights_file"] = files.sha256_of(settings.weights)
    chosen = {
        "method": settings.method,
        "margin": _decimal(rule.margin),
        "quorum": _decimal(rule.quorum),
        "keep_catalog": settings.keep_catalog,
        "ties": "p_yes",  # so that labels from before this rule are not taken for done
    }
    return store.Plan(stage="labels", inputs=inputs, settings=chosen)


def _decimal(share: DecimalShare) -> str:
    return f"{Decimal(share.numerator) / Decimal(share.denominator):f}"


def _unsettled(
    ballots: Ballots, outcome: Outcome, settings: DecideSettings, shares: Longs, rule: Rule
) -> Unsettled:
    if settings.method in BY_MAJORITY:
        return unsettled_by_majority(ballots, outcome, shares, rule)
    return unsettled_otherwise(ballots, outcome)


def _savings(votes: Votes, outcome: Outcome, shares: Longs, rule: Rule) -> Savings:
    plan = votes.manifest.plan
    share = DecimalShare.parse(str(plan.settings["full"]), "full")
    seed = plan.seed or 0
    sample = full_sample(votes.ballots, share, seed)
    return savings(votes.ballots, outcome, sample, shares, rule, seed)
