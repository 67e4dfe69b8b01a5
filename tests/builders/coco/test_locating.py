"""Where pictures are found, and where none is looked for."""

import io
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from benchwright.errors import UsageError


def png(path: Path, shade: int = 7) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (9, 9), (shade, 0, 0)).save(path, "PNG")
    return path


def coco(path: Path, *names: Any, **more: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    images = [{"id": place, "file_name": name} | more for place, name in enumerate(names)]
    path.write_text(json.dumps({"images": images}))
    return path


FOUND: list[tuple[str, str, str, str | None, dict[str, Any]]] = [
    # file, its picture's name, where the picture lies, --images, more of the picture's record
    ("c.json", "a.png", "a.png", None, {}),
    ("c.json", "x/a.png", "x/a.png", None, {}),
    ("c.json", "x\\a.png", "x/a.png", None, {}),
    ("c.json", "x/a.png", "a.png", None, {}),
    ("c.json", "a.png", "images/a.png", None, {}),
    ("c.json", "a.png", "deep/below/a.png", None, {}),
    ("annotations/instances_val2017.json", "a.png", "val2017/a.png", None, {}),
    ("annotations/instances_val2017.json", "a.png", "images/val2017/a.png", None, {}),
    ("annotations/instances_val2017.json", "a.png", "images/val/a.png", None, {}),
    ("annotations/x.json", "val2014/a.png", "images/val2014/a.png", None, {}),
    ("valid/_annotations.coco.json", "a.png", "valid/a.png", None, {}),  # Roboflow
    ("lvis_val.json", "", "train2017/a.png", None,
     {"coco_url": "http://images.cocodataset.org/train2017/a.png"}),
    ("c.json", "a.png", "pictures/a.png", "pictures", {}),
    ("c.json", "/home/me/x/a.png", "pictures/x/a.png", "pictures", {}),
    ("c.json", "C:\\me\\x\\a.png", "pictures/a.png", "pictures", {}),
    ("c.json", "a[1]*.PNG", "a[1]*.PNG", None, {}),
    ("c.json", "caf\u00e9.png", "cafe\u0301.png", None, {}),
    ("c.json", "a.jpg", "a.jpg", None, {}),  # a PNG by its bytes
]  # fmt: skip


@pytest.mark.parametrize(("file", "name", "place", "images", "more"), FOUND)
def test_found(
    file: str,
    name: str,
    place: str,
    images: str | None,
    more: dict[str, Any],
    tmp_path: Path,
    build: Callable[..., Any],
) -> None:
    root = tmp_path / "in"
    png(root / place)
    path = coco(root / file, name, **more)
    found = build(path, images=None if images is None else root / images)
    assert [item.width for item in found.items] == [9]
    assert str(tmp_path) not in json.dumps([item.source_id for item in found.items])


def test_a_base_name_that_is_the_only_one_is_enough(
    tmp_path: Path, build: Callable[..., Any]
) -> None:
    for place, name in enumerate(("a.png", "b.png", "c.png")):
        png(tmp_path / "in" / "flat" / name, place)
    names = ("x/a.png", "y/b.png", "x/c.png", "y/c.png", "d.png")
    found = build(coco(tmp_path / "in" / "c.json", *names))
    assert {item.source_id for item in found.items} == {"x/a.png", "y/b.png"}
    # c.png may be either of two, so it is neither
    lost = {reject.source_id for reject in found.rejects if reject.reason == "missing_file"}
    assert lost == {"x/c.png", "y/c.png", "d.png"}


def test_the_folder_of_the_split_goes_first(tmp_path: Path, build: Callable[..., Any]) -> None:
    for place, split in enumerate(("train", "val")):
        png(tmp_path / "in" / "images" / split / "a.png", place)
    paths = [coco(tmp_path / "in" / f"instances_{split}.json", "a.png") for split in ("train",)]
    paths.append(coco(tmp_path / "in" / "instances_val.json", "a.png", width=9))
    found = build(*paths)
    assert len({item.sha256 for item in found.items}) == 2


REFUSED: list[tuple[str, Any, dict[str, Any]]] = [
    # reason, name, more of the record
    ("missing_file", "none.png", {}),
    ("missing_file", "none.png", {"coco_url": "http://127.0.0.1:9/none.png"}),  # without --fetch
    ("no_image", None, {}),
    ("no_image", "", {}),
    ("no_image", ["a.png"], {}),
    ("no_image", 3, {}),
    ("no_image", "a\0.png", {}),
    ("outside_folder", "../secret.png", {}),
    ("outside_folder", "x/../../secret.png", {}),
    ("outside_folder", "x\\..\\..\\secret.png", {}),
    ("outside_folder", "https://host/..%2fsecret.png", {}),
    ("outside_folder", "link.png", {}),  # a link that leads out
    ("missing_file", "/etc/hostname", {}),  # there it is, and not opened
    ("ambiguous_file", "twice.png", {}),
    ("missing_file", "n" * 5000, {}),
    ("html", "page.png", {}),
    ("empty", "nothing.png", {}),
    ("svg", "drawing.png", {}),
]


@pytest.mark.parametrize(("reason", "name", "more"), REFUSED)
def test_refused(
    reason: str,
    name: Any,
    more: dict[str, Any],
    tmp_path: Path,
    build: Callable[..., Any],
) -> None:
    root = tmp_path / "in"
    png(root / "good.png")
    secret = png(tmp_path / "secret.png", 99)
    (root / "link.png").symlink_to(secret)
    for folder in ("p", "q"):
        png(root / folder / "twice.png")
    (root / "page.png").write_text("<html><body>gone</body></html>")
    (root / "nothing.png").touch()
    (root / "drawing.png").write_text("<svg xmlns='x'><script>alert(1)</script></svg>")
    path = coco(root / "c.json", "good.png", name)
    data = json.loads(path.read_text())
    data["images"][1] |= more
    data["annotations"] = [{"id": 1, "image_id": 1, "caption": "c"}]
    path.write_text(json.dumps(data))
    found = build(path)
    assert [item.source_id for item in found.items] == ["good.png"]
    assert found.reasons("picture") == {reason: 1}
    assert found.reasons("caption") == {"picture_refused": 1}
    (lost,) = [reject for reject in found.rejects if reject.kind == "picture"]
    assert "c.json" in lost.message
    assert str(tmp_path) not in lost.message


def test_no_picture_at_hand_leaves_the_workspace_as_it_was(
    tmp_path: Path, build: Callable[..., Any]
) -> None:
    png(tmp_path / "in" / "a.png")
    build(coco(tmp_path / "in" / "a.json", "a.png"))
    manifest = tmp_path / "w" / "catalog" / "manifest.json"
    before = manifest.read_bytes()
    with pytest.raises(UsageError, match="--images"):
        build(coco(tmp_path / "in" / "b.json", "b.png"))
    assert manifest.read_bytes() == before


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("NO_PROXY", "*")
    stream = io.BytesIO()
    turned = Image.new("RGB", (8, 4), (1, 2, 3))
    exif = Image.Exif()
    exif[0x0112] = 6
    turned.save(stream, "JPEG", exif=exif)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            good = self.path.endswith("turned.jpg")
            data = stream.getvalue() if good else b"gone"
            self.send_response(200 if good else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


def test_fetched(server: str, tmp_path: Path, build: Callable[..., Any]) -> None:
    path = coco(tmp_path / "in" / "c.json")
    images = [
        {"id": 1, "file_name": "turned.jpg", "width": 8, "height": 4, "flickr_url": "http://f/x",
         "coco_url": f"{server}/turned.jpg"},
        {"id": 2, "file_name": "gone.jpg", "flickr_url": f"{server}/gone.jpg"},
        {"id": 3, "file_name": "no.jpg", "coco_url": "ftp://host/no.jpg"},
        {"id": 4, "file_name": "here.png", "coco_url": f"{server}/gone.png"},  # not asked for
        {"id": 5, "file_name": "../x.jpg", "coco_url": f"{server}/turned.jpg"},
    ]  # fmt: skip
    box = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 2, 1]}
    data = {"images": images, "annotations": [box], "categories": [{"id": 1, "name": "cat"}]}
    path.write_text(json.dumps(data))
    png(tmp_path / "in" / "here.png")
    found = build(path, fetch=True)
    by_id = {item.source_id: item for item in found.items}
    assert set(by_id) == {"turned.jpg", "here.png"}
    assert found.reasons() == {"http_404": 1, "missing_file": 1, "outside_folder": 1}
    assert (by_id["turned.jpg"].width, by_id["turned.jpg"].height) == (4, 8)
    assert by_id["turned.jpg"].objects[0].bbox == (3, 0, 1, 2)  # turned with its picture
    assert by_id["turned.jpg"].url == "http://f/x"
