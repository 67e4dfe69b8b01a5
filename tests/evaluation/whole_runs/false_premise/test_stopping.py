"""A run that is stopped goes on, asks nothing twice, and comes to the same bytes at any pace."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings

Play = Callable[..., Any]
AT_ONCE = 2
DETECTORS = ("--detectors", "keen,careless")
CALLS = 4 * 10 * 3


def test_a_killed_run_goes_on_and_asks_nothing_twice(
    play: Play,
    calm: Play,
    arguments: Callable[..., list[str]],
    behind: Any,
    tmp_path: Path,
    killed_at: Callable[..., None],
) -> None:
    served = behind(seconds=0.05)
    options = (*DETECTORS, "--no-probe")
    said = arguments(served, "weary", tmp_path / "killed", *options, concurrency=AT_ONCE)
    killed_at(lambda: served.chats, said, 15, 60)
    assert not (tmp_path / "killed" / "runs" / "tried" / "manifest.json").exists()
    again = play(served, "weary", *options, place="killed", concurrency=AT_ONCE)
    assert again.rows == calm("weary", *DETECTORS).rows
    # those that were under way when it died, no more
    assert served.asked_again() <= 2 * 3 * AT_ONCE


def test_a_run_stops_at_its_calls_and_goes_on(play: Play, calm: Play, behind: Any) -> None:
    served = behind()
    options = (*DETECTORS, "--no-probe")
    for calls in (50, 100):
        stopped = play(served, "weary", *options, "--max-calls", "50", place="bought", code=1)
        assert served.chats == calls
        assert "50" in stopped.said
    again = play(served, "weary", *options, place="bought")
    assert again.rows == calm("weary", *DETECTORS).rows
    assert (served.chats, served.asked_again()) == (CALLS, 0)


def test_a_whole_run_is_left_as_it_is(play: Play, behind: Any) -> None:
    served = behind()
    first = play(served, "weary", *DETECTORS)
    calls = served.chats
    again = play(served, "weary", *DETECTORS)
    assert (served.chats, again.contents()) == (calls, first.contents())
    assert "nothing to do" in again.said


# how the second run is asked: options, and settings of the voters
WAYS: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
    "one at a time": ((), {"concurrency": 1}),
    "16 at once": ((), {"concurrency": 16}),
    "by the Batch API": (("--batch",), {}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", ["thinking", "garbler"])
def test_the_same_run_is_the_same_bytes(
    model: str, way: str, play: Play, behind: Any, calm: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "benchwright.asking.rounds.BATCH_SETTINGS", BatchSettings(poll_seconds=0.005)
    )
    options, settings = WAYS[way]
    second = play(behind(), model, *DETECTORS, *options, **settings)
    assert second.contents() == calm(model, *DETECTORS).contents()


def test_a_server_that_comes_back_is_waited_for(play: Play, calm: Play, behind: Any) -> None:
    served = behind(seconds=0.02)

    def interrupt() -> None:
        while served.chats < 30:
            time.sleep(0.005)
        served.server.stop()
        time.sleep(0.5)
        served.server.start()

    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    rough = play(served, "weary", *DETECTORS)
    interrupting.join()
    assert rough.rows == calm("weary", *DETECTORS).rows
