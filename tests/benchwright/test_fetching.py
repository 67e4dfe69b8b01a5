"""Fetching from a real server on this machine: bounds, retries, and the ledger."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from benchwright.fetching import Answer, Fetched, FetchSettings, Ledger, fetch

FAST = FetchSettings(timeout=1.0, deadline=2.0, backoff=0.01, retries=2, max_bytes=10_000)


class Server:
    """Answers each path by a function of the handler and of how often it was asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.answers: dict[str, Callable[[BaseHTTPRequestHandler, int], None]] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with server._lock:
                    server.asked[self.path] += 1
                    number = server.asked[self.path]
                with suppress(BrokenPipeError, ConnectionResetError):
                    server.answers.get(self.path, status(404))(self, number)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def body(data: bytes, pause: float = 0.0) -> Callable[[BaseHTTPRequestHandler, int], None]:
    def answer(handler: BaseHTTPRequestHandler, _number: int) -> None:
        time.sleep(pause)
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def status(code: int, **headers: str) -> Callable[[BaseHTTPRequestHandler, int], None]:
    def answer(handler: BaseHTTPRequestHandler, _number: int) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def at_last(
    first: Callable[[BaseHTTPRequestHandler, int], None], times: int
) -> Callable[[BaseHTTPRequestHandler, int], None]:
    """Answer so a few times, and then well."""
    return lambda handler, number: (first if number <= times else body(b"ok"))(handler, number)


def hang_up(handler: BaseHTTPRequestHandler, _number: int) -> None:
    handler.close_connection = True
    handler.connection.close()


def cut_off(handler: BaseHTTPRequestHandler, _number: int) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b"half")
    handler.close_connection = True


def drip(handler: BaseHTTPRequestHandler, _number: int) -> None:
    """Never idle long enough for a timeout, and never done."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b".")
        handler.wfile.flush()
        time.sleep(0.05)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "*")
    running = Server()
    yield running
    running.close()


def ask(server: Server, path: str, settings: FetchSettings = FAST) -> Answer:
    (answer,) = fetch([server.url(path)], settings)
    return answer


@pytest.mark.parametrize(
    ("answers", "reason", "code", "times"),
    [
        (body(b"ok"), None, 200, 1),
        (status(403), "http_403", 403, 1),  # final: asked once
        (status(404), "http_404", 404, 1),
        (status(410), "http_410", 410, 1),
        (status(204), "http_204", 204, 1),  # no picture either
        (status(503), "http_503", 503, 3),  # tried again, and given up
        (status(429), "http_429", 429, 3),
        (at_last(status(503), 2), None, 200, 3),
        (at_last(status(429, Retry_After="0"), 1), None, 200, 2),
        (at_last(hang_up, 1), None, 200, 2),
        (at_last(cut_off, 1), None, 200, 2),
        (cut_off, "unreachable", None, 3),
        (body(b"x" * 10_001), "too_large", 200, 1),
        (body(b"late", pause=1.5), "timeout", None, 2),
        (status(302, Location="/round"), "too_many_redirects", None, None),
        (status(302, Location="file:///etc/passwd"), "bad_url", None, 1),
        (status(302, Location="ftp://127.0.0.1/x"), "bad_url", None, 1),
    ],
)
def test_each_answer(
    server: Server,
    answers: Callable[[BaseHTTPRequestHandler, int], None],
    reason: str | None,
    code: int | None,
    times: int | None,
) -> None:
    server.answers["/round"] = answers
    settings = replace(FAST, retries=1, timeout=0.3) if reason == "timeout" else FAST
    answer = ask(server, "/round", settings)
    assert (answer.reason, answer.status) == (reason, code)
    assert (answer.data is None) == (reason is not None)
    assert times is None or server.asked["/round"] == times
    assert reason is None or answer.message


def test_a_redirect_is_followed(server: Server) -> None:
    server.answers["/a"] = status(301, Location="/b")
    server.answers["/b"] = body(b"there")
    assert ask(server, "/a").data == b"there"


def test_a_body_that_never_ends_is_given_up(server: Server) -> None:
    server.answers["/drip"] = drip
    answer = ask(server, "/drip", replace(FAST, deadline=0.2, retries=0))
    assert (answer.reason, answer.data) == ("timeout", None)


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://host/a.jpg",
        "javascript:alert(1)",
        "http://",
        "http://[::1",
        "http://host:port/",
        "https://" + "a" * 300 + ".example/",
        "",
        "just words",
    ],
)
def test_only_http_links_are_asked(url: str) -> None:
    (answer,) = fetch([url], replace(FAST, retries=0))
    assert answer.reason in {"bad_url", "unreachable"}
    assert answer.url == url


def test_nobody_there() -> None:
    (answer,) = fetch(["http://127.0.0.1:9/a.jpg"], replace(FAST, retries=1))
    assert answer.reason == "unreachable"


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_honoured_for_the_whole_host(server: Server, form: str) -> None:
    """A date has whole seconds, so two ahead is at least one to wait."""
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    header = {"seconds": "0.6", "date": until}[form]
    server.answers["/a"] = at_last(status(429, Retry_After=header), 1)
    server.answers["/b"] = body(b"ok")
    started = time.monotonic()
    one, other = fetch([server.url("/a"), server.url("/b")], replace(FAST, connections=1))
    assert (one.data, other.data) == (b"ok", b"ok")
    assert time.monotonic() - started > 0.5


def test_a_server_that_wants_hours_is_left_for_the_next_run(server: Server) -> None:
    server.answers["/a"] = status(503, Retry_After="7200")
    started = time.monotonic()
    assert ask(server, "/a").reason == "http_503"
    assert server.asked["/a"] == 1
    assert time.monotonic() - started < 1


def test_a_slow_server_holds_up_nobody(server: Server) -> None:
    server.answers["/slow"] = body(b"slow", pause=0.5)
    for number in range(30):
        server.answers[f"/{number}"] = body(b"quick")
    urls = [server.url("/slow"), *(server.url(f"/{number}") for number in range(30))]
    answers = [answer.data for answer in fetch(urls, replace(FAST, connections=2))]
    assert answers == [b"quick"] * 30 + [b"slow"]


def test_few_are_asked_at_once(server: Server) -> None:
    lock, now, seen = threading.Lock(), [0], []

    def answer(handler: BaseHTTPRequestHandler, number: int) -> None:
        with lock:
            now[0] += 1
            seen.append(now[0])
        time.sleep(0.02)
        with lock:  # before the answer ends: the next may be asked for as soon as it has
            now[0] -= 1
        body(b"picture")(handler, number)

    for number in range(30):
        server.answers[f"/{number}"] = answer
    answers = fetch([server.url(f"/{n}") for n in range(30)], replace(FAST, connections=4))
    assert [one.data for one in answers] == [b"picture"] * 30
    assert 2 <= max(seen) <= 4


def test_stopping_early_asks_no_more(server: Server) -> None:
    server.answers["/wait"] = status(429, Retry_After="100")
    server.answers["/first"] = body(b"ok")
    urls = [server.url("/first"), *[server.url("/wait")] * 50]
    started = time.monotonic()
    with closing(fetch(urls, replace(FAST, connections=2))) as answers:
        assert next(answers).data == b"ok"
    assert time.monotonic() - started < 5
    assert server.asked["/wait"] < 50


def test_the_ledger_keeps_what_is_final(tmp_path: Path) -> None:
    path = tmp_path / "fetched.jsonl"
    done = Fetched(url="http://a/é\u2028", status=200, sha256="00", path="00/00.jpg", width=1)
    gone = Fetched(url="http://b/", status=404, reason="http_404", message="gone")
    busy = Fetched(url="http://c/", status=503, reason="http_503", message="busy")
    with Ledger(path) as ledger:
        for entry in (busy, done, gone, busy):
            ledger.add(entry)
        assert path.read_bytes().count(b"\n") == 4  # written at once, not at the end
    with Ledger(path) as ledger:
        assert ledger.final() == {done.url: done, gone.url: gone}


@pytest.mark.parametrize("tail", [b'{"url": "http://d/", "sta', b"\0\0\0", b"[1]", b'{"x": 1}\n'])
def test_a_half_line_of_a_crash_is_passed_over(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "fetched.jsonl"
    first, second = Fetched(url="http://a/", status=200), Fetched(url="http://b/", status=200)
    with Ledger(path) as ledger:
        ledger.add(first)
    path.write_bytes(path.read_bytes() + tail)
    with Ledger(path) as ledger:
        assert ledger.final().keys() == {"http://a/"}
        ledger.add(second)
    with Ledger(path) as ledger:
        assert ledger.final() == {"http://a/": first, "http://b/": second}
