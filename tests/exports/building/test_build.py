"""Making a release: whole or not at all, the same bytes each time, and never changed after."""

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

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


# what lies where the release is to stand: a folder with something in it, or a file
@pytest.mark.parametrize("name", ["1.0.1/todo.txt", "1.0.1"])
def test_what_is_no_release_is_not_built_over(
    name: str, whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = release_folder(whole, "things", NEXT)
    path = folder.parent / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine", "utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(build, "gather", _never)  # it is said before anything is done
        with pytest.raises(
            UsageError, match=r"1\.0\.1: is there and is no release .*; move it away"
        ):
            made(whole)
    assert path.read_text("utf-8") == "mine"
    path.unlink()
    folder.mkdir(exist_ok=True)  # an empty folder is in nobody's way
    assert made(whole) == folder


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
