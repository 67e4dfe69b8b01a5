"""Questions that are known word for word: those of the vocabulary, and our own wording."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from benchwright.asking.reading.words import folded
from evaluation.hidden_target.mapping.lexicon import Key
from evaluation.hidden_target.wording import question_text, question_texts
from evaluation.releases.galleries import Term

_NOUN = "{noun}"
_WORD = re.compile(r"[^\W_]+")
_SUBJECT = (
    r"(?:(?:your|the|my|this|that|our|its) )?"
    r"(?:(?:favou?rite|target|hidden|chosen|preferred|secret|selected) )?"
)
_LONGEST = 2_000  # characters


class Templates:
    """Looks up questions word for word; signs, case and the name of the target do not matter."""

    def __init__(self, terms: Sequence[Term], noun: str) -> None:
        nouns = " ".join(_WORD.findall(folded(noun)))
        self._subject = re.compile(rf"\b(?:{_SUBJECT}{re.escape(nouns)}|it)\b")
        self._written = _unique(_questions(terms, noun))
        self._plain = _unique((self._plain_of(text), key) for text, key in _questions(terms, noun))

    def key_of(self, text: str) -> Key | None:
        """Return the value that a known question asks for; null for any other, and for one that is
        known of two values.
        """
        text = text.strip()
        if len(text) > _LONGEST:
            return None
        return self._written.get(text) or self._plain.get(self._plain_of(text))

    def _plain_of(self, text: str) -> str:
        return self._subject.sub("it", " ".join(_WORD.findall(folded(text))))


def _questions(terms: Sequence[Term], noun: str) -> Iterator[tuple[str, Key]]:
    for term in terms:
        key = (term.value.type, term.value.value)
        for template in term.templates:
            yield template.replace(_NOUN, noun).strip(), key
        yield question_text(term, noun).strip(), key
    for key, text in question_texts(terms, noun).items():
        yield text.strip(), key


def _unique(questions: Iterator[tuple[str, Key]]) -> dict[str, Key]:
    """Return the questions that ask for one value alone."""
    keys: dict[str, set[Key]] = defaultdict(set)
    for text, key in questions:
        keys[text].add(key)
    return {text: next(iter(some)) for text, some in keys.items() if len(some) == 1 and text}
