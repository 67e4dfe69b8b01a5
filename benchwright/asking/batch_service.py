"""The Batch API of one server: files and batches, each call repeated until the server answers."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
import openai

from benchwright.asking.any_json import cleaned, list_of, mapping_of, parsed, text_of
from benchwright.asking.batch_ledger import Batch
from benchwright.asking.client import key_from_environment, remedy_of
from benchwright.asking.failures import Failure, failure_of, wait_before
from benchwright.asking.limiter import Limiter, Slot
from benchwright.asking.sending import server_of, timeout_of
from benchwright.asking.voters import Voter
from benchwright.errors import ServerError
from benchwright.plain_text import excerpt

T = TypeVar("T")

MARK = "benchwright"  # the field of a batch's metadata that holds its name
_UPLOAD = 600.0  # seconds at least that a server may take over a large file
_PAGE = 100  # batches on a page of the list
_NAMED = 3  # of many errors
_NO_API = "ask without batches, or mend base_url in the voters' file"


class MissingAtServer(Exception):
    """The server knows no such file or batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a server says of a batch; ``status`` is its own word, ``files`` hold the answers.

    ``error`` is why it ran nothing, on one line; ``is_for_lack_of_room`` that it would, had it
    fewer batches waiting.
    """

    status: str
    files: tuple[str, ...] = ()
    error: str | None = None
    is_for_lack_of_room: bool = False


class BatchService:
    """Speaks to one voter's server; use it as an asynchronous context.

    Every call waits for the server as the limiter does. Raises ServerError where the server is
    gone for too long or does not take what it is given; no error holds the key.
    """

    def __init__(self, voter: Voter, limiter: Limiter | None = None) -> None:
        """Raise UsageError when the environment does not hold the voter's key."""
        self._voter = voter
        self.secret = key_from_environment(voter)
        self._server = server_of(voter, self.secret)
        self._limiter = limiter or Limiter(voter)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._server.close()

    async def upload(self, batch: Batch, path: Path) -> str:
        """Bring the file of a batch to the server and return its id there."""
        timeout = timeout_of(self._voter, max(self._voter.timeout, _UPLOAD))

        async def make() -> str:
            with path.open("rb") as stream:
                response = await self._server.files.with_raw_response.create(
                    file=(_file_name(batch), stream, "application/jsonl"),
                    purpose="batch",
                    timeout=timeout,
                )
            return self._id(response.text, "upload")

        async def find() -> str | None:
            return next(iter(await self._files(batch)), None)

        return await self._once("upload of a batch", make, find)

    async def create(self, batch: Batch, file_id: str) -> str:
        """Create a batch from its file and return its id; never twice from one file."""

        async def make() -> str:
            response = await self._server.batches.with_raw_response.create(
                input_file_id=file_id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata={MARK: batch.name, "requests": str(batch.requests)},
            )
            return self._id(response.text, "batch")

        async def find() -> str | None:
            return await self._found(batch, file_id)

        return await self._once("batch", make, find)

    async def find(self, batch: Batch) -> str | None:
        """Return the id of a batch that may have been created from its file, null if it was not."""
        return await self._call("list of batches", lambda: self._found(batch, batch.file_id))

    async def discard_files(self, batch: Batch) -> None:
        """Delete what there is at the server of the file of a batch."""
        known = [] if batch.file_id is None else [batch.file_id]
        for file_id in known or await self._call("list of files", lambda: self._files(batch)):
            await self.discard(file_id)

    async def discard(self, file_id: str) -> None:
        """Delete a file at the server; one that is gone is fine."""

        async def delete() -> None:
            try:
                await self._server.files.with_raw_response.delete(file_id)
            except openai.NotFoundError:
                return

        await self._call("deletion of a file", delete)

    async def look(self, batch_id: str) -> Look:
        """Return how a batch stands; raise MissingAtServer when the server knows none such."""

        async def get() -> Look | None:
            try:
                response = await self._server.batches.with_raw_response.retrieve(batch_id)
            except openai.NotFoundError:
                return None
            return _look(mapping_of(cleaned(parsed(response.text), self.secret)))

        look = await self._call("look at a batch", get)
        if look is None:
            raise MissingAtServer(batch_id)
        return look

    async def lines(self, file_id: str) -> AsyncGenerator[str, None]:
        """Yield the lines of a file as they come, each once however often the connection breaks.

        They are what the server sent: ``secret`` may be in them.

        Raises MissingAtServer when the server has no such file.
        """
        seen = tries = 0
        while True:
            number = 0
            async with self._limiter.slot() as slot:
                try:
                    async with aclosing(self._stream(file_id)) as stream:
                        async for line in stream:
                            number += 1
                            if number > seen:
                                seen = number
                                yield line.decode("utf-8", "replace")
                    self._limiter.answered(slot, 0)
                    return
                except openai.NotFoundError as error:
                    raise MissingAtServer(file_id) from error
                except (openai.OpenAIError, httpx2.RequestError) as error:
                    failure = self._failure(error)
                    self._report(slot, failure, "download of answers")
            tries = await _waited(failure, tries)

    async def _stream(self, file_id: str) -> AsyncGenerator[bytes, None]:
        files = self._server.files.with_streaming_response
        async with files.content(file_id) as response:
            rest = b""
            async for piece in response.iter_bytes():
                # by the one byte alone: a text may hold what Unicode counts as a line's end
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    yield line
            if rest:
                yield rest

    async def _found(self, batch: Batch, file_id: str | None) -> str | None:
        """Return the id of the batch at the server; one that failed its validation is none."""
        pages = self._pages(self._server.batches.with_raw_response.list, limit=_PAGE)
        async with aclosing(pages) as entries:
            async for said in entries:
                ours = mapping_of(said.get("metadata")).get(MARK) == batch.name
                from_file = file_id is not None and said.get("input_file_id") == file_id
                found = text_of(said.get("id"))
                if (ours or from_file) and said.get("status") != "failed" and found:
                    return found
        return None

    async def _files(self, batch: Batch) -> list[str]:
        """Return the ids of the files of a batch."""
        pages = self._pages(self._server.files.with_raw_response.list, purpose="batch")
        name = _file_name(batch)
        async with aclosing(pages) as entries:
            return [
                said["id"]
                async for said in entries
                if said.get("filename") == name and text_of(said.get("id"))
            ]

    async def _pages(
        self, fetch: Callable[..., Awaitable[Any]], **asked: Any
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        after: Any = openai.omit
        while True:
            response = await fetch(after=after, **asked)
            said = mapping_of(parsed(response.text))
            if not isinstance(said.get("data"), list):  # not the same as an empty list
                raise self._error(f"answered no list ({self._shown(response.text)}); {_NO_API}")
            entries = [each for each in said["data"] if isinstance(each, Mapping)]
            for each in entries:
                yield each
            last = text_of(entries[-1].get("id")) if entries else None
            if said.get("has_more") is not True or last is None or last == after:
                return
            after = last

    async def _once(
        self,
        what: str,
        make: Callable[[], Awaitable[str]],
        find: Callable[[], Awaitable[str | None]],
    ) -> str:
        """Make something at the server: after a try whose fate is unknown, look before another."""
        tried = False

        async def attempt() -> str:
            nonlocal tried
            found = await find() if tried else None
            tried = True
            return found or await make()

        return await self._call(what, attempt)

    async def _call(self, what: str, call: Callable[[], Awaitable[T]]) -> T:
        tries = 0
        while True:
            async with self._limiter.slot() as slot:
                try:
                    answer = await call()
                except (openai.OpenAIError, httpx2.RequestError) as error:
                    failure = self._failure(error)
                    self._report(slot, failure, what)
                else:
                    self._limiter.answered(slot, 0)
                    return answer
            tries = await _waited(failure, tries)

    def _report(self, slot: Slot, failure: Failure, what: str) -> None:
        """Tell the limiter how it went; raise ServerError where it cannot go well."""
        if self._limiter.failed(slot, failure):
            return
        remedy = remedy_of(failure, self._voter)
        if failure.http_status in (404, 405):
            remedy = _NO_API
        elif failure.kind != "stop":
            remedy = "what was answered is kept: mend that and run it again"
        raise self._error(f"does not take the {what} ({excerpt(failure.message)}); {remedy}")

    def _failure(self, error: Exception) -> Failure:
        failure = failure_of(error, self.secret)
        if failure is None:
            raise error
        return failure

    def _id(self, text: str, what: str) -> str:
        found = text_of(mapping_of(parsed(text)).get("id"))
        if found is None:
            raise self._error(f"answered no id of the {what} ({self._shown(text)}); {_NO_API}")
        return found

    def _shown(self, text: str) -> str:
        return excerpt(cleaned(text, self.secret)) or "nothing"

    def _error(self, what: str) -> ServerError:
        return ServerError(f"voter {self._voter.name}: {self._voter.base_url} {what}")


def _look(said: Mapping[str, Any]) -> Look:
    errors = [mapping_of(each) for each in list_of(mapping_of(said.get("errors")).get("data"))]
    shown = [_shown(each) for each in errors[:_NAMED]]
    if len(errors) > _NAMED:
        shown.append(f"{len(errors) - _NAMED:,} more")
    files = (text_of(said.get(f"{kind}_file_id")) for kind in ("output", "error"))
    return Look(
        status=text_of(said.get("status")) or "unknown",
        files=tuple(file_id for file_id in files if file_id is not None),
        error="; ".join(shown) or None,
        is_for_lack_of_room=any(each.get("code") == "token_limit_exceeded" for each in errors),
    )


def _shown(error: Mapping[str, Any]) -> str:
    said = excerpt(str(error.get("message") or error.get("code") or "no message"))
    line = error.get("line")
    return f"line {line}: {said}" if isinstance(line, int) else said


async def _waited(failure: Failure, tries: int) -> int:
    """Wait before a call is repeated, and return how often one failed by itself.

    Where the server wants a pause, or nobody answers, the limiter sees to it.
    """
    if failure.kind != "again":
        return tries
    await asyncio.sleep(wait_before(tries + 1))
    return tries + 1


def _file_name(batch: Batch) -> str:
    return f"{MARK}-{batch.name}.jsonl"
