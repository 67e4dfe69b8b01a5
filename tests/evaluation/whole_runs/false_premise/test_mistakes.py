"""What a user gets wrong is one line that says what to do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "nobody": ((), "nobody is named to answer: --model NAME --base-url URL, or --voters FILE"),
    "a detector of no file": (
        ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--detectors", "keen"),
        "--detectors keen: name the file that says who that is by --voters",
    ),
    "a detector that is named twice": (
        ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--detectors", "a, b,a"),
        "--detectors a, b,a: names one of them twice",
    ),
    "a baseline of another kind": (
        ("--player", "greedy"),
        "--player goes with hidden-target, not with false-premise",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(name: str, release: Path, run: Callable[..., Any], tmp_path: Path) -> None:
    options, said = WRONG[name]
    ran = run(
        *("run-benchmark", release, "--config", "false-premise", *options),
        *("--workspace", tmp_path / "workspace"),
    )
    assert ran.code == 1
    (line,) = ran.err.splitlines()
    assert said in line
    assert not (tmp_path / "workspace").exists()


def test_a_detector_that_the_file_does_not_name(
    release: Path, run: Callable[..., Any], arguments: Any, behind: Any, tmp_path: Path
) -> None:
    said = arguments(behind(), "weary", tmp_path / "workspace", "--detectors", "keen,nobody")
    ran = run("run-benchmark", *said)
    assert ran.code == 1
    assert "--detectors nobody" in ran.err
    assert "has no such voter" in ran.err
