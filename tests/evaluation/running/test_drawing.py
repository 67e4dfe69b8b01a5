"""Which items are played where not all are."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.running.drawing import drawn

ITEMS = st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=20)


@given(ITEMS, st.integers(1, 20), st.integers(0, 3))
def test_more_hold_the_fewer_in_their_order(items: list[str], count: int, seed: int) -> None:
    fewer, more = (drawn(items, str, number, seed) for number in (count, count + 1))
    assert [one for one in more if one in set(fewer)] == list(fewer)
    assert len(set(fewer)) == min(count, len(set(items)))
    assert [one for one in items if one in set(fewer)] == list(fewer)


def test_null_means_all() -> None:
    assert drawn(["b", "a"], str, None, 0) == ("b", "a")


def test_items_of_one_id_are_drawn_together() -> None:
    turns = [("x", 1), ("y", 1), ("x", 2), ("y", 2)]
    found = drawn(turns, lambda one: one[0], 1, 0)
    assert found in ((("x", 1), ("x", 2)), (("y", 1), ("y", 2)))


def test_what_is_drawn_hangs_on_no_order() -> None:
    items = [f"d{number}" for number in range(30)]
    assert set(drawn(items, str, 7, 3)) == set(drawn(items[::-1], str, 7, 3))
    assert set(drawn(items, str, 7, 3)) != set(drawn(items, str, 7, 4))
