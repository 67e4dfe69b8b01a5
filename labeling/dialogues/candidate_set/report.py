"""What the commands of candidate sets say of their steps."""

from collections import Counter
from collections.abc import Iterator, Mapping

from benchwright import store
from benchwright.next_step import judging_text, workspace_text
from benchwright.plain_text import counted
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import CHOOSING_STEPS, Choosing
from labeling.dialogues.candidate_set.choosing.remedy import remedy
from labeling.dialogues.candidate_set.choosing.rules import counts_any_category
from labeling.dialogues.candidate_set.funnel import NOT_JUDGED, Funnel, FunnelStep
from labeling.dialogues.candidate_set.sizes import Sizes
from labeling.dialogues.stored import UNDECIDED


def filter_lines(found: Choosing) -> Iterator[str]:
    """Yield how many dialogues were kept, and why the others were not."""
    counts = found.manifest.counts
    yield (
        f"filter: {counts['kept']:,} of {counted(counts['dialogues'], 'dialogue')} kept"
        f"{_standing(found)}"
    )
    yield from _left_out(found.manifest.reasons)
    unnamed = sum(map(counts_any_category, found.choices))
    if unnamed:
        yield f"  {_of_any_category(unnamed)}"


def after_filter(found: Choosing, workspace: Workspace) -> str:
    """Return what to do after a filter: sample, or what helps where nothing was kept."""
    if not found.manifest.counts["kept"]:
        return f"next: {remedy(found.manifest.reasons)}"
    return f"next: build-dialogues candidate-set sample{workspace_text(workspace)}"


def sample_lines(found: Choosing) -> Iterator[str]:
    """Yield how many dialogues were drawn, of each number of boxes that may be meant."""
    counts, wanted = found.manifest.counts, found.manifest.plan.settings["dialogues"]
    fewer = f" ({wanted:,} were wanted: all are taken)" if counts["kept"] < wanted else ""
    yield (
        f"sample: {counts['kept']:,} of {counted(counts['dialogues'], 'dialogue')}{fewer}"
        f"{_standing(found)}"
    )
    unnamed = all(one.category is None for one in found.choices)
    counted_boxes = "of any category" if unnamed else "that may be of the target's category"
    there = Counter(one.of_category for one in found.choices)
    drawn = Counter(one.of_category for one in found.choices if one.reason is None)
    for boxes, count in sorted(there.items()):
        yield f"  {boxes:>3} boxes {counted_boxes}: {drawn[boxes]:,} of {count:,}"


def draft_lines(made: store.Manifest) -> Iterator[str]:
    """Yield how many turns were drafted, of which dialogues."""
    step = next((name for name in CHOOSING_STEPS if name in made.plan.inputs), None)
    of_which = "all of the catalog" if step is None else f"of those that were {step}"
    turns, dialogues = made.counts["drafts"], made.counts["dialogues"]
    yield f"{counted(turns, 'turn')} of {counted(dialogues, 'dialogue')} ({of_which})"
    yield from _left_out(made.reasons)


def funnel_lines(funnel: Funnel) -> Iterator[str]:
    """Yield the funnel, a line a step, and the sizes of what stands."""
    yield "dialogues:"
    for step in funnel.steps:
        yield _step_line(step)
    if funnel.any_category:
        yield f"  {_of_any_category(funnel.any_category)}"
    if funnel.sizes is not None:
        yield from _size_lines(funnel.sizes)


def next_line(funnel: Funnel, workspace: Workspace) -> str:
    """Return what to do next: a command, or that nothing waits."""
    there = {step.name: step for step in funnel.steps}
    where = workspace_text(workspace)
    if there["drafted"].dialogues is None:
        if there["filtered"].dialogues == 0:
            return f"next: {remedy(there['filtered'].left_out)}"
        command = "run"
        if there["filtered"].dialogues is not None:
            command = "sample" if there["sampled"].dialogues is None else "draft"
        return f"next: build-dialogues candidate-set {command}{where}"
    if there["screened"].dialogues is None or NOT_JUDGED in there["screened"].left_out:
        return f"next: {judging_text('candidate-set', workspace)}{where}"
    if UNDECIDED in there["complete"].left_out:
        return f"next: {judging_text('disagreements', workspace)}{where}"
    return f"nothing waits for people; next: push-release build NAME --version 1.0.0{where}"


def _step_line(step: FunnelStep) -> str:
    if step.dialogues is None:
        return f"  {step.name:<9}      -"
    reasons = ", ".join(f"{_words(reason)} {n:,}" for reason, n in step.left_out.items())
    return f"  {step.name:<9} {step.dialogues:>6,}{f'  (left out: {reasons})' if reasons else ''}"


def _size_lines(sizes: Sizes) -> Iterator[str]:
    yield f"samples: {sizes.single:,} with a single box, {sizes.set:,} with a set of boxes"
    if sizes.means:
        means = ", ".join(f"{mean:.2f}" for mean in sizes.means)
        yield (
            f"mean size by turn: {means} ({counted(sizes.long_enough, 'dialogue')} of"
            f" {counted(len(sizes.means), 'turn')} or more)"
        )
    yield f"dialogues that are still open at the end: {sizes.open_at_the_end:,}"
    if sizes.clear_at_the_start:
        yield (
            f"dialogues with one box at turn 1 already: {sizes.clear_at_the_start:,}"
            " (no ambiguity; CandVG screens those out)"
        )


def _left_out(reasons: Mapping[str, int]) -> Iterator[str]:
    for reason, count in reasons.items():
        yield f"  left out, {_words(reason)}: {count:,}"


def _of_any_category(dialogues: int) -> str:
    return (
        f"the target has no category in {counted(dialogues, 'dialogue')}: boxes of any category"
        " were counted and compared"
    )


def _standing(found: Choosing) -> str:
    return "" if found.is_new else " (done before)"


def _words(reason: str) -> str:
    return reason.replace("_", " ")
