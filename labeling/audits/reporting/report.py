"""All figures of a report, from the plan, the decisions and the votes that stand there."""

from collections.abc import Mapping
from dataclasses import dataclass

from benchwright import store
from benchwright.decisions.journal import BadLine, journal_path, read_journal
from benchwright.decisions.standing import Standing, Thing, standing
from benchwright.errors import WorkspaceError
from benchwright.next_step import judging_text, syncing_text, workspace_text
from benchwright.statistics.draws import DRAWS
from benchwright.vocabulary_digest import wordings_digest
from benchwright.workspace import Workspace
from labeling.attributes.deciding.rule import DecimalShare
from labeling.attributes.labels.decide import read_votes
from labeling.attributes.templates.used import filled
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from labeling.audits.accuracy import Accuracy, label_accuracy
from labeling.audits.planning.plan_file import AuditPlan, read_plan
from labeling.audits.planning.population import read_population
from labeling.audits.reporting.agreement import (
    BoardAgreement,
    LabelAgreement,
    board_agreement,
    label_agreement,
)
from labeling.audits.reporting.auditors import Auditor, auditors
from labeling.audits.reporting.ballots_at import JudgedBallots, ballots_at
from labeling.audits.reporting.board import (
    in_order,
    is_label,
    label_board,
    verdict_boards,
)
from labeling.audits.reporting.confusion import Confusion, label_confusion, voter_confusions
from labeling.audits.reporting.examples import WrongLabel, wrong_labels
from labeling.audits.reporting.looks import uncalled_looks
from labeling.audits.reporting.lowest import Lowest, lowest
from labeling.audits.reporting.marks import MarkAgreement, mark_agreements
from labeling.audits.reporting.settings import ReportSettings
from labeling.audits.reporting.truth import Truth, audited_truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a plan's judgements say of labels and voters.

    ``voters`` is empty without votes; ``unmatched`` judged labels have none. ``wordings`` are
    examples of templates, by number; empty where the vocabulary has others than were asked.
    """

    plan: AuditPlan
    accuracy: Accuracy
    labels: Confusion
    voters: tuple[Confusion, ...]
    unmatched: int
    lowest: Lowest
    wordings: Mapping[str, str]
    wrong: tuple[WrongLabel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that a report says.

    ``digest`` is of the decisions that stand, whatever the order of their lines. ``notes`` say
    what a reader must know of the figures. ``third_looks`` at what auditors differ on, and values
    ``named`` in the place of others, are in no figure of agreement. ``findings`` is null without
    a plan, of which a label was judged; ``labels`` is null where nobody judged any, ``marks`` has
    the fields that hold sets.
    """

    settings: ReportSettings
    judgements: int
    things: int
    digest: str
    bad_lines: tuple[BadLine, ...]
    notes: tuple[str, ...]
    third_looks: int
    named: int
    findings: Findings | None
    labels: LabelAgreement | None
    records: Mapping[str, BoardAgreement]
    marks: Mapping[str, MarkAgreement]
    auditors: tuple[Auditor, ...]


def make_report(
    workspace: Workspace,
    *,
    confidence: float | None = None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Report:
    """Return the report of what stands in a workspace; the figures depend on no order of lines.

    ``confidence`` (0 to 1) is that of all intervals, by default the plan's, or 0.95 without one.
    Raises WorkspaceError while nothing is decided, and for a plan or votes that cannot be read.
    """
    journal = read_journal(workspace)
    decisions = standing(journal.decisions)
    has_plan = (workspace.audits / "plan.json").is_file()
    if not decisions:
        raise WorkspaceError(_nothing_yet(workspace, has_plan=has_plan))
    plan = read_plan(workspace) if has_plan else None
    level = confidence or (0.95 if plan is None else plan.settings.confidence)
    settings = ReportSettings(confidence=level, seed=seed, draws=draws)
    findings, notes = _findings(workspace, plan, decisions, settings)
    looks = uncalled_looks(decisions, journal.decisions)
    board = label_board(looks.uncalled)
    weights = None if plan is None else _weights(plan)
    return Report(
        settings=settings,
        judgements=sum(map(len, decisions.values())),
        things=len(decisions),
        digest=_digest(decisions),
        bad_lines=journal.bad_lines,
        notes=tuple(notes),
        third_looks=looks.third,
        named=looks.named,
        findings=findings,
        labels=None if board is None else label_agreement(board, weights, settings),
        records={
            field: board_agreement(each, settings)
            for field, each in verdict_boards(looks.uncalled).items()
        },
        marks=mark_agreements(looks.uncalled, settings),
        auditors=auditors(decisions),
    )


def _nothing_yet(workspace: Workspace, *, has_plan: bool) -> str:
    where = workspace_text(workspace)
    first = "" if has_plan else f"review-labels plan{where}, then "
    return (
        f"{journal_path(workspace)}: nothing is decided yet; run {first}"
        f"{judging_text('attributes', workspace)}{where}, and after judging"
        f" {syncing_text(workspace)}{where}"
    )


def _findings(
    workspace: Workspace, plan: AuditPlan | None, decisions: Standing, settings: ReportSettings
) -> tuple[Findings | None, list[str]]:
    """Return what is found of labels and voters, and notes on it."""
    if plan is None:
        if not any(map(is_label, decisions)):
            return None, []
        return None, [
            "There is no plan, so that nothing is said of how many labels are right: what was"
            " judged may be any choice. review-labels plan makes one, and what was judged counts."
        ]
    notes = _staleness(workspace, plan)
    accuracy = label_accuracy(plan, decisions, settings.confidence)
    truth = audited_truth(plan, decisions, accuracy.by_stratum)
    if not len(truth):
        return None, [*notes, "Of no label of the plan do auditors hold yes or no so far."]
    votes = _votes(workspace, truth)
    if votes is None:
        notes.append("No votes stand here, so that nothing is said of voters.")
    found = lowest(accuracy, truth, votes, settings.confidence)
    findings = Findings(
        plan=plan,
        accuracy=accuracy,
        labels=label_confusion(truth, settings.confidence),
        voters=() if votes is None else voter_confusions(votes, settings.confidence),
        unmatched=0 if votes is None else votes.unmatched,
        lowest=found,
        wordings={} if votes is None else _wordings(workspace),
        wrong=wrong_labels(workspace, truth, found.values, settings.seed),
    )
    return findings, notes


def _staleness(workspace: Workspace, plan: AuditPlan) -> list[str]:
    if store.load_manifest(workspace.labels) is None:
        return ["The labels that the plan is of stand here no more; the figures are of the plan's."]
    if read_population(workspace).digest == plan.labels:
        return []
    return [
        "The labels were decided anew since the plan was made, and the figures are of those of the"
        " plan; review-labels plan makes it anew, and what was judged counts."
    ]


def _votes(workspace: Workspace, truth: Truth) -> JudgedBallots | None:
    if store.load_manifest(workspace.votes) is None:
        return None
    votes = read_votes(workspace)
    plan = votes.manifest.plan
    full = DecimalShare.parse(str(plan.settings["full"]), "full")
    return ballots_at(votes.ballots, truth, full, plan.seed or 0)


def _wordings(workspace: Workspace) -> dict[str, str]:
    """Return what the templates of the first value that has most of them ask, by number."""
    plan = store.require(workspace.votes, "label-attributes ask").plan
    if wordings_digest(workspace.vocabulary) != plan.inputs.get("wordings"):
        return {}
    values = load_vocabulary(workspace.vocabulary).values
    texts = max((value.templates for value in values), key=len, default=())
    noun = plan.settings.get("noun")
    return {
        str(number): text if noun is None else filled(text, str(noun))
        for number, text in enumerate(texts, 1)
    }


def _weights(plan: AuditPlan) -> dict[Thing, float]:
    return {item.thing(): 1 / item.probability for item in plan.items if item.twice}


def _digest(decisions: Standing) -> str:
    """Return one digest of who holds what of which thing."""
    return store.digest_of(
        [
            [*thing, auditor, each.verdict, each.after, each.failed]
            for thing in in_order(decisions)
            for auditor, each in sorted(decisions[thing].items())
        ]
    )
