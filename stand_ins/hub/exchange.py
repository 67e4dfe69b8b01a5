"""What comes to a Hub and what goes back; nothing here knows of sockets."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request: ``query`` has the first value of each name, ``path`` its escapes."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @classmethod
    def of(
        cls, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> "Asked":
        """Return a request as it came."""
        values = {name: some[0] for name, some in parse_qs(query).items()}
        return cls(method=method, path=path, query=values, headers=headers, body=body)

    @property
    def token(self) -> str:
        """The token that came along, empty where none did."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")

    def json(self) -> Any:
        """Return the JSON of the body."""
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent; ``headers`` beside the content's length."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Any, status: int = 200) -> "Answer":
        """Return an answer that says this as JSON."""
        headers = {"content-type": "application/json"}
        return cls(status=status, body=json.dumps(said).encode(), headers=headers)


class Refusal(Exception):
    """Ends the handling of a request with an answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def refusal(status: int, said: str) -> Refusal:
    """Return a refusal that says why."""
    return Refusal(Answer.of({"error": said}, status))


def missing(code: str) -> Refusal:
    """Return the refusal of what is not there: RepoNotFound, RevisionNotFound, EntryNotFound."""
    headers = {"X-Error-Code": code, "X-Error-Message": f"{code} in the stand-in"}
    return Refusal(Answer(status=404, body=b"{}", headers=headers))
