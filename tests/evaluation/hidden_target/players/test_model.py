"""The model as a player, over a server that says what a test wants."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from benchwright.asking.replies import Reply, ReplyStatus
from benchwright.asking.requests import Request
from benchwright.asking.rounds import Unasked
from benchwright.asking.voters import PictureLimits, Voter
from benchwright.errors import UsageError
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.parts import PartFailed, Said
from evaluation.hidden_target.players.conversation import conversation
from evaluation.hidden_target.players.model import ModelPlayer, check_pictures_at_once

VOTER = Voter(name="qwen", model="q", base_url="http://localhost:1/v1")


@dataclass
class Server:
    """Gives one reply after the other."""

    replies: list[Reply]
    voter: Voter = VOTER
    asked: list[Request] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return self.replies[len(self.asked) - 1]


def reply(text: str, status: ReplyStatus = "ok") -> Reply:
    return Reply(key="k", status=status, text=text, error="gone")


def spoken(server: Server, game: Game, **settings: int) -> Said:
    return asyncio.run(ModelPlayer(server, (), **settings).speak(game, (), ()))


def received(server: Server, game: Game) -> Said:
    return asyncio.run(ModelPlayer(server, ()).receive(game, ()))


def test_what_is_asked(plain_game: Game) -> None:
    server = Server([reply("Is it red?")])
    said = spoken(server, plain_game)
    (request,) = server.asked
    assert request.messages == conversation(plain_game, (), (), ())
    assert (request.max_tokens, request.parameters, request.sample) == (512, {"temperature": 0}, 0)
    assert said == Said(text="Is it red?", status="ok", replies=(server.replies[0],))
    assert ModelPlayer(server, ()).name == "qwen"


def test_a_further_sample_is_drawn(plain_game: Game) -> None:
    server = Server([reply("?")])
    spoken(server, plain_game, sample=2, max_tokens=64)
    (request,) = server.asked
    assert (request.max_tokens, request.parameters, request.sample) == (64, {"temperature": 1}, 2)


def test_a_cut_reply_gets_room_once(plain_game: Game) -> None:
    server = Server([reply("Is it r", "truncated"), reply("Is it", "truncated")])
    said = spoken(server, plain_game)
    assert [request.max_tokens for request in server.asked] == [512, 2048]
    assert said == Said(text="Is it", status="truncated", replies=tuple(server.replies))


def test_room_is_more_than_the_voter_has_anyway(plain_game: Game) -> None:
    thinker = VOTER.model_copy(update={"max_tokens": 4096})
    server = Server([reply("", "truncated"), reply("Is it red?")], voter=thinker)
    assert spoken(server, plain_game).text == "Is it red?"
    assert server.asked[1].max_tokens == 4 * 4096


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("I see five things. The first is", 1),  # a word is enough for a batch
        ("<think>Five things. The first", 2),
        ("", 2),
    ],
)
def test_a_cut_word_about_a_batch(plain_game: Game, text: str, calls: int) -> None:
    server = Server([reply(text, "truncated"), reply("Seen.")])
    received(server, plain_game)
    assert len(server.asked) == calls


@pytest.mark.parametrize("say", [spoken, received])
@pytest.mark.parametrize("status", ["failed", "rejected"])
def test_no_answer_of_a_model(
    plain_game: Game, say: Callable[[Server, Game], Said], status: ReplyStatus
) -> None:
    with pytest.raises(PartFailed) as raised:
        say(Server([reply("", status)]), plain_game)
    assert (raised.value.part, raised.value.reply.status) == ("player", status)


def test_a_refusal_is_an_answer(plain_game: Game) -> None:
    assert spoken(Server([reply("", "refused")]), plain_game).status == "refused"


def test_what_is_not_asked_yet_passes_through(plain_game: Game) -> None:
    class Nobody:
        voter = VOTER

        async def ask(self, request: Request) -> Reply:
            raise Unasked(("qwen", request))

    with pytest.raises(Unasked):
        asyncio.run(ModelPlayer(Nobody(), ()).speak(plain_game, (), ()))


def test_a_voter_that_takes_fewer_pictures_than_a_gallery_shows() -> None:
    few = VOTER.model_copy(update={"pictures": PictureLimits(at_once=8)})
    check_pictures_at_once(few, 3, 8)
    check_pictures_at_once(VOTER, 3, 100)  # it names no limit
    with pytest.raises(UsageError, match=r"qwen: takes 8 pictures .* largest gallery shows 9;"):
        check_pictures_at_once(few, 8, 9)
    with pytest.raises(UsageError, match=r"at most 8 \(build-galleries --size 8\)"):
        check_pictures_at_once(few, 8, 9)
    with pytest.raises(UsageError, match=r"raise the limit of the server and at_once$"):
        check_pictures_at_once(few, 9, 9)  # no gallery is as small
