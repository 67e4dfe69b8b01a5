"""What there is to choose from at a step, and in which order it is shown."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from benchwright import seeds
from benchwright.errors import UsageError
from benchwright.plain_text import counted
from benchwright.protocols.question_chain import MOST_OPTIONS
from benchwright.records import QuestionChain

What = Literal["question", "answer"]
Known = tuple[str, str | None]  # a text, and what the picture says to it where it is a question


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The options of a step: those of the record in its order, then further ones.

    ``answers`` are what the picture says to questions, null where nobody wrote it; ``truth`` is
    the place of the true option, from 0.
    """

    texts: tuple[str, ...]
    answers: tuple[str | None, ...]
    truth: int

    def __len__(self) -> int:
        """Return how many options there are."""
        return len(self.texts)


class Offers:
    """Gives what is offered at each step of some chains.

    With ``size`` an offer that has fewer options gets further ones, drawn by ``seed``: first the
    distractors of other steps of the chain, then questions, or answers, of other chains of its
    category, from each chain in turn. What a true question or answer of the chain says is never
    added. A question of another chain is about another picture, so nobody knows its answer.
    """

    def __init__(
        self, chains: Iterable[QuestionChain], size: int | None = None, seed: int = 0
    ) -> None:
        """Raise UsageError for a step with more options than letters, or than ``size``."""
        self._chains = tuple(chains)
        self._size, self._seed = size, seed
        self._made: dict[tuple[str, int, What], Offer] = {}
        for chain in self._chains:
            _check(chain)
        most = max(map(_most_options, self._chains), default=0)
        if size is not None and size < most:
            raise UsageError(
                f"--options {size}: a step of this release has {most} options, and none is taken"
                f" away; name {most} or more"
            )

    def questions(self, chain: QuestionChain, step: int) -> Offer:
        """Return the questions to choose from at a step, counted from 1."""
        options = chain.steps[step - 1].question_options
        known = [(option.text, option.answer) for option in options]
        truth = [option.origin for option in options].index("true")
        return self._offer(chain, step, "question", known, truth)

    def answers(self, chain: QuestionChain, step: int) -> Offer:
        """Return the answers to choose from at a step, counted from 1."""
        now = chain.steps[step - 1]
        known = [(text, None) for text in now.answer_options]
        return self._offer(chain, step, "answer", known, now.answer_options.index(now.answer))

    def order(self, chain: QuestionChain, step: int, what: What, offer: Offer) -> tuple[int, ...]:
        """Return the places of the options in the order in which they are shown.

        It hangs on seed, chain, step and the texts: not on how the record lists them.
        """
        ids = (chain.chain_id, str(step), what)

        def drawn(place: int) -> tuple[int, int]:
            text = offer.texts[place]
            return seeds.draw(self._seed, "order of options", *ids, text), place

        return tuple(sorted(range(len(offer)), key=drawn))

    def _offer(
        self, chain: QuestionChain, step: int, what: What, own: Sequence[Known], truth: int
    ) -> Offer:
        if (chain.chain_id, step, what) not in self._made:
            self._made[chain.chain_id, step, what] = self._filled(chain, step, what, own, truth)
        return self._made[chain.chain_id, step, what]

    def _filled(
        self, chain: QuestionChain, step: int, what: What, own: Sequence[Known], truth: int
    ) -> Offer:
        known = [*own]
        if self._size is not None and len(known) < self._size:
            taken = {_folded(text) for text, _ in known} | _true_texts(chain, what)
            for text, answer in self._further(chain, step, what):
                if _folded(text) not in taken:
                    taken.add(_folded(text))
                    known.append((text, answer))
                if len(known) == self._size:
                    break
        return Offer(
            texts=tuple(text for text, _ in known),
            answers=tuple(answer for _, answer in known),
            truth=truth,
        )

    def _further(self, chain: QuestionChain, step: int, what: What) -> Iterator[Known]:
        ids = (chain.chain_id, str(step), what)
        yield from self._drawn(dict(_said(chain, what)), *ids)
        others = {
            other.chain_id: other
            for other in self._of_category[chain.category]
            if other.chain_id != chain.chain_id
        }
        waiting = [
            self._of_other(others[name], what, *ids)
            for name in seeds.shuffled(list(others), self._seed, "further chains", *ids)
        ]
        while waiting:
            left = []
            for source in waiting:
                if (found := next(source, None)) is not None:
                    yield found
                    left.append(source)
            waiting = left

    def _of_other(self, chain: QuestionChain, what: What, *ids: str) -> Iterator[Known]:
        """Yield what another chain offers; nothing is worked out before the first is wanted."""
        yield from self._drawn({text: None for text, _ in _said(chain, what)}, *ids)

    def _drawn(self, known: dict[str, str | None], *ids: str) -> Iterator[Known]:
        for text in seeds.shuffled(list(known), self._seed, "further options", *ids):
            yield text, known[text]

    @cached_property
    def _of_category(self) -> dict[str, list[QuestionChain]]:
        found = defaultdict(list)
        for chain in self._chains:
            found[chain.category].append(chain)
        return found


def _said(chain: QuestionChain, what: What) -> Iterator[Known]:
    """Yield all questions, or all answers, that a chain offers anywhere."""
    for step in chain.steps:
        if what == "question":
            yield from ((option.text, option.answer) for option in step.question_options)
        else:
            yield from ((text, None) for text in step.answer_options)


def _true_texts(chain: QuestionChain, what: What) -> set[str]:
    return {_folded(step.question if what == "question" else step.answer) for step in chain.steps}


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .?!")


def _most_options(chain: QuestionChain) -> int:
    return max(max(len(step.question_options), len(step.answer_options)) for step in chain.steps)


def _check(chain: QuestionChain) -> None:
    for number, step in enumerate(chain.steps, 1):
        most = max(len(step.question_options), len(step.answer_options))
        if most > MOST_OPTIONS:
            raise UsageError(
                f"question chain {chain.chain_id}, step {number}: has {counted(most, 'option')},"
                f" and there are letters for {MOST_OPTIONS}"
            )
