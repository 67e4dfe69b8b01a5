"""The verifier that knows the labels of the release."""

from collections.abc import Sequence

from benchwright.knowledge import NO, UNKNOWN, YES
from benchwright.run_records import Asked
from evaluation.hidden_target.by_labels import answers_by_labels
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import Checked, Question
from evaluation.releases.galleries import Gallery

_LETTERS = {YES: "y", NO: "n", UNKNOWN: "u"}


class LabelVerifier:
    """Reads a question of each picture from its labels; one that was not mapped fits all."""

    name = "labels"

    async def check(self, game: Game, question: Question) -> Checked:
        """Return a letter for each picture: y, n or u (unknown)."""
        return Checked(fits=label_fits(game.gallery, question.asked))


def label_fits(gallery: Gallery, asked: Sequence[Asked]) -> str:
    """Return a letter for each picture of a gallery, as ``answers_by_labels`` says."""
    return "".join(_LETTERS[each] for each in answers_by_labels(gallery, asked).tolist())
