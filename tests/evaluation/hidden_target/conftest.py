"""What tests of hidden-target share: games made of boards."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from benchwright.asking.requests import PicturePart
from benchwright.feasible import Board
from benchwright.knowledge import Value
from benchwright.reference_questioner import par
from evaluation.hidden_target.game import Game, Rules
from evaluation.releases.galleries import Gallery, Term
from evaluation.releases.pictures import Shown

MakeGame = Callable[..., Game]
MakeTerms = Callable[..., tuple[Term, ...]]


def _make_game(board: Board, rules: Rules | None = None, episode_id: str = "episode") -> Game:
    ids = tuple(f"{number:016x}" for number in range(len(board.answers)))
    gallery = Gallery(
        episode_id=episode_id,
        tau=0.6,
        image_ids=ids,
        target=board.target + 1,
        values=board.values,
        answers=board.answers,
        board=board,
        par=par(board),
        par_protocol=par(board, one_of_a_type=True),
    )
    pictures = {
        name: Shown(
            part=PicturePart(sha256=name * 4, path=Path(name)), size=(30, 40), category="thing"
        )
        for name in ids
    }
    return Game(gallery=gallery, rules=rules or Rules(noun="thing"), pictures=pictures)


@pytest.fixture(scope="session")
def make_game() -> MakeGame:
    """Make a game of a board, all its values askable, with pictures that lie nowhere."""
    return _make_game


def _make_terms(values: Iterable[Value]) -> tuple[Term, ...]:
    return tuple(Term(value=value, type_aliases=(), aliases=(), templates=()) for value in values)


@pytest.fixture(scope="session")
def make_terms() -> MakeTerms:
    """Make the terms of some values, without aliases and templates."""
    return _make_terms


@pytest.fixture
def plain_game() -> Game:
    """Four pictures, told apart by hem and neck; the third is the target."""
    names = [("hem", "long"), ("neck", "boat"), ("neck", "v"), ("trim", "bow")]
    values = tuple(Value(type=kind, value=value) for kind, value in names)
    rows = [[1, 1, -1, 0], [1, -1, 1, 0], [-1, 1, -1, 1], [-1, -1, 1, -1]]
    return _make_game(Board(target=2, values=values, answers=np.array(rows, np.int8)))
