"""Fetching pictures from the web, politely and with bounds, and a ledger of what came.

An answer is always a row: a dead link, a refusal, a page too large are reasons, never an abort.
Reasons: ``bad_url``, ``http_404`` and its like, ``unreachable``, ``timeout``,
``too_many_redirects``, ``too_large``.
"""

import hashlib
import json
import threading
import time
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import httpx

from benchwright import __version__
from benchwright.retry_after import retry_after

TRANSIENT = frozenset({"unreachable", "timeout", "http_408", "http_425", "http_429"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """Bounds of a fetch: times in seconds, sizes in bytes.

    ``timeout`` is for each wait, ``deadline`` for one whole answer. A failed try is repeated
    ``retries`` times after ``backoff``, twice that, and so on, or what Retry-After says, at most
    ``longest_wait``; a server that wants more is asked again by the next run.
    """

    connections: int = 8
    timeout: float = 20.0
    deadline: float = 120.0
    max_bytes: int = 64 * 2**20
    retries: int = 3
    backoff: float = 1.0
    longest_wait: float = 300.0
    redirects: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a link gave: bytes with their hash, or a reason; ``status`` is null without HTTP."""

    url: str
    status: int | None = None
    data: bytes | None = None
    sha256: str | None = None
    reason: str | None = None
    message: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A line of the ledger. ``sha256`` is of the bytes that came, ``path`` of what was stored.

    ``recipe`` says how a picture was made of the bytes, '' for just reading it; ``orientation``
    is the EXIF orientation that was undone.
    """

    url: str
    status: int | None = None
    sha256: str | None = None
    path: str | None = None
    picture_sha256: str | None = None
    width: int | None = None
    height: int | None = None
    is_animated: bool = False
    orientation: int = 1
    recipe: str = ""
    reason: str | None = None
    message: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether asking again would be of no use."""
        return not is_transient(self.reason)


def is_transient(reason: str | None) -> bool:
    """Return whether a link that failed for this reason may have a picture another time."""
    return reason is not None and (reason in TRANSIENT or reason.startswith("http_5"))


def fetch(urls: Iterable[str], settings: FetchSettings) -> Generator[Answer]:
    """Yield the answer of each link as it comes, several being asked at once.

    One slow server does not hold up the others, so the order is not that of the links.
    Close the generator to stop; what is under way ends within a timeout.
    """
    limits = httpx.Limits(max_connections=settings.connections)
    with (
        httpx.Client(
            timeout=settings.timeout,
            limits=limits,
            follow_redirects=True,
            max_redirects=settings.redirects,
            headers={"User-Agent": f"benchwright/{__version__}", "Accept": "image/*,*/*;q=0.5"},
        ) as client,
        ThreadPoolExecutor(settings.connections) as threads,
    ):
        asker = _Asker(client, settings)
        pending: set[Future[Answer]] = set()
        try:
            for url in urls:
                pending.add(threads.submit(asker.ask, url))
                if len(pending) >= 4 * settings.connections:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            yield from (future.result() for future in as_completed(pending))
        finally:
            asker.stopped.set()
            for future in pending:
                future.cancel()


@dataclass(slots=True)
class _Asker:
    """Asks links from several threads, which share when each host may be asked again."""

    client: httpx.Client
    settings: FetchSettings
    stopped: threading.Event = field(default_factory=threading.Event)
    _resume: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, url: str) -> Answer:
        """Return the last answer of a link that is asked until it is final or tries run out."""
        try:
            parsed = httpx.URL(url)
        except (httpx.InvalidURL, UnicodeError, ValueError) as error:
            return _no_url(url, str(error))
        if parsed.scheme not in ("http", "https") or not parsed.host:
            return _no_url(url, "only http and https links are fetched")
        answer = Answer(url=url, reason="unreachable", message="stopped before it was asked")
        for tried in range(self.settings.retries + 1):
            if not self._wait_for(parsed.host):
                return answer
            answer = self._try(url)
            if not is_transient(answer.reason):
                return answer
            pause = answer.retry_after
            if pause is None:
                self.stopped.wait(
                    self.settings.backoff * 2**tried if tried < self.settings.retries else 0
                )
            elif pause > self.settings.longest_wait:
                return answer
            else:
                with self._lock:
                    until = time.monotonic() + pause
                    self._resume[parsed.host] = max(until, self._resume.get(parsed.host, 0.0))
        return answer

    def _wait_for(self, host: str) -> bool:
        """Wait until the host may be asked; return False when all is stopped."""
        while not self.stopped.is_set():
            pause = self._resume.get(host, 0.0) - time.monotonic()
            if pause <= 0:
                return True
            self.stopped.wait(pause)
        return False

    def _try(self, url: str) -> Answer:
        try:
            return self._read(url)
        except httpx.TooManyRedirects:
            return _failed(
                url, "too_many_redirects", f"more than {self.settings.redirects} redirects"
            )
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            return _no_url(url, str(error))
        except httpx.TimeoutException as error:
            return _failed(url, "timeout", f"no answer in time ({type(error).__name__})")
        except (httpx.HTTPError, OSError) as error:
            return _failed(url, "unreachable", str(error) or type(error).__name__)
        except (UnicodeError, ValueError) as error:
            return _no_url(url, str(error))

    def _read(self, url: str) -> Answer:
        started = time.monotonic()
        with self.client.stream("GET", url) as response:
            status = response.status_code
            if status != 200:
                return Answer(
                    url=url,
                    status=status,
                    reason=f"http_{status}",
                    message=f"the server answered {status} {response.reason_phrase}".rstrip(),
                    retry_after=retry_after(response.headers.get("Retry-After")),
                )
            pieces: list[bytes] = []
            size = 0
            for piece in response.iter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > self.settings.max_bytes:
                    what = f"more than {self.settings.max_bytes} bytes"
                    return Answer(url=url, status=status, reason="too_large", message=what)
                if time.monotonic() - started > self.settings.deadline or self.stopped.is_set():
                    what = f"not whole after {self.settings.deadline:g} seconds"
                    return Answer(url=url, status=status, reason="timeout", message=what)
        data = b"".join(pieces)
        return Answer(url=url, status=status, data=data, sha256=hashlib.sha256(data).hexdigest())


def _no_url(url: str, message: str) -> Answer:
    return _failed(url, "bad_url", message)


def _failed(url: str, reason: str, message: str) -> Answer:
    return Answer(url=url, reason=reason, message=message)


class Ledger:
    """The append-only list of answered links, one JSON object a line; use it as a context."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries: dict[str, Fetched] = {}
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> Self:
        whole = self._load() if self.path.is_file() else True
        self._stream = self.path.open("ab")
        if not whole:  # the half line of a crash must not swallow the next one
            self._stream.write(b"\n")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._stream is not None:
            self._stream.close()

    def _load(self) -> bool:
        data = self.path.read_bytes()
        for line in data.splitlines():
            try:
                entry = Fetched(**json.loads(line))
            except (ValueError, TypeError):
                continue  # a line of a crash; its link is asked again
            self._entries[entry.url] = entry
        return not data or data.endswith(b"\n")

    def final(self) -> dict[str, Fetched]:
        """Return the links with an answer that asking again would not change."""
        return {url: entry for url, entry in self._entries.items() if entry.is_final}

    def add(self, entry: Fetched) -> None:
        """Append an answer; it is in the file when this returns."""
        if self._stream is None:
            raise ValueError("the ledger is not open")
        line = json.dumps(asdict(entry), ensure_ascii=True, sort_keys=True)
        self._stream.write(f"{line}\n".encode())
        self._stream.flush()
        self._entries[entry.url] = entry
