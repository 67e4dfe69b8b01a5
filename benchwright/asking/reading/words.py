"""The words and phrases of words.yaml, made ready for reading."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.asking.reading.folding import fold
from benchwright.asking.reading.markup import struck
from benchwright.yaml_files import read_settings

Said = Literal["yes", "no", "unsure"]
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")  # of camelCase
_END = r"(?![a-z0-9à-ɏ]|[-'][a-z])"  # where a word in Latin letters ends
ANSWERS: tuple[Said, ...] = ("yes", "no", "unsure")
_UNSURE: Said = "unsure"


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid")

    leads: list[str]
    answers: list[str]


class _SpokenOf(BaseModel):
    model_config = ConfigDict(extra="forbid")

    stands: str
    falls: str
    open: str


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    traditional: str
    yes: _Group
    no: _Group
    unsure: _Group
    partly: list[str]
    alone: dict[Said, list[str]]
    emoji: dict[Said, str]
    openers: list[str]
    after_no: list[str]
    answer_keys: list[str]
    keys_only: list[str]
    other_keys: list[str]
    reason_keys: list[str]
    negating: list[str]
    doubt_keys: list[str]
    concluding: list[str]
    retracting: list[str]
    doubting: list[str]
    conditional: list[str]
    unconditional: list[str]
    otherwise: list[str]
    spoken_of: _SpokenOf
    open_no: list[str]
    abroad: dict[Said, list[str]]
    parts: dict[str, list[str]]
    unsure_phrases: list[str]
    declined_phrases: list[str]
    blind_phrases: list[str]
    blind_unless: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What words.yaml says: tables to look up, patterns to match; see the comments there.

    ``clauses`` and ``texts`` give the answer that a whole clause or a whole text is; ``longest``
    is the length of the longest. ``lead`` has one group for each answer. ``spellings`` are the
    single words that a token may spell, by answer.
    """

    simplified: dict[str, str]
    clauses: dict[str, Said]
    texts: dict[str, Said]
    emoji: dict[str, Said]
    longest: int
    lead: re.Pattern[str]
    any_of_no: re.Pattern[str]
    opener: re.Pattern[str]
    announced: re.Pattern[str]
    concluding: re.Pattern[str]
    retracting: re.Pattern[str]
    doubting: re.Pattern[str]
    conditional: re.Pattern[str]
    otherwise: re.Pattern[str]
    spoken_of: re.Pattern[str]
    open_no: re.Pattern[str]
    abroad: dict[str, Said]
    answer_keys: frozenset[str]
    other_keys: frozenset[str]
    reason_keys: frozenset[str]
    partly: frozenset[str]
    doubt_keys: frozenset[str]
    negating: re.Pattern[str]
    unsure: re.Pattern[str]
    declined: re.Pattern[str]
    blind: re.Pattern[str]
    spellings: dict[Said, frozenset[str]]


@cache
def words() -> Words:
    """Return the words of words.yaml."""
    file = resources.files("benchwright.asking.reading").joinpath("words.yaml")
    with resources.as_file(file) as path:
        said = read_settings(path, _File, as_text=True)
    groups: dict[Said, _Group] = {"yes": said.yes, "no": said.no, "unsure": said.unsure}
    clauses = _clauses(groups, said.parts) | dict.fromkeys(said.partly, _UNSURE)
    texts = clauses | {word: answer for answer, some in said.alone.items() for word in some}
    phrases = [said.unsure_phrases, said.declined_phrases, said.blind_phrases]
    unsure, declined, blind = (
        "|".join(_filled(one, said.parts) for one in some) for some in phrases
    )
    return Words(
        simplified=_pairs(said.traditional),
        clauses=clauses,
        texts=texts,
        emoji={sign: answer for answer, signs in said.emoji.items() for sign in signs},
        longest=max(map(len, texts)),
        lead=re.compile("|".join(f"(?P<{a}>{_words(g.leads)})" for a, g in groups.items())),
        any_of_no=re.compile(rf"(?<=no) +(?!{_words(said.after_no)})\w"),
        opener=re.compile(_words(said.openers)),
        announced=_announced(said.answer_keys, said.keys_only),
        concluding=re.compile(
            rf"(?<![a-z])(?:{_words(said.concluding + said.retracting)})[ ,:.\n]{{0,4}}"
        ),
        retracting=re.compile(
            rf"\W{{1,8}}(?:{_words([word.lstrip(',。') for word in said.retracting])})"
        ),
        doubting=re.compile(rf"(?<![a-z])(?:{_words(said.doubting)})"),
        conditional=re.compile(
            rf"(?<![a-z])(?!{'|'.join(said.unconditional)})(?:{_words(said.conditional)})"
        ),
        otherwise=re.compile(_words(said.otherwise)),
        spoken_of=_spoken_of(said.spoken_of, said.parts),
        open_no=re.compile("|".join(_filled(one, said.parts) for one in said.open_no)),
        abroad={word: answer for answer, some in said.abroad.items() for word in some},
        answer_keys=frozenset(map(_bare, said.answer_keys + said.keys_only)),
        other_keys=frozenset(map(_bare, said.other_keys + said.reason_keys)),
        reason_keys=frozenset(said.reason_keys),
        partly=frozenset(said.partly),
        doubt_keys=frozenset(map(_bare, said.doubt_keys)),
        negating=re.compile(rf"(?<![a-z])(?:{_words(said.negating)})"),
        unsure=re.compile(unsure),
        declined=re.compile(declined),
        blind=re.compile(f"(?:{blind})(?!{'|'.join(map(re.escape, said.blind_unless))})"),
        spellings={answer: _single(texts, answer) for answer in ANSWERS},
    )


def folded(text: str) -> str:
    """Return the text as the words are spelled; its length stays."""
    return fold(text, words().simplified)


def is_answer_key(key: str) -> bool | None:
    """Tell whether the value of this key is the answer; null where it may be."""
    known, bare = words(), _bare(folded(key))
    if bare in known.answer_keys:
        return True
    if bare in known.other_keys:
        return False
    parts = struck(re.sub(r"[-_/.]", " ", folded(_HUMP.sub(" ", key))))
    is_choice = "yes" in parts.split()  # yes_or_no
    return False if known.negating.search(parts) and not is_choice else None


def is_doubt_key(key: str) -> bool:
    """Tell whether true under this key says that the answer is open."""
    bare = _bare(folded(key))
    return bare in words().doubt_keys or bare.removeprefix("is") in words().doubt_keys


def _bare(key: str) -> str:
    return re.sub(r"[\W_]", "", key)


def _pairs(traditional: str) -> dict[str, str]:
    return {pair[0]: pair[1] for pair in traditional.split()}


def _clauses(groups: dict[Said, _Group], parts: dict[str, list[str]]) -> dict[str, Said]:
    return {
        spelled: answer
        for answer, group in groups.items()
        for entry in group.leads + group.answers
        for spelled in _spellings(entry, parts)
    }


def _single(texts: dict[str, Said], answer: Said) -> frozenset[str]:
    return frozenset(word for word, one in texts.items() if one == answer and " " not in word)


def _spellings(entry: str, parts: dict[str, list[str]]) -> list[str]:
    """Return an entry once for each choice of the parts that it names."""
    pieces = re.split(r"\{(\w+)\}", entry)
    choices = [parts[piece] if at % 2 else [piece] for at, piece in enumerate(pieces)]
    return ["".join(choice) for choice in product(*choices)]


def _filled(phrase: str, parts: dict[str, list[str]]) -> str:
    return re.sub(
        r"\{([a-z_]+)\}",
        lambda part: f"(?:{'|'.join(parts[part[1]])})",
        f"(?<![a-z])(?:{phrase})",
    )


def _spoken_of(said: _SpokenOf, parts: dict[str, list[str]]) -> re.Pattern[str]:
    """Return the pattern of what follows a word that is spoken of, one group for each outcome."""
    some = {"stands": said.stands, "falls": said.falls, "open": said.open}
    named = "|".join(f"(?P<{name}>{_filled(one, parts)})" for name, one in some.items())
    return re.compile(rf"[\"'*_]{{0,3}} (?:{named})")


def _words(some: list[str]) -> str:
    """Return a pattern of these words, the longest first, that ends where a word ends."""
    longest_first = sorted(some, key=lambda word: (-len(word), word))
    return "|".join(
        re.escape(word) + (_END if word[-1].isascii() else "") for word in longest_first
    )


def _announced(nouns: list[str], keys_only: list[str]) -> re.Pattern[str]:
    """Return the pattern of ``answer: ``, ``the answer is ``, ``"answer": ``, ``答案是``."""
    latin, others = _nouns(nouns)
    latin_keys, other_keys = _nouns(keys_only)
    to_what = r"(?: to (?:the|this|your|that) question)?"
    verbs = "is|was|would be|would have to be|should be|must be|will be|remains"
    verb = rf"(?:'s| {{1,4}}(?:{verbs}))(?![a-z])(?: that)?"
    near = r"[\"'*_`)\] ]{0,6}"
    sign = r"(?:[:=|\n;→]|->)"  # a dash is a semicolon by now
    return re.compile(
        rf"(?<![a-z])(?:(?:{latin}){to_what}(?:{near}{sign}|{verb})|(?:{latin_keys}){near}{sign})"
        rf"|(?:{others})[\"'*\] ]{{0,4}}(?:】|[:=|\n;]|(?:应该|应当|应)?(?:[是为]|选择?))"
        rf"|(?:{other_keys})[\"'*\] ]{{0,4}}[:=|\n;】]"
    )


def _nouns(keys: list[str]) -> tuple[str, str]:
    """Return the pattern of the keys in Latin letters and that of the others."""
    longest_first = sorted(keys, key=lambda key: (-len(key), key))
    latin = [key.replace(" ", "[ _]?") for key in longest_first if key.isascii()]
    return "|".join(latin), "|".join(key for key in longest_first if not key.isascii())
