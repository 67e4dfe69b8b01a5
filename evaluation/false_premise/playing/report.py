"""What is said of a run of false premises: before its first call, and when it ends."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchwright import store
from benchwright.plain_text import counted
from benchwright.records import PlayedResponse
from benchwright.rows import from_table
from evaluation.false_premise.lost_labels import help_lines, lost_labels, lost_text
from evaluation.false_premise.playing.foreseeing import WORDS
from evaluation.false_premise.playing.material import Material
from evaluation.false_premise.playing.running import TABLE, Cast
from evaluation.running.run import Ran


def material_lines(material: Material, cast: Cast) -> Iterator[str]:
    """Yield what is played, by whom, who reads the answers, and with how many calls."""
    dialogues = material.dialogues
    turns = [turn for one in dialogues for turn in one.turns]
    false = sum(turn.has_false_premise for turn in turns)
    pictures = len({one.image_id for one in dialogues})
    classes = Counter(one.premise_class for one in dialogues)
    variants = sum(one.variant > 1 for one in dialogues)
    said = f", {variants:,} of them variants of others" if variants else ""
    yield (
        f"{material.release.name}, {material.config}: {counted(len(dialogues), 'dialogue')}{said}"
        f" about {counted(pictures, 'picture')}"
        f" ({', '.join(f'{name} {count:,}' for name, count in sorted(classes.items()))})"
    )
    yield f"{counted(len(turns), 'question')}, {false:,} of them with a false premise"
    if cast.detectors:
        names = ", ".join(one.name for one in cast.detectors)
        read, see = ("read", "see") if len(cast.detectors) > 1 else ("reads", "sees")
        yield f"{cast.player.name} answers; {names} {read} the answers and {see} no picture"
    else:
        yield (
            f"{cast.player.name} answers, nobody reads it; --detectors NAME,NAME labels the answers"
            " later and asks for none of them again"
        )
    more = ", and one of each detector for each answer" if cast.detectors else ""
    yield f"a call for each question{more}; answers of {WORDS} words are assumed"


def played_lines(ran: Ran, cast: Cast) -> Iterator[str]:
    """Yield how many answers correct their question, by detector, and what became of the others."""
    if not ran.manifest.counts["played"]:
        return
    responses = responses_of(ran.folder)
    status = Counter(one.status for one in responses)
    others = [f"{status[name]:,} {name}" for name in ("refused", "truncated") if status[name]]
    yield "; ".join([f"answers: {len(responses):,}", *others])
    for at, detector in enumerate(cast.detectors):
        yield f"corrections by {detector.name}: {_corrected(responses, at)}"
    lost = lost_labels(responses)
    if ran.is_whole and any(lost.values()):
        yield f"not whole: {lost_text(lost)} missing (refused, or unreadable)"


def next_text(ran: Ran, score: str) -> str:
    """Return what comes next after a run that was played to its end; ``score`` scores it."""
    lost = lost_labels(responses_of(ran.folder))
    if not lost:
        return "the same command with --detectors NAME,NAME"
    return "\nor:   ".join(help_lines(lost, score)) if any(lost.values()) else score


def responses_of(folder: Path) -> list[PlayedResponse]:
    """Return the responses of a run; raise CorruptShard for files that are not the manifest's."""
    return list(from_table(store.read_table(folder, f"{TABLE}-*.parquet"), PlayedResponse))


def _corrected(responses: Sequence[PlayedResponse], detector: int) -> str:
    parts = []
    for is_false, said in ((True, "false premises"), (False, "true ones")):
        labels = Counter(
            one.detectors[detector].label for one in responses if one.has_false_premise == is_false
        )
        read = labels["yes"] + labels["no"]
        share = f" ({labels['yes'] / read:.1%})" if read else ""
        parts.append(f"{labels['yes']:,} of {read:,} {said}{share}")
    unread = sum(one.detectors[detector].label is None for one in responses)
    return ", ".join([*parts, *([f"{unread:,} without a label"] if unread else [])])
