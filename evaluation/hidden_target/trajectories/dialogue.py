"""The dialogue of an episode as messages of a chat, the pictures by their places alone."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.asking.requests import Message, PicturePart
from benchwright.records import ChatMessage, MessagePart, Trajectory
from evaluation.hidden_target.game import Game, Rules
from evaluation.hidden_target.players.conversation import conversation
from evaluation.hidden_target.wording import sent_back
from evaluation.releases.galleries import Gallery, Term
from evaluation.releases.pictures import Shown

_IMAGE = MessagePart(type="image", text=None)


def dialogues(
    gallery: Gallery, terms: Sequence[Term], rules: Rules, played: Trajectory
) -> list[tuple[ChatMessage, ...]]:
    """Return what was said before each turn of an episode, and before what came after the last.

    The words are those of our protocol. Where a run made elsewhere does not say what the player
    answered to each batch of pictures, all are shown in one.
    """
    game = Game(gallery=gallery, rules=rules, pictures=_unseen(gallery))
    uploads = played.uploads
    if len(uploads) != len(game.batches) - 1:
        game, uploads = replace(game, rules=replace(rules, batch_size=0)), ()
    told = [_chat(each) for each in conversation(game, terms, uploads, played.turns)]
    start = len(told) - 2 * len(played.turns)
    return [tuple(told[: start + 2 * at]) for at in range(len(played.turns) + 1)]


def spoken_by_player(text: str) -> ChatMessage:
    """Return what a player said as the message that it gets back."""
    return ChatMessage(role="assistant", content=(MessagePart(type="text", text=sent_back(text)),))


def _chat(message: Message) -> ChatMessage:
    content = tuple(
        _IMAGE if isinstance(part, PicturePart) else MessagePart(type="text", text=part)
        for part in message.parts
    )
    return ChatMessage(role="user" if message.role == "user" else "assistant", content=content)


def _unseen(gallery: Gallery) -> dict[str, Shown]:
    """Return pictures that stand for their places: no byte of them is looked at."""
    return {
        name: Shown(part=PicturePart(sha256=name, path=Path(name)), size=(0, 0), category=None)
        for name in gallery.image_ids
    }
