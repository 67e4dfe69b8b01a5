"""Making a release: whole or not at all, the same bytes each time, and never changed after."""

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright import files
from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from exports.building import build, partial
from exports.building.build import build_release
from exports.building.partial import Partial
from exports.building.settings import ReleaseSettings
from exports.names import Version, release_folder
from exports.provenance.takedowns import take_down
from stand_ins.responses_of_a_run import response, write_run
from stand_ins.whole_workspace import pictures_of

Run = Callable[..., Any]
NEXT = Version(1, 0, 1)


def held(folder: Path) -> dict[str, str]:
    """Return the sha256 of every file of a release, but for its name and version."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def made(workspace: Workspace, version: Version = NEXT, **settings: Any) -> Path:
    return build_release(workspace, "things", version, ReleaseSettings(**settings)).folder


def test_a_release_is_what_the_layout_says(whole: Workspace) -> None:
    folder = release_folder(whole, "things", Version(1, 0, 0))
    there = {path.name for path in folder.iterdir()}
    assert {"README.md", "data", "ATTRIBUTION.csv", "croissant.json", "release.lock.json"} <= there
    lock = json.loads((folder / "release.lock.json").read_text())
    configs = {path.name for path in (folder / "data").iterdir()}
    assert configs == set(lock["configs"])
    for name, config in lock["configs"].items():
        assert config["paths"] == [f"data/{name}/test-00000-of-00001.parquet"]
    # beside the versions: the person's own text and the lock of the process
    assert {path.name for path in folder.parent.iterdir()} == {"1.0.0", "README.md", ".lock"}


def test_a_version_that_stands_is_left_alone(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(whole)
    before = held(whole.releases)
    monkeypatch.setattr(files, "write_bytes", _never)
    monkeypatch.setattr(files, "locked", _never)
    built = build_release(whole, "things", NEXT, ReleaseSettings())
    assert not built.is_new
    assert held(whole.releases) == before


def _never(*_: object, **__: object) -> None:
    raise AssertionError("nothing was to be done")


@pytest.mark.parametrize(
    "settings",
    [{"title": "Others"}, {"authors": ("A",)}, {"keep_metadata": True}],
)
def test_a_version_never_changes(settings: dict[str, Any], whole: Workspace) -> None:
    made(whole)
    before = held(whole.releases)
    said = r"a version never changes: choose the next --version .* never pushed may be removed by"
    with pytest.raises(UsageError, match=said):
        made(whole, **settings)
    assert held(whole.releases) == before


def test_a_version_below_one_that_stands_is_refused(whole: Workspace) -> None:
    with pytest.raises(UsageError, match=r"things 0\.9\.0: is below 1\.0\.0, which stands in "):
        made(whole, Version(0, 9, 0))
    made(whole)
    before = held(whole.releases)
    with pytest.raises(UsageError, match=r"stands already"):  # an old one that stands is known
        made(whole, Version(1, 0, 0), title="Others")
    assert held(whole.releases) == before


BUILD = """
import os, sys
from pathlib import Path
import pyarrow as pa
threads = int(sys.argv[2])
pa.set_cpu_count(threads)
pa.set_io_thread_count(threads)
from benchwright.workspace import Workspace
from exports.building.build import build_release
from exports.building.settings import ReleaseSettings
from exports.names import Version
build_release(Workspace(Path(sys.argv[1])), "things", Version(1, 0, 1), ReleaseSettings())
"""


@pytest.mark.heavy
def test_two_machines_make_the_same_bytes(whole: Workspace, tmp_path: Path) -> None:
    roots = []
    for name, threads, surroundings in (
        ("one", 1, {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C"}),
        ("another", 8, {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "LC_ALL": "C.UTF-8"}),
    ):
        root = Path(shutil.copytree(whole.root, tmp_path / name / f"{threads}"))
        environment = {**os.environ, **surroundings, "OMP_NUM_THREADS": str(threads)}
        subprocess.run(
            [sys.executable, "-c", BUILD, str(root), str(threads)],
            env=environment,
            check=True,
            cwd=tmp_path / name,
        )
        roots.append(root / "releases" / "things" / "1.0.1")
    first, second = map(held, roots)
    assert len(first) > 10
    assert first == second


class _Stopped(BaseException):
    pass


def test_what_was_written_is_kept(whole: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = held(made(whole))
    shutil.rmtree(release_folder(whole, "things", NEXT))
    begun: list[str] = []
    write = partial.write_shards

    def stopping(folder: Path, config: str, *rest: Any) -> Any:
        begun.append(config)
        if begun.count("vocabulary") == 1 == len(begun) - begun.index("vocabulary"):
            raise _Stopped
        return write(folder, config, *rest)

    monkeypatch.setattr(partial, "write_shards", stopping)
    with pytest.raises(_Stopped):
        made(whole)
    assert not release_folder(whole, "things", NEXT).exists()
    assert "images" in begun
    assert held(made(whole)) == expected
    assert {name: begun.count(name) for name in begun if name != "vocabulary"} == dict.fromkeys(
        json.loads((release_folder(whole, "things", NEXT) / "release.lock.json").read_text())[
            "configs"
        ].keys()
        - {"vocabulary"},
        1,
    )
    assert begun.count("vocabulary") == 2


def test_a_run_of_other_settings_begins_anew(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "write_card", _stop)
    with pytest.raises(_Stopped):
        made(whole, title="Of the run that was killed")
    place = Partial(release_folder(whole, "things", NEXT))
    (place.release / "left.over").write_text("x")
    (place.release / "data" / "half").mkdir()
    monkeypatch.undo()
    folder = made(whole)
    assert place.is_gone
    assert "killed" not in (folder / "README.md").read_text()
    assert not {"left.over", "half"} & {path.name for path in folder.rglob("*")}


def _stop(*_: object) -> None:
    raise _Stopped


def test_leftovers_of_a_killed_run_do_not_get_into_the_release(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "write_croissant", _stop)
    with pytest.raises(_Stopped):
        made(whole)
    place = Partial(release_folder(whole, "things", NEXT))
    (place.release / "croissant.json.123.part").write_text("{")
    (place.release / "data" / "half").mkdir()
    (place.release / "data" / "half" / "00000.partial").write_text("PAR1")
    monkeypatch.undo()
    folder = made(whole)
    assert not list(folder.rglob("*part*"))
    assert not (folder / "data" / "half").exists()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("at", [0, 3, 9, 20, 30])
def test_a_full_disk_leaves_no_release(
    code: int, at: int, whole: Workspace, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync, left = os.fsync, at

    def failing(handle: int) -> None:
        nonlocal left
        if not left:
            raise OSError(code, os.strerror(code))
        left -= 1
        fsync(handle)

    command = ("push-release", "build", "things", "--version", "1.0.1", "--workspace", whole.root)
    monkeypatch.setattr(os, "fsync", failing)
    ran = run(*command)
    assert ran.code == 1, at
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert "make room" in ran.err
    assert not release_folder(whole, "things", NEXT).exists()
    monkeypatch.undo()
    assert run(*command).code == 0
    assert Partial(release_folder(whole, "things", NEXT)).is_gone


def test_a_second_build_at_once_is_refused(
    whole: Workspace, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("push-release", "build", "things", "--version", "1.0.1", "--workspace", whole.root)
    with files.locked(whole.releases / "things", "making a release"):
        ran = run(*command)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "another process is making a release" in ran.err


def test_one_that_was_made_meanwhile_is_found(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process makes the version after this one looked, before it has the lock."""
    locked = files.locked

    def made_first(*given: Any) -> Any:
        monkeypatch.undo()
        made(whole)
        return locked(*given)

    monkeypatch.setattr(files, "locked", made_first)
    assert not build_release(whole, "things", NEXT, ReleaseSettings()).is_new


def test_a_takedown_that_came_meanwhile_is_not_overlooked(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = files.locked

    def taken_down_first(*given: Any) -> Any:
        monkeypatch.undo()
        take_down(whole, "things", pictures_of(whole)[0].image_id, "they asked")
        return locked(*given)

    monkeypatch.setattr(files, "locked", taken_down_first)
    with pytest.raises(WorkspaceError, match="was declared just now; run the command again"):
        made(whole)
    assert not release_folder(whole, "things", NEXT).exists()


def test_a_picture_that_is_gone_leaves_no_release(whole: Workspace) -> None:
    path = whole.images / str(pictures_of(whole)[0].image)
    path.unlink()
    with pytest.raises(WorkspaceError, match=r"bring it back"):
        made(whole)
    assert not release_folder(whole, "things", NEXT).exists()


def test_rows_are_recounted(whole: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    gathered = build.gather

    def short(*given: Any) -> Any:
        found = gathered(*given)
        first = replace(found.contents[0], rows=found.contents[0].rows + 1)
        return replace(found, contents=(first, *found.contents[1:]))

    monkeypatch.setattr(build, "gather", short)
    with pytest.raises(ValueError, match=r"rows written, not"):
        made(whole)
    assert not release_folder(whole, "things", NEXT).exists()


def test_what_the_command_says(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    ran = run(*command, "1.1.0")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("things 1.1.0: made (")
    assert any("images" in line and line.endswith(" 36 rows") for line in lines)
    assert any(line.startswith("  gate: ") for line in lines)
    assert lines[-1].startswith("next: push-release ")
    assert lines[-1].endswith(f" --workspace {whole.root}")
    assert run(*command, "1.1.0").out.startswith("things 1.1.0: stands already; nothing to do (")


def test_one_row_is_one_row(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version", "1.1.0")
    lines = run(*command).out.splitlines()
    assert not [line for line in lines if line.endswith(" 1 rows")]
    assert [line for line in lines if line.endswith(" 1 row")]


def test_runs_that_go_out_are_listed(whole: Workspace, run: Run) -> None:
    held = pq.read_table(whole.root / "dialogues" / "false-premise" / "dialogues.parquet")
    first = held.slice(0, 1).to_pylist()[0]
    about = {"dialogue_id": first["dialogue_id"], "image_id": first["image_id"]}
    for name, count in (("whole", 3), ("part", 1)):
        said = [response(at, run=name, response_id=f"{at}", **about) for at in range(count)]
        write_run(whole.runs / name, said)
    release = release_folder(whole, "things", Version(1, 0, 0))
    greedy = ("--config", "hidden-target-tau-0.3", "--player", "greedy", "--episodes", "4")
    played = run("run-benchmark", release, *greedy, "--run", "greedy", "--workspace", whole.root)
    assert played.code == 0, played.err
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    for _ in range(2):  # as well where it stands
        lines = run(*command, "1.1.0").out.splitlines()
        at = {line.split()[0]: number for number, line in enumerate(lines)}
        assert lines[at["responses"]].endswith(" 4 rows")
        below = at["responses"] + 1
        assert lines[below : below + 2] == ["    1 of the run part", "    3 of the run whole"]
        assert lines[at["trajectories"] + 1] == "    4 of the run greedy"


TITLED = ("--title", "Things & more", "--author", "Ana", "--author", "Bo")


def test_title_and_authors_outlive_a_version(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    assert "none are given" not in run(*command, "1.1.0", *TITLED).out
    ran = run(*command, "1.2.0")
    assert "  title and authors as in 1.1.0, since none are given" in ran.out.splitlines()
    text = (release_folder(whole, "things", Version(1, 2, 0)) / "README.md").read_text()
    assert "pretty_name: Things & more" in text
    assert "author = {Ana and Bo}" in text
    # made again by the same words it is the same version
    assert run(*command, "1.2.0").out.startswith("things 1.2.0: stands already")
    # one that is given is taken, the other stays
    ran = run(*command, "1.3.0", "--title", "Others")
    assert "  authors as in 1.2.0, since none are given" in ran.out.splitlines()
    assert (
        "title = {Others}"
        in (release_folder(whole, "things", Version(1, 3, 0)) / "README.md").read_text()
    )
    # of an earlier one, not of a later
    assert "none are given" not in run(*command, "1.0.5").out


def test_a_card_that_nobody_wrote_is_said(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    ran = run(*command, "1.1.0")
    own = whole.releases / "things" / "README.md"
    (line,) = [line for line in ran.out.splitlines() if "the card's own text" in line]
    assert str(release_folder(whole, "things", Version(1, 1, 0)) / "README.md") in line
    assert str(own) in line
    own.write_text(re.sub("<!-- Write here.*-->", "For all.", own.read_text("utf-8")))
    assert "the card's own text" not in run(*command, "1.2.0").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--private-answers",), "BENCHWRIGHT_ANSWER_KEY"),
        (("--waive", "position"), "--waive wants one --reason each"),
        (("--waive", "tides", "--reason", "x"), "there is no such check"),
        (("--licences", "of-nobody"), "no picture has it"),
        # an empty variable of a script must not mean all
        (("--licences", ""), "--licences wants names"),
        (("--licences", " , "), "--licences wants names"),
        (("--without-run", "nobody"), "runs has no such run"),
        (("--without-run", "../runs"), "runs has no such run"),
    ],
)
def test_options_that_cannot_be(
    arguments: tuple[str, ...],
    said: str,
    whole: Workspace,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("BENCHWRIGHT_ANSWER_KEY", raising=False)
    command = ("push-release", "build", "things", "--version", "1.1.0", "--workspace", whole.root)
    ran = run(*command, *arguments)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert said in ran.err
    assert not release_folder(whole, "things", Version(1, 1, 0)).exists()


def test_there_must_be_something_to_hold_back(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "0123456789abcdef0123456789abcdef")
    for folder in (whole.galleries, whole.root / "dialogues" / "candidate-set"):
        shutil.rmtree(folder)
    shutil.rmtree(whole.root / "dialogues" / "question-chain")
    with pytest.raises(UsageError, match="no sample here has answers to hold back"):
        made(whole, private_answers=True)
    assert not release_folder(whole, "things", NEXT).exists()
