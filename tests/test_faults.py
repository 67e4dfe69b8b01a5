"""What can go wrong ends in one line that names the file and the remedy, and nothing half."""

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Holdings = Callable[[Path], dict[str, Any]]
Verify = Callable[[Path], None]

GALLERIES = ("build-galleries", "--tau", "0.3")
NORMALISE = ("label-attributes", "normalise")


def one_line(ran: Any, *said: str) -> None:
    """Assert that a command failed as a user should see it."""
    assert ran.code == 1
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    for text in said:
        assert text in ran.err


# the disk is full


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, where that may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    mounted = (
        shutil.which("mount") is not None
        and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )
    if not mounted:
        pytest.skip("no right to mount; the same faults are simulated as well")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, left: int) -> Path:
    """Fill a disk up to so many bytes."""
    filler = folder / "filler"
    state = os.statvfs(folder)
    filler.write_bytes(bytes(state.f_bavail * state.f_frsize - left))
    return filler


def stages(arguments: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the folder and the command of each stage."""
    return [
        ("catalog", ("build-catalog", *arguments)),
        ("labels", NORMALISE),
        ("galleries", GALLERIES),
    ]


@pytest.mark.parametrize("pages", [0, 1, 2, 3])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_full_disk(
    disk: Path,
    small: Path,
    run: Run,
    holdings: Holdings,
    verify: Verify,
    small_arguments: tuple[str, ...],
    at: int,
    pages: int,
) -> None:
    expected = holdings(small)
    root = disk / "workspace"
    shutil.copytree(small, root)
    for folder, _ in stages(small_arguments)[at:]:
        shutil.rmtree(root / folder)
    filler = fill(disk, pages * 4096)
    _, command = stages(small_arguments)[at]
    ran = run(*command, "--workspace", root)
    one_line(ran, "No space left on device", str(root), "make room")
    verify(root)
    assert not list(root.rglob("*.part"))
    filler.unlink()
    for _, again in stages(small_arguments)[at:]:
        assert run(*again, "--workspace", root).code == 0
    assert holdings(root) == expected


def test_a_full_disk_in_a_worker_process(
    disk: Path, run: Run, small_arguments: tuple[str, ...]
) -> None:
    (disk / "workspace").mkdir()
    fill(disk, 10 * 4096)
    ran = run("build-catalog", *small_arguments[:-1], "2", "--workspace", disk / "workspace")
    one_line(ran, "No space left on device", str(disk))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_disk_that_fails_when_it_is_synced(
    small: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    holdings: Holdings,
    verify: Verify,
    small_arguments: tuple[str, ...],
    at: int,
    code: int,
) -> None:
    expected = holdings(small)
    _, command = stages(small_arguments)[at]
    fsync, calls, moment = os.fsync, 0, 0

    def failing(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == moment:
            raise OSError(code, os.strerror(code))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", failing)
    for later in (1, 2, 3, 5):
        calls, moment = 0, later
        ran = run(*command, "--force", "--workspace", small)
        one_line(ran, os.strerror(code), str(small))
        verify(small)
    calls, moment = 0, -1
    assert run(*command, "--workspace", small).code == 0
    assert holdings(small) == expected


def test_a_folder_that_may_only_be_read(
    disk: Path, small: Path, run: Run, holdings: Holdings
) -> None:
    root = disk / "workspace"
    shutil.copytree(small, root)
    expected = holdings(root)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    # what is done already needs no right to write
    assert run(*GALLERIES, "--workspace", root).code == 0
    for command in ((*GALLERIES, "--seed", "1"), (*NORMALISE, "--force")):
        one_line(run(*command, "--workspace", root), "Read-only file system", str(root))
    assert holdings(root) == expected


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_somebody_else(small: Path, run: Run) -> None:
    (small / "galleries").chmod(0o500)
    try:
        ran = run("build-galleries", "--tau", "0.5", "--workspace", small)
    finally:
        (small / "galleries").chmod(0o700)
    one_line(ran, "Permission denied", str(small))


# the user stops it


def started(*command: str | Path) -> subprocess.Popen[str]:
    module = {"build-catalog": "builders.cli", "build-galleries": "galleries.cli"}[str(command[0])]
    return subprocess.Popen(
        [sys.executable, "-c", f"from {module} import main; main()", *map(str, command[1:])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(there: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    ends = time.monotonic() + 60
    while not there():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < ends
        time.sleep(0.005)


def alive(group: int) -> bool:
    """Whether a process of the group runs; one that ended and was not fetched does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _parent, pgrp = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just gone
            continue
        if int(pgrp) == group and state != "Z":
            return True
    return False


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("number", "send"),
    [
        (signal.SIGINT, os.killpg),  # Ctrl-C reaches the workers as well
        (signal.SIGTERM, os.kill),
    ],
)
def test_a_stopped_catalog(
    tmp_path: Path,
    verify: Verify,
    number: signal.Signals,
    send: Callable[[int, int], None],
    workers: str,
) -> None:
    process = started(
        *("build-catalog", "sample", "--n", "2000", "--workers", workers, "--workspace", tmp_path)
    )
    wait_for(lambda: any(tmp_path.rglob("*.jpg")), process)
    send(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == ("error: stopped; nothing is half written: run the same command again to go on\n")
    assert not (tmp_path / "catalog" / "manifest.json").exists()
    assert not list(tmp_path.rglob("*.part"))
    ends = time.monotonic() + 20
    while alive(process.pid):  # no worker is left
        assert time.monotonic() < ends
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_galleries(
    dresses: Path, run: Run, verify: Verify, holdings: Holdings, number: signal.Signals
) -> None:
    assert run(*NORMALISE, "--workspace", dresses).code == 0
    taus = ",".join(f"0.{part}" for part in range(30, 60))
    process = started("build-galleries", "--tau", taus, "--workspace", dresses)
    wait_for(lambda: len(list((dresses / "galleries").glob("*"))) >= 2, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.startswith("error: stopped; ")
    assert err.count("\n") == 1
    verify(dresses)
    assert len(list((dresses / "galleries").rglob("manifest.json"))) < 30


# somebody damaged a file


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def garble(path: Path) -> None:
    path.write_bytes(b"\xff\x00{garbage")


def answer(text: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        path.write_text(text, "utf-8")

    damage.__name__ = text
    return damage


@pytest.mark.parametrize("damage", [flip, cut, empty, garble, Path.unlink])
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("catalog/items-00000.parquet", (*NORMALISE, "--force")),
        ("catalog/items-00000.parquet", (*GALLERIES, "--force")),
        ("labels/labels.parquet", (*GALLERIES, "--force")),
    ],
)
def test_a_damaged_shard(
    small: Path,
    run: Run,
    holdings: Holdings,
    small_arguments: tuple[str, ...],
    name: str,
    command: tuple[str, ...],
    damage: Callable[[Path], None],
) -> None:
    expected = holdings(small)
    damage(small / name)
    ran = run(*command, "--workspace", small)
    if ran.code:  # but labels of a known catalog may just be made again
        one_line(ran, str(small / name), "--force")
        owner = dict(stages(small_arguments))[name.split("/", maxsplit=1)[0]]
        assert run(*owner, "--force", "--workspace", small).code == 0
        assert run(*command, "--workspace", small).code == 0
    assert holdings(small) == expected


@pytest.mark.parametrize(
    "damage",
    [
        empty,
        garble,
        answer("[]"),
        answer("null"),
        answer("{}"),
        answer('{"plan": {}, "files": {}}'),
        answer('{"plan": null, "files": []}'),
        answer("1" * 5000),  # more digits than Python reads
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_damaged_manifest(
    small: Path,
    run: Run,
    holdings: Holdings,
    small_arguments: tuple[str, ...],
    at: int,
    damage: Callable[[Path], None],
) -> None:
    expected = holdings(small)
    folder, command = stages(small_arguments)[at]
    (path,) = (small / folder).rglob("manifest.json")
    damage(path)
    one_line(run(*command, "--workspace", small), str(path), "--force")
    assert run(*command, "--force", "--workspace", small).code == 0
    assert holdings(small) == expected


@pytest.mark.parametrize("damage", [cut, empty, garble, Path.unlink])
def test_a_damaged_picture(
    small: Path,
    run: Run,
    holdings: Holdings,
    small_arguments: tuple[str, ...],
    damage: Callable[[Path], None],
) -> None:
    expected = holdings(small)
    for path in (small / "catalog" / "images").rglob("*.png"):
        damage(path)
    ran = run(*GALLERIES, "--force", "--workspace", small)
    one_line(ran, str(small / "catalog" / "images"), "--force")
    assert run("build-catalog", *small_arguments, "--force", "--workspace", small).code == 0
    assert run(*GALLERIES, "--workspace", small).code == 0
    assert holdings(small) == expected


def test_a_damaged_part_of_a_killed_run_is_made_again(
    small: Path, run: Run, holdings: Holdings, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = holdings(small)
    for damage in (flip, cut, empty, garble):
        monkeypatch.setattr("galleries.build.render", lambda *_: 1 / 0)  # the run dies late
        with pytest.raises(ZeroDivisionError):
            run(*GALLERIES, "--force", "--workspace", small)
        monkeypatch.undo()
        (part,) = (small / "galleries").rglob("pools-*.parquet")
        damage(part)
        assert run(*GALLERIES, "--workspace", small).code == 0
        assert holdings(small) == expected


# two at once


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_stage_that_another_process_is_making(
    small: Path, run: Run, holdings: Holdings, small_arguments: tuple[str, ...], at: int
) -> None:
    expected = holdings(small)
    folder, command = stages(small_arguments)[at]
    (lock,) = (small / folder).rglob(".lock")
    with lock.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        ran = run(*command, "--force", "--workspace", small)
        one_line(ran, str(lock.parent), "another process is making this stage")
        assert holdings(small) == expected
    assert run(*command, "--force", "--workspace", small).code == 0
    assert holdings(small) == expected


def test_two_processes_at_once(tmp_path: Path, run: Run, holdings: Holdings) -> None:
    command = ("build-catalog", "sample", "--n", "12", "--workers", "1", "--workspace")
    assert run(*command, tmp_path / "alone").code == 0
    together = [started(*command, tmp_path / "both") for _ in range(3)]
    ends = [process.communicate(timeout=60) for process in together]
    codes = [process.returncode for process in together]
    assert 0 in codes
    for code, (_, err) in zip(codes, ends, strict=True):
        assert code == 0 or "another process is making this stage" in err
        assert err.count("\n") == code
    assert holdings(tmp_path / "both") == holdings(tmp_path / "alone")


# what was asked for cannot be done


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("build-galleries", "--tau", "0"), ("--tau", "'0'", "such as 0.6")),
        (("build-galleries", "--tau", "1.5"), ("--tau", "'1.5'")),
        (("build-galleries", "--tau", "0.6,nan"), ("--tau", "'nan'")),
        (("build-galleries", "--tau", "0.6,"), ("--tau", "''")),
        (("build-galleries", "--size", "1"), ("--size", "'1'")),
        (("build-galleries", "--size", "9-6"), ("--size", "'9-6'")),
        (("build-galleries", "--min-gallery", "500"), ("no target qualifies", "--min-gallery")),
        (("label-attributes", "normalise", "--accept", "99"), ("--accept", "'99'")),
        (
            ("label-attributes", "normalise", "--vocabulary", "none.yaml"),
            ("none.yaml", "No such file"),
        ),
        (
            ("build-catalog", "table", "TABLE", "--id", "sku"),
            ("things.csv", "'sku'"),
        ),
        (
            ("build-catalog", "table", "TABLE", "--id", "id", "--attributes", "cloth,shap"),
            ("things.csv", "'shap'", "did you mean 'shape'"),
        ),
        (("build-catalog", "table", "none.csv"), ("none.csv",)),
        (("build-catalog", "table", "EMPTY"), ("the catalog would be empty",)),
    ],
)
def test_one_line_says_what_was_wrong(
    small: Path,
    small_table: Path,
    tmp_path: Path,
    run: Run,
    holdings: Holdings,
    command: tuple[str, ...],
    said: tuple[str, ...],
) -> None:
    expected = holdings(small)
    blank = tmp_path / "empty.csv"
    blank.write_text("id,cloth\n", "utf-8")
    paths = {"TABLE": small_table, "EMPTY": blank}
    ran = run(*(paths.get(word, word) for word in command), "--workspace", small)
    one_line(ran, *said)
    kept = holdings(small)
    # galleries of other settings are gone, since they were asked for; all else stands
    assert {name: kept[name] for name in expected if name in kept} == {
        name: value for name, value in expected.items() if name in kept
    }
    assert all(name.startswith("galleries/") for name in expected.keys() ^ kept.keys())


def test_labels_without_a_catalog(tmp_path: Path, run: Run) -> None:
    one_line(run(*NORMALISE, "--workspace", tmp_path), str(tmp_path / "catalog"), "build-catalog")
    assert not (tmp_path / "labels").exists()


def test_a_catalog_of_which_nothing_is_known(tmp_path: Path, run: Run) -> None:
    table = tmp_path / "bare.csv"
    table.write_text("id,cloth\n" + "".join(f"{at},null\n" for at in range(9)), "utf-8")
    root = tmp_path / "workspace"
    built = run(
        *("build-catalog", "table", table, "--id", "id", "--attributes", "cloth"),
        *("--workspace", root),
    )
    assert built.code == 0, built.err
    one_line(run("build-galleries", "--workspace", root), "the 9 items of", "no attributes")


@pytest.mark.parametrize("command", [NORMALISE, GALLERIES, ("build-catalog", "sample")])
def test_a_workspace_that_is_a_file(tmp_path: Path, run: Run, command: tuple[str, ...]) -> None:
    path = tmp_path / "file"
    path.write_text("", "utf-8")
    ran = run(*command, "--workspace", path)
    assert ran.code == 2
    assert f"{path} is a file; a workspace is a folder" in ran.err
    if command != NORMALISE:  # it finds no catalog there, and says so
        one_line(run(*command, "--workspace", path / "within"), str(path), "Not a directory")


def test_a_bug_keeps_its_traceback(small: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("galleries.build.qualifying", lambda *_: json.loads("{"))
    with pytest.raises(json.JSONDecodeError):
        run(*GALLERIES, "--force", "--workspace", small)
