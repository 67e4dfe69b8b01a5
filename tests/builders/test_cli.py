"""The command as a user meets it: real processes, their output, their exit codes, their deaths."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from PIL import Image

from benchwright.errors import UsageError
from benchwright.fetching import FetchSettings
from builders import links
from builders.cli import build_catalog

DRESSES = Path(__file__).parents[1] / "data" / "uci_dresses" / "dresses.csv"
COMMAND = [sys.executable, "-c", "from builders.cli import main; main()"]
# A file with a guard, as an installed command is, because workers import it again. Small parts, so
# that a kill falls between two of them.
SCRIPT = """
from builders import outcomes
from builders.cli import main

if __name__ == "__main__":
    outcomes.PART_ROWS = 5
    main()
"""


def run(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    environment.pop("BENCHWRIGHT_WORKSPACE", None)
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_dresses(tmp_path: Path) -> None:
    done = run(tmp_path, "table", DRESSES, "--workspace", tmp_path / "w")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0] == "read dresses.csv: CSV, utf-8, comma; 500 rows, 14 columns"
    assert "id Dress_ID its name, and 475 different of 500 cells" in lines
    assert "Price price cannot be seen in a picture" in lines
    assert "500 rows = 475 items + 25 rejects; 0 pictures" in lines
    assert "25 duplicate_id" in lines
    # there are no pictures among which to look for near-duplicates
    assert lines[-1] == f"next: build-galleries --tau 0.6 --workspace {tmp_path / 'w'}"
    again = run(tmp_path, "table", DRESSES, "--workspace", tmp_path / "w")
    assert "nothing to do" in again.stdout
    assert again.returncode == 0


def test_the_hash_seed_changes_no_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in "12":
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        run(tmp_path, "table", DRESSES, "--workspace", tmp_path / seed)
    one, other = (data_bytes(tmp_path / seed / "catalog") for seed in "12")
    assert one == other
    assert "items-00000.parquet" in one


def test_the_workspace_is_here_by_default(tmp_path: Path) -> None:
    done = run(tmp_path, "sample", "--n", "2", "--workers", "1")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == (
        "next: build-catalog dedup (look-alikes that are one picture), then build-galleries"
        " --tau 0.6"
    )
    assert (tmp_path / "workspace" / "catalog" / "manifest.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["table", "none.csv"], 1, ["none.csv", "No such file"]),
        (["table", "empty.csv"], 1, ["empty.csv", "is empty"]),
        (["table", "binary.csv"], 1, ["binary.csv", "binary"]),
        (["table", "."], 1, ["folder"]),
        (["table", str(DRESSES), "--attributes", "Neckline"], 1, ["did you mean 'NeckLine'"]),
        (["table", str(DRESSES), "--image", "Style"], 1, ["would be empty", "missing_file"]),
        (["table", str(DRESSES), "--mapping", "m.yaml"], 1, ["m.yaml", "at idd: unknown key"]),
        (["table", str(DRESSES), "--workers", "0"], 2, ["workers"]),
        (["table", str(DRESSES), "--workspace", "m.yaml"], 2, ["is a file"]),
        (["table"], 2, ["FILES"]),
        (["sample", "--n", "0"], 2, ["--n"]),
        (["sampel"], 2, ["sampel"]),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, arguments: list[str], code: int, words: list[str]
) -> None:
    (tmp_path / "empty.csv").touch()
    (tmp_path / "binary.csv").write_bytes(bytes(range(256)))
    (tmp_path / "m.yaml").write_text("idd: x\n")
    done = run(tmp_path, *arguments)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert code == 2 or len(done.stderr.splitlines()) == 1
    for word in words:
        assert word in done.stderr
    assert not (tmp_path / "workspace" / "catalog" / "manifest.json").exists()


def test_options_and_a_mapping_file(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("id: Dress_ID\nattributes: [Style, Season]\nsource: uci\n")
    given = ["--attributes", "NeckLine,Pattern Type", "--missing", "null,NA", "--title", "Style"]
    done = run(tmp_path, "table", DRESSES, "--mapping", "m.yaml", *given)
    assert done.returncode == 0, done.stderr
    used = done.stdout.split("columns left out")[0]
    assert [line.split()[0] for line in used.splitlines()[2:]] == [
        "id",
        "title",
        "attribute",
        "attribute",
    ]
    assert "the words null, na" in done.stdout


def test_commands_that_fetch_share_their_options() -> None:
    for name, command in build_catalog.commands.items():
        options = {option for one in command.params for option in one.opts}
        fetches = name in ("table", "coco", "open-images", "invig")
        for option in ("--placeholder", "--max-dead-links", "--link"):
            assert (option in options) == fetches, name


def test_links_to_ask_again_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody listens on port 9: links that fail for a moment."""
    quick = FetchSettings(retries=0, backoff=0.01)
    monkeypatch.setattr(links, "FetchSettings", lambda: quick)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.chdir(tmp_path)
    Image.new("RGB", (8, 8)).save("a.png")
    rows = "".join(f"{name},http://127.0.0.1:9/{name},red\n" for name in "bc")
    Path("t.csv").write_text(f"id,image,colour\na,a.png,red\n{rows}")
    given = ["table", "t.csv", "--id", "id", "--image", "image", "--attributes", "colour"]
    given += ["--workers", "1"]
    lines = CliRunner().invoke(build_catalog, given).output.splitlines()
    assert "warning: 2 of 2 links gave no picture" in lines
    assert "2 links may be asked again by the same command" in lines
    lines = CliRunner().invoke(build_catalog, given).output.splitlines()
    assert "asked 2 links again: no final answer yet" in lines
    done = CliRunner().invoke(build_catalog, [*given, "--max-dead-links", "0.5"])
    assert isinstance(done.exception, UsageError)
    assert "2 of 2 links gave no picture" in str(done.exception)


def test_every_option_has_help() -> None:
    for command in build_catalog.commands.values():
        assert command.help
        for option in command.params:
            assert not isinstance(option, click.Option) or option.help, option.name


@pytest.mark.heavy
def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    """The catalog that comes out after many kills is the one that an undisturbed run gives."""
    script = tmp_path / "build_catalog.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), "sample", "--n", "24", "--force", "--workspace"]
    started = time.monotonic()
    subprocess.run([*command, str(tmp_path / "whole")], check=True, capture_output=True)
    whole_run = time.monotonic() - started
    chance = random.Random(7)
    killed = 0
    for _ in range(8):
        process = subprocess.Popen(
            [*command, str(tmp_path / "killed")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            process.wait(chance.uniform(0.1, 0.9) * whole_run)
        except subprocess.TimeoutExpired:
            killed += 1
            process.kill()
            process.wait()
    assert killed >= 4
    subprocess.run([*command, str(tmp_path / "killed")], check=True, capture_output=True)
    one, other = (data_bytes(tmp_path / name / "catalog") for name in ("whole", "killed"))
    assert one == other


def data_bytes(catalog: Path) -> dict[str, bytes]:
    """All files but the manifest, whose seconds differ, and what a kill leaves for the rerun."""
    return {
        str(path.relative_to(catalog)): path.read_bytes()
        for path in catalog.rglob("*")
        if path.is_file() and path.name not in {"manifest.json", ".lock"}
    }
