"""What stands in a repository on the Hub at one of its commits."""

import hashlib
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import HfApi
from huggingface_hub.hf_api import RepoFile

from benchwright.errors import UsageError, WorkspaceError
from benchwright.files import sha256_of
from exports.locking.lock import Lock, read_lock
from exports.names import CARD, LOCK

_DATA = "data/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The files at a commit, by path, with the card and the lock among them.

    ``lock`` is null where there is none that can be read, ``card`` where there is none.
    """

    commit: str
    files: Mapping[str, RepoFile]
    card: str | None
    lock: Lock | None

    def differing(self, folder: Path, names: Iterable[str]) -> list[str]:
        """Return which files of a folder do not stand here with the same bytes."""
        return [
            name
            for name in names
            if name not in self.files or not _is_same(folder / name, self.files[name])
        ]

    def outdated(self, lock: Lock) -> list[str]:
        """Return the files of the release that stands here which another has not."""
        return [name for name in self._released() if name in self.files and name not in lock.files]

    def strangers(self, adds: Collection[str], lock: Lock) -> list[str]:
        """Return the files of people that are in the way of a release that adds some files.

        It would write over them, or whoever loads its data would load them as well.
        """
        released = {*self._released(), *([LOCK] if self.lock is not None else [])}
        return [
            name
            for name in sorted(self.files.keys() - released)
            if name in adds or (name.startswith(_DATA) and name not in lock.files)
        ]

    def _released(self) -> Collection[str]:
        return self.lock.files.keys() if self.lock is not None else ()


def standing_at(api: HfApi, repo: str, revision: str) -> Standing:
    """Return what stands at a branch, a tag or a commit.

    Raises what huggingface_hub raises, UsageError for a card that is no text.
    """
    commit = str(api.repo_info(repo, repo_type="dataset", revision=revision).sha)
    tree = api.list_repo_tree(repo, repo_type="dataset", revision=commit, recursive=True)
    found = {entry.path: entry for entry in tree if isinstance(entry, RepoFile)}
    with tempfile.TemporaryDirectory() as place:
        for name in {CARD, LOCK} & found.keys():
            api.hf_hub_download(repo, name, repo_type="dataset", revision=commit, local_dir=place)
        return Standing(
            commit=commit, files=found, card=_card(Path(place), repo), lock=_lock(Path(place))
        )


def _card(place: Path, repo: str) -> str | None:
    path = place / CARD
    try:
        return path.read_text("utf-8") if path.is_file() else None
    except UnicodeDecodeError as error:
        raise UsageError(f"{repo}: its {CARD} is no UTF-8; mend it on the Hub") from error


def _lock(place: Path) -> Lock | None:
    try:
        return read_lock(place)
    except WorkspaceError:
        return None


def _is_same(path: Path, there: RepoFile) -> bool:
    if there.size != path.stat().st_size:
        return False
    if there.lfs is not None:
        return there.lfs.sha256 == sha256_of(path)
    return there.blob_id == git_blob(path.read_bytes())


def git_blob(data: bytes) -> str:
    """Return what git, and with it the Hub, calls a file that is not in LFS."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
