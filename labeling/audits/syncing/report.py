"""What the command says of a sync."""

import shlex
from collections.abc import Iterator, Sequence

from benchwright.decisions import on_responses
from benchwright.decisions.standing import Thing
from benchwright.next_step import judging_text, next_step, workspace_text
from benchwright.plain_text import excerpt
from benchwright.workspace import Workspace
from labeling.attributes.labels.report import listed
from labeling.audits.run_of_responses import run_of
from labeling.audits.syncing.redeciding import Redecided
from labeling.audits.syncing.sync import DialoguesDecided, Synced

_SHOWN = 6  # lines of a list before it is cut


def sync_lines(synced: Synced, workspace: Workspace) -> Iterator[str]:
    """Yield a line for each part of what happened, and what to do next."""
    yield from _read(synced)
    yield _labels(synced.labels)
    for each in synced.dialogues:
        yield _dialogues(each)
    yield from _differing(synced)
    undecided = synced.differing.undecided
    if undecided:
        run = _run(undecided, workspace)
        yield f"next: {judging_text('disagreements', workspace)}{run}{workspace_text(workspace)}"
    else:
        yield next_step(workspace)


def _run(undecided: Sequence[Thing], workspace: Workspace) -> str:
    """Return the option that names the run of responses: what was answered it knows alone."""
    if not any(thing.field == on_responses.FIELD for thing in undecided):
        return ""
    run = run_of(undecided, workspace)
    return " --run RUN" if run is None else f" --run {shlex.quote(run)}"


def _read(synced: Synced) -> Iterator[str]:
    if synced.gathered is None:
        yield "no audit was opened in this workspace: there is no database to read decisions from"
        return
    read = sum(each.judgements for each in synced.gathered)
    taken = synced.taken_in
    withdrawn = f", {taken.withdrawn:,} of them withdrawn" if taken.withdrawn else ""
    sources = ", ".join(excerpt(each.source) for each in synced.gathered) or "no audit"
    yield f"judgements: {read:,} of {sources}; {taken.new:,} new decisions{withdrawn}"
    for each in synced.gathered:
        if each.is_sheet and not each.judgements:
            yield f"  {excerpt(each.source)} is not filled in: its column verdict is empty"
    refused = [one for each in synced.gathered for one in each.refused]
    entries = [f"{one.place}: {one.reason}" for one in refused]
    yield from listed(f"no decision, so left out: {len(refused):,}", entries, _SHOWN)
    if synced.left_out is not None:
        yield f"  all of them: {synced.left_out}"


def _labels(labels: Redecided | None) -> str:
    if labels is None:
        return "labels: as they were"
    if labels.stuck is not None:
        return f"labels: not decided anew: {labels.stuck}"
    total = sum(labels.changes.values())
    parts = [
        f"{count:,} {was or 'no label'} to {became or 'no label'}"
        for (was, became), count in labels.changes.items()
    ]
    changed = f"{total:,} changed ({', '.join(parts)})" if parts else "no answer changed"
    return f"labels: {changed}; {labels.audited:,} follow from decisions"


def _dialogues(decided: DialoguesDecided) -> str:
    withheld = sum(decided.withheld.values())
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in decided.withheld.items())
    because = f" ({reasons})" if reasons else ""
    same = "" if decided.has_changed else ", as before"
    return f"{decided.kind}: {decided.stand:,} approved, {withheld:,} withheld{because}{same}"


def _differing(synced: Synced) -> Iterator[str]:
    undecided, contradictions = synced.differing.undecided, synced.differing.contradictions
    title = f"auditors are divided on {len(undecided):,}; a third look decides:"
    yield from listed(title, _names(undecided), _SHOWN)
    title = (
        f"contradictions: {len(contradictions):,} labels that people said yes to, of types that"
        " have one value; judge them again, until then the votes stand:"
    )
    yield from listed(title, _names(contradictions), _SHOWN)


def _names(things: Sequence[Thing]) -> list[str]:
    return [excerpt(" ".join(part for part in thing if part is not None)) for thing in things]
