"""What every command that makes a catalog prints at its end."""

from typing import TYPE_CHECKING

from benchwright.commands import say
from benchwright.workspace import Workspace

if TYPE_CHECKING:
    from builders.catalog import Built

_MOST_REASONS = 8


def print_result(
    workspace: Workspace, built: "Built", *, most_reasons: int = _MOST_REASONS
) -> None:
    """Print the account of a catalog, where it is, and what to run next."""
    from benchwright.next_step import next_step  # noqa: PLC0415  # imports pyarrow
    from builders.links import link_lines  # noqa: PLC0415

    manifest = built.manifest
    counts = manifest.counts
    if built.asked_again:
        noun = "link" if built.asked_again == 1 else "links"
        say(f"asked {built.asked_again} {noun} again: no final answer yet")
    if not built.is_new:
        say("nothing to do: this catalog was built from the same inputs (--force redoes it)")
    say(
        f"{counts['rows']} rows = {counts['items']} items + {counts['rejects']} rejects; "
        f"{counts['pictures']} pictures"
    )
    reasons = sorted(manifest.reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    for reason, count in reasons[:most_reasons]:
        say(f"  {count:>7} {reason}")
    if reasons:
        say(f"each of them, with its line: {workspace.catalog / 'rejects.parquet'}")
    for line in link_lines(counts):
        say(line)
    say(f"catalog: {workspace.catalog}")
    say(next_step(workspace))
