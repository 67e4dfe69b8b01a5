"""A run that is stopped goes on and asks nothing twice; the same run is the same bytes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings
from stand_ins.models import Fault

Play = Callable[..., Any]
AT_ONCE = 2


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    play: Play,
    calm: Play,
    arguments: Callable[..., list[str]],
    behind: Any,
    tmp_path: Path,
    killed_at: Callable[..., None],
    asked_again: Callable[[Any], int],
) -> None:
    server = behind(seconds=0.1)
    said = arguments(server, "steps", tmp_path / "killed", "--no-probe", concurrency=AT_ONCE)
    killed_at(lambda: server.counts.chats, said, 4, 10)
    assert not (tmp_path / "killed" / "runs" / "tried" / "manifest.json").exists()
    again = play(server, "steps", "--no-probe", place="killed", concurrency=AT_ONCE)
    assert again.rows == calm("steps").rows
    # those that were under way when it died, no more
    assert asked_again(server) <= 2 * AT_ONCE


def test_a_run_stops_at_its_calls_and_goes_on(play: Play, behind: Any) -> None:
    server = behind()
    for calls in (7, 14):
        stopped = play(server, "prose", "--no-probe", "--max-calls", "7")
        assert stopped.code == 1
        assert server.counts.chats == calls
    assert "14 of 18 samples" in stopped.said
    whole = play(server, "prose", "--no-probe")
    assert whole.code == 0
    assert server.counts.chats == len(server.counts.requests) == 18


# the model, options of both runs, options of the second, settings of its voter
WAYS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], dict[str, int]]] = {
    "one at a time": ("junk", (), (), {"concurrency": 1}),
    "32 at once": ("selecting", ("--given-candidates",), (), {"concurrency": 32}),
    "by the Batch API": ("junk", (), ("--batch",), {}),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_same_run_is_the_same_bytes(
    way: str, play: Play, behind: Any, calm: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    polling = BatchSettings(poll_seconds=0.005)
    monkeypatch.setattr("benchwright.asking.rounds.BATCH_SETTINGS", polling)
    model, options, more, settings = WAYS[way]
    first = calm(model, *options)
    second = play(behind(), model, *options, *more, **settings)
    assert first.code == second.code == 0, second.said
    assert second.contents() == first.contents()


def test_another_seed_lists_the_candidates_in_another_order(play: Play, behind: Any) -> None:
    server = behind()
    first, other = (
        play(server, "selecting", "--given-candidates", "--seed", seed, place=seed)
        for seed in ("1", "2")
    )
    assert [row["text"] for row in first.rows] != [row["text"] for row in other.rows]
    assert [set(row["chosen"]) for row in first.rows] == [set(row["chosen"]) for row in other.rows]


def test_what_fails_leaves_the_run_open(play: Play, behind: Any) -> None:
    fault = Fault(kind="no_choices", rate=1.0, models=("thousandths",))
    played = play(behind((fault,)), "thousandths", "--no-probe", "--episodes", "1", patience=0.5)
    assert played.code == 1


def test_what_was_cut_gets_room_once(play: Play, behind: Any) -> None:
    """A cut answer with a box in it stands; without any it is asked again with a higher cap."""
    server = behind((Fault(kind="truncated_null", rate=1.0, models=("thousandths",)),))
    played = play(server, "thousandths", "--no-probe")
    assert played.code == 0, played.said
    assert {(row["status"], row["read_by"]) for row in played.rows} == {("truncated", "unread")}
    assert server.counts.chats == 2 * 18
    assert "cut off at the cap: 18" in played.said


def test_what_a_filter_withholds_is_an_answer(play: Play, behind: Any) -> None:
    fault = Fault(kind="content_filter", rate=1.0, models=("thousandths",))
    played = play(behind((fault,)), "thousandths", "--no-probe")
    assert played.code == 0, played.said
    assert {(row["status"], row["read_by"]) for row in played.rows} == {("refused", "declined")}
    assert all(row["boxes"] == [] for row in played.rows)


def test_an_estimate_asks_nobody(play: Play, behind: Any) -> None:
    server = behind()
    played = play(server, "thousandths", "--estimate")
    assert played.code == 0
    assert server.counts.chats == 0
    assert not played.folder.exists()
    assert "6 dialogues, 18 samples: 12 of a set, 6 of a single object" in played.said
