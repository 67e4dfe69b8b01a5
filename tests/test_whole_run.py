"""One run from pictures to a published release and its leaderboard, twice; judged in the App."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fiftyone", reason="needs the extra review")

ROOT = Path(__file__).parents[1]
# what may differ: seconds are told, answers have their times, caches are others'
_NOT_SAME = ("manifest.json", ".lock", "answers.sqlite", "answers.sqlite-wal", "answers.sqlite-shm")
_FOUND_ANEW = ("hub-cache", "voters.yaml", "players.yaml", "ensemble.yaml")  # ports stand in them


def whole_run(out: Path) -> str:
    """Run it as small as it goes, and return what it printed."""
    command = ["-m", "stand_ins.whole_run", "--out", str(out), "--small"]
    ran = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout[-4000:] + ran.stderr
    return ran.stdout


def held(out: Path) -> dict[str, str]:
    """Return all files by their hashes."""
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file()
        and path.name not in _NOT_SAME
        and path.relative_to(out).parts[0] not in _FOUND_ANEW
    }


def counts_of(said: str) -> dict[tuple[str, str], str]:
    """Return what stands at each stage, by workspace and folder."""
    table = said.partition("what stands at each stage:\n")[2]
    rows = (line.split(maxsplit=2) for line in table.splitlines() if line.startswith("  "))
    return {(name, stage): counts for name, stage, counts in rows}


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_a_whole_run_ends_in_a_leaderboard_and_goes_on_without_a_call(tmp_path: Path) -> None:
    out = tmp_path / "whole"
    first = whole_run(out)
    assert "labels are judged in the App" in first
    counts = counts_of(first)
    said = "3,488 attributes, 475 items, 25 rejects, 500 rows"
    assert counts["table", "catalog"] == said
    assert counts["dresses", "catalog"] == "720 attributes, 60 items, 60 pictures, 60 rows"
    assert [stage for name, stage in counts if name == "dresses" and "tau" in stage][:5] == [
        f"galleries/tau-0.{digit}" for digit in (2, 3, 4, 5, 6)
    ]
    assert counts["spoken", "dialogues/candidate-set"] == "9 dialogues"
    runs = [stage for _, stage in counts if stage.startswith("runs/")]
    assert len(runs) == 9  # three of hidden-target, two of each other kind
    assert (out / "leaderboard" / "leaderboard.html").is_file()
    steps = [line for line in first.splitlines() if line.startswith("$ ")]
    assert sum("push-release verify" in line for line in steps) == 3
    traced = re.search(r"^(\d+) records followed .* all whole$", first, re.MULTILINE)
    assert traced is not None
    assert int(traced[1]) >= len(runs)
    assert "answers given by servers: 0 " not in first

    before = held(out)
    again = whole_run(out)
    assert "answers given by servers: 0 " in again
    assert held(out) == before
