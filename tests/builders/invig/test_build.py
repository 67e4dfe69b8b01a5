"""A whole catalog from InViG: sources, pictures, duplicates, accounts, order."""

import fcntl
import io
import json
import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset, DatasetDict, Features, Image, List, Value, load_dataset
from PIL import Image as Pillow

from benchwright.errors import SourceError, UsageError
from benchwright.fetching import FetchSettings
from benchwright.identity import image_id_of
from benchwright.records import Change, Item, Reject
from benchwright.rows import from_table
from benchwright.store import read_table
from benchwright.workspace import Workspace
from builders import links
from builders.catalog import Built, iterate_items
from builders.invig.build import InvigOptions, build_invig

Write = Callable[..., dict[str, Any]]
IDS = ("00bf29ce5868629f", "06c5b78899bdb20f", "2a1421c12c2a6754")
PICTURES = tuple(f"{one}.jpg" for one in IDS)


def picture(width: int = 64, height: int = 48, shade: int = 9, kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    Pillow.new("RGB", (width, height), (shade, 90, 9)).save(stream, kind)
    return stream.getvalue()


def lines_of(path: Path, rows: Iterable[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return path


def images(folder: Path, names: Iterable[str] = PICTURES) -> Path:
    for number, name in enumerate(names):
        path = folder / "imgs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(shade=number))
    return folder / "imgs"


Result = tuple[list[Item], list[Reject], list[Change], Built]


def build(folder: Path, *sources: Any, **options: Any) -> Result:
    workspace = Workspace(folder / "workspace")
    force = options.pop("force", False)
    said: list[str] = []
    built = build_invig(
        sources, workspace, options=InvigOptions(**options), workers=1, force=force,
        report=said.append,
    )  # fmt: skip
    items = list(iterate_items(workspace))
    rejects = list(from_table(read_table(workspace.catalog, "rejects.parquet"), Reject))
    changes = list(from_table(read_table(workspace.catalog, "changes.parquet"), Change))
    counts = built.manifest.counts
    assert counts["rows"] == len(items) + sum(one.kind == "picture" for one in rejects)
    # every dialogue read is kept or a reject
    read = sum(
        int(found[1]) for line in said if (found := re.search(r"with (\d+) dialogues", line))
    )
    kept = sum(len(item.dialogues) for item in items)
    assert read == kept + sum(one.kind == "dialogue" for one in rejects)
    assert f"dialogues: {read} = {kept} kept + {read - kept} refused" in said
    assert [p.name for p in workspace.root.iterdir()] == ["catalog"]  # no scratch file is left
    return items, rejects, changes, built


def data_bytes(folder: Path) -> bytes:
    return (folder / "workspace" / "catalog" / "items-00000.parquet").read_bytes()


def test_the_real_dialogues(tmp_path: Path, real_rows: list[dict[str, Any]]) -> None:
    """1998 dialogues, 1997 pictures: all with a picture of 30 of them, the others refused."""
    names = sorted({row["openimages_id"] for row in real_rows})
    twice = next(n for n, c in Counter(r["openimages_id"] for r in real_rows).items() if c == 2)
    there = {*names[:30], twice}
    source = lines_of(tmp_path / "test.jsonl", real_rows)
    folder = images(tmp_path, [f"{name}.jpg" for name in sorted(there)])
    items, rejects, changes, built = build(tmp_path, source, images=folder)
    assert len(items) == 31
    assert built.manifest.counts == {
        "rows": 1997, "items": 31, "rejects": 1966, "pictures": 31, "animated": 0, "attributes": 0,
        "dialogues": 32, "dialogues_refused": 1966,
    }  # fmt: skip
    assert built.manifest.reasons == {"missing_file": 1966, "picture_refused": 1966}
    assert not changes
    (two,) = (item for item in items if item.source_id == twice)
    assert len(two.dialogues) == 2
    assert two.image_id == image_id_of("invig", twice)
    assert {item.split for item in items} == {"test"}
    for item in items:
        for dialogue in item.dialogues:
            row = next(
                row for row in real_rows
                if [[u.speaker, u.text] for u in dialogue.utterances] == row["utterances"]
                and row["openimages_id"] == item.source_id
            )  # fmt: skip
            x0, y0, x1, y1 = (k / 999 for k in row["target_bins_xyxy"])
            assert dialogue.target_box == pytest.approx(
                (64 * x0, 48 * y0, 64 * (x1 - x0), 48 * (y1 - y0))
            )
    folder_of = str(tmp_path / "workspace" / "catalog")
    loaded = load_dataset(folder_of, split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == 31
    assert str(tmp_path) not in (Path(folder_of) / "manifest.json").read_text()
    for one in rejects:
        assert str(tmp_path) not in one.message
    again = build_invig(
        [source], Workspace(tmp_path / "workspace"), options=InvigOptions(images=folder)
    )
    assert not again.is_new


def test_the_order_of_rows_and_files_changes_no_byte(
    tmp_path: Path, real_rows: list[dict[str, Any]]
) -> None:
    rows = real_rows[:200]
    folder = images(tmp_path, [f"{row['openimages_id']}.jpg" for row in rows])
    build(tmp_path / "a", lines_of(tmp_path / "a" / "test.jsonl", rows), images=folder)
    mixed = random.Random(5).sample(rows, len(rows))
    parts = [
        lines_of(tmp_path / "b" / f"test-{name}.jsonl", part)
        for name, part in (("z", mixed[:90]), ("y", mixed[90:]))
    ]
    build(tmp_path / "b", *parts, images=folder)
    assert data_bytes(tmp_path / "a") == data_bytes(tmp_path / "b")


NAMES = ["A", "A in JSON", "B", "C", "C as lists", "D", "E", "tagged", "speakers"]


@pytest.mark.parametrize("name", NAMES)
def test_every_layout_gives_the_same_dialogue(
    name: str, tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    source = lines_of(tmp_path / "rows.jsonl", [layouts[name](plain())])
    (item,), rejects, _, _ = build(tmp_path, source, images=images(tmp_path))
    assert not rejects
    (dialogue,) = item.dialogues
    assert item.source_id == IDS[0]
    assert [u.text for u in dialogue.utterances] == list(plain().lines)
    slack = 0.1 if name in ("tagged", "speakers") else 1e-9
    assert dialogue.target_box == pytest.approx((8, 4, 32, 20), abs=slack)
    if name in ("A", "A in JSON", "D", "E"):
        assert dialogue.candidate_boxes == ((50, 2, 10, 18), (8, 4, 32, 20))
    assert dialogue.dialogue_id.startswith(f"{IDS[0]}#" if name in ("B", "E") else "d1")


def test_the_other_language(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    source = lines_of(tmp_path / "rows.jsonl", [layouts["C"](plain())])
    (item,), _, _, _ = build(tmp_path, source, images=images(tmp_path), language="zh")
    assert [u.text for u in item.dialogues[0].utterances] == ["瓶子"]


# --- sources


FEATURES = Features(
    {
        "ref_list": List(
            {
                "bbox": List(Value("float64")),
                "category": Value("string"),
                "dialog": List(List(Value("string"))),
                "dialog_cn": List(List(Value("string"))),
                "id": Value("string"),
            }
        ),
        "image_info": {
            "file_name": Value("string"), "height": Value("int64"), "id": Value("string"),
            "width": Value("int64"),
        },
        "image": Image(),
    }
)  # fmt: skip


@pytest.fixture
def split_rows(layouts: dict[str, Write], plain: Any) -> dict[str, list[dict[str, Any]]]:
    """Rows of layout C with their pictures in them: two of train, one of test."""
    rows = []
    for number, name in enumerate(IDS):
        row = layouts["C"](plain(picture=name, name=f"d{number}"))
        row["image"] = {"bytes": picture(shade=number), "path": f"{name}.jpg"}
        rows.append(row)
    return {"train": rows[:2], "test": rows[2:]}


@pytest.fixture
def saved(split_rows: dict[str, list[dict[str, Any]]]) -> DatasetDict:
    return DatasetDict(
        {name: Dataset.from_list(rows, FEATURES) for name, rows in split_rows.items()}
    )


def test_a_dataset_its_folder_and_its_shards_give_the_same_items(
    tmp_path: Path, saved: DatasetDict
) -> None:
    """Pictures come out of the rows; no folder of pictures is given."""
    saved.save_to_disk(str(tmp_path / "saved"))
    shards = tmp_path / "shards" / "data"
    shards.mkdir(parents=True)
    for name, part in saved.items():
        part.to_parquet(str(shards / f"{name}-00000-of-00001.parquet"))
    for number, source in enumerate((saved, tmp_path / "saved", tmp_path / "shards")):
        items, rejects, _, built = build(tmp_path / str(number), source)
        assert [item.split for item in items] == [
            "test" if item.source_id == IDS[2] else "train" for item in items
        ]
        assert {item.source_id for item in items} == set(IDS)
        assert not rejects
        assert built.manifest.counts["pictures"] == 3
        assert data_bytes(tmp_path / str(number)) == data_bytes(tmp_path / "0")
        for item in items:
            assert item.dialogues[0].target_box == (8, 4, 32, 20)


def test_one_split_of_several(tmp_path: Path, saved: DatasetDict) -> None:
    for name, part in saved.items():
        (tmp_path / "s").mkdir(exist_ok=True)
        part.to_parquet(str(tmp_path / "s" / f"{name}.parquet"))
    for number, source in enumerate((saved, tmp_path / "s", saved["test"])):
        items, _, _, _ = build(tmp_path / str(number), source, split="test")
        assert [(item.source_id, item.split) for item in items] == [(IDS[2], "test")]
    for source in (saved, tmp_path / "s"):
        with pytest.raises(UsageError, match=r"no split 'validation'; there are test, train"):
            build(tmp_path / "x", source, split="val")


def test_a_rerun_of_a_dataset_does_nothing_and_other_rows_do(
    tmp_path: Path, saved: DatasetDict
) -> None:
    workspace = Workspace(tmp_path / "workspace")
    assert build_invig([saved], workspace, workers=1).is_new
    assert not build_invig([saved], workspace, workers=1).is_new
    assert build_invig([saved["train"]], workspace, workers=1).is_new


def test_a_parquet_row_as_a_dict_of_lists(
    tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    """What Sequence of dict wrote, and a picture that is bare bytes without any name."""
    row = layouts["C as lists"](plain(), plain(name="d2"))
    del row["image_info"]
    row["image"] = picture()
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "rows.parquet")
    (item,), _, _, _ = build(tmp_path, tmp_path / "rows.parquet")
    assert [one.dialogue_id for one in item.dialogues] == ["d1", "d2"]
    assert item.source_id == f"sha256:{item.sha256}"


def test_rows_that_hold_paths_in_place_of_bytes(tmp_path: Path, saved: DatasetDict) -> None:
    def bare(row: dict[str, Any]) -> dict[str, Any]:
        name = row["image"]["path"]
        return {"image": {"bytes": None, "path": f"/elsewhere/{name}"}}

    part = saved["train"].cast_column("image", Image(decode=False)).map(bare)
    with pytest.raises(UsageError, match=r"none of the 2 pictures was found.*--images DIR"):
        build(tmp_path, part)
    items, _, _, built = build(tmp_path, part, images=images(tmp_path))
    assert built.manifest.counts["pictures"] == len(items) == 2


def test_what_is_no_dataset(tmp_path: Path, saved: DatasetDict) -> None:
    with pytest.raises(UsageError, match="without streaming"):
        build(tmp_path, saved["train"].to_iterable_dataset())
    with pytest.raises(SourceError, match=r"nobody/nothing: no such file or folder, and as a"):
        build(tmp_path, "nobody/nothing")
    with pytest.raises(SourceError, match=r"nobody/nothing: no such file"):
        build(tmp_path, "nobody/nothing@0189f8c")
    with pytest.raises(UsageError, match="given twice"):
        build(tmp_path, saved["train"], saved["train"])


# (name of a file, its bytes, words of the error)
BAD_FILES = [
    ("a.jsonl", b"", "the file is empty"),
    ("a.jsonl", b"\n \n", "the file is blank"),
    ("a.json", b"[1, 2", "this is no JSON"),
    ("a.json", b"id,dialog\n1,2\n", "this is no JSON"),
    ("a.jsonl", b'{"dialog": "\xb0\xa1"}', "not UTF-8"),
    ("a.jsonl", b"\x1f\x8b123", "a gzip archive"),
    ("a.parquet", b"PAR1 and no more", "broken, or no Parquet"),
    ("a.json", b"[]", "no rows in a.json"),
    ("a.jsonl", b'{"a": 1}\n{"a": 1', "all 2 rows were refused"),
    ("data/none.jsonl", None, "No such file"),
]


@pytest.mark.parametrize(("name", "data", "words"), BAD_FILES)
def test_a_bad_file_is_one_line(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match=words) as caught:
        build(tmp_path, tmp_path / name)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "workspace" / "catalog" / "manifest.json").exists()


def test_bad_folders(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match="no Parquet file in this folder"):
        build(tmp_path, tmp_path / "empty")
    (tmp_path / "empty" / "state.json").write_text("{}")
    with pytest.raises(SourceError, match="cannot be loaded"):
        build(tmp_path, tmp_path / "empty")
    with pytest.raises(UsageError, match="no such folder of pictures"):
        build(tmp_path, tmp_path / "empty", images=tmp_path / "none")
    with pytest.raises(UsageError, match="no source given"):
        build(tmp_path)


@pytest.mark.parametrize(
    "write",
    [
        lambda path, row: path.write_text(json.dumps([row]), "utf-8"),
        lambda path, row: path.write_text(json.dumps(row, indent=1), "utf-8"),  # one, over lines
        lambda path, row: path.write_bytes(b"\xef\xbb\xbf" + json.dumps(row).encode()),
        lambda path, row: path.write_text(json.dumps(row), "utf-16"),
        lambda path, row: path.write_bytes(json.dumps(row).encode() + b"\r\n\r\n"),
    ],
)
def test_the_forms_of_json(
    tmp_path: Path, write: Any, layouts: dict[str, Write], plain: Any
) -> None:
    write(tmp_path / "rows.json", layouts["D"](plain()))
    (item,), _, _, _ = build(tmp_path, tmp_path / "rows.json", images=images(tmp_path))
    assert len(item.dialogues) == 1


def test_bad_lines_are_rejects(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    row = layouts["D"](plain())
    lines = [
        row, "{", "5", '{"a": "\\ud800"}', "[" * 100_000, '{"a": ' + "9" * 5000 + "}", "{}",
        json.dumps({**row, "id": "nan"}).replace("64", "NaN", 1),
    ]  # fmt: skip
    source = lines_of(tmp_path / "rows.jsonl", lines)
    (item,), rejects, _, _ = build(tmp_path, source, images=images(tmp_path))
    assert [one.dialogue_id for one in item.dialogues] == ["d1", "nan"]
    assert [(one.row, one.kind, one.reason) for one in rejects] == [
        *((number, "dialogue", "bad_json") for number in (2, 3, 4, 5, 6)),
        (7, "dialogue", "unknown_layout"),
    ]
    assert all(one.message.startswith(f"rows.jsonl, line {one.row}: ") for one in rejects)


# --- pictures


# (files there, name that the row gives, what becomes of it)
NAMED = [
    (["imgs/{}.jpg"], "imgs/{}.jpg", None),
    (["{}.JPG"], "imgs/{}.jpg", None),
    (["deep/er/{}_Beer Bottle_2.jpg"], "openimages_v1.2/imgs/{}_Beer Bottle_2.jpg", None),
    (["{}.jpeg"], "imgs/{}_Beer_2.jpg", None),  # by the id alone
    (["{}.jpg"], "/another/machine/{}.jpg", None),
    (["{}.jpg"], "C:\\data\\{}.jpg", None),
    (["a[1].png"], "x/a[1].png", None),
    (["a/{}.jpg", "b/{}.jpg"], "c/{}.jpg", "ambiguous_file"),
    (["other.jpg"], "{}.jpg", "missing_file"),
    (["{}.jpg"], "../imgs/{}.jpg", "outside_folder"),
    (["{}.jpg"], "..\\{}.jpg", "outside_folder"),
]


@pytest.mark.parametrize(("there", "named", "reason"), NAMED)
def test_files_are_found_by_name(
    tmp_path: Path, there: list[str], named: str, reason: str | None,
    layouts: dict[str, Write], plain: Any,
) -> None:  # fmt: skip
    folder = images(tmp_path, [name.format(IDS[0]) for name in there] + [f"{IDS[1]}.png"])
    rows = [layouts["D"](plain()), layouts["D"](plain(name="d2", picture=IDS[1]))]
    rows[0]["filename"] = named.format(IDS[0])
    items, rejects, _, _ = build(tmp_path, lines_of(tmp_path / "r.jsonl", rows), images=folder)
    assert len(items) == (2 if reason is None else 1)
    assert {(one.kind, one.reason) for one in rejects} == (
        set() if reason is None else {("picture", reason), ("dialogue", "picture_refused")}
    )


def test_a_link_out_of_the_folder_is_not_followed(
    tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    folder = images(tmp_path, [f"{IDS[1]}.jpg"])
    (tmp_path / "secret.jpg").write_bytes(picture())
    (folder / f"{IDS[0]}.jpg").symlink_to(tmp_path / "secret.jpg")
    rows = [layouts["D"](plain()), layouts["D"](plain(name="d2", picture=IDS[1]))]
    _, rejects, _, _ = build(tmp_path, lines_of(tmp_path / "r.jsonl", rows), images=folder)
    assert {one.reason for one in rejects} == {"outside_folder", "picture_refused"}


def test_pictures_beside_the_file(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    """Without --images: as named, or beside it; folders below are not searched."""
    images(tmp_path, [f"../{IDS[0]}.jpg", f"{IDS[1]}.jpg"])
    rows = [layouts["D"](plain()), layouts["D"](plain(name="d2", picture=IDS[1]))]
    items, rejects, _, _ = build(tmp_path, lines_of(tmp_path / "r.jsonl", rows))
    assert [item.source_id for item in items] == [IDS[0]]
    assert {one.reason for one in rejects} == {"missing_file", "picture_refused"}


def test_bad_pictures_in_rows(tmp_path: Path, split_rows: dict[str, list[Any]]) -> None:
    rows = [*split_rows["train"], *split_rows["test"]]
    whole = picture(width=300, height=200, kind="JPEG")
    rows[0]["image"]["bytes"] = whole[: len(whole) // 2]
    rows[1]["image"]["bytes"] = b"<html>not found</html>"
    items, rejects, _, _ = build(tmp_path, Dataset.from_list(rows, FEATURES))
    assert [item.source_id for item in items] == [IDS[2]]
    assert Counter(one.reason for one in rejects) == {
        "truncated": 1, "html": 1, "picture_refused": 2,
    }  # fmt: skip


def test_a_picture_on_its_side(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    """Picture and boxes are turned together; the size says whose frame the boxes are in."""
    exif = Pillow.Exif()
    exif[0x0112] = 6
    folder = images(tmp_path, [])
    folder = tmp_path / "imgs"
    folder.mkdir()
    Pillow.new("RGB", (64, 48)).save(folder / f"{IDS[0]}.jpg", exif=exif)
    one = plain(candidates=((8.0, 4.0, 40.0, 24.0),))
    upright = layouts["D"](one) | {"id": "d2", "width": 48, "height": 64}
    upright["ann"] = upright["ann"] | {"ref_bboxes": [[24, 8, 44, 40]]}
    source = lines_of(tmp_path / "r.jsonl", [layouts["D"](one), upright])
    (item,), _, changes, _ = build(tmp_path, source, images=folder)
    assert (item.width, item.height) == (48, 64)
    assert [one.target_box for one in item.dialogues] == [(24, 8, 20, 32)] * 2
    assert [(one.source_id, one.reason) for one in changes if one.reason != "clipped"] == [
        ("d1", "turned_upright")
    ]


class _Pictures(BaseHTTPRequestHandler):
    busy: ClassVar[set[str]] = set()  # what is answered by 503

    def do_GET(self) -> None:
        found = IDS[0] in self.path
        if self.path in self.busy:
            self.send_response(503)
            self.end_headers()
            return
        self.send_response(200 if found else 404)
        self.end_headers()
        self.wfile.write(picture() if found else b"")

    def log_message(self, *_: object) -> None: ...


def test_links_are_fetched_when_allowed(
    tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Pictures) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        rows = []
        for number in (0, 1):
            link = f"http://127.0.0.1:{server.server_port}/{IDS[number]}.jpg"
            row = layouts["D"](plain(picture=IDS[number], name=number))
            rows.append(row | {"url": link, "filename": ""})
        source = lines_of(tmp_path / "r.jsonl", rows)
        with pytest.raises(UsageError, match=r"is a link; --fetch fetches it"):
            build(tmp_path, source)
        (item,), rejects, _, _ = build(tmp_path, source, fetch=True)
        server.shutdown()
    assert (item.source_id, item.width, item.url) == (IDS[0], 64, rows[0]["url"])
    assert {one.reason for one in rejects} == {"http_404", "picture_refused"}


def test_a_link_that_failed_for_a_moment_is_asked_again(
    tmp_path: Path, layouts: dict[str, Write], plain: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that came is not asked again; the same bytes behind two links are two pictures."""
    monkeypatch.setattr(links, "FetchSettings", lambda: FetchSettings(retries=0, backoff=0.01))
    with ThreadingHTTPServer(("127.0.0.1", 0), _Pictures) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        rows = []
        for name in IDS[:2]:
            row = layouts["D"](plain(picture=name, name=name))
            link = f"http://127.0.0.1:{server.server_port}/{IDS[0]}/{name}.jpg"
            rows.append(row | {"url": link, "filename": ""})
        source = lines_of(tmp_path / "r.jsonl", rows)
        monkeypatch.setattr(_Pictures, "busy", {f"/{IDS[0]}/{IDS[1]}.jpg"})
        found, *_, built = build(tmp_path, source, fetch=True)
        assert [item.source_id for item in found] == [IDS[0]]
        assert built.manifest.counts["links_to_ask_again"] == 1
        *_, built = build(tmp_path, source, fetch=True)
        assert (built.is_new, built.asked_again) == (False, 1)
        monkeypatch.setattr(_Pictures, "busy", set())
        found, *_, built = build(tmp_path, source, fetch=True)
        server.shutdown()
    assert {item.source_id for item in found} == set(IDS[:2])
    assert built.is_new


def test_a_scratch_file_of_a_dead_process_is_removed(tmp_path: Path, saved: DatasetDict) -> None:
    """One that another process still holds is not."""
    root = tmp_path / "workspace"
    root.mkdir()
    (root / ".embedded-dead").write_bytes(b"x")
    with (root / ".embedded-alive").open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert build_invig([saved], Workspace(root), workers=1).is_new
        assert sorted(path.name for path in root.iterdir()) == [".embedded-alive", "catalog"]


def test_an_id_of_the_hub(
    tmp_path: Path, saved: DatasetDict, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that exists wins; nothing that runs code of the Hub is ever asked for."""
    asked = []

    def load(*arguments: Any, **options: Any) -> DatasetDict:
        asked.append((arguments, options))
        return saved

    monkeypatch.setattr("datasets.load_dataset", load)
    items, _, _, built = build(tmp_path, "org/name@0189f8c")
    assert asked == [(("org/name",), {"revision": "0189f8c"})]
    assert len(items) == 3
    assert set(built.manifest.plan.inputs) == {
        "org/name@0189f8c (test)", "org/name@0189f8c (train)",
    }  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "org" / "name").mkdir(parents=True)
    with pytest.raises(SourceError, match="no Parquet file in this folder"):
        build(tmp_path / "x", "org/name")
    assert len(asked) == 1


def test_without_pictures(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    """Shares become pixels where the row states a size, and are refused where it does not."""
    stated = layouts["C"](plain())
    unknown = layouts["C"](plain(name="d2", picture=IDS[1]))
    unknown["image_info"] |= {"width": None, "height": 0}
    pixels = layouts["A"](plain(name="d3", picture=IDS[2]))
    source = lines_of(tmp_path / "r.jsonl", [stated, unknown, pixels])
    items, rejects, _, _ = build(tmp_path, source, pictures=False)
    assert {item.source_id for item in items} == {IDS[0], IDS[2]}
    for item in items:
        assert (item.image, item.width, item.height) == (None, None, None)
        assert item.dialogues[0].target_box == (8, 4, 32, 20)
    assert [(one.kind, one.reason) for one in rejects] == [
        ("picture", "no_dialogue"), ("dialogue", "no_size"),
    ]  # fmt: skip
    with pytest.raises(UsageError, match="no row states a width and height"):
        build(tmp_path, lines_of(tmp_path / "u.jsonl", [unknown]), pictures=False)


def test_without_sizes_the_way_out_is_not_no_pictures(
    tmp_path: Path, real_rows: list[dict[str, Any]], layouts: dict[str, Write], plain: Any
) -> None:
    source = lines_of(tmp_path / "r.jsonl", real_rows[:3])
    with pytest.raises(UsageError, match="give --images DIR, for --no-pictures will not do"):
        build(tmp_path, source)
    pixels = lines_of(tmp_path / "p.jsonl", [*real_rows[:3], layouts["A"](plain())])
    with pytest.raises(UsageError, match="give --images DIR, or --no-pictures for a catalog"):
        build(tmp_path, pixels)


def test_a_size_that_is_not_the_pictures(
    tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    rows = [
        layouts["D"](plain()) | {"width": 128, "height": 96},  # boxes of a picture twice as large
        layouts["D"](plain(name="d2")) | {"width": 64, "height": 64},
    ]
    source = lines_of(tmp_path / "r.jsonl", rows)
    (item,), rejects, changes, _ = build(tmp_path, source, images=images(tmp_path))
    assert [one.target_box for one in item.dialogues] == [(4, 2, 16, 10)]
    assert [one.reason for one in changes] == ["scaled"]
    assert [one.reason for one in rejects] == ["size_mismatch"]


# --- ids


def test_one_dialogue_twice(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    """Ids of any type are one key; the dialogue with the most candidates is kept."""
    rich = layouts["D"](plain(name=7))
    poor = layouts["D"](plain(name="7")) | {"id": 7.0}
    poor["ann"] = poor["ann"] | {"bboxes": []}
    for number, rows in enumerate(([rich, poor, rich], [poor, rich, rich])):
        source = lines_of(tmp_path / str(number) / "r.jsonl", rows)
        (item,), rejects, _, _ = build(tmp_path / str(number), source, images=images(tmp_path))
        (dialogue,) = item.dialogues
        assert dialogue.dialogue_id == "7"
        assert len(dialogue.candidate_boxes) == 2
        assert sorted(one.reason for one in rejects) == ["duplicate_dialogue", "duplicate_id"]
    assert data_bytes(tmp_path / "0") == data_bytes(tmp_path / "1")


def test_dialogues_without_ids(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    rows = [layouts["B"](plain()), layouts["B"](plain()), layouts["B"](plain(lines=("other.",)))]
    source = lines_of(tmp_path / "r.jsonl", rows)
    (item,), rejects, _, _ = build(tmp_path, source, images=images(tmp_path))
    assert len({one.dialogue_id for one in item.dialogues}) == 2
    assert [one.reason for one in rejects] == ["duplicate_dialogue"]


def test_an_id_that_two_pictures_share(
    tmp_path: Path, layouts: dict[str, Write], plain: Any
) -> None:
    rows = [layouts["D"](plain(name=0)), layouts["D"](plain(name=0, picture=IDS[1]))]
    source = lines_of(tmp_path / "r.jsonl", rows)
    items, rejects, changes, _ = build(tmp_path, source, images=images(tmp_path))
    assert {item.dialogues[0].dialogue_id for item in items} == {f"{IDS[0]}#0", f"{IDS[1]}#0"}
    assert not rejects
    assert [one.reason for one in changes] == ["id_not_unique"] * 2


def test_a_picture_in_two_splits(tmp_path: Path, layouts: dict[str, Write], plain: Any) -> None:
    train = lines_of(tmp_path / "invig21k_train_anns.jsonl", [layouts["D"](plain())])
    test = lines_of(tmp_path / "invig21k_test_anns.jsonl", [layouts["D"](plain(name="d2"))])
    (item,), _, changes, _ = build(tmp_path, test, train, images=images(tmp_path))
    assert (item.split, len(item.dialogues)) == ("train", 2)
    assert [(one.kind, one.reason) for one in changes] == [("picture", "split_conflict")]


def test_different_pictures_under_one_id(tmp_path: Path, split_rows: dict[str, list[Any]]) -> None:
    rows = split_rows["train"]
    rows[1]["image_info"] = rows[0]["image_info"]
    rows[1]["image"]["path"] = rows[0]["image"]["path"]
    for number, given in enumerate((rows, rows[::-1])):
        (item,), _, changes, _ = build(tmp_path / str(number), Dataset.from_list(given, FEATURES))
        assert [(one.kind, one.reason) for one in changes] == [("picture", "pictures_differ")]
        assert len(item.dialogues) == 2
    assert data_bytes(tmp_path / "0") == data_bytes(tmp_path / "1")


# --- the command


def test_the_command(
    tmp_path: Path, run: Callable[..., Any], layouts: dict[str, Write], plain: Any
) -> None:
    rows = [layouts["D"](plain()), layouts["D"](plain(name="d2", lines=("a", "b", "c")))]
    rows[1]["ann"]["answers"] = []
    source = lines_of(tmp_path / "invig21k_test_anns.jsonl", rows)
    command = ("invig", source, "--workspace", tmp_path / "w", "--workers", "1")
    done = run("build-catalog", *command, "--images", images(tmp_path))
    assert done.code == 0, done.err
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert lines[:4] == [
        "read invig21k_test_anns.jsonl: JSON Lines; official annotations; split test; 2 lines "
        "with 2 dialogues, 1 of them unusable",
        "pictures: 1 = 1 kept + 0 refused",
        "dialogues: 2 = 1 kept + 1 refused",
        "1 dialogues refused: unequal_turns",
    ]
    assert lines[-1] == f"next: build-dialogues candidate-set run --workspace {tmp_path / 'w'}"
    bare = run("build-catalog", *command, "--no-pictures", "--force")
    assert "next: nothing" not in bare.out
    assert bare.out.splitlines()[-1].startswith("nothing waits")
    assert run("build-catalog", *command, "--images", images(tmp_path)).code == 0
    lost = run("build-catalog", *command[:-2], "--images", tmp_path / "w")
    assert lost.code == 1
    assert "none of the 1 pictures was found" in lost.err
    assert len(lost.err.splitlines()) == 1
    assert len(list(iterate_items(Workspace(tmp_path / "w")))) == 1  # what stood there stays
