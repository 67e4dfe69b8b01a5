"""A release by its name."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from benchwright.errors import ServerError, UsageError
from benchwright.workspace import Workspace
from evaluation.releases.release import open_release
from exports.names import Version, release_folder

TAU = "hidden-target-tau-0.3"


@pytest.fixture
def folder(whole_once: Workspace) -> Path:
    return release_folder(whole_once, "things", Version(1, 0, 0))


def test_a_folder_is_named_by_its_last_two_parts(folder: Path) -> None:
    release = open_release(str(folder))
    assert (release.name, release.commit) == ("things/1.0.0", None)
    assert TAU in release.configs


def test_the_digest_is_that_of_the_rows_alone(folder: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(folder, tmp_path / "things" / "1.0.0"))
    release, other = open_release(str(folder)), open_release(str(moved))
    assert release.digest("vocabulary", TAU) == other.digest("vocabulary", TAU)
    assert release.digest("vocabulary") != release.digest("vocabulary", TAU)
    assert release.digest("vocabulary", TAU) != release.digest(TAU, "vocabulary")


NONE = [
    ("nowhere", "is no folder, and no release on the Hub"),  # no folder of that name
    ("ana/things", "is no folder, and no release on the Hub"),  # without a tag
    ("a/b/c@v1", "is no folder, and no release on the Hub"),  # no name of a repository
]


@pytest.mark.parametrize(("named", "said"), NONE)
def test_what_is_no_release(named: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        open_release(named)


def test_a_folder_without_a_release(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no release there; name the folder of one$"):
        open_release(str(tmp_path))


@pytest.mark.parametrize("above", [1, 3])  # the folder of its name, the workspace
def test_a_folder_that_holds_releases_names_them(
    folder: Path, above: int, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(UsageError) as told:
        open_release(str(folder.parents[above - 1]))
    said = f"{folder.parents[above - 1]}: no release there; name {folder}"
    assert str(told.value).startswith(said)
    assert "/labels" not in str(told.value)  # a stage of the workspace, which can be loaded too
    assert not caplog.records


def test_a_hub_that_is_out_of_reach_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise httpx2.ConnectError("[Errno 111] Connection refused")

    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", broken)
    said = r"ana/things@v1: the Hub does not answer \(\[Errno 111\] Connection refused\); try again"
    with pytest.raises(ServerError, match=said):
        open_release("ana/things@v1")
    monkeypatch.setattr(
        "huggingface_hub.HfApi.dataset_info", lambda *_, **__: SimpleNamespace(sha="0" * 40)
    )
    monkeypatch.setattr("datasets.get_dataset_config_names", broken)  # it went away meanwhile
    with pytest.raises(ServerError, match="the Hub does not answer"):
        open_release("ana/things@v1")


def test_a_config_that_is_not_there(folder: Path) -> None:
    with pytest.raises(UsageError, match="has no config nonsense; it has "):
        open_release(str(folder)).rows("nonsense")
