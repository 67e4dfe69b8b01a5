"""The demo of labels on few pictures, by the commands of its recipe; skipped without torch."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch IS NOT INSTALLED: THE DEMO OF LABELS DID NOT RUN")
pytest.importorskip(
    "open_clip", reason="open_clip IS NOT INSTALLED: THE DEMO OF LABELS DID NOT RUN"
)

ROOT = Path(__file__).parents[1]
DRESSES, KNOWN = 200, 150
VALUES, QUESTIONS = 65, 9  # so many values at least are met among so few dresses


def recipe(folder: Path) -> str:
    """Return the commands that make would run, on few pictures, by the scripts of this Python."""
    small = {
        "BIN": Path(sys.executable).parent,
        "LABELS": folder,
        "DRESSES": DRESSES,
        "KNOWN_DRESSES": KNOWN,
    }
    chosen = [f"{name}={value}" for name, value in small.items()]
    return subprocess.run(
        ["make", "--dry-run", "--old-file", ".venv/installed-clip", "demo-labels", *chosen],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_the_demo_of_labels(tmp_path: Path) -> None:
    folder = tmp_path / "demo-labels"
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", recipe(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert ran.stderr == ""  # nothing that a user need not know
    steps = [line for line in ran.stdout.splitlines() if line.startswith("$ ")]
    assert [step.split()[1] for step in steps] == [
        *("build-catalog", "label-attributes"),
        *("build-catalog", "label-attributes") * 2,
        *("label-attributes", "build-galleries"),
    ]
    assert "next:" not in ran.stdout
    for name in ("clean", "degraded"):
        counts = manifest(folder / name / "labels" / "votes")["counts"]
        assert counts["votes"] == counts["planned"] >= DRESSES * VALUES * QUESTIONS
        plan = manifest(folder / name / "labels")["plan"]
        assert plan["settings"]["keep_catalog"] is False  # from the pictures alone
    measured = json.loads((folder / "clean" / "labels" / "measured.json").read_text("utf-8"))
    clean, degraded = (measured[side]["balanced_accuracy"]["mean"] for side in ("labels", "beside"))
    assert clean > 0.95
    assert clean > degraded > 0.9
    for page in ("labels/measured.html", "galleries/tau-0.6/report.html"):
        assert (folder / "clean" / page).is_file()
        assert str(folder / "clean" / page) in ran.stdout
    said = "".join(path.read_text("utf-8") for path in folder.rglob("manifest.json"))
    assert str(ROOT) not in said  # no place of this machine
    assert str(tmp_path) not in said


def manifest(stage: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((stage / "manifest.json").read_text("utf-8"))
    return said
