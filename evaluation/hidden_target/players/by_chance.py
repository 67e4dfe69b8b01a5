"""Choices of the baselines, drawn by the ids of what is chosen from."""

from collections.abc import Iterable

from benchwright import seeds
from evaluation.hidden_target.game import Game


def picked(game: Game, numbers: Iterable[int], seed: int, purpose: str) -> int:
    """Return one of some pictures, by their numbers; raises ValueError where there are none."""
    ids = game.gallery.image_ids
    return min(
        numbers,
        key=lambda number: seeds.draw(seed, purpose, game.gallery.episode_id, ids[number - 1]),
    )
