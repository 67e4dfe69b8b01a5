"""What a failed call means for the request, and for the server.

again     ask this request again, a few times
throttled the server wants a pause; the request is as good as before
down      nobody answers; wait for the server, the request is as good as before
rejected  this request will never be taken
refused   a filter took offence at it
stop      no request will be taken as the voter is set up
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import openai

from benchwright.asking.replies import ReplyStatus
from benchwright.retry_after import retry_after

FailureKind = Literal["again", "throttled", "down", "rejected", "refused", "stop"]

_SHOWN = 300  # characters of a server's message
_FILTERS = ("content_filter", "content_policy", "moderation", "flagged", "safety")
_QUOTA = ("insufficient_quota", "billing_hard_limit", "quota_exceeded")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """``retry_after`` is in seconds, null where the server named none.

    ``is_counted`` tells that the request may be the cause, so that it is not repeated for ever;
    ``may_be_billed`` tells that the server had the request and may have worked on it.
    """

    kind: FailureKind
    message: str
    http_status: int | None = None
    retry_after: float | None = None
    is_counted: bool = False
    may_be_billed: bool = False

    @property
    def reply_status(self) -> ReplyStatus:
        """The status of the reply that such an attempt becomes."""
        if self.kind == "rejected":
            return "rejected"
        return "refused" if self.kind == "refused" else "failed"


def failure_of(error: Exception) -> Failure | None:
    """Return what an exception of a call means; null for one that is no failure of a server."""
    if isinstance(error, openai.APIStatusError):
        response = error.response
        return failure_of_status(error.status_code, error.body, response.headers, response.text)
    if isinstance(error, TimeoutError | openai.APITimeoutError):
        message = "no answer in time"
        return Failure(kind="again", message=message, is_counted=True, may_be_billed=True)
    if isinstance(error, openai.APIConnectionError):
        cause = error.__cause__ or error
        said = f"{type(cause).__name__}: {cause}".rstrip(": ")
        # a connection that broke may have broken over this very request; one never made did not
        broke = type(cause).__name__ not in ("ConnectError", "ConnectTimeout")
        return Failure(kind="down", message=said[:_SHOWN], is_counted=broke, may_be_billed=broke)
    return None


def failure_of_status(
    status: int, body: Any, headers: Mapping[str, str] | None = None, text: str = ""
) -> Failure:
    """Return what an answer that is no success means; ``text`` speaks where the body does not."""
    inner = body["error"] if isinstance(body, Mapping) and "error" in body else body
    named = inner if isinstance(inner, Mapping) else {}
    said = _said(inner, text)
    message = f"HTTP {status}: {said}"[:_SHOWN]
    pause = _pause(headers or {})
    words = f"{named.get('code') or ''} {named.get('type') or ''} {said}"
    kind = _kind(status, words.lower(), pause)
    return Failure(
        kind=kind,
        message=message,
        http_status=status,
        retry_after=pause,
        is_counted=kind == "again",
        may_be_billed=status >= 500,
    )


def _kind(status: int, said: str, pause: float | None) -> FailureKind:
    if status in (400, 403, 422) and any(word in said for word in _FILTERS):
        return "refused"
    if status == 429:
        return "stop" if any(word in said for word in _QUOTA) else "throttled"
    if status in (401, 402, 403, 404, 405):
        return "stop"
    if status in (408, 409, 425):
        return "again"
    if status in (502, 503):
        return "down" if pause is None else "throttled"
    return "again" if status >= 500 else "rejected"


def _pause(headers: Mapping[str, str]) -> float | None:
    milliseconds = retry_after(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    return retry_after(headers.get("retry-after"))


def _said(body: Any, text: str) -> str:
    """Return the server's message on one line: of the body's error, else the body as it is."""
    for name in ("error", "message", "detail"):
        if isinstance(body, Mapping) and name in body:
            body = body[name]
    return " ".join((body if isinstance(body, str) else str(body or text)).split()) or "no message"
