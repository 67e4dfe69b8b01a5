"""Asking with the early stop gives the labels of asking everything, for every plan."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.records import AttributeType, AttributeValue, Vote
from benchwright.rows import to_table
from benchwright.seeds import draw
from labeling.attributes.deciding.ballots import Ballots
from labeling.attributes.deciding.collect import collect
from labeling.attributes.deciding.majority import majority
from labeling.attributes.vocabulary.vocabulary import Vocabulary
from labeling.attributes.voting.ensemble import Ensemble
from labeling.attributes.voting.plan import VotingPlan, plan_of
from labeling.attributes.voting.poll import Group, Poll
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.voter import Ballot

Answer = Callable[[int, int], Ballot]  # of a value and a question
BALLOTS = {
    "yes": Ballot(answer="yes", status="ok"),
    "no": Ballot(answer="no", status="ok"),
    "unsure": Ballot(answer="unsure", status="ok"),
    "refused": Ballot(answer=None, status="refused"),
    "failed": Ballot(answer=None, status="failed"),
}


def subject(image_id: str = "0" * 16, object_id: str | None = None) -> Subject:
    return Subject(
        image_id=image_id,
        object_id=object_id,
        path=Path("p.png"),
        sha256="0" * 64,
        width=40,
        height=30,
        bbox=None,
        noun="dress",
    )


def vocabulary(types: Sequence[tuple[bool, int]]) -> Vocabulary:
    """Return so many values of each type, which is exclusive or not."""
    return Vocabulary(
        types=tuple(
            AttributeType(
                type=f"t{at}", aliases=(), exclusive=exclusive, complete=False, askable=True
            )
            for at, (exclusive, _) in enumerate(types)
        ),
        values=tuple(
            AttributeValue(
                type=f"t{at}", value=f"v{number}", aliases=(), templates=("a?", "b?", "c?")
            )
            for at, (_, count) in enumerate(types)
            for number in range(count)
        ),
    )


def plan(
    weights: Sequence[int] = (1,),
    types: Sequence[tuple[bool, int]] = ((False, 1),),
    *,
    seed: int = 0,
    by_value: Sequence[Sequence[int]] | None = None,
    **more: object,
) -> VotingPlan:
    voters = [
        {"kind": "scripted", "name": f"v{at}", "labels": "x", "weight": weight}
        for at, weight in enumerate(weights)
    ]
    said = {"voters": voters, "views": {"low": {}}, "templates": 3, "full": 0, **more}
    fitted = [{f"v{at}": each for at, each in enumerate(row)} for row in by_value or []]
    return plan_of(
        Ensemble.model_validate(said), vocabulary(types), seed=seed, by_value=fitted or None
    )


def asked(poll: Poll, answer: Answer) -> list[Group]:
    """Ask until the end; return what was asked."""
    groups = []
    while (group := poll.next()) is not None:
        groups.append(group)
        poll.record(group, [answer(value, group[0]) for value in group[1]])
    return groups


@dataclass(frozen=True)
class Held:
    """What the stored votes say: answer and settled of each (type, value)."""

    labels: dict[tuple[str, str], int]
    settled: dict[tuple[str, str], bool]


def held(votes: Iterable[Vote], of: VotingPlan) -> Held:
    table = to_table(list(votes), Vote)
    ballots: Ballots = collect([table], of.values, of.questions, with_p_yes=True)
    decision = majority(ballots, of.weights, of.rule)
    cells = [(ballots.values[at].type, ballots.values[at].value) for at in ballots.columns.tolist()]
    return Held(
        dict(zip(cells, decision.answer.tolist(), strict=True)),
        dict(zip(cells, decision.settled.tolist(), strict=True)),
    )


def everything(of: VotingPlan, answer: Answer, seen: Subject) -> list[Vote]:
    poll = Poll(seen, of)
    for question in range(len(of.questions)):
        for value in range(len(of.values)):
            poll._votes.append(poll._vote(value, question, answer(value, question)))
    return poll.votes()


@st.composite
def plans(drawn: st.DrawFn, values_per_call: st.SearchStrategy[int]) -> VotingPlan:
    types = drawn(st.lists(st.tuples(st.booleans(), st.integers(1, 4)), min_size=1, max_size=3))
    weights = drawn(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    values = sum(count for _, count in types)
    row = st.lists(st.integers(0, 3), min_size=len(weights), max_size=len(weights)).filter(any)
    return plan(
        weights,
        types,
        seed=drawn(st.integers(0, 1000)),
        by_value=drawn(st.none() | st.lists(row, min_size=values, max_size=values)),
        margin=drawn(st.sampled_from(["0", "0.1", "0.25", "0.4"])),
        quorum=drawn(st.sampled_from(["0", "0", "0.3", "0.75", "1"])),
        full=drawn(st.sampled_from(["0", "0", "0.5", "1"])),
        templates=drawn(st.integers(1, 3)),
        views={name: {} for name in ("low", "high")[: drawn(st.integers(1, 2))]},
        values_per_call=drawn(values_per_call),
    )


def answers(seed: int, shares: Sequence[int], kinds: Sequence[str]) -> Answer:
    """Answer by hashes; a value leans to yes or to no, as the real ones do.

    By the seed all answers have a p_yes, some or none.
    """
    leaning = [kind for kind, share in zip(kinds, shares, strict=True) for _ in range(share)]

    def answer(value: int, question: int) -> Ballot:
        if draw(seed, "leans", str(value)) % 3:
            lean = "yes" if draw(seed, "which", str(value)) % 3 == 0 else "no"
        else:
            lean = leaning[draw(seed, "any", str(value), str(question)) % len(leaning)]
        drawn = draw(seed, "answer", str(value), str(question))
        ballot = BALLOTS[leaning[drawn // 5 % len(leaning)] if drawn % 5 < 2 else lean]
        p_yes = draw(seed, "p_yes", str(value), str(question))
        has_one = ballot.status == "ok" and p_yes // 5 % 2 < seed % 3
        return replace(ballot, p_yes=p_yes % 5 / 4) if has_one else ballot

    return answer


def shares(kinds: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 3), min_size=kinds, max_size=kinds).filter(any)


WITHOUT_FAILURES = ("yes", "no", "unsure", "refused")


@settings(max_examples=250)
@given(plans(st.integers(1, 5)), st.integers(0, 10**6), shares(4))
def test_labels_are_those_of_the_full_vote(of: VotingPlan, seed: int, parts: list[int]) -> None:
    answer = answers(seed, parts, WITHOUT_FAILURES)
    seen = subject()
    poll = Poll(seen, of)
    groups = asked(poll, answer)
    put = [(value, question) for question, values in groups for value in values]
    assert len(put) == len(set(put)) <= len(of.values) * len(of.questions)
    most = of.ensemble.values_per_call
    assert all(1 <= len(values) <= most for _, values in groups)
    full = held(everything(of, answer, seen), of)
    found = held(poll.votes(), of)
    assert found.labels == full.labels
    assert all(found.settled.values())
    if poll.is_full:
        assert len(put) == len(of.values) * len(of.questions)


def asked_in_rounds(poll: Poll, answer: Answer) -> list[Group]:
    """Ask round by round until the end; return what was asked."""
    groups = []
    while some := poll.soonest():
        groups += some
        for group in some:
            poll.record(group, [answer(value, group[0]) for value in group[1]])
    return groups


@settings(max_examples=200)
@given(plans(st.integers(1, 5)), st.integers(0, 10**6), shares(4), st.booleans())
def test_no_way_of_asking_makes_more_calls_than_all_questions_fill(
    of: VotingPlan, seed: int, parts: list[int], in_rounds: bool
) -> None:
    answer = answers(seed, parts, WITHOUT_FAILURES)
    poll = Poll(subject(), of)
    groups = (asked_in_rounds if in_rounds else asked)(poll, answer)
    put = [(value, question) for question, values in groups for value in values]
    assert len(put) == len(set(put))
    most = of.ensemble.values_per_call
    assert all(1 <= len(values) <= most for _, values in groups)
    assert len(groups) <= len(of.questions) * -(-len(of.values) // most)
    full = held(everything(of, answer, subject()), of)
    assert held(poll.votes(), of) == full


def test_groups_of_a_round_are_filled_up() -> None:
    of = plan((1, 1, 1), ((False, 20),), values_per_call=8)
    poll = Poll(subject(), of)
    groups = asked_in_rounds(poll, lambda _value, _question: BALLOTS["no"])
    assert {len(values) for _, values in groups} == {8}
    alone = Poll(subject(), plan((1, 1, 1), ((False, 20),)))
    # with one value a call nothing is asked that is not wanted
    assert len(asked_in_rounds(alone, lambda _value, _question: BALLOTS["no"])) == 20 * 5


@settings(max_examples=100)
@given(plans(st.integers(1, 4)), st.integers(0, 10**6), shares(5))
def test_failed_questions_stay_open(of: VotingPlan, seed: int, parts: list[int]) -> None:
    answer = answers(seed, parts, (*WITHOUT_FAILURES, "failed"))
    seen = subject()
    poll = Poll(seen, of)
    groups = asked(poll, answer)
    put = [(value, question) for question, values in groups for value in values]
    assert len(put) == len(set(put))  # one that failed is not put again in this run
    full, found = held(everything(of, answer, seen), of), held(poll.votes(), of)
    for cell, is_settled in found.settled.items():
        if is_settled:
            assert full.settled[cell]
            assert full.labels[cell] == found.labels[cell]

    # the next run is given the same answers, and now one to what failed
    def mended(value: int, question: int) -> Ballot:
        said = answer(value, question)
        return BALLOTS["no"] if said.status == "failed" else said

    again = Poll(seen, of)
    asked(again, mended)
    assert held(again.votes(), of).labels == held(everything(of, mended, seen), of).labels
    assert all(held(again.votes(), of).settled.values())


@settings(max_examples=60)
@given(plans(st.just(1)), st.integers(0, 10**6), shares(4), st.data())
def test_a_settled_value_is_never_asked(
    of: VotingPlan, seed: int, parts: list[int], data: st.DataObject
) -> None:
    answer = answers(seed, parts, WITHOUT_FAILURES)
    poll = Poll(subject(), of)
    if poll.is_full:
        return
    groups = asked(poll, answer)
    # the votes before a few of the questions, looked at by the rule for stored votes
    for at in data.draw(st.sets(st.integers(0, len(groups) - 1), max_size=6)):
        before = Poll(subject(), of)
        for group in groups[:at]:
            before.record(group, [answer(group[1][0], group[0])])
        value = of.values[groups[at][1][0]]
        assert not held(before.votes(), of).settled.get((value.type, value.value), False)


def test_values_that_are_open_are_asked_together() -> None:
    of = plan((1,), ((False, 3), (True, 2)), values_per_call=4)
    poll = Poll(subject(), of)
    question, values = poll.next() or (0, ())
    assert values == (0, 1, 2, 3)
    poll.record((question, values), [BALLOTS["no"]] * 4)
    other, values = poll.next() or (0, ())
    # the same question to the one that was left out, or another to those that are open
    assert (other == question and values == (4,)) or (other != question and len(values) == 4)
    poll.record((other, values), [BALLOTS["no"]] * len(values))
    groups = asked(poll, lambda _value, _question: BALLOTS["no"])
    # two of three answers settle each of five values: ten answers in four calls at the least
    assert sum(len(values) for _, values in groups) + 4 + len(values) >= 10
    assert len(groups) + 2 <= 5


def test_every_question_of_a_full_picture_is_asked() -> None:
    of = plan((1, 1), ((False, 2), (True, 3)), full="0.5", seed=3)
    counts = {}
    for at in range(40):
        poll = Poll(subject(f"{at:016x}"), of)
        counts[poll.is_full] = len(asked(poll, lambda _value, _question: BALLOTS["no"]))
    assert counts[True] == 5 * 6
    assert counts[False] < 5 * 6


def test_a_clip_voter_is_asked_about_all_values_at_once_where_all_are_asked() -> None:
    entries = [{"kind": "scripted", "name": "a", "labels": "x"}]
    entries.append({"kind": "clip", "name": "b", "model": "embedded"})
    types = ((False, 3), (True, 4))
    of = plan(types=types, full=1, voters=entries)
    counts: dict[str, list[int]] = {"a": [], "b": []}
    poll = Poll(subject(), of)
    for question, values in asked(poll, answers(1, [1, 1, 1, 1], WITHOUT_FAILURES)):
        counts[of.questions[question].voter].append(len(values))
    assert counts == {"a": [1] * 7 * 3, "b": [7] * 3}
    # the votes are those of every question, in the order of all votes
    assert poll.votes() == everything(of, answers(1, [1, 1, 1, 1], WITHOUT_FAILURES), subject())
    # where labels are settled on the way it is asked one by one, as the others are
    groups = asked(Poll(subject(), plan(types=types, voters=entries)), lambda *_: BALLOTS["no"])
    assert {len(values) for _, values in groups} == {1}


def test_the_heaviest_is_asked_first_and_ties_are_spread() -> None:
    of = plan((1, 3), ((False, 1),))
    firsts = set()
    for at in range(60):
        number, _ = Poll(subject(f"{at:016x}"), of).next() or (0, ())
        assert of.questions[number].voter == "v1"
        firsts.add(of.questions[number].template)
    assert firsts == {"1", "2", "3"}
    # objects of one picture, too, do not begin all alike
    begun = {(Poll(subject("1" * 16, str(at)), of).next() or (0, ()))[0] for at in range(30)}
    assert len(begun) == 3


@pytest.mark.parametrize("status", ["refused", "truncated", "unparsed"])
def test_what_is_no_answer_abstains_and_is_kept(status: str) -> None:
    of = plan((1,), ((False, 1),))
    poll = Poll(subject(), of)
    asked(poll, lambda _value, _question: Ballot(answer=None, status=status, answer_key="k"))  # type: ignore[arg-type]
    votes = poll.votes()
    assert [(vote.status, vote.answer, vote.answer_key) for vote in votes] == [
        (status, None, "k")
    ] * 3
    assert held(votes, of) == Held({("t0", "v0"): 0}, {("t0", "v0"): True})


ORDER = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from test_poll import BALLOTS, Poll, asked, plan, subject
of = plan((2, 1, 1), ((True, 4), (False, 3)), full="0.2", seed=5, values_per_call=3)
said = [asked(Poll(subject(f"{at:016x}"), of),
              lambda value, question: BALLOTS["yes" if (value + question + at) % 3 else "no"])
        for at in range(20)]
print(hashlib.sha256(json.dumps(said).encode()).hexdigest())
"""


def test_the_order_does_not_hang_on_the_hash_seed() -> None:
    found = {
        subprocess.run(
            [sys.executable, "-c", ORDER, str(Path(__file__).parent)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
