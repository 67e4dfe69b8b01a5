"""Rows that are written as shards: they come back as they were, whatever they hold."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Features, Image, disable_progress_bars, load_dataset
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.arrow_fields import TEXT, required
from benchwright.records import (
    SCHEMAS,
    CandidateSet,
    Episode,
    FalsePremise,
    QuestionChain,
    Response,
    Trajectory,
)
from benchwright.rows import content_digest
from exports.building.shards import Written, without_pictures, write_shards
from exports.canary import with_canary
from exports.contents.records import DECISIONS, IMAGES, LABELS, VOCABULARY
from exports.features import IMAGE, card_features, features_of

disable_progress_bars()

RECORDS = {
    "hidden-target-tau-0.6": SCHEMAS[Episode],
    "false-premise": SCHEMAS[FalsePremise],
    "candidate-set": SCHEMAS[CandidateSet],
    "question-chain": SCHEMAS[QuestionChain],
    "responses": SCHEMAS[Response],
    "trajectories": SCHEMAS[Trajectory],
    "images": IMAGES,
    "vocabulary": VOCABULARY,
    "labels": LABELS,
    "decisions": DECISIONS,
}
NUMBERS = pa.schema([required("number", pa.int64()), required("text", TEXT)])

# half of a pair is no text, and Arrow takes it for none
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["", "=1+1", "<b>", "a\0b", "\n", "---\n", "ﬁ", "👩‍👩‍👧", "\u202e", "N/A", "nan"]
)


def values(kind: pa.DataType) -> st.SearchStrategy[Any]:
    """Return what a column of a type may hold."""
    if pa.types.is_struct(kind):
        return st.fixed_dictionaries({field.name: cells(field) for field in kind})
    if pa.types.is_fixed_size_list(kind):
        return st.lists(values(kind.value_type), min_size=kind.list_size, max_size=kind.list_size)
    if pa.types.is_list(kind):
        return st.lists(values(kind.value_type), max_size=3)
    found: st.SearchStrategy[Any] = {
        pa.string(): _TEXTS,
        pa.binary(): st.binary(max_size=20),
        pa.bool_(): st.booleans(),
        pa.int32(): st.integers(-(2**31), 2**31 - 1),
        pa.int64(): st.integers(-(2**63), 2**63 - 1),
        pa.float64(): st.floats(allow_nan=False),
    }[kind]
    return found


def cells(field: pa.Field) -> st.SearchStrategy[Any]:
    filled = values(field.type)
    if field.type == IMAGE or field.name == "bytes":
        return st.fixed_dictionaries({"bytes": st.binary(max_size=20), "path": st.just("a.png")})
    return filled | st.none() if field.nullable else filled


def tables(schema: pa.Schema) -> st.SearchStrategy[pa.Table]:
    row = st.fixed_dictionaries({field.name: cells(field) for field in schema})
    return st.lists(row, min_size=1, max_size=6).map(
        lambda rows: pa.Table.from_pylist(rows, schema=schema)
    )


def loaded(folder: Path, made: Written, schema: pa.Schema) -> Any:
    """Return the rows as datasets has them, pictures as their bytes."""
    found = load_dataset(
        "parquet",
        data_files=[str(folder / path) for path in made.paths],
        split="train",
        cache_dir=str(folder / "cache"),
    )
    assert found.features == features_of(schema)
    for field in schema:
        if field.type == IMAGE:
            found = found.cast_column(field.name, Image(decode=False))
    return found


@pytest.mark.parametrize("config", RECORDS)
@settings(max_examples=8)
@given(data=st.data())
def test_any_records_come_back_as_they_were(config: str, data: st.DataObject) -> None:
    whole = data.draw(tables(RECORDS[config]))
    if config in ("hidden-target-tau-0.6", "false-premise"):
        whole = with_canary(whole, "benchwright canary")
    cut = data.draw(st.integers(0, whole.num_rows))
    limit = data.draw(st.sampled_from([1, 200, 1 << 20]))
    with tempfile.TemporaryDirectory() as place:
        parts = [whole.slice(0, cut), whole.slice(cut)]
        made = write_shards(Path(place), config, whole.schema, parts, limit)
        assert loaded(Path(place), made, whole.schema).to_list() == whole.to_pylist()
        assert made.rows == whole.num_rows
        assert made.digest == content_digest([without_pictures(whole)])


@pytest.mark.parametrize("schema", RECORDS.values(), ids=RECORDS)
def test_the_features_of_the_card_are_those_of_the_schema(schema: pa.Schema) -> None:
    assert Features._from_yaml_list(card_features(schema)) == features_of(schema)


def numbers(count: int, size: int = 0) -> pa.Table:
    rows = {"number": list(range(count)), "text": ["x" * size] * count}
    return pa.table(rows, schema=NUMBERS)


@pytest.mark.parametrize(
    ("count", "size", "limit", "shards"),
    [
        (1, 0, 1 << 20, [1]),
        (10, 1000, 1 << 20, [10]),
        # no more than fits
        (10, 1000, 5_000, [4, 4, 2]),
        # a row that is larger than a shard has one of its own
        (3, 1000, 1, [1, 1, 1]),
    ],
)
def test_shards_are_cut_by_their_size(
    count: int, size: int, limit: int, shards: list[int], tmp_path: Path
) -> None:
    made = write_shards(tmp_path, "c", NUMBERS, [numbers(count, size)], limit)
    assert [pq.read_metadata(tmp_path / path).num_rows for path in made.paths] == shards
    assert list(made.paths) == [
        f"data/c/test-{at:05d}-of-{len(shards):05d}.parquet" for at in range(len(shards))
    ]
    assert sorted(path.name for path in (tmp_path / "data" / "c").iterdir()) == [
        Path(path).name for path in made.paths
    ]
    read = pa.concat_tables(pq.read_table(tmp_path / path) for path in made.paths)
    assert read["number"].to_pylist() == list(range(count))


def test_the_digest_does_not_hang_on_how_rows_are_cut(tmp_path: Path) -> None:
    whole = numbers(1000, 50)
    made = [
        write_shards(tmp_path / str(at), "c", NUMBERS, parts, limit)
        for at, (parts, limit) in enumerate(
            [
                ([whole], 1 << 20),
                ([whole.slice(0, 1), whole.slice(1)], 5000),
                ([whole.slice(start, 7) for start in range(0, 1000, 7)], 100),
            ]
        )
    ]
    assert len({one.digest for one in made}) == 1
    assert len({len(one.paths) for one in made}) == 3


def picture(data: bytes | None) -> dict[str, Any]:
    return {"image": {"bytes": data, "path": "a.jpg"}}


SHOWN = pa.schema([required("image", IMAGE)])


@pytest.mark.parametrize(
    ("schema", "rows", "said"),
    [
        # the bytes of a picture
        (SHOWN, [picture(b"x"), picture(None)], "a picture without bytes"),
        (SHOWN, [{"image": None}], "is required and is null"),
        # a column that may not be null
        (NUMBERS, [{"number": None, "text": ""}], "number is required and is null"),
        # a table of something else
        (VOCABULARY, None, "a table of another schema"),
        (NUMBERS, [], "has no rows"),
    ],
)
def test_what_could_not_be_loaded_is_refused(
    schema: pa.Schema, rows: list[Any] | None, said: str, tmp_path: Path
) -> None:
    table = numbers(1) if rows is None else pa.Table.from_pylist(rows, schema=schema)
    with pytest.raises(ValueError, match=said):
        write_shards(tmp_path, "c", schema, [table])
    assert not list(tmp_path.rglob("test-*"))


def test_pictures_are_kept_as_they_are_and_digested_by_their_hashes(tmp_path: Path) -> None:
    schema = pa.schema([required("image", IMAGE), required("sha256", TEXT)])

    def made(name: str, data: bytes, said: bytes) -> Written:
        row = {
            "image": {"bytes": data, "path": "a.jpg"},
            "sha256": hashlib.sha256(said).hexdigest(),
        }
        table = pa.Table.from_pylist([row], schema=schema)
        return write_shards(tmp_path / name, "c", schema, [table])

    first = made("a", b"one", b"one")
    assert made("b", b"two", b"two").digest != first.digest
    meta = pq.read_metadata(tmp_path / "a" / first.paths[0]).row_group(0)
    assert {meta.column(at).compression for at in range(meta.num_columns)} == {"UNCOMPRESSED"}


def test_only_one_table_is_held(tmp_path: Path) -> None:
    held: list[int] = []
    table = pa.Table.from_pylist([picture(bytes(1000))] * 1000, schema=SHOWN)

    def one_by_one() -> Iterator[pa.Table]:
        for _ in range(40):
            held.append(pa.total_allocated_bytes())
            yield pa.Table.from_pylist(table.to_pylist(), schema=SHOWN)

    write_shards(tmp_path, "c", SHOWN, one_by_one(), 8 << 20)
    assert max(held) < min(held[5:]) + (3 << 20)


@pytest.fixture
def count_files(tmp_path: Path) -> Callable[[], int]:
    return lambda: len(list(tmp_path.rglob("*.parquet")))


def test_a_source_that_fails_leaves_no_shard_under_its_name(
    tmp_path: Path, count_files: Callable[[], int]
) -> None:
    def failing() -> Iterator[pa.Table]:
        yield numbers(10)
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        write_shards(tmp_path, "c", NUMBERS, failing())
    assert count_files() == 0
