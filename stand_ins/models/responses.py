"""What the server sends; errors have the form that OpenAI gives them."""

import json
from dataclasses import dataclass
from typing import Any, Literal, Self

Cut = Literal["reset", "reset_in_body"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What is sent after ``seconds``; with ``cut`` the connection is reset instead."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    cut: Cut | None = None

    @classmethod
    def of(cls, said: Any) -> Self:
        """Return a response that says this as JSON."""
        return cls(status=200, body=json.dumps(said).encode())


class Refused(Exception):
    """An HTTP error; ``code`` and ``param`` are those of OpenAI's errors."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        param: str | None = None,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param
        self.headers = headers

    def error(self) -> dict[str, Any]:
        """Return the object that stands under ``error``."""
        kind = "invalid_request_error" if self.status < 429 else "server_error"
        if self.status == 429:
            kind = self.code or "rate_limit_error"
        return {"message": str(self), "type": kind, "param": self.param, "code": self.code}

    def response(self, seconds: float = 0.0) -> Response:
        """Return the response that says so."""
        body = json.dumps({"error": self.error()}).encode()
        return Response(status=self.status, body=body, headers=self.headers, seconds=seconds)
