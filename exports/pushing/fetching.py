"""Releases by where they are: a folder, or a tag of a repository on the Hub."""

from pathlib import Path

from benchwright.errors import UsageError


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
            f"{release}: is no folder, and no release on the Hub, which is named USER/NAME@v1.0.0"
        )
    return Path(_downloaded(repo, tag))


def _downloaded(repo: str, tag: str) -> str:
    from huggingface_hub import snapshot_download  # noqa: PLC0415  # takes a second
    from huggingface_hub.errors import (  # noqa: PLC0415
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    from exports.pushing.asking import answered, quiet_unless_watched  # noqa: PLC0415

    def ask() -> str:
        try:
            return snapshot_download(repo, repo_type="dataset", revision=tag)
        except RepositoryNotFoundError as error:
            raise UsageError(
                f"{repo}: is no dataset on the Hub that this token may read; check the name, or"
                " set HF_TOKEN"
            ) from error
        except RevisionNotFoundError as error:
            raise UsageError(f"{repo}: has no tag {tag}") from error

    quiet_unless_watched()
    return answered(repo, ask)
