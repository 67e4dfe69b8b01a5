"""The tables of a report as text, for Markdown and the page to draw."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchwright.plain_text import excerpt
from benchwright.statistics.agreement.sets import SetScores
from labeling.attributes.measuring.wording import UNKNOWN, percent, ranged
from labeling.audits.accuracy import Share
from labeling.audits.planning.strata import margin_text
from labeling.audits.reporting.agreement import ENOUGH, Agreement, BoardAgreement, LabelAgreement
from labeling.audits.reporting.auditors import Auditor
from labeling.audits.reporting.board import CANDIDATES, DISTRACTORS
from labeling.audits.reporting.confusion import Confusion
from labeling.audits.reporting.lowest import Part
from labeling.audits.reporting.marks import MarkAgreement
from labeling.audits.reporting.report import Findings, Report
from labeling.audits.reporting.wording import (
    coefficient,
    exact,
    part,
    plain_share,
    said_shares,
    seconds,
    share,
    worst_to_best,
)

_LOWEST = 10  # parts of each kind in a table; agreement.json has all
_BAD_LINES = 20
_SETS = {CANDIDATES: "Candidate sets", DISTRACTORS: "Distractors that are wrong"}
_AGREEMENT = ("judged by two", "by one alone", "exact agreement", "kappa", "alpha", "AC1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; the first ``texts`` columns are names, the others figures. ``more`` follows it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    more: str = ""


def type_table(findings: Findings) -> Table:
    """Return how many labels are right, of all and by type."""
    found = findings.accuracy
    rows = [
        ("all", found.overall),
        *((excerpt(name), each) for name, each in found.by_type.items()),
    ]
    return _share_table("By type", "type", rows)


def margin_table(findings: Findings) -> Table:
    """Return how many labels are right by class of the vote margin."""
    rows = [
        (margin_text(low, high), each) for (low, high), each in findings.accuracy.by_margin.items()
    ]
    return _share_table("By vote margin", "margin", rows)


def _share_table(title: str, first: str, rows: Iterable[tuple[str, Share]]) -> Table:
    return Table(
        title=title,
        head=(
            *(first, "labels", "planned", "right", "wrong", "unsure", "undecided"),
            *("share right", "worst to best", "unweighted"),
        ),
        rows=tuple(
            (
                name,
                *(f"{count:,}" for count in _counts(each)),
                share(each),
                worst_to_best(each),
                plain_share(each),
            )
            for name, each in rows
        ),
    )


def _counts(found: Share) -> tuple[int, ...]:
    wrong = found.told - found.right
    return found.size, found.planned, found.right, wrong, found.unsure, found.undecided


def label_tables(found: LabelAgreement) -> list[Table]:
    """Return how far auditors agree on labels."""
    rows = [("yes, no or unsure", found.answers.overall), ("yes or no", found.yes_or_no.overall)]
    if found.weighted is not None:
        rows.append(("yes, no or unsure, weighted", found.weighted))
    tables = [_agreement_table("All auditors", "answers", rows)]
    tables += _pair_table(found.answers)
    tables.append(
        _agreement_table(
            "By type", "type", [(excerpt(name), each) for name, each in found.types.items()]
        )
    )
    values = [(excerpt(f"{kind}: {value}"), each) for (kind, value), each in found.values.items()]
    title = f"By value, where two judged {ENOUGH} or more"
    return tables + ([_agreement_table(title, "value", values)] if values else [])


def record_tables(report: Report) -> list[Table]:
    """Return how far auditors agree on records, by the field that they judged."""
    rows = [(excerpt(field), each.overall) for field, each in report.records.items()]
    tables = [_agreement_table("Verdicts on records", "judged", rows)] if rows else []
    for field, each in report.records.items():
        tables += _pair_table(each, f"{excerpt(field)}: pairs of auditors")
    return tables


def _pair_table(found: BoardAgreement, title: str = "Pairs of auditors") -> list[Table]:
    if len(found.auditors) < 3:  # of two the pair is all
        return []
    rows = [
        (f"{excerpt(pair.first, 40)}, {excerpt(pair.second, 40)}", pair.agreement)
        for pair in found.pairs
    ]
    return [_agreement_table(title, "auditors", rows)] if rows else []


def _agreement_table(title: str, first: str, rows: Iterable[tuple[str, Agreement]]) -> Table:
    return Table(
        title=title,
        head=(first, *_AGREEMENT),
        rows=tuple(
            (
                name,
                f"{each.judged:,}",
                f"{each.left_out:,}",
                exact(each.exact),
                *(coefficient(figure) for figure in (each.kappa, each.alpha, each.ac1)),
            )
            for name, each in rows
        ),
    )


def mark_tables(report: Report) -> list[Table]:
    """Return how far auditors agree on sets, by what the sets are of."""
    return [_mark_table(_SETS.get(field, field), found) for field, found in report.marks.items()]


def _mark_table(title: str, found: MarkAgreement) -> Table:
    head = ("first", "second", "both", "by one alone", "same set", "precision", "recall", "F1")
    rows = [
        (
            *(excerpt(name, 40) for name in (pair.first, pair.second)),
            *(f"{count:,}" for count in (pair.judged, pair.left_out)),
            part(pair.same, pair.judged),
            *_scores(pair.agreement.mean),
        )
        for pair in found.pairs
    ]
    judged = sum(pair.judged for pair in found.pairs)
    same = sum(pair.same for pair in found.pairs)
    everybody = ("all pairs", "", f"{judged:,}", "", part(same, judged))
    rows.append((*everybody, UNKNOWN, UNKNOWN, coefficient(found.overall.f1)))
    more = (
        f"{found.unread:,} decisions hold no list of boxes and are left out."
        if found.unread
        else ""
    )
    return Table(title=title, head=head, rows=tuple(rows), texts=2, more=more)


def _scores(found: SetScores) -> tuple[str, ...]:
    return tuple(coefficient(each) for each in (found.precision, found.recall, found.f1))


def confusion_table(findings: Findings) -> Table:
    """Return how labels and voters stand against what auditors hold."""
    return Table(
        title="Labels and voters against auditors",
        head=(
            *("", "labels", "left out", "sensitivity", "specificity"),
            *("its yes that are right", "its no that are right", "abstains"),
        ),
        rows=tuple(
            (
                excerpt(each.name, 60),
                f"{each.labels:,}",
                f"{each.left_out:,}",
                *(
                    ranged(figure)
                    for figure in (
                        *(each.sensitivity, each.specificity),
                        *(each.right_yes, each.right_no),
                    )
                ),
                percent(each.abstained.share),
            )
            for each in (findings.labels, *findings.voters)
        ),
    )


def cells_table(findings: Findings) -> Table:
    """Return the confusions themselves: shares of what is yes, and of what is no."""
    return Table(
        title="What is said of labels that are yes, and of those that are no",
        head=(
            *("", "are yes", "says yes", "says no", "abstains"),
            *("are no", "says yes", "says no", "abstains"),
        ),
        rows=tuple(_cells(each) for each in (findings.labels, *findings.voters)),
    )


def _cells(found: Confusion) -> tuple[str, ...]:
    cells = [excerpt(found.name, 60)]
    for said in (found.are_yes, found.are_no):
        shares = said_shares(said)
        cells.append(f"{said.labels:,}")
        cells += [percent(each) if said.labels else UNKNOWN for each in shares]
    return tuple(cells)


def lowest_tables(findings: Findings) -> list[Table]:
    """Return where errors gather, the first of each kind."""
    found = findings.lowest
    kinds: list[tuple[str, str, Sequence[Part], str]] = [
        ("Types", "type", found.types, "judged"),
        ("Values", "value", found.values, "judged"),
        ("Templates", "template", found.templates, "answers"),
        ("Views", "view", found.views, "answers"),
        ("Voters", "voter", found.voters, "answers"),
    ]
    return [
        Table(
            title=title,
            head=(first, counted, "wrong", "share right"),
            rows=tuple(
                (
                    _part_name(each, first, findings),
                    f"{each.judged:,}",
                    f"{each.wrong:,}",
                    ranged(each.right),
                )
                for each in parts[:_LOWEST]
            ),
            more=f"and {len(parts) - _LOWEST:,} more in agreement.json"
            if len(parts) > _LOWEST
            else "",
        )
        for title, first, parts, counted in kinds
        if parts
    ]


def _part_name(found: Part, kind: str, findings: Findings) -> str:
    name = excerpt(": ".join(found.name))
    text = findings.wordings.get(name) if kind == "template" else None
    return name if text is None else f"{name}, such as “{excerpt(text)}”"


def auditor_table(found: Sequence[Auditor]) -> Table:
    """Return what each auditor did."""
    kinds = sorted({kind for each in found for kind in each.judged})
    return Table(
        title="Auditors",
        head=(
            *("auditor", *map(excerpt, kinds), "seconds each (median)"),
            *("unsure", "against most of the others"),
        ),
        rows=tuple(
            (
                excerpt(each.name, 60),
                *(f"{each.judged.get(kind, 0):,}" for kind in kinds),
                seconds(each.seconds),
                part(each.unsure, each.total),
                part(each.against, each.shared),
            )
            for each in found
        ),
    )


def bad_line_table(report: Report) -> Table | None:
    """Return the lines of the journal that are no decision; null without any."""
    bad = report.bad_lines
    if not bad:
        return None
    return Table(
        title="Lines of the journal that are no decision",
        head=("line", "reason"),
        rows=tuple((f"{each.number:,}", excerpt(each.reason)) for each in bad[:_BAD_LINES]),
        texts=2,
        more=f"and {len(bad) - _BAD_LINES:,} more" if len(bad) > _BAD_LINES else "",
    )
