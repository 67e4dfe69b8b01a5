"""What is said of a run of false premises: before its first call, and when it ends."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchwright import store
from benchwright.answer_records import PlayedResponse
from benchwright.plain_text import counted
from benchwright.rows import from_table
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
        yield f"{cast.player.name} answers; {names} read the answers and see no picture"
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
    table = store.read_table(ran.folder, f"{TABLE}-*.parquet")
    responses = list(from_table(table, PlayedResponse))
    status = Counter(one.status for one in responses)
    others = [f"{status[name]:,} {name}" for name in ("refused", "truncated") if status[name]]
    yield "; ".join([f"answers: {len(responses):,}", *others])
    for at, detector in enumerate(cast.detectors):
        yield f"corrections by {detector.name}: {_corrected(responses, at)}"


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
