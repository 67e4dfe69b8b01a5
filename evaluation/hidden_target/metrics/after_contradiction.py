"""What a player does when the answers have come to contradict each other (AMIGO, section 4.2)."""

from collections.abc import Iterator
from typing import Literal, get_args

from evaluation.hidden_target.feasible import is_contradiction, same_question
from evaluation.hidden_target.metrics.replaying import Replayed

# nothing: a turn without any question that could be read
Move = Literal["repeats", "asks", "guesses", "stops", "nothing"]
MOVES: tuple[Move, ...] = get_args(Move)


def moves_after_contradictions(episode: Replayed) -> Iterator[Move]:
    """Yield what the player does next, each time that F has become empty.

    It repeats an earlier question, asks another one, guesses, or stops without a guess, as it also
    does when its turns are spent. A question counts whether it was skipped or answered.
    """
    for at in range(len(episode.turns)):
        if is_contradiction(len(episode.gallery), episode.turns, at):
            yield _next_move(episode, at + 1)


def _next_move(episode: Replayed, at: int) -> Move:
    if at == len(episode.turns):
        return "guesses" if episode.trajectory.end == "guess" else "stops"
    turn, earlier = episode.turns[at], episode.turns[:at]
    if turn.question is None:
        return "nothing"
    asked_before = (past for past in earlier if past.question is not None)
    return "repeats" if any(same_question(turn, past) for past in asked_before) else "asks"
