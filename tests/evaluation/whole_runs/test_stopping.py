"""A run that is stopped goes on, and asks nothing twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Play = Callable[..., Any]
AT_ONCE = 4


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    play: Play,
    calm: Play,
    arguments: Callable[..., list[str]],
    behind: Any,
    tmp_path: Path,
    killed_at: Callable[..., None],
    asked_again: Callable[[Any], int],
) -> None:
    server = behind(seconds=0.05)
    said = arguments(server, "reference", tmp_path / "killed", "--no-probe", concurrency=AT_ONCE)
    killed_at(lambda: server.counts.chats, said, 10, 30)
    assert not (tmp_path / "killed" / "runs" / "tried" / "manifest.json").exists()
    again = play(server, "reference", "--no-probe", place="killed", concurrency=AT_ONCE)
    assert again.rows == calm("reference").rows
    # those that were under way when it died, no more
    assert asked_again(server) <= 2 * AT_ONCE


def test_a_run_stops_at_its_calls_and_goes_on(
    play: Play,
    calm: Play,
    run: Callable[..., Any],
    arguments: Callable[..., list[str]],
    behind: Any,
    tmp_path: Path,
    asked_again: Callable[[Any], int],
) -> None:
    server = behind()
    for calls in (15, 30, 45):
        said = arguments(
            server, "reference", tmp_path / "bought", "--no-probe", "--max-calls", "15"
        )
        ran = run("run-benchmark", *said)
        assert ran.code == 1
        assert server.counts.chats == calls
        assert "15" in ran.err
    again = play(server, "reference", "--no-probe", place="bought")
    assert again.rows == calm("reference").rows
    assert asked_again(server) == 0


def test_a_whole_run_is_left_as_it_is(play: Play, behind: Any) -> None:
    server = behind()
    first = play(server, "reference")
    calls = server.counts.chats
    again = play(server, "reference")
    assert server.counts.chats == calls
    assert again.rows == first.rows
