"""What was seen and drafted as lines of text."""

from collections.abc import Iterator

from benchwright.next_step import judging_text, workspace_text
from benchwright.store import Manifest
from benchwright.workspace import Workspace
from labeling.dialogues.false_premise.falsifying.falsified import COMMAND as FALSIFY
from labeling.dialogues.false_premise.seeing.see import COMMAND


def seen_lines(seen: Manifest) -> Iterator[str]:
    """Yield what voters looked at, and what they left."""
    counts = seen.counts
    yield (
        f"{counts['sightings']:,} sightings of {counts['dialogues']:,} dialogues by"
        f" {', '.join(voter['name'] for voter in seen.plan.settings['voters'])}"
    )
    if counts["silent"]:
        yield f"  without an answer (refused, cut or unreadable): {counts['silent']:,}"
    if counts["boxes_left_out"]:
        most = seen.plan.settings["most_boxes"]
        yield (
            f"  not looked at: {counts['boxes_left_out']:,} boxes of {counts['pictures_cut']:,}"
            f" dialogues, beyond the {most} that --boxes allows, which are the largest"
        )
    if counts["failed"]:
        yield (
            f"  failed: {counts['failed']:,}; their dialogues are no drafts until the same command"
            " is run again and they are answered"
        )


def drafted_lines(made: Manifest) -> Iterator[str]:
    """Yield how many drafts there are, and why there are not more."""
    drafts, settled = made.counts["drafts"], made.counts["settled"]
    yield (
        f"{drafts:,} drafts: {settled:,} passed by sight, {drafts - settled:,} are not settled and"
        " come first in the audit"
    )
    for reason, count in made.reasons.items():
        yield f"  no draft, {reason}: {count:,}"


def next_line(seen: Manifest, made: Manifest, workspace: Workspace) -> str:
    """Return what comes next: the same again, other false descriptions, or people."""
    where = workspace_text(workspace)
    if seen.counts["failed"]:
        return f"next: {COMMAND} --voters FILE{where} (the same again; what was answered is kept)"
    if made.counts["affirmed"]:
        return f"next: {FALSIFY} --voters FILE{where} (for other false descriptions)"
    return f"next: {judging_text('false-premise', workspace)}{where}"
