"""Scripted models that play hidden-target over HTTP, and models that judge their games.

They know the labels of the pictures of a release and read what they are told from the messages of
their requests, so that nothing of a game is kept between two of them.
"""

from stand_ins.players.brain import Players
from stand_ins.players.cast import PLAYERS, guess_of, question_about
from stand_ins.players.judges import JUDGES
from stand_ins.players.serving import players_behind, script_of
from stand_ins.players.table import Table, table_of

__all__ = [
    "JUDGES",
    "PLAYERS",
    "Players",
    "Table",
    "guess_of",
    "players_behind",
    "question_about",
    "script_of",
    "table_of",
]
