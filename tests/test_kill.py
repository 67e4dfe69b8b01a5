"""A process that is killed leaves nothing half, and the same command goes on from there.

For each stage a real process is killed with SIGKILL at twenty seeded moments: at the n-th time
that it is about to create, sync, rename or remove something, and a few times by the clock.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

MOMENTS = 20
BY_THE_CLOCK = 3

# Imports the command once and forks a process for each moment. It counts by an audit hook: the
# interpreter itself calls that before it touches the file system, whatever function asks for it.
LAUNCHER = """
import contextlib, importlib, json, os, random, shutil, signal, sys, time

job = json.loads(sys.argv[1])
for name in job["imports"]:
    importlib.import_module(name)
main = importlib.import_module(job["imports"][0]).main
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir"}


def watch(root, moment):
    seen = 0

    def step():
        nonlocal seen
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        seen += 1

    def hook(event, args):
        if event in CHANGES:
            step()
        elif event == "open" and isinstance(args[0], str) and args[2] & WRITES:
            if args[0].startswith(root):
                step()

    fsync = os.fsync

    def counted(handle):
        step()
        fsync(handle)

    os.fsync = counted
    sys.addaudithook(hook)
    return lambda: seen


def start(number, moment=-1):
    root = os.path.join(job["folder"], str(number))
    shutil.copytree(job["template"], root)
    process = os.fork()
    if process:
        return root, process
    count, code = watch(root, moment), 1
    sys.argv = [*job["command"], "--workspace", root]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    with open(os.path.join(job["folder"], "count"), "w") as stream:
        stream.write(str(count()))
    os._exit(code)


def end(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


began = time.monotonic()
_, process = start("whole")
assert end(process) == 0
seconds = time.monotonic() - began
with open(os.path.join(job["folder"], "count")) as stream:
    count = int(stream.read())
chance = random.Random(job["seed"])
by_step = min(count, job["moments"] - job["clock"])
killed = []
for number, moment in enumerate(sorted(chance.sample(range(count), by_step))):
    root, process = start(number, moment)
    killed.append([root, f"step {moment} of {count}", end(process)])
for number in range(by_step, job["moments"]):
    root, process = start(number)
    share = chance.uniform(0.05, 0.9)
    time.sleep(share * seconds)
    os.kill(process, signal.SIGKILL)
    killed.append([root, f"{share:.2f} of the time", end(process)])
print(json.dumps(killed))
"""


@dataclass(frozen=True)
class Stage:
    """A command to kill; ``before`` are the commands that make what it starts from."""

    imports: tuple[str, ...]
    command: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()


CATALOG = ("builders.cli", "builders.table.build", "builders.sample.build")
LABELS = ("labeling.attributes.cli", "labeling.attributes.normalise", "labeling.attributes.report")
GALLERIES = (
    "galleries.cli",
    "galleries.build",
    "matplotlib.figure",
    "builders.sample.build",
    *LABELS,
)

SAMPLE = ("build-catalog", "sample", "--n", "12", "--workers", "1")
TABLE = ("build-catalog", "TABLE")
NORMALISE = ("label-attributes", "normalise")
BUILD = ("build-galleries", "--tau", "0.3,0.5", "--threads", "1")

STAGES = {
    "catalog from a table with pictures": Stage(CATALOG, TABLE),
    "catalog of the sample": Stage(CATALOG, SAMPLE),
    # what stands there already must not be taken for what is being made
    "another catalog": Stage(CATALOG, TABLE, (SAMPLE,)),
    "labels": Stage(LABELS, NORMALISE, (TABLE,)),
    "labels by another vocabulary": Stage(
        LABELS, (*NORMALISE, "--vocabulary", "VOCABULARY"), (TABLE, NORMALISE)
    ),
    "galleries": Stage(GALLERIES, BUILD, (TABLE, NORMALISE)),
    "galleries of another seed": Stage(
        GALLERIES, (*BUILD, "--seed", "7"), (TABLE, NORMALISE, BUILD)
    ),
    "paired galleries": Stage(GALLERIES, (*BUILD, "--paired"), (TABLE, NORMALISE)),
}


@pytest.fixture(scope="module")
def spelled_out(
    small_arguments: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[tuple[str, ...]], list[str]]:
    """Put paths into a command."""
    vocabulary = tmp_path_factory.mktemp("vocabulary") / "mine.yaml"
    vocabulary.write_text(
        "types: {cloth: {values: {red: {aliases: [crimson]}, teal: {}}}}", "utf-8"
    )

    def spell(command: tuple[str, ...]) -> list[str]:
        given = {"TABLE": list(small_arguments), "VOCABULARY": [str(vocabulary)]}
        return [part for word in command for part in given.get(word, [word])]

    return spell


@pytest.mark.heavy
@pytest.mark.parametrize("name", STAGES)
def test_a_killed_process_leaves_nothing_half_and_a_rerun_goes_on(
    name: str,
    tmp_path: Path,
    run: Callable[..., Any],
    spelled_out: Callable[[tuple[str, ...]], list[str]],
    holdings: Callable[[Path], dict[str, Any]],
    verify: Callable[[Path], None],
) -> None:
    stage = STAGES[name]
    template, whole = tmp_path / "template", tmp_path / "whole"
    template.mkdir()
    for before in stage.before:
        assert run(*spelled_out(before), "--workspace", template).code == 0
    shutil.copytree(template, whole)
    command = spelled_out(stage.command)
    assert run(*command, "--workspace", whole).code == 0
    expected = holdings(whole)

    job = {
        "imports": stage.imports,
        "command": command,
        "template": str(template),
        "folder": str(tmp_path / "killed"),
        "moments": MOMENTS,
        "clock": BY_THE_CLOCK,
        "seed": name,
    }
    (tmp_path / "killed").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LAUNCHER, json.dumps(job)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    killed = json.loads(done.stdout)
    assert len(killed) == MOMENTS
    # by the clock a process may just have ended; by the steps it never has
    assert [code for _, _, code in killed[:-BY_THE_CLOCK]] == [-9] * (MOMENTS - BY_THE_CLOCK)

    for folder, moment, _ in killed:
        root = Path(folder)
        verify(root)
        again = run(*command, "--workspace", root)
        assert (again.code, again.err) == (0, ""), moment
        assert holdings(root) == expected, moment
