"""Names in a source cannot steer the terminal of whoever reads what a command says."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

ESCAPE = "\x1b]0;HACK\x07"


def test_no_command_prints_what_would_steer_a_terminal(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    Image.new("RGB", (40, 40), "red").save(tmp_path / "a.png")
    with (tmp_path / "dresses.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = [[f"{number}", "a.png", f"v{ESCAPE}{number % 2}"] for number in range(6)]
        csv.writer(stream).writerows([["id", "image", f"neck{ESCAPE}"], *rows])
    workspace = tmp_path / "w"
    steps = (
        ("build-catalog", "table", tmp_path / "dresses.csv", "--workspace", workspace),
        ("label-attributes", "normalise", "--workspace", workspace),
        ("benchwright", "status", "--workspace", workspace),
    )
    for step in steps:
        ran = run(*step)
        said = ran.out + ran.err
        assert "neck" in said or step[0] == "benchwright"
        assert "\x1b" not in said, step
        assert "\x07" not in said, step
