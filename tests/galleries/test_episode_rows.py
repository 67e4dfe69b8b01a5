"""Episodes kept as rows are those that were added, in their order."""

from typing import Any

import pytest

from benchwright.records import Episode
from benchwright.rows import from_table, to_table
from galleries import episode_rows
from galleries.episode_rows import EpisodeRows


@pytest.mark.parametrize("count", [0, 1, 3, 4, 9])  # none, below, at and past what is together
def test_rows_are_what_was_added(
    count: int, make_episode: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(episode_rows, "_TOGETHER", 4)
    made = [make_episode([f"p{at}" for at in range(number + 6)]) for number in range(count)]
    rows = EpisodeRows()
    for episode in made:
        rows.add(episode)
    assert len(rows) == count
    assert list(from_table(rows.table(), Episode)) == made
    assert rows.table().combine_chunks().equals(to_table(made, Episode).combine_chunks())
