"""What a vocabulary, and the protocol, do not let a question touch (AMIGO, section 3.1, rule 4)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from evaluation.hidden_target.detector.plain_question import plain_question
from evaluation.hidden_target.detector.topics import topics
from evaluation.hidden_target.parts import Question
from evaluation.releases.galleries import Term

_PERSON = "the person who is shown"


class Forbidden:
    """Finds what is not asked about, over one vocabulary; ``noun`` is what a picture shows.

    Forbidden are the types that are not askable and the topics that never are. What the vocabulary
    itself calls askable wins over a topic: a release's own questions can be asked.
    """

    def __init__(self, terms: Sequence[Term], noun: str) -> None:
        named = [term for term in terms if not term.value.askable]
        self._types = {term.value.type for term in named}
        self._topics = {
            **{kind: _told_by([t for t in named if t.value.type == kind]) for kind in self._types},
            **topics().never,
        }
        askable = set(_phrases(term for term in terms if term.value.askable))
        own = {plain_question(noun), *askable} - set(_phrases(named))
        self._own = _any_of(phrase for phrase in own if self._topic_of(phrase))

    def touched_by(self, question: Question) -> str | None:
        """Return the type or topic that a question must not touch, null where it touches none."""
        asked = next((one.type for one in question.asked if one.type in self._types), None)
        if asked is not None or question.mapped_by == "template":
            return asked
        text = topics().look_alikes.sub(" ", self._own.sub(" ", plain_question(question.text)))
        found = self._topic_of(text)
        if found is None and not question.asked and topics().wearer.search(text):
            return _PERSON
        return found

    def _topic_of(self, text: str) -> str | None:
        return next((n for n, words in sorted(self._topics.items()) if words.search(text)), None)


def _told_by(terms: Sequence[Term]) -> re.Pattern[str]:
    """Return the words that tell of a type: its names, its values of several words, its topic.

    A value of one word may mean anything: a long slit tells of no sleeve.
    """
    names = {_spoken(name) for term in terms for name in (term.value.type, *term.type_aliases)}
    values = {phrase for phrase in _phrases(terms) if " " in phrase}
    words = [
        topic.words
        for topic in topics().of_types
        if any(topic.named.search(name) for name in names)
    ]
    return re.compile("|".join(one.pattern for one in (_any_of(names | values), *words)))


def _phrases(terms: Iterable[Term]) -> Iterator[str]:
    for term in terms:
        for name in (term.value.type, term.value.value, *term.type_aliases, *term.aliases):
            yield _spoken(name)


def _spoken(name: str) -> str:
    return plain_question(name.replace("_", " "))


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of whole phrases, also in the plural; of none it is one that never fits."""
    longest = sorted({phrase for phrase in phrases if phrase}, key=lambda one: (-len(one), one))
    either = "|".join(map(re.escape, longest)) or "(?!)"
    return re.compile(rf"(?<!\w)(?:{either})(?:e?s)?(?!\w)")
