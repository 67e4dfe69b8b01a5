"""Where a release is that somebody names: a folder, or one commit of a repository on the Hub."""

from dataclasses import dataclass
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.release_loading import hub_asked

_NOT_LET = (401, 403)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlace:
    """``path`` is what ``datasets`` loads: a folder, or a repository, of which at ``commit``.

    ``commit`` is null for a folder.
    """

    path: str
    commit: str | None


def resolved(release: str) -> ReleasePlace:
    """Return the place of a release, given as a folder or as ``REPO@TAG``.

    Raises UsageError for what is neither, for a repository or a tag that is not there, and for a
    token that may not read it, ServerError where the Hub does not answer.
    """
    if Path(release).is_dir():
        return ReleasePlace(path=release, commit=None)
    repo, _, tag = release.partition("@")
    if repo.count("/") != 1 or not tag:
        raise UsageError(
            f"{release}: is no folder, and no release on the Hub: name a folder that"
            " push-release build made, or USER/NAME@v1.0.0"
        )
    return ReleasePlace(path=repo, commit=_commit(repo, tag))


def _commit(repo: str, tag: str) -> str:
    from huggingface_hub import HfApi  # noqa: PLC0415  # takes a second
    from huggingface_hub.errors import (  # noqa: PLC0415
        HfHubHTTPError,
        HFValidationError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    unread = (
        f"{repo}: is no dataset on the Hub that this token may read; check the name, or set"
        " HF_TOKEN"
    )
    with hub_asked(repo, tag):
        try:
            return str(HfApi().dataset_info(repo, revision=tag).sha)
        except HFValidationError as error:
            raise UsageError(f"{excerpt(repo)}: is no name of a dataset (USER/NAME)") from error
        except RepositoryNotFoundError as error:
            raise UsageError(unread) from error
        except RevisionNotFoundError as error:
            raise UsageError(f"{repo}: has no tag {tag}") from error
        except HfHubHTTPError as error:
            if error.response.status_code in _NOT_LET:
                raise UsageError(unread) from error
            raise
