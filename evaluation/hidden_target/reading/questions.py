"""Finding the questions in what a player said."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.asking.reading.markup import struck
from benchwright.asking.reading.words import words
from evaluation.hidden_target.reading.sentences import Sentence
from evaluation.hidden_target.reading.spoken import Spoken
from evaluation.hidden_target.reading.word_order import (
    clause_start,
    is_chinese,
    is_indirect,
    is_inverted,
)

# json: under a key; labelled: after "Question:"; bold: the one in bold; last_line: alone at the
# end, after prose; question_mark: by its sign; indirect: tell me whether; word_order: without one.
QuestionRoute = Literal[
    "json", "labelled", "bold", "last_line", "question_mark", "indirect", "word_order"
]

QUESTION_KEYS = ("question", "nextquestion", "ask", "query", "myquestion", "问题")
_LINE = r"(?:(?<=\n)|\A)"
_LABEL = re.compile(
    rf"{_LINE}[\s>*_#\"'-]{{0,12}}(?:\d{{1,2}}[.)] )?"
    r"(?:(?:my|the|next|here is my|final|turn \d{1,2})[ ,:-]{1,3}){0,3}"
    r"(?:(?:yes/no|binary|follow-up|clarifying)[ -])?(?:question|q|ask)(?: ?#?\d{1,2})?"
    r"(?: (?:is|for you))?[*_\"' ]{0,4}(?:[:.)=-]|\n)"
    rf"|{_LINE}[\s*_#]{{0,8}}(?:我的)?(?:下一个)?(?:问题|提问|问)\d{{0,2}}[*_ ]{{0,3}}:"
)
_BOLD = re.compile(r"\*\*[^*\n]{3,300}\?[ \"']{0,3}\*\*")
_DRESSED = r"[\s>*_#`\"'“”‘’«»「」\[\](){}|•·–—-]"
_DECORATION = re.compile(
    rf"\A(?:{_DRESSED}|\(?(?:\d{{1,2}}|[a-z])[.)](?=\s)"
    r"|(?i:question|q|next question|my question|turn)(?: ?#?\d{1,2})?[*_ ]{0,3}[:.)-](?=\D))+"
    r"|[\s>*_#`\"'“”‘’«»「」\[\]{}|]+\Z"
)
# what is said to keep a talk going, or to oneself, asks nothing about the target
_TALK = re.compile(
    r"\W{0,8}(?:(?:great|ok|okay|well|so|now|thanks|good|perfect|got it|understood)[,.!]? )?"
    r"(?:(?:(?:is|was|am|are|did|do|have) (?:that|this|i|it) (?:my |the |your )?"
    r"(?:ok|okay|all right|alright|clear|correct|right|fine|understood|get (?:it|that) right"
    r"|guess(?:ed)? (?:correctly|right))|(?:are you )?ready|right|correct|ok|okay|understood"
    r"|agreed|sure|really|why|hmm+|yes|no|deal|got it|what'?s next|so what|what about it"
    r"|(?:options?|answers?|(?:please )?(?:answer|respond|reply)(?: with)?|yes or no)?)\W{0,40}\Z"
    r"|(?:(?:shall|should|may|can|could) (?:i|we) (?:continue|proceed|go on|start|begin|guess|help"
    r"|ask(?! (?:you )?(?:whether|if)(?![a-z])))|(?:is|was) (?:there )?(?:anything|something) else"
    r"|how (?:can|may) i|what (?:should|shall|can|do|would|could) (?:i|we)|(?:did|have) i"
    r"|am i(?! (?:right|correct) (?:that|in))|what if"
    r"|(?:could|can|would|will) you (?:please |kindly )?(?:re-?)?(?:upload|send|share|provide"
    r"|attach|show|try|repeat)|would you like me|do you want me)(?![a-z]))"
)
_ABOUT_UPLOADS = re.compile(
    r"(?<![a-z])(?:upload\w{0,3}|batch(?:es)?|that all"
    r"|(?:more|other|next|further|additional|remaining|all(?: of)?(?: the| your)?) "
    r"(?:images?|pictures?|photos?)|more(?=\W{0,4}\Z))(?![a-z])|上传|下一批|继续|准备好"
)
_WONDERING = re.compile(r"(?<![a-z])(?:i|we|us|me)(?![a-z])")
_WH = re.compile(
    r"[\W_]{0,12}(?:so |but |and |now,? )?(?:what|which|who|why|how|where|when)(?![a-z])"
)
_JOINT = re.compile(r"\W*(?:and|or|but)\W*")
_LIMIT = 12  # more questions than that are as many as that


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundQuestions:
    """Questions as they are put, without what dresses them, and how they were found."""

    texts: tuple[str, ...]
    route: QuestionRoute


def questions_in(said: Spoken, parts: Sequence[Sentence]) -> FoundQuestions | None:
    """Return the questions of an answer; null for none.

    Where some are marked as the question, those alone count: the others were asked of nobody.
    """
    for route, texts in _routes(said, parts):
        if found := _distinct(texts):
            return FoundQuestions(texts=found, route=route)
    return None


def is_about_uploads(question: str) -> bool:
    """Tell whether a question is about the uploading, not about the target."""
    return bool(_ABOUT_UPLOADS.search(question.lower()))


def _routes(
    said: Spoken, parts: Sequence[Sentence]
) -> Iterator[tuple[QuestionRoute, Iterator[str]]]:
    yield "json", _in_json(said)
    label = _LABEL.search(said.plain)
    if label:
        after = [part for part in parts if part.end > label.end()]
        yield "labelled", _marked_by_sign(said, after, label.end())
        yield (
            "labelled",
            (_text(said, max(part.start, label.end()), part.end) for part in after[:1]),
        )
    bold = [found.span() for found in _BOLD.finditer(said.visible)]
    if len(bold) == 1:
        yield "bold", _marked_by_sign(said, [_sentence(*bold[0])], 0)
    if last := _lone_last(parts):
        yield "last_line", _marked_by_sign(said, [last], 0)
    yield "question_mark", _marked_by_sign(said, parts, 0)
    yield "indirect", _told_by(said, parts, is_indirect)
    yield "word_order", _told_by(said, parts, lambda one: is_inverted(one) or is_chinese(one))


def _lone_last(parts: Sequence[Sentence]) -> Sentence | None:
    """Return the question that is the last paragraph, where all other paragraphs hold prose."""
    paragraphs: list[list[Sentence]] = []
    for part in parts:
        if part.opens:
            paragraphs.append([])
        paragraphs[-1].append(part)
    put = [some for some in paragraphs if all(part.is_question for part in some)]
    is_alone = len(paragraphs) > 1 and len(put) == 1 and put[0] is paragraphs[-1]
    return put[0][0] if is_alone and len(put[0]) == 1 else None


def _told_by(
    said: Spoken, parts: Sequence[Sentence], tells: Callable[[str], bool]
) -> Iterator[str]:
    """Yield the sentences that are told to be questions by their words."""
    is_first = True
    for part in parts:
        body = said.plain[part.start : part.end]
        if tells(body) and _is_put(body):
            yield _text(said, part.start, part.end, is_first=is_first)
            is_first = False


def _sentence(start: int, end: int) -> Sentence:
    return Sentence(start=start, end=end, is_question=True, opens=False)


def _in_json(said: Spoken) -> Iterator[str]:
    for one in said.values:
        for key in QUESTION_KEYS:
            entry = one.value.get(key)
            some = entry if isinstance(entry, list) else [entry]
            yield from (text.strip() for text in some if isinstance(text, str) and text.strip())
        if str(one.value.get("action", "")).lower() in ("ask", "question"):
            for key in ("content", "text", "value", "input"):
                if isinstance(one.value.get(key), str):
                    yield one.value[key].strip()


def _marked_by_sign(said: Spoken, parts: Sequence[Sentence], least: int) -> Iterator[str]:
    is_first = True
    for part in parts:
        start = max(part.start, least)
        body = said.plain[start : part.end]
        if part.is_question and _is_put(body):
            yield _text(said, start, part.end, is_first=is_first)
            is_first = False


def _is_put(body: str) -> bool:
    """Tell whether a folded question is put to the other side, about the target."""
    body = body[clause_start(body) :]
    if (
        _TALK.match(struck(body[:400]))
        or words().blind.search(body[:400])
        or not any(map(str.isalpha, body))
    ):
        return False
    return not (_WH.match(body) and _WONDERING.search(body))


def _text(said: Spoken, start: int, end: int, *, is_first: bool = True) -> str:
    """Return a question as it was written, from where the question itself begins, undressed.

    The "and" of a further question belongs to it.
    """
    lead = clause_start(said.plain[start:end])
    if is_first or not _JOINT.fullmatch(said.plain, start, start + lead):
        start += lead
    text = "".join(
        char if shown == char.lower() or not shown.isspace() else " "
        for char, shown in zip(said.written[start:end], said.plain[start:end], strict=True)
    )
    text = text.replace("**", "").replace("__", "").replace("`", "")
    return " ".join(_DECORATION.sub("", text).split())


def _distinct(texts: Iterator[str]) -> tuple[str, ...]:
    """Return the texts in order, one that is repeated once, at most some."""
    found: dict[str, str] = {}
    for text in texts:
        key = "".join(filter(str.isalnum, text.lower()))
        if key:
            found.setdefault(key, text)
        if len(found) >= _LIMIT:
            break
    return tuple(found.values())
