"""Without the extra clip all works that does not need it; what does says what to install."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

# runs each of some commands as its script does, in a process that cannot import the extra
BLOCKED = """
import importlib, io, json, sys
from contextlib import redirect_stderr, redirect_stdout

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "torchvision", "open_clip", "timm", "safetensors"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
MODULES = {
    "benchwright": "benchwright.cli",
    "build-catalog": "builders.cli",
    "label-attributes": "labeling.attributes.cli",
    "build-galleries": "galleries.cli",
}
said = []
for command, *arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = [command, *arguments]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            importlib.import_module(MODULES[command]).main()
    except SystemExit as stop:
        said.append([stop.code or 0, out.getvalue(), err.getvalue()])
assert not {"torch", "open_clip"} & set(sys.modules)
print(json.dumps(said))
"""
INSTALL = "pip install 'benchwright[clip]'"
ROOTS = ("build-catalog", "label-attributes", "build-galleries", "benchwright")


def without_clip(*commands: tuple[str | Path, ...]) -> list[tuple[int, str, str]]:
    """Return exit code, output and errors of each command."""
    asked = json.dumps([list(map(str, command)) for command in commands])
    ran = subprocess.run(
        [sys.executable, "-c", BLOCKED, asked], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return [tuple(each) for each in json.loads(ran.stdout)]


def test_every_command_has_its_help() -> None:
    waiting: list[tuple[str, ...]] = [(root,) for root in ROOTS]
    seen = []
    while waiting:
        helps = without_clip(*((*command, "--help") for command in waiting))
        below = []
        for command, (code, out, err) in zip(waiting, helps, strict=True):
            assert (code, err) == (0, ""), command
            seen.append(command)
            _, _, listed = out.partition("\nCommands:\n")
            below += [(*command, line.split()[0]) for line in listed.splitlines() if line.strip()]
        waiting = [command for command in below if command[-1].isidentifier() or "-" in command[-1]]
    assert ("build-catalog", "dedup") in seen
    assert ("label-attributes", "calibrate") in seen
    assert len(seen) > 15


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "w"


def ensemble(root: Path, **voter: Any) -> Path:
    said = {"views": {"whole": {}}, "templates": 1, "full": 1, "voters": [{"name": "v", **voter}]}
    path = root.parent / f"{voter['kind']}.yaml"
    path.write_text(yaml.safe_dump(said), "utf-8")
    return path


def test_what_needs_it_says_what_to_install_and_all_else_works(root: Path) -> None:
    labels = root / "labels" / "labels.parquet"
    scripted = ensemble(root, kind="scripted", labels=str(root.parent / "known.parquet"))
    clip = ensemble(root, kind="clip", model="embedded")
    at = ("--workspace", root)
    made = without_clip(
        ("build-catalog", "sample", "--n", "30", "--workers", "1", *at),
        ("build-catalog", "dedup", "--workers", "1", *at),
        ("label-attributes", "normalise", *at),
        ("build-galleries", "--tau", "0.3", "--baselines", *at),
        ("benchwright", "status", *at),
    )
    assert [code for code, _, _ in made] == [0] * 5, made
    labels.rename(root.parent / "known.parquet")
    voted = without_clip(
        ("label-attributes", "run", "--ensemble", scripted, "--force", *at),
        ("label-attributes", "calibrate", "--known", "catalog", *at),
        ("label-attributes", "measure", "--known", "catalog", *at),
        ("label-attributes", "decide", "--method", "unweighted", *at),
        ("label-attributes", "run", "--ensemble", clip, "--estimate", *at),  # asks nobody
    )
    assert [code for code, _, _ in voted] == [0] * 5, voted
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    needing = without_clip(
        ("build-catalog", "dedup", "--method", "clip", "--clip-model", "embedded", *at),
        ("build-catalog", "dedup", "--method", "clip", *at),
        ("label-attributes", "ask", "--ensemble", clip, *at),
        ("label-attributes", "run", "--ensemble", clip, *at),
        ("label-attributes", "calibrate", "--clip", clip, "--known", "catalog", *at),
        ("build-galleries", "--tau", "0.3", "--baselines", "--clip-model", "embedded", *at),
    )
    for code, _, err in needing:
        assert (code, err.count("\n"), INSTALL in err) == (1, 1, True), err
    after = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert {path for path in after if before.get(path) != after[path]} <= leftovers(root)
    assert before.keys() <= after.keys()


def leftovers(root: Path) -> set[Path]:
    """Return the files that a run which ended may leave: locks, the store of answers."""
    return {path for path in root.rglob("*") if path.name == ".lock" or ".sqlite" in path.name}
