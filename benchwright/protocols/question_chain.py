"""The question-chain protocol (V-REX): its prompts, how answers are read, its score.

Following: the questions are given, and the history holds the true answers. Planning: the next
question is chosen, and the history holds the model's own picks with their true answers. Only the
steps before the last count in either.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from string import ascii_uppercase
from typing import Any, NamedTuple

Chain = Mapping[str, Any]  # a row of the config question-chain
History = Sequence[tuple[str, str]]  # questions with their answers

MOST_OPTIONS = len(ascii_uppercase)  # that have a letter each
NEXT = "Which question should be asked next?"
NOT_KNOWN = "not known"  # stands for an answer that nobody wrote

_SEEN = "Look at the picture. In the end this is to be answered:"
_UNSEEN = (
    "This is about a picture that you are not shown; choose what is likeliest. In the end this is"
    " to be answered:"
)


class Choice(NamedTuple):
    """The place of the option that a response names, from 0, and the route by which it was read.

    The place is null where it names none; the route then says why: several, no such option,
    nothing or empty.
    """

    place: int | None
    route: str


def steps_that_count(chain: Chain) -> Sequence[Mapping[str, Any]]:
    """Return all steps but the last."""
    steps: Sequence[Mapping[str, Any]] = chain["steps"][:-1]
    return steps


def following_prompt(chain: Chain, step: int) -> str:
    """Return the question of a step, counted from 0, after the true answers before it."""
    history = [(one["question"], one["answer"]) for one in chain["steps"][:step]]
    now = chain["steps"][step]
    return prompt(
        chain["question"], history, asked_to_answer(now["question"]), now["answer_options"]
    )


def following_truth(chain: Chain, step: int) -> int:
    """Return the place of the true answer among the options of a step."""
    now = chain["steps"][step]
    place: int = now["answer_options"].index(now["answer"])
    return place


def planning_prompt(chain: Chain, picks: Sequence[int | None]) -> str:
    """Return what is asked after some picks: which question comes next.

    A pick that could not be read, null, adds nothing to the history.
    """
    history = []
    for step, pick in zip(chain["steps"], picks, strict=False):
        if pick is not None:
            option = step["question_options"][pick]
            history.append((option["text"], option["answer"] or NOT_KNOWN))
    options = [one["text"] for one in chain["steps"][len(picks)]["question_options"]]
    return prompt(chain["question"], history, NEXT, options)


def planning_truth(chain: Chain, step: int) -> int:
    """Return the place of the true question among the options of a step."""
    origins = [one["origin"] for one in chain["steps"][step]["question_options"]]
    return origins.index("true")


def asked_to_answer(question: str) -> str:
    """Return how the question of a step is put."""
    return f"Now answer this: {question}"


def prompt(
    question: str, history: History, asked: str, options: Sequence[str], *, is_shown: bool = True
) -> str:
    """Return what is asked at a step of a chain whose last answer is that of ``question``.

    ``options`` are as many as there are letters at most. ``is_shown`` tells whether the picture
    goes with it.
    """
    lines = [f"{_SEEN if is_shown else _UNSEEN} {question}", ""]
    if history:
        lines.append("Found out so far:")
        lines += [f"{at}. {question} {answer}" for at, (question, answer) in enumerate(history, 1)]
        lines.append("")
    lines.append(asked)
    lines += [f"{letter}. {text}" for letter, text in zip(ascii_uppercase, options, strict=False)]
    return "\n".join([*lines, "", "Answer with the letter of one option and nothing else."])


def chosen(response: str, options: Sequence[str]) -> int | None:
    """Return the place of the option that a response names, by its letter or its text, or null."""
    return read_choice(response, options).place


def mean_of_categories(shares: Iterable[tuple[str, float]]) -> float:
    """Return the mean over categories of the mean share of their chains; nan where there is none.

    A share, with the category of its chain, is that of the steps that are right.
    """
    by_category = defaultdict(list)
    for category, share in shares:
        by_category[category].append(share)
    return fmean(map(fmean, by_category.values())) if by_category else float("nan")


def read_choice(response: str, options: Sequence[str]) -> Choice:
    """Return which option a response names; it never raises, and is linear in the response.

    What is announced as the answer goes before what begins a line, and that before an option that
    is only mentioned; of several announcements the last counts. Two options named in one breath
    are none. docs/question-chain-runs.md has the routes.
    """
    text = _plain(response)
    texts = [_folded(_plain(option)) for option in options]
    readers = (_whole, _announced, _by_lines, _mentioned_letter, _mentioned_text)
    found = next((choice for read in readers if (choice := read(text, texts))), None)
    return found or Choice(None, "nothing" if text else "empty")


_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_BEFORE = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)  # never opened
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_OPENED = re.compile(r"\\f?boxed\{|<(?:final_?)?(?:answer|choice|response)>", re.IGNORECASE)
_DRESS = re.compile(r"\\[a-z]{1,12}\{|</?[a-z]{1,20}>|```[a-z]{0,12}|[*_`#$]|^>", re.MULTILINE)
_SIGNS = str.maketrans("’‘“”「」『』。", '\'\'"""""".')

_BE = r"(?:is|would be|should be|must be|will be)\b(?: to be)?"
_SAID = re.compile(
    r"\b(?:answer|ans|choice|option|letter|selection|pick|question)\b[\"')\]]{0,2}\s{0,3}"
    rf"(?:{_BE}\s{{0,3}}:?|[:=])"
    rf"|\b(?:next|best|correct one|right one)\b {{0,3}}{_BE} {{0,3}}:?"
    r"|\banswer(?= {0,3}\(?[A-Z]\b)"
    r"|\b(?:choose|select|pick|go with|go for|opt for)\b\s{0,3}:?"
    r"|(?:答案|选项|选择?)\"?\s{0,3}(?:(?:应该|应当|应)?[是为]|[:=])?",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"(?:\bnot|n't|\bnever|\bcannot|\brather than|不|别)\s{0,3}\Z", re.IGNORECASE)
_LEAD = re.compile(
    r"[\s\"'(\[{]{0,6}(?:(?:the|option|choice|letter|选项|question) ?:? ?){0,3}", re.IGNORECASE
)
_LETTER = re.compile(r"[\"'(\[{]{0,3}([A-Za-z])(?![A-Za-z0-9]|['-][A-Za-z])[\"')\]}]{0,3}")
# what may follow a letter that could be an article, a pronoun or a slip of the pen
_STOP = re.compile(
    r"\s*(?:\Z|[.,;:!?|/\\=\n-]|(?:because|since|as|for|is|which|due|given|or|and)\b|[^\x00-\x7f])"
)
_AND = re.compile(
    r"[.)]?\s{0,3}(?:[,/&+、和或及与]|\b(?i:and|or)\b)\s{0,3}(?:(?i:and|or)\b\s{0,3})?"
    r"(?:(?i:option|choice|选项) ?)?[\"'(\[]{0,2}([A-Z])(?![A-Za-z0-9]|'[A-Za-z])"
)
_LONE = re.compile(r"[\"'(\[{]{0,3}([A-Za-z])[\"')\]}.:,;!]{0,4}\s*\Z")
_LEADING = re.compile(r"[\"'(\[]{0,2}([A-Z])(?:[.):,\]]| +-+ )\s*(.*)")
_MENTIONED = re.compile(
    r"(?:\b(?:[Oo]ption|[Cc]hoice)|选项)\s{0,2}\(?([A-Z])(?![A-Za-z0-9'])|\(([A-Z])\)"
    r"|(?<![A-Za-z'])([A-Z])\)? {0,2}(?:选项|项)"
    r"|(?:\b(?i:it's|it is|must be|I think|I believe|I'd say|so|therefore|thus|hence)|是)[,:]?"
    r" {0,3}(?:it's |it is |that )?\(?([A-Z])(?=\)?\s{0,3}(?:\Z|[.,;!\n]|because\b|since\b))"
    r"|(?<![A-Za-z'])([A-Z])\)? (?:is|would be|seems|looks) (?:the )?(?:most )?"
    r"(?:correct|right|best|answer|next|likely|likeliest)\b"
)
_BOTH = re.compile(
    r"(?<![A-Za-z'])([A-Z])\)? {0,2}(?:[,/&+、和或及与]|\band\b|\bor\b) {0,2}"
    r"\(?([A-Z])(?![A-Za-z0-9'])"
)
_SENTENCE_END = re.compile(r"[.!?;]")
_FEWEST_WORDS = 2  # of an option that is found within a sentence
_DENIED = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|instead|rather)\b|n't|不|没|非", re.IGNORECASE
)


def _whole(text: str, options: Sequence[str]) -> Choice | None:
    """Read a response that is a letter or the text of an option and nothing else."""
    bare = text.strip(" \t\n\"'([{}])")
    if lone := _LONE.match(bare):
        return _of_letter(lone[1], options, "letter")
    same = [at for at, option in enumerate(options) if option == _folded(bare)]
    return Choice(same[0], "text") if len(same) == 1 else None


def _announced(text: str, options: Sequence[str]) -> Choice | None:
    """Read what is said to be the answer, the last time that something is."""
    for said in reversed(list(_SAID.finditer(text))):
        if not _NEGATED.search(text[max(0, said.start() - 15) : said.start()]):
            choice = _told(text, said.end(), options)
            if choice is not None:
                return choice
    return None


def _told(text: str, start: int, options: Sequence[str]) -> Choice | None:
    """Return the option that a text names from ``start`` on."""
    lead = _LEAD.match(text, start)
    at = lead.end() if lead else start
    letter = _LETTER.match(text, at)
    is_whole = letter is not None and bool(_STOP.match(text, letter.end()))
    if letter and is_whole:
        return _one_of(text, letter, options)
    rest = _folded(text[at : at + 2 * max(map(len, options), default=0) + 10].lstrip("\"'([{"))
    begun = [place for place, option in enumerate(options) if option and _begins(rest, option)]
    if begun:
        return Choice(max(begun, key=lambda place: len(options[place])), "announced text")
    if letter and letter[1].isupper() and letter[1] not in "AI":
        return _one_of(text, letter, options)
    return None


def _one_of(text: str, letter: re.Match[str], options: Sequence[str]) -> Choice:
    """Return the option of a letter; none where another letter is named in the same breath."""
    if _names_another(text, letter.end(), letter[1], options):
        return Choice(None, "several")
    return _of_letter(letter[1], options, "announced letter")


def _names_another(text: str, at: int, letter: str, options: Sequence[str]) -> bool:
    also = _AND.match(text, at)
    other = ascii_uppercase.index(also[1]) if also else len(options)
    return other < len(options) and other != ascii_uppercase.index(letter.upper())


def _by_lines(text: str, options: Sequence[str]) -> Choice | None:
    """Read the lines that are a letter, else those that begin with one or are an option."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lone = {found[1].upper() for line in lines if (found := _LONE.match(line))}
    if lone:
        return _of_letters(lone, options, "letter")
    leading = [found for line in lines if (found := _LEADING.match(line))]
    if any(_names_another(found.string, found.end(1), found[1], options) for found in leading):
        return Choice(None, "several")
    if leading:  # with the text of its option behind it, which must not be that of another one
        places = [_place(found[2], options) for found in leading]
        texts = {ascii_uppercase[place] for place in places if place is not None}
        return _of_letters({found[1] for found in leading} | texts, options, "letter")
    same = {place for line in lines if (place := _place(line.strip("\"'-• "), options)) is not None}
    return Choice(same.pop(), "text") if len(same) == 1 else None


def _mentioned_letter(text: str, options: Sequence[str]) -> Choice | None:
    """Read the letters that stand in sentences which deny nothing."""
    said = "\n".join(one for one in _SENTENCE_END.split(text) if not _DENIED.search(one))
    found = {next(filter(None, groups)) for groups in _MENTIONED.findall(said)}
    pairs = [pair for pair in _BOTH.findall(said) if max(pair) <= ascii_uppercase[len(options) - 1]]
    found |= {letter for pair in pairs for letter in pair}
    return _of_letters(found, options, "mentioned letter") if found else None


def _mentioned_text(text: str, options: Sequence[str]) -> Choice | None:
    """Read an option of several words that stands in a sentence which denies nothing."""
    said = _folded(text)
    there = [at for at, option in enumerate(options) if _starts_in(said, option)]
    longest = [
        at
        for at in there
        if not any(options[at] in options[other] for other in there if other != at)
    ]
    if len(longest) > 1:
        return Choice(None, "several")
    if not longest or len(options[longest[0]].split()) < _FEWEST_WORDS:
        return None
    (place,) = longest
    before, _, after = said.partition(options[place])
    around = f"{_SENTENCE_END.split(before)[-1]} {_SENTENCE_END.split(after)[0]}"
    return None if _DENIED.search(around) else Choice(place, "mentioned text")


def _starts_in(said: str, option: str) -> bool:
    at = said.find(option) if option else -1
    return at >= 0 and (at == 0 or not said[at - 1].isalnum()) and _begins(said[at:], option)


def _begins(text: str, option: str) -> bool:
    """Tell whether a text begins with an option and not with a longer word."""
    return text.startswith(option) and not text[len(option) : len(option) + 1].isalnum()


def _of_letters(letters: Iterable[str], options: Sequence[str], route: str) -> Choice:
    known = set(letters)
    return _of_letter(known.pop(), options, route) if len(known) == 1 else Choice(None, "several")


def _of_letter(letter: str, options: Sequence[str], route: str) -> Choice:
    place = ascii_uppercase.index(letter.upper())
    return Choice(place, route) if place < len(options) else Choice(None, "no such option")


def _place(text: str, options: Sequence[str]) -> int | None:
    same = [at for at, option in enumerate(options) if option == _folded(text)]
    return same[0] if len(same) == 1 else None


def _plain(text: str) -> str:
    """Return a text without thoughts and dress, in half width."""
    said = _THOUGHT_BEFORE.sub("", _THOUGHT.sub("", text))
    said = unicodedata.normalize("NFKC", said).translate(_SIGNS)
    return _DRESS.sub("", _OPENED.sub(" answer: ", _STRUCK.sub("", said))).strip()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .?!。")
