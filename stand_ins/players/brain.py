"""The brain of a server behind which scripted players and judges sit."""

import hashlib

from stand_ins.colours import colour_seen
from stand_ins.models import Question, Turn
from stand_ins.players.cast import PLAYERS, Sitting
from stand_ins.players.conversation import conversation_of
from stand_ins.players.judges import JUDGES
from stand_ins.players.table import Table


class Players:
    """Answers as the player or judge whose name the model has; they know what a ``table`` says."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __call__(self, question: Question) -> Turn:
        """Return what is said, and a colour or a word where somebody looks whether it sees."""
        if self._is_look(question):
            return Turn(text=colour_seen(question) if question.pictures else "Yes.", answer="yes")
        judge = JUDGES.get(question.model)
        if judge is not None:
            return judge(question, self._table)
        conversation = conversation_of(question)
        sitting = Sitting(
            values=self._table.values,
            answers=self._table.of(conversation.pictures),
            conversation=conversation,
        )
        return PLAYERS[question.model](sitting)

    def _is_look(self, question: Question) -> bool:
        """Tell whether this is no game: no picture, or a single one that nobody knows."""
        if not question.pictures:
            return question.model != "detector"  # who sees texts alone
        if len(question.pictures) > 1:
            return False
        return hashlib.sha256(question.pictures[0].data).hexdigest() not in self._table.answers
