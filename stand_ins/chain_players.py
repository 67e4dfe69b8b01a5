"""Scripted models that go through question chains over HTTP, and know the true ones.

They read all from their requests: which chain it is, what was found out, what there is to choose.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from benchwright.protocols.question_chain import NEXT
from benchwright.records import QuestionChain
from stand_ins.colours import colour_seen
from stand_ins.models import Fault, Model, Question, Script, ScriptedServer, Turn

_GOAL = re.compile(r"this is to be answered: (.*)")
_OPTION = re.compile(r"^[A-Z]\. (.*)$", re.MULTILINE)
_ASKED = re.compile(r"^Now answer this: (.*)$", re.MULTILINE)
_FOUND = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """What a player is asked: to plan, or the question of a step, ``step`` from 1.

    ``truth`` is the place of the true option among the ``options``. ``is_astray`` tells that the
    history holds what is not of the true chain, ``has_history`` that there is any.
    """

    chain: QuestionChain
    step: int
    is_planning: bool
    options: tuple[str, ...]
    truth: int
    has_history: bool
    is_astray: bool

    @property
    def is_last(self) -> bool:
        """Whether this is the last question of the chain."""
        return self.step == len(self.chain.steps)

    @property
    def letter(self) -> str:
        """The letter of the true option."""
        return ascii_uppercase[self.truth]

    @property
    def wrong(self) -> str:
        """The letter of an option that is wrong."""
        return ascii_uppercase[(self.truth + 1) % len(self.options)]


Player = Callable[[Seat], Turn]


def _strayer(seat: Seat) -> Turn:
    """Plan wrongly at the first step; the last answer is right after any true step."""
    if seat.is_planning:
        return Turn(text=seat.letter if seat.has_history else seat.wrong)
    is_lost = seat.is_last and seat.is_astray and len(seat.chain.steps) < 3
    return Turn(text=seat.wrong if is_lost else seat.letter)


def _mistaken(seat: Seat) -> Turn:
    """Answer the first step wrongly, and the last one where the history is wrong."""
    if seat.is_planning or seat.is_last:
        return Turn(text=seat.wrong if seat.is_astray else seat.letter)
    return Turn(text=seat.wrong if seat.step == 1 else seat.letter)


def _refusing(seat: Seat) -> Turn:
    """Decline to plan."""
    if seat.is_planning:
        return Turn(text=None, refusal="I would rather not say what to ask.")
    return Turn(text=seat.letter)


def _chainless(seat: Seat) -> Turn:
    """Know the last answer with a history alone."""
    is_lost = seat.is_last and not seat.has_history
    return Turn(text=seat.wrong if is_lost else seat.letter)


PLAYERS: Mapping[str, Player] = {
    "knower": lambda seat: Turn(text=seat.letter),
    "first": lambda _: Turn(text="A"),
    "wrong": lambda seat: Turn(text=seat.wrong),
    "prose": lambda seat: Turn(
        text=f"I have looked at it closely.\n\nOf these I would go with option {seat.letter}, since"
        f" nothing else helps; option {seat.wrong} leads nowhere."
    ),
    "markdown": lambda seat: Turn(
        text=f"### My answer\n\n> **{seat.letter}.** as it stands\n\n---"
    ),
    "speller": lambda seat: Turn(text=seat.options[seat.truth].upper()),
    "chinese": lambda seat: Turn(text=f"我看过图片了。答案是（{seat.letter}）。"),
    "as-json": lambda seat: Turn(
        text=f"```json\n{json.dumps({'answer': seat.letter, 'not': seat.wrong})}\n```"
    ),
    "thinking": lambda seat: Turn(text=f"<think>Answer: {seat.wrong}?</think>\n\n{seat.letter}"),
    "wavering": lambda seat: Turn(text=f"{seat.letter} or {seat.wrong}"),
    "strayer": _strayer,
    "mistaken": _mistaken,
    "refusing": _refusing,
    "chainless": _chainless,
}


class ChainPlayers:
    """Answers as the player whose name the model has."""

    def __init__(self, chains: Sequence[QuestionChain]) -> None:
        self._chains: dict[str, list[QuestionChain]] = {}
        for chain in chains:
            self._chains.setdefault(chain.question, []).append(chain)

    def __call__(self, question: Question) -> Turn:
        """Return what is said, and a colour or a word where somebody looks whether it sees."""
        if "Answer with the letter of one option" not in question.text:
            return Turn(text=colour_seen(question) if question.pictures else "Yes.", answer="yes")
        return PLAYERS[question.model](self._seat(question))

    def _seat(self, question: Question) -> Seat:
        goal, asked = _GOAL.search(question.text), _ASKED.search(question.text)
        assert goal is not None, question.text
        options = tuple(_OPTION.findall(question.text))
        found = _FOUND.findall(question.text)
        # chains of several pictures may end in one question: it is the one that fits best
        chain = max(
            self._chains[goal[1]], key=lambda one: _fit(one, asked and asked[1], options, found)
        )
        true = _true(chain)
        if asked is None:
            assert NEXT in question.text
            truth = next(at for at, text in enumerate(options) if text in true)
            step = list(true).index(options[truth]) + 1
        else:
            step = list(true).index(asked[1]) + 1
            truth = options.index(chain.steps[step - 1].answer)
        return Seat(
            chain=chain,
            step=step,
            is_planning=asked is None,
            options=options,
            truth=truth,
            has_history=bool(found),
            is_astray=any(line not in true.values() for line in found),
        )


def _true(chain: QuestionChain) -> dict[str, str]:
    """Return the lines of the true history by the questions of the steps."""
    return {step.question: f"{step.question} {step.answer}" for step in chain.steps}


def _fit(
    chain: QuestionChain, asked: str | None, options: Sequence[str], found: Sequence[str]
) -> tuple[bool, int]:
    """Tell whether a chain has what is asked among the options, and how much else is of it."""
    true = _true(chain)
    if asked is None:
        right = set(true)
    else:
        right = {step.answer for step in chain.steps if step.question == asked}
    history = sum(line in true.values() for line in found)
    return not right.isdisjoint(options), history + sum(option in right for option in options)


def chain_players_behind(
    chains: Sequence[QuestionChain], *, faults: Sequence[Fault] = (), **model: Any
) -> ScriptedServer:
    """Return a server of all players, which does not run yet; ``model`` holds settings of each."""
    script = Script(models=[Model(name=name, **model) for name in PLAYERS], faults=faults)
    return ScriptedServer(script, brain=ChainPlayers(chains))
