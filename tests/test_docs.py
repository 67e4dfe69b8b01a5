"""The documentation says what is true: commands, their help, and what the README runs."""

import json
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from benchwright.asking.voters import Voter, read_voters
from benchwright.clip import open_clip_model
from benchwright.clip.choosing import KNOWN
from benchwright.clip.recorded import LEAST_COSINE, compare
from benchwright.workspace import Workspace
from builders.table.build import build_table
from galleries.build import build_galleries
from galleries.settings import Settings
from galleries.tau import parse_taus
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.voting.ensemble import Ensemble, read_ensemble
from stand_ins.embedding import ColourEmbedder

ROOT = Path(__file__).parents[1]


def commands_of(text: str) -> list[str]:
    """Return the lines of the shell blocks of a page."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_page_of_commands_is_what_the_commands_say() -> None:
    page = runpy.run_path(str(ROOT / "docs" / "write_commands.py"))["page"]()
    assert (ROOT / "docs" / "commands.md").read_text("utf-8") == page, (
        "run python docs/write_commands.py"
    )


def test_every_option_has_help() -> None:
    commands = list(runpy.run_path(str(ROOT / "docs" / "write_commands.py"))["COMMANDS"].values())
    options = []
    while commands:
        command = commands.pop()
        commands += command.commands.values() if isinstance(command, click.Group) else []
        assert command.help, command.name
        options += [entry for entry in command.params if isinstance(entry, click.Option)]
    assert len(options) > 20
    assert [option.name for option in options if not option.help] == []


def test_the_make_targets_of_the_readme_are_there() -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = [line.split()[1] for line in commands_of(readme()) if line.startswith("make ")]
    assert named
    assert set(named) <= set(targets)


def test_the_voters_page_names_every_key_and_its_file_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "voters.md").read_text("utf-8")
    (written,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "voters.yaml"
    path.write_text(written, "utf-8")
    assert [voter.name for voter in read_voters(path)] == ["qwen", "mini"]
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    told = {key for row in rows for key in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == set(Voter.model_fields) - {"kind"}


def test_the_labels_page_names_every_key_and_its_ensemble_is_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "labels.md").read_text("utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "ensemble.yaml"
    named = []
    for written in blocks:
        path.write_text(written, "utf-8")
        named.append([voter.name for voter in read_ensemble(path).voters])
    assert named == [["qwen", "intern", "clip"], ["careful", "hasty"]]
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    told = {row.split("|")[1].strip().strip("`") for row in rows}
    assert told == set(Ensemble.model_fields)


def test_embeddings_are_recorded_as_the_labels_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "labels.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (code,) = (block for block in blocks if "write_recorded" in block)
    monkeypatch.setattr(open_clip_model, "load_open_clip", lambda model: ColourEmbedder())
    (tmp_path / "FOLDER").mkdir()
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert compare(ColourEmbedder(), tmp_path / "FOLDER" / KNOWN) > LEAST_COSINE


def readme() -> str:
    return (ROOT / "README.md").read_text("utf-8")


@pytest.mark.heavy
def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    ran = []
    for line in commands_of(readme()):
        if line.startswith("make "):
            continue  # the set-up itself; CI calls it
        name, *arguments = shlex.split(line)
        done = subprocess.run(
            [str(Path(sys.executable).with_name(name)), *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        ran.append(done.stdout)
    assert len(ran) >= 3
    status = next(text for text in ran if text.startswith("uci:"))
    assert "475 items, 25 rejects, 500 rows" in status


def test_the_table_of_your_own_catalog_is_measured(tmp_path: Path) -> None:
    """Each figure of the table is what the commands before it give."""
    page = (ROOT / "docs" / "tutorials" / "your-catalog.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (0\.\d) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| (\d+) % \| (\d+) % \|$",
        page,
        re.MULTILINE,
    )
    assert [row[0] for row in rows] == ["0.3", "0.4", "0.5", "0.6", "0.8"]
    uci = ROOT / "tests" / "data" / "uci_dresses"
    by_rule = figures(tmp_path / "rule", uci, vocabulary=None)
    by_hand = figures(tmp_path / "hand", uci, vocabulary=uci / "vocabulary.yaml")
    for tau, targets, targets_hand, size, size_hand, solved, solved_hand in rows:
        assert by_rule[tau] == (int(targets), float(size), int(solved)), tau
        assert by_hand[tau] == (int(targets_hand), float(size_hand), int(solved_hand)), tau


def figures(
    workspace: Path, uci: Path, vocabulary: Path | None
) -> dict[str, tuple[int, float, int]]:
    place = Workspace(workspace)
    build_table([uci / "dresses.csv"], place)
    normalise(place, vocabulary_file=vocabulary)
    found = {}
    for made in build_galleries(place, parse_taus("0.3,0.4,0.5,0.6,0.8"), Settings()):
        summary = json.loads((place.galleries / made.tau.folder / "summary.json").read_text())
        found[made.tau.name] = (
            summary["qualifying_targets"],
            round(summary["gallery_size"]["mean"], 1),
            round(100 * summary["identifiable"]["share"]),
        )
    return found
