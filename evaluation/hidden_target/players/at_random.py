"""The baseline of those who see every label and do not choose their questions."""

import numpy as np

from benchwright import seeds
from benchwright.reference_questioner import next_question
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.players.by_labels import LabelPlayer
from evaluation.hidden_target.players.standing import Standing


class RandomPlayer(LabelPlayer):
    """Asks for any value of a type that it has not asked about, also where that one is no help."""

    name = "random"

    def _column(self, game: Game, now: Standing) -> int | None:
        board, episode = game.gallery.board, game.gallery.episode_id
        if next_question(board, now.feasible, now.left) is None:
            return None

        def drawn(column: int) -> int:
            value = board.values[column]
            return seeds.draw(self._seed, "random question", episode, value.type, value.value)

        return min(np.flatnonzero(now.left).tolist(), key=drawn)
