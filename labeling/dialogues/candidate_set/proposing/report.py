"""What the command says of proposals."""

from collections.abc import Iterator

from benchwright import store
from benchwright.asking.options import once_more
from benchwright.next_step import judging_text, workspace_text
from benchwright.plain_text import counted, excerpt
from benchwright.records import ProposedMarks
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.attributes.labels.report import listed
from labeling.dialogues.candidate_set.proposing.proposals import proposals_folder
from labeling.dialogues.candidate_set.proposing.propose import COMMAND

_SHOWN = 6  # lines of a list before it is cut


def proposal_lines(
    manifest: store.Manifest, workspace: Workspace, *, was_there: bool
) -> Iterator[str]:
    """Yield the lines about a proposals stage; the last one is what to run next."""
    counts = manifest.counts
    given_up = f"given up, for its answers break rules; {_once_more(manifest)}"
    if was_there:
        redo = _once_more(manifest) if counts["given_up"] else "--force redoes it"
        yield f"nothing to do: these voters were asked about these drafts before ({redo})"
    proposed = counts["proposed"]
    mean = f", {counts['boxes'] / proposed:.1f} boxes a turn" if proposed else ""
    yield (
        f"{proposed:,} of {counted(counts['turns'], 'turn')} with proposed boxes{mean}; they are"
        " shown to people and count for nothing"
    )
    if counts["widened"]:
        turns = counted(counts["widened"], "turn")
        yield f"  {turns} with a box more than those proposed for the turn before"
    table = store.read_table(proposals_folder(workspace), "proposals.parquet")
    rows = [row for row in from_table(table, ProposedMarks) if not row.box_ids]
    for what, chosen in (
        (given_up, [row for row in rows if not row.is_failed]),
        ("not answered", [row for row in rows if row.is_failed]),
    ):
        entries = [f"{row.dialogue_id}/{row.turn}: {_last(row.faults)}" for row in chosen]
        yield from listed(f"{what}: {len(chosen):,}", entries, _SHOWN)
    where = workspace_text(workspace)
    if counts["failed"]:
        yield f"next: {COMMAND} --voters FILE{where} (what was answered is kept)"
    elif not proposed:
        yield (
            f"next: {COMMAND} with more --max-retries or other models (what was answered is kept),"
            f" or {judging_text('candidate-set', workspace)}{where}"
        )
    else:
        yield f"next: {judging_text('candidate-set', workspace)}{where}"


def _once_more(manifest: store.Manifest) -> str:
    return once_more(manifest.plan.settings["max_retries"])


def _last(faults: tuple[str, ...]) -> str:
    return excerpt(faults[-1], 200) if faults else "no reason given"
