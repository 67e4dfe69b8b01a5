"""Reading what a player said in its turn: a guess, a question, or nothing.

A guess under a key, in a tag or announced as one stands whatever else is said; a number that is
merely stated counts where no question is put. Of several guesses the last counts. What a model
says to itself, strikes through, or weighs without deciding is neither.
docs/design/question-parser.md has the order.
"""

from dataclasses import dataclass
from typing import Literal

from benchwright.asking.reading.words import words
from evaluation.hidden_target.reading.guesses import GuessRoute, guess_in
from evaluation.hidden_target.reading.questions import QuestionRoute, questions_in
from evaluation.hidden_target.reading.sentences import sentences
from evaluation.hidden_target.reading.spoken import Spoken, spoken

# empty: no text; reasoning: nothing but that; refused: declined, or sees no picture; statement:
# something else
NothingRoute = Literal["empty", "reasoning", "refused", "statement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """The final guess, which may be the number of no picture."""

    number: int
    route: GuessRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """A question; ``count`` is how many were put together, ``text`` all of them in a line."""

    text: str
    count: int
    route: QuestionRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """Neither a guess nor a question; ``route`` says what was there instead."""

    route: NothingRoute


def read_said(text: str, status: str = "ok") -> Guess | Asks | Nothing:
    """Return what a player said; ``status`` is that of its reply.

    It never raises, and takes time linear in the length of the text. A number at the very end of
    an answer that was cut off is no guess, for a digit may be missing.
    """
    said = spoken(text)
    parts = list(sentences(said.written, said.plain))
    guess, asked = guess_in(said, parts), questions_in(said, parts)
    if guess and status == "truncated" and not said.visible[guess.end :].strip():
        guess = None
    if guess and (guess.is_firm or not asked):
        return Guess(number=guess.number, route=guess.route)
    if asked and not (status == "truncated" and asked.route == "word_order"):
        return Asks(text=" ".join(asked.texts), count=len(asked.texts), route=asked.route)
    return Nothing(route=_why_nothing(said, status))


def _why_nothing(said: Spoken, status: str) -> NothingRoute:
    if status in ("refused", "rejected"):
        return "refused"
    if not said.visible.strip():
        return "reasoning" if said.is_reasoning else "empty"
    known = words()
    is_declined = known.declined.search(said.plain) or known.blind.search(said.plain)
    return "refused" if is_declined else "statement"
