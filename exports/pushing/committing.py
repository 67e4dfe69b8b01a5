"""Putting a release on the main branch of a repository in one commit."""

from collections.abc import Collection, Iterator
from pathlib import Path

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

from benchwright.errors import UsageError
from exports.locking.lock import Lock
from exports.names import CARD, LOCK, Version
from exports.pushing.merging import merged_card
from exports.pushing.standing import Standing, git_blob, standing_at

_MAIN = "main"


def committed(api: HfApi, folder: Path, lock: Lock, repo: str) -> str:
    """Make the main branch hold a release; return the commit that does.

    Only what does not stand there yet is sent, and no commit is made where all does: so a commit
    whose answer was lost is not made a second time. What an earlier release had and this one has
    not is removed in the same commit. Files of people stay, and what they wrote on the card.

    Raises UsageError where the repository holds something else or a higher version, and what
    huggingface_hub raises.
    """
    standing = standing_at(api, repo, _MAIN)
    adds = standing.differing(folder, (*lock.files, LOCK))
    _check_place(standing, adds, lock, repo)
    operations: list[CommitOperationAdd | CommitOperationDelete] = [
        *_card(standing, folder),
        *(CommitOperationAdd(name, folder / name) for name in adds),
        *map(CommitOperationDelete, standing.outdated(lock)),
    ]
    if not operations:
        return standing.commit
    made = api.create_commit(
        repo,
        operations=operations,
        commit_message=f"Release {lock.name} {lock.version}",
        repo_type="dataset",
        revision=_MAIN,
        parent_commit=standing.commit,
    )
    return made.oid


def _check_place(standing: Standing, adds: Collection[str], lock: Lock, repo: str) -> None:
    other = standing.lock.name if standing.lock is not None else lock.name
    if other != lock.name:
        raise UsageError(f"{repo}: holds releases of {other}; {lock.name} wants another --repo")
    if standing.lock is not None and Version.of(lock.version) < Version.of(standing.lock.version):
        raise UsageError(
            f"{repo}: its main branch holds {lock.name} {standing.lock.version}, and {lock.version}"
            " is below that; push a version above it"
        )
    strangers = standing.strangers(adds, lock)
    if strangers:
        raise UsageError(
            f"{repo}: holds files that no release wrote, in the way of this one ({strangers[0]},"
            f" {len(strangers):,} in all); remove them there, or name another --repo"
        )


def _card(standing: Standing, folder: Path) -> Iterator[CommitOperationAdd]:
    card = merged_card((folder / CARD).read_text("utf-8"), standing.card).encode()
    there = standing.files.get(CARD)
    if there is None or there.blob_id != git_blob(card):
        yield CommitOperationAdd(CARD, card)
