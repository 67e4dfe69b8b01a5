"""Writing the folder of a task: what a harness loads, pinned to a release."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchwright import files, protocols
from benchwright.errors import UsageError
from benchwright.release_loading import load_config
from exports.contents.private_answers import COLUMN as COMMITMENT
from exports.harnesses.lmms_tasks import LMMS_TASKS, task_yaml
from exports.harnesses.pinning import Pinned, pinned
from exports.harnesses.vlmevalkit_table import write_rows
from exports.pushing.fetching import named

_PACKAGE, _PROTOCOLS = "exports.harnesses.tasks", "benchwright.protocols"
_TASKS = Path(__file__).parent / "tasks"
_OURS = "benchwright_"  # before the name of a protocol, where it stands beside a harness
_CHAIN, _SETS, _ROWS = "benchwright_question_chain", "benchwright_candidate_set", "benchwright_rows"
_MODULES: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(  # the first is the task
    {
        ("inspect", "question-chain"): ("inspect_question_chain", _CHAIN, _ROWS),
        ("inspect", "candidate-set"): ("inspect_candidate_set", _SETS, _ROWS),
        ("inspect", "false-premise"): ("inspect_false_premise", _ROWS),
        ("lmms-eval", "question-chain"): ("lmms_question_chain", _CHAIN, _ROWS),
        ("lmms-eval", "candidate-set"): ("lmms_candidate_set", _SETS, _ROWS),
        ("vlmevalkit", "question-chain"): ("vlmevalkit_question_chain", _CHAIN),
    }
)
_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(  # of the tasks in a folder
    {
        "question-chain": ("following", "planning"),
        "candidate-set": ("single", "several"),
        "false-premise": ("false_premise",),
    }
)
_KINDS: Mapping[str, str] = MappingProxyType({"single": "single", "several": "set"})  # of the rows
PIN = "release.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTask:
    """The folder of a task; ``tasks`` are their names in the harness."""

    folder: Path
    tasks: tuple[str, ...]
    pin: Pinned


def write_task(release: str, harness: str, config: str, out: Path) -> WrittenTask:
    """Write a folder from which a harness runs a config of a release, given as for ``pinned``.

    The folder stands when all is in it, and not before. Raises UsageError for a config that the
    harness cannot run, the release has not, or whose answers are held back, and for a folder in
    which something stands.
    """
    if (harness, config) not in _MODULES:
        raise UsageError(_not_offered(harness, config))
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out}: is there already; choose another --out, or remove it")
    pin = pinned(release)
    whole = out.resolve()
    partial = whole.with_name(f".{whole.name}.partial")
    with named(release, pin.folder):
        _check(pin, release, config)
        if partial.exists():  # a killed run left it
            shutil.rmtree(partial)
        partial.mkdir(parents=True)
        try:
            tasks = _fill(partial, harness, config, pin)
            _finish(partial, whole)
        except BaseException:
            shutil.rmtree(partial)
            raise
    return WrittenTask(folder=out, tasks=tasks, pin=pin)


def _finish(partial: Path, whole: Path) -> None:
    """Give a folder its name; an empty one that has it, in which a shell may stand, is filled."""
    if not whole.exists():
        partial.rename(whole)
        return
    for path in partial.iterdir():
        path.rename(whole / path.name)
    partial.rmdir()


def _fill(folder: Path, harness: str, config: str, pin: Pinned) -> tuple[str, ...]:
    """Write all that stands in the folder of a task; return the names of the tasks."""
    for name, target in _copied(harness, config):
        text = _source(name).read_text("utf-8").replace(f"from {_PACKAGE}.", "from ")
        text = text.replace(f"from {_PROTOCOLS}.", f"from {_OURS}")
        files.write_bytes(folder / target, text.encode())
    files.write_json(
        folder / PIN,
        {
            "release": pin.lock.name,
            "version": pin.lock.version,
            "config": config,
            "digest": pin.lock.configs[config].digest,
            "path": pin.path,
            "revision": pin.revision,
        },
    )
    return _further(harness, config, pin, folder)


def _source(name: str) -> Path:
    protocol = Path(protocols.__file__).with_name(f"{name.removeprefix(_OURS)}.py")
    return protocol if name in (_CHAIN, _SETS) else _TASKS / f"{name}.py"


def _check(pin: Pinned, release: str, config: str) -> None:
    if config not in pin.lock.configs:
        raise UsageError(f"{release}: has no config {config}, only {', '.join(pin.lock.configs)}")
    if COMMITMENT in load_config(pin.folder, config).column_names:
        raise UsageError(f"{release}: holds back the answers of {config}; nothing can be scored")


def _copied(harness: str, config: str) -> list[tuple[str, str]]:
    """Return the modules to copy, each with the name of its file there."""
    own, *others = _MODULES[harness, config]
    target = "utils.py" if harness == "lmms-eval" else "task.py"
    return [(own, target), *((name, f"{name}.py") for name in others)]


def _further(harness: str, config: str, pin: Pinned, out: Path) -> tuple[str, ...]:
    """Write what a harness wants beside the code; return the names of the tasks."""
    stem = "".join(
        letter if letter.isalnum() else "_" for letter in f"{pin.lock.name}_{pin.lock.version}"
    )
    names = _with_rows(config, pin)
    if harness == "inspect":
        return names
    if harness == "vlmevalkit":
        name = f"{stem}_following"
        write_rows(pin.folder, out / f"{name}.tsv")
        return (name,)
    for name in names:
        text = task_yaml(f"{stem}_{name}", LMMS_TASKS[name], config, pin)
        files.write_bytes(out / f"{stem}_{name}.yaml", text.encode())
    return tuple(f"{stem}_{name}" for name in names)


def _with_rows(config: str, pin: Pinned) -> tuple[str, ...]:
    """Return the names of the tasks that a release has rows for: of none there is no mean."""
    if config != "candidate-set":
        return _NAMES[config]
    kinds = set(load_config(pin.folder, config)["kind"])
    return tuple(name for name in _NAMES[config] if _KINDS[name] in kinds)


def _not_offered(harness: str, config: str) -> str:
    offered = ", ".join(name for other, name in _MODULES if other == harness)
    return (
        f"{harness} runs {offered or 'nothing'} of a release, not {config}"
        " (docs/releases-elsewhere.md says why)"
    )
