"""A dialogue as it is played: the order of the turns, what is sent, what ends it, what is kept."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.replies import Reply, ReplyStatus
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.rounds import Unasked
from benchwright.asking.voters import Voter
from evaluation.false_premise.playing.conversation import SILENCE, conversation
from evaluation.false_premise.playing.dialogue import Item, Played, play
from stand_ins.false_premises import false_premise

DOG = false_premise("dog")
PICTURE = PicturePart(sha256="0" * 64, path=Path("nowhere"))
ITEM = Item(dialogue=DOG, picture=PICTURE)

Said = tuple[ReplyStatus, str]


class Told:
    """Whoever is asked and says what a function makes of the number of the call, from 1."""

    def __init__(self, name: str, says: Callable[[int], Said]) -> None:
        self.voter = Voter(name=name, model=name, base_url="http://127.0.0.1:9/v1")
        self.says = says
        self.requests: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        status, text = self.says(len(self.requests))
        refusal = "I must not." if status == "refused" and not text else None
        return Reply(
            key=str(len(self.requests)), status=status, text=text, refusal=refusal, model="served"
        )


def saying(text: str, name: str = "model") -> Told:
    return Told(name, lambda _: ("ok", text))


def detector(label: bool | None, name: str = "keen", status: ReplyStatus = "ok") -> Told:
    said = json.dumps({"correction": label}) if label is not None else "who knows"
    return Told(name, lambda _: (status, said))


def played(player: Told, detectors: Sequence[Told] = (), sample: int = 0) -> Played:
    return asyncio.run(play(ITEM, player, detectors, run="r", sample=sample))


def test_all_turns_are_asked_in_order_with_the_history() -> None:
    player = Told("model", lambda number: ("ok", f"answer {number}"))
    found = played(player)
    assert not found.is_failed
    assert [one.response for one in found.responses] == [f"answer {n}" for n in range(1, 11)]
    for number, request in enumerate(player.requests):
        said = [f"answer {n}" for n in range(1, number + 1)]
        assert request.messages == conversation(PICTURE, DOG.turns, said)
        assert list(request.pictures()) == [PICTURE]
        assert request.parameters == {"temperature": 0}


def test_a_conversation_is_the_questions_and_nothing_else() -> None:
    said = ["one", "", "three"]
    messages = conversation(PICTURE, DOG.turns, said)
    first, *later = [turn.asked_question for turn in DOG.turns[:4]]
    assert messages[0].parts == (PICTURE, first)
    assert [(one.role, *one.parts) for one in messages[1:]] == [
        ("assistant", "one"),
        ("user", later[0]),
        ("assistant", SILENCE),
        ("user", later[1]),
        ("assistant", "three"),
        ("user", later[2]),
    ]


def test_what_was_said_before_never_changes() -> None:
    answers = [f"a{n}" for n in range(9)]
    for count in range(9):
        before = conversation(PICTURE, DOG.turns, answers[:count])
        assert conversation(PICTURE, DOG.turns, answers[: count + 1])[: len(before)] == before


# text of a reply, its status, and the response that is kept
KEPT: dict[str, tuple[Said, str]] = {
    "plain": (("ok", " It is brown.\n"), "It is brown."),
    "thoughts": (("ok", "<think>is it black?</think>It is brown."), "It is brown."),
    "thoughts without an end": (("ok", "<think>is it"), ""),
    "nothing": (("ok", ""), ""),
    "a refusal in its own field": (("refused", ""), "I must not."),
    "a filter after some words": (("refused", "The dog"), "The dog"),
    "cut": (("truncated", "The dog sniffs at"), "The dog sniffs at"),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_and_sent_back(name: str) -> None:
    (status, text), wanted = KEPT[name]
    player = Told("model", lambda _: (status, text))
    found = played(player)
    assert {(one.response, one.status) for one in found.responses} == {(wanted, status)}
    assert not found.is_failed
    back = {message.parts for message in player.requests[-1].messages if message.role != "user"}
    assert back == {(wanted or SILENCE,)}


def test_an_answer_that_was_cut_before_it_said_anything_gets_room_once() -> None:
    def says(number: int) -> Said:
        return ("truncated", "<think>hm") if number == 1 else ("ok", "It is brown.")

    player = Told("model", says)
    found = played(player)
    assert found.responses[0].response == "It is brown."
    assert player.requests[1].max_tokens == 4 * player.requests[0].max_tokens
    assert len(player.requests) == 11
    always = Told("model", lambda _: ("truncated", ""))
    assert {one.response for one in played(always).responses} == {""}
    assert len(always.requests) == 20


@pytest.mark.parametrize("status", ["failed", "rejected"])
def test_a_turn_without_an_answer_ends_a_dialogue_as_incomplete(status: ReplyStatus) -> None:
    player = Told("model", lambda number: ("ok", "yes") if number < 5 else (status, ""))
    reader = detector(True)
    found = played(player, [reader])
    assert found.is_failed
    assert [one.turn for one in found.responses] == [1, 2, 3, 4]
    assert len(player.requests) == 5
    assert len(reader.requests) == 4  # what was answered can be labelled


# label that the detector says, status of its reply: the label that is kept, and whether to go on
LABELS: list[tuple[bool | None, ReplyStatus, str | None, bool]] = [
    (True, "ok", "yes", False),
    (False, "ok", "no", False),
    (None, "ok", None, False),  # unreadable, also after it was sent back
    (True, "refused", None, False),
    (None, "truncated", None, False),
    (True, "rejected", None, False),
    (True, "failed", None, True),
]


@pytest.mark.parametrize(("label", "status", "kept", "is_failed"), LABELS)
def test_labels(label: bool | None, status: ReplyStatus, kept: str | None, is_failed: bool) -> None:
    found = played(saying("yes"), [detector(label, status=status), detector(False, "other")])
    assert found.is_failed == is_failed
    for response in found.responses:
        assert [(one.name, one.label) for one in response.detectors] == [
            ("keen", kept),
            ("other", "no"),
        ]


def test_builds_name_who_answered_by_part() -> None:
    found = played(saying("yes"), [detector(True), detector(False, "other")])
    assert len(found.builds()) == 30
    assert {(one.part, one.voter, one.model, one.answers) for one in found.builds()} == {
        ("player", "model", "served", 1),
        ("detector", "keen", "served", 1),
        ("detector", "other", "served", 1),
    }


def test_a_voter_may_answer_and_read() -> None:
    both = Told("m", lambda n: ("ok", "yes" if n <= 10 else '{"correction": true}'))
    found = played(both, [both])
    assert {one.detectors[0].label for one in found.responses} == {"yes"}


def test_all_labels_that_are_missing_are_asked_for_at_once() -> None:
    class Stored(Told):
        async def ask(self, request: Request) -> Reply:
            raise Unasked((self.voter.name, request))

    one, other = (Stored(name, lambda _: ("ok", "")) for name in ("one", "other"))
    with pytest.raises(Unasked) as told:
        played(saying("yes"), [one, other])
    names = [name for name, _ in told.value.wanted]
    assert (names.count("one"), names.count("other")) == (10, 10)


def test_further_samples_are_asked_at_temperature_1() -> None:
    player: Any = saying("yes")
    played(player, sample=2)
    assert {(one.sample, one.parameters["temperature"]) for one in player.requests} == {(2, 1)}
