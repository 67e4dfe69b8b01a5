"""Records to tables and back without loss, and a digest of the content alone."""

import io
import random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.records import SCHEMAS, Episode, Item, Label, Reject, SceneObject
from benchwright.rows import content_digest, from_table, to_table

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
numbers = st.floats(allow_nan=False, width=64)


def strategy(hint: Any, name: str) -> st.SearchStrategy[Any]:
    """Return values for an annotation of a record."""
    parts = [part for part in get_args(hint) if part is not type(None)]
    if hint in SCHEMAS:
        hints = get_type_hints(hint)
        found = {field: strategy(hints[field], field) for field in SCHEMAS[hint].names}
        chosen = st.builds(hint, **found)
    elif get_origin(hint) is tuple and ... in parts:
        chosen = st.lists(strategy(parts[0], name), max_size=3).map(tuple)
    elif get_origin(hint) is tuple:
        chosen = st.tuples(*(strategy(part, name) for part in parts))
    elif get_origin(hint) is Literal:
        chosen = st.sampled_from(parts)
    elif parts:
        chosen = st.none() | strategy(parts[0], name)
    elif hint is int:
        limit = 2**63 if name in ("seed", "row") else 2**31
        chosen = st.integers(-limit, limit - 1)
    else:
        chosen = {str: text, bool: st.booleans(), float: numbers}[hint]
    return chosen


def lists_of(kind: Any) -> st.SearchStrategy[list[Any]]:
    return st.lists(strategy(kind, ""), max_size=4)


KINDS = [Episode, Item, Label, Reject, SceneObject]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_records_come_back_as_they_were(kind: Any, data: st.DataObject) -> None:
    records = data.draw(lists_of(kind))
    table = to_table(records, kind)
    assert table.schema == SCHEMAS[kind]
    assert list(from_table(table, kind)) == records
    stream = io.BytesIO()
    pq.write_table(table, stream)
    assert list(from_table(pq.read_table(stream), kind)) == records


def test_what_is_required_is_never_null() -> None:
    label = Label(
        image_id=None,  # type: ignore[arg-type]
        object_id=None,
        type="t",
        value="v",
        answer="yes",
        score=None,
        score_low=None,
        score_high=None,
        margin=None,
        votes_counted=0,
        votes_saved=0,
        origin="catalog",
        auditor=None,
    )
    with pytest.raises(ValueError, match="image_id"):
        to_table([label], Label)


@settings(max_examples=40)
@given(data=st.data())
def test_the_digest_is_of_the_rows_alone(data: st.DataObject) -> None:
    records = data.draw(lists_of(Item).filter(len))
    table = to_table(records, Item)
    expected = content_digest([table])
    cut = data.draw(st.integers(0, len(records)))
    parts = [table.slice(0, cut), table.slice(cut)]
    # chunks, several tables, and a slice that still has its neighbours in memory
    assert content_digest([pa.concat_tables(parts)]) == expected
    assert content_digest(parts) == expected
    assert content_digest([pa.concat_tables([table, table]).slice(len(records))]) == expected
    for options in ({"compression": "none"}, {"row_group_size": 1}, {"use_dictionary": False}):
        stream = io.BytesIO()
        pq.write_table(table, stream, **options)
        assert content_digest([pq.read_table(stream)]) == expected


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_other_rows_have_another_digest(kind: Any, data: st.DataObject) -> None:
    one, other = data.draw(lists_of(kind)), data.draw(lists_of(kind))
    if not to_table(one, kind).equals(to_table(other, kind)):
        assert content_digest([to_table(one, kind)]) != content_digest([to_table(other, kind)])


def column(values: list[Any], kind: pa.DataType, name: str = "a") -> pa.Table:
    return pa.table({name: pa.array(values, kind)})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # null is neither the empty text nor the empty list nor zero nor false
        (column([None], pa.string()), column([""], pa.string())),
        (column([None], pa.list_(pa.string())), column([[]], pa.list_(pa.string()))),
        (column([None], pa.int32()), column([0], pa.int32())),
        (column([None], pa.bool_()), column([False], pa.bool_())),
        (column([None], pa.float64()), column([0.0], pa.float64())),
        # nor is a struct of nulls
        (
            column([None], pa.struct([("x", pa.int32())])),
            column([{"x": None}], pa.struct([("x", pa.int32())])),
        ),
        # a list of a null is not the null list
        (column([[None]], pa.list_(pa.int32())), column([None], pa.list_(pa.int32()))),
        # the same letters or entries, divided elsewhere
        (column(["ab", "c"], pa.string()), column(["a", "bc"], pa.string())),
        (
            column([["a"], ["b", "c"]], pa.list_(pa.string())),
            column([["a", "b"], ["c"]], pa.list_(pa.string())),
        ),
        # a box that is not there
        (column([None], pa.list_(pa.float64(), 4)), column([[0.0] * 4], pa.list_(pa.float64(), 4))),
        # another name, another type, another order, one row more
        (column([1], pa.int32()), column([1], pa.int32(), "b")),
        (column([1], pa.int32()), column([1], pa.int64())),
        (column([1, 2], pa.int32()), column([2, 1], pa.int32())),
        (column([1], pa.int32()), column([1, 1], pa.int32())),
        (column([], pa.int32()), column([None], pa.int32())),
        # nulls at another place
        (column([None, ""], pa.string()), column(["", None], pa.string())),
        # a null character does not end a text
        (column(["a\0b"], pa.string()), column(["a"], pa.string())),
    ],
)
def test_these_are_different(one: pa.Table, other: pa.Table) -> None:
    assert content_digest([one]) != content_digest([other])


def test_what_lies_under_a_null_does_not_matter() -> None:
    hidden = pa.array([1, 2, 3], pa.int32())
    nulled = pa.Array.from_buffers(
        pa.int32(), 3, [pa.array([True, False, True]).buffers()[1], hidden.buffers()[1]]
    )
    assert nulled.to_pylist() == [1, None, 3]
    plain = pa.table({"a": pa.array([1, None, 3], pa.int32())})
    assert content_digest([pa.table({"a": nulled})]) == content_digest([plain])


def test_the_digest_is_the_same_on_every_machine() -> None:
    chance = random.Random(1)
    rejects = [
        Reject(
            source="table",
            source_id=f"ü{number}" if number % 3 else None,
            row=chance.randrange(10**12),
            path=None,
            reason="ragged",
            message="'" * number,
        )
        for number in range(20)
    ]
    assert content_digest([to_table(rejects, Reject)]) == (
        "8ab18790d6060942123f954b73b0919459eeffdbfbae9d6b233420acbcb88f20"
    )
