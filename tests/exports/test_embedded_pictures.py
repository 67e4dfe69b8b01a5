"""Pictures of a release as files: no release writes where it was not asked to."""

from pathlib import Path

import pytest

from benchwright.errors import UsageError
from exports.embedded_pictures import write_embedded


def test_a_picture_is_written_under_its_name(tmp_path: Path) -> None:
    path = write_embedded({"bytes": b"data", "path": "00ff00ff00ff00ff.jpg"}, tmp_path)
    assert path == tmp_path / "00ff00ff00ff00ff.jpg"
    assert path.read_bytes() == b"data"


@pytest.mark.parametrize(
    "name",
    [
        # out of the folder, upwards or from the root, also as Windows spells it
        *("../a.jpg", "/tmp/a.jpg", "..\\a.jpg", "c:a.jpg", "b/a.jpg"),
        # what would be run or read as something else, and what is no name
        *("a.jpg\n", ".bashrc", "a.py", "", None),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(name: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    with pytest.raises(UsageError, match="names a picture"):
        write_embedded({"bytes": b"data", "path": name}, folder)
    assert list(tmp_path.rglob("*")) == [folder]
