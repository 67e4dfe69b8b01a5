"""The baseline of those who see every label: the reference questioner as a player."""

from benchwright.reference_questioner import next_question
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.players.by_labels import LabelPlayer
from evaluation.hidden_target.players.standing import Standing


class GreedyPlayer(LabelPlayer):
    """Asks as the reference questioner does under the protocol (definition 6)."""

    name = "greedy"

    def _column(self, game: Game, now: Standing) -> int | None:
        return next_question(game.gallery.board, now.feasible, now.left)
