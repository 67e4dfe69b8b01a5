"""The baseline of those who ask nothing: what chance alone gives."""

from collections.abc import Sequence

from benchwright.records import Turn, Upload
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import Said
from evaluation.hidden_target.players.by_chance import picked
from evaluation.hidden_target.wording import guess_text


class NeverAskingPlayer:
    """Guesses at once, any picture: right in 1/g of the games of g pictures."""

    name = "never-asking"

    def __init__(self, *, seed: int) -> None:
        self._seed = seed

    async def receive(self, game: Game, uploads: Sequence[Upload]) -> Said:  # noqa: ARG002  # alike
        """Say that the pictures were seen."""
        return Said(text="Seen.")

    async def speak(
        self,
        game: Game,
        uploads: Sequence[Upload],  # noqa: ARG002  # it looks at nothing
        turns: Sequence[Turn],  # noqa: ARG002  # and there are none
    ) -> Said:
        """Guess."""
        everyone = range(1, len(game.gallery) + 1)
        return Said(text=guess_text(picked(game, everyone, self._seed, self.name)))
