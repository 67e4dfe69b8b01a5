"""Who says what: the ways in which layouts write a dialogue, as utterances.

A usable dialogue has an odd number of lines: the human opens, the agent asks, the human answers,
and the human has the last word. The text of a line is kept as it stands.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from benchwright.records import Utterance
from builders.invig.draft import Unfit
from builders.invig.fields import decoded, shown, without_bins

HUMAN = "human"
AGENT = "agent"
SPEAKERS = {
    "human": HUMAN,
    "user": HUMAN,
    "agent": AGENT,
    "robot": AGENT,
    "assistant": AGENT,
}
# what stands first in a pair: the question that the second answers, or a human's line
PairOrder = Literal["agent_first", "human_first"]

_TAG = re.compile(r"<sep_([qa])>")


def is_tagged(value: Any) -> bool:
    """Tell whether a value is text with the tags <sep_a> or <sep_q>."""
    return isinstance(value, str) and _TAG.search(value) is not None


def utterances_of(value: Any, order: PairOrder | None) -> tuple[Utterance, ...]:
    """Return the utterances of pairs, of JSON of pairs, or of tagged text."""
    return from_tagged(value) if is_tagged(value) else from_pairs(value, order)


def alternating(lines: Sequence[Any]) -> tuple[Utterance, ...]:
    """Return lines as utterances of human and agent by turns; raises Unfit.

    ``no_opening``, ``empty_line``, ``even_lines`` and ``bad_text`` (no text at all).
    """
    for number, line in enumerate(lines, 1):
        if line is not None and not isinstance(line, str):
            raise Unfit("bad_text", f"line {number} is {shown(line)}, which is no text")
    if not lines or not (lines[0] or "").strip():
        raise Unfit("no_opening", "the human's first line is empty")
    for number, line in enumerate(lines, 1):
        if not (line or "").strip():
            raise Unfit("empty_line", f"line {number} of {len(lines)} is empty")
    if len(lines) % 2 == 0:
        raise Unfit(
            "even_lines", f"{len(lines)} lines; an odd number was wanted, the human first and last"
        )
    return tuple(
        Utterance(speaker=AGENT if at % 2 else HUMAN, text=line) for at, line in enumerate(lines)
    )


def by_speaker(turns: Sequence[tuple[str, Any]]) -> tuple[Utterance, ...]:
    """Return lines with their speakers as utterances; raises Unfit as ``alternating`` does.

    ``not_alternating`` where one speaks twice in a row, or the agent first.
    """
    for number, (speaker, _) in enumerate(turns, 1):
        wanted = HUMAN if number % 2 else AGENT
        if speaker != wanted:
            raise Unfit(
                "not_alternating", f"line {number} is the {speaker}'s where the {wanted}'s was due"
            )
    return alternating([line for _, line in turns])


def from_pairs(value: Any, order: PairOrder | None) -> tuple[Utterance, ...]:
    """Return the utterances of pairs of lines.

    Revisions of the data differ in the order, and an empty line at an end tells it: the first of
    all pairs where it stands for the question that the opening does not answer, the last where
    the agent had nothing more to say. ``order`` is the layout's own, for where that tells
    nothing; without it such a dialogue is Unfit (``unclear_order``).
    """
    lines = _flat(decoded(value, "the dialogue"))
    if not lines:
        raise Unfit("no_opening", "the dialogue has no lines")
    first, last = _is_blank(lines[0]), _is_blank(lines[-1])
    if first != last:
        order = "agent_first" if first else "human_first"
    if order is None:
        raise Unfit(
            "unclear_order",
            "no empty line at one end of the pairs says whether the human's stands first in them",
        )
    if order == "agent_first":
        return alternating(lines[1:])
    return alternating(lines[:-1] if last else lines)


def _flat(pairs: Any) -> list[Any]:
    if not isinstance(pairs, list) or not all(
        isinstance(pair, list) and len(pair) == 2 for pair in pairs
    ):
        raise Unfit("bad_dialogue", f"{shown(pairs)} is no list of pairs of lines")
    return [line for pair in pairs for line in pair]


def _is_blank(line: Any) -> bool:
    return line is None or (isinstance(line, str) and not line.strip())


def from_tagged(text: str) -> tuple[Utterance, ...]:
    """Return the utterances of ``<sep_a> opening <sep_q> question <sep_a> answer …``.

    What stands before the first tag is a prompt, no line; location tokens are left out.
    """
    _, *parts = _TAG.split(text)
    speakers = [HUMAN if tag == "a" else AGENT for tag in parts[::2]]
    return by_speaker(
        list(zip(speakers, (without_bins(line).strip() for line in parts[1::2]), strict=True))
    )
