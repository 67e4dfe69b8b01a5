"""The verifier that knows the labels of the release."""

from evaluation.hidden_target.by_labels import fits_by_labels
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import Checked, Question


class LabelVerifier:
    """Reads a question of each picture from its labels; one that was not mapped fits all."""

    name = "labels"

    async def check(self, game: Game, question: Question) -> Checked:
        """Return a letter for each picture: y, n or u (unknown)."""
        return Checked(fits=fits_by_labels(game.gallery, question.asked))
