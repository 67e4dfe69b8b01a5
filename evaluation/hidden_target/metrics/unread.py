"""Warnings of a run in which so much could not be read or mapped that its figures say little."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from benchwright.plain_text import counted
from benchwright.records import Trajectory
from evaluation.hidden_target.feasible import is_answered
from evaluation.scoring.spelling import share

# whose model may say what cannot be read, and what becomes of that
JUDGES: Mapping[str, str] = MappingProxyType(
    {
        "detector": "such questions passed",
        "oracle": "such answers are unsure",
        "verifier": "such pictures stay possible",
    }
)
_MUCH = 0.2  # of the turns or answers


def unread_lines(episodes: Iterable[Trajectory]) -> Iterator[str]:
    """Yield a line for what could not be read of many turns, or be mapped of many questions."""
    turns = [turn for one in episodes for turn in one.turns]
    answered = [turn for turn in turns if is_answered(turn)]
    if _is_much(silent := sum(turn.reason == "no_question" for turn in turns), len(turns)):
        yield (
            f"unread: {_of(silent, len(turns), 'turn')} held nothing that could be read as a"
            " question or a guess"
        )
    if _is_much(unmapped := sum(not turn.asked for turn in answered), len(answered)):
        yield (
            f"unmapped: {_of(unmapped, len(answered), 'answered question')} could not be mapped to"
            " the vocabulary of the release; by labels such an answer is unsure and rules out"
            " nothing"
        )
    for judge, instead in JUDGES.items():
        unread = sum(judge in turn.unread for turn in answered)
        if _is_much(unread, len(answered)):
            yield (
                f"unread: in {_of(unread, len(answered), 'answered question')} the {judge}'s model"
                f" said what could not be read; {instead}"
            )


def _is_much(part: int, whole: int) -> bool:
    return bool(whole) and part / whole >= _MUCH


def _of(part: int, whole: int, noun: str) -> str:
    return f"{share(part / whole)} of {counted(whole, noun)}"
