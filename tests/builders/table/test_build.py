"""A whole catalog from tables: items, rejects, pictures, order, reruns."""

import csv
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from benchwright import files, pictures
from benchwright.errors import SourceError, UsageError
from benchwright.identity import image_id_of
from benchwright.records import Item, Reject
from benchwright.rows import from_table
from benchwright.store import read_table
from benchwright.workspace import Workspace
from builders import outcomes
from builders.catalog import Built, iterate_items
from builders.rules import PictureRules
from builders.table.build import build_table
from builders.table.mapping import MappingOptions

DRESSES = Path(__file__).parents[2] / "data" / "uci_dresses" / "dresses.csv"


def table_of(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def build(folder: Path, *paths: Path, **options: Any) -> tuple[list[Item], list[Reject], Built]:
    workspace = Workspace(folder / "workspace")
    options.setdefault("workers", 1)
    built = build_table(paths, workspace, **options)
    items = list(iterate_items(workspace))
    rejects = list(from_table(read_table(workspace.catalog, "rejects.parquet"), Reject))
    assert built.manifest.counts["rows"] == len(items) + len(rejects)
    assert built.manifest.reasons == Counter(reject.reason for reject in rejects)
    return items, rejects, built


def data_bytes(folder: Path) -> dict[str, bytes]:
    catalog = folder / "workspace" / "catalog"
    return {path.name: path.read_bytes() for path in catalog.glob("*.parquet")}


def values(item: Item) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for attribute in item.attributes:
        found.setdefault(attribute.type, []).append(attribute.value)
    return found


def test_the_dresses(tmp_path: Path) -> None:
    items, rejects, built = build(tmp_path, DRESSES)
    assert len(items) == 475
    assert Counter(reject.reason for reject in rejects) == {"duplicate_id": 25}
    assert built.manifest.counts == {
        "rows": 500, "items": 475, "rejects": 25, "pictures": 0, "animated": 0, "attributes": 3488,
    }  # fmt: skip
    assert [item.image_id for item in items] == sorted(item.image_id for item in items)
    assert Counter(a.type for item in items for a in item.attributes).keys() == {
        *("style", "season", "neckline", "sleevelength", "waiseline", "material", "fabrictype"),
        *("decoration", "pattern type"),
    }
    (one,) = (item for item in items if item.source_id == "1006032852")
    assert one.image_id == image_id_of("table", "1006032852")
    assert values(one)["pattern type"] == ["animal"]
    assert "material" not in values(one)  # null
    words = {attribute.value.lower() for item in items for attribute in item.attributes}
    assert not words & {"", "null", "none"}
    for reject in rejects:
        assert reject.path == "dresses.csv"
        assert f"line {reject.row}" in reject.message
        assert "differ in" in reject.message
    folder = str(tmp_path / "workspace" / "catalog")
    assert load_dataset(folder, split="train", cache_dir=str(tmp_path / "cache")).num_rows == 475
    assert str(tmp_path) not in (tmp_path / "workspace" / "catalog" / "manifest.json").read_text()


def test_the_order_of_the_rows_changes_no_byte_of_the_items(tmp_path: Path) -> None:
    header, *rows = DRESSES.read_text().splitlines()
    random.Random(3).shuffle(rows)
    build(tmp_path / "a", table_of(tmp_path, "\n".join([header, *rows]), "a/dresses.csv"))
    build(tmp_path / "b", DRESSES)
    one, other = (data_bytes(tmp_path / name)["items-00000.parquet"] for name in "ab")
    assert one == other


CELL = st.sampled_from(["red", "Blue ", "null", "", "NA", "a;b", "\u0065\u0301", "\u00e9"])
ROWS = st.lists(st.tuples(st.sampled_from(["1", "2", "01", " 1", ""]), CELL, CELL), min_size=1)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS, data=st.data())
def test_any_rows_in_any_order_and_any_files(
    tmp_path: Path, rows: list[tuple[str, ...]], data: st.DataObject
) -> None:
    if not any(row[0].strip() for row in rows):
        return
    shuffled = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    bytes_of = []
    for name, parts in (("a", [rows]), ("b", [shuffled[:cut], shuffled[cut:]])):
        paths = []
        for number, part in enumerate(parts):
            path = table_of(tmp_path, "", f"{name}/{number}.csv")
            with path.open("w", newline="") as stream:
                # a second column name in the second file keeps its bytes its own
                csv.writer(stream).writerows(
                    [("id", "c", "d", f"x{number}"), *((*r, "") for r in part)]
                )
            paths.append(path)
        options = MappingOptions(id="id", attributes=("c", "d"), value_separator=";")
        _, _, built = build(tmp_path / name, *paths, options=options, force=True)
        assert built.manifest.counts["rows"] == len(rows)
        bytes_of.append(data_bytes(tmp_path / name)["items-00000.parquet"])
    assert bytes_of[0] == bytes_of[1]


def test_cells_become_attributes(tmp_path: Path) -> None:
    table = table_of(
        tmp_path,
        "id,Neck_  Line,ＦＡＢＲＩＣ\n"
        "1, V-neck ,Null\n"  # stripped, its case kept; a missing word in any case
        "2,NA,cotton; Silk ;none;cotton\n"  # NA is a value; each value once
        "3,cafe\u0301,\n",  # composed
    )
    items, _, _ = build(
        tmp_path,
        table,
        options=MappingOptions(
            id="id", attributes=("Neck_  Line", "ＦＡＢＲＩＣ"), value_separator=";"
        ),
    )
    by_id = {item.source_id: item for item in items}
    assert values(by_id["1"]) == {"neck line": ["V-neck"]}
    assert by_id["1"].attributes[0].raw == " V-neck "
    assert by_id["1"].attributes[0].origin == "Neck_  Line"
    assert values(by_id["2"]) == {"neck line": ["NA"], "fabric": ["cotton", "Silk"]}
    assert values(by_id["3"]) == {"neck line": ["caf\u00e9"]}


def test_declared_missing_words_replace_the_default(tmp_path: Path) -> None:
    table = table_of(tmp_path, "id,c,d\n1,null,NA\n2,,-\n")
    options = MappingOptions(attributes=("c", "d"), missing=("na", "-"))
    items, _, _ = build(tmp_path, table, options=options)
    assert sorted((item.source_id, str(values(item))) for item in items) == [
        ("1", "{'c': ['null']}"),
        ("2", "{}"),
    ]


def test_which_of_two_rows_is_kept(tmp_path: Path) -> None:
    table = table_of(
        tmp_path,
        "id,c,d,price\n"
        "1,red,,5\n"
        "1,red,short,6\n"  # the fullest
        "1,red,,5\n"  # twice the same, but neither is kept
        "2,b,x,1\n"
        "2,b,x,1\n"  # the same in everything
        "3,b,x,2\n"
        "3,a,x,2\n"  # as full: by its content
        ",a,x,2\n",  # no id
    )
    items, rejects, _ = build(tmp_path, table, options=MappingOptions(attributes=("c", "d")))
    kept = {item.source_id: values(item) for item in items}
    assert kept["1"] == {"c": ["red"], "d": ["short"]}
    assert kept["3"] == {"c": ["a"], "d": ["x"]}
    assert [(r.row, r.reason, r.source_id) for r in rejects] == [
        (2, "duplicate_id", "1"),
        (4, "duplicate_id", "1"),
        (6, "duplicate_row", "2"),
        (7, "duplicate_id", "3"),
        (9, "no_id", None),
    ]
    assert (
        "'1' is also in t.csv, line 3, which is kept; they differ in d, price" in rejects[0].message
    )
    assert "the same as t.csv, line 5" in rejects[2].message


def test_ids_are_text(tmp_path: Path) -> None:
    table = table_of(tmp_path, "id,c\n00012345678e90,a\n12345678e90,b\n007,c\n7,d\nNA,e\n")
    items, rejects, _ = build(tmp_path, table, options=MappingOptions(attributes=("c",)))
    assert {item.source_id for item in items} == {"00012345678e90", "12345678e90", "007", "7", "NA"}
    assert not rejects


def test_parquet_and_csv_give_the_same_items(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": [1, 2], "c": [["red", "blue"], None]}), path)
    build(tmp_path / "a", path, options=MappingOptions(attributes=("c",)))
    text = table_of(tmp_path, "id,c\n2,\n1,red|blue\n", "b/t.csv")
    options = MappingOptions(attributes=("c",), value_separator="|")
    items, _, _ = build(tmp_path / "b", text, options=options)
    assert values(items[0]) or values(items[1])
    one, other = (load(tmp_path / name) for name in "ab")
    assert [[a.value for a in item.attributes] for item in one] == [
        [a.value for a in item.attributes] for item in other
    ]


def load(folder: Path) -> list[Item]:
    return list(iterate_items(Workspace(folder / "workspace")))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A table of pictures, good and bad, beside its folder."""
    folder = tmp_path / "shop"
    (folder / "img").mkdir(parents=True)
    for number in range(6):
        Image.new("RGB", (20 + number, 10), (40 * number, 0, 0)).save(
            folder / f"img/a[{number}].JPG", "PNG"
        )
    half = (folder / "img/a[0].JPG").read_bytes()
    Image.effect_noise((64, 64), 50).convert("RGB").save(folder / "img/half.jpeg")
    half = (folder / "img/half.jpeg").read_bytes()
    (folder / "img/half.jpeg").write_bytes(half[: len(half) // 2])
    (folder / "img/page.jpg").write_bytes(b"<!doctype html><p>404")
    (folder / "img/empty.jpg").write_bytes(b"")
    (tmp_path / "secret.png").write_bytes((folder / "img/a[1].JPG").read_bytes())
    rows = [f"{number},img/a[{number}].JPG,red" for number in range(6)]
    rows += [
        "h,img/half.jpeg,red",
        "p,img/page.jpg,red",
        "e,img/empty.jpg,red",
        "n,img/none.jpg,red",
    ]
    rows += ["s,../secret.png,red", "m,,red", "f,ftp://host/a.jpg,red"]
    (folder / "t.csv").write_text("sku,photo,colour\n" + "\n".join(rows) + "\n")
    return folder


OPTIONS = MappingOptions(id="sku", image="photo", attributes=("colour",))


@pytest.mark.parametrize("workers", [1, 2])
def test_pictures_are_stored_or_refused(tmp_path: Path, shop: Path, workers: int) -> None:
    items, rejects, built = build(tmp_path, shop / "t.csv", options=OPTIONS, workers=workers)
    assert {item.source_id for item in items} == set("012345")
    assert {(r.source_id, r.row, r.reason) for r in rejects} == {
        ("h", 8, "truncated"),
        ("p", 9, "html"),
        ("e", 10, "empty"),
        ("n", 11, "missing_file"),
        ("s", 12, "outside_folder"),
        ("m", 13, "no_image"),
        ("f", 14, "bad_url"),
    }
    assert all(f"t.csv, line {reject.row}: " in reject.message for reject in rejects)
    assert not any(str(tmp_path) in reject.message for reject in rejects)
    assert built.manifest.counts["pictures"] == 6
    images = tmp_path / "workspace" / "catalog" / "images"
    for item in items:
        assert item.image is not None
        assert item.image == f"{(item.sha256 or '')[:2]}/{item.sha256}.png"  # by its bytes
        assert files.sha256_of(images / item.image) == item.sha256
        with Image.open(images / item.image) as image:
            assert image.size == (item.width, item.height)


def test_workers_and_parts_change_no_byte(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(tmp_path / "a", shop / "t.csv", options=OPTIONS)
    monkeypatch.setattr(outcomes, "PART_ROWS", 2)
    build(tmp_path / "b", shop / "t.csv", options=OPTIONS, workers=2)
    assert data_bytes(tmp_path / "a") == data_bytes(tmp_path / "b")


def test_pictures_in_another_folder(tmp_path: Path, shop: Path) -> None:
    table = table_of(tmp_path, (shop / "t.csv").read_text(), "elsewhere/t.csv")
    items, _, _ = build(tmp_path, table, options=OPTIONS, images=shop)
    assert len(items) == 6


def test_without_an_id_the_reference_is_the_id(tmp_path: Path, shop: Path) -> None:
    options = MappingOptions(id="", image="photo", attributes=("colour",))
    items, _, _ = build(tmp_path, shop / "t.csv", options=options)
    assert {item.source_id for item in items} == {f"img/a[{number}].JPG" for number in range(6)}


def test_a_killed_run_goes_on(tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "PART_ROWS", 2)
    made = Counter[str]()
    whole = pictures.read_picture

    def dying(data: bytes) -> Any:
        made["all"] += 1
        if made["all"] == 6:
            raise KeyboardInterrupt
        return whole(data)

    monkeypatch.setattr(pictures, "read_picture", dying)
    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, shop / "t.csv", options=OPTIONS)
    assert not (tmp_path / "workspace" / "catalog" / "manifest.json").exists()
    made["all"] = 100
    items, _, _ = build(tmp_path, shop / "t.csv", options=OPTIONS)
    assert len(items) == 6
    assert made["all"] - 100 == 9 - 4  # nine files are there; two parts of two were done


def test_the_same_again_is_nothing_to_do(tmp_path: Path, shop: Path) -> None:
    def again(**options: Any) -> bool:
        return build(tmp_path, shop / "t.csv", options=OPTIONS, **options)[2].is_new

    assert again()
    before = data_bytes(tmp_path)
    assert not again()
    assert again(force=True)
    assert data_bytes(tmp_path) == before
    Image.new("RGB", (90, 90)).save(shop / "img/a[0].JPG", "PNG")  # a picture has changed
    assert again()
    (shop / "t.csv").write_text((shop / "t.csv").read_text().replace("5,img", "7,img"))
    assert again()
    changed = MappingOptions(id="sku", image="photo", attributes=("colour",), source="shop")
    assert build(tmp_path, shop / "t.csv", options=changed)[2].is_new


def test_a_moved_folder_is_the_same_input(tmp_path: Path, shop: Path) -> None:
    assert build(tmp_path, shop / "t.csv", options=OPTIONS)[2].is_new
    moved = shop.rename(tmp_path / "moved")
    assert not build(tmp_path, moved / "t.csv", options=OPTIONS)[2].is_new


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id,c\n", ["a header and no rows"]),
        ("id,c\n,a\n,b\n", ["all 2 rows", "2 of them as no_id", "t.csv, line 2"]),
        ("id,c\n1\n2\n", ["all 2 rows", "ragged"]),
    ],
)
def test_an_empty_catalog_is_refused_and_nothing_lost(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    good = table_of(tmp_path, "id,c\n1,a\n", "good.csv")
    options = MappingOptions(id="id", attributes=("c",))
    build(tmp_path, good, options=options)
    before = data_bytes(tmp_path)
    with pytest.raises(UsageError) as caught:
        build(tmp_path, table_of(tmp_path, text), options=options)
    for word in words:
        assert word in str(caught.value)
    assert data_bytes(tmp_path) == before
    assert (tmp_path / "workspace" / "catalog" / "manifest.json").exists()


def test_two_files_of_one_name(tmp_path: Path) -> None:
    one = table_of(tmp_path, "id,c\n1,a\n", "x/t.csv")
    two = table_of(tmp_path, "id,c\n2,a\n1,b\n", "y/t.csv")
    options = MappingOptions(attributes=("c",))
    items, rejects, built = build(tmp_path, one, two, options=options)
    assert len(items) == 2
    assert [reject.reason for reject in rejects] == ["duplicate_id"]
    assert len(built.manifest.plan.inputs) == 2
    with pytest.raises(UsageError, match="the same bytes"):
        build(tmp_path, one, one, options=options)


def test_files_with_different_columns(tmp_path: Path) -> None:
    one = table_of(tmp_path, "id,c,d\n1,a,x\n", "1.csv")
    two = table_of(tmp_path, '{"d": "y", "id": 2}\n', "2.jsonl")
    lines: list[str] = []
    items, _, _ = build(tmp_path, one, two, report=lines.append)
    assert sorted((item.source_id, str(values(item))) for item in items) == [
        ("1", "{'d': ['x']}"),
        ("2", "{'d': ['y']}"),
    ]
    assert "not in every file" in next(line for line in lines if line.split()[0] == "c")
    with pytest.raises(UsageError, match=r"2\.jsonl: no column 'c'"):
        build(tmp_path, one, two, options=MappingOptions(attributes=("c",)))


def test_what_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("id;Größe;colour\n1;M;rot\n2;L;blau;x\n".encode("cp1252"))
    lines: list[str] = []
    build(tmp_path, path, report=lines.append)
    assert lines[0] == "read t.csv: CSV, cp1252, semicolon; 1 rows, 1 unreadable, 3 columns"
    assert any(line.split()[:2] == ["id", "id"] for line in lines)
    assert lines[-1] == "no value: empty cells, and the words null, none"


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no file given"):
        build(tmp_path)
    with pytest.raises(SourceError, match=r"none\.csv"):
        build(tmp_path, tmp_path / "none.csv")
    with pytest.raises(UsageError, match="no such folder"):
        build(tmp_path, DRESSES, images=tmp_path / "none")
    with pytest.raises(UsageError, match="neither an id nor a picture"):
        build(tmp_path, DRESSES, options=MappingOptions(id="", attributes=("Style",)))


def test_roles_reach_the_item(tmp_path: Path) -> None:
    row = {
        "id": "1",
        "t": "A dress",
        "g": "p1",
        "l": "CC0",
        "a": "Ann",
        "u": "http://x/",
        "s": "test",
        "c": "red",
    }
    table = table_of(tmp_path, json.dumps(row), "t.jsonl")
    options = MappingOptions(
        title="t", group="g", licence="l", author="a", url="u", split="s", attributes=("c",)
    )
    (item,), _, _ = build(tmp_path, table, options=options)
    assert (item.title, item.group_id, item.licence) == ("A dress", "p1", "CC0")
    assert (item.author, item.url, item.split) == ("Ann", "http://x/", "test")
    assert (item.image, item.width, item.category) == (None, None, None)


def test_linked_pictures_stay_where_they_are(tmp_path: Path, shop: Path) -> None:
    copied, linked = Workspace(tmp_path / "copied"), Workspace(tmp_path / "linked")
    built = build_table([shop / "t.csv"], copied, workers=1)
    build_table([shop / "t.csv"], linked, workers=1, rules=PictureRules(link=True))
    assert list(iterate_items(linked)) == list(iterate_items(copied))
    paths = [linked.images / item.image for item in iterate_items(linked) if item.image]
    assert any(path.is_symlink() for path in paths)
    for path in paths:
        assert path.read_bytes() == (copied.images / path.relative_to(linked.images)).read_bytes()
        assert not path.is_symlink() or path.resolve().parent == (shop / "img").resolve()
    # a copy where links stood before replaces them, and leaves the user's files alone
    before = {path: path.read_bytes() for path in (shop / "img").iterdir()}
    again = build_table([shop / "t.csv"], linked, workers=1)
    assert again.is_new
    assert again.manifest.content == built.manifest.content
    assert not any(path.is_symlink() for path in paths)
    assert {path: path.read_bytes() for path in (shop / "img").iterdir()} == before
