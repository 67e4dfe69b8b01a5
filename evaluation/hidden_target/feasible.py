"""Which pictures the answers of an episode still allow, and what a turn did to them.

What is told counts, not what is true: after a flipped answer the target may be gone, and after two
that contradict each other nothing is left.
"""

import unicodedata
from collections.abc import Hashable, Sequence

from benchwright.records import Turn
from evaluation.hidden_target.parts import Question

_COMPARED = 2000  # characters of a question that could not be mapped: players may say megabytes
_STAYS = {"yes": "yu", "no": "nu"}  # the letters of fits that an answer leaves


def feasible_after(pictures: int, turns: Sequence[Turn]) -> tuple[int, ...]:
    """Return the feasible set F of a gallery after some turns, as numbers from 1, ascending.

    Definition 7: yes leaves the pictures whose letter in ``fits`` is y or u, no those with n or u;
    unsure and skip change nothing. Of several answers to the same question the latest counts
    (definition 15), an unsure one too: it takes the earlier answer back. ``feasible`` of the turns
    is not read, so that a turn can be made with what this returns.
    """
    latest = {question_key(turn): turn for turn in turns if is_answered(turn)}
    stays = list(range(1, pictures + 1))
    for turn in latest.values():
        if turn.told in _STAYS:
            allowed = _STAYS[turn.told]
            stays = [number for number in stays if turn.fits[number - 1] in allowed]
    return tuple(stays)


def question_key(said: Turn | Question) -> Hashable:
    """Return what all wordings of one question have in common.

    Those that were mapped are about the same value, whether it is asked for or against; about
    several at once, each of them asked alike. Those that were not have the same words, whatever
    the case and the signs between them; of long ones the first 2,000 characters count.
    """
    if len(said.asked) == 1:
        return said.asked[0].type, said.asked[0].value
    if said.asked:
        return frozenset(said.asked)
    return _folded((said.question or "") if isinstance(said, Turn) else said.text)


def same_question(one: Turn | Question, other: Turn | Question) -> bool:
    """Tell whether the later of two questions asks the other again (definition 15)."""
    return question_key(one) == question_key(other)


def is_answered(turn: Turn) -> bool:
    """Tell whether a turn was a question that was answered, were it by unsure."""
    return turn.told != "skip"


def feasible_before(pictures: int, turns: Sequence[Turn], at: int) -> tuple[int, ...]:
    """Return F before the turn at index ``at``, from 0; after the last one for len(turns).

    As the turns record it; all pictures before the first.
    """
    return turns[at - 1].feasible if at else tuple(range(1, pictures + 1))


def eliminated_at(pictures: int, turns: Sequence[Turn], at: int) -> tuple[int, ...]:
    """Return the pictures that the turn at index ``at`` took out of F, ascending."""
    left = frozenset(turns[at].feasible)
    return tuple(n for n in feasible_before(pictures, turns, at) if n not in left)


def is_stall(pictures: int, turns: Sequence[Turn], at: int) -> bool:
    """Tell whether the turn at index ``at`` was answered and left F as it was (AMIGO, 4.2).

    One that brings pictures back, where an earlier question was asked again, is none.
    """
    was = feasible_before(pictures, turns, at)
    return is_answered(turns[at]) and turns[at].feasible == was


def is_contradiction(pictures: int, turns: Sequence[Turn], at: int) -> bool:
    """Tell whether the turn at index ``at`` left F empty, which it was not before."""
    return not turns[at].feasible and bool(feasible_before(pictures, turns, at))


def _folded(text: str) -> str:
    """Return the words of a text in one spelling; signs that are no punctuation stay."""
    plain = unicodedata.normalize("NFKC", text[:_COMPARED]).casefold()
    kept = (" " if unicodedata.category(char)[0] in "PZC" else char for char in plain)
    return " ".join("".join(kept).split())
