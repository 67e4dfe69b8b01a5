"""Answers that are marked as such: Answer: yes, <answer>, \\boxed, JSON. The last one counts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal

from benchwright.asking.reading.folding import Span
from benchwright.asking.reading.json_text import JsonValue
from benchwright.asking.reading.markup import opened_answers, struck
from benchwright.asking.reading.statements import (
    Statement,
    first_statement,
    settled,
    statement_of_text,
    statements_in,
)
from benchwright.asking.reading.words import Said, folded, is_answer_key, is_doubt_key, words

_LABEL = re.compile(r"[\s\"'*_`(\[{$~:>]{0,20}(?:(?:option )?[a-e1-9][).:] {0,3})?[\s\"'*_`(]{0,9}")
_LINE_END = re.compile(r"[.!?;](?=\s)|\n|。")
_SENTENCE_END = re.compile(r"[.!?;\n。]")
_CLAUSE_END = re.compile(r"[,:—–]")
_REACH = 160  # characters in which an announcement is followed by its answer
_TERSE = re.compile(r"[\s\"'*_`(\[{$~:>]{0,20}(?P<said>[yn10])[\"'*_`)\]}$.!。… ]{0,99}(?:\n|$)")
_BARE_NO = re.compile(
    r"[\s\"'*_`:>]{0,20}(?P<said>no)[*_]{0,3} (?P<noun>(?!is |are |was )[a-z-]{2,20})"
    r"(?: (?!is |are |was )[a-z-]{2,20}){0,2}[\"'*_` ]{0,99}(?:[.!\n。…]|$)"
)
_REVERSED = re.compile(
    r"(?<![a-z])(?P<said>yes|no)[\"'*]{0,3} (?:is|would be) (?:the|my)"
    r" (?:correct |right |final |best )?(?:answer|response)"
)


def last_in_tags(text: str, plain: str) -> tuple[int, Statement] | None:
    """Return where the last tag or box stands that holds an answer, and what it says.

    ``plain`` is the folded ``text`` undressed: of the same length, without the tags.
    """
    for start, end in reversed(opened_answers(text)):
        said = statement_of_text(plain[start:end])
        if said:
            said = replace(said, span=(said.span[0] + start, said.span[1] + start))
        said = said or settled(list(statements_in(plain, (start, end))))
        if said:
            return start, said
    return None


def last_announced(plain: str) -> tuple[int, Statement] | None:
    """Return where the last announcement stands, and what it says.

    The answer is yes, Answer: no, therefore yes, no is the answer.
    """
    found = [_last_before(plain, pattern) for pattern in (words().announced, words().concluding)]
    for mark in _REVERSED.finditer(plain):
        if not _is_doubted(plain, mark.start()):
            answer: Any = mark["said"]
            said = Statement(answer=answer, span=mark.span("said"), is_whole=True)
            found.append((mark.start(), said))
    return max((one for one in found if one), key=lambda one: one[0], default=None)


def _last_before(plain: str, pattern: re.Pattern[str]) -> tuple[int, Statement] | None:
    is_announced = pattern is words().announced
    for mark in reversed(list(pattern.finditer(plain))):
        said = (_terse(plain, mark) if is_announced else None) or _said_after(plain, mark)
        said = said or (_bare_no(plain, mark.end()) if is_announced else None)
        if said and not _is_doubted(plain, mark.start()):
            return mark.start(), said
    return None


def last_in_json(text: str, values: Sequence[JsonValue]) -> tuple[int, Statement] | None:
    """Return where the last JSON value of a folded text stands that answers, and what it says.

    Values of keys such as answer count; where there is no such key, those that are a plain yes, no
    or Boolean and whose key does not speak of something else, such as confidence.
    """
    for found in reversed(values):
        leaves = list(_leaves(found.value, None))
        keyed = [_read(leaf) for is_answer, leaf in leaves if is_answer]
        said = keyed or [_plain(leaf) for is_answer, leaf in leaves if is_answer is None]
        one = settled([statement for statement in said if statement])
        if one:
            return found.start, replace(one, span=_place(text, found, one))
    return None


def _leaves(value: Any, is_answer: bool | None) -> Iterator[tuple[bool | None, Any]]:
    """Yield the plain values and whether they answer; what a key leaves open its parent says."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if is_doubt_key(key):
                said = _plain(inner)
                if said and said.answer == "yes":
                    yield True, "unsure"
                continue
            own = is_answer_key(key)
            yield from _leaves(inner, is_answer if own is None else own)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, is_answer)
    else:
        yield is_answer, value


def _read(leaf: Any) -> Statement | None:
    """Return what the value of an answer key says: a word, a sentence, 1 or 0."""
    if isinstance(leaf, str):
        text = folded(leaf)
        return (
            _plain(text)
            or ({"1": _flat("yes"), "0": _flat("no")}.get(text.strip()))
            or settled(list(statements_in(struck(text), (0, len(text)))))
            or (_flat("unsure") if words().unsure.search(text) else None)
            or _bare_no(text, 0)
        )
    return _plain(bool(leaf) if leaf in (0, 1) else leaf)


def _plain(leaf: Any) -> Statement | None:
    if isinstance(leaf, bool):
        return _flat("yes" if leaf else "no")
    said = statement_of_text(folded(leaf)) if isinstance(leaf, str) else None
    return _flat(said.answer) if said else None


def _flat(answer: Said | Literal["both"]) -> Statement:
    return Statement(answer=answer, span=(0, 0), is_whole=True)


def _place(text: str, found: JsonValue, said: Statement) -> Span:
    """Return where the word of a JSON value stands in the text; an empty span where it is not."""
    nowhere = (found.end, found.end)
    if said.answer == "both":
        return nowhere
    within = text[found.start : found.end]
    keyed = _last_before(within, words().announced)
    spans = [keyed[1].span] if keyed and keyed[1].answer == said.answer else []
    spelled = "|".join(sorted(map(re.escape, words().spellings[said.answer]), reverse=True))
    spans += [
        value.span(1) for value in re.finditer(rf"[:\[,][ \n\"']{{0,20}}({spelled})(?!\w)", within)
    ]
    return (found.start + spans[0][0], found.start + spans[0][1]) if spans else nowhere


def _terse(plain: str, mark: re.Match[str]) -> Statement | None:
    """Return what the line after an announcement says in one letter or digit."""
    found = _TERSE.match(plain, mark.end())
    if not found:
        return None
    spelled = found["said"]
    answer: Said = "yes" if spelled in "y1" else "no"
    # no tokens are known for the digits: P(yes) is not told
    span = found.span("said") if spelled.isalpha() else (found.end(), found.end())
    return Statement(answer=answer, span=span, is_whole=True)


def _bare_no(text: str, start: int) -> Statement | None:
    """Return the no of an announced answer that is no and a noun: Answer: no slit."""
    found = _BARE_NO.match(text, start)
    if not found or words().open_no.match(text, found.start("noun")):
        return None
    return Statement(answer="no", span=found.span("said"), is_whole=False)


def _said_after(plain: str, mark: re.Match[str]) -> Statement | None:
    label = _LABEL.match(plain, mark.end())
    start = label.end() if label else mark.end()
    end = _LINE_END.search(plain, start, start + _REACH)
    return first_statement(plain, (start, end.end() if end else min(len(plain), start + _REACH)))


def _is_doubted(plain: str, start: int) -> bool:
    """Tell whether what goes before an announcement undoes it: I don't think the answer is yes."""
    before = plain[max(0, start - _REACH) : start]
    sentence = _SENTENCE_END.split(before)[-1]
    clause = _CLAUSE_END.split(sentence)[-1]
    return bool(words().doubting.search(clause) or words().conditional.search(sentence))
