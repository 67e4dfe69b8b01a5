"""What the commands say of votes, labels and calibration."""

from collections.abc import Iterator, Sequence

import numpy as np

from benchwright import store
from benchwright.plain_text import excerpt
from benchwright.statistics.intervals import Estimate
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.calibrate import Calibrated
from labeling.attributes.deciding.codes import LABEL_CODES
from labeling.attributes.deciding.ranking import Ranked
from labeling.attributes.deciding.table import has_label
from labeling.attributes.labels.decide import Decided
from labeling.attributes.labels.report import listed
from labeling.attributes.voting.clip_calibration import ClipCalibrated
from labeling.attributes.voting.clip_thresholds import Cut

_SHOWN = 8  # lines of a list before it is cut


def ask_lines(manifest: store.Manifest, workspace: Workspace) -> list[str]:
    """Return what asking did: subjects, questions, those that were saved, statuses."""
    counts = manifest.counts
    planned, saved = counts["planned"], counts["saved"]
    share = f" ({saved / planned:.0%})" if planned else ""
    lines = [
        f"{counts['subjects']:,} {manifest.plan.settings['subjects']}:"
        f" {counts['votes']:,} of {planned:,} planned questions asked, {saved:,} saved{share}"
    ]
    if counts["calls"] < counts["model_votes"]:
        lines.append(f"  those of models in {counts['calls']:,} calls")
    silent = [
        f"{counts[status]:,} {status}"
        for status in ("refused", "truncated", "unparsed", "failed")
        if counts.get(status)
    ]
    if silent:
        lines.append(f"  without an answer: {', '.join(silent)}")
    if counts.get("failed"):
        lines.append("  run it again to ask the failed ones once more")
    if counts["not_recorded"]:
        lines.append(
            f"  {counts['not_recorded']:,} not recorded: the votes of a replay voter lack them, and"
            " asking again does not help"
        )
    return [*lines, f"  votes: {workspace.votes}"]


def decide_lines(decided: Decided, workspace: Workspace, *, done_before: bool) -> list[str]:
    """Return what the labels are, how sure, and what settling the rest would cost."""
    answers = decided.outcome.answer[has_label(decided.ballots, decided.outcome)]
    settings = decided.manifest.plan.settings
    said = {name: int((answers == code).sum()) for name, code in LABEL_CODES.items()}
    done = " (done before)" if done_before else ""
    lines = [
        f"{len(answers):,} values decided by {settings['method']}: {said['yes']:,} yes,"
        f" {said['no']:,} no, {said['unsure']:,} unsure{done}",
        f"  {decided.manifest.counts['labels']:,} labels: {workspace.labels / 'labels.parquet'}",
    ]
    if audited := decided.manifest.counts.get("audited"):
        lines.append(f"  {audited:,} of them follow from what people decided")
    if decided.voted_down and settings["keep_catalog"]:
        lines.append(f"  {decided.voted_down:,} values that the catalog states were voted down")
    if decided.ballots.left_out:
        lines.append(
            f"  {decided.ballots.left_out:,} votes left out: their values are no longer in the"
            " vocabulary"
        )
    lines += _saved(decided)
    return lines + _unsettled(decided)


def _saved(decided: Decided) -> Iterator[str]:
    saved = decided.savings
    if saved is None or not saved.planned:
        return
    line = f"  questions saved: {saved.saved / saved.planned:.0%} of {saved.planned:,}"
    if saved.sample_planned:
        best = 1 - saved.sample_fewest / saved.sample_planned
        own = 1 - saved.sample_by_order / saved.sample_planned
        line += (
            f"; where all were asked, this order would have saved {own:.0%}, the best in"
            f" hindsight {best:.0%}"
        )
    yield line


def _unsettled(decided: Decided) -> list[str]:
    unsettled = decided.unsettled
    if not len(unsettled.cells):
        return []
    entries = [
        f"{excerpt(decided.ballots.name(cell))} (up to {most})"
        for cell, most in zip(unsettled.cells.tolist(), unsettled.most.tolist(), strict=True)
        if most  # the others wait for a value of the same type
    ]
    waiting = len(unsettled.cells) - len(entries)
    about = (
        f" about {len(entries):,} of them, for which the other {waiting:,} wait" if waiting else ""
    )
    title = (
        f"{len(unsettled.cells):,} labels are not settled by the stored votes; settling them takes"
        f" {unsettled.at_least:,} to {unsettled.at_most:,} more questions{about}:"
    )
    return listed(title, entries, _SHOWN)


def calibration_lines(result: Calibrated) -> list[str]:
    """Return how good the voters are, which templates and views, and what is not known enough."""
    known, found = result.known, result.found
    lines = [f"{int(known.usable.sum()):,} known values count"]
    lines += _ranked("voters", result.voters)
    lines += _ranked("templates", result.templates)
    lines += _ranked("views", result.views)
    few = int((~found.enough).sum())
    if few:
        lines.append(
            f"{'Not enough audited' if result.is_audited else 'Too little known'} to judge"
            f" {few:,} of {found.enough.size:,} pairs of voter and value: their intervals are wider"
            f" than {result.widest:g} (--widest); the weights file names them by enough: false"
        )
    return [*lines, f"weights: {result.weights}", f"plot: {result.plot}"]


def _ranked(title: str, parts: Sequence[Ranked]) -> list[str]:
    if len(parts) < 2:
        return []
    width = max(len(part.name) for part in parts)
    rows = [
        f"  {part.name:<{width}}  right {_estimate(part.right)}  {part.answers:>7,} answers"
        f"  {part.abstained:>4.0%} abstained"
        for part in parts
    ]
    return [f"{title}, by how often yes and no were right:", *rows]


def _estimate(right: Estimate) -> str:
    if np.isnan(right.share):
        return "unknown"
    return f"{right.share:.1%} ({right.low:.1%} to {right.high:.1%})"


def clip_lines(result: ClipCalibrated) -> list[str]:
    """Return what a clip voter can see, by the mean over its questions of a value."""
    by_value: dict[tuple[str, str], list[Cut]] = {}
    for (kind, value, _, _), cut in result.thresholds.items():
        by_value.setdefault((kind, value), []).append(cut)
    blind = [
        _named(kind, value)
        for (kind, value), cuts in sorted(by_value.items())
        if all(cut.is_chance for cut in cuts)
    ]
    seen = [cut.balanced.share for cuts in by_value.values() for cut in cuts if not cut.is_chance]
    lines = [
        f"{result.voter}: {len(by_value) - len(blind):,} of {len(by_value):,} values can be told"
        f" from chance on {result.subjects:,} known subjects"
    ]
    if seen:
        lines.append(f"  balanced accuracy of a question about these: {float(np.mean(seen)):.1%}")
    lines += listed(f"it abstains on {len(blind):,}:", blind, _SHOWN)
    return [*lines, f"cuts: {result.path}"]


def _named(kind: str, value: str) -> str:
    return f"{excerpt(kind)}: {excerpt(value)}"
