"""The scripted players, by the names of their models: each speaks in its own way, always the same.

All but a few ask what the reference questioner would ask and guess the first picture that is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from benchwright.knowledge import Value
from benchwright.records import Told
from evaluation.hidden_target.game import SIGNAL
from stand_ins.models import Turn
from stand_ins.models.tokens import MEGABYTE
from stand_ins.players.conversation import Conversation
from stand_ins.players.manners import (
    Manner,
    as_json,
    markdown,
    plain,
    prose,
    reasoning_field,
    thinking,
)
from stand_ins.players.policy import Standing, standing_after
from stand_ins.players.table import Answers

_NOTED = "Noted."
_GARBLED = (
    "My guess: #999",
    "My guess: #0",
    "",
    MEGABYTE,
    "\x00\x07\x1b[31m\u202e\u200b\x7f",
    "\ud800 \udfff",
)
SLY = ("Could it be taken for a ripe tomato from afar?", "Do the wrists stay uncovered?")
_CHINESE = ("领口是方形的", "下摆有荷叶边", "腰间系着蝴蝶结", "裙身有褶皱", "前襟有纽扣")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A player at its turn: the labels of the gallery, (pictures, values), and what it was told."""

    values: tuple[Value, ...]
    answers: Answers
    conversation: Conversation

    @property
    def turn(self) -> int:
        """How many turns there were."""
        return len(self.conversation.told)

    def standing(self, told: tuple[Told, ...] | None = None) -> Standing:
        """Return where the reference questioner stands; ``told`` are the turns that it counts."""
        heard = self.conversation.told if told is None else told
        return standing_after(self.answers, self.values, heard)


Player = Callable[[Sitting], Turn]


def question_about(value: Value) -> str:
    """Return a question for a value, in words that name its type, too."""
    return f"Is the {value.type} of your favourite one {value.value}?"


def guess_of(number: int) -> str:
    """Return a guess in the form that the rules want."""
    return f"My guess: #{number}"


def _next(sitting: Sitting, standing: Standing) -> str:
    if standing.asks is None:
        return guess_of(standing.guess)
    return question_about(sitting.values[standing.asks])


def reference(sitting: Sitting, manner: Manner = plain) -> Turn:
    """Ask as the reference questioner does, each type once, and guess what is left."""
    if not sitting.conversation.is_open:
        return manner(_NOTED)
    return manner(_next(sitting, sitting.standing()))


def endless(sitting: Sitting) -> Turn:
    """Ask for a value of each type, then for their other values, and so on without an end."""
    if not sitting.conversation.is_open:
        return plain(_NOTED)
    askable = [value for value in sitting.values if value.askable]
    firsts = {value.type: value for value in reversed(askable)}
    ordered = sorted(askable, key=lambda value: firsts[value.type] is not value)
    return plain(question_about(ordered[sitting.turn % len(ordered)]))


def chinese(sitting: Sitting) -> Turn:
    """Ask five questions in Chinese and guess in Chinese."""
    if not sitting.conversation.is_open:
        return plain("好的。")
    if sitting.turn < len(_CHINESE):
        return plain(f"你最喜欢的裙子{_CHINESE[sitting.turn]}吗？")
    return plain(f"我想好了。我的猜测：#{sitting.standing(()).guess}")


def refusing(sitting: Sitting) -> Turn:
    """Refuse at every second turn, and ask as the reference questioner between."""
    if not sitting.conversation.is_open:
        return plain(_NOTED)
    if sitting.turn % 2:
        return Turn(text=None, refusal="I cannot help with questions about what people wear.")
    return plain(_next(sitting, sitting.standing(sitting.conversation.told[::2])))


def sly(sitting: Sitting) -> Turn:
    """Ask in two turns for what is forbidden, in words that no list holds, then play on."""
    if not sitting.conversation.is_open:
        return plain(_NOTED)
    if sitting.turn < len(SLY):
        return plain(SLY[sitting.turn])
    return plain(_next(sitting, sitting.standing(sitting.conversation.told[len(SLY) :])))


def premature(sitting: Sitting) -> Turn:
    """Ask at the first batch, give the signal at the second, guess at the third, then be silent."""
    if sitting.conversation.is_open:
        return reference(sitting)
    asked = question_about(next(value for value in sitting.values if value.askable))
    said = (asked, SIGNAL, guess_of(1))
    at = sitting.conversation.batches - 1
    return plain(said[at] if at < len(said) else "")


def hasty(sitting: Sitting) -> Turn:
    """Guess the first picture at once."""
    return plain(guess_of(1) if sitting.conversation.is_open else _NOTED)


def stubborn(sitting: Sitting) -> Turn:
    """Ask as the reference questioner, then guess the first picture whatever was told."""
    if sitting.standing().asks is None:
        return hasty(sitting)
    return reference(sitting)


def offender(sitting: Sitting) -> Turn:
    """Break the rules one after the other, with a single question that keeps them before."""
    if not sitting.conversation.is_open:
        return plain(_NOTED)
    asked = sitting.standing(()).asks
    assert asked is not None, "no gallery is all alike"
    first = sitting.values[asked]
    again = next(v for v in sitting.values if v.type == first.type and v != first)
    one, other = _of_other_types(sitting.values, first)
    said = (
        question_about(first),
        "Is your favourite one picture #2?",
        f"{question_about(one)} And is its {other.type} {other.value}?",
        question_about(first),
        question_about(again),
        "Does the woman in the picture wear a hat?",
        f"Is its {one.type} {one.value} and its {other.type} {other.value}?",
    )
    if sitting.turn < len(said):
        return plain(said[sitting.turn])
    return plain(guess_of(sitting.standing(sitting.conversation.told[:1]).guess))


def _of_other_types(values: tuple[Value, ...], first: Value) -> tuple[Value, Value]:
    found = {value.type: value for value in reversed(values) if value.askable}
    one, other, *_ = (found[name] for name in sorted(found) if name != first.type)
    return one, other


def garbler(sitting: Sitting) -> Turn:
    """Say what is no question and no guess, then guess the first picture."""
    if not sitting.conversation.is_open:
        return plain("")
    return plain(_GARBLED[sitting.turn]) if sitting.turn < len(_GARBLED) else hasty(sitting)


PLAYERS: Mapping[str, Player] = {
    "reference": reference,
    "prose": partial(reference, manner=prose),
    "markdown": partial(reference, manner=markdown),
    "thinking": partial(reference, manner=thinking),
    "reasoning-field": partial(reference, manner=reasoning_field),
    "as-json": partial(reference, manner=as_json),
    "chinese": chinese,
    "endless": endless,
    "refusing": refusing,
    "sly": sly,
    "premature": premature,
    "hasty": hasty,
    "stubborn": stubborn,
    "offender": offender,
    "garbler": garbler,
}
