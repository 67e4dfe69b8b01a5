"""Pictures of a release as they are sent."""

import hashlib
from pathlib import Path

import pytest

from benchwright.errors import UsageError
from benchwright.pictures import read_file
from benchwright.workspace import Workspace
from evaluation.releases.pictures import write_pictures
from evaluation.releases.release import Release, open_release
from exports.names import Version, release_folder


@pytest.fixture
def release(whole_once: Workspace) -> Release:
    return open_release(str(release_folder(whole_once, "things", Version(1, 0, 0))))


def test_they_are_named_by_their_bytes(release: Release, tmp_path: Path) -> None:
    wanted = sorted(release.rows("images")["image_id"])[:3]
    shown = write_pictures(release, wanted, tmp_path)
    assert sorted(shown) == wanted
    for each in shown.values():
        data = each.part.path.read_bytes()
        assert each.part.sha256 == each.part.path.name == hashlib.sha256(data).hexdigest()
        picture = read_file(each.part.path)
        assert each.size == (picture.width, picture.height)


def test_what_is_there_is_not_written_again(release: Release, tmp_path: Path) -> None:
    wanted = release.rows("images")["image_id"][:2]
    before = write_pictures(release, wanted, tmp_path)
    stamps = {one.part.path: one.part.path.stat().st_mtime_ns for one in before.values()}
    assert write_pictures(release, wanted, tmp_path) == before
    assert {path: path.stat().st_mtime_ns for path in stamps} == stamps


def test_a_picture_that_the_release_lacks_is_named(release: Release, tmp_path: Path) -> None:
    there = release.rows("images")["image_id"][0]
    with pytest.raises(UsageError, match=r"is about picture 0{16}, which its images lack"):
        write_pictures(release, [there, "0" * 16], tmp_path / "shown")
    assert not (tmp_path / "shown").exists()
