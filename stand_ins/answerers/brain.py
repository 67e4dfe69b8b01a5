"""The brain of a server behind which scripted answerers and detectors sit."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchwright.records import FalsePremise
from stand_ins.answerers.cast import ANSWERERS, Asked
from stand_ins.answerers.detectors import DETECTORS
from stand_ins.colours import colour_seen
from stand_ins.models import Question, Turn


class Answerers:
    """Answers as the model whose name was asked; answerers know the dialogues of a release.

    ``heard`` are the messages of all requests to answerers, without the looks that come first.
    """

    def __init__(self, dialogues: Iterable[FalsePremise]) -> None:
        self.heard: list[tuple[Mapping[str, Any], ...]] = []
        self.read: list[Question] = []
        self._asked: dict[str, Asked] = {}
        for dialogue in dialogues:
            for turn in dialogue.turns:
                self._asked[turn.asked_question] = Asked(dialogue=dialogue, turn=turn)

    def __call__(self, question: Question) -> Turn:
        """Return what is said, and a colour or a word where somebody looks whether it sees."""
        if question.model in DETECTORS:
            self.read.append(question)
            return DETECTORS[question.model](question)
        asked = self._asked.get(question.text.strip())
        if asked is None:
            return Turn(text=colour_seen(question) if question.pictures else "Yes.", answer="yes")
        self.heard.append(question.messages)
        return ANSWERERS[question.model](asked)
