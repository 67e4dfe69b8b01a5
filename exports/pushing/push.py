"""Pushing a release: one commit, one tag, read back before it is called done."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import DatasetInfo, HfApi
from huggingface_hub.errors import RepositoryNotFoundError

from benchwright.errors import ServerError, UsageError
from benchwright.files import sha256_of
from exports.gating.report import read_gate
from exports.locking.lock import Lock
from exports.names import CARD, LOCK
from exports.provenance.takedowns import taken_down_in
from exports.pushing.asking import answered
from exports.pushing.committing import committed
from exports.pushing.standing import standing_at
from exports.verifying.files import check_files
from exports.verifying.released import Released, open_release
from exports.verifying.rows import check_card
from exports.verifying.verify import verify_release


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """A release that stands on the Hub; ``is_new`` is false where it stood there already."""

    repo: str
    tag: str
    commit: str
    url: str
    is_new: bool


def push_release(folder: Path, repo: str, *, private: bool, api: HfApi) -> Pushed:
    """Push a release of a folder to a repository, and compare what the Hub gives back.

    What an earlier push that was cut off has left there is not sent again. A version that stands
    there is not pushed again when it is the same.

    Raises UsageError for a release that does not verify or whose gate fails, for a version that
    stands there with other content, or is below the one on main, for one that does not stand there
    and holds a picture that was taken down, for a repository that holds something else or is public
    where it should be private, and for a token without the right; ServerError where the Hub does
    not answer or gives back something else.
    """
    lock = _verified(folder)
    tag = f"v{lock.version}"
    _check_repo(repo)
    commit = _tagged(api, repo, tag)
    if commit is None:
        _check_taken_down(folder)
    _made_place(api, repo, private=private)
    is_new = commit is None
    if commit is None:
        commit = answered(repo, lambda: committed(api, folder, lock, repo))
        _tag(api, repo, tag, commit)
        _read_back(api, folder, lock, repo, tag)
    else:
        _check_same(api, folder, lock, repo, tag)
    url = f"{api.endpoint}/datasets/{repo}/tree/{tag}"
    return Pushed(repo=repo, tag=tag, commit=commit, url=url, is_new=is_new)


def _verified(folder: Path) -> Lock:
    lock = open_release(folder).lock
    wrong = [found for found in verify_release(folder) if not found.holds]
    if wrong:
        raise UsageError(
            f"{folder}: does not verify ({wrong[0].check}: {wrong[0].faults[0]}); a release that"
            " was changed is not pushed: remove the folder and build it again"
        )
    gate = read_gate(folder)
    if gate.failing:
        raise UsageError(f"{folder}: is not pushed, its gate fails: {gate.refusal()}")
    return lock


def _check_repo(repo: str) -> None:
    if repo.count("/") != 1:
        raise UsageError(f"--repo wants USER/NAME, got {repo!r}")


def _check_taken_down(folder: Path) -> None:
    down = taken_down_in(folder)
    if down:
        raise UsageError(
            f"{folder}: is not pushed, it holds pictures that were taken down ({down[0]},"
            f" {len(down):,} in all); build the next version, which is without them, and push that"
        )


def _made_place(api: HfApi, repo: str, *, private: bool) -> None:
    """Make the repository where it is not there."""
    info = answered(repo, lambda: _there_or_made(api, repo, private=private))
    if private and not info.private:
        raise UsageError(
            f"{repo}: stands there and is public, so --private cannot hold; make it private in its"
            " settings on the Hub, or name another --repo"
        )


def _there_or_made(api: HfApi, repo: str, *, private: bool) -> DatasetInfo:
    try:
        return api.dataset_info(repo)
    except RepositoryNotFoundError:
        api.create_repo(repo, repo_type="dataset", private=private)
        return api.dataset_info(repo)


def _tagged(api: HfApi, repo: str, tag: str) -> str | None:
    """Return the commit of a tag, null where there is no repository or it has not the tag."""

    def ask() -> str | None:
        try:
            refs = api.list_repo_refs(repo, repo_type="dataset")
        except RepositoryNotFoundError:
            return None
        return next((ref.target_commit for ref in refs.tags if ref.name == tag), None)

    return answered(repo, ask)


def _tag(api: HfApi, repo: str, tag: str, commit: str) -> None:
    """Name a commit; a tag whose answer was lost is there when it is asked for again."""

    def ask() -> None:
        if _tagged(api, repo, tag) != commit:
            api.create_tag(repo, tag=tag, revision=commit, repo_type="dataset")

    answered(repo, ask)


def _check_same(api: HfApi, folder: Path, lock: Lock, repo: str, tag: str) -> None:
    """Raise UsageError where a version stands on the Hub with other content."""
    there = answered(repo, lambda: standing_at(api, repo, tag))
    if there.lock != lock or there.differing(folder, lock.files):
        raise UsageError(
            f"{repo}: has {tag} already, with other content; a version never changes: build the"
            " next one and push that"
        )


def _read_back(api: HfApi, folder: Path, lock: Lock, repo: str, tag: str) -> None:
    """Compare what the Hub gives at the tag with what was pushed; raise ServerError otherwise."""
    with tempfile.TemporaryDirectory() as place:
        answered(
            repo,
            lambda: api.snapshot_download(
                repo,
                repo_type="dataset",
                revision=tag,
                local_dir=place,
                allow_patterns=[CARD, LOCK, *lock.files],
            ),
        )
        fault = next(_faults(Path(place), folder, lock), None)
    if fault is not None:
        raise ServerError(
            f"{repo}: what the Hub gives at {tag} is not what was pushed ({fault}); do not announce"
            " it, and push the next version"
        )


def _faults(got: Path, folder: Path, lock: Lock) -> Iterator[str]:
    """Yield what differs; each check rests on those before it."""
    if not (got / LOCK).is_file() or sha256_of(got / LOCK) != sha256_of(folder / LOCK):
        yield f"{LOCK} differs"
    for check in (check_files, check_card):
        yield from check(Released(folder=got, lock=lock)).faults
