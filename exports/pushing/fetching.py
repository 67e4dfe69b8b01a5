"""Releases by where they are: a folder, or a tag of a repository on the Hub."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwright.errors import UsageError, WorkspaceError


def fetched(release: str) -> Path:
    """Return the folder of a release; ``REPO@TAG`` is downloaded first, what is there left out.

    Raises UsageError for what is neither, or is not there, ServerError where the Hub does not
    answer.
    """
    if Path(release).is_dir():
        return Path(release)
    repo, _, tag = release.partition("@")
    if repo.count("/") != 1 or not tag:
        raise UsageError(
            f"{release}: is no folder, and no release on the Hub: name a folder that"
            " push-release build made, or USER/NAME@v1.0.0"
        )
    return Path(_downloaded(repo, tag))


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


def _downloaded(repo: str, tag: str) -> str:
    from huggingface_hub import HfApi  # noqa: PLC0415  # takes a second
    from huggingface_hub.errors import (  # noqa: PLC0415
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    from exports.pushing.asking import answered, quiet_unless_watched  # noqa: PLC0415

    def ask() -> str:
        # a download alone is content with a copy of before where nobody answers
        try:
            commit = api.repo_info(repo, repo_type="dataset", revision=tag).sha
            return api.snapshot_download(repo, repo_type="dataset", revision=commit)
        except RepositoryNotFoundError as error:
            raise UsageError(
                f"{repo}: is no dataset on the Hub that this token may read; check the name, or"
                " set HF_TOKEN"
            ) from error
        except RevisionNotFoundError as error:
            raise UsageError(f"{repo}: has no tag {tag}") from error

    quiet_unless_watched()
    api = HfApi()
    return answered(repo, ask)
