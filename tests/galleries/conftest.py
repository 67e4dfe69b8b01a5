"""Small hidden-target games for the tests of their solutions."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import strategies as st

from benchwright.feasible import Board
from benchwright.knowledge import Value
from benchwright.records import Episode

MakeBoard = Callable[..., Board]


def _make_board(names: Sequence[str], rows: Sequence[Sequence[int]], target: int = 0) -> Board:
    values = tuple(Value(type=name.split(" ")[0], value=name.split(" ")[1]) for name in names)
    answers = np.array(rows, np.int8).reshape(len(rows), len(values))
    return Board(target=target, values=values, answers=answers)


@pytest.fixture(scope="session")
def make_board() -> MakeBoard:
    """Make a board of ``TYPE VALUE`` names and one row of answers for each picture."""
    return _make_board


@st.composite
def _boards(draw: st.DrawFn) -> Board:
    pictures = draw(st.integers(1, 7))
    sizes = draw(st.lists(st.integers(1, 3), max_size=4))
    names = [f"t{kind} v{value}" for kind, size in enumerate(sizes) for value in range(size)]
    answer = st.sampled_from([-1, 0, 1])
    row = st.lists(answer, min_size=len(names), max_size=len(names))
    rows = draw(st.lists(row, min_size=pictures, max_size=pictures))
    return _make_board(names, rows, draw(st.integers(0, pictures - 1)))


@pytest.fixture(scope="session")
def boards() -> st.SearchStrategy[Board]:
    """Any board of at most seven pictures and four types of three values."""
    return _boards()


MakeEpisode = Callable[..., Episode]


def _make_episode(image_ids: Sequence[str], **changes: object) -> Episode:
    given: dict[str, object] = {
        "episode_id": "e" * 16,
        "tau": 0.6,
        "target_id": image_ids[0],
        "target_index": 1,
        "image_ids": tuple(image_ids),
        "similarities": (1.0,) * len(image_ids),
        "pool_size": len(image_ids) - 1,
        "telling_values": (),
        "identifiable": True,
        "identifiable_protocol": True,
        "par": 1,
        "par_protocol": 1,
        "seed": 0,
    }
    return Episode(**(given | changes))  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def make_episode() -> MakeEpisode:
    """Make the episode of a gallery; its target is the first picture unless said otherwise."""
    return _make_episode
