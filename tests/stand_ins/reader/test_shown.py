"""What the reader takes for the same output."""

import pytest

from stand_ins.reader.shown import not_said


# what is shown, what was said, with numbers or without: what is missing
@pytest.mark.parametrize(
    ("shown", "said", "with_numbers", "missing"),
    [
        (["one 1", "two"], "zero\none  1\ntwo\n", True, []),
        (["one 2"], "one 1\n", True, ["one 2"]),
        (["one 2,000 (1.5%)"], "one 1 (20.25%)\n", False, []),
        # in this order alone
        (["two", "one"], "one\ntwo\n", True, ["one"]),
        (["...", "two"], "one\ntwo\n", True, []),
        (["one, …"], "one, two, three\n", True, []),
        (["one, …"], "two, one\n", True, ["one, …"]),
        # the commit of a Hub is a number
        (["at c44d74cff87e"], "at 0123456789ab\n", False, []),
    ],
)
def test_what_is_shown_is_compared(
    shown: list[str], said: str, with_numbers: bool, missing: list[str]
) -> None:
    assert not_said(shown, said, with_numbers=with_numbers) == missing
