"""What the command says of a mapping."""

from collections import Counter
from collections.abc import Iterator

from benchwright.next_step import judging_text, workspace_text
from benchwright.plain_text import counted, excerpt
from benchwright.workspace import Workspace
from labeling.attributes.labels.report import listed
from labeling.dialogues.candidate_set.mapping.map_points import Mapped, mapped_folder

_SHOWN = 6  # lines of a list before it is cut


def mapping_lines(mapped: Mapped, workspace: Workspace) -> Iterator[str]:
    """Yield the funnel, what was left out and why, what stands, and what to do next."""
    counts = mapped.manifest.counts
    yield (
        f"{counted(counts['dialogues'], 'dialogue')} annotated → {counts['kept']:,} with a box for"
        f" each mark at every turn; {counted(mapped.new_decisions, 'new decision')}"
    )
    failed = [
        f"{_cut(one.dialogue_id)} by {_cut(one.annotator)}{_turn(one.failed_turn)}:"
        f" {excerpt(one.detail or '')}"
        for one in mapped.dialogues
        if not one.is_kept
    ]
    why = ", ".join(f"{_words(name)} {count:,}" for name, count in mapped.manifest.reasons.items())
    where = workspace.relative(mapped_folder(workspace))
    yield from listed(
        f"left out: {len(failed):,} ({why}), all in {where}/mapped.parquet", failed, _SHOWN
    )
    reasons = Counter(reject.reason for reject in mapped.rejects)
    bad = ", ".join(f"{_words(name)} {count:,}" for name, count in sorted(reasons.items()))
    title = f"rows of nobody or of no turn: {len(mapped.rejects):,} ({bad})"
    yield from listed(
        f"{title}, all in {where}/rejects.parquet",
        [excerpt(reject.message) for reject in mapped.rejects],
        _SHOWN,
    )
    decided = mapped.decided
    withheld = ", ".join(f"{count:,} {reason}" for reason, count in decided.reasons.items())
    because = f" ({withheld})" if withheld else ""
    yield (
        f"candidate-set: {counted(decided.counts['dialogues'], 'turn')} approved,"
        f" {decided.counts['withheld']:,} withheld{because}"
    )
    yield f"next: {_next(mapped, workspace)}{workspace_text(workspace)}"


def _next(mapped: Mapped, workspace: Workspace) -> str:
    if "undecided" in mapped.decided.reasons:
        return judging_text("disagreements", workspace)
    if mapped.decided.reasons.get("not judged yet"):
        return judging_text("candidate-set", workspace)
    if len({one.annotator for one in mapped.dialogues if one.is_kept}) < 2:
        return "build-dialogues candidate-set funnel"
    return "build-dialogues candidate-set agreement --reference NAME"


def _turn(number: int | None) -> str:
    return "" if number is None else f", turn {number}"


def _cut(name: str) -> str:
    return excerpt(name, 40)


def _words(reason: str) -> str:
    return reason.replace("_", " ")
