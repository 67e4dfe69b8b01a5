import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import Answer
from labeling.dialogues.false_premise.seeing.settling import Settled, agreed, settled

Y: Answer = "yes"
N: Answer = "no"
U: Answer = "unsure"

CASES: list[tuple[list[Answer | None], Settled]] = [
    ([Y], "yes"),  # the only voter
    ([N], "no"),
    ([U], None),
    ([None], None),  # who gave no answer
    ([], None),  # nobody was asked
    ([Y, Y], "yes"),
    ([Y, N], None),
    ([Y, None], None),  # half of those asked is too few
    ([Y, U], None),
    ([Y, Y, N], "yes"),  # two thirds
    ([Y, N, N], "no"),
    ([Y, Y, None], "yes"),
    ([Y, N, None], None),
    ([Y, None, None], None),  # a single voice among three
    ([Y, Y, N, N], None),
    ([Y, Y, Y, N], "yes"),
    ([Y, Y, Y, N, N], None),  # 0.6 is under two thirds
    ([N, N, N, N, Y, None], "no"),
    ([U, U, U], None),
]


@pytest.mark.parametrize(("answers", "outcome"), CASES)
def test_what_voters_settle(answers: list[Answer | None], outcome: Settled) -> None:
    assert settled(answers) == outcome


_ANSWERS = st.lists(st.sampled_from([Y, N, U, None]), max_size=9)
_OTHER: dict[Answer | None, Answer | None] = {Y: N, N: Y}


@given(answers=_ANSWERS, data=st.data())
def test_no_voter_counts_more_than_another_and_yes_no_more_than_no(
    answers: list[Answer | None], data: st.DataObject
) -> None:
    outcome = settled(answers)
    assert settled(data.draw(st.permutations(answers))) == outcome
    turned = {None: None, "yes": "no", "no": "yes"}[outcome]
    assert settled([_OTHER.get(answer, answer) for answer in answers]) == turned


@given(answers=_ANSWERS)
def test_a_further_voice_for_what_is_settled_never_unsettles_it(
    answers: list[Answer | None],
) -> None:
    outcome = settled(answers)
    if outcome is not None:
        assert settled([*answers, outcome]) == outcome


@pytest.mark.parametrize(
    ("answers", "one"),
    [
        ([Y], Y),
        ([Y, Y], Y),
        ([N, N], N),
        ([U, U], U),
        ([Y, N], U),  # who says both knows neither
        ([Y, U], U),
        ([U, N], U),
    ],
)
def test_a_voter_says_what_it_says_to_all_wordings(answers: list[Answer], one: Answer) -> None:
    assert agreed(answers) == one
