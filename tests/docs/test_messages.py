"""What every command says where nothing is as it wants: one line that tells what to do.

``BENCHWRIGHT_MESSAGES=FILE`` writes all of them into a file, to be read aloud.
"""

import contextlib
import importlib.metadata
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchwright.workspace import Workspace
from stand_ins.reader.options import MODULES, leaves
from stand_ins.reader.page import PROGRAMS

VOTERS = "voters: [{name: v, model: m, base_url: 'http://127.0.0.1:9/v1'}]\n"
KEYED = VOTERS.replace("model: m", "model: m, api_key_env: A_KEY_THAT_IS_NOT_SET")
ASKS = ("--voters", "voters.yaml")
RELEASE = "releases/things/1.0.0"

# what each command is given: as a page would have it, with files that may not be there
ARGUMENTS: Mapping[str, Sequence[str]] = {
    "benchwright ask": ("dress.png", "--question", "Is it red?", *ASKS),
    "benchwright doctor": ASKS,
    "benchwright status": (),
    "benchwright trace": ("0123456789abcdef",),
    "build-catalog coco": ("instances.json", "--images", "pictures"),
    "build-catalog dedup": (),
    "build-catalog grid": (),
    "build-catalog invig": ("dialogues.jsonl", "--images", "pictures"),
    "build-catalog open-images": ("open-images",),
    "build-catalog sample": ("--n", "6", "--workers", "1"),
    "build-catalog table": ("things.csv",),
    "build-galleries": ("--tau", "0.3"),
    "label-attributes ask": ("--ensemble", "voters.yaml"),
    "label-attributes calibrate": ("--known", "catalog"),
    "label-attributes decide": (),
    "label-attributes measure": ("--known", "catalog"),
    "label-attributes normalise": (),
    "label-attributes run": ("--ensemble", "voters.yaml"),
    "label-attributes templates": (),
    "label-attributes vocabulary": ASKS,
    "build-dialogues candidate-set agreement": ("--reference", "ana"),
    "build-dialogues candidate-set draft": (),
    "build-dialogues candidate-set filter": (),
    "build-dialogues candidate-set funnel": (),
    "build-dialogues candidate-set map": ("marks.jsonl",),
    "build-dialogues candidate-set propose": ASKS,
    "build-dialogues candidate-set run": (),
    "build-dialogues candidate-set sample": (),
    "build-dialogues false-premise check": ASKS,
    "build-dialogues false-premise describe": ASKS,
    "build-dialogues false-premise falsify": ASKS,
    "build-dialogues false-premise funnel": (),
    "build-dialogues false-premise plan": (),
    "build-dialogues false-premise run": ASKS,
    "build-dialogues question-chain author": ("chains.yaml",),
    "build-dialogues question-chain check": (),
    "build-dialogues question-chain distract": ASKS,
    "build-dialogues question-chain draft": ASKS,
    "build-dialogues question-chain integrate": (),
    "build-dialogues question-chain run": ASKS,
    "build-dialogues question-chain shortcuts": ASKS,
    "build-dialogues question-chain verify": ("--auditors", "ana,ben"),
    "review-labels open": ("--audit", "attributes", "--auditor", "ana"),
    "review-labels plan": (),
    "review-labels report": (),
    "review-labels sheet": ("--audit", "attributes", "--auditor", "ana"),
    "review-labels sync": (),
    "push-release build": ("things", "--version", "2.0.0"),
    "push-release coco": ("--out", "coco"),
    "push-release diff": (RELEASE, "releases/things/1.1.0"),
    "push-release erratum": (*("things", "--config", "labels", "--id", "x", "--reason", "a blur"),),
    "push-release gate": ("things", "--version", "3.0.0"),
    "push-release push": ("things", "--version", "3.0.0", "--repo", "ana/things"),
    "push-release takedown": ("things", "0123456789abcdef", "--reason", "asked for"),
    "push-release task": ("inspect", RELEASE, "--config", "question-chain", "--out", "task"),
    "push-release verify": (RELEASE,),
    "run-benchmark human": (RELEASE, "--person", "ana", "--port", "0"),
    "run-benchmark report": ("one", "two"),
    "run-benchmark run": (RELEASE, *ASKS, "--config", "candidate-set"),
    "run-benchmark score": ("one",),
    "run-benchmark trajectories": ("one",),
    "run-benchmark grounding-set flickr30k": ("entities", "--images", "pictures", "--out", "set"),
    "run-benchmark grounding-set grefcoco": (
        *("refs.p", "instances.json", "--images", "pictures", "--out", "set"),
    ),
    "run-benchmark grounding-set refcocog": (
        *("refs.p", "instances.json", "--images", "pictures", "--out", "set"),
    ),
}
# what has something sane to do where nothing is
WORKS_ON_NOTHING = {
    "build-catalog sample": "draws the sample",
    "build-galleries": "draws the sample; the page that begins with it is followed elsewhere",
    "benchwright status": "says what comes first",
}
# what asks models of a workspace that holds something of everything
ASKING = (
    "benchwright ask",
    "label-attributes vocabulary",
    "build-dialogues candidate-set propose",
    "build-dialogues question-chain draft",
    "build-dialogues question-chain run",
    "run-benchmark run",
)
# who says what it found on the standard output, and exits with 1
REPORTS = ("benchwright doctor",)
EVERY = [" ".join(words) for program in MODULES for words, _ in leaves(program)]
OPTION = re.compile(r"--[a-z]")


def written(what: str, command: str, said: str) -> None:
    path = os.environ.get("BENCHWRIGHT_MESSAGES")
    if path:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(f"[{what}] {command}\n    {said}\n")


def fails_in_one_line(what: str, command: str, ran: Any) -> str:
    """Assert that a command failed as the house does, and return what it said."""
    written(what, command, ran.err.rstrip("\n") + (f"\n    (said: {ran.out!r})" if ran.out else ""))
    assert ran.code in (1, 2), (ran.code, ran.out, ran.err)
    line: str
    (line,) = ran.err.splitlines()
    assert line.startswith("error: ")
    says_what_to_do = any(program in line for program in PROGRAMS) or OPTION.search(line)
    asks_for = re.search(r"\b(name|check|give|set|install|make|choose)\b", line)
    assert says_what_to_do or asks_for, line
    return line


def call(run: Callable[..., Any], command: str, *more: str) -> Any:
    return run(*command.split(), *ARGUMENTS[command], *more)


@contextlib.contextmanager
def within(folder: Path) -> Iterator[None]:
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        patch.delenv("HF_TOKEN", raising=False)
        patch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
        yield


def test_every_command_is_here() -> None:
    assert sorted(ARGUMENTS) == sorted(EVERY)


@pytest.mark.parametrize("command", [name for name in EVERY if name != "build-galleries"])
def test_in_an_empty_folder(command: str, run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "voters.yaml").write_text(VOTERS, "utf-8")
    with within(tmp_path):
        ran = call(run, command)
    if command in WORKS_ON_NOTHING:
        written("empty", command, f"works: {ran.out.splitlines()[:1]}")
        assert (ran.code, ran.err) == (0, "")
        return
    if command in REPORTS:
        assert (ran.code, ran.err) == (1, "")
        assert "nobody answers at http://127.0.0.1:9/v1" in ran.out
        return
    fails_in_one_line("empty", command, ran)
    assert [path.name for path in tmp_path.iterdir()] == ["voters.yaml"], "it left something"


@pytest.mark.parametrize("command", [name for name in EVERY if "voters.yaml" in ARGUMENTS[name]])
def test_with_a_file_of_voters_that_is_not_there(
    command: str, run: Callable[..., Any], whole_once: Workspace, tmp_path: Path
) -> None:
    more = ("--workspace", str(whole_once.root))
    with within(tmp_path):
        (tmp_path / "releases").symlink_to(whole_once.root / "releases")
        ran = call(run, command, *more)
    line = fails_in_one_line("no such file", command, ran)
    assert "voters.yaml" in line or "dress.png" in line


@pytest.mark.parametrize("command", [name for name in EVERY if name not in WORKS_ON_NOTHING])
def test_with_a_workspace_that_is_a_file(
    command: str, run: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "voters.yaml").write_text(VOTERS, "utf-8")
    (tmp_path / "file").touch()
    with within(tmp_path):
        if "--workspace" not in run(*command.split(), "--help").out:
            return
        ran = call(run, command, "--workspace", "file")
    line = fails_in_one_line("a file", command, ran)
    assert re.search(r"file'? is a file", line)


@pytest.mark.parametrize("command", ASKING)
def test_without_a_key(command: str, run: Callable[..., Any], whole: Workspace) -> None:
    folder = whole.root.parent
    (folder / "voters.yaml").write_text(KEYED, "utf-8")
    picture = next((whole.root / "catalog" / "images").rglob("*.png"))
    (folder / "dress.png").write_bytes(picture.read_bytes())
    (folder / "releases").symlink_to(whole.root / "releases")
    with within(folder):
        ran = call(run, command, "--workspace", str(whole.root))
    line = fails_in_one_line("no key", command, ran)
    assert "A_KEY_THAT_IS_NOT_SET" in line


def test_without_a_key_the_doctor_says_so(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "voters.yaml").write_text(KEYED, "utf-8")
    with within(tmp_path):
        ran = call(run, "benchwright doctor")
    assert (ran.code, ran.err) == (1, "")
    assert "A_KEY_THAT_IS_NOT_SET, which is not set; set it" in ran.out


def test_without_a_key_no_label_is_asked_for(
    run: Callable[..., Any], small: Path, tmp_path: Path
) -> None:
    (tmp_path / "voters.yaml").write_text(KEYED, "utf-8")
    with within(tmp_path):
        ran = call(run, "label-attributes run", "--noun", "thing", "--workspace", str(small))
    assert "A_KEY_THAT_IS_NOT_SET" in fails_in_one_line("no key", "label-attributes run", ran)


# a command, what has to be installed
@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("build-catalog dedup --method clip --clip-model embedded", "clip"),
        ("build-galleries --tau 0.3 --baselines --clip-model embedded", "clip"),
        ("build-galleries --tau 0.4 --engine ray", "ray"),
        ("build-catalog dedup --engine ray --force", "ray"),
        ("review-labels open --audit galleries --auditor ana --port 6151", "review"),
    ],
)
def test_without_an_extra(
    command: str,
    extra: str,
    run: Callable[..., Any],
    small: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ray", "torch", "open_clip", "fiftyone", "pymongo"):
        monkeypatch.setitem(sys.modules, name, None)
    known = importlib.metadata.version

    def version(name: str) -> str:
        if name == "fiftyone":
            raise importlib.metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr("labeling.audits.app.environment.version", version)
    ran = run(*command.split(), "--workspace", str(small))
    line = fails_in_one_line(f"no {extra}", command, ran)
    assert f"benchwright[{extra}]" in line or f"make setup-{extra}" in line
