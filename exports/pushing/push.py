"""Pushing a release: one commit, one tag, read back before it is called done."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from benchwright.errors import ServerError, UsageError
from exports.locking.lock import Lock, read_lock
from exports.names import CARD, LOCK
from exports.pushing.merging import merged_card
from exports.verifying.files import check_files
from exports.verifying.rows import check_card
from exports.verifying.verify import verify_release

if TYPE_CHECKING:  # it takes a second
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
    from huggingface_hub.errors import HfHubHTTPError

T = TypeVar("T")
_TRIES = 5  # of a commit that another one came before, or that the Hub puts off
_LONGEST_WAIT = 120.0  # seconds that the Hub may ask to wait


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """A release that stands on the Hub; ``is_new`` is false where it stood there already."""

    repo: str
    tag: str
    commit: str
    url: str
    is_new: bool


def push_release(folder: Path, repo: str, *, private: bool, api: "HfApi") -> Pushed:
    """Push a release of a folder to a repository, and compare what the Hub gives back.

    What an earlier push that was cut off has left there is not sent again. A version that stands
    there is not pushed again when it is the same.

    Raises UsageError for a release that does not verify, for a version that stands there with
    other content, and for a token without the right; ServerError where the Hub does not answer or
    gives back something else.
    """
    lock = _verified(folder)
    tag = f"v{lock.version}"
    _told(repo, lambda: api.create_repo(repo, repo_type="dataset", private=private, exist_ok=True))
    standing = _tagged(api, repo, tag)
    if standing is None:
        commit = _committed(api, folder, lock, repo, tag)
        _told(repo, lambda: api.create_tag(repo, tag=tag, revision=commit, repo_type="dataset"))
    else:
        commit = standing
    _read_back(api, lock, repo, tag, is_new=standing is None)
    url = f"{api.endpoint}/datasets/{repo}/tree/{tag}"
    return Pushed(repo=repo, tag=tag, commit=commit, url=url, is_new=standing is None)


def _verified(folder: Path) -> Lock:
    lock = read_lock(folder)
    wrong = [found for found in verify_release(folder) if not found.holds]
    if lock is None or wrong:
        raise UsageError(
            f"{folder}: does not verify ({wrong[0].check}: {wrong[0].faults[0]}); build it again"
        )
    return lock


def _tagged(api: "HfApi", repo: str, tag: str) -> str | None:
    """Return the commit of a tag, null where the repository has not the tag."""
    refs = _told(repo, lambda: api.list_repo_refs(repo, repo_type="dataset"))
    return next((ref.target_commit for ref in refs.tags if ref.name == tag), None)


def _committed(api: "HfApi", folder: Path, lock: Lock, repo: str, tag: str) -> str:
    """Put all files of a release on the main branch in one commit; return its oid."""
    from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415

    for attempt in range(_TRIES):
        head = _told(repo, lambda: api.repo_info(repo, repo_type="dataset")).sha
        adds, deletes = _operations(api, folder, lock, repo, head)
        try:
            made = api.create_commit(
                repo,
                operations=[*adds, *deletes],
                commit_message=f"Release {lock.name} {tag}",
                repo_type="dataset",
                parent_commit=head,
            )
        except HfHubHTTPError as error:
            wait = _wait_after(error, attempt)
            if wait is None or attempt == _TRIES - 1:
                raise _explained(repo, error) from error
            time.sleep(wait)
        except (OSError, RuntimeError) as error:  # a connection that was cut in an upload
            if attempt == _TRIES - 1:
                raise ServerError(
                    f"{repo}: the upload was cut off ({error}); push again, it goes on where it"
                    " stopped"
                ) from error
            time.sleep(2.0**attempt)
        else:
            return made.oid
    raise AssertionError  # the last attempt returns or raises


def _operations(
    api: "HfApi", folder: Path, lock: Lock, repo: str, head: str | None
) -> "tuple[list[CommitOperationAdd], list[CommitOperationDelete]]":
    """Return what makes the branch hold the release and nothing else."""
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete  # noqa: PLC0415

    there = _told(repo, lambda: api.list_repo_files(repo, repo_type="dataset", revision=head))
    theirs = None
    if CARD in there:
        path = api.hf_hub_download(repo, CARD, repo_type="dataset", revision=head)
        theirs = Path(path).read_text("utf-8")
    card = merged_card((folder / CARD).read_text("utf-8"), theirs)
    adds = [CommitOperationAdd(CARD, card.encode())]
    adds += [CommitOperationAdd(name, folder / name) for name in (*lock.files, LOCK)]
    ours = {CARD, LOCK, ".gitattributes", *lock.files}
    return adds, [CommitOperationDelete(name) for name in there if name not in ours]


def _wait_after(error: "HfHubHTTPError", attempt: int) -> float | None:
    """Return the seconds after which a commit may be tried again, null for never."""
    status = error.response.status_code
    if status == 412:  # somebody else's commit came first
        return 0.0
    if status == 429 or status >= 500:
        said = error.response.headers.get("Retry-After", "")
        return min(float(said), _LONGEST_WAIT) if said.isdigit() else 2.0**attempt
    return None


def _read_back(api: "HfApi", lock: Lock, repo: str, tag: str, *, is_new: bool) -> None:
    """Compare what the Hub gives at the tag with what was to be pushed."""
    with tempfile.TemporaryDirectory() as place:
        got = _told(
            repo,
            lambda: api.snapshot_download(repo, repo_type="dataset", revision=tag, local_dir=place),
        )
        theirs = read_lock(Path(got))
        if not is_new and theirs != lock:
            raise UsageError(
                f"{repo}: has {tag} already, with other content; a version never changes: build the"
                " next one and push that"
            )
        findings = [] if theirs is None else [check(Path(got), theirs) for check in _CHECKS]
        fault = next((found.faults[0] for found in findings if not found.holds), None)
        if theirs != lock or fault is not None:
            raise ServerError(
                f"{repo}: what the Hub gives at {tag} is not what was pushed"
                f" ({fault or 'its lock differs'}); do not announce it, and push the next version"
            )


_CHECKS = (check_files, check_card)


def _told(repo: str, ask: Callable[[], T]) -> T:
    """Return what the Hub answers, with its errors as ours."""
    from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415

    try:
        return ask()
    except HfHubHTTPError as error:
        raise _explained(repo, error) from error
    except OSError as error:
        raise ServerError(f"{repo}: the Hub does not answer ({error}); push again") from error


def _explained(repo: str, error: "HfHubHTTPError") -> UsageError | ServerError:
    status = error.response.status_code
    if status in (401, 403, 404):
        return UsageError(
            f"{repo}: this token may not write there ({status}); set HF_TOKEN to one with the role"
            " write, or name another --repo"
        )
    said = " ".join(str(error).split())
    return ServerError(f"{repo}: the Hub refuses ({status}): {said[:200]}; push again")
