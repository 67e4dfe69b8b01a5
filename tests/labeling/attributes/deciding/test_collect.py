"""Rows of votes become ballots, in whatever order they come."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import WorkspaceError
from benchwright.knowledge import Value
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.codes import ABSTAINED, NOT_ASKED, SAID_NO, SAID_YES
from labeling.attributes.deciding.collect import collect
from labeling.attributes.deciding.weights import Question

VALUES = (
    Value(type="colour", value="blue", exclusive=True),
    Value(type="colour", value="red", exclusive=True),
    Value(type="detail", value="bow"),
    Value(type="detail", value="zip"),
)
ASKED = tuple(
    Question(voter=name, template="t1", view=view) for name in "ab" for view in ("x", "y")
)
NAMES = (
    *("image_id", "object_id", "type", "value", "voter", "template", "view"),
    *("answer", "p_yes", "status"),
)


def row(
    image: str = "i1",
    object_id: str | None = None,
    value: tuple[str, str] = ("detail", "bow"),
    question: tuple[str, str, str] = ("a", "t1", "x"),
    answer: str | None = "yes",
    p_yes: float | None = None,
    status: str = "ok",
) -> tuple[Any, ...]:
    return (image, object_id, *value, *question, answer, p_yes, status)


def table(*rows: Sequence[Any]) -> pa.Table:
    kinds = [pa.float64() if name == "p_yes" else pa.string() for name in NAMES]
    columns = [[each[at] for each in rows] for at in range(len(NAMES))]
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)],
        names=list(NAMES),
    )


def same(first: Ballots, second: Ballots) -> bool:
    return (
        first.image_ids.equals(second.image_ids)
        and first.object_ids.equals(second.object_ids)
        and first.subjects.tolist() == second.subjects.tolist()
        and first.columns.tolist() == second.columns.tolist()
        and first.answers.tolist() == second.answers.tolist()
        and first.left_out == second.left_out
    )


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        ("yes", "ok", SAID_YES),
        ("no", "ok", SAID_NO),
        ("unsure", "ok", ABSTAINED),
        (None, "ok", ABSTAINED),
        (None, "refused", ABSTAINED),
        (None, "truncated", ABSTAINED),
        ("yes", "truncated", ABSTAINED),  # the status says that it does not count
        ("no", "unparsed", ABSTAINED),
        (None, "failed", NOT_ASKED),
        ("yes", "failed", NOT_ASKED),
    ],
)
def test_what_a_vote_counts_as(answer: str | None, status: str, code: int) -> None:
    ballots = collect([table(row(answer=answer, status=status))], VALUES, ASKED)
    assert ballots.answers.tolist() == [[code], [0], [0], [0]]


def test_subjects_values_and_questions_are_sorted() -> None:
    ballots = collect(
        [
            table(row("i2"), row("i1", "o2", value=("detail", "zip"))),
            table(row("i1", question=("b", "t1", "y")), row("i1", "o1")),
        ],
        VALUES[::-1],
        ASKED[::-1],
    )
    assert ballots.values == VALUES
    assert ballots.questions == ASKED
    assert ballots.image_ids.to_pylist() == ["i1", "i1", "i1", "i2"]
    assert ballots.object_ids.to_pylist() == [None, "o1", "o2", None]  # the picture itself first
    assert ballots.columns.tolist() == [2, 2, 3, 2]
    assert ballots.answers.tolist() == [[0, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert ballots.name(2) == "i1/o2 detail: zip"


def test_an_exclusive_type_has_all_its_values() -> None:
    # red was so sure that blue was never asked for; a single type has what was asked alone
    ballots = collect([table(row(value=("colour", "red")), row("i2"))], VALUES, ASKED)
    assert ballots.subjects.tolist() == [0, 0, 1]
    assert ballots.columns.tolist() == [0, 1, 2]
    assert ballots.answers[0].tolist() == [NOT_ASKED, SAID_YES, SAID_YES]


def test_what_is_not_planned_is_left_out_and_counted() -> None:
    rows = [
        row(),
        row(question=("c", "t1", "x")),  # a voter of another day
        row(question=("a", "t2", "x")),
        row(value=("detail", "frill")),
        row(value=("colour", "bow")),  # a known type and a known value, but not together
    ]
    ballots = collect([table(*rows)], VALUES, ASKED)
    assert ballots.left_out == 4
    assert len(ballots) == 1


def test_no_votes_are_no_ballots() -> None:
    for tables in ([], [table()]):
        ballots = collect(tables, VALUES, ASKED)
        assert len(ballots) == 0
        assert ballots.answers.shape == (4, 0)


def test_the_same_answer_twice_counts_once_and_a_failure_not_at_all() -> None:
    rows = [row(), row(answer=None, status="failed"), row(), row(answer=None, status="failed")]
    ballots = collect([table(*rows)], VALUES, ASKED)
    assert ballots.answers[:, 0].tolist() == [SAID_YES, 0, 0, 0]


def test_two_unlike_answers_are_an_error_that_names_the_first() -> None:
    rows = [row("i2"), row("i2", answer="no"), row("i3"), row("i1"), row("i1", answer=None)]
    for order in (rows, rows[::-1]):
        with pytest.raises(WorkspaceError, match="two unlike answers") as caught:
            collect([table(*order[:2]), table(*order[2:])], VALUES, ASKED, source="w/votes")
        assert str(caught.value).startswith("w/votes: ")
        assert "i1 detail: bow, voter a, template t1, view x" in str(caught.value)
        assert "run label-attributes ask again with --force" in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answer": "perhaps"}, "has the answer 'perhaps' (wanted yes, no, unsure)"),
        ({"status": "lost"}, "has the status 'lost' (wanted ok, refused, "),
    ],
)
def test_what_no_vote_can_say_is_an_error(fields: dict[str, str], said: str) -> None:
    bad = row("i2", "o1", **fields)  # type: ignore[arg-type]
    with pytest.raises(WorkspaceError) as caught:
        collect([table(row(), bad, row("i3"))], VALUES, ASKED, source="w/votes")
    where = "w/votes: the vote of a on i2/o1 detail: bow, template t1, view x, "
    assert str(caught.value).startswith(where + said)
    assert "; run label-attributes ask again with --force" in str(caught.value)


def test_a_question_planned_twice_is_a_bug() -> None:
    with pytest.raises(ValueError, match="twice"):
        collect([], VALUES, [ASKED[0], ASKED[0]])


def test_probabilities_are_kept_when_they_are_wanted() -> None:
    rows = [row(p_yes=0.75), row("i2"), row("i3", p_yes=0.25, answer="no")]
    ballots = collect([table(*rows)], VALUES, ASKED, with_p_yes=True)
    assert ballots.p_yes is not None
    np.testing.assert_array_equal(ballots.p_yes[0], np.array([0.75, np.nan, 0.25], np.float32))
    assert np.isnan(ballots.p_yes[1:]).all()
    assert collect([table(*rows)], VALUES, ASKED).p_yes is None


def test_a_probability_counts_where_the_status_is_ok() -> None:
    rows = [
        row("i1", p_yes=0.75, answer="unsure"),
        row("i2", p_yes=0.75, answer=None, status="refused"),
    ]
    ballots = collect([table(*rows)], VALUES, ASKED, with_p_yes=True)
    assert ballots.p_yes is not None
    np.testing.assert_array_equal(ballots.p_yes[0], np.array([0.75, np.nan], np.float32))


def test_columns_may_be_dictionaries_in_chunks_of_their_own() -> None:
    parts = [table(row("i2"), row("i1", answer="no")), table(row("i3", "o"), row("i0"))]
    plain = collect(parts, VALUES, ASKED)
    coded = [
        pa.table(
            {
                name: part[name].dictionary_encode() if name != "p_yes" else part[name]
                for name in NAMES
            }
        )
        for part in parts
    ]
    assert same(plain, collect([pa.concat_tables(coded)], VALUES, ASKED))


@st.composite
def many_rows(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    key = st.tuples(
        st.sampled_from(["i1", "i2", "i3"]),
        st.sampled_from([None, "o1", "o2"]),
        st.sampled_from([(value.type, value.value) for value in VALUES]),
        st.sampled_from([(each.voter, each.template, each.view) for each in ASKED]),
    )
    keys = draw(st.lists(key, unique=True, max_size=30))
    said = st.sampled_from(
        [("yes", "ok"), ("no", "ok"), ("unsure", "ok"), (None, "refused"), (None, "failed")]
    )
    rows = []
    for each in keys:
        answer, status = draw(said)
        rows.append(row(*each, answer, None, status))
    return rows


@settings(max_examples=200)
@given(many_rows(), st.randoms(use_true_random=False), st.integers(0, 30))
def test_neither_the_order_of_rows_nor_the_cut_into_tables_matters(
    rows: list[tuple[Any, ...]], random: Any, cut: int
) -> None:
    turned = random.sample(rows, len(rows))
    whole = collect([table(*rows)], VALUES, ASKED)
    assert same(whole, collect([table(*turned[:cut]), table(*turned[cut:])], VALUES, ASKED))
    answered = sum(each[-1] != "failed" for each in rows)
    assert (whole.answers != NOT_ASKED).sum() == answered


def test_a_part_of_an_exclusive_type_cannot_be_taken(small: SimpleNamespace) -> None:
    ballots = small.ballots(
        np.ones((2, 6), np.uint8), small.questions(1, 2), values=3, exclusive=True
    )
    part = ballots.take(np.array([3, 4, 5]))
    assert part.subjects.tolist() == [1, 1, 1]
    assert part.answers.shape == (2, 3)
    with pytest.raises(ValueError, match="whole"):
        ballots.take(np.array([2, 3, 4, 5]))


def test_questions_that_failed_are_counted_for_each_cell() -> None:
    lost = {"answer": None, "status": "failed"}
    rows = [
        row(**lost),
        row(question=("a", "t1", "y"), **lost),
        row(question=("a", "t1", "y"), **lost),  # twice is once
        row(question=("b", "t1", "x")),
        row(value=("detail", "zip"), **lost),
        row(value=("detail", "zip")),  # the same question, answered
        row(value=("detail", "zip"), question=("b", "t1", "y"), answer=None, status="refused"),
    ]
    for parts in ([rows], [rows[:5], rows[5:]], [rows[5:], rows[:5]]):
        found = collect([table(*part) for part in parts], VALUES, ASKED)
        assert found.failed is not None
        assert found.failed.tolist() == [2, 0]
        assert found.take(np.array([0])).failed.tolist() == [2]  # type: ignore[union-attr]
    assert collect([table(rows[3])], VALUES, ASKED).failed is None


def test_an_error_names_a_value_on_one_line() -> None:
    strange = Value(type="detail", value="a\nb" + "c" * 5000)
    about = ("detail", strange.value)
    votes = table(row(value=about), row(value=about, answer="no"))
    with pytest.raises(WorkspaceError, match="two unlike answers") as caught:
        collect([votes], [strange], ASKED)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
