"""A catalog whose pictures are links, against a real server on this machine."""

import hashlib
import io
import json
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.errors import UsageError
from benchwright.fetching import FetchSettings
from benchwright.records import Item, Reject
from benchwright.rows import from_table
from benchwright.store import read_table
from benchwright.workspace import Workspace
from builders import links
from builders.catalog import Built, iterate_items
from builders.links import check_dead, link_lines
from builders.rules import PictureRules, placeholders_in
from builders.table.build import build_table
from builders.table.mapping import MappingOptions

BUILT: list[Built] = []  # the last one
OPTIONS = MappingOptions(id="id", image="link", attributes=("colour",))


def jpeg(shade: int) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (16, 16), (shade, 0, 0)).save(stream, "JPEG")
    return stream.getvalue()


class Shop:
    """Serves ``pages``: the bytes of each path, or a status."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.pages: dict[str, bytes | int] = {}
        shop = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                shop.asked[self.path] += 1
                page = shop.pages.get(self.path, 404)
                data = page if isinstance(page, bytes) else b"<html>sorry</html>"
                self.send_response(200 if isinstance(page, bytes) else page)
                if page == 429:
                    self.send_header("Retry-After", "3600")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_port}{path}"


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    monkeypatch.setenv("NO_PROXY", "*")
    quick = FetchSettings(timeout=2.0, retries=1, backoff=0.01)
    monkeypatch.setattr(links, "FetchSettings", lambda: quick)
    running = Shop()
    yield running
    running.server.shutdown()
    running.server.server_close()


def build(
    folder: Path, rows: list[tuple[str, ...]], options: MappingOptions = OPTIONS, **more: Any
) -> tuple[dict[str, Item], dict[str | None, Reject]]:
    table = folder / "t.csv"
    lines = [",".join(("id", "link", "colour", "group")), *(",".join(row) for row in rows)]
    table.write_text("\n".join(lines) + "\n")
    workspace = Workspace(folder / "workspace")
    BUILT[:] = [build_table([table], workspace, options=options, workers=1, **more)]
    rejects = from_table(read_table(workspace.catalog, "rejects.parquet"), Reject)
    return (
        {item.source_id: item for item in iterate_items(workspace)},
        {reject.source_id: reject for reject in rejects},
    )


def test_each_link_is_an_item_or_a_reject(tmp_path: Path, shop: Shop) -> None:
    stream = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(stream, "JPEG")
    noisy = stream.getvalue()
    shop.pages = {
        "/a.jpg": jpeg(10),
        "/b": jpeg(20),  # no name of a picture
        "/page.jpg": b"<html>please log in</html>",
        "/empty.jpg": b"",
        "/half.jpg": noisy[: len(noisy) // 2],
        "/no.jpg": 403,
        "/busy.jpg": 503,
    }
    names = ["a.jpg", "b", "page.jpg", "empty.jpg", "half.jpg", "no.jpg", "gone.jpg", "busy.jpg"]
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in names]
    items, rejects = build(tmp_path, rows)
    assert items.keys() == {"a.jpg", "b"}
    assert items["a.jpg"].url == shop.url("/a.jpg")
    stored = tmp_path / "workspace" / "catalog" / "images" / (items["a.jpg"].image or "")
    assert stored.read_bytes() == jpeg(10)
    assert {name: reject.reason for name, reject in rejects.items()} == {
        "page.jpg": "html",
        "empty.jpg": "empty",
        "half.jpg": "truncated",
        "no.jpg": "http_403",
        "gone.jpg": "http_404",
        "busy.jpg": "http_503",
    }
    assert rejects["gone.jpg"].row == 8
    assert shop.url("/gone.jpg") in rejects["gone.jpg"].message


def test_a_rerun_asks_only_for_what_has_no_final_answer(tmp_path: Path, shop: Shop) -> None:
    shop.pages = {"/a": jpeg(1), "/busy": 503, "/page": b"<html>"}
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in ("a", "busy", "page", "gone")]
    first, _ = build(tmp_path, rows)
    shop.asked.clear()
    shop.pages["/busy"] = jpeg(2)
    second, rejects = build(tmp_path, rows, force=True)
    assert shop.asked == {"/busy": 1}
    assert second.keys() == {"a", "busy"}
    assert second["a"] == first["a"]
    assert {reject.reason for reject in rejects.values()} == {"html", "http_404"}
    ledger = tmp_path / "workspace" / "catalog" / "fetched.jsonl"
    lines = [json.loads(line) for line in ledger.read_text().splitlines()]
    assert len(lines) == 5
    assert {"url", "status", "sha256", "path", "reason"} <= lines[0].keys()


def test_a_stored_picture_that_was_removed_is_fetched_again(tmp_path: Path, shop: Shop) -> None:
    shop.pages = {"/a": jpeg(1)}
    rows = [("a", shop.url("/a"), "red", "")]
    items, _ = build(tmp_path, rows)
    path = tmp_path / "workspace" / "catalog" / "images" / (items["a"].image or "")
    path.unlink()
    build(tmp_path, rows, force=True)
    assert path.read_bytes() == jpeg(1)
    assert shop.asked["/a"] == 2


def test_the_same_bytes_behind_three_links_are_no_picture(tmp_path: Path, shop: Shop) -> None:
    """Two links may well show one picture; and so may all the sizes of one product."""
    sorry = jpeg(99)
    shop.pages = {f"/{name}": sorry for name in ("x", "y", "z")}
    shop.pages |= {f"/{name}": jpeg(1) for name in ("p", "q")}
    shop.pages |= {f"/{name}": jpeg(2) for name in ("s", "m", "l")}
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in "xyzpq"]
    rows += [(name, shop.url(f"/{name}"), "red", "one") for name in "sml"]
    options = MappingOptions(id="id", image="link", group="group", attributes=("colour",))
    items, rejects = build(tmp_path, rows, options)
    assert items.keys() == set("pqsml")
    assert {name: reject.reason for name, reject in rejects.items()} == dict.fromkeys(
        "xyz", "placeholder"
    )
    assert "3 different links" in rejects["x"].message


def test_one_link_of_many_rows_is_asked_once(tmp_path: Path, shop: Shop) -> None:
    shop.pages = {"/a": jpeg(1)}
    items, _ = build(tmp_path, [(name, shop.url("/a"), "red", "") for name in "abcd"])
    assert len(items) == 4
    assert shop.asked["/a"] == 1


def test_when_every_link_is_dead(tmp_path: Path, shop: Shop) -> None:
    with pytest.raises(UsageError, match="all 2 rows were refused, 2 of them as http_404"):
        build(tmp_path, [(name, shop.url(f"/{name}"), "red", "") for name in "ab"])
    assert not (tmp_path / "workspace" / "catalog" / "manifest.json").exists()


def test_links_that_failed_for_a_moment_are_asked_again(tmp_path: Path, shop: Shop) -> None:
    """By the same command, without --force: they alone, until each has a final answer."""
    shop.pages = {"/a": jpeg(1), "/busy": 503, "/late": 429, "/page": b"<html>"}
    names = ("a", "busy", "late", "page", "gone")
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in names]
    build(tmp_path, rows)
    (first,) = BUILT
    assert first.manifest.counts["links"] == 5
    assert first.manifest.counts["dead_links"] == 4
    assert first.manifest.counts["links_to_ask_again"] == 2
    assert "2 links may be asked again by the same command" in link_lines(first.manifest.counts)

    shop.asked.clear()
    build(tmp_path, rows)  # they still fail: nothing is made again
    (second,) = BUILT
    assert shop.asked == {"/busy": 2, "/late": 1}  # one retry; a wait of an hour is not waited for
    assert (second.is_new, second.asked_again) == (False, 2)
    assert second.manifest == first.manifest

    shop.asked.clear()
    shop.pages |= {"/busy": jpeg(2), "/late": jpeg(3)}
    items, rejects = build(tmp_path, rows)
    (third,) = BUILT
    assert shop.asked == {"/busy": 1, "/late": 1}
    assert items.keys() == {"a", "busy", "late"}
    assert rejects.keys() == {"page", "gone"}
    assert third.is_new
    assert third.manifest.counts["links_to_ask_again"] == 0

    shop.asked.clear()
    build(tmp_path, rows)
    assert not shop.asked
    assert not BUILT[0].is_new


def test_one_of_them_answers_and_the_other_is_asked_once(tmp_path: Path, shop: Shop) -> None:
    shop.pages = {"/a": jpeg(1), "/busy": 429, "/late": 429}
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in ("a", "busy", "late")]
    build(tmp_path, rows)
    shop.asked.clear()
    shop.pages["/busy"] = jpeg(2)
    items, _ = build(tmp_path, rows)
    assert items.keys() == {"a", "busy"}
    assert shop.asked == {"/busy": 1, "/late": 1}
    assert BUILT[0].manifest.counts["links_to_ask_again"] == 1


def test_a_known_placeholder_is_refused_from_the_first_link_on(tmp_path: Path, shop: Shop) -> None:
    shop.pages = {"/a": jpeg(1), "/sorry": jpeg(99), "/gone": jpeg(98)}
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in ("a", "sorry", "gone")]
    assert build(tmp_path, rows)[0].keys() == {"a", "sorry", "gone"}
    (tmp_path / "sorry.jpg").write_bytes(jpeg(99))
    listed = f"# of two shops\n\n{hashlib.sha256(jpeg(98)).hexdigest().upper()}  gone.jpg\n"
    (tmp_path / "known.txt").write_text(listed)
    known = placeholders_in([tmp_path / "sorry.jpg", tmp_path / "known.txt"])
    shop.asked.clear()
    items, rejects = build(tmp_path, rows, rules=PictureRules(placeholders=known))
    assert items.keys() == {"a"}
    assert {name: one.reason for name, one in rejects.items()} == dict.fromkeys(
        ("sorry", "gone"), "placeholder"
    )
    assert not shop.asked  # the ledger has their hashes
    assert not build(tmp_path, rows)[1]  # without the rule they are back


NO_PLACEHOLDERS = [
    # what stands in the file, what the message says
    (None, "No such file"),
    (b"", "no sha256 in it"),
    (b"# nothing\n", "no sha256 in it"),
    (b"abc\n", "line 1: 'abc' is no sha256"),
    (b"0" * 64 + b"\n" + b"0" * 63, "line 2"),
    (b"\xff\xd8\xff half a picture", "no picture"),
]


@pytest.mark.parametrize(("data", "words"), NO_PLACEHOLDERS)
def test_a_file_that_names_no_placeholder(tmp_path: Path, data: bytes | None, words: str) -> None:
    path = tmp_path / "known.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UsageError, match=words) as caught:
        placeholders_in([path])
    assert str(path) in str(caught.value)


def test_more_dead_links_than_are_allowed(tmp_path: Path, shop: Shop) -> None:
    shop.pages = {"/a": jpeg(1), "/busy": 503}
    rows = [(name, shop.url(f"/{name}"), "red", "") for name in ("a", "busy", "gone")]
    message = r"2 of 3 links gave no picture, more than --max-dead-links 0.5 .* 1 would be asked"
    with pytest.raises(UsageError, match=message):
        build(tmp_path, rows, rules=PictureRules(most_dead=0.5))
    shop.asked.clear()
    items, _ = build(tmp_path, rows)  # no limit, and the answers were kept
    assert items.keys() == {"a"}
    assert shop.asked == {"/busy": 2}
    with pytest.raises(UsageError, match=message):  # of a catalog that stands as well
        build(tmp_path, rows, rules=PictureRules(most_dead=0.5))
    shop.pages["/busy"] = jpeg(2)
    items, _ = build(tmp_path, rows, rules=PictureRules(most_dead=0.5))
    assert items.keys() == {"a", "busy"}
    with pytest.raises(UsageError, match="1 of 3"):
        build(tmp_path, rows, rules=PictureRules(most_dead=0.0))


SHARES = [
    # links, dead, the limit, whether it fails, whether it warns
    (10, 5, None, False, True),
    (10, 4, None, False, False),
    (10, 5, 0.5, False, True),
    (10, 6, 0.5, True, True),
    (10, 0, 0.0, False, False),
    (10, 10, 1.0, False, True),
    (0, 0, 0.0, False, False),
]


@pytest.mark.parametrize(("links", "dead", "most", "fails", "warns"), SHARES)
def test_the_share_of_dead_links(
    links: int, dead: int, most: float | None, fails: bool, warns: bool
) -> None:
    counts = {"links": links, "dead_links": dead, "links_to_ask_again": 0}
    assert any("warning" in line for line in link_lines(counts)) == warns
    if fails:
        with pytest.raises(UsageError, match="--max-dead-links"):
            check_dead(counts, most)
    else:
        check_dead(counts, most)
