"""From a catalog to vocabulary.yaml with models that agree, differ, err or fail."""

from collections.abc import Callable
from typing import Any

import pytest

from benchwright.asking.questions import Filled
from benchwright.asking.reading import read_structured
from benchwright.asking.replies import Reply
from benchwright.asking.session import Spending
from benchwright.asking.voters import Voter
from benchwright.errors import BudgetSpent, UsageError
from benchwright.workspace import Workspace
from labeling.attributes.gathering.gather import (
    GatheredVocabulary,
    accept_proposals,
    gather_vocabulary,
    vocabulary_estimates,
)
from labeling.attributes.gathering.proposals import Proposal
from labeling.attributes.gathering.proposals_file import load_proposals, proposals_path
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.vocabulary.vocabulary import load_vocabulary
from stand_ins.models import Question, Turn

KNOWING: dict[str, Any] = {
    "groups": {
        "colour": [("navy", "midnight sky")],
        "neck": [("round", "crew"), ("v-cut", "v cutt")],
    },
    "junk": {"colour": {"size 9": "a size"}},
    "unseen": {"brand": "a brand"},
    "adds": {"colour": ["teal"]},
    "names": {"neck": "neckline"},
    "askable": {"neck": False},
}
TAKEN = {
    "merge colour: midnight sky = navy",
    "merge neck: crew = round",
    "merge neck: v cutt = v-cut",
    "set aside colour: size 9",
    "set aside type brand",
    "add colour: teal",
    "rename neck: neckline",
    "not askable neck",
}
BY_TEXT_DISTANCE = "merge neck: v cutt = v-cut"


def names(proposals: tuple[Proposal, ...]) -> set[str]:
    return {one.names()[-1] for one in proposals}


def said(result: GatheredVocabulary) -> tuple[set[str], set[str], set[str]]:
    settled = result.settled
    return names(settled.taken), names(settled.listed), names(settled.refused)


def as_in_file(workspace: Workspace) -> tuple[str, str]:
    return (
        workspace.vocabulary.read_text("utf-8"),
        proposals_path(workspace).read_text("utf-8"),
    )


def test_what_two_models_say_is_taken(shop: Workspace, sage: Any, panel: Any) -> None:
    two = panel({"a": sage(**KNOWING), "b": sage(**KNOWING)})
    result = gather_vocabulary(shop, two.voters)
    assert said(result) == (TAKEN, set(), set())
    assert (result.unread, result.ignored) == ({}, {})
    vocabulary = load_vocabulary(shop.vocabulary)
    assert vocabulary == result.vocabulary
    assert {f"{one.type}: {one.value}": one.aliases for one in vocabulary.values} == {
        "colour: navy": ("midnight sky",),
        "colour: red": (),
        "colour: teal": (),
        "neckline: round": ("crew",),
        "neckline: v-cut": ("v cutt",),
    }
    assert {f"{one.type}: {one.spelling}": one.reason for one in vocabulary.set_aside} == {
        "brand: acme": "a brand",
        "brand: zorb": "a brand",
        "colour: size 9": "a size",
    }
    (neck,) = [one for one in vocabulary.types if one.type == "neckline"]
    assert (neck.aliases, neck.askable) == (("neck",), False)

    labels = normalise(shop)
    assert labels.left_out == {}  # what is set aside is not forgotten
    assert labels.manifest.reasons == {"set_aside": 9}
    assert labels.manifest.counts["labels"] == 15
    assert ("colour", "teal") not in labels.pictures  # no picture is said to have it


def test_one_model_alone_takes_nothing(shop: Workspace, sage: Any, panel: Any) -> None:
    by_rule = normalise(shop).vocabulary
    result = gather_vocabulary(shop, panel({"a": sage(**KNOWING)}).voters)
    assert said(result) == (set(), TAKEN, set())
    assert result.vocabulary == by_rule == load_vocabulary(shop.vocabulary)


def test_text_distance_accepts_nothing(catalog_of: Any, sage: Any, panel: Any) -> None:
    workspace = catalog_of([{"cut": "zorbique"}] * 9 + [{"cut": "zorbiqe"}])
    merge = "merge cut: zorbiqe = zorbique"
    assert said(gather_vocabulary(workspace)) == (set(), {merge}, set())
    knows = {"silent": {"cut": [("zorbique", "zorbiqe")]}}
    # one model that accepts what text distance proposes is one model alone
    alone = gather_vocabulary(workspace, panel({"a": sage(**knows)}).voters)
    assert said(alone) == (set(), {merge}, set())
    # two that accept it are two
    two = gather_vocabulary(workspace, panel({"a": sage(**knows), "b": sage(**knows)}).voters)
    assert said(two) == ({merge}, set(), set())
    assert two.settled.taken[0].proposed_by == ("text distance",)
    assert two.settled.taken[0].accepted_by == ("a", "b")


def test_a_proposal_is_taken_when_the_other_model_accepts_it(
    shop: Workspace, sage: Any, panel: Any
) -> None:
    wrong = {"colour": [("navy", "red")]}
    proposes = sage(groups={"neck": [("round", "crew")], **wrong}, adds={"neck": ["halter"]})
    accepts = sage(silent={"neck": [("round", "crew")]}, agrees={"neck": ["halter"]})
    taken, listed, refused = said(
        gather_vocabulary(shop, panel({"a": proposes, "b": accepts}).voters)
    )
    assert taken == {"merge neck: crew = round", "add neck: halter"}
    assert not listed
    assert refused == {"merge colour: red = navy", BY_TEXT_DISTANCE}


def test_two_of_three_are_enough(shop: Workspace, sage: Any, panel: Any) -> None:
    knows = {"groups": {"neck": [("round", "crew")]}}
    three = panel({"a": sage(**knows), "b": sage(), "c": sage(**knows)})
    (taken,) = gather_vocabulary(shop, three.voters).settled.taken
    assert (taken.proposed_by, taken.declined_by) == (("a", "c"), ("b",))


def test_neither_order_of_voters_nor_of_rows_matters(
    catalog_of: Any, sage: Any, panel: Any
) -> None:
    rows = [{"colour": one, "neck": other} for one in ("navy", "ink", "red") for other in "abcd"]
    first, second = catalog_of(rows, "first"), catalog_of(rows[::-1], "second")
    one = sage(groups={"colour": [("navy", "ink")], "neck": [("a", "b")]}, adds={"neck": ["e"]})
    other = sage(groups={"colour": [("ink", "navy")], "neck": [("b", "c")]}, adds={"neck": ["f"]})
    two = panel({"a": one, "b": other})
    gather_vocabulary(first, two.voters)
    requests = dict(two.server.counts.requests)
    gather_vocabulary(second, two.voters[::-1])
    assert as_in_file(first) == as_in_file(second)
    assert {key: 2 * times for key, times in requests.items()} == two.server.counts.requests


@pytest.mark.parametrize(
    ("models", "structured"),
    [
        ({"json_schema": "enforced"}, "json_schema"),
        ({"json_object": "enforced"}, "json_object"),
        ({"json_schema": "ignored"}, "json_schema"),  # a proxy that lets it fall
        ({"json_schema": "rejected"}, "none"),  # a server that was never asked for it
    ],
)
def test_whatever_a_server_makes_of_schemas(
    shop: Workspace, sage: Any, panel: Any, models: dict[str, str], structured: str
) -> None:
    two = panel({"a": sage(**KNOWING), "b": sage(**KNOWING)}, models=models, structured=structured)
    assert said(gather_vocabulary(shop, two.voters))[0] == TAKEN


def test_a_server_that_rejects_the_schema_has_no_say(
    shop: Workspace, sage: Any, panel: Any
) -> None:
    two = panel(
        {"a": sage(**KNOWING), "b": sage(**KNOWING)},
        models={"json_schema": "rejected"},
        structured="json_schema",
    )
    result = gather_vocabulary(shop, two.voters)
    assert said(result) == (set(), set(), set()) or not result.settled.taken
    assert sum(result.unread.values()) == result.answers > 0


@pytest.mark.parametrize(
    "broken",
    [
        "no JSON at all",
        "[]",
        '{"merges": "navy"}',
        '{"merges": [], "not_visual": [], "alternatives": [], "about": null}',
        '{"merges": [{"same": [1, null, {}], "keep": [], "why": 0}], "not_visual": []}',
        '{"verdicts": [{"number": "one", "accept": "yes"}]}',
        '{"verdicts": [], "more": 1}',  # a field that nobody asked for
        "",
        "\u0000",
        '{"merges": [{"same": ["\\ud800"], "keep": "", "why": ""}]}',
    ],
)
def test_a_model_that_answers_nonsense_has_no_say(
    shop: Workspace, sage: Any, panel: Any, broken: str
) -> None:
    bad = sage(reply=lambda kind, data: broken)
    two = panel({"bad": bad, "good": sage(**KNOWING)})
    result = gather_vocabulary(shop, two.voters)
    assert said(result) == (set(), TAKEN, set())
    assert sum(result.unread.values()) > 0


def test_what_was_not_asked_about_is_ignored_and_counted(
    shop: Workspace, sage: Any, panel: Any
) -> None:
    def stray(kind: str, data: Any) -> Any:
        if kind == "review":
            number = len(data["verdicts"])
            twice = [
                {"number": 1, "accept": True},
                {"number": 1, "accept": False},
                {"number": number + 1, "accept": True},
                {"number": -1, "accept": True},
            ]
            return {"verdicts": twice}
        data["merges"].append({"same": ["navy", "acme"], "keep": "navy", "why": ""})
        data["merges"].append({"same": ["round", "ghost"], "keep": "round", "why": ""})
        data["not_visual"].append({"value": "ghost", "why": "boo"})
        data["alternatives"] += [
            {"value": value, "why": ""}
            for value in ("NAVY", "x" * 99, "a: b", "", "teal", "Teal", "c1", "c2", "c3")
        ]
        return data

    two = panel({"a": sage(reply=stray), "b": sage(reply=stray)})
    result = gather_vocabulary(shop, two.voters, alternatives=2)
    merges = [one for one in result.settled.taken if one.kind == "merge"]
    assert merges == []
    assert result.ignored["a value of another type"] > 0
    assert result.ignored["a value that was not asked about"] > 0
    assert result.ignored["a name that is none"] > 0
    assert result.ignored["an alternative that is there already"] > 0
    assert result.ignored["an alternative over the number wanted"] > 0
    added = {one.names()[1] for one in result.settled.taken if one.kind == "add"}
    assert added == {
        *("colour: teal", "colour: c1"),
        *(f"{name}: {new}" for name in ("brand", "neck") for new in ("navy", "teal")),
    }


def test_a_stopped_run_goes_on_and_buys_nothing_twice(
    shop: Workspace, sage: Any, panel: Any
) -> None:
    two = panel({"a": sage(**KNOWING), "b": sage()}, concurrency=1)
    by_rule = normalise(shop).vocabulary
    for most in (2, 3):
        with pytest.raises(BudgetSpent, match="--max-calls"):
            gather_vocabulary(shop, two.voters, spending=Spending(max_calls=most))
        assert load_vocabulary(shop.vocabulary) == by_rule
        assert not proposals_path(shop).exists()
    assert two.calls() == 5
    result = gather_vocabulary(shop, two.voters)
    assert two.calls() == result.answers
    assert set(two.server.counts.requests.values()) == {1}
    again = gather_vocabulary(shop, two.voters)
    assert again.done_before
    assert said(again)[1:] == said(result)[1:]
    # asked anew by force, but of the same vocabulary all is stored
    assert not gather_vocabulary(shop, two.voters, force=True).done_before
    assert two.calls() == result.answers


def test_a_run_without_models_shows_what_they_left(shop: Workspace, sage: Any, panel: Any) -> None:
    gather_vocabulary(shop, panel({"a": sage(**KNOWING)}).voters)
    before = as_in_file(shop)
    result = gather_vocabulary(shop)
    assert result.done_before
    assert names(result.settled.listed) == TAKEN
    assert as_in_file(shop) == before


def test_a_vocabulary_that_a_person_edits_is_asked_about_anew(
    shop: Workspace, sage: Any, panel: Any
) -> None:
    two = panel({"a": sage(**KNOWING), "b": sage(**KNOWING)})
    gather_vocabulary(shop, two.voters)
    mine = shop.vocabulary.read_text("utf-8").replace("red: {}", "red:\n        aliases: [rouge]")
    shop.vocabulary.write_text(mine, "utf-8")
    first, calls = shop.vocabulary.read_bytes(), two.calls()
    knows = sage(groups={"colour": [("navy", "teal")]})
    three = panel({"a": knows, "b": knows})
    result = gather_vocabulary(shop, three.voters)
    assert names(result.settled.taken) == {"merge colour: teal = navy"}
    assert shop.vocabulary.with_name("vocabulary.yaml.previous").read_bytes() == first
    assert "rouge" in shop.vocabulary.read_text("utf-8")
    assert two.calls() == calls


def test_what_is_estimated_is_what_is_asked(shop: Workspace, sage: Any, panel: Any) -> None:
    two = panel({"a": sage(**KNOWING), "b": sage()})
    before = vocabulary_estimates(shop, two.voters)
    assert [(one.voter, one.calls, one.answered) for one in before] == [("a", 6, 0), ("b", 6, 0)]
    assert before[0].most_calls == 6 * 3  # cut, then sent back
    assert two.calls() == 0
    # the first round is known, the second stands to be asked
    with pytest.raises(BudgetSpent):
        gather_vocabulary(shop, two.voters, spending=Spending(max_calls=6))
    known = vocabulary_estimates(shop, two.voters)
    assert two.calls() == 6
    result = gather_vocabulary(shop, two.voters)
    assert 6 + sum(one.calls for one in known) == result.answers == two.calls()
    assert before[0].prompt[1] > 0


def test_an_estimate_takes_what_the_doctor_measured(
    shop: Workspace, sage: Any, panel: Any, doctored: Callable[..., None]
) -> None:
    one = panel({"a": sage(**KNOWING)})
    assert not vocabulary_estimates(shop, one.voters)[0].is_probed
    doctored(shop.root, *one.voters)
    (found,) = vocabulary_estimates(shop, one.voters)
    assert (found.seconds, found.is_probed) == ((7.0, 7.0), True)


class Unwilling:
    def answer(self, question: Question) -> Turn:
        return Turn(text="", refusal="I would rather not.")


def test_an_estimate_counts_what_is_asked_anew(shop: Workspace, panel: Any) -> None:
    one = panel({"a": Unwilling()})
    gather_vocabulary(shop, one.voters)
    calls = one.calls()
    (found,) = vocabulary_estimates(shop, one.voters)
    assert (found.calls, found.answered) == (0, calls)
    anew = Spending(again=frozenset({"refused"}))
    (found,) = vocabulary_estimates(shop, one.voters, spending=anew)
    assert (found.calls, found.answered) == (2 * 3, 0)  # three types, two rounds
    assert one.calls() == calls


@pytest.mark.parametrize(
    ("change", "is_asked"),
    [
        # what changes an answer
        ({"structured": "json_object"}, True),
        ({"structured": "json_schema"}, True),
        ({"revision": "q4"}, True),
        ({"logprobs": 2}, True),
        ({"parameters": {"seed": 1}}, True),
        # what does not
        ({"concurrency": 1, "timeout": 9}, False),
        ({"weight": 3}, False),
        ({"price": {"input": 1, "output": 1}}, False),
    ],
)
def test_a_voter_that_answers_otherwise_is_asked_anew(
    shop: Workspace, sage: Any, panel: Any, change: dict[str, Any], is_asked: bool
) -> None:
    one = panel({"a": sage()})
    gather_vocabulary(shop, one.voters)
    assert gather_vocabulary(shop, one.voters).done_before
    calls = one.calls()
    (voter,) = one.voters
    other = Voter.model_validate(voter.model_dump() | change)
    assert gather_vocabulary(shop, [other]).done_before is not is_asked
    assert (one.calls() > calls) is is_asked


def test_failed_answers_are_asked_again(
    shop: Workspace, sage: Any, panel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failed(client: Any, request: Any, model: Any) -> Filled[Any]:
        reply = Reply(key="", status="failed", error="gone")
        return Filled(reply=reply, structured=read_structured(reply, model))

    one = panel({"a": sage(**KNOWING)})
    with monkeypatch.context() as patched:
        patched.setattr("labeling.attributes.gathering.asking.ask_structured", failed)
        assert set(gather_vocabulary(shop, one.voters).unread) == {"failed"}
    result = gather_vocabulary(shop, one.voters)
    assert not result.done_before
    assert names(result.settled.listed) == TAKEN


def test_a_person_takes_what_is_listed(shop: Workspace, sage: Any, panel: Any) -> None:
    one = panel({"a": sage(**KNOWING)})
    gather_vocabulary(shop, one.voters)
    calls = one.calls()
    result = accept_proposals(shop, "crew, set aside type brand")
    assert names(result.settled.taken) == {"merge neck: crew = round", "set aside type brand"}
    assert names(load_proposals(proposals_path(shop)).listed) == TAKEN - names(result.settled.taken)
    assert shop.vocabulary.with_name("vocabulary.yaml.previous").is_file()
    # what a person took is no reason to ask again
    assert gather_vocabulary(shop, one.voters).done_before
    result = accept_proposals(shop, "all")
    assert result.void == ()
    assert load_proposals(proposals_path(shop)).listed == ()
    assert one.calls() == calls


def test_all_does_not_take_what_models_refused(shop: Workspace, sage: Any, panel: Any) -> None:
    two = panel({"a": sage(groups={"colour": [("navy", "red")]}), "b": sage()})
    result = gather_vocabulary(shop, two.voters)
    assert names(result.settled.refused) == {"merge colour: red = navy", BY_TEXT_DISTANCE}
    assert accept_proposals(shop, "all").vocabulary == result.vocabulary
    taken = accept_proposals(shop, "red").settled.taken
    assert names(taken) == {"merge colour: red = navy"}


@pytest.mark.parametrize(
    ("accepted", "message"),
    [
        ("ghost", "'ghost' is no suggestion; there are: "),
        ("1", "'1' is no suggestion"),
        ("brand", None),  # the whole type, by its name
    ],
)
def test_a_name_that_is_no_proposal(
    shop: Workspace, sage: Any, panel: Any, accepted: str, message: str | None
) -> None:
    gather_vocabulary(shop, panel({"a": sage(**KNOWING)}).voters)
    if message is None:
        assert len(accept_proposals(shop, accepted).settled.taken) == 1
        return
    before = as_in_file(shop)
    with pytest.raises(UsageError, match=message):
        accept_proposals(shop, accepted)
    assert as_in_file(shop) == before


def test_accepting_before_anything_is_proposed(shop: Workspace) -> None:
    with pytest.raises(UsageError, match="run label-attributes vocabulary first"):
        accept_proposals(shop, "all")


def test_what_does_not_fit_any_more_stays_listed(shop: Workspace, sage: Any, panel: Any) -> None:
    gather_vocabulary(shop, panel({"a": sage(**KNOWING)}).voters)
    text = shop.vocabulary.read_text("utf-8")
    shop.vocabulary.write_text(text.replace("crew: {}", "ship: {}"), "utf-8")
    result = accept_proposals(shop, "all")
    assert names(result.void) == {"merge neck: crew = round"}
    assert names(load_proposals(proposals_path(shop)).listed) == {"merge neck: crew = round"}


Catalog = Callable[..., Workspace]


def test_a_type_with_two_values_in_a_picture_is_not_exclusive(
    catalog_of: Catalog, sage: Any, panel: Any
) -> None:
    workspace = catalog_of([{"trim": ["bow", "lace"]}, {"trim": "bow"}])
    knows = sage(exclusive={"trim": True})
    result = gather_vocabulary(workspace, panel({"a": knows, "b": knows}).voters)
    assert said(result) == (set(), set(), set())
    assert not result.vocabulary.types[0].exclusive


def test_models_do_not_ask_about_what_the_protocol_forbids(
    shop: Workspace, sage: Any, panel: Any
) -> None:
    knows = sage(askable={"colour": True, "neck": False})
    result = gather_vocabulary(shop, panel({"a": knows, "b": knows}).voters)
    assert names(result.settled.taken) == {"not askable neck"}
