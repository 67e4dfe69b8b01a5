"""Reading yes, no or unsure from an answer; docs/answers/README.md states the rules in order."""

from dataclasses import dataclass, replace
from typing import Literal

from benchwright.asking.reading.folding import Span, blanked
from benchwright.asking.reading.json_text import JsonValue, json_values
from benchwright.asking.reading.logprobs import p_yes_of
from benchwright.asking.reading.marked import last_announced, last_in_json, last_in_tags
from benchwright.asking.reading.markup import deleted_spans, struck, undressed
from benchwright.asking.reading.reasoning import labelled_reasoning, reasoning_spans
from benchwright.asking.reading.statements import (
    Statement,
    settled,
    statement_of_text,
    statements_in,
)
from benchwright.asking.reading.words import Said, folded, words
from benchwright.asking.replies import Reply

ReadingStatus = Literal["ok", "refused", "truncated", "unparsed", "failed"]

# ok, how it was said: plain (the whole answer), json, markup (<answer>, \boxed), marked (Answer:
# yes), lead (begins with it), sentence (says it further on); for unsure: hedge, contradictory.
# refused: declined, filtered, blind (sees no picture), rejected (by the server). unparsed: empty,
# reasoning (nothing else), echo (repeats the choice), no_answer. truncated: cut. failed: failed.
Reason = Literal[
    "plain",
    "json",
    "markup",
    "marked",
    "lead",
    "sentence",
    "hedge",
    "contradictory",
    "declined",
    "filtered",
    "blind",
    "rejected",
    "empty",
    "reasoning",
    "echo",
    "no_answer",
    "cut",
    "failed",
]
# of a text that was cut off, what stands further on may not be the last word
_CLEAR: frozenset[Reason] = frozenset({"plain", "json", "markup", "marked", "lead"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """What a text says; ``span`` is the decisive word in it, null where there is none."""

    status: Literal["ok", "refused", "unparsed"]
    reason: Reason
    answer: Said | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reply says (definition 8).

    ``answer`` is null exactly where ``status`` is not ok. ``p_yes``, 0 to 1, is that of
    ``p_yes_of``. ``reason`` tells people and counts how it was read, or why it was not.
    """

    status: ReadingStatus
    reason: Reason
    answer: Said | None = None
    p_yes: float | None = None


def read_yes_no(reply: Reply) -> Reading:
    """Return what a reply says to a question that wants yes or no.

    An answer that was cut off counts where it says yes or no clearly before: as a whole, in front,
    or marked as the answer. Otherwise it is truncated, and worth one more call with a higher cap.
    """
    if reply.status == "failed":
        return Reading(status="failed", reason="failed")
    if reply.status == "rejected":
        return Reading(status="refused", reason="rejected")
    if reply.status == "refused":
        is_filtered = reply.finish_reason == "content_filter"
        return Reading(status="refused", reason="filtered" if is_filtered else "declined")
    said = read_text(reply.text)
    if reply.status == "truncated" and said.reason not in _CLEAR:
        return Reading(status="truncated", reason="cut")
    return Reading(
        status=said.status,
        reason=said.reason,
        answer=said.answer,
        p_yes=p_yes_of(reply.tokens, reply.text, said.span, said.answer),
    )


def read_text(text: str) -> TextReading:
    """Return what the text of an answer says; time is linear in its length, whatever it holds."""
    whole = folded(text)
    spans = reasoning_spans(whole)
    visible = blanked(whole, spans)
    if not visible.strip():
        return TextReading(status="unparsed", reason="reasoning" if spans else "empty")
    kept = blanked(visible, labelled_reasoning(undressed(visible)))
    kept = blanked(kept, deleted_spans(kept))
    said = _read_visible(text, kept) if kept != visible else None
    return said if said and said.status != "unparsed" else _read_visible(text, visible)


def _read_visible(text: str, visible: str) -> TextReading:
    """Return what is said by the part of a text that is visible, which is folded."""
    plain = undressed(visible)
    if said := statement_of_text(plain):
        return _ok(said, "plain")
    if not any(char.isalnum() for char in plain):
        return TextReading(status="unparsed", reason="empty")
    found = [_as_written(text, one) for one in json_values(visible) if _holds_object(one)]
    outside = blanked(plain, [(one.start, one.end) for one in found])
    prose = struck(outside)
    is_echo = not any(map(str.isalnum, prose)) and any(map(str.isalnum, outside))
    return (
        _marked(visible, plain, prose, found)
        or _declined(plain.lstrip())
        or _in_prose(prose)
        or TextReading(status="unparsed", reason="echo" if is_echo else "no_answer")
    )


def _marked(visible: str, plain: str, prose: str, found: list[JsonValue]) -> TextReading | None:
    """Return what the last answer says that is marked as one."""
    marks: list[tuple[Reason, tuple[int, Statement] | None]] = [
        ("json", last_in_json(visible, found)),
        ("markup", last_in_tags(visible, struck(plain))),
        ("marked", last_announced(prose)),
    ]
    told = [(*mark, reason) for reason, mark in marks if mark]
    if not told:
        return None
    _, said, reason = max(told, key=lambda one: one[0])
    return _ok(said, reason)


def _declined(plain: str) -> TextReading | None:
    known = words()
    if known.blind.search(plain):
        return TextReading(status="refused", reason="blind")
    if known.declined.search(plain):
        return TextReading(status="refused", reason="declined")
    return None


def _in_prose(prose: str) -> TextReading | None:
    statements = list(statements_in(prose, (0, len(prose))))
    said = settled(statements)
    if said and said.answer == "both" and any(_is_retracted(prose, one) for one in statements):
        return _ok(statements[-1], "marked")
    if said:
        return _ok(said, "lead" if said.is_first else "sentence")
    if hedge := words().unsure.search(prose):
        return TextReading(status="ok", reason="hedge", answer="unsure", span=hedge.span())
    return None


def _is_retracted(prose: str, said: Statement) -> bool:
    """Tell whether a word of correction follows: yes... no, wait."""
    return bool(words().retracting.match(prose, said.span[1]))


def _ok(said: Statement, reason: Reason) -> TextReading:
    if said.answer == "both":
        return TextReading(status="ok", reason="contradictory", answer="unsure")
    kept: Reason = "hedge" if said.answer == "unsure" else reason
    return TextReading(status="ok", reason=kept, answer=said.answer, span=said.span)


def _as_written(text: str, found: JsonValue) -> JsonValue:
    """Return the same value with the capitals of its keys, by which noZip is known from nozip."""
    written = next(json_values(text[found.start : found.end]), None)
    is_same = written is not None and (written.start, written.end) == (0, found.end - found.start)
    return replace(found, value=written.value) if written and is_same else found


def _holds_object(found: JsonValue) -> bool:
    return isinstance(found.value, dict) or any(isinstance(part, dict) for part in found.value)
