"""What a reader must know to read the figures of a report, or to cite them."""

from collections.abc import Iterator

from benchwright import __version__
from labeling.audits.reporting.report import Findings, Report
from labeling.audits.reporting.wording import level


def method_lines(report: Report) -> list[str]:
    """Return what the figures mean and what they are of, a line for each."""
    lines = list(_inputs(report))
    if report.findings is not None:
        lines += _labels(report.findings)
    lines += _agreement(report)
    return lines


def _inputs(report: Report) -> Iterator[str]:
    yield (
        f"{report.judgements:,} judgements of {report.things:,} things stand, of each auditor the"
        f" latest on a thing; sha256 of who holds what: {report.digest}."
    )
    if report.findings is not None:
        plan = report.findings.plan
        yield (
            f"The labels are those of the plan (content digest {plan.labels}, seed"
            f" {plan.settings.seed}), as the votes had them before any audit."
        )
    yield f"Made by benchwright {__version__}; agreement.json beside this has all figures."
    yield (
        f"Intervals are of {level(report)} confidence: Wilson's (1927) for shares, at the effective"
        f" sample size; by bootstrap over pictures for coefficients, {report.settings.draws:,}"
        f" draws, seed {report.settings.seed}. A coefficient has none where all agree, for then no"
        " draw differs."
    )


def _labels(findings: Findings) -> Iterator[str]:
    yield (
        "The share of right labels is the mean over strata (type by class of the vote margin)"
        " weighted by their sizes, with the finite-population correction. A label is right when"
        " most of its auditors hold the machine's answer; those that nobody could tell and those"
        " on which two answers are as frequent are left out."
    )
    yield (
        "Against voters, each judged label counts for as many of its stratum as it stands for. A"
        " voter's answer to a label is that of most of its questions; abstentions are in neither"
        " share. Only answers count that no early stop selected: left out are labels of which the"
        " voter was asked because others had disagreed."
    )
    yield (
        "Where errors gather, parts stand by the upper bound of their interval, the lowest first,"
        " so that a part of which little was judged is not put in front by chance."
    )
    if findings.unmatched:
        yield f"{findings.unmatched:,} judged labels have no votes here."


def _agreement(report: Report) -> Iterator[str]:
    if report.third_looks:
        yield (
            f"Third looks at what two auditors differ on, {report.third_looks:,} judgements, decide"
            " what is right and are in no figure of agreement, for hard things called for them."
        )
    if report.named:
        yield (
            f"In none of them are {report.named:,} judgements on values that an auditor named in"
            " the place of the one that was asked: no plan drew those."
        )
    if report.labels is not None:
        yield (
            "Agreement on labels takes unsure as an answer of its own, and once more yes and no"
            " alone."
        )
    yield (
        "Kappa is Cohen's (1960), of more than two auditors the mean over pairs by what each pair"
        " judged (Light 1971); it is null where the agreement expected by chance is 1. Alpha is"
        " Krippendorff's (2011) for nominal codes, AC1 Gwet's (2008)."
    )
    if report.marks:
        yield (
            "Precision, recall and F1 of sets are of the first annotator's set against the"
            " second's, by the ids in them, as means over sets; changing the two about changes"
            " precision and recall about and leaves F1."
        )
