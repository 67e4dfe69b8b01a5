"""Releases by where they are: a folder, or a tag of a repository on the Hub."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwright.errors import UsageError, WorkspaceError
from benchwright.release_places import ReleasePlace, resolved


def fetched(release: str) -> Path:
    """Return the folder of a release; ``REPO@TAG`` is downloaded first, what is there left out.

    Raises what ``resolved`` raises.
    """
    return downloaded(resolved(release))


def downloaded(place: ReleasePlace) -> Path:
    """Return the folder of a release, that of a repository after its commit was downloaded.

    Raises UsageError for a token that may not, ServerError where the Hub does not answer.
    """
    if place.commit is None:
        return Path(place.path)
    from huggingface_hub import HfApi  # noqa: PLC0415  # takes a second

    from exports.pushing.asking import answered, quiet_unless_watched  # noqa: PLC0415

    quiet_unless_watched()
    api = HfApi()
    folder = answered(
        place.path,
        lambda: api.snapshot_download(place.path, repo_type="dataset", revision=place.commit),
    )
    return Path(folder)


@contextmanager
def named(release: str, folder: Path) -> Iterator[None]:
    """Let errors about a fetched folder name the release as the user did, not a cache."""
    try:
        yield
    except (UsageError, WorkspaceError) as error:
        if folder == Path(release):
            raise
        kind = UsageError if isinstance(error, UsageError) else WorkspaceError
        raise kind(str(error).replace(str(folder), release)) from error
