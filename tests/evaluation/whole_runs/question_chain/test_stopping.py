"""A run of chains that is stopped goes on and asks nothing twice; it is the same in any way."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings
from stand_ins.models import Fault

Play = Callable[..., Any]
AT_ONCE = 4


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    play: Play,
    arguments: Callable[..., list[str]],
    behind: Any,
    tmp_path: Path,
    killed_at: Callable[..., None],
    asked_again: Callable[[Any], int],
) -> None:
    options = ("--no-probe", "--concurrency", f"{AT_ONCE}", "--circular")
    whole = play(behind(), "strayer", *options, place="whole")
    server = behind(seconds=0.05)
    said = arguments(server, "strayer", tmp_path / "killed", *options)
    killed_at(lambda: server.counts.chats, said, 10, 40)
    assert not (tmp_path / "killed" / "runs" / "tried" / "manifest.json").exists()
    again = play(server, "strayer", *options, place="killed")
    assert again.rows == whole.rows
    assert asked_again(server) <= 2 * AT_ONCE  # those that were under way when it died, no more


def test_a_run_stops_at_its_calls_and_goes_on(
    play: Play,
    calm: Play,
    run: Callable[..., Any],
    arguments: Any,
    score: Any,
    behind: Any,
    tmp_path: Path,
    asked_again: Callable[[Any], int],
) -> None:
    server, slowly = behind(), ("--no-probe", "--concurrency", "1")
    for calls in (12, 24):
        said = arguments(server, "strayer", tmp_path / "bought", *slowly, "--max-calls", "12")
        ran = run("run-benchmark", *said)
        assert (ran.code, server.counts.chats) == (1, calls)
    refused = score(tmp_path / "bought")
    assert refused.code == 1
    assert "--partial" in refused.err
    partial = score(tmp_path / "bought", "--partial")
    assert partial.code == 0, partial.err
    assert "of 5 chains" in partial.out
    again = play(server, "strayer", "--no-probe", place="bought")
    assert again.rows == calm("strayer").rows
    assert asked_again(server) == 0


# how the second run is asked
WAYS: dict[str, tuple[str, ...]] = {
    "one at a time": ("--concurrency", "1"),
    "32 at once": ("--concurrency", "32"),
    "by the Batch API": ("--batch",),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("player", ["strayer", "refusing"])
def test_the_same_run_is_the_same_bytes(
    way: str, player: str, play: Play, behind: Any, calm: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "benchwright.asking.rounds.BATCH_SETTINGS", BatchSettings(poll_seconds=0.005)
    )
    second = play(behind(), player, "--options", "7", *WAYS[way])
    assert second.contents() == calm(player, "--options", "7").contents()


def test_trouble_that_passes_leaves_no_trace(play: Play, calm: Play, behind: Any) -> None:
    server = behind((Fault(kind="rate_limit", rate=0.1, retry_after=0.02),))
    rough = play(server, "strayer")
    assert rough.rows == calm("strayer").rows
    assert server.counts.chats > len(server.counts.requests)  # the trouble was there


def test_what_was_cut_is_asked_with_more_room_once(play: Play, behind: Any) -> None:
    played = play(behind((Fault(kind="truncated_null", rate=0.4),)), "knower")
    replies = [sum(build["answers"] for build in row["builds"]) for row in played.rows]
    assert set(replies) == {1, 2}
    cut = [row for row in played.rows if row["status"] == "truncated"]
    assert cut
    assert {(row["pick"], row["read_by"]) for row in cut} == {(None, "truncated")}
    assert {row["read_by"] for row in played.rows if row not in cut} == {"letter"}


def test_an_estimate_asks_nobody_and_foresees_the_calls(
    play: Play, run: Any, arguments: Any, behind: Any, tmp_path: Path
) -> None:
    server = behind()
    said = arguments(server, "strayer", tmp_path / "workspace", "--no-probe")
    ran = run("run-benchmark", *said, "--estimate")
    assert ran.code == 0, ran.err
    assert server.counts.chats == 0
    (row,) = (line.split() for line in ran.out.splitlines() if line.startswith("strayer  "))
    # the last question after the plan may be that of the true chain, and is then no call of its own
    assert (row[1], row[2]) == ("30", "0")
    assert "at most 65 calls in all" in ran.out
    play(server, "strayer", "--no-probe")
    assert server.counts.chats == 35
    done = run("run-benchmark", *said, "--estimate")
    (row,) = (line.split() for line in done.out.splitlines() if line.startswith("strayer  "))
    assert (row[1], row[2]) == ("0", "35")
