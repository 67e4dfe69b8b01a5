"""What the command says of a plan."""

from collections.abc import Iterator, Sequence

from benchwright.next_step import judging_text, syncing_text, workspace_text
from benchwright.plain_text import excerpt
from benchwright.statistics.intervals import Estimate, size_for
from benchwright.workspace import Workspace
from labeling.attributes.labels.report import listed
from labeling.audits.accuracy import Share
from labeling.audits.planning.plan import Planned
from labeling.audits.planning.plan_file import PlannedStratum
from labeling.audits.planning.strata import margin_text

_GUESSES = (0.99, 0.95, 0.85)  # shares of right labels for which a pilot says what they would take
_TYPES = 12


def plan_lines(planned: Planned, workspace: Workspace) -> list[str]:
    """Return the lines that say what is to be judged, for what, how long it takes, what next."""
    lines = [_first(planned), "", *_table(planned), ""]
    lines += _precision(planned)
    lines += _types(planned)
    lines += _notes(planned)
    lines.append(_time(planned))
    lines.append(f"plan: {workspace.audits / 'plan.json'}")
    lines.append(_next(planned, workspace))
    return lines


def _first(planned: Planned) -> str:
    plan, whole = planned.plan, len(planned.population)
    name = "pilot" if plan.stage == "pilot" else "plan"
    twice = sum(stratum.twice for stratum in plan.strata)
    seen = sum(each.seen for each in planned.accuracy.by_stratum.values())
    judged = f"; {seen:,} are judged" if seen else ""
    return f"{name}: {len(plan.items):,} of {whole:,} labels, {twice:,} by two auditors{judged}"


def _table(planned: Planned) -> Iterator[str]:
    """Yield the strata by class of the margin: all types of a class in one row."""
    strata, tallies = planned.plan.strata, planned.accuracy.by_stratum
    head = ("margin", "labels", "strata", "judge", "by two", "judged", "wrong")
    rows: list[tuple[str, ...]] = [head]
    for low, high in sorted({(each.low, each.high) for each in strata}):
        rows.append(
            (
                margin_text(low, high),
                *_figures([each for each in strata if each.low == low], planned),
            )
        )
    rows.append(("all", *_figures(strata, planned)))
    if not any(each.seen for each in tallies.values()):
        rows = [row[:-2] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
        yield "  ".join(("", first.ljust(widths[0]), *cells))


def _figures(strata: Sequence[PlannedStratum], planned: Planned) -> tuple[str, ...]:
    tallies = [planned.accuracy.by_stratum[each.name] for each in strata]
    counts = (
        sum(each.size for each in strata),
        len(strata),
        sum(each.planned for each in strata),
        sum(each.twice for each in strata),
        sum(each.seen for each in tallies),
        sum(each.wrong for each in tallies),
    )
    return tuple(f"{count:,}" for count in counts)


def _precision(planned: Planned) -> Iterator[str]:
    chosen, overall = planned.plan.settings, planned.accuracy.overall
    wanted = f"± {chosen.half_width:g} at {100 * chosen.confidence:g} % confidence"
    if planned.plan.stage == "pilot":
        yield f"wanted: the share of right labels {wanted}; the pilot will say what that takes:"
        whole = len(planned.population)
        for guess in _GUESSES:
            size = size_for(chosen.half_width, guess, chosen.confidence)
            most = min(whole, round(size / (1 + size / whole)))
            yield f"  if {100 * guess:g} % are right, about {max(most, 1):,} labels"
        return
    yield f"right: {_share_text(overall)}; wanted {wanted}"


def _types(planned: Planned) -> list[str]:
    if planned.plan.stage == "pilot":
        return []
    shares = planned.accuracy.by_type
    if len(shares) < 2:
        return []
    known = sorted(
        shares, key=lambda name: 2.0 if (found := shares[name].estimate) is None else found.share
    )
    entries = [f"{excerpt(name)}: {_share_text(shares[name])}" for name in known]
    return listed("by type, the worst first:", entries, _TYPES)


def _share_text(share: Share) -> str:
    if share.estimate is None:
        return f"not known yet ({share.told:,} of {share.planned:,} judged)"
    return f"{_ranged(share.estimate)} of {share.told:,} judged"


def _ranged(found: Estimate) -> str:
    return f"{100 * found.share:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


def _notes(planned: Planned) -> Iterator[str]:
    overall = planned.accuracy.overall
    if (overall.unsure or overall.undecided) and overall.worst is not None:
        yield (
            f"left out of that: {overall.unsure:,} that no auditor could tell,"
            f" {overall.undecided:,} on which auditors differ; were all of them wrong"
            f" {100 * overall.worst:.1f} %, were all right {100 * (overall.best or 0):.1f} %"
        )
    left_out = planned.population.left_out
    if left_out:
        told = {
            "unsure": "that the votes leave unsure",
            "catalog": "that the catalog states",
        }
        parts = [f"{count:,} {told[reason]}" for reason, count in left_out.items()]
        yield f"no part of it: labels {', '.join(parts)}"
    if planned.bad_lines:
        first = planned.bad_lines[0]
        yield (
            f"decisions.jsonl: {len(planned.bad_lines):,} lines are no decision and are left"
            f" aside, such as line {first.number}: {first.reason}"
        )


def _time(planned: Planned) -> str:
    took, left = planned.duration, planned.left
    if not left:
        return "nothing is left to judge"
    judgements = "1 judgement" if left == 1 else f"{left:,} judgements"
    if took is None:
        return f"left: {judgements}; how long they take is known once some are made"
    return (
        f"left: {judgements}, about {_time_text(left * took.median)}"
        f" ({_time_text(left * took.low)} to {_time_text(left * took.high)}) at {took.median:.1f} s"
        f" each ({took.low:.1f} to {took.high:.1f})"
    )


def _time_text(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _next(planned: Planned, workspace: Workspace) -> str:
    where = workspace_text(workspace)
    if planned.left:
        return (
            f"next: {judging_text('attributes', workspace)}{where}, then"
            f" {syncing_text(workspace)}{where} and review-labels plan{where} again"
        )
    return f"the audit is done; next: review-labels report{where}"
