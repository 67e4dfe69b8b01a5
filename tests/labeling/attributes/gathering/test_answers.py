"""What is taken of what a model says of a type."""

import pytest

from labeling.attributes.gathering.answers import Asked, Ideas, LaterAnswer, SaidValue, take


@pytest.mark.parametrize(
    ("why", "kept"),
    [
        ("it is  a\nsize", "it is a size"),
        ("w" * 160, "w" * 160),
        ("w" * 161, "w" * 159 + "…"),
        ("a\x1b[2Jb", "a [2Jb"),  # would clear a terminal
    ],
)
def test_a_reason_is_one_short_line(why: str, kept: str) -> None:
    ideas = Ideas()
    answer = LaterAnswer(merges=[], not_visual=[SaidValue(value="XL", why=why)])
    take(ideas, answer, Asked(type="cut", values=("XL",)))
    assert ideas.set_aside == {"XL": kept}
