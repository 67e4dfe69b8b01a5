"""A model as a voter: one question a call, or several in one call as JSON."""

import asyncio
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from labeling.attributes.voting.model_voter import ModelVoter
from labeling.attributes.voting.subjects import Subject
from labeling.attributes.voting.voter import Ballot, ShownQuestion
from stand_ins.models import ErrorRate, Model

Serve = Callable[..., Any]


class Saying:
    """A client whose server says these texts, one after the other, the last again and again."""

    voter = Voter(name="v", model="m", base_url="http://localhost:1/v1")

    def __init__(self, *texts: str, **more: Any) -> None:
        self.texts, self.more = list(texts), more
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        text = self.texts[min(len(self.asked), len(self.texts) - 1)]
        self.asked.append(request)
        return Reply(key=f"k{len(self.asked)}", **{"status": "ok", "text": text, **self.more})


def questions(count: int) -> tuple[ShownQuestion, ...]:
    subject = Subject(
        image_id="i",
        object_id=None,
        path=Path("p.png"),
        sha256="",
        width=1,
        height=1,
        bbox=None,
        noun="dress",
    )
    return tuple(
        ShownQuestion(
            subject=subject,
            type="t",
            value=f"v{number}",
            template="1",
            text=f"Is it v{number}?",
            view="whole",
            pictures=(),
        )
        for number in range(1, count + 1)
    )


def votes(client: Saying, count: int) -> tuple[Ballot, ...]:
    return asyncio.run(ModelVoter(client).vote(questions(count)))


def statuses(ballots: Sequence[Ballot]) -> list[str | None]:
    return [ballot.answer or ballot.status for ballot in ballots]


def test_one_question_is_asked_in_words() -> None:
    client = Saying("Yes.")
    assert votes(client, 1) == (Ballot(answer="yes", status="ok", answer_key="k1"),)
    assert "Is it v1?" in str(client.asked[0].messages)
    assert "JSON" not in str(client.asked[0].messages)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"answers": {"1": "yes", "2": "no", "3": "unsure"}}', ["yes", "no", "unsure"]),
        ('```json\n{"answers": {"1": "no", "2": "no", "3": "no"}}\n```', ["no", "no", "no"]),
        # numbers that are missing, and numbers that nobody asked for
        ('{"answers": {"1": "yes", "3": "no"}}', ["yes", "unparsed", "no"]),
        ('{"answers": {"4": "yes", "2": "no"}}', ["unparsed", "no", "unparsed"]),
        ('{"answers": {}}', ["unparsed"] * 3),
        # nothing that fits, though it was sent back once
        ('{"answers": ["yes", "no", "no"]}', ["unparsed"] * 3),
        ('{"answers": {"1": true, "2": 0, "3": null}}', ["unparsed"] * 3),
        ("yes, no, no", ["unparsed"] * 3),
        ("", ["unparsed"] * 3),
    ],
)
def test_several_are_answered_by_their_numbers(text: str, said: list[str]) -> None:
    client = Saying(text)
    ballots = votes(client, 3)
    assert statuses(ballots) == said
    assert all(ballot.p_yes is None for ballot in ballots)
    assert {ballot.answer_key for ballot in ballots} == {f"k{len(client.asked)}"}
    text = str(client.asked[0].messages)
    assert all(f"{number}. Is it v{number}?" in text for number in (1, 2, 3))


def test_an_answer_that_does_not_fit_is_mended_once() -> None:
    client = Saying("I would say yes", '{"answers": {"1": "yes", "2": "no"}}')
    assert statuses(votes(client, 2)) == ["yes", "no"]
    assert len(client.asked) == 2


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"status": "refused", "text": ""}, "refused"),
        ({"status": "failed", "text": ""}, "failed"),
        ({"status": "rejected", "text": ""}, "refused"),
        ({"status": "truncated", "text": '{"answers": {"1": "yes"'}, "truncated"),
    ],
)
def test_a_call_without_an_answer_is_one_for_all(more: dict[str, Any], status: str) -> None:
    ballots = votes(Saying("", **more), 2)
    assert statuses(ballots) == [status] * 2
    assert len(set(ballots)) == 1


ANY = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["yes", "no", "unsure", "1", "x"]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(["1", "2", "answers", "0"]), part, max_size=3)
    ),
    max_leaves=8,
)


@given(ANY, st.booleans())
def test_any_json_is_survived(value: Any, within: bool) -> None:
    ballots = votes(Saying(json.dumps({"answers": value} if within else value)), 2)
    assert len(ballots) == 2
    assert all((ballot.answer is not None) == (ballot.status == "ok") for ballot in ballots)


def test_an_answer_has_room_for_every_value() -> None:
    client = Saying('{"answers": {}}')
    longest = json.dumps({"answers": {str(number): "unsure" for number in range(1, 41)}})
    votes(client, 40)
    assert client.asked[0].max_tokens >= len(longest) / 3  # a token holds three letters or more


@pytest.mark.parametrize("structured", ["none", "json_object", "json_schema"])
@pytest.mark.parametrize("together", [2, 3, 7])
def test_labels_are_right_with_fewer_calls(
    shop: Any, kit: Any, serve: Serve, structured: str, together: int
) -> None:
    script = kit.script()
    server = serve(script, brain=kit.several(script))
    voter = kit.model(server, structured=structured)
    shop.ask(shop.ensemble(voter, values_per_call=together, full=0.5))
    shop.do("decide")
    assert shop.wrong() == []
    counts = shop.manifest()["counts"]
    assert counts["calls"] == server.counts.chats
    keys = Counter(vote.answer_key for vote in shop.votes())
    assert max(keys.values()) == together
    assert counts["calls"] == len(keys) < 0.8 * counts["votes"]
    # each view and wording of a full picture is put about all values in as few calls as hold them
    if together == 7:
        by_picture = Counter(vote.image_id for vote in shop.votes())
        full = [image_id for image_id, number in by_picture.items() if number == 21]
        assert full
        for image_id in full:
            own = {vote.answer_key for vote in shop.votes() if vote.image_id == image_id}
            assert len(own) == 3 * math.ceil(7 / together)


def test_fewer_calls_are_told(shop: Any, kit: Any, serve: Serve) -> None:
    script = kit.script(Model(name="m", errors=(ErrorRate(on_yes=0.2, on_no=0.1),)))
    server = serve(script, brain=kit.several(script))
    ran = shop.ask(shop.ensemble(kit.model(server), values_per_call=4))
    assert f"in {server.counts.chats:,} calls" in ran.out


def test_a_number_that_is_left_out_abstains(shop: Any, kit: Any, serve: Serve) -> None:
    script = kit.script()
    server = serve(script, brain=kit.several(script, leave_out=(2,)))
    ran = shop.ask(shop.ensemble(kit.model(server), values_per_call=7, full=1, templates=1))
    counts = shop.manifest()["counts"]
    assert (counts["unparsed"], counts["ok"]) == (16, 16 * 6)
    assert "16 unparsed" in ran.out
    left_out = {(vote.type, vote.value) for vote in shop.votes() if vote.status == "unparsed"}
    assert left_out == {("cloth", "gold")}
    shop.do("decide")
    assert {cell[3] for cell in shop.wrong()} == {"gold"}
