"""A voter's weight is shared equally by its questions, in whole numbers."""

import pytest

from benchwright.errors import UsageError
from labeling.attributes.deciding.weights import Question, equal_weights, share_weights, voters_of


def asked(**counts: int) -> list[Question]:
    return [
        Question(voter=name, template=f"t{at}", view="low")
        for name, count in counts.items()
        for at in range(count)
    ]


@pytest.mark.parametrize(
    ("counts", "weights", "shared"),
    [
        ({"a": 3, "b": 3}, {"a": 1, "b": 1}, [1] * 6),  # all alike
        ({"a": 9, "b": 9, "c": 9}, {"a": 2, "b": 1, "c": 1}, [2] * 9 + [1] * 18),
        ({"a": 2, "b": 3}, {"a": 1, "b": 1}, [3, 3, 2, 2, 2]),  # each voter 6 of 12
        ({"a": 4, "b": 6}, {"a": 3, "b": 1}, [9] * 4 + [2] * 6),  # 36 and 12
        ({"a": 1, "b": 1}, {"a": 100, "b": 50}, [2, 1]),  # what is common is taken out
        ({"a": 2, "b": 1}, {"a": 0, "b": 5}, [0, 0, 1]),  # a voter may weigh nothing
        ({"a": 3}, {"a": 7}, [1, 1, 1]),
    ],
)
def test_weights_are_shared(
    counts: dict[str, int], weights: dict[str, int], shared: list[int]
) -> None:
    assert share_weights(asked(**counts), [weights]).tolist() == [shared]


def test_each_value_may_have_weights_of_its_own() -> None:
    table = share_weights(asked(a=2, b=3), [{"a": 1, "b": 1}, {"a": 3, "b": 0}])
    assert table.tolist() == [[3, 3, 2, 2, 2], [9, 9, 0, 0, 0]]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"a": 1}, "'b'"),  # a voter without weight
        ({"a": 1, "b": -1}, "-1"),
        ({"a": 1, "b": 1.5}, "1.5"),  # no whole number
        ({"a": 1, "b": True}, "True"),
        ({"a": 0, "b": 0}, "0 together"),
        ({"a": 1, "b": 2**31}, "smaller"),
    ],
)
def test_other_weights_are_refused(weights: dict[str, int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        share_weights(asked(a=1, b=1), [weights])


def test_voters_are_named_once_in_order() -> None:
    assert voters_of(asked(b=2, a=3)) == ("a", "b")


def test_an_unweighted_vote_counts_voters_not_questions() -> None:
    assert equal_weights(asked(a=2, b=3), 2).tolist() == [[3, 3, 2, 2, 2]] * 2
    assert equal_weights(asked(a=2), 0).shape == (0, 2)
