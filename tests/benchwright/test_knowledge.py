"""Definition 1: yes, no or unknown."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.knowledge import NO, UNKNOWN, YES, Knowledge, Value, runs_of_types


@dataclass(frozen=True, kw_only=True)
class Row:
    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()


def knowledge(values: list[Value], rows: list[Row], groups: list[int] | None = None) -> Knowledge:
    def joined(parts: list[tuple[int, ...]]) -> np.ndarray:
        return np.array([column for part in parts for column in sorted(part)], np.int32)

    def starts(parts: list[tuple[int, ...]]) -> np.ndarray:
        return np.concatenate([[0], np.cumsum([len(part) for part in parts], dtype=np.int64)])

    yes, no = [row.yes for row in rows], [row.no for row in rows]
    return Knowledge(
        ids=np.arange(10, 10 + len(rows), dtype=np.uint64),
        groups=np.array(groups if groups is not None else range(len(rows)), np.int64),
        values=tuple(values),
        indptr=starts(yes),
        yes=joined(yes),
        no_indptr=starts(no),
        no=joined(no),
    )


def two_types(*, exclusive: bool = False, complete: bool = False) -> list[Value]:
    """Two values of a plain type, then three of a type with flags."""
    flagged = [
        Value(type="neckline", value=name, exclusive=exclusive, complete=complete)
        for name in ("boat", "crew", "v")
    ]
    return [Value(type="detail", value="bow"), Value(type="detail", value="lace"), *flagged]


@pytest.mark.parametrize(
    ("types", "runs"),
    [
        # no value, no type
        ("", ()),
        # one type of one value
        ("a", (range(1),)),
        # several types, the last of several values
        ("aabccc", (range(2), range(2, 3), range(3, 6))),
    ],
)
def test_the_values_of_each_type(types: str, runs: tuple[range, ...]) -> None:
    values = [Value(type=name, value=str(at)) for at, name in enumerate(types)]
    assert runs_of_types(values) == runs


@pytest.mark.parametrize(
    ("flags", "row", "expected"),
    [
        # nothing is said, nothing is known
        ({}, Row(), [0, 0, 0, 0, 0]),
        # what the catalog lists is yes, the rest stays unknown
        ({}, Row(yes=(0, 3)), [1, 0, 0, 1, 0]),
        # one yes in an exclusive type makes its other values no
        ({"exclusive": True}, Row(yes=(3,)), [0, 0, -1, 1, -1]),
        # without a yes an exclusive type says nothing
        ({"exclusive": True}, Row(yes=(0,)), [1, 0, 0, 0, 0]),
        # a no in an exclusive type implies nothing about the others
        ({"exclusive": True}, Row(no=(3,)), [0, 0, 0, -1, 0]),
        # two yes in an exclusive type both stand
        ({"exclusive": True}, Row(yes=(2, 3)), [0, 0, 1, 1, -1]),
        # a complete type lists all there is
        ({"complete": True}, Row(yes=(3,)), [0, 0, -1, 1, -1]),
        # also where it lists nothing
        ({"complete": True}, Row(), [0, 0, -1, -1, -1]),
        # a label no stands beside unknown
        ({}, Row(yes=(0,), no=(1, 4)), [1, -1, 0, 0, -1]),
        # flags and labels together
        ({"exclusive": True, "complete": True}, Row(yes=(4,), no=(0,)), [-1, 0, -1, -1, 1]),
    ],
)
def test_answers(flags: dict[str, bool], row: Row, expected: list[int]) -> None:
    answers = knowledge(two_types(**flags), [row]).answers([0])
    assert answers.dtype == np.int8
    assert answers.tolist() == [expected]


def test_answers_come_in_the_order_of_the_rows_asked() -> None:
    known = knowledge(two_types(exclusive=True), [Row(yes=(0,)), Row(yes=(2,)), Row()])
    assert known.answers([2, 1, 1]).tolist() == [[0] * 5, [0, 0, 1, -1, -1], [0, 0, 1, -1, -1]]
    assert known.answers([]).shape == (0, 5)


def test_without_any_value_there_is_nothing_to_answer() -> None:
    assert knowledge([], [Row(), Row()]).answers([0, 1]).shape == (2, 0)


def test_whether_a_value_is_askable_changes_no_answer() -> None:
    values = two_types(exclusive=True)
    hidden = [replace(value, askable=False) for value in values]
    rows = [Row(yes=(0, 2)), Row(no=(1,))]
    assert (
        knowledge(values, rows).answers([0, 1]) == knowledge(hidden, rows).answers([0, 1])
    ).all()


@st.composite
def catalogs(draw: st.DrawFn) -> Knowledge:
    kinds = draw(
        st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(1, 4)), min_size=1, max_size=4)
    )
    values = [
        Value(type=str(kind), value=str(at), exclusive=exclusive, complete=complete)
        for kind, (exclusive, complete, width) in enumerate(kinds)
        for at in range(width)
    ]
    answers = st.lists(
        st.sampled_from([YES, NO, UNKNOWN]), min_size=len(values), max_size=len(values)
    )
    rows = [
        Row(
            yes=tuple(at for at, one in enumerate(row) if one == YES),
            no=tuple(at for at, one in enumerate(row) if one == NO),
        )
        for row in draw(st.lists(answers, max_size=5))
    ]
    return knowledge(values, rows)


@given(catalogs())
def test_answers_equal_the_definition_word_for_word(known: Knowledge) -> None:
    answers = known.answers(range(len(known.ids)))
    for row in range(len(known.ids)):
        yes = set(known.attributes(row).tolist())
        stated = set(known.no[known.no_indptr[row] : known.no_indptr[row + 1]].tolist())
        for column, value in enumerate(known.values):
            of_type = {at for at, other in enumerate(known.values) if other.type == value.type}
            if column in yes:
                expected = YES
            elif column in stated or value.complete or (value.exclusive and yes & of_type):
                expected = NO
            else:
                expected = UNKNOWN
            assert answers[row, column] == expected


def test_an_image_id_is_sixteen_digits() -> None:
    known = knowledge([], [Row()])
    assert known.image_id(0) == "000000000000000a"
    assert replace(known, ids=np.array([2**64 - 1], np.uint64)).image_id(0) == "f" * 16


def test_attributes_are_the_columns_of_a_row() -> None:
    known = knowledge(two_types(), [Row(yes=(1, 4)), Row(), Row(yes=(0,))])
    assert [known.attributes(row).tolist() for row in range(3)] == [[1, 4], [], [0]]


def test_what_was_looked_at_and_not_told_stays_unknown() -> None:
    """A vote that is unsure is not overruled by what a catalog is said to list."""
    complete = [Value(type="front", value=name, complete=True) for name in ("bow", "zip")]
    known = replace(
        knowledge(complete, [Row(yes=(0,)), Row(yes=(0,))]),
        unsure_indptr=np.array([0, 1, 1]),
        unsure=np.array([1], np.int32),
    )
    assert known.answers([0, 1]).tolist() == [[YES, UNKNOWN], [YES, NO]]
    assert known.answers([1, 0]).tolist() == [[YES, NO], [YES, UNKNOWN]]
