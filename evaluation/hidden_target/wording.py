"""All that a player is told, and how a question or a guess is put in words.

The player gets no system message: some servers take none, and AMIGO puts its prompt into the first
message too. Nothing said before the signal tells how many pictures there are.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from benchwright.asking.reading.reasoning import without_reasoning
from benchwright.asking.requests import PicturePart
from benchwright.knowledge import Value
from benchwright.plain_text import plain
from benchwright.records import Told
from benchwright.store import digest_of
from evaluation.hidden_target.game import SIGNAL, Rules
from evaluation.releases.galleries import Term

Part = str | PicturePart  # of a message

GUESS = "My guess: #"  # and the number of a picture
SILENCE = "(no answer)"  # stands for what a player did not say: servers take no empty message
SENT_BACK = 8_000  # characters of what a player said that it is shown again: a cut reply has fewer

# what is not asked about though the vocabulary does not name it
NEVER_ASKED = (
    "size",
    "age group",
    "shoes",
    "jewellery",
    "hats",
    "bags",
    "the background",
    "the person who is shown",
)

_TASK = """\
One of the pictures that I am going to show you shows the {noun} that I have chosen. Find out \
which one by asking me questions.

How it goes
- The pictures come in batches. Each has a number, the first is 1. The last batch comes together \
with the words "{signal}". Before that, ask nothing and guess nothing: a short word that you have \
seen the batch is enough.
- Then you have {turns}. In each you ask one question, and I answer Yes, No or Unsure (I cannot \
tell). When you know which picture it is, you guess instead.
- A question that breaks a rule is answered Skip. A Skip tells you nothing about the {noun} and \
uses up a turn.

Rules
1. Ask one question a turn: about a single feature of the {noun} that can be seen, to be answered \
with yes or no. Write the question alone.
2. Never ask about any of these: {forbidden}.
3. Ask about a feature once. Having asked whether it is of one kind, do not go on through its \
other kinds in later turns.
4. Never mention a picture by its number or its place, and do not go through the pictures one by \
one.
5. Do not guess before the answers leave a single picture.
6. When answers contradict each other, or you are not sure, keep asking. Only while no picture \
fits all answers may you put an earlier question again; its latest answer counts.
7. To guess, write just this line, with the number of the picture: {guess}<number>"""

_ANSWERS: Mapping[Told, str] = MappingProxyType(
    {"yes": "Yes", "no": "No", "unsure": "Unsure", "skip": "Skip"}
)


def task(rules: Rules, terms: Sequence[Term]) -> str:
    """Return what a player is told before the first picture: the game and its rules."""
    return _TASK.format(
        noun=rules.noun,
        signal=SIGNAL,
        turns="1 turn" if rules.turns == 1 else f"{rules.turns} turns",
        forbidden=", ".join(forbidden(terms, rules.noun)),
        guess=GUESS,
    )


def forbidden(terms: Sequence[Term], noun: str) -> tuple[str, ...]:
    """Return what is not asked about: the types that are not askable, and ``NEVER_ASKED``.

    Of the latter not what the ``noun`` itself is, nor an askable type: shoes have a size.
    """
    return _forbidden(tuple(terms), noun, NEVER_ASKED)


@lru_cache(maxsize=8)  # each request of a run begins with it
def _forbidden(terms: tuple[Term, ...], noun: str, never_asked: tuple[str, ...]) -> tuple[str, ...]:
    types = sorted({term.value.type for term in terms if not term.value.askable})
    named = list(dict.fromkeys(map(_type_name, types)))
    askable = {_type_name(term.value.type) for term in terms if term.value.askable}
    spoken = {_singular(word) for name in (noun, *askable) for word in name.lower().split()}
    never = (name for name in never_asked if _singular(name) not in spoken)
    return (*named, *(name for name in never if name not in named))


def _singular(name: str) -> str:
    return name.removeprefix("the ").removesuffix("s")


def upload(
    rules: Rules,
    terms: Sequence[Term],
    numbers: Sequence[int],
    pictures: Sequence[Part],
    *,
    is_last: bool,
) -> tuple[Part, ...]:
    """Return what is shown and said with a batch of pictures; ``numbers`` are theirs, from 1.

    The first begins with the task; the last ends with the signal, and nothing comes after it.
    """
    parts: list[Part] = [f"{task(rules, terms)}\n\n"] if numbers[0] == 1 else []
    parts.append(f"{_span(numbers)}\n")
    for number, picture in zip(numbers, pictures, strict=True):
        parts += [f"Picture {number}:", picture]
    if is_last:
        parts.append(f"These were all the pictures. {SIGNAL}")
    return tuple(parts)


def _span(numbers: Sequence[int]) -> str:
    first, last = numbers[0], numbers[-1]
    return f"Picture {first}" if first == last else f"Pictures {first} to {last}"


def answer_text(told: Told, *, is_last: bool) -> str:
    """Return an answer as the player hears it; ``is_last`` when no turn is left after it."""
    if is_last:
        return f"{_ANSWERS[told]}. That was the last turn."
    return _ANSWERS[told]


def sent_back(text: str) -> str:
    """Return what a player said as it is shown to it again in later turns.

    Blocks of reasoning are left out, and of a long text all but the end, where it asks or guesses:
    a megabyte would be paid for in each turn, or fill the context of the model.
    """
    said = without_reasoning(text)
    return f"…{said[-SENT_BACK:]}" if len(said) > SENT_BACK else said or SILENCE


def guess_text(number: int) -> str:
    """Return a guess in the form that the rules want."""
    return f"{GUESS}{number}"


def prompt_digest(rules: Rules, terms: Sequence[Term]) -> str:
    """Return one sha256 of all that a player may be told under these rules, in any game.

    It is that of the texts themselves, not of the settings: what changes no word changes nothing.
    """
    size = rules.batch_size or 2
    batches = [range(1, size + 1), range(size + 1, 2 * size + 1), [2 * size + 1]]
    if not rules.batch_size:
        del batches[1:]
    texts: list[str] = [SILENCE, sent_back("." * (SENT_BACK + 1))]
    for batch in batches:
        said = upload(rules, terms, batch, [""] * len(batch), is_last=batch is batches[-1])
        texts += map(str, said)
    texts += [answer_text(told, is_last=last) for told in _ANSWERS for last in (False, True)]
    return digest_of(texts)


_NOUN = "{noun}"
_ODD = re.compile(
    r"(?:yes|no|none|not|null|true|false|present|absent|with|without|others?|unknown|n/?a)\b"
    r"|[\W\d_]*$|.*[?!\"“”:;,/()]",
    re.IGNORECASE | re.DOTALL,
)
# types that name a property: their values are said of them
_PROPERTIES = frozenset(
    {"color", "colour", "fabric", "hue", "kind", "length", "make", "material", "shade", "shape"}
    | {"size", "style", "texture", "type"}
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MARKS = re.compile("[?!？！]")  # what would end the question
_TOLD_OF = re.compile(r"(?:less|ful|ous|able|ible|proof|ish|ed)$")  # what adjectives end in
_SINGULAR_S = ("ss", "us", "is", "as", "os")
_AN = re.compile(r"[aeiou]|h(?:our|ono|eir)|8|1[18](?!\d)|[fhlmnrsx](?![a-z])")  # an x-back
_NOT_AN = re.compile(r"one\b|once|eu|ewe|u(?:ni[^mn]|s[aeiu]|ti|(?![a-z]))")  # a u-neck


def question_text(term: Term, noun: str) -> str:
    """Return a yes/no question for a value: its first template, else one made of its name.

    A yes means that the value is there. The question names type and value, unless the value's own
    name tells the type, as that of a v-neck does.
    """
    if term.templates:
        return term.templates[0].replace(_NOUN, noun)
    return _made(term.value, noun)


def question_texts(terms: Sequence[Term], noun: str) -> dict[tuple[str, str], str]:
    """Return a question for each value that can be asked about, by (type, value); no two alike.

    What two values of one name have in common, a template or a made question, is left aside.
    """
    wordings = [
        dict.fromkeys(
            [
                *(template.replace(_NOUN, noun) for template in term.templates),
                _made(term.value, noun),
            ]
        )
        for term in terms
    ]
    count = Counter(text for texts in wordings for text in texts)
    return {
        (term.value.type, term.value.value): next(
            (text for text in texts if count[text] == 1), _entry(term.value, noun)
        )
        for term, texts in zip(terms, wordings, strict=True)
        if term.value.askable
    }


def _made(value: Value, noun: str) -> str:
    kind, name = _type_name(value.type), _value_name(value.value)
    if _ODD.match(name):
        return _entry(value, noun)
    does = f"{'Do' if _is_plural(noun.partition(' of ')[0]) else 'Does'} the {noun} have"
    if _tells_type(name, kind):
        return f"{does} {_with_article(name)}?"
    is_phrase = " " in name or _is_plural(name)
    is_said = bool(_TOLD_OF.search(name))
    if _is_property(kind) or (is_phrase and is_said):
        return f"{'Are' if _is_plural(kind) else 'Is'} the {kind} of the {noun} {name}?"
    if is_phrase:
        verb = "Do" if _is_plural(kind) else "Does"
        return f"{verb} the {kind} of the {noun} have {_with_article(name)}?"
    return f"{does} {_with_article(f'{name} {kind}')}?"


def _entry(value: Value, noun: str) -> str:
    name = plain(_MARKS.sub("", value.value))  # else as it is written: XL, xl
    return f'Is "{name}" the right entry under "{_type_name(value.type)}" for the {noun}?'


def _type_name(name: str) -> str:
    """Return the name of a type as words: sleeve length for sleeve_length and SleeveLength."""
    return plain(_CAMEL.sub(" ", name).replace("_", " ").lower())


def _value_name(name: str) -> str:
    """Return the name of a value as it stands within a sentence."""
    said = plain(name.replace("_", " "))
    return said.lower() if len(said) > 1 and said.istitle() else said


def _tells_type(name: str, kind: str) -> bool:
    """Tell whether a value's name holds a word of its type: a halter neck has a neckline."""
    heads, words = re.findall(r"\w+", kind.casefold()), re.findall(r"\w+", name.casefold())
    if _is_property(kind):  # a silk fabric, but no long length
        return words[-1:] == heads[-1:]
    of_line = {head.removesuffix("line") for head in heads}
    return any(word in heads or word.removesuffix("s") in of_line for word in words)


def _is_property(kind: str) -> bool:
    return kind.casefold().rpartition(" ")[2] in _PROPERTIES


def _is_plural(phrase: str) -> bool:
    last = phrase.casefold().rpartition(" ")[2]
    return len(last) > 3 and last.endswith("s") and not last.endswith(_SINGULAR_S)


def _with_article(phrase: str) -> str:
    if _is_plural(phrase):
        return phrase
    start = phrase.casefold()
    is_an = _AN.match(start) and not _NOT_AN.match(start)
    return f"{'an' if is_an else 'a'} {phrase}"
