"""Maps a free question to what it asks for, over any vocabulary (definition 16)."""

from collections.abc import Sequence

from benchwright.records import Asked
from evaluation.hidden_target.mapping.lexicon import lexicon_of
from evaluation.hidden_target.mapping.resolving import resolve
from evaluation.hidden_target.mapping.templates import Templates
from evaluation.hidden_target.mapping.tokens import tokens_of
from evaluation.hidden_target.parts import Question
from evaluation.releases.galleries import Term


class Mapper:
    """Maps questions to the values of one vocabulary.

    ``noun`` is what a picture shows, as the questions call it.
    """

    def __init__(self, terms: Sequence[Term], noun: str) -> None:
        self._templates = Templates(terms, noun)
        self._lexicon = lexicon_of(terms, noun)

    def question(self, text: str, count: int) -> Question:
        """Return a question with what it asks for; ``count`` is how many were put together.

        ``mapped_by`` is ``template`` for a question of the vocabulary or of our own wording word
        for word, ``words`` where its words name values, and ``none``. A question that could mean
        two things is mapped to none.
        """
        if key := self._templates.key_of(text):
            known = Asked(type=key[0], value=key[1], is_negated=False)
            return Question(text=text, count=count, asked=(known,), mapped_by="template")
        asked = resolve(tokens_of(text, self._lexicon.words), self._lexicon)
        return Question(text=text, count=count, asked=asked, mapped_by="words" if asked else "none")
