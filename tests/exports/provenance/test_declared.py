import os
from pathlib import Path

import pytest

from benchwright.errors import UsageError, WorkspaceError
from benchwright.files import locked
from exports.provenance.declared import declare, read_declared
from exports.provenance.takedowns import Takedown


def one(number: int = 1, reason: str = "asked") -> Takedown:
    return Takedown(image_id=f"{number:016x}", reason=reason)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "r" / "takedowns.jsonl"


def test_what_is_declared_stands_once_and_in_its_order(path: Path) -> None:
    assert [declare(path, entry) for entry in (one(2), one(1), one(2))] == [True, True, False]
    assert read_declared(path, Takedown) == (one(2), one(1))


def test_what_stood_there_is_never_written_otherwise(path: Path) -> None:
    declare(path, one(1))
    by_hand = b'  {"reason": "by hand",   "image_id": "00000000000000aa"}\n\n'
    path.write_bytes(path.read_bytes() + by_hand.rstrip(b"\n"))  # an editor left no end of line
    before = path.read_bytes()
    declare(path, one(2))
    assert path.read_bytes().startswith(before + b"\n")
    assert [entry.reason for entry in read_declared(path, Takedown)] == [
        "asked",
        "by hand",
        "asked",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "is no JSON"),
        (b"\xff\xfe", "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"[]", "wants KEY: VALUE lines"),
        (b"null", "wants KEY: VALUE lines"),
        (b'{"image_id": "00000000000000aa"}', "at reason: is missing"),
        (b'{"image_id": "AA", "reason": "r"}', "at image_id: "),
        (b'{"image_id": "00000000000000aa", "reason": ""}', "at reason: "),
        (b'{"image_id": "00000000000000aa", "reason": 3}', "at reason: wants a text"),
        (b'{"image_id": "00000000000000aa", "reason": "r", "at": "x"}', "at: unknown key"),
    ],
)
def test_a_line_that_is_none_is_refused_with_its_number(path: Path, line: bytes, said: str) -> None:
    declare(path, one())
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(UsageError) as raised:
        read_declared(path, Takedown)
    assert str(raised.value).startswith(f"{path}, line 2: ")
    assert said in str(raised.value)
    before = path.read_bytes()
    with pytest.raises(UsageError):
        declare(path, one(2))
    assert path.read_bytes() == before


def test_nothing_is_declared_while_a_release_is_made(path: Path) -> None:
    path.parent.mkdir()
    with locked(path.parent, "making a release"), pytest.raises(WorkspaceError):
        declare(path, one())
    assert not path.exists()


def test_a_full_disk_leaves_what_stood_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(path, one(1))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        declare(path, one(2))
    assert read_declared(path, Takedown) == (one(1),)
