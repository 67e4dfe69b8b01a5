"""Fetching from the Hub: what it says now, not what a cache holds of before."""

import shutil
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from click.testing import CliRunner
from huggingface_hub import CommitOperationDelete, HfApi

from benchwright.errors import ServerError, UsageError
from exports.coco.cli import coco_command
from exports.pushing.fetching import fetched, named
from exports.verifying.verify import verify_release

# huggingface_hub itself calls httpx2 so
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

REPO = "ana/things"
AT = f"{REPO}@v1.0.0"


@pytest.fixture
def pushed(place: Any, first: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(huggingface_hub, "HfApi", lambda: place.api)
    place.push(first)
    return place


def test_a_copy_of_before_is_no_answer(pushed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(found.holds for found in verify_release(fetched(AT)))
    nobody = HfApi(endpoint="http://127.0.0.1:9", token=False)
    monkeypatch.setattr(huggingface_hub, "HfApi", lambda: nobody)
    with pytest.raises(ServerError, match=f"^{AT}: the Hub does not answer"):
        fetched(AT)


def test_errors_name_the_repository_and_no_cache(pushed: Any, tmp_path: Path) -> None:
    gone = [CommitOperationDelete("release.lock.json")]
    pushed.api.create_commit(REPO, operations=gone, commit_message="x", repo_type="dataset")
    folder = fetched(f"{REPO}@main")
    with (
        pytest.raises(UsageError, match=f"^{REPO}@main: has no release.lock.json"),
        named(f"{REPO}@main", folder),
    ):
        verify_release(folder)


def test_the_coco_command_names_the_repository(
    pushed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_sets(release: Path, _folder: Path) -> None:
        raise UsageError(f"{release}: has no config candidate-set")

    monkeypatch.setattr("exports.coco.candidate_sets.write_candidate_sets", no_sets)
    ran = CliRunner().invoke(coco_command, [AT, "--out", str(tmp_path / "out")])
    assert str(ran.exception) == f"{AT}: has no config candidate-set"


def test_a_folder_is_named_as_it_was(first: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(first, tmp_path / "copy"))
    (copy / "release.lock.json").unlink()
    with (
        pytest.raises(UsageError, match=f"^{copy}: has no"),
        named(f"{copy}/", fetched(f"{copy}/")),
    ):
        verify_release(copy)
