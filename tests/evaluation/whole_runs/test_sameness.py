"""The same run is the same bytes, whatever the pace and the way in which it is asked."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings

Play = Callable[..., Any]


# how the second run is asked: options, and settings of the voter
WAYS: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
    "once more": ((), {}),
    "one at a time": ((), {"concurrency": 1}),
    "32 at once": ((), {"concurrency": 32}),
    "by the Batch API": (("--batch",), {}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("player", ["offender", "garbler"])
def test_the_same_run_is_the_same_bytes(
    way: str, player: str, play: Play, behind: Any, calm: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "benchwright.asking.rounds.BATCH_SETTINGS", BatchSettings(poll_seconds=0.005)
    )
    options, settings = WAYS[way]
    second = play(behind(), player, *options, **settings)
    assert second.contents() == calm(player).contents()


def test_another_seed_of_the_noise_is_another_run(play: Play, behind: Any) -> None:
    server = behind()
    noisy = ("--flip", "0.3")
    first, same, other = (
        play(server, "stubborn", *noisy, "--seed", seed, place=place)
        for seed, place in (("1", "first"), ("1", "same"), ("2", "other"))
    )
    assert first.contents() == same.contents()
    assert first.rows != other.rows
