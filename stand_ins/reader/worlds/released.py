"""Releases, on the disk and on a Hub, models that are asked about them, and runs that were played.

``dresses`` holds one kind, as that of the first pages; ``things`` holds all four.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace as with_fields
from pathlib import Path

from datasets import load_dataset

from benchwright import store
from benchwright.workspace import Workspace
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.names import Version
from labeling.audits.tasks.task import AuditSettings
from labeling.dialogues.stored import drafts_folder, write_drafts
from stand_ins.chains import chain
from stand_ins.reader.page import Command
from stand_ins.reader.person import judge_all
from stand_ins.reader.world import Making, World
from stand_ins.reader.worlds.publishable import label_sample, with_hub
from stand_ins.whole_workspace import pictures_of, store_dialogues

# what the gate would find of so small a thing
WAIVED = tuple((name, "a test") for name in ("duplicates", "label-error", "licences"))
_ON_THE_HUB = re.compile(r"\b((?:ana|user|USER)/[\w-]+)@v1\.0\.0")
_DRESSES = "releases/dresses/1.0.0"
_GREEDY = "greedy.hidden-target-tau-0.6.dresses-1.0.0"
_OF_ALL = ("releases/things/1.0.0", "--config")
_QWEN = ("--voters", "voters.yaml", "--only", "qwen")
# how the runs were played that pages name
_RUNS: Mapping[str, tuple[str, ...]] = {
    "NAME": (*_OF_ALL, "false-premise", *_QWEN, "--detectors", "one,two"),
    **dict.fromkeys(("greedy", "one-run", _GREEDY), (_DRESSES, "--player", "greedy")),
    **dict.fromkeys(("random", "another-run"), (_DRESSES, "--player", "random")),
    "model-a": (_DRESSES, *_QWEN),
    "model-a-2": (_DRESSES, *_QWEN, "--sample", "1"),
}
_CHAINS = {"--episodes 40": "--episodes 1", "40-chains": "1-chains"}  # of two
_FILES = ("elsewhere.jsonl", "theirs.jsonl", "greedy.jsonl")


def released(making: Making) -> World:
    """Make the world: workspace, releases/, voters.yaml, a Hub; runs as commands name them."""

    def make(root: Path) -> None:
        label_sample(making, root, dresses=80)
        making.console("build-galleries", "--tau", "0.6", "--workspace", root)
        _release(root, "dresses")
        store_dialogues(Workspace(root))
        _add_chain(Workspace(root))
        _release(root, "things")

    root = making.copied("released", make)
    making.linked("docs", "tests/data")
    (making.folder / "releases").symlink_to(root / "releases")
    world = with_hub(making, root / "releases" / "things" / "1.0.0")
    return with_fields(world, swapped={**world.swapped, **_CHAINS}, before=_played_before(making))


def _add_chain(workspace: Workspace) -> None:
    """Write a second chain, about another picture, that four people let stand."""
    first, second = pictures_of(workspace)[:2]
    chains = [
        chain(image_id=first.image_id),
        chain(chain_id="c2", image_id=second.image_id),
    ]
    shutil.rmtree(drafts_folder(workspace, "question-chain"))
    plan = store.Plan(stage="dialogues/question-chain/drafts", inputs={}, settings={}, seed=0)
    write_drafts(workspace, "question-chain", chains, plan)
    for auditor in ("ana", "bo", "cy", "dee"):
        judge_all(workspace, "question-chain", auditor, AuditSettings())


def _release(root: Path, name: str) -> None:
    build_release(Workspace(root), name, Version.of("1.0.0"), ReleaseSettings(waived=WAIVED))


def _played_before(making: Making) -> Callable[[Command], None]:
    """Return what others did: played the runs that a command names, pushed what it looks for."""
    runs = making.folder / "workspace" / "runs"

    def play(name: str, *how: str) -> None:
        if not (runs / name).exists():
            making.console("run-benchmark", *how, "--run", name)

    def push(repo: str) -> None:
        name = "dresses" if repo.endswith("dresses") else "things"
        command = ("push", name, "--version", "1.0.0", "--repo", repo)
        code = "from exports.cli import main; main()"
        subprocess.run(
            [sys.executable, "-c", code, *command],
            check=True,
            capture_output=True,
        )

    pushed: set[str] = set()

    def before(command: Command) -> None:
        for word in (one.rpartition("/")[2] for one in command.words):
            if word in _RUNS:
                play(word, *_RUNS[word])
            if word in _FILES:
                play("greedy", *_RUNS["greedy"])
                _write_lines(runs / "greedy", making.folder / word)
        for repo in set(_ON_THE_HUB.findall(command.text)) - pushed:
            push(repo)
            pushed.add(repo)

    return before


def _write_lines(run: Path, path: Path) -> None:
    cache = str(path.parent / "cache")
    load_dataset(str(run), split="train", cache_dir=cache).to_json(str(path))
