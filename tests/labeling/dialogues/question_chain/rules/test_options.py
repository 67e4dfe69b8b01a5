"""When the length of an option tells that it is the true one."""

import pytest

from benchwright.records import ChainStep
from labeling.dialogues.question_chain.rules.options import check_lengths
from stand_ins.chains import step


def steps_of(*lengths: tuple[int, int, int]) -> list[ChainStep]:
    """Return steps whose answers are so long: the true one first."""
    return [
        step(f"What is thing {at}?", "t" * true, wrong=["a" * one, "b" * other])
        for at, (true, one, other) in enumerate(lengths)
    ]


@pytest.mark.parametrize(
    ("lengths", "reason"),
    [
        # half as long again as the next, in every step; the next is the longest wrong one
        ([(30, 20, 10), (30, 20, 10)], "longest"),
        ([(30, 20, 10), (30, 10, 20)], "longest"),
        # a letter less
        ([(29, 20, 10), (30, 20, 10)], None),
        # eight characters more, and seven
        ([(12, 4, 4), (12, 4, 4)], "longest"),
        ([(11, 4, 4), (12, 4, 4)], None),
        # long alone is not by far: eight more of thirty
        ([(38, 30, 30), (38, 30, 30)], None),
        # shortest likewise
        ([(20, 30, 40), (20, 30, 40)], "shortest"),
        ([(20, 29, 40), (20, 30, 40)], None),
        # longest in one step, shortest in the other
        ([(30, 20, 10), (20, 30, 40)], None),
        # one step is no pattern
        ([(30, 20, 10)], None),
    ],
)
def test_by_far_is_half_as_long_again_and_eight_characters(
    lengths: list[tuple[int, int, int]], reason: str | None
) -> None:
    found = check_lengths(steps_of(*lengths))
    assert found["question-lengths"] is None
    assert found["answer-lengths"] == (
        f"the true option is by far the {reason} in every step; level the lengths"
        if reason
        else None
    )
