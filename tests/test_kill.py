"""A process that is killed leaves nothing half, and the same command goes on from there.

For each stage a real process is killed with SIGKILL at twenty seeded moments, for its variants at
fewer: at the n-th time that it is about to create, fill, sync, rename or remove something, and a
few times by the clock.
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
FEWER = 8  # where a stage that is killed twenty times elsewhere differs in its start alone
BY_THE_CLOCK = 3

# Runs the command once and then, warm, forks a process for each moment. It counts by an audit
# hook: the interpreter calls that before it touches the file system, whatever function asks.
LAUNCHER = """
import contextlib, importlib, json, os, pathlib, random, shutil, signal, sys, threading, time

job = json.loads(sys.argv[1])
main = importlib.import_module(job["module"]).main
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir"}
root, moment, seen = "?", -1, 0
fsync, opened, one_at_a_time = os.fsync, pathlib.Path.open, threading.Lock()


def step():
    global seen
    with one_at_a_time:
        if seen == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        seen += 1


def hook(event, args):
    if event in CHANGES or (event == "open" and args[2] & WRITES):
        path = args[0]  # what lies in an open folder is named from there
        if isinstance(path, str) and (path.startswith(root) or not os.path.isabs(path)):
            step()


def counted(handle):
    step()
    fsync(handle)


def opened_and_counted(path, mode="r", *rest, **named):
    stream = opened(path, mode, *rest, **named)
    if "w" in mode and str(path).startswith(root):
        step()  # now the file is there, and empty
    return stream


def make_root(name):
    return shutil.copytree(job["template"], os.path.join(job["folder"], name))


def run():
    sys.argv = [*job["command"], "--workspace", root]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        try:
            main()
        except SystemExit as stop:
            return stop.code


def start(name, at=-1):
    global root, moment, seen
    root, moment, seen = make_root(name), at, 0
    process = os.fork()
    if not process:
        os._exit(run())
    return process


def end(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


os.fsync, pathlib.Path.open = counted, opened_and_counted
sys.addaudithook(hook)
for name in ("cold", "warm"):
    root, seen, began = make_root(name), 0, time.monotonic()
    assert run() == 0
count, seconds = seen, time.monotonic() - began

chance = random.Random(job["seed"])
by_step = min(count, job["moments"] - job["clock"])
killed = []
for at in sorted(chance.sample(range(count), by_step)):
    killed.append([f"step {at} of {count}", end(start(f"step {at} of {count}", at))])
while len(killed) < job["moments"]:
    name = f"clock {len(killed)}"
    process = start(name)
    time.sleep(chance.uniform(0.05, 0.9) * seconds)
    os.kill(process, signal.SIGKILL)
    killed.append([name, end(process)])
print(json.dumps(killed))
"""


@dataclass(frozen=True)
class Stage:
    """A command to kill ``moments`` times.

    ``before`` are the commands that make what it starts from.
    """

    module: str
    command: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()
    moments: int = MOMENTS


CATALOG, LABELS, GALLERIES = "builders.cli", "labeling.attributes.cli", "galleries.cli"
RELEASE = "exports.cli"

SAMPLE = ("build-catalog", "sample", "--n", "5", "--workers", "1")
TABLE = ("build-catalog", "TABLE")
NORMALISE = ("label-attributes", "normalise")
BUILD = ("build-galleries", "--threads", "1", "--tau", "0.5")

STAGES = {
    "catalog from a table with pictures": Stage(CATALOG, TABLE),
    "catalog of the sample": Stage(CATALOG, SAMPLE),
    # what stands there already must not be taken for what is being made
    "another catalog": Stage(CATALOG, TABLE, (SAMPLE,), FEWER),
    "labels": Stage(LABELS, NORMALISE, (TABLE,)),
    "labels by another vocabulary": Stage(
        LABELS, (*NORMALISE, "--vocabulary", "VOCABULARY"), (TABLE, NORMALISE), FEWER
    ),
    "galleries": Stage(GALLERIES, BUILD, (TABLE, NORMALISE)),
    "galleries of another seed": Stage(
        GALLERIES, (*BUILD, "--seed", "7"), (TABLE, NORMALISE, BUILD), FEWER
    ),
    "release": Stage(
        RELEASE,
        ("push-release", "build", "things", "--version", "1.0.0"),
        (TABLE, NORMALISE, BUILD),
    ),
    "paired galleries": Stage(
        GALLERIES, (*BUILD[:-1], "0.3,0.5", "--paired"), (TABLE, NORMALISE), FEWER
    ),
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
        "module": stage.module,
        "command": command,
        "template": str(template),
        "folder": str(tmp_path / "killed"),
        "moments": stage.moments,
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
    assert len(killed) == stage.moments
    # by the clock a process may just have ended; by the steps it never has
    assert [code for _, code in killed[:-BY_THE_CLOCK]] == [-9] * (stage.moments - BY_THE_CLOCK)

    for moment, _ in killed:
        root = tmp_path / "killed" / moment
        verify(root)
        again = run(*command, "--workspace", root)
        assert (again.code, again.err) == (0, ""), moment
        assert holdings(root) == expected, moment
