"""Asking the Hub: what passes is waited for, the rest is said in one line."""

import sys
import time
from collections.abc import Callable
from typing import TypeVar

import httpx
import httpx2
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
from huggingface_hub.utils.tqdm import disable_progress_bars

from benchwright.errors import ServerError, UsageError
from benchwright.plain_text import excerpt

T = TypeVar("T")
_TRIES = 5
_LONGEST_WAIT = 120.0  # seconds, whatever the Hub asks for

# what the HTTP library of huggingface_hub raises is another with each of its major versions
_CUT = (httpx.HTTPError, httpx2.HTTPError, ConnectionError, TimeoutError)
_WRAPPED = (RuntimeError, LocalEntryNotFoundError)  # what stands over that in an up- or download


def quiet_unless_watched() -> None:
    """Turn the bars of huggingface_hub off where nobody looks at a terminal."""
    if not sys.stderr.isatty():
        disable_progress_bars()


def answered(repo: str, ask: Callable[[], T]) -> T:
    """Return what the Hub answers; ``ask`` may be called again and does then what is left to do.

    Raises UsageError for a name or a token that will not do, ServerError where the Hub does not
    answer after some tries.
    """
    for attempt in range(_TRIES):
        try:
            return ask()
        except HFValidationError as error:
            raise UsageError(f"{excerpt(repo)}: is no name of a dataset (USER/NAME)") from error
        except (*_CUT, *_WRAPPED) as error:
            cause = error.__cause__ if isinstance(error, _WRAPPED) else error
            if not isinstance(cause, _CUT):
                raise
            wait = _wait_after(cause, attempt)
            if wait is None or attempt == _TRIES - 1:
                raise _explained(repo, cause) from error
        time.sleep(wait)
    raise AssertionError  # the last attempt returns or raises


def _wait_after(error: Exception, attempt: int) -> float | None:
    """Return the seconds after which to ask again, null for never."""
    if not isinstance(error, HfHubHTTPError):  # the connection was cut, or there is none
        return 2.0**attempt
    status = error.response.status_code
    if status == 412:  # somebody else's commit came first
        return 0.0
    if status == 429 or status >= 500:
        said = error.response.headers.get("Retry-After", "")
        return min(float(said), _LONGEST_WAIT) if said.isdecimal() else 2.0**attempt
    return None


def _explained(repo: str, error: Exception) -> UsageError | ServerError:
    said = excerpt(" ".join(str(error).split()))
    if not isinstance(error, HfHubHTTPError):
        return ServerError(
            f"{repo}: the Hub does not answer ({said}); run it again, what is there is not sent"
            " again"
        )
    status = error.response.status_code
    if status in (401, 403, 404):
        if "authorization" not in error.response.request.headers:
            return UsageError(
                f"{repo}: no token: set HF_TOKEN to one with the role write, or run hf auth login"
            )
        return UsageError(
            f"{repo}: this token may not do that there ({status}); set HF_TOKEN to one with the"
            " role write, or name another --repo"
        )
    if status == 412:
        return ServerError(f"{repo}: others commit there all the time (412); run it again later")
    return ServerError(f"{repo}: the Hub refuses ({status}: {said}); run it again")
