"""Who checks what: never an author, in either round another, whole scenarios, and as before."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.question_chain.dealing.checkers import (
    ROUNDS,
    Deal,
    Dealt,
    Round,
    ToCheck,
    deal,
)

PEOPLE = ("ana", "bo", "cy", "dee", "eli")


def written(scenario: str, writer: str, count: int, first: int = 0) -> list[ToCheck]:
    return [
        ToCheck(
            chain_id=f"{scenario}-{number}", scenario=scenario, writers=frozenset({writer, "model"})
        )
        for number in range(first, first + count)
    ]


def holders(found: Deal, number: Round) -> dict[str, set[str]]:
    """Return who checks something of each scenario."""
    people: dict[str, set[str]] = defaultdict(set)
    for row in found.rows:
        if row.round == number:
            people[row.scenario].add(row.auditor)
    return dict(people)


def loads(found: Deal, number: Round) -> Counter[str]:
    return Counter(row.auditor for row in found.rows if row.round == number)


THE_PAPER = [
    chain
    for number in range(15)
    for chain in written(f"s{number:02}", PEOPLE[number // 3], 40 + number)
]


@pytest.mark.parametrize("seed", range(5))
def test_as_in_the_paper_five_people_get_three_scenarios_each(seed: int) -> None:
    found = deal(THE_PAPER, PEOPLE, seed)
    assert found.undealt == ()
    writer = {one.scenario: one.writers - {"model"} for one in THE_PAPER}
    checkers = [holders(found, number) for number in ROUNDS]
    for by_scenario in checkers:
        assert len(by_scenario) == 15
        assert all(len(some) == 1 for some in by_scenario.values())  # whole
        assert Counter(name for (name,) in by_scenario.values()) == dict.fromkeys(PEOPLE, 3)
    for scenario, (first, second) in {
        name: (checkers[0][name], checkers[1][name]) for name in writer
    }.items():
        assert len({*first, *second, *writer[scenario]}) == 3
    both = loads(found, 1) + loads(found, 2)
    assert max(both.values()) - min(both.values()) < 40  # less than a scenario


def test_the_seed_decides() -> None:
    assert len({deal(THE_PAPER, PEOPLE, seed).rows for seed in range(5)}) == 5


def test_a_scenario_of_all_goes_by_chains_and_evenly() -> None:
    chains = [one for name in PEOPLE for one in written("map", name, 4, 4 * PEOPLE.index(name))]
    found = deal(chains, PEOPLE, 0)
    assert found.undealt == ()
    for number in ROUNDS:
        assert holders(found, number) == {"map": set(PEOPLE)}
        assert loads(found, number) == dict.fromkeys(PEOPLE, 4)


def test_a_scenario_that_one_can_take_whole_goes_by_chains_in_the_other_round() -> None:
    chains = [*written("map", "ana", 3), *written("map", "bo", 3, 3)]
    found = deal(chains, ["ana", "bo", "cy"], 0)
    assert holders(found, 1) == {"map": {"cy"}}
    assert holders(found, 2) == {"map": {"ana", "bo"}}
    assert found.undealt == ()


@pytest.mark.parametrize(
    ("auditors", "dealt", "reason"),
    [
        # one of two wrote it; who wrote it is not there; nobody else is there
        (["ana", "bo"], [1], "the only one who did not write it checks it in the other round"),
        (["bo"], [1], "the only one who did not write it checks it in the other round"),
        (["ana"], [], "everybody wrote it"),
    ],
)
def test_what_cannot_be_is_listed(auditors: list[str], dealt: list[int], reason: str) -> None:
    found = deal(written("map", "ana", 2), auditors, 0)
    for chain_id in ("map-0", "map-1"):
        assert [row.round for row in found.rows if row.chain_id == chain_id] == dealt
        missing = [row for row in found.undealt if row.chain_id == chain_id]
        assert [row.round for row in missing] == [each for each in ROUNDS if each not in dealt]
        assert {row.reason for row in missing} == {reason}


def test_who_could_not_judge_it_is_dealt_another() -> None:
    (chain,) = written("map", "ana", 1)
    first = deal([chain], ["ana", "bo", "cy"], 0)
    checker = first.rows[0].auditor
    stuck = replace(chain, unsure=frozenset({checker}))
    found = deal([stuck], ["ana", "bo", "cy"], 0, first.rows)
    # the other one kept round 2, and takes round 1 now
    assert {row.auditor for row in found.rows} == {"bo", "cy"}
    assert found.rows[0].auditor != checker
    nobody = deal([replace(chain, unsure=frozenset({"bo", "cy"}))], ["ana", "bo", "cy"], 0)
    assert [(row.round, row.reason) for row in nobody.undealt] == [
        (1, "who is left could not judge it")
    ]


def test_who_checked_it_has_it_whoever_was_dealt_it() -> None:
    (chain,) = written("map", "ana", 1)
    found = deal([replace(chain, checked={1: "zoe"})], ["bo", "cy"], 0)
    assert [row.auditor for row in found.rows if row.round == 1] == ["zoe"]
    kept = [Dealt(chain_id="map-0", round=2, scenario="map", auditor="bo")]
    found = deal([replace(chain, checked={1: "bo"})], ["bo", "cy"], 0, kept)
    assert [row.auditor for row in found.rows] == ["bo", "cy"]


def test_who_writes_it_after_all_does_not_check_it() -> None:
    (chain,) = written("map", "ana", 1)
    first = deal([chain], PEOPLE, 0)
    gone = first.rows[0].auditor
    found = deal([replace(chain, writers=chain.writers | {gone})], PEOPLE, 0, first.rows)
    assert gone not in {row.auditor for row in found.rows}
    assert found.rows[1] == first.rows[1]


def test_who_never_comes_hands_over_whole_scenarios() -> None:
    first = deal(THE_PAPER, PEOPLE, 0)
    rest = PEOPLE[:-1]
    found = deal(THE_PAPER, rest, 0, first.rows)
    assert found.undealt == ()
    stays = [row for row in first.rows if row.auditor != "eli"]
    assert set(stays) <= set(found.rows)
    # what eli had in a round goes whole to another, unless the three of them are all taken
    for number in ROUNDS:
        assert all("eli" not in some for some in holders(found, number).values())


def test_more_chains_of_a_scenario_go_to_who_has_the_others() -> None:
    first = deal(THE_PAPER, PEOPLE, 0)
    more = [*THE_PAPER, *written("s07", PEOPLE[2], 30, 200)]
    found = deal(more, [*PEOPLE, "fay"], 1, first.rows)
    assert set(first.rows) <= set(found.rows)
    for number in ROUNDS:
        assert holders(found, number) == holders(first, number)


@pytest.mark.parametrize("seed", range(6))
def test_the_rest_of_a_scenario_goes_to_one_who_knows_nothing_of_it(seed: int) -> None:
    """Ana wrote other chains of it, so that the new one is not for her while others are there."""
    first = deal(written("map", "ana", 2), ["ana", "bo", "cy"], seed)
    more = [*written("map", "ana", 2), *written("map", "bo", 1, 2)]
    found = deal(more, ["ana", "bo", "cy", "dee", "eli"], seed, first.rows)
    new = {row.round: row.auditor for row in found.rows if row.chain_id == "map-2"}
    # cy has the others of one round; bo of the other, and wrote it
    (of_cy,) = (row.round for row in first.rows if (row.chain_id, row.auditor) == ("map-0", "cy"))
    assert new.pop(of_cy) == "cy"
    assert set(new.values()) <= {"dee", "eli"}


def dealt(number: Round, auditor: str, *chains: ToCheck) -> list[Dealt]:
    return [
        Dealt(chain_id=one.chain_id, round=number, scenario=one.scenario, auditor=auditor)
        for one in chains
    ]


@pytest.mark.parametrize("seed", range(3))
def test_whoever_has_fewer_scenarios_of_a_round_gets_the_next(seed: int) -> None:
    large, *small = (written(f"s{n}", "ana", size) for n, size in enumerate([9, 1, 1]))
    kept = [*dealt(1, "bo", *large), *dealt(1, "cy", *small[0], *small[1])]
    chains = [*large, *small[0], *small[1], *written("new", "ana", 2)]
    found = deal(chains, ["ana", "bo", "cy"], seed, kept)
    assert holders(found, 1)["new"] == {"bo"}
    # and of as many, the smaller
    found = deal(chains[:-3] + chains[-2:], ["ana", "bo", "cy"], seed, kept)
    assert holders(found, 1)["new"] == {"cy"}


@pytest.mark.parametrize("seed", range(3))
def test_whoever_has_fewer_chains_of_a_round_gets_the_next(seed: int) -> None:
    names = PEOPLE[:4]
    chains = [one for n, name in enumerate(names) for one in written("map", name, 1, n)]
    other = written("other", "ana", 5)
    kept = [
        *dealt(1, "bo", chains[0]),
        *dealt(1, "ana", chains[1]),
        *dealt(1, "bo", *other),
        *dealt(2, "cy", *other),  # much to do, in the other round
    ]
    found = deal([*chains, *other], names, seed, kept)
    first = {row.chain_id: row.auditor for row in found.rows if row.round == 1}
    assert (first["map-2"], first["map-3"]) == ("dee", "cy")


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[ToCheck], list[str]]:
    """Return chains of few scenarios, some of them checked, and one to five people."""
    auditors = draw(st.lists(st.sampled_from(PEOPLE), min_size=1, max_size=5, unique=True))
    chains = []
    for number in range(draw(st.integers(0, 9))):
        writers = draw(st.sets(st.sampled_from((*PEOPLE, "model")), min_size=1, max_size=2))
        others = sorted({*PEOPLE, "zoe"} - writers)
        names = draw(st.lists(st.sampled_from(others), max_size=2, unique=True))
        checked = dict(zip(ROUNDS, names, strict=False))
        unsure = draw(st.sets(st.sampled_from(PEOPLE), max_size=2)) - set(names)
        chains.append(
            ToCheck(
                chain_id=f"c{number}",
                scenario=draw(st.sampled_from("xyz")),
                writers=frozenset(writers),
                checked=checked,
                unsure=frozenset(unsure) if len(names) < 2 else frozenset(),
            )
        )
    return chains, auditors


def able(chain: ToCheck, auditors: Sequence[str], number: Round) -> set[str]:
    unsure = chain.unsure if number == len(chain.checked) + 1 else frozenset[str]()
    others = {name for at, name in chain.checked.items() if at != number}
    return set(auditors) - chain.writers - unsure - others


def most_rounds(chain: ToCheck, auditors: Sequence[str]) -> int:
    """Return in how many rounds a chain can be checked at most."""
    first, second = (
        {chain.checked[number]} if number in chain.checked else able(chain, auditors, number)
        for number in ROUNDS
    )
    ways = product(first | {""}, second | {""})
    return max(len({one, other} - {""}) for one, other in ways)


@given(tables(), st.integers(0, 3), st.data())
def test_a_deal_holds_whatever_is_dealt(
    table: tuple[list[ToCheck], list[str]], seed: int, data: st.DataObject
) -> None:
    chains, auditors = table
    found = deal(chains, auditors, seed)
    by_chain: dict[str, dict[int, str]] = defaultdict(dict)
    for row in found.rows:
        assert row.round not in by_chain[row.chain_id]
        by_chain[row.chain_id][row.round] = row.auditor
    for one in chains:
        got = by_chain[one.chain_id]
        assert len(got) == most_rounds(one, auditors)
        assert len(set(got.values())) == len(got)
        assert not set(got.values()) & one.writers
        for number, name in got.items():
            assert name == one.checked.get(number, name)  # type: ignore[call-overload]
            assert number in one.checked or name in able(one, auditors, number)  # type: ignore[arg-type]
        missing = [row.round for row in found.undealt if row.chain_id == one.chain_id]
        assert sorted([*got, *missing]) == list(ROUNDS)

    # in whatever order they are given
    mixed = data.draw(st.permutations(chains)), data.draw(st.permutations(auditors))
    assert deal(*mixed, seed) == found
    # dealt again with any seed, with one more of them or with one chain less, it stays
    assert deal(chains, auditors, seed + 1, found.rows) == found
    more = deal(chains, [*auditors, "fay"], seed, found.rows)
    undealt = {row.chain_id for row in found.undealt}
    assert {row for row in found.rows if row.chain_id not in undealt} <= set(more.rows)
    assert len(more.undealt) <= len(found.undealt)
    less = deal(chains[1:], auditors, seed, found.rows)
    assert less.rows == tuple(row for row in found.rows if row.chain_id != "c0")


@given(tables(), st.integers(0, 3))
def test_no_other_deal_of_single_chains_is_more_even(
    table: tuple[list[ToCheck], list[str]], seed: int
) -> None:
    """One scenario that ana and bo and cy wrote, so that no one can take it whole."""
    chains, auditors = table
    names = [name for name in auditors if name != "eli"]
    chains = [
        replace(one, scenario="x", checked={}, unsure=frozenset(), writers=frozenset({writer}))
        for one, writer in zip(chains[:6], PEOPLE * 2, strict=False)
    ]
    found = deal(chains, names, seed)
    if any(len(some) == 1 for some in holders(found, 1).values()):
        return
    choices = [sorted(some) for one in chains if (some := able(one, names, 1))]
    best = min(sum(n * n for n in Counter(way).values()) for way in product(*choices))
    assert sum(n * n for n in loads(found, 1).values()) == best
