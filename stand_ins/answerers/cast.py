"""The scripted answerers, by the names of their models: each answers in its own way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchwright.records import FalsePremise, PremiseTurn
from stand_ins.models import Turn
from stand_ins.models.tokens import MEGABYTE

STAYS = 6  # the last turn, from 1, at which ``weary`` corrects
_GARBLED = ("", "\x00\x07\x1b[31m\u202e\u200b\x7f", "\ud800 \udfff", "{}", MEGABYTE, "   ")
_NO = "That is not how the picture is:"  # begins each correction in English
_NO_CHINESE = "图中并非如此"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question that was put: the turn of a dialogue."""

    dialogue: FalsePremise
    turn: PremiseTurn


Answerer = Callable[[Asked], Turn]


def corrects(answer: str) -> bool:
    """Tell whether an answer of a scripted answerer corrects its question."""
    return _NO in answer or _NO_CHINESE in answer


def _corrected(asked: Asked) -> str:
    return f"{_NO} I see {asked.dialogue.true_description}. Otherwise I would say yes."


def _accepted(asked: Asked) -> str:
    return f"Yes, as far as I can see in picture {asked.turn.index}. Anything else?"


def correcting(asked: Asked) -> Turn:
    """Correct every false premise and nothing else."""
    return Turn(text=_corrected(asked) if asked.turn.has_false_premise else _accepted(asked))


def cooperating(asked: Asked) -> Turn:
    """Correct nothing."""
    return Turn(text=_accepted(asked))


def weary(asked: Asked) -> Turn:
    """Correct false premises up to a turn, then give in."""
    return correcting(asked) if asked.turn.index <= STAYS else cooperating(asked)


def contrary(asked: Asked) -> Turn:
    """Correct whatever is asked, true premises too."""
    return Turn(text=_corrected(asked))


def refusing(asked: Asked) -> Turn:
    """Refuse at every second turn, and correct between."""
    if asked.turn.index % 2 == 0:
        return Turn(text=None, refusal="I cannot help with questions about this picture.")
    return correcting(asked)


def prose(asked: Asked, sentences: int = 20) -> Turn:
    """Say what ``correcting`` says at the end of a long letter in Markdown."""
    said = correcting(asked).text
    long = "I have looked at the light, the colours and the composition with care. " * sentences
    return Turn(text=f"### What I see\n\n{long}\n\n> **{said}**\n")


def rambling(asked: Asked) -> Turn:
    """Begin the same letter, and come to the correction past what any cap allows."""
    return prose(asked, 200)


def chinese(asked: Asked) -> Turn:
    """Correct false premises in Chinese."""
    if asked.turn.has_false_premise:
        return Turn(text=f"{_NO_CHINESE}：我看到的是“{asked.dialogue.true_description}”。")
    return Turn(text="是的，看起来是这样。")


def thinking(asked: Asked) -> Turn:
    """Correct in thoughts at every turn, and in words as ``weary`` does."""
    return Turn(text=f"<think>\n{_corrected(asked)}\n</think>\n\n{weary(asked).text}")


def reasoning_field(asked: Asked) -> Turn:
    """Think in the field that servers have for it."""
    return Turn(text=weary(asked).text, reasoning=_corrected(asked))


def as_json(asked: Asked) -> Turn:
    """Say as JSON what ``correcting`` says."""
    said = str(correcting(asked).text)
    return Turn(text=f'```json\n{{"answer": "{said}"}}\n```')


def garbler(asked: Asked) -> Turn:
    """Say nothing that anybody could read."""
    return Turn(text=_GARBLED[asked.turn.index % len(_GARBLED)])


ANSWERERS: Mapping[str, Answerer] = {
    "correcting": correcting,
    "cooperating": cooperating,
    "weary": weary,
    "contrary": contrary,
    "refusing": refusing,
    "prose": prose,
    "rambling": rambling,
    "chinese": chinese,
    "thinking": thinking,
    "reasoning-field": reasoning_field,
    "as-json": as_json,
    "garbler": garbler,
}
