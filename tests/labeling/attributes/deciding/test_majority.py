"""Weighted majorities of whole arrays, with exclusive types, bounds and what is settled."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.knowledge import Value
from labeling.attributes.deciding import ballots as ballots_module
from labeling.attributes.deciding.codes import NO, NOT_ASKED, UNSURE, YES
from labeling.attributes.deciding.majority import majority
from labeling.attributes.deciding.rule import Rule
from labeling.attributes.deciding.savings import savings
from labeling.attributes.deciding.table import labels_table
from labeling.attributes.deciding.weights import equal_weights, share_weights

NAN = float("nan")


@pytest.mark.parametrize(
    ("cell", "label", "settled", "low", "high", "counted", "missing"),
    [
        ("yyyy", YES, True, 1.0, 1.0, 4, 0),
        ("yyyn", YES, True, 0.75, 0.75, 4, 0),
        ("yynn", UNSURE, True, 0.5, 0.5, 4, 0),  # a tie
        ("y---", YES, True, 1.0, 1.0, 1, 0),  # the others abstained
        ("----", UNSURE, True, NAN, NAN, 0, 0),
        ("yyy.", YES, True, 0.75, 1.0, 3, 1),  # nothing can change it
        ("yy-.", YES, True, 2 / 3, 1.0, 2, 1),
        ("yy..", YES, False, 0.5, 1.0, 2, 2),  # it could become a tie
        ("nnn.", NO, True, 0.0, 0.25, 3, 1),
        ("....", UNSURE, False, 0.0, 1.0, 0, 4),
    ],
)
def test_one_voter_of_four_questions(
    small: SimpleNamespace,
    cell: str,
    label: int,
    settled: bool,
    low: float,
    high: float,
    counted: int,
    missing: int,
) -> None:
    questions = small.questions(1, 4)
    ballots = small.ballots(small.spelled(cell), questions)
    decision = majority(ballots, share_weights(questions, [{"v0": 1}]), Rule())
    assert decision.answer.tolist() == [label]
    assert decision.settled.tolist() == [settled]
    np.testing.assert_array_equal(decision.score_low, [low])
    np.testing.assert_array_equal(decision.score_high, [high])
    np.testing.assert_array_equal(decision.score, [low if missing == 0 else NAN])
    assert decision.counted.tolist() == [counted]
    assert decision.missing.tolist() == [missing]


@pytest.mark.parametrize(
    ("cells", "margin", "labels"),
    [
        (("yyyn", "yynn", "nnnn"), "0", [YES, NO, NO]),  # unsure gives way to a yes
        (("yyyn", "yyyy", "nnnn"), "0", [NO, YES, NO]),  # the highest score
        (("yyyn", "nyyy", "yyyy"), "0", [NO, NO, YES]),
        (("yyyn", "nyyy", "nnnn"), "0", [YES, NO, NO]),  # a tie: the first name
        (
            ("yyy-", "yyyy", "nnnn"),
            "0",
            [YES, NO, NO],
        ),  # three of three are as much as four of four
        (("yynn", "nnnn", "nnny"), "0", [UNSURE, NO, NO]),  # without a yes they stand
        (("yyyn", "nnny", "yynn"), "0.3", [UNSURE, UNSURE, UNSURE]),
    ],
)
def test_exclusive_types(
    small: SimpleNamespace, cells: tuple[str, ...], margin: str, labels: list[int]
) -> None:
    questions = small.questions(1, 4)
    ballots = small.ballots(small.spelled(*cells), questions, values=3, exclusive=True)
    weights = share_weights(questions, [{"v0": 1}] * 3)
    decision = majority(ballots, weights, Rule.parse(margin))
    assert decision.answer.tolist() == labels
    assert decision.settled.all()


@pytest.mark.parametrize(
    ("cells", "p_yes", "weights", "labels"),
    [
        # the greater mean, whichever name comes first
        (("yyy", "yyy"), ((6, 6, 6), (7, 7, 7)), (1, 1, 1), [NO, YES]),
        (("yyy", "yyy"), ((7, 7, 7), (6, 6, 6)), (1, 1, 1), [YES, NO]),
        # the mean and no single vote: 5 against 6
        (("yyy", "yyy"), ((9, 3, 3), (6, 6, 6)), (1, 1, 1), [NO, YES]),
        # as sure: the first name
        (("yyy", "yyy"), ((9, 3, 6), (6, 6, 6)), (1, 1, 1), [YES, NO]),
        # the higher score wins, however sure the other is
        (("yyn", "yyy"), ((9, 9, 9), (6, 6, 6)), (1, 1, 1), [NO, YES]),
        # over the votes that have one: 9 against the mean of 9, 8, 8
        (("yyy", "yyy"), ((9, 8, 8), (None, 9, None)), (1, 1, 1), [NO, YES]),
        # one of the two has none: the first name
        (("yyy", "yyy"), ((None, None, None), (9, 9, 9)), (1, 1, 1), [YES, NO]),
        # one of three has none: the first name, though the last is surer than the first
        (("yyy", "yyy", "yyy"), ((1, 1, 1), (None,) * 3, (9, 9, 9)), (1, 1, 1), [YES, NO, NO]),
        # one that does not tie has none: the surer of those that do
        (("yyy", "yyn", "yyy"), ((1, 1, 1), (None,) * 3, (9, 9, 9)), (1, 1, 1), [NO, NO, YES]),
        # a vote of no counts too, and so does unsure: 4 against 5 at two of three and of two
        (("yyn", "ynn", "yny"), ((8, 3, 1), (9, 9, 9), (8, 1, 6)), (1, 1, 1), [NO, NO, YES]),
        (("yy-", "yyy"), ((7, 7, 1), (6, 6, 6)), (1, 1, 1), [NO, YES]),
        # what weighs nothing says nothing, and what weighs more says no more: 6 against 5
        (("yyy", "yyy"), ((6, 6, 1), (5, 5, 9)), (1, 1, 0), [YES, NO]),
        (("yyy", "yyy"), ((2, 8, 8), (5, 5, 5)), (5, 1, 1), [YES, NO]),
        # none is yes: they stand
        (("nnn", "ynn"), ((9, 9, 9), (1, 1, 1)), (1, 1, 1), [NO, NO]),
    ],
)
def test_at_a_tie_the_surer_value_wins(
    small: SimpleNamespace,
    cells: tuple[str, ...],
    p_yes: tuple[tuple[int | None, ...], ...],
    weights: tuple[int, ...],
    labels: list[int],
) -> None:
    """``p_yes`` is in tenths, one row for each value."""
    ballots = small.ballots(
        small.spelled(*cells),
        small.questions(1, 3),
        values=len(cells),
        exclusive=True,
        p_yes=np.array([[np.nan if p is None else p / 10 for p in row] for row in p_yes]).T,
    )
    decision = majority(ballots, np.array([weights] * len(cells)), Rule())
    assert decision.answer.tolist() == labels
    assert decision.settled.all()


def test_sureness_is_compared_in_whole_numbers(small: SimpleNamespace) -> None:
    # 0.1 + 0.2 is 0.3 in ten-thousandths, if not in floating point: the first name
    ballots = small.ballots(
        small.spelled("yyy", "yyy"),
        small.questions(1, 3),
        values=2,
        exclusive=True,
        p_yes=np.array([[0.3, 0.0, 0.0], [0.1, 0.2, 0.0]]).T,
    )
    weights = equal_weights(ballots.questions, 2)
    assert majority(ballots, weights, Rule()).answer.tolist() == [YES, NO]
    # one ten-thousandth of one vote more
    assert ballots.p_yes is not None
    ballots.p_yes[0, 1] = 0.1001
    assert majority(ballots, weights, Rule()).answer.tolist() == [NO, YES]


@pytest.mark.parametrize(
    ("cells", "settled"),
    [
        # both asked in full: p_yes decides
        (("yy", "yy", "nn"), [True, True, True]),
        # the last may tie, and while it may the others are not told apart
        (("yy", "yy", "y."), [False, False, False]),
        # one no rules it out
        (("yy", "yy", "n."), [True, True, True]),
        # no question was asked of it: it may tie
        (("yy", "nn", ".."), [False, True, False]),
    ],
)
def test_a_tie_is_settled_when_both_were_asked_in_full(
    small: SimpleNamespace, cells: tuple[str, ...], settled: list[bool]
) -> None:
    ballots = small.ballots(
        small.spelled(*cells),
        small.questions(1, 2),
        values=3,
        exclusive=True,
        p_yes=np.full((2, 3), 0.9),
    )
    decision = majority(ballots, equal_weights(ballots.questions, 3), Rule())
    assert decision.settled.tolist() == settled


def test_types_and_subjects_are_settled_apart(
    small: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    # two exclusive types of two values and a single one, twice
    questions = small.questions(1, 2)
    cells = ("yy", "n.", "nn", "yy", "y-") * 2
    plain = small.ballots(small.spelled(*cells), questions, values=5)
    kinds = (("a", True), ("a", True), ("b", True), ("b", True), ("c", False))
    values = tuple(
        Value(type=name, value=f"{at}", exclusive=exclusive)
        for at, (name, exclusive) in enumerate(kinds)
    )
    ballots = replace(plain, values=values)
    for most in (1, 3, 100):
        monkeypatch.setattr(ballots_module, "_CHUNK", most)
        decision = majority(ballots, equal_weights(questions, 5), Rule())
        assert decision.answer.tolist() == [YES, NO, NO, YES, YES] * 2
        assert decision.settled.all()
    monkeypatch.setattr(ballots_module, "_CHUNK", 1)
    bounds = [(chunk.start, chunk.stop) for chunk in ballots.chunks()]
    assert bounds == [(0, 2), (2, 4), (4, 5), (5, 7), (7, 9), (9, 10)]


def test_the_heavier_voter_wins(small: SimpleNamespace) -> None:
    questions = small.questions(3, 3)
    ballots = small.ballots(small.spelled("yyynnnnnn", "yyynnnnny", "nnnyyy---"), questions)
    by_weight = share_weights(questions, [{"v0": 2, "v1": 1, "v2": 1}])
    assert majority(ballots, by_weight, Rule()).answer.tolist() == [UNSURE, YES, NO]
    alike = share_weights(questions, [{"v0": 1, "v1": 1, "v2": 1}])
    assert majority(ballots, alike, Rule()).answer.tolist() == [NO, NO, UNSURE]


@settings(max_examples=60)
@given(st.data())
def test_any_number_of_cells_follows_the_definition(
    small: SimpleNamespace, data: st.DataObject
) -> None:
    values, subjects, asked = (data.draw(st.integers(1, most)) for most in (5, 6, 5))
    exclusive = data.draw(st.booleans())
    seed = data.draw(st.integers(0, 2**32))
    random = np.random.default_rng(seed)
    answers = random.integers(0, 4, (asked, values * subjects)).astype(np.uint8)
    weights = random.integers(0, 4, (values, asked))
    weights[:, 0] += 1
    rule = Rule.parse(
        data.draw(st.sampled_from(["0", "0.1", "0.25"])), data.draw(st.sampled_from(["0", "0.4"]))
    )
    ballots = small.ballots(answers, small.questions(1, asked), values=values, exclusive=exclusive)
    expected = []
    for subject in range(subjects):
        cells = answers[:, subject * values : (subject + 1) * values].T
        expected += small.fractions(rule).labels(
            cells.tolist(), weights.tolist(), exclusive=exclusive
        )
    with pytest.MonkeyPatch.context() as patch:
        # chunks of a few cells must not cut a type in two
        patch.setattr(ballots_module, "_CHUNK", data.draw(st.integers(1, 7)))
        decision = majority(ballots, weights, rule)
    assert decision.answer.tolist() == expected
    once = majority(ballots, weights, rule)
    assert decision.settled.tolist() == once.settled.tolist()
    open_ = ((answers == NOT_ASKED) & (weights[ballots.columns].T > 0)).any(axis=0)
    assert decision.settled[~open_].all() or exclusive


def test_no_cells_make_no_labels(small: SimpleNamespace) -> None:
    questions = small.questions(1, 2)
    ballots = small.ballots(np.zeros((2, 0), np.uint8), questions)
    decision = majority(ballots, share_weights(questions, [{"v0": 1}]), Rule())
    assert decision.answer.tolist() == []
    assert labels_table(ballots, decision).num_rows == 0


def test_the_table_of_labels(small: SimpleNamespace) -> None:
    questions = small.questions(1, 4)
    ballots = small.ballots(small.spelled("yyy.", "yy..", "yyyn", "----"), questions)
    decision = majority(ballots, share_weights(questions, [{"v0": 1}]), Rule())
    rows = labels_table(ballots, decision).to_pylist()
    assert rows[0] == {
        "image_id": "0000000000000000",
        "object_id": None,
        "type": "colour",
        "value": "c00",
        "answer": "yes",
        "score": None,  # one vote is not there
        "score_low": 0.75,
        "score_high": 1.0,
        "margin": 0.25,  # at least
        "votes_counted": 3,
        "votes_saved": 1,
        "origin": "voted",
        "auditor": None,
    }
    # what an unsettled label lacks is not saved
    assert (rows[1]["answer"], rows[1]["votes_saved"], rows[1]["margin"]) == ("yes", 0, 0.0)
    assert (rows[2]["score"], rows[2]["margin"]) == (0.75, 0.25)
    assert (rows[3]["answer"], rows[3]["score"], rows[3]["score_low"]) == ("unsure", None, None)
    assert rows[3]["margin"] == 0.0


def test_an_open_value_of_which_nothing_was_answered_has_no_row(small: SimpleNamespace) -> None:
    questions = small.questions(1, 3)
    for exclusive, cells, kept in (
        (False, ("yy.", "..."), ["c00"]),
        # the first is a sure yes, and one no of the second is enough
        (True, ("yyy", "n.."), ["c00", "c01"]),
        # the second might tie, and be the surer
        (True, ("yyy", "..."), ["c00"]),
        # the second might win yet
        (True, ("nn.", "..."), ["c00"]),
    ):
        ballots = small.ballots(small.spelled(*cells), questions, values=2, exclusive=exclusive)
        decision = majority(ballots, share_weights(questions, [{"v0": 1}] * 2), Rule())
        rows = labels_table(ballots, decision).to_pylist()
        assert [row["value"] for row in rows] == kept


def test_failed_questions_are_not_saved(small: SimpleNamespace) -> None:
    questions = small.questions(1, 5)
    ballots = small.ballots(small.spelled("yyy..", "nnn..", "yy..."), questions)
    tried = replace(ballots, failed=np.array([1, 0, 2], np.int32))
    weights = share_weights(questions, [{"v0": 1}])
    saved = [
        labels_table(each, majority(each, weights, Rule())).column("votes_saved").to_pylist()
        for each in (ballots, tried)
    ]
    assert saved == [[2, 2, 0], [1, 2, 0]]
    nothing = np.zeros(3, bool)
    found = savings(tried, majority(tried, weights, Rule()), nothing, weights, Rule(), seed=0)
    assert found.saved == 3
