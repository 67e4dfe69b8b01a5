"""Agreement as pure functions: what is taken, listed, refused, and what merges make of values."""

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.gathering.agreement import merged_values, settle
from labeling.attributes.gathering.answers import Group, Ideas
from labeling.attributes.gathering.applying import apply
from labeling.attributes.gathering.proposals import TEXT_DISTANCE, Proposal
from labeling.attributes.gathering.proposing import proposals_of
from labeling.attributes.vocabulary.vocabulary import Vocabulary, check


def merge(one: str, other: str, **more: Any) -> Proposal:
    values = tuple(sorted((one, other)))
    return Proposal(kind="merge", type="t", values=values, keep=other, **more)


@pytest.mark.parametrize(
    ("proposed", "accepted", "declined", "place"),
    [
        ("ab", "", "", "taken"),  # both said it
        ("a", "b", "", "taken"),  # one said it, the other accepts it
        ("", "ab", "", "taken"),  # text distance said it, both accept
        ("a", "", "", "listed"),  # one alone
        ("", "", "", "listed"),  # text distance alone
        ("", "a", "", "listed"),  # text distance and one
        ("a", "", "b", "refused"),  # one against one
        ("", "", "a", "refused"),  # nobody stands behind it
        ("a", "b", "c", "taken"),  # two of three
        ("a", "b", "cd", "refused"),  # as many against it
        ("ab", "c", "de", "taken"),
        ("ab", "", "cde", "refused"),
    ],
)
@pytest.mark.parametrize("kind", ["merge", "set aside", "add", "rename", "move"])
def test_who_is_enough(kind: Any, proposed: str, accepted: str, declined: str, place: str) -> None:
    by = tuple(proposed) or (TEXT_DISTANCE,)
    one = Proposal(
        kind=kind,
        type="t",
        values=("x", "y") if kind == "merge" else ("x",),
        proposed_by=by,
        accepted_by=tuple(accepted),
        declined_by=tuple(declined),
    )
    settled = settle([one], most_added=9)
    expected = "listed" if kind == "move" and place == "taken" else place
    assert getattr(settled, expected) == (one,)
    assert sum(map(len, (settled.taken, settled.listed, settled.refused))) == 1


def test_a_merge_that_a_refusal_forbids_is_listed() -> None:
    # a = b by three, b = c by two, and a = c is refused: the weaker one waits
    strong = merge("a", "b", proposed_by=("x", "y", "z"))
    weak = merge("b", "c", proposed_by=("x", "y"))
    never = merge("a", "c", proposed_by=("x",), declined_by=("y", "z"))
    settled = settle([weak, never, strong], most_added=0)
    assert settled.taken == (strong,)
    assert [one.note for one in settled.listed] == ["would merge 'a' and 'c', which is refused"]


def test_two_names_for_a_type_and_two_types_of_a_name() -> None:
    def rename(kind: str, name: str, by: str) -> Proposal:
        return Proposal(kind="rename", type=kind, values=(name,), proposed_by=tuple(by))

    best, other = rename("t", "neck line", "abc"), rename("t", "neckline part", "ab")
    twins = [rename("u", "trim", "ab"), rename("v", "Trim", "ab")]
    settled = settle([other, *twins, best], most_added=0)
    assert settled.taken == (best,)
    assert sorted(one.note for one in settled.listed) == [
        "'neck line' is taken",
        "two types would have this name",
        "two types would have this name",
    ]


def test_so_many_alternatives_are_taken_and_no_more() -> None:
    adds = [
        Proposal(kind="add", type=kind, values=(name,), proposed_by=tuple(by))
        for kind in "tu"
        for name, by in (("x", "ab"), ("y", "abc"), ("z", "ab"))
    ]
    settled = settle(adds, most_added=2)
    assert [f"{one.type}{one.values[0]}" for one in settled.taken] == ["tx", "ty", "ux", "uy"]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("a", "b")], {"b": ["a", "b"]}),
        ([("a", "b"), ("b", "a")], {"a": ["a", "b"]}),  # a cycle of two: the more pictures
        ([("a", "b"), ("b", "c")], {"c": ["a", "b", "c"]}),  # a chain: c as b, which has none
        ([("a", "b"), ("b", "c"), ("c", "a")], {"a": ["a", "b", "c"]}),  # a cycle
        ([("a", "b"), ("c", "d")], {"b": ["a", "b"], "d": ["c", "d"]}),
        ([("a", "satin"), ("satin", "a")], {"satin": ["a", "satin"]}),  # a well-known term
        ([("a", "b"), ("c", "b"), ("b", "d")], {"b": ["a", "b", "c", "d"]}),  # most want b
    ],
)
def test_chains_and_cycles_become_one_value(pairs: Any, expected: Any) -> None:
    pictures = {("t", "a"): 9, ("t", "c"): 5, ("t", "satin"): 1}
    merges = [merge(one, into, proposed_by=("x",)) for one, into in pairs]
    for order in (merges, merges[::-1]):
        found = merged_values(order, pictures)
        assert {one.keep: list(one.values) for one in found} == expected


names = st.sampled_from("abcdefgh")
voters = st.frozensets(st.sampled_from(["v1", "v2", "v3", "v4"]))
merges = st.builds(
    lambda pair, by, accepted, declined, flip: merge(
        *(sorted(pair) if flip else sorted(pair)[::-1]),
        proposed_by=tuple(sorted(by)) or (TEXT_DISTANCE,),
        accepted_by=tuple(sorted(accepted - by)),
        declined_by=tuple(sorted(declined - accepted - by)),
    ),
    st.frozensets(names, min_size=2, max_size=2),
    voters,
    voters,
    voters,
    st.booleans(),
)
others = st.builds(
    lambda kind, value, by, accepted, declined: Proposal(
        kind=kind,
        type="t",
        values=() if kind in ("set aside type", "exclusive", "not askable") else (value,),
        proposed_by=tuple(sorted(by)),
        accepted_by=tuple(sorted(accepted - by)),
        declined_by=tuple(sorted(declined - accepted - by)),
    ),
    st.sampled_from(["set aside", "set aside type", "add", "rename", "exclusive", "not askable"]),
    st.sampled_from([*"abcdefghij", "t", "T T"]),
    voters,
    voters,
    voters,
)
proposals = st.lists(merges | others, max_size=14, unique_by=Proposal.order)


@given(proposals, st.randoms(use_true_random=False), st.integers(0, 3))
def test_the_order_of_proposals_is_nothing(
    made: list[Proposal], chance: random.Random, most: int
) -> None:
    expected = settle(made, most_added=most)
    mixed = made[:]
    chance.shuffle(mixed)
    assert settle(mixed, most_added=most) == expected
    assert apply(letters(), mixed, {}) == apply(letters(), made, {})


@given(proposals, st.integers(0, 3))
def test_each_proposal_has_one_place_and_takes_two(made: list[Proposal], most: int) -> None:
    settled = settle(made, most_added=most)
    placed = [*settled.taken, *settled.listed, *settled.refused]
    assert sorted(one.order() for one in placed) == sorted(one.order() for one in made)
    for one in settled.taken:
        assert len(one.supporters()) >= 2
        assert len(one.supporters()) > len(one.declined_by)
    for one in settled.refused:
        assert len(one.declined_by) >= max(1, len(one.supporters()))


@given(st.lists(merges, max_size=20, unique_by=lambda one: one.values))
def test_what_is_refused_is_never_merged_by_way_of_others(made: list[Proposal]) -> None:
    settled = settle(made, most_added=0)
    groups = merged_values(settled.taken, {})
    apart = {one.values for one in settled.refused}
    for group in groups:
        assert group.keep in group.values
        assert apart.isdisjoint(combinations(group.values, 2))
    held = [value for group in groups for value in group.values]
    assert len(held) == len(set(held))
    # nothing is held back without a reason: each listed one would join a refused pair
    enough = [one for one in settled.listed if len(one.supporters()) > max(1, len(one.declined_by))]
    assert all(one.note for one in enough)


def letters() -> Vocabulary:
    """A type t with eight values, one with an alias, and one whose column another type uses."""
    kinds = tuple(
        AttributeType(type=name, aliases=(), exclusive=False, complete=False, askable=True)
        for name in ("t", "u")
    )
    values = [
        AttributeValue(type="t", value=name, aliases=aliases, templates=())
        for name, aliases in [*((one, ()) for one in "bcdefgh"), ("a", ("alpha", "u: alef"))]
    ]
    values.append(AttributeValue(type="u", value="x", aliases=("t: ex",), templates=()))
    in_order = sorted(values, key=lambda value: (value.type, value.value))
    return Vocabulary(types=kinds, values=tuple(in_order))


@given(proposals)
def test_no_spelling_is_lost_whatever_is_taken(made: list[Proposal]) -> None:
    before = letters()
    applied = apply(before, made, {})
    check(applied.vocabulary)  # it can be read again
    after = applied.vocabulary.lookup().keys() | applied.vocabulary.aside().keys()
    assert before.lookup().keys() <= after
    # what was taken once is taken: a second time changes nothing but what was added
    taken = [one for one in made if one not in applied.void and one.kind != "rename"]
    again = apply(applied.vocabulary, taken, {})
    assert all(one.kind in ("add", "merge") for one in again.void)


groups = st.lists(
    st.builds(
        lambda values, keep: Group(
            values=tuple(sorted(values)), keep=min(values) if keep else None, why=""
        ),
        st.frozensets(names, min_size=2, max_size=4),
        st.booleans(),
    ),
    max_size=3,
)


@given(st.dictionaries(st.sampled_from(["v1", "v2", "v3"]), groups))
def test_who_proposes_a_merge(said: dict[str, list[Group]]) -> None:
    ideas = {voter: Ideas(groups=some) for voter, some in said.items()}
    found = proposals_of("t", ideas, [], (), {})
    turned = proposals_of("t", dict(reversed(ideas.items())), [], (), {})
    assert found == turned
    assert len({one.values for one in found}) == len(found)
    for one in found:
        assert one.proposed_by
        assert one.keep in one.values
    # what all voters say is what one of them says
    agreed = [one for one in found if set(one.proposed_by) == set(said)]
    if len(set(map(repr, said.values()))) == 1:
        assert agreed == found


def test_a_pair_within_a_larger_group_counts_for_its_voter() -> None:
    ideas = {
        "v1": Ideas(groups=[Group(values=("a", "b", "c"), keep="b", why="")]),
        "v2": Ideas(groups=[Group(values=("a", "c"), keep="c", why="same")]),
    }
    found = {one.values: one for one in proposals_of("t", ideas, [], (), {})}
    assert {pair: one.proposed_by for pair, one in found.items()} == {
        ("a", "b"): ("v1",),
        ("b", "c"): ("v1",),
        ("a", "c"): ("v1", "v2"),
    }
    assert found["a", "c"].keep == "c"
