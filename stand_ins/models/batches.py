"""The Batch API: files of requests that are answered later, in any order, errors apart."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright import seeds
from stand_ins.models.files import Files, upload_of
from stand_ins.models.request import parsed
from stand_ins.models.responses import Refused, Response
from stand_ins.models.script import BatchRules

CHAT = "/v1/chat/completions"
_OPEN = ("validating", "in_progress")
_BY_STATUS = {"expired": "batch_expired", "cancelled": "batch_cancelled"}

Query = Mapping[str, Sequence[str]]


@dataclass(slots=True, kw_only=True)
class _Batch:
    id: str
    input_file_id: str
    metadata: Any
    status: str = "validating"
    looks: int = 0
    total: int = 0
    completed: int = 0
    failed: int = 0
    output_file_id: str | None = None
    error_file_id: str | None = None
    faults: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": CHAT,
            "completion_window": "24h",
            "created_at": 0,
            "input_file_id": self.input_file_id,
            "metadata": self.metadata,
            "status": self.status,
            "output_file_id": self.output_file_id,
            "error_file_id": self.error_file_id,
            "errors": {"object": "list", "data": self.faults} if self.faults else None,
            "request_counts": {
                "total": self.total,
                "completed": self.completed,
                "failed": self.failed,
            },
        }


class Batches:
    """Files and batches of one server; each line is asked of ``ask`` like a chat request."""

    def __init__(
        self, rules: BatchRules, seed: int, ask: Callable[[Mapping[str, Any]], Response]
    ) -> None:
        self._rules = rules
        self._seed = seed
        self._ask = ask
        self._files = Files()
        self._batches: dict[str, _Batch] = {}

    def respond(
        self, method: str, path: str, body: bytes, content_type: str, query: Query
    ) -> Response:
        """Answer a request under /v1/files or /v1/batches; raises Refused (404) for others."""
        match path.split("/")[1:]:
            case ["v1", "files", *rest]:
                found = self._file_response(method, rest, body, content_type, query)
            case ["v1", "batches", *rest]:
                found = self._batch_response(method, rest, body, query)
            case _:
                found = None
        if found is None:
            raise Refused(404, f"there is no {method} {path}")
        return found

    def _file_response(
        self, method: str, rest: list[str], body: bytes, content_type: str, query: Query
    ) -> Response | None:
        match (method, rest):
            case ("POST", []):
                return Response.of(self._upload(body, content_type))
            case ("GET", []):
                return _listed([file.as_json() for file in self._files.all()], query)
            case ("GET", [file_id]):
                return Response.of(self._files.get(file_id).as_json())
            case ("GET", [file_id, "content"]):
                return Response(status=200, body=self._files.get(file_id).data)
            case ("DELETE", [file_id]):
                self._files.remove(file_id)
                return Response.of({"id": file_id, "object": "file", "deleted": True})
        return None

    def _batch_response(
        self, method: str, rest: list[str], body: bytes, query: Query
    ) -> Response | None:
        match (method, rest):
            case ("POST", []):
                return Response.of(self._create(parsed(body)).as_json())
            case ("GET", []):
                newest = [batch.as_json() for batch in reversed(self._batches.values())]
                return _listed(newest, query)
            case ("GET", [batch_id]):
                return Response.of(self._look(self._get(batch_id)).as_json())
            case ("POST", [batch_id, "cancel"]):
                return Response.of(self._cancel(self._get(batch_id)).as_json())
        return None

    def _upload(self, body: bytes, content_type: str) -> dict[str, Any]:
        data, name, purpose = upload_of(body, content_type)
        if len(data) > self._rules.max_bytes:
            message = f"the file has {len(data)} bytes; at most {self._rules.max_bytes}"
            raise Refused(413, message, param="file")
        return self._files.add(data, name, purpose).as_json()

    def _create(self, said: Mapping[str, Any]) -> _Batch:
        file = self._files.get(said.get("input_file_id"))
        if said.get("endpoint") != CHAT:
            raise Refused(400, f"only batches of {CHAT} are taken", param="endpoint")
        if said.get("completion_window") != "24h":
            raise Refused(400, "the completion window is 24h", param="completion_window")
        if file.purpose != "batch":
            raise Refused(400, f"the file is for {file.purpose!r}, not for batch")
        number = len(self._batches) + 1
        batch = _Batch(id=f"batch-{number}", input_file_id=file.id, metadata=said.get("metadata"))
        self._batches[batch.id] = batch
        return batch

    def _get(self, batch_id: str) -> _Batch:
        if batch_id not in self._batches:
            raise Refused(404, f"no such batch: {batch_id!r}", param="id")
        return self._batches[batch_id]

    def _cancel(self, batch: _Batch) -> _Batch:
        if batch.status not in _OPEN:
            raise Refused(400, f"a batch that is {batch.status} cannot be cancelled")
        batch.status = "cancelling"
        return batch

    def _look(self, batch: _Batch) -> _Batch:
        """Return the batch after one more step of its way."""
        batch.looks += 1
        if batch.status == "cancelling":
            self._run(batch, "cancelled")
        elif batch.status in _OPEN:
            batch.status = "in_progress"
            if batch.looks >= self._rules.polls:
                self._run(batch, self._rules.outcome)
        return batch

    def _run(self, batch: _Batch, end: str) -> None:
        """Answer all lines, or half of them where the end comes too early."""
        lines, batch.faults = self._lines(self._files.get(batch.input_file_id).data)
        if end == "failed" and not batch.faults:
            batch.faults = [_fault(None, "invalid_request", "the batch was not accepted")]
        if batch.faults:
            batch.status = "failed"
            return
        ids = seeds.shuffled(list(lines), self._seed, "stand-in batch", batch.id)
        done = set(ids if end == "completed" else ids[: len(ids) // 2])
        good, bad = [], []
        answers = {one: self._answer(body) for one, body in lines.items() if one in done}
        for custom_id in ids:
            if custom_id not in answers:
                error = {"code": _BY_STATUS[end], "message": "this request was not answered"}
                bad.append(_line(custom_id, None, error))
            elif answers[custom_id]["status_code"] == 200:
                good.append(_line(custom_id, answers[custom_id], None))
            else:
                bad.append(_line(custom_id, answers[custom_id], None))
        batch.status, batch.total = end, len(ids)
        batch.completed, batch.failed = len(good), len(bad)
        batch.output_file_id = self._written(good, f"{batch.id}_output.jsonl")
        batch.error_file_id = self._written(bad, f"{batch.id}_error.jsonl")

    def _lines(self, data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the bodies by custom id, and what is wrong with the file."""
        bodies: dict[str, Any] = {}
        faults = []
        lines = [line for line in data.split(b"\n") if line.strip()]
        if not lines or len(lines) > self._rules.max_lines:
            message = f"{len(lines)} lines; wanted 1 to {self._rules.max_lines}"
            return {}, [_fault(None, "invalid_file", message)]
        for number, line in enumerate(lines, start=1):
            try:
                custom_id, body = _request(parsed(line))
            except Refused as refusal:
                faults.append(_fault(number, "invalid_line", str(refusal)))
                continue
            if custom_id in bodies:
                faults.append(_fault(number, "duplicate_custom_id", f"{custom_id!r} came before"))
            bodies[custom_id] = body
        return bodies, faults

    def _answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        response = self._ask(body)
        try:
            said = json.loads(response.body)
        except ValueError:
            said = None
        if response.cut or said is None:
            failure = Refused(500, "the server failed").response()
            response, said = failure, json.loads(failure.body)
        return {"status_code": response.status, "request_id": "", "body": said}

    def _written(self, lines: list[str], name: str) -> str | None:
        if not lines:
            return None
        return self._files.add("".join(lines).encode(), name, "batch_output").id


def _request(said: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    custom_id, body = said.get("custom_id"), said.get("body")
    if not isinstance(custom_id, str) or not custom_id:
        raise Refused(400, "custom_id is missing")
    if said.get("method") != "POST" or said.get("url") != CHAT:
        raise Refused(400, f"wanted POST and {CHAT}")
    if not isinstance(body, dict):
        raise Refused(400, "body is no JSON object")
    return custom_id, body


def _line(custom_id: str, response: Any, error: Any) -> str:
    said = {"id": f"line-{custom_id}", "custom_id": custom_id, "response": response, "error": error}
    return json.dumps(said) + "\n"


def _fault(line: int | None, code: str, message: str) -> dict[str, Any]:
    return {"code": code, "line": line, "message": message, "param": None}


def _listed(rows: list[dict[str, Any]], query: Query) -> Response:
    """Return one page of a list: after the id ``after``, at most ``limit``."""
    ids = [row["id"] for row in rows]
    after = query.get("after", [""])[0]
    start = ids.index(after) + 1 if after in ids else 0
    limit = query.get("limit", ["20"])[0]
    page = rows[start : start + (int(limit) if limit.isdecimal() else 20)]
    return Response.of(
        {
            "object": "list",
            "data": page,
            "has_more": start + len(page) < len(rows),
            "first_id": page[0]["id"] if page else None,
            "last_id": page[-1]["id"] if page else None,
        }
    )
