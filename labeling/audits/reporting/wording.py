"""How figures of a report are worded, on the terminal, in Markdown and on the page alike."""

from benchwright.statistics.agreement.coefficient import Coefficient
from labeling.attributes.measuring.wording import UNKNOWN, bounds, percent, ranged
from labeling.audits.accuracy import Share
from labeling.audits.reporting.agreement import Agreement
from labeling.audits.reporting.confusion import Said
from labeling.audits.reporting.report import Findings, Report

BIASED = (
    "biased, for labels were not drawn at equal rates: where votes were close or errors many, more"
    " were judged"
)


def figure(found: Coefficient) -> str:
    """Return a coefficient without its interval; a dash where it is null."""
    return UNKNOWN if found.value is None else f"{found.value:.2f}"


def interval(found: Coefficient) -> str:
    """Return the interval of a coefficient, after a blank; empty where there is none."""
    if found.low is None or found.high is None:
        return ""
    return f" ({found.low:.2f} to {found.high:.2f})"


def coefficient(found: Coefficient) -> str:
    """Return a coefficient with its interval, where it has one; a dash where it is null."""
    return figure(found) + interval(found)


def exact(found: Coefficient) -> str:
    """Return a share of agreement with its interval."""
    if found.value is None or found.low is None or found.high is None:
        return UNKNOWN
    return f"{percent(found.value)} ({percent(found.low)} to {percent(found.high)})"


def share(found: Share) -> str:
    """Return a share of right labels with its interval."""
    return "not known yet" if found.estimate is None else ranged(found.estimate)


def worst_to_best(found: Share) -> str:
    """Return what a share would be were all that is open wrong, or right."""
    if found.worst is None or found.best is None:
        return UNKNOWN
    return f"{percent(found.worst)} to {percent(found.best)}"


def plain_share(found: Share) -> str:
    """Return the share in which each judged label counts once."""
    return UNKNOWN if found.plain is None else percent(found.plain)


def many(count: float, one: str, more: str) -> str:
    """Return a number of things in words."""
    return f"{count:,.0f} {one if count == 1 else more}"


def level(report: Report) -> str:
    """Return the confidence of all intervals."""
    return f"{100 * report.settings.confidence:g}%"


def right_labels(report: Report, findings: Findings) -> str:
    """Return the sentence that says how many labels are right."""
    overall = findings.accuracy.overall
    size = f"the {overall.size:,} voted labels of yes or no"
    if overall.estimate is None:
        return f"How many of {size} are right is not known yet: of some strata nothing is judged."
    found = overall.estimate
    return (
        f"Of {size}, {percent(found.share)} are right ({level(report)} interval {bounds(found)})."
    )


def judged_labels(findings: Findings) -> str:
    """Return the sentences that say what that share rests on."""
    overall = findings.accuracy.overall
    seen = overall.told + overall.unsure + overall.undecided
    said = f"{seen:,} of {overall.planned:,} planned labels are judged, {overall.told:,} of them as"
    said += " right or wrong."
    if seen > overall.told:
        said += (
            f" Left out are {overall.unsure:,} that no auditor could tell and"
            f" {overall.undecided:,} on which auditors differ"
        )
        known = overall.worst is not None
        said += f"; were all of them wrong, or right: {worst_to_best(overall)}." if known else "."
    return said


def unweighted(findings: Findings) -> str:
    """Return the sentence on the share without weights."""
    return f"Each judged label counted once, {plain_share(findings.accuracy.overall)}: {BIASED}."


def agreement(found: Agreement) -> str:
    """Return the coefficients of some judgements in one line."""
    return (
        f"exact {exact(found.exact)}, kappa {coefficient(found.kappa)}, alpha"
        f" {coefficient(found.alpha)}, AC1 {coefficient(found.ac1)}"
    )


def said_shares(found: Said) -> tuple[float, float, float]:
    """Return the shares of yes, no and abstained, 0 to 1; all 0 where nothing was said."""
    total = found.total or 1.0
    return found.yes / total, found.no / total, found.abstained / total


def seconds(median: float | None) -> str:
    """Return how long a judgement took."""
    return UNKNOWN if median is None else f"{median:.1f} s"


def part(count: int, whole: int) -> str:
    """Return how many of how many, and their share."""
    return UNKNOWN if not whole else f"{count:,} of {whole:,} ({percent(count / whole)})"
