"""Finding the final guess in what a player said."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchwright.asking.reading.markup import opened_answers
from evaluation.hidden_target.reading.numbers import (
    NUMBER,
    is_ordinal,
    number_of,
    whole_number,
)
from evaluation.hidden_target.reading.questions import QUESTION_KEYS
from evaluation.hidden_target.reading.sentences import Sentence
from evaluation.hidden_target.reading.spoken import Spoken
from evaluation.hidden_target.reading.word_order import is_inverted

# json: under a key; tag: <guess>, \boxed; announced: my guess: #7; stated: I choose #7; bare: the
# number alone; last_line: a line in whatever language that ends with ": #7".
GuessRoute = Literal["json", "tag", "announced", "stated", "bare", "last_line"]

_KEYS = {"guess", "finalguess", "myguess", "guessnumber", "guessindex", "guessednumber"}
_MAYBE_KEYS = {"answer", "finalanswer", "choice", "prediction", "number", "index", "image", "value"}
_ACTIONS = {"action", "type", "kind", "move", "decision"}
_TAG = re.compile(r"<(?P<tag>(?:my_?|final_?)?guess)>(?P<said>[^<]{1,80})")
_WORD = r"(?<![a-z])(?:guess(?:ing)?|guessed)(?![a-z])|猜测|猜想|猜"
_ANNOUNCED = re.compile(
    rf"(?:{_WORD})(?P<gap>[^\d?!;。\n]{{0,80}}?(?:[:=]\s{{0,12}}[*_\s]{{0,4}})?){NUMBER}"
)
_SECOND = NUMBER.replace("<mark", "<mark2").replace("<number", "<number2")
_STATED = re.compile(
    r"(?<![a-z])(?:answer|choice|prediction|selection|verdict|pick)(?: (?:is|would be|will be))?"
    rf"[ *_\"'`]{{0,4}}(?:[:=]\s{{0,12}})?[^\d?!.;。\n,]{{0,40}}?{NUMBER}"
    rf"|(?:答案|选择|选)[^\d?。\n]{{0,16}}?{_SECOND}"
)
_CUE = re.compile(
    r"(?<![a-z])(?:choose|chose|pick|select|go with|going with|conclude|identified|must be"
    r"|has to be|(?:is|was) (?:your|my)"
    r"|is the (?:one|match|winner)(?! (?:with|that|which|whose|in|on|of|from|having)(?![a-z]))"
    r"|(?:favou?rite|target|preferred|hidden|chosen|secret)\b[^.\n]{0,40}\b(?:is|was)"
    r"|only (?:one|match|candidate|option|[a-z]{1,20}) (?:left|remaining|that)"
    r"|(?:it is|it's|that's|that is|leaves|this leaves|i'd say|i would say|if i had to guess))"
    r"(?![a-z])|是"
)
_DENIED = r"not|never|cannot|[a-z]{2,6}n't"
# a number is one of several, or out, or not yet sure
_OPEN = re.compile(
    rf"(?<![a-z])(?:{_DENIED}|neither|nor|could|might|may|maybe|perhaps|possibly|either|between"
    r"|among|candidates|unless|eliminat(?:e[sd]?|ing)|exclud(?:e[sd]?|ing)|rul(?:e[sd]?|ing) out"
    r"|lean(?:s|ing)?|compar(?:e[sd]?|ing)|similar|unlike)(?![a-z])|不|可能|也许|或许|排除"
)
_IF = re.compile(
    r"(?<![a-z])(?:if|once|when|until|unless|before|whether|assuming|suppose)(?![a-z])|如果|假如"
)
_IF_FORCED = re.compile(r"if (?:i (?:had|have|must|were)|forced|pressed)")
_TENTATIVE = re.compile(
    rf"(?<![a-z])(?:{_DENIED}|current|tentative|working|initial|preliminary|provisional|earlier"
    r"|previous|first|so far|for now|at the moment|could|might|may|too early|wrong"
    r"|(?<!i )would have)(?![a-z])|暂时|目前|初步|不|还没"
)
_TURN = re.compile(r"[,;:]|(?<![a-z])(?:but|however|still|yet|so)(?![a-z])")
_FOR_NOW = re.compile(
    r"(?<![a-z])(?:so far|for now|at the moment|currently|tentatively|provisionally)[ ,]{1,3}"
    r"(?:(?:my|the) )?(?:[a-z]{1,12} )?\Z"
)
_GAP = re.compile(
    rf"(?<![a-z])(?:{_DENIED}|after|before|until|remain\w{{0,4}}|left|between|among|questions?"
    r"|turns?|wait|need|could|might|either|yet|when|wrong|once"
    r"|so far|for now|at the moment|narrow\w{0,5})(?![a-z])|不"
)
_DESCRIBED = re.compile(
    r"(?<![a-z])(?:with|has|have|having|that|which|showing|wearing|from)(?![a-z])"
)
_OR = re.compile(
    r"[ *_\"'`)]{0,5}(?:,|/|&|or|and|vs\.?|或|和|、)[ *_]{0,3}(?:or |and )?(?:[a-z]{1,20} ){0,2}"
    r"(?:#|no\. ?)? ?\d"
)
# a number that counts pictures: 3 dresses remain, 2 of them
_COUNT = re.compile(
    r" (?!(?:and|as|since|because|so|but|for|given|based|which|that|while|if|though)(?![a-z]))"
    r"(?:[a-z]{1,20} ){0,2}(?:remain|remaining|left|have|are|were|still|differ|show|share|match"
    r"|look)(?![a-z])"
    r"| (?:of (?:them|these|those|the)|more|others?)(?![a-z])"
)
_UNSURE_YET = re.compile(
    r"(?<![a-z])(?:so far|for now|at the moment|not (?:yet )?(?:sure|certain|final)"
    r"|but (?:first|let me|i (?:need|want|should|will|would|must|am not|'m not))"
    r"|if(?! i'm not mistaken)|provided|assuming|before)(?![a-z])|如果|不确定"
)
_BARE = re.compile(
    rf"[\W_]{{0,20}}(?:the )?(?P<what>[a-z]{{1,20}} )?{NUMBER}[号張张件条條]?"
    r"(?P<after> [a-z]{1,20})?[\W_]{0,20}"
)
_NO_NOUN = frozenset(
    {"about", "all", "batch", "got", "have", "just", "only", "question", "received", "saw", "see"}
    | {"seen", "step", "turn", "with", "yes", "no", "not", "round", "in", "of", "and", "or"}
)
_LAST_LINE = re.compile(
    r":[ *_\"'`]{0,6}(?:[^\W\d]{1,20} ){0,2}(?:#|n[or]\.|n°|№) ?(?P<number>\d{1,9})[\W_]{0,12}\Z"
)
_OUT = re.compile(r"(?:ruled out|eliminated|excluded|discarded|seen|received)[ *_]{0,6}\Z")
_CLAUSE = 60  # characters before a word that may take it back


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundGuess:
    """A guess, where its number ends, and how it was read.

    ``is_firm`` tells that it stands even where a question is put as well.
    """

    number: int
    end: int
    route: GuessRoute
    is_firm: bool


def guess_in(said: Spoken, parts: Sequence[Sentence]) -> FoundGuess | None:
    """Return the last final guess of an answer, the firm ones before the others; null for none."""
    firm = [*_in_json(said), *_in_tags(said), *_announced(said, parts)]
    if firm:
        return max(firm, key=lambda one: one.end)
    weak = [*_stated(said, parts), *_bare(said)]
    return max(weak, key=lambda one: one.end, default=None)


def _in_json(said: Spoken) -> Iterator[FoundGuess]:
    for one in said.values:
        number = _number_in(one.value)
        if number is not None:
            yield FoundGuess(number=number, end=one.end, route="json", is_firm=True)


def _number_in(by_key: Mapping[str, Any]) -> int | None:
    """Return the number guessed in an object: under a key that says so, or by what it does."""
    for key in sorted(by_key.keys() & _KEYS):
        entry = by_key[key]
        inner = next(iter(entry.values()), None) if isinstance(entry, dict) else entry
        number = whole_number(inner)
        if number is not None:
            return number
    has_question = any(isinstance(by_key.get(key), str) and by_key[key] for key in QUESTION_KEYS)
    does = {str(by_key[key]).lower() for key in by_key.keys() & _ACTIONS}
    if has_question or (does and not any("guess" in one or "answer" in one for one in does)):
        return None
    numbers = [whole_number(by_key[key]) for key in sorted(by_key.keys() & _MAYBE_KEYS)]
    return next((number for number in numbers if number is not None), None)


def _in_tags(said: Spoken) -> Iterator[FoundGuess]:
    spans = [found.span("said") for found in _TAG.finditer(said.visible)]
    for start, end in [*spans, *opened_answers(said.visible)]:
        inside = said.plain[start:end] if end - start <= 200 else ""
        number = _bare_number(inside)
        if number is not None:
            yield FoundGuess(number=number, end=end, route="tag", is_firm=True)


def _announced(said: Spoken, parts: Sequence[Sentence]) -> Iterator[FoundGuess]:
    plain = said.plain
    for found in _ANNOUNCED.finditer(plain):
        sentence = _sentence_of(parts, found.start())
        start, end = (sentence.start, sentence.end) if sentence else (0, len(plain))
        before = plain[max(start, found.start() - _CLAUSE) : found.start()]
        after = plain[found.end() : max(end, found.end()) + 1][:120]
        gap = found["gap"]
        is_open = (
            _TENTATIVE.search(_TURN.split(before)[-1])
            or _FOR_NOW.search(before)
            or (_IF.search(before) and not _IF_FORCED.search(before))
            or _GAP.search(gap)
            or (not found["mark"] and (_DESCRIBED.search(gap) or _counts(found)))
            or _OR.match(plain, found.end())
            or _UNSURE_YET.search(after)
            or (sentence and sentence.is_question and is_inverted(plain[start:end]))
        )
        if not is_open:
            is_firm = not _IF_FORCED.search(before)
            number = number_of(found["number"])
            yield FoundGuess(number=number, end=found.end(), route="announced", is_firm=is_firm)


def _counts(found: re.Match[str]) -> bool:
    """Tell whether a number without a mark counts something."""
    return not is_ordinal(found["number"]) and bool(_COUNT.match(found.string, found.end()))


def _stated(said: Spoken, parts: Sequence[Sentence]) -> Iterator[FoundGuess]:
    """Yield what a sentence states of one picture alone, without a doubt."""
    for sentence in parts:
        body = said.plain[sentence.start : sentence.end][:400]
        if sentence.is_question or _OPEN.search(body) or _is_conditional(body):
            continue
        answer = _STATED.search(body)
        marked = [
            found
            for found in re.finditer(NUMBER, body)
            if found["mark"] or is_ordinal(found["number"])
        ]
        named = answer or (marked[0] if len(marked) == 1 and _CUE.search(body) else None)
        if named is None or _OR.match(body, named.end()):
            continue
        number = named["number"] or named.groupdict().get("number2")
        yield FoundGuess(
            number=number_of(number or ""),
            end=sentence.start + named.end(),
            route="stated",
            is_firm=False,
        )


def _is_conditional(body: str) -> bool:
    return bool(_IF.search(body)) and not _IF_FORCED.search(body)


def _bare(said: Spoken) -> Iterator[FoundGuess]:
    plain = said.plain.rstrip()
    number = _bare_number(plain)
    if number is not None:
        yield FoundGuess(number=number, end=len(plain), route="bare", is_firm=False)
    elif (found := _LAST_LINE.search(plain, max(0, len(plain) - 200))) and _decides(found):
        number = int(found["number"])
        yield FoundGuess(number=number, end=found.end("number"), route="last_line", is_firm=False)


def _decides(found: re.Match[str]) -> bool:
    """Tell whether a last line does not say that its number is for now, or out."""
    line = found.string[: found.start()][-200:].rpartition("\n")[2]
    return not (_TENTATIVE.search(line) or _OUT.search(line))


def _bare_number(text: str) -> int | None:
    """Return the number that is all that a text says, perhaps with a noun: dress 7, the 7th one."""
    whole = text.strip()
    found = _BARE.fullmatch(whole) if len(whole) <= 80 and "?" not in whole else None
    if not found or (found["what"] or "").strip() in _NO_NOUN:
        return None
    has_noun = not found["after"] or is_ordinal(found["number"])
    return number_of(found["number"]) if has_noun else None


def _sentence_of(parts: Sequence[Sentence], at: int) -> Sentence | None:
    """Return the sentence that holds a place."""
    low, high = 0, len(parts)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if parts[middle].end <= at else (low, middle)
    return parts[low] if low < len(parts) and parts[low].start <= at else None
