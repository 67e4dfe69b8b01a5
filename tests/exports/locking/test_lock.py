"""What the lock of a release holds, and what is taken for one."""

import json
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from benchwright import __version__, store
from benchwright.decisions.journal import append_decisions, journal_path
from benchwright.errors import WorkspaceError
from benchwright.workspace import Workspace
from exports.locking.lock import Lock, read_lock
from stand_ins.whole_workspace import decide_labels, pictures_of, ruled, store_galleries

Release = Callable[..., Path]


@pytest.fixture
def folder(whole: Workspace) -> Path:
    return whole.releases / "things" / "1.0.0"


@pytest.fixture
def lock(folder: Path) -> Lock:
    found = read_lock(folder)
    assert found is not None
    return found


def test_holds_the_hash_of_every_file_but_the_card(folder: Path, lock: Lock) -> None:
    on_disk = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }
    del on_disk["README.md"], on_disk["release.lock.json"]
    assert {name: held.sha256 for name, held in lock.files.items()} == on_disk


def test_holds_all_stages_and_how_they_were_made(whole: Workspace, lock: Lock) -> None:
    assert list(lock.stages) == [
        "catalog",
        *("dialogues/candidate-set", "dialogues/candidate-set/drafts"),
        *("dialogues/false-premise", "dialogues/false-premise/drafts"),
        *("dialogues/question-chain", "dialogues/question-chain/drafts"),
        *("galleries/tau-0.3", "labels", "labels/votes"),
    ]
    made = store.require(whole.galleries / "tau-0.3", "")
    held = lock.stages["galleries/tau-0.3"]
    assert (held.settings, held.seed, held.content) == (
        made.plan.settings,
        made.plan.seed,
        made.content,
    )
    assert [one["name"] for one in lock.stages["labels/votes"].settings["voters"]]


def test_holds_versions_and_what_people_had_decided(whole: Workspace, lock: Lock) -> None:
    assert lock.benchwright == __version__
    assert lock.packages["pyarrow"] == version("pyarrow")
    data = journal_path(whole).read_bytes()
    assert lock.journal is not None
    assert (lock.journal.size, lock.journal.sha256) == (len(data), sha256(data).hexdigest())


def test_the_next_version_holds_more_decisions(whole: Workspace, release: Release) -> None:
    append_decisions(whole, [ruled(pictures_of(whole)[5], "trim", "bow", "yes", "dee")])
    decide_labels(whole)
    store_galleries(whole)
    later = read_lock(release(whole, "2.0.0"))
    assert later is not None
    assert later.journal is not None
    assert later.journal.size == journal_path(whole).stat().st_size


def test_is_written_with_sorted_keys_and_names_no_place(folder: Path, whole: Workspace) -> None:
    text = (folder / "release.lock.json").read_text("utf-8")
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    assert str(whole.root) not in text
    assert "ana" not in json.loads(text)["stages"]["labels"]["settings"].values()


def test_without_one_there_is_none(tmp_path: Path) -> None:
    assert read_lock(tmp_path) is None


# what a lock says that none says
@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"files": {"../x": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"/etc/passwd": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"a//b": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"a/../b": {"sha256": "0" * 64, "size": 1}}},
        {"files": {"a": {"sha256": "0" * 63, "size": 1}}},
        {"files": {"a": {"sha256": "0" * 64, "size": -1}}},
        {"card": None},
        {"more": 1},
    ],
)
def test_what_is_no_lock_is_one_line(folder: Path, change: dict[str, Any]) -> None:
    path = folder / "release.lock.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(WorkspaceError, match="is no lock that this version reads") as error:
        read_lock(folder)
    assert "\n" not in str(error.value)
