"""What is read of a reply, and when a model gets room to end its answer."""

import asyncio
from typing import Any

import pytest

from benchwright.asking.replies import Reply
from evaluation.question_chain.playing.asking import MAX_TOKENS, choice_request, choose

OPTIONS = ("backing out", "waiting", "turning left")


def chosen(scripted: Any, *replies: Reply) -> tuple[Any, list[int]]:
    """Return what was chosen, and the caps of the requests."""
    waiting = list(replies)
    asks = scripted(lambda _: waiting.pop(0))
    found = asyncio.run(choose(asks, choice_request("Which?", None, 0), OPTIONS))
    return found, [request.max_tokens for request in asks.requests]


def reply(status: Any, text: str = "") -> Reply:
    return Reply(key="k", status=status, text=text)


@pytest.mark.parametrize(
    ("status", "text", "choice"),
    [
        # an answer, with thoughts of any make before it
        ("ok", "B", (1, "letter")),
        ("ok", "◁think▷Answer: A◁/think▷ B", (1, "letter")),
        ("ok", "<|channel|>analysis<|message|>A?<|channel|>final<|message|>B", (1, "letter")),
        # what is withheld is none, whatever stands beside it
        ("refused", "B", (None, "refused")),
        ("rejected", "", (None, "rejected")),
        ("failed", "", (None, "failed")),
        # cut, but said
        ("truncated", "Answer: B, because the", (1, "announced letter")),
        ("truncated", "B\n\nThe car", (1, "letter")),
    ],
)
def test_one_reply_is_enough(
    scripted: Any, status: str, text: str, choice: tuple[int | None, str]
) -> None:
    found, caps = chosen(scripted, reply(status, text))
    assert (found.choice, len(found.replies), caps) == (choice, 1, [MAX_TOKENS])


@pytest.mark.parametrize(
    ("text", "then", "choice"),
    [
        # nothing yet, thoughts alone, and what is only weighed
        ("", reply("ok", "C"), (2, "letter")),
        ("<think>The answer is A", reply("ok", "<think>A?</think>C"), (2, "letter")),
        ("Option A says that it is backing out, and", reply("ok", "C"), (2, "letter")),
        # cut again
        ("", reply("truncated", "Well, "), (None, "truncated")),
        ("", reply("failed"), (None, "failed")),
    ],
)
def test_a_cut_reply_gets_room_once(
    scripted: Any, text: str, then: Reply, choice: tuple[int | None, str]
) -> None:
    found, caps = chosen(scripted, reply("truncated", text), then)
    assert (found.choice, len(found.replies)) == (choice, 2)
    assert caps == [MAX_TOKENS, 4 * MAX_TOKENS]


def test_a_repetition_is_asked_at_temperature_1() -> None:
    first, second = (choice_request("Which?", None, sample) for sample in (0, 1))
    assert (first.sample, first.parameters) == (0, {"temperature": 0})
    assert (second.sample, second.parameters) == (1, {"temperature": 1})
