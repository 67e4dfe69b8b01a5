"""Scripted players, asked by the real client, keep to what they are known for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from openai import OpenAI

from benchwright.knowledge import NO, YES
from benchwright.reference_questioner import questions
from evaluation.releases.galleries import Gallery
from stand_ins.players import guess_of, players_behind, question_about

Say = Callable[..., Any]


@pytest.fixture(scope="module")
def client(things: Any) -> Iterator[OpenAI]:
    """A client of all players behind one server."""
    with (
        players_behind(things.table) as server,
        OpenAI(base_url=server.base_url, api_key="key", max_retries=0, timeout=10) as found,
    ):
        yield found


def said_about(gallery: Gallery, asked: str) -> str:
    """Return the true answer to a plain question."""
    at = next(at for at, one in enumerate(gallery.values) if question_about(one) == asked)
    return {YES: "Yes.", NO: "No."}.get(int(gallery.answers[gallery.target - 1, at]), "Unsure.")


def played(client: OpenAI, say: Say, player: str, gallery: Gallery) -> list[str]:
    """Return all that a player says of a gallery until it guesses, told the truth."""
    told: list[str] = []
    texts: list[str] = []
    while not texts or not texts[-1].startswith("My guess"):
        texts.append(say(client, player, gallery, told).content)
        if not texts[-1].startswith("My guess"):
            told.append(said_about(gallery, texts[-1]))
    return texts


def test_the_reference_asks_what_the_reference_questioner_asks(
    client: OpenAI, say: Say, things: Any
) -> None:
    solved = 0
    for gallery in things.galleries:
        *asked, guess = played(client, say, "reference", gallery)
        values = questions(gallery.board, one_of_a_type=True)
        if values is not None:
            solved += 1
            assert asked == [question_about(gallery.board.values[at]) for at in values]
            assert guess == guess_of(gallery.target)
    assert solved > 1


@pytest.mark.parametrize(
    "player",
    ["prose", "markdown", "thinking", "reasoning-field", "as-json"],
)
def test_manners_say_the_same_otherwise(player: str, client: OpenAI, say: Say, things: Any) -> None:
    gallery = things.galleries[0]
    for told in ([], ["Yes."], ["Yes.", "Skip."], ["No.", "no", "UNSURE: I cannot tell."]):
        plain, dressed = (say(client, name, gallery, told) for name in ("reference", player))
        assert plain.content in dressed.content
        # in a field of its own, or beside what is meant
        assert plain.content != dressed.content or dressed.reasoning_content


OPEN: list[str] = []
# player, what it was told, what it says; T is the first value that the reference asks for
SAID: dict[str, tuple[str, list[str], str | None]] = {
    "a guess at once": ("hasty", OPEN, "My guess: #1"),
    "a refusal at the second turn": ("refusing", ["Yes."], None),
    "and at the fourth": ("refusing", ["Yes.", "Skip.", "No."], None),
    "a question in Chinese": ("chinese", OPEN, "你最喜欢的裙子领口是方形的吗？"),
    "a guess in Chinese": ("chinese", ["Unsure."] * 5, "我想好了。我的猜测：#1"),
    "a picture by its number": ("offender", ["Yes."], "Is your favourite one picture #2?"),
    "a number that no picture has": ("garbler", OPEN, "My guess: #999"),
    "nothing": ("garbler", ["Skip."] * 2, ""),
    "a megabyte": ("garbler", ["Skip."] * 3, "A" * 990_000),
    "control characters": ("garbler", ["Skip."] * 4, "\x00\x07\x1b[31m\u202e\u200b\x7f"),
    "halves of characters": ("garbler", ["Skip."] * 5, "\ud800 \udfff"),
    "at last a guess": ("garbler", ["Skip."] * 6, "My guess: #1"),
}


@pytest.mark.parametrize("name", SAID)
def test_each_player_has_its_way(name: str, client: OpenAI, say: Say, things: Any) -> None:
    player, told, expected = SAID[name]
    message = say(client, player, things.galleries[0], told)
    assert message.content == expected
    assert (message.refusal is not None) == (expected is None)


# the batches that came, and what the premature player says to them
UPLOADS = {1: "Is the cloth of your favourite one crimson?", 2: "End of uploading"}


@pytest.mark.parametrize("batches", UPLOADS)
def test_before_the_signal_one_speaks_too_early(
    batches: int, client: OpenAI, say: Say, things: Any
) -> None:
    gallery = max(things.galleries, key=len)
    assert len(gallery) > 10
    assert say(client, "premature", gallery, [], batches=batches).content == UPLOADS[batches]
    assert say(client, "reference", gallery, [], batches=batches).content == "Noted."


def test_the_endless_player_names_a_value_of_each_type_and_then_the_others(
    client: OpenAI, say: Say, things: Any
) -> None:
    gallery = things.galleries[0]
    asked = [say(client, "endless", gallery, ["Yes."] * n).content for n in range(10)]
    kinds = [text.split()[2] for text in asked]
    assert kinds[:3] == ["cloth", "shape", "trim"]
    assert len(set(asked)) == 10  # all values of the table
    assert say(client, "endless", gallery, ["Yes."] * 10).content == asked[0]


def test_a_refused_turn_is_no_turn_of_the_policy(client: OpenAI, say: Say, things: Any) -> None:
    gallery = things.galleries[0]
    for told in ([], ["No."], ["No.", "Yes."]):
        between = [word for each in told for word in (each, "Skip.")]
        refusing = say(client, "refusing", gallery, between).content
        assert refusing == say(client, "reference", gallery, told).content
