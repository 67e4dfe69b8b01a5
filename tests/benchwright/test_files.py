"""A file is the old one or the new one, never half."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from benchwright import files


def test_a_new_file_takes_its_name_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    with files.atomic(path) as stream:
        stream.write(b"half")
        stream.flush()
        assert not path.exists()
        stream.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(tmp_path.iterdir()) == [path]


def test_processes_of_one_number_on_two_machines_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 7)  # containers count theirs from 1
    path = tmp_path / "a.bin"
    with files.atomic(path) as first:
        first.write(b"fir")
        with files.atomic(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
        first.write(b"st")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError("bug"), KeyboardInterrupt(), OSError(5, "io")])
def test_an_exception_leaves_the_old_file(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def broken() -> None:
        with files.atomic(path) as stream:
            stream.write(b"new")
            raise error

    with pytest.raises(type(error)):
        broken()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left") as caught:
        files.write_bytes(path, b"new")
    assert caught.value.filename == str(path)  # else the user would not know which disk
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_written_is_synced_before_it_is_renamed_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        steps.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else "file")  # noqa: PTH112
        fsync(handle)

    def renamed(self: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    files.write_bytes(tmp_path / "a", b"x")
    assert steps == ["file", "rename", "folder"]


def test_files_written_without_sync_are_synced_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync = os.fsync

    def synced(handle: int) -> None:
        steps.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name)  # noqa: PTH115
        fsync(handle)

    monkeypatch.setattr(os, "fsync", synced)
    paths = [tmp_path / folder / name for folder in ("x", "y") for name in ("a", "b")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        files.write_bytes(path, b"1", synced=False)
    assert steps == []
    files.sync([*paths, paths[0]])
    assert sorted(steps[:4]) == ["a", "a", "b", "b"]  # the files first, each once
    assert sorted(steps[4:6]) == ["x", "y"]
    assert steps[6:] == [tmp_path.name]
    files.sync([])


def test_a_full_disk_found_late_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.write_bytes(tmp_path / "a", b"1", synced=False)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        files.sync([tmp_path / "a"])
    assert caught.value.filename == str(tmp_path / "a")


def test_json_has_sorted_keys_and_ends_with_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    value = {"b": [1, "ü", None], "a": {"d": 0.5, "c": True}}
    files.write_json(path, value)
    text = path.read_text("utf-8")
    assert text.endswith("}\n")
    assert "ü" in text
    assert list(json.loads(text)) == ["a", "b"]
    files.write_json(path, dict(reversed(value.items())))
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b'{"a": 1}', {"a": 1}),
        (None, {}),  # no file
        (b"", {}),
        (b"[1]", {}),  # JSON, and no object
        (b"null", {}),
        (b'{"a": ', {}),
        (b'{"a": "\xff"}', {}),  # no UTF-8
        (b"[" * 100_000, {}),  # deeper than the reader goes
    ],
)
def test_an_object_of_a_file_or_an_empty_one(
    tmp_path: Path, content: bytes | None, found: dict[str, int]
) -> None:
    path = tmp_path / "a.json"
    if content is not None:
        path.write_bytes(content)
    assert files.read_json_object(path) == found


def test_the_hash_is_sha256(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert files.sha256_of(path) == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_leftovers_are_removed_and_nothing_else(tmp_path: Path) -> None:
    kept = [tmp_path / "a.parquet", tmp_path / "partly", tmp_path / "inner"]
    kept[0].touch()
    kept[1].touch()
    kept[2].mkdir()
    (tmp_path / f"a.parquet.77{files.TEMPORARY}").touch()
    (tmp_path / f".hidden.77{files.TEMPORARY}").touch()
    files.remove_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(kept)
    files.remove_leftovers(tmp_path / "none")  # a folder that is not there has none
