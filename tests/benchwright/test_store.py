"""The stage store: what is done says so, and is what it says."""

import hashlib
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright import __version__, store
from benchwright.errors import CorruptShard, UsageError, WorkspaceError
from benchwright.rows import content_digest

PLAN = store.Plan(stage="numbers", inputs={"a": "1"}, settings={"n": 3, "list": [1, 2]}, seed=4)
TABLE = pa.table({"number": pa.array(range(10), pa.int32())})


def make(folder: Path, plan: store.Plan = PLAN, table: pa.Table = TABLE, **options: Any) -> None:
    with store.writing(folder, plan, configs={"numbers": "numbers-*.parquet"}, **options) as writer:
        writer.shards("numbers", table)
        writer.table("extra", table.slice(0, 2))
        writer.json("facts.json", {"b": 1, "a": "ü"})
        writer.file("raw.bin", b"\x00\x01")
        writer.counts["numbers"] = table.num_rows
        writer.reasons["odd"] = 5


def test_the_manifest_says_what_is_there(tmp_path: Path) -> None:
    make(tmp_path)
    manifest = store.load_manifest(tmp_path)
    assert manifest is not None
    assert manifest.plan == PLAN
    assert manifest.version == __version__
    assert dict(manifest.counts) == {"numbers": 10}
    assert dict(manifest.reasons) == {"odd": 5}
    assert {name: entry.rows for name, entry in manifest.files.items()} == {
        "README.md": None,
        "extra.parquet": 2,
        "facts.json": None,
        "numbers-00000.parquet": 10,
        "raw.bin": None,
    }
    for name, entry in manifest.files.items():
        data = (tmp_path / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry.size, entry.sha256)
    assert manifest.content == {
        "extra": content_digest([TABLE.slice(0, 2)]),
        "numbers": content_digest([TABLE]),
    }
    assert {path.name for path in tmp_path.iterdir()} == {*manifest.files, "manifest.json", ".lock"}


def test_the_readme_names_the_configs_with_rows_the_first_as_default(tmp_path: Path) -> None:
    configs = {"a": "a.parquet", "none": "none.parquet", "b": "b-*.parquet"}
    with store.writing(tmp_path, PLAN, configs=configs) as writer:
        writer.table("a", TABLE)
        writer.table("none", TABLE.slice(0, 0))
        writer.shards("b", TABLE)
    head = (tmp_path / "README.md").read_text("utf-8").split("---")[1]
    content = re.findall(r"^  description: content ([0-9a-f]{64})\n", head, re.MULTILINE)
    assert len(set(content)) == 1
    assert re.sub(r"  description: .*\n", "", head) == (
        "\nconfigs:\n"
        '- config_name: a\n  data_files: "a.parquet"\n  default: true\n'
        '- config_name: b\n  data_files: "b-*.parquet"\n'
    )


def test_shards_are_cut_and_read_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "ROWS_PER_SHARD", 4)
    make(tmp_path)
    names = sorted(path.name for path in tmp_path.glob("numbers-*"))
    assert names == [f"numbers-0000{number}.parquet" for number in range(3)]
    assert [pq.read_metadata(tmp_path / name).num_rows for name in names] == [4, 4, 2]
    assert store.read_table(tmp_path, "numbers-*.parquet").equals(TABLE)
    manifest = store.load_manifest(tmp_path)
    assert manifest is not None
    # the content does not depend on where it was cut
    assert manifest.content["numbers"] == content_digest([TABLE])


def test_a_table_without_rows_has_a_file_too(tmp_path: Path) -> None:
    make(tmp_path, table=TABLE.slice(0, 0))
    assert store.read_table(tmp_path, "numbers-*.parquet").equals(TABLE.slice(0, 0))


def test_fewer_shards_leave_none_of_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ROWS_PER_SHARD", 2)
    make(tmp_path)
    monkeypatch.undo()
    make(tmp_path, replace(PLAN, seed=5))
    assert [path.name for path in tmp_path.glob("numbers-*")] == ["numbers-00000.parquet"]


def test_the_same_plan_is_finished(tmp_path: Path) -> None:
    assert store.finished(tmp_path, PLAN) is None
    make(tmp_path)
    assert store.finished(tmp_path, PLAN) is not None


@pytest.mark.parametrize(
    "other",
    [
        replace(PLAN, inputs={"a": "2"}),
        replace(PLAN, inputs={"a": "1", "b": "1"}),
        replace(PLAN, settings={"n": 4, "list": [1, 2]}),
        replace(PLAN, settings={"n": 3, "list": [2, 1]}),
        replace(PLAN, seed=None),
        replace(PLAN, stage="letters"),
    ],
)
def test_another_plan_is_not(tmp_path: Path, other: store.Plan) -> None:
    make(tmp_path)
    assert store.finished(tmp_path, other) is None
    assert other.digest() != PLAN.digest()


def test_a_plan_does_not_depend_on_the_order_of_its_settings() -> None:
    other = replace(PLAN, settings=dict(reversed(PLAN.settings.items())))
    assert other.digest() == PLAN.digest()


def test_the_identity_of_an_output_is_its_tables(tmp_path: Path) -> None:
    digests = []
    for number, (plan, table) in enumerate(
        [(PLAN, TABLE), (replace(PLAN, seed=9), TABLE), (PLAN, TABLE.slice(1))]
    ):
        make(tmp_path / str(number), plan, table)
        digests.append(store.require(tmp_path / str(number), "x").digest())
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.parametrize("name", ["raw.bin", "numbers-00000.parquet", "README.md"])
def test_what_lost_a_file_is_not_finished(tmp_path: Path, name: str) -> None:
    make(tmp_path)
    (tmp_path / name).unlink()
    assert store.finished(tmp_path, PLAN) is None


def test_a_run_that_fails_is_not_done(tmp_path: Path) -> None:
    make(tmp_path)

    def fail() -> None:
        with store.writing(tmp_path, PLAN, configs={}) as writer:
            writer.table("extra", TABLE)
            raise RuntimeError("bug")

    with pytest.raises(RuntimeError, match="bug"):
        fail()
    assert store.load_manifest(tmp_path) is None
    with pytest.raises(WorkspaceError, match="run build-numbers first"):
        store.require(tmp_path, "build-numbers")


def killed(folder: Path, plan: store.Plan, error: type[BaseException], calls: list[str]) -> None:
    """Make two parts, and end before the stage is done."""

    def compute(name: str) -> Any:
        def work() -> pa.Table:
            calls.append(name)
            return TABLE

        return work

    with store.writing(folder, plan, configs={}) as writer:
        for name in ("first", "second"):
            assert writer.part(name, compute(name)).equals(TABLE)
        raise error


@pytest.mark.parametrize(
    ("error", "plan", "again"),
    [
        # a killed run goes on with what it has
        (KeyboardInterrupt, PLAN, []),
        (RuntimeError, PLAN, []),
        # of another plan nothing is of use
        (KeyboardInterrupt, replace(PLAN, seed=5), ["first", "second"]),
        # what cannot be done as asked leaves nothing to go on with
        (UsageError, PLAN, ["first", "second"]),
    ],
)
def test_parts_outlive_a_killed_run(
    tmp_path: Path, error: type[BaseException], plan: store.Plan, again: list[str]
) -> None:
    calls: list[str] = []
    with pytest.raises(error):
        killed(tmp_path, PLAN, error, calls)
    assert calls == ["first", "second"]
    calls.clear()
    with pytest.raises(KeyboardInterrupt):
        killed(tmp_path, plan, KeyboardInterrupt, calls)
    assert calls == again


def test_parts_of_another_version_are_of_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        killed(tmp_path, PLAN, KeyboardInterrupt, calls)
    monkeypatch.setattr(store, "__version__", "99")
    with pytest.raises(KeyboardInterrupt):
        killed(tmp_path, PLAN, KeyboardInterrupt, calls)
    assert calls == ["first", "second"] * 2


def test_files_that_a_stage_does_not_own_are_left_alone(tmp_path: Path) -> None:
    make(tmp_path)
    for name in ("mine.txt", "mine.parquet"):
        (tmp_path / name).write_text("x", "utf-8")
    make(tmp_path, owns=("numbers-*.parquet", "extra.parquet"))
    assert (tmp_path / "mine.txt").exists()
    assert (tmp_path / "mine.parquet").exists()
    make(tmp_path)
    assert not (tmp_path / "mine.parquet").exists()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "is missing"),
        (lambda path: path.write_bytes(b""), "is not the file"),
        (lambda path: path.write_bytes(path.read_bytes() + b"x"), "is not the file"),
    ],
)
def test_a_broken_shard_is_never_read(tmp_path: Path, damage: Any, said: str) -> None:
    make(tmp_path)
    path = tmp_path / "numbers-00000.parquet"
    damage(path)
    with pytest.raises(CorruptShard, match=said) as caught:
        store.read_table(tmp_path, "numbers-*.parquet")
    assert str(caught.value).startswith(str(path))
    assert "--force" in str(caught.value)


def test_what_the_manifest_does_not_name_is_not_read(tmp_path: Path) -> None:
    make(tmp_path)
    shutil.copy(tmp_path / "numbers-00000.parquet", tmp_path / "numbers-00001.parquet")
    assert store.read_table(tmp_path, "numbers-*.parquet").num_rows == 10
    with pytest.raises(CorruptShard, match="names no file like letters"):
        store.read_table(tmp_path, "letters-*.parquet")


def test_a_manifest_of_a_later_version_with_more_in_it_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    path = tmp_path / "manifest.json"
    loaded = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**loaded, "colour": "red"}), "utf-8")
    with pytest.raises(CorruptShard, match="is no manifest"):
        store.load_manifest(tmp_path)


def test_shards_are_written_the_same_way_every_time(tmp_path: Path) -> None:
    chunked = pa.concat_tables([TABLE.slice(0, 3), TABLE.slice(3)])
    for number, table in enumerate((TABLE, chunked)):
        make(tmp_path / str(number), table=table)
    for name in ("numbers-00000.parquet", "extra.parquet", "facts.json", "README.md"):
        assert (tmp_path / "0" / name).read_bytes() == (tmp_path / "1" / name).read_bytes()


def test_files_are_added_to_a_finished_stage(tmp_path: Path) -> None:
    make(tmp_path)
    made = store.require(tmp_path, "make")
    later = store.add_files(tmp_path, made, {"page.html": b"<p>", "raw.bin": b"other"})
    assert later == store.load_manifest(tmp_path)
    assert later.digest() == made.digest()
    assert store.finished(tmp_path, PLAN) == later
    assert later.files.keys() == made.files.keys() | {"page.html"}
    for name, entry in later.files.items():
        data = (tmp_path / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry.size, entry.sha256)
    assert (tmp_path / "raw.bin").read_bytes() == b"other"


def test_the_same_files_are_not_written_again(tmp_path: Path) -> None:
    make(tmp_path)
    added = {"page.html": b"<p>"}
    made = store.add_files(tmp_path, store.require(tmp_path, "make"), added)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir() if path.name != ".lock"}
    assert store.add_files(tmp_path, made, added) == made
    assert {path: path.stat().st_mtime_ns for path in before} == before
    (tmp_path / "page.html").unlink()
    store.add_files(tmp_path, made, added)
    assert (tmp_path / "page.html").read_bytes() == b"<p>"


@pytest.mark.parametrize("what", ["other plan", "other tables", "gone"])
def test_nothing_is_added_to_another_stage(tmp_path: Path, what: str) -> None:
    make(tmp_path)
    made = store.require(tmp_path, "make")
    if what == "gone":
        (tmp_path / store.MANIFEST).unlink()
    elif what == "other plan":
        make(tmp_path, replace(PLAN, seed=5))
    else:
        make(tmp_path, table=TABLE.slice(0, 3))
    with pytest.raises(WorkspaceError, match="made anew meanwhile"):
        store.add_files(tmp_path, made, {"page.html": b"<p>"})
    assert not (tmp_path / "page.html").exists()
