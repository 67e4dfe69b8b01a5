"""What a failed call means for the request, and for the server.

again     ask this request again, a few times
throttled the server wants a pause; the request is as good as before
down      nobody answers; wait for the server, the request is as good as before
lost      the node that asked is gone; ask this request again, a few times, from another one
rejected  this request will never be taken
refused   a filter took offence at it
stop      no request will be taken as the voter is set up

Servers tell by a code what their HTTP status leaves open. Where they have none, whole phrases of
theirs count, in the error's own message only: a single word may stand in a prompt that an error
repeats, or on a proxy's page.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx2
import openai

from benchwright.asking.any_json import cleaned, list_of, mapping_of, parsed, text_of
from benchwright.asking.bounded import TooLong
from benchwright.asking.replies import ReplyStatus
from benchwright.plain_text import plain
from benchwright.retry_after import retry_after

FailureKind = Literal["again", "throttled", "down", "lost", "rejected", "refused", "stop"]
_Sign = Literal["key", "account", "filter", "request"]

_SHOWN = 300  # characters of a server's message
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 60.0  # seconds before a request is tried again
_BUSY = 529  # Anthropic's own status, which others took over

_STATUSES: Mapping[int, FailureKind] = {
    401: "stop",
    402: "stop",
    403: "stop",
    404: "stop",
    405: "stop",
    408: "again",
    409: "again",
    425: "again",
    429: "throttled",
    502: "down",
    503: "down",
    _BUSY: "throttled",
}
_CODES: Mapping[str, _Sign] = {
    "invalid_api_key": "key",
    "api_key_invalid": "key",  # Gemini
    "insufficient_quota": "account",
    "billing_hard_limit_reached": "account",
    "billing_not_active": "account",
    "account_deactivated": "account",
    "exceeded_current_quota_error": "account",  # Moonshot
    "insufficient_user_quota": "account",  # gateways
    "arrearage": "account",  # DashScope
    "1110": "account",  # Zhipu: not active, not there, locked, in arrears, irregular, expired
    "1111": "account",
    "1112": "account",
    "1113": "account",
    "1121": "account",
    "1309": "account",
    "content_filter": "filter",
    "content_policy": "filter",
    "content_policy_violation": "filter",
    "responsibleaipolicyviolation": "filter",  # Azure
    "moderation": "filter",
    "moderation_blocked": "filter",
    "data_inspection_failed": "filter",  # DashScope
    "datainspectionfailed": "filter",
    "sensitive_words_detected": "filter",  # gateways
    "1301": "filter",  # Zhipu
}
_PHRASES: Mapping[str, _Sign] = {
    "api key not valid": "key",  # Gemini
    "api key expired": "key",
    "incorrect api key provided": "key",  # OpenAI, xAI
    "credit balance is too low": "account",  # Anthropic
    "rejected as a result of our safety system": "filter",  # OpenAI
    "flagged as potentially violating our usage policy": "filter",
    "your input was flagged for": "filter",  # OpenRouter
    "content violates usage guidelines": "filter",  # xAI
    "image input is not supported": "request",  # llama.cpp, which says 500
    "requires --jinja": "request",  # llama.cpp of tools
    "unsupported param: tools": "request",
    "no endpoints found that support": "request",  # OpenRouter, which says 404
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """``retry_after`` is in seconds, null where the server named none.

    ``is_counted`` tells that the request may be the cause, so that it is not repeated for ever;
    ``may_be_billed`` tells that the server had the request and may have worked on it;
    ``is_of_key`` that a server which takes no request does not take the key, ``is_of_account``
    that its quota or its money is spent.
    """

    kind: FailureKind
    message: str
    http_status: int | None = None
    retry_after: float | None = None
    is_counted: bool = False
    may_be_billed: bool = False
    is_of_key: bool = False
    is_of_account: bool = False

    @property
    def reply_status(self) -> ReplyStatus:
        """The status of the reply that such an attempt becomes."""
        if self.kind == "rejected":
            return "rejected"
        return "refused" if self.kind == "refused" else "failed"


def failure_of(error: Exception, secret: str | None = None) -> Failure | None:
    """Return what an exception of a call means; null for one that is no failure of a server.

    No message holds ``secret`` where that is one (see ``without_secret``); each is one line.
    """
    if isinstance(error, openai.APIStatusError):
        text, headers = error.response.text, error.response.headers
        return failure_of_status(error.status_code, parsed(text) or text, headers, secret)
    if isinstance(error, TimeoutError | openai.APIConnectionError | httpx2.RequestError):
        return _unanswered(error, secret)
    return None


def _unanswered(error: Exception, secret: str | None) -> Failure:
    wrapped = isinstance(error, openai.APIConnectionError)
    cause = (error.__cause__ if wrapped else None) or error
    if isinstance(cause, TooLong):
        return Failure(kind="again", message=str(cause), is_counted=True, may_be_billed=True)
    # a connection that broke may have broken over this very request; one never made did not
    reached = not isinstance(
        cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout
    )
    late = isinstance(cause, TimeoutError | httpx2.TimeoutException | openai.APITimeoutError)
    if late and reached:
        message = "no answer in time"
        return Failure(kind="again", message=message, is_counted=True, may_be_billed=True)
    said = plain(cleaned(f"{type(cause).__name__}: {cause}", secret)).rstrip(": ")[:_SHOWN]
    return Failure(kind="down", message=said, is_counted=reached, may_be_billed=reached)


def failure_of_status(
    status: int,
    body: Any,
    headers: Mapping[str, str] | None = None,
    secret: str | None = None,
) -> Failure:
    """Return what an answer that is no success means; ``body`` is its JSON, else its text."""
    body = cleaned(body, secret)
    if body and isinstance(body, list) and isinstance(body[0], Mapping):  # Gemini
        body = body[0]
    sign = _sign(body)
    pause = _pause(headers or {})
    kind = _kind(status, sign)
    is_own_affair = kind == "again"
    if kind in ("again", "down") and pause is not None:
        kind = "throttled"
    return Failure(
        kind=kind,
        message=plain(f"HTTP {status}: {_said(body) or 'no message'}")[:_SHOWN],
        http_status=status,
        retry_after=pause,
        is_counted=is_own_affair,
        # what answers 502, 503 and 529 had no server, or no room, for the request
        may_be_billed=is_own_affair and status >= 500,
        is_of_key=sign == "key" or (sign is None and status in (401, 403)),
        is_of_account=kind == "stop" and (sign == "account" or (sign is None and status == 402)),
    )


def _kind(status: int, sign: _Sign | None) -> FailureKind:
    if sign == "request":
        return "rejected"
    if sign is not None and status < 500:
        return "refused" if sign == "filter" else "stop"
    return _STATUSES.get(status, "again" if status >= 500 else "rejected")


def _sign(body: Any) -> _Sign | None:
    """Return what the codes of an error say, else what its message says."""
    for code in _codes(body):
        if code in _CODES:
            return _CODES[code]
    said = _said(body).lower() if isinstance(body, Mapping) else ""
    return next((sign for phrase, sign in _PHRASES.items() if phrase in said), None)


def _codes(body: Any) -> Iterator[str]:
    outer = mapping_of(body)
    inner = mapping_of(outer.get("error"))
    details = map(mapping_of, list_of(inner.get("details")))
    for named in (inner, outer, mapping_of(inner.get("innererror")), *details):
        for name in ("code", "type", "reason"):
            code = named.get(name)
            if isinstance(code, str | int):
                yield str(code).lower()


def _pause(headers: Mapping[str, str]) -> float | None:
    milliseconds = retry_after(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    return retry_after(headers.get("retry-after"))


def _said(body: Any) -> str:
    """Return the server's message: that of the body's error, else the body as it is."""
    for name in ("error", "message", "detail"):
        if isinstance(body, Mapping) and name in body:
            body = body[name]
    return text_of(body) or (str(body) if body else "")


def wait_before(tries: int) -> float:
    """Return the seconds to wait before a request that failed so often is tried again."""
    return min(_FIRST_WAIT * float(4 ** min(tries - 1, 10)), _LONGEST_WAIT)
