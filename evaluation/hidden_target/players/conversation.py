"""A game as the messages of a chat: the user shows and answers, the assistant plays."""

from collections.abc import Sequence

from benchwright.asking.requests import Message
from benchwright.records import Turn, Upload
from evaluation.hidden_target.game import Game
from evaluation.hidden_target.wording import answer_text, sent_back, upload
from evaluation.releases.galleries import Term


def conversation(
    game: Game, terms: Sequence[Term], uploads: Sequence[Upload], turns: Sequence[Turn]
) -> tuple[Message, ...]:
    """Return all that was said until the player has to say something.

    That is an answer to the batch after ``uploads``, or after the last one a question or a guess.
    User and assistant take turns, and what was said before never changes, so that a server finds
    the beginning of each request read. Of what the player said it gets back ``wording.sent_back``.
    """
    messages: list[Message] = []
    batches = game.batches[: len(uploads) + 1]
    for at, numbers in enumerate(batches):
        pictures = [game.shown(number).part for number in numbers]
        is_last = at == len(game.batches) - 1
        parts = upload(game.rules, terms, numbers, pictures, is_last=is_last)
        messages.append(Message(role="user", parts=parts))
        if at < len(uploads):
            messages.append(_said(uploads[at].text))
    for turn in turns:
        answer = answer_text(turn.told, is_last=turn.turn == game.rules.turns)
        messages += [_said(turn.text), Message(role="user", parts=(answer,))]
    return tuple(messages)


def _said(text: str) -> Message:
    return Message(role="assistant", parts=(sent_back(text),))
