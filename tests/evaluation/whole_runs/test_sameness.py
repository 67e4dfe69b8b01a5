"""The same run is the same bytes, whatever the pace and the way in which it is asked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.batch import BatchSettings

Play = Callable[..., Any]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a run; its manifest holds the seconds that it took."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    del found["manifest.json"]
    return {name: data for name, data in found.items() if not name.startswith(".")}


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
    way: str, player: str, play: Play, behind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "benchwright.asking.rounds.BATCH_SETTINGS", BatchSettings(poll_seconds=0.005)
    )
    first = play(behind(), player, place="first")
    options, settings = WAYS[way]
    second = play(behind(), player, *options, place="second", **settings)
    assert contents(second.folder) == contents(first.folder)


def test_another_seed_of_the_noise_is_another_run(play: Play, behind: Any) -> None:
    server = behind()
    noisy = ("--flip", "0.3")
    first, same, other = (
        play(server, "stubborn", *noisy, "--seed", seed, place=place)
        for seed, place in (("1", "first"), ("1", "same"), ("2", "other"))
    )
    assert contents(first.folder) == contents(same.folder)
    assert first.rows != other.rows
