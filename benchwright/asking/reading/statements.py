"""Reading prose: which of its clauses say yes or no, and whether they agree."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from benchwright.asking.reading.folding import Span
from benchwright.asking.reading.words import ANSWERS, Said, Words, is_answer_key, words

_CLAUSE = re.compile(r"[^,.;:!?\n。、…—–()\[\]{}|•·→]+")
_GLUE = re.compile(r"[ *_\"'&/+]{1,9}(?:and |but |also )?")
_PIECE = re.compile(r"[^ */&_\"']+")
_QUOTES = "\"'"
_SENTENCE_ENDS = (".", "!", "?", ";", "\n", "。", "")
_Case = Literal["one", "other"] | None  # of a condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """An answer that was said, and the decisive word; ``both`` is yes and no in one breath.

    ``is_whole`` tells that nothing but the word is in its clause, ``is_first`` that no other words
    go before it, ``is_aside`` that it is given as a reason.
    """

    answer: Said | Literal["both"]
    span: Span
    is_whole: bool
    is_first: bool = False
    is_aside: bool = False


def statement_of_text(text: str) -> Statement | None:
    """Return what a folded text says that is one word or one set phrase and nothing else."""
    bounds = _peeled(text, (0, len(text)))
    if bounds[0] == bounds[1]:
        return _shown(text, (0, len(text)))
    return _looked_up(text, bounds, words().texts) or _in_two_languages(text, bounds)


def settled(statements: list[Statement]) -> Statement | None:
    """Return the one statement that several amount to.

    Yes beside no is ``both``. Doubt that stands alone in a clause takes back what was said before
    it; other doubt counts only where nothing was said, and so do reasons.
    """
    statements = [one for one in statements if not one.is_aside] or statements
    firm = [one for one in statements if one.answer != "unsure"]
    doubts = [one for one in statements if one.answer == "unsure"]
    if not firm:
        return doubts[-1] if doubts else None
    if len({one.answer for one in firm}) > 1:
        return Statement(answer="both", span=firm[0].span, is_whole=False)
    if doubts and doubts[-1].is_whole and doubts[-1].span > firm[-1].span:
        return doubts[-1]
    return firm[0]


def statements_in(text: str, span: Span) -> Iterator[Statement]:
    """Yield what each clause within a span of a folded text says; questions say nothing."""
    return (said for said in _by_clause(text, span) if said)


def first_statement(text: str, span: Span) -> Statement | None:
    """Return what the first clause within a span of a folded text says, or signs without words."""
    return next(_by_clause(text, span), None) or _shown(text, span)


def _by_clause(text: str, span: Span) -> Iterator[Statement | None]:
    """Yield what each clause says; what goes before the first one is left out of the count."""
    known = words()
    is_first = True
    case: _Case = None
    key = last = ""  # what stood before a colon, the last answer
    for clause in _CLAUSE.finditer(text, *span):
        bounds = _peeled(text, clause.span())
        rest = _after_openers(text, bounds)
        case = _case_of(text, bounds, rest) or case
        said = _of_words(text, bounds) or _of_words(text, rest)
        said = said or (_looked_up(text, bounds, known.abroad) if is_first else None)
        sign = text[clause.end() : clause.end() + 1]
        is_other = bool(key) and is_answer_key(key) is False
        is_kept = last == "no" and text[slice(*rest)] in known.partly  # no, not quite
        if said and sign != "?" and not is_kept and (not is_other or key in known.reason_keys):
            said = replace(_in_case(said, case), is_first=is_first, is_aside=is_other)
            yield said
            last, is_first = said.answer, False
        elif rest[0] < rest[1] and not (is_first and _is_label(text, bounds)):
            is_first = False
            yield None
        is_key = not said and rest[0] < rest[1] and sign == ":"
        key = text[slice(*bounds)] if is_key else ""
        case = None if sign in _SENTENCE_ENDS else case


def _of_words(text: str, bounds: Span) -> Statement | None:
    known = words()
    return (
        _looked_up(text, bounds, known.clauses)
        or _leading(text, bounds, known)
        or _in_two_languages(text, bounds)
    )


def _is_label(text: str, bounds: Span) -> bool:
    """Tell whether a clause is the label of an option; it, blanks and openers go before nothing."""
    return bounds[1] - bounds[0] == 1 and text[bounds[0]].isascii()


def _case_of(text: str, bounds: Span, rest: Span) -> _Case:
    """Tell whether a clause opens a condition or the other case of one."""
    known = words()
    if known.otherwise.match(text, *bounds):
        return "other"
    return "one" if known.conditional.match(text, *rest) else None


def _in_case(said: Statement, case: _Case) -> Statement:
    """Return what is said under a condition: doubt; in its other case: both."""
    if case is None or said.answer == "unsure":
        return said
    return replace(said, answer="both" if case == "other" else "unsure", is_whole=False)


def _leading(text: str, bounds: Span, known: Words) -> Statement | None:
    """Return what the words at the beginning of a clause say: yes it is, yes and no."""
    start, end = bounds
    found: list[tuple[Said, Span]] = []
    at = start
    while lead := known.lead.match(text, at, end):
        answer = next(one for one in ANSWERS if lead[one])
        opener = known.opener.match(text, at, end)
        if opener and opener.end() > lead.end():  # 大概率 begins with 大概
            break
        if spoken := known.spoken_of.match(text, lead.end(), end):
            return _spoken_of(answer, spoken, lead.span())
        if answer == "no" and known.any_of_no.match(text, lead.end(), end):
            break
        found.append((answer, lead.span()))
        glue = _GLUE.match(text, lead.end(), end)
        at = glue.end() if glue else lead.end()
    if not found or _is_quoted(text, found[0][1], end):
        return None
    said = {answer for answer, _ in found}
    if "unsure" in said or known.conditional.match(text, at, end):  # maybe yes; yes if it opens
        return Statement(answer="unsure", span=found[0][1], is_whole=False)
    answer = found[0][0]
    return Statement(
        answer=answer if len(said) == 1 else "both",
        span=found[0][1],
        is_whole=found[-1][1][1] == end,
    )


def _spoken_of(answer: Said, spoken: re.Match[str], span: Span) -> Statement:
    """Return what a clause says that speaks about a word: yes would be wrong."""
    turned: dict[Said, Said] = {"yes": "no", "no": "yes", "unsure": "unsure"}
    if spoken["falls"]:  # no word spells the answer
        return Statement(answer=turned[answer], span=(span[1], span[1]), is_whole=False)
    return Statement(answer=answer if spoken["stands"] else "unsure", span=span, is_whole=False)


def _in_two_languages(text: str, bounds: Span) -> Statement | None:
    """Return what a clause says that is the word and the word again in another language."""
    if bounds[1] - bounds[0] > 2 * words().longest:
        return None
    pieces = list(_PIECE.finditer(text, *bounds))
    if len(pieces) != 2 or pieces[0][0].isascii() == pieces[1][0].isascii():
        return None
    said = [words().clauses.get(piece[0]) for piece in pieces]
    if said[0] is None or said[0] != said[1]:
        return None
    return Statement(answer=said[0], span=pieces[0].span(), is_whole=True)


def _is_quoted(text: str, word: Span, end: int) -> bool:
    """Tell whether the word is one that the clause speaks about: "no" is written there."""
    start, stop = word
    before, after = text[max(0, start - 1) : start], text[stop : stop + 1]
    return bool(before) and before in _QUOTES and before == after and stop + 1 < end


def _looked_up(text: str, bounds: Span, table: dict[str, Said]) -> Statement | None:
    start, end = bounds
    if not 0 < end - start <= words().longest:
        return None
    answer = table.get(unicodedata.normalize("NFC", " ".join(text[start:end].split())))
    return Statement(answer=answer, span=bounds, is_whole=True) if answer else None


def _shown(text: str, bounds: Span) -> Statement | None:
    """Return what signs such as a tick say, where they stand alone."""
    signs = text[slice(*bounds)].strip()
    if len(signs) > 12 or any(map(str.isalnum, signs)):
        return None
    said = {answer for char in signs if (answer := words().emoji.get(char))}
    if len(said) == 1:
        return Statement(answer=said.pop(), span=bounds, is_whole=True)
    return Statement(answer="both", span=bounds, is_whole=True) if said else None


def _after_openers(text: str, bounds: Span) -> Span:
    """Return what is left of a clause after the words that open it."""
    start, end = bounds
    while opener := words().opener.match(text, start, end):
        start, _ = _peeled(text, (opener.end(), end))
    return start, end


def _peeled(text: str, bounds: Span) -> Span:
    """Return the bounds without the blanks, signs and markup at both ends."""
    start, end = bounds
    while start < end and _is_edge(text[start]):
        start += 1
    while start < end and _is_edge(text[end - 1]):
        end -= 1
    return start, end


def _is_edge(char: str) -> bool:
    return not char.isalnum() and (char == "\ufe0f" or unicodedata.category(char)[0] in "PSZC")
