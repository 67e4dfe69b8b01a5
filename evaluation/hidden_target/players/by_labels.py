"""What players that know every label have in common: they ask while it helps, then guess."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from benchwright.records import Turn, Upload
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import Said
from evaluation.hidden_target.players.by_chance import picked
from evaluation.hidden_target.players.standing import Standing, standing
from evaluation.hidden_target.wording import guess_text, question_texts
from evaluation.releases.galleries import Term


class LabelPlayer(ABC):
    """Asks about each type once at most, as long as the labels say that a question can help.

    Then it guesses the picture that is left; of several, any. While no picture fits all answers it
    puts earlier questions again, each once; where that helps nothing it guesses any picture that
    contradicts the fewest. ``noun`` is that of the rules.
    """

    name: ClassVar[str]

    def __init__(self, terms: Sequence[Term], noun: str, *, seed: int) -> None:
        self._texts = question_texts(terms, noun)
        self._seed = seed

    async def receive(self, game: Game, uploads: Sequence[Upload]) -> Said:  # noqa: ARG002  # alike
        """Say that the pictures were seen."""
        return Said(text="Seen.")

    async def speak(
        self,
        game: Game,
        uploads: Sequence[Upload],  # noqa: ARG002  # it was shown nothing that it did not know
        turns: Sequence[Turn],
    ) -> Said:
        """Ask, or guess where no question helps or no turn is left."""
        now = standing(game, self._texts, turns)
        column = self._column(game, now) if now.feasible.any() else now.again
        if column is None or len(turns) == game.rules.turns:
            return Said(text=guess_text(picked(game, now.fewest, self._seed, self.name)))
        value = game.gallery.board.values[column]
        return Said(text=self._texts[value.type, value.value])

    @abstractmethod
    def _column(self, game: Game, now: Standing) -> int | None:
        """Return the column of the value to ask for, null where no value that is left helps."""
