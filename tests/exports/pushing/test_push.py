"""Pushing to the Hub: what it holds afterwards. The real client asks a stand-in on the loopback."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.card.own_text import BEGIN, END
from exports.provenance.takedowns import take_down
from stand_ins.hub import Blob
from stand_ins.whole_workspace import pictures_of

# huggingface_hub itself calls httpx2 so
pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")

REPO = "ana/things"
CHAINS = "data/question-chain/test-00000-of-00001.parquet"


def test_a_release_is_one_commit_with_a_tag(place: Any, first: Path) -> None:
    pushed = place.push(first)
    assert (pushed.is_new, pushed.tag, pushed.commit) == (True, "v1.0.0", place.at().oid)
    assert place.releases == ["Release things 1.0.0"]
    assert place.held.tags == {"v1.0.0": pushed.commit}
    assert pushed.url == f"{place.hub.address}/datasets/{REPO}/tree/v1.0.0"
    on_disk = {
        path.relative_to(first).as_posix(): path.read_bytes()
        for path in first.rglob("*")
        if path.is_file()
    }
    on_hub = {path: blob.data for path, blob in place.at("v1.0.0").files.items()}
    assert on_hub.pop(".gitattributes")
    assert on_hub == on_disk
    assert set(place.sent().values()) == {1}


def test_the_same_version_again_does_nothing(place: Any, first: Path) -> None:
    commit = place.push(first).commit
    sent, commits = place.sent(), place.hub.asked("POST", "/commit/")
    again = place.push(first)
    assert (again.is_new, again.commit) == (False, commit)
    assert (place.sent(), place.hub.asked("POST", "/commit/")) == (sent, commits)


def test_the_next_version_replaces_the_last(place: Any, first: Path, second: Path) -> None:
    place.push(first)
    place.push(second)
    assert place.releases == ["Release things 1.0.0", "Release things 1.1.0"]
    assert set(place.held.tags) == {"v1.0.0", "v1.1.0"}
    assert CHAINS not in place.at().files  # gone in the same commit
    assert CHAINS in place.at("v1.0.0").files
    # the pictures are the same, so they were sent once
    assert set(place.sent().values()) == {1}


def test_a_version_with_other_content_is_refused(
    place: Any, first: Path, whole: Workspace, release: Callable[..., Path]
) -> None:
    place.push(first)
    shutil.rmtree(whole.releases / "things" / "1.0.0")
    other = release(whole, "1.0.0", title="Other things")
    before = place.at()
    with pytest.raises(UsageError, match=r"has v1\.0\.0 already, with other content; .* the next"):
        place.push(other)
    assert place.at() is before


def test_a_version_below_that_of_main_is_refused(
    place: Any, whole: Workspace, release: Callable[..., Path], first: Path
) -> None:
    place.push(release(whole, "1.0.1"))
    before = place.at()
    with pytest.raises(UsageError, match=r"main branch holds things 1\.0\.1, and 1\.0\.0 is below"):
        place.push(first)
    assert place.at() is before
    assert set(place.held.tags) == {"v1.0.1"}


def test_a_version_with_a_picture_that_was_taken_down_is_refused(
    place: Any, whole: Workspace
) -> None:
    folder = whole.releases / "things" / "1.0.0"
    place.push(folder)
    down = pictures_of(whole)[0].image_id
    take_down(whole, "things", down, "they asked")
    assert not place.push(folder).is_new  # it is out: what stands there does not change
    with pytest.raises(UsageError, match=rf"pictures that were taken down \({down}, 1 in all\)"):
        place.push(folder, "ana/again")
    assert "ana/again" not in place.hub.repositories


def test_a_tag_of_a_person_on_something_else_is_refused(place: Any, first: Path) -> None:
    place.api.create_repo(REPO, repo_type="dataset")
    place.api.create_tag(REPO, tag="v1.0.0", repo_type="dataset")
    with pytest.raises(UsageError, match=r"has v1\.0\.0 already"):
        place.push(first)


def test_a_release_that_was_changed_is_not_pushed(place: Any, whole: Workspace) -> None:
    folder = whole.releases / "things" / "1.0.0"
    path = folder / "ATTRIBUTION.csv"
    path.write_text(path.read_text("utf-8") + "one more\n", "utf-8")
    with pytest.raises(UsageError, match=r"does not verify \(files: ATTRIBUTION\.csv: .* bytes"):
        place.push(folder)
    assert REPO not in place.hub.repositories


def test_what_is_no_release_is_not_pushed(place: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no release\.lock\.json, so it is no release"):
        place.push(tmp_path)


# what is no USER/NAME
@pytest.mark.parametrize("repo", ["things", "ana/things/more", "ana/-things", "ana/a..b", "/", ""])
def test_a_name_that_will_not_do_is_refused(place: Any, first: Path, repo: str) -> None:
    with pytest.raises(UsageError, match="USER/NAME"):
        place.push(first, repo)
    assert not place.hub.repositories


def _add(place: Any, files: dict[str, bytes]) -> None:
    place.api.create_repo(REPO, repo_type="dataset", exist_ok=True)
    adds = [CommitOperationAdd(path, data) for path, data in files.items()]
    place.api.create_commit(REPO, operations=adds, commit_message="by hand", repo_type="dataset")


def test_files_of_people_stay(place: Any, first: Path, second: Path) -> None:
    mine = {"notebooks/look.ipynb": b"{}", "THANKS.md": b"to all"}
    _add(place, mine)
    place.push(first)
    place.push(second)
    assert {path: place.at().files[path].data for path in mine} == mine


# what stands there by hand, and would be loaded with the release or written over by it
@pytest.mark.parametrize("path", ["data/train-00000.parquet", "ATTRIBUTION.csv", CHAINS])
def test_files_of_people_in_the_way_are_refused(place: Any, first: Path, path: str) -> None:
    _add(place, {path: b"mine"})
    with pytest.raises(UsageError, match=rf"in the way of this one \({path}, 1 in all\)"):
        place.push(first)
    assert place.at().files[path].data == b"mine"


def test_another_release_in_the_repository_is_refused(
    place: Any, first: Path, second: Path, tmp_path: Path
) -> None:
    place.push(first)
    lock = json.loads((first / "release.lock.json").read_text("utf-8"))
    _add(place, {"release.lock.json": json.dumps(lock | {"name": "faces"}).encode()})
    with pytest.raises(UsageError, match="holds releases of faces; things wants another --repo"):
        place.push(second)


def test_private_is_private(place: Any, first: Path) -> None:
    place.push(first, private=True)
    assert place.held.private
    place.push(first, private=True)


def test_private_is_refused_where_all_may_read(place: Any, first: Path) -> None:
    place.api.create_repo(REPO, repo_type="dataset")
    with pytest.raises(UsageError, match="is public, so --private cannot hold"):
        place.push(first, private=True)
    assert place.releases == []


def _edited(place: Any, change: Callable[[str], str]) -> None:
    _add(place, {"README.md": change(place.at().files["README.md"].data.decode()).encode()})


def test_what_a_person_writes_on_the_hub_stays(place: Any, first: Path, second: Path) -> None:
    place.push(first)
    thanks = "Thanks to ana, in her words: ü <b>&</b>.\n"
    _edited(
        place,
        lambda text: text.replace("---\n", "---\nmine: [a, b]\nlicense: mit\n", 1) + thanks,
    )
    before = place.at().files["README.md"].data.decode()
    place.push(second)
    after = place.at().files["README.md"].data.decode()
    assert after.endswith(thanks)
    assert "mine:" in after
    assert "license: mit" not in after  # what the release says of its licence holds
    assert "question-chain" in before
    assert "question-chain" not in after


def test_a_card_without_markers_comes_before_ours(place: Any, first: Path) -> None:
    _add(place, {"README.md": b"---\nviewer: false\n---\n# By hand\n\nBuy me a coffee.\n"})
    place.push(first)
    text = place.at().files["README.md"].data.decode()
    assert "viewer: false" in text
    assert text.index("# By hand") < text.index(BEGIN)
    assert "Write here what the dataset is for" not in text


# a card that nothing can be kept of
@pytest.mark.parametrize(
    ("card", "said"),
    [
        (b"\xff\xfe", "is no UTF-8"),
        (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n".encode(), "once each"),  # which is ours?
        (f"mine\n{BEGIN}\nmine as well\n".encode(), "once each"),  # where does ours end?
    ],
)
def test_a_card_that_cannot_be_read_is_refused(
    place: Any, first: Path, card: bytes, said: str
) -> None:
    place.api.create_repo(REPO, repo_type="dataset")
    place.held.add("main", "by hand", {**place.at().files, "README.md": Blob(data=card)})
    with pytest.raises(UsageError, match=said):
        place.push(first)
    assert place.at().files["README.md"].data == card


def test_a_card_that_was_deleted_comes_back(place: Any, first: Path, second: Path) -> None:
    place.push(first)
    gone = [CommitOperationDelete("README.md")]
    place.api.create_commit(REPO, operations=gone, commit_message="oops", repo_type="dataset")
    place.push(second)
    assert place.at().files["README.md"].data == (second / "README.md").read_bytes()
