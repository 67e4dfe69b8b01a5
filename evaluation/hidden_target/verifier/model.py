"""The verifier that is a model: it is asked the question of each picture of the gallery."""

from collections.abc import Sequence

from benchwright.asking.questions import Answered, Asks, ask_yes_no
from benchwright.asking.rounds import together
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.looking import Heard, asked_of
from evaluation.hidden_target.parts import Checked, PartFailed, Question

_LETTERS = {"yes": "y", "no": "n", "unsure": "u"}


class ModelVerifier:
    """Asks a model the question of each picture by itself, all in the same words.

    What it is unsure about, refuses or does not answer readably is u. The same question about the
    same picture is the same request in all episodes, so that it is asked once.
    """

    def __init__(self, asks: Asks) -> None:
        self._asks = asks

    @property
    def name(self) -> str:
        """The name of the voter."""
        return self._asks.voter.name

    async def check(self, game: Game, question: Question) -> Checked:
        """Return a letter for each picture: y, n or u (unknown).

        Raises PartFailed where the server gives no answer, one Unasked for all that is missing.
        """
        numbers = range(1, len(game.gallery) + 1)
        return _checked(await together(self._of(game, question, number) for number in numbers))

    async def _of(self, game: Game, question: Question, number: int) -> tuple[Answered, Heard]:
        heard = Heard(self._asks)
        return await ask_yes_no(heard, asked_of(game, question, number)), heard


def _checked(found: Sequence[tuple[Answered, Heard]]) -> Checked:
    for answered, _ in found:
        if answered.reading.status == "failed":
            raise PartFailed("verifier", answered.reply)
    answers = [answered.reading.answer for answered, _ in found]
    return Checked(
        fits="".join(_LETTERS[answer or "unsure"] for answer in answers),
        unread=answers.count(None),
        replies=tuple(reply for _, heard in found for reply in heard.replies),
    )
