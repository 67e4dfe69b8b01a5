"""The oracle that knows the labels of the release."""

from benchwright.knowledge import NO, UNKNOWN, YES
from evaluation.hidden_target.by_labels import answers_by_labels
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import Answered, Question, Truth

_TRUTHS: dict[int, Truth] = {YES: "yes", NO: "no", UNKNOWN: "unsure"}


class LabelOracle:
    """Answers a(t, v), no for yes where the question is for its absence.

    Unsure where that is unknown, and where the question could not be mapped (definition 16).
    """

    name = "labels"

    async def answer(self, game: Game, question: Question) -> Answered:
        """Return yes, no or unsure."""
        gallery = game.gallery
        known = answers_by_labels(gallery, question.asked)[gallery.target - 1]
        return Answered(answer=_TRUTHS[int(known)])
