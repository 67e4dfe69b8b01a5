"""Where a task finds its release: a folder, or one commit of a repository on the Hub."""

from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import ServerError, UsageError
from exports.locking.lock import Lock, read_lock
from exports.pushing.fetching import fetched, named


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A release that stands: ``folder`` is here; ``path`` and ``revision`` are what to load.

    ``revision`` is a commit, null for a folder.
    """

    folder: Path
    path: str
    revision: str | None
    lock: Lock


def pinned(release: str) -> Pinned:
    """Return the pin of a release, given as its folder or as REPO@TAG.

    Raises UsageError for what is no release, and what ``fetched`` raises.
    """
    folder = fetched(release)
    with named(release, folder):
        lock = read_lock(folder)
    if lock is None:
        raise UsageError(f"{release}: has no release.lock.json; name a release, NAME/VERSION")
    if Path(release).is_dir():
        return Pinned(folder=folder, path=str(folder.resolve()), revision=None, lock=lock)
    repo, _, tag = release.partition("@")
    return Pinned(folder=folder, path=repo, revision=_commit(repo, tag), lock=lock)


def _commit(repo: str, tag: str) -> str:
    from huggingface_hub import HfApi  # noqa: PLC0415  # takes a second
    from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415

    try:
        return str(HfApi().dataset_info(repo, revision=tag).sha)
    except (HfHubHTTPError, OSError) as error:
        raise ServerError(f"{repo}@{tag}: the Hub does not answer ({error}); try again") from error
