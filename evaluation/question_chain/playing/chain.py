"""One chain as it is played: four ways through it, each a track of questions of its own."""

from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.asking.questions import Asks
from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart, Request
from benchwright.asking.rounds import together
from benchwright.protocols.question_chain import NEXT, NOT_KNOWN, asked_to_answer, prompt
from benchwright.records import Build, ChainAnswer, ChainMode, ChainStep, QuestionChain
from evaluation.question_chain.offers import Offer, Offers
from evaluation.question_chain.playing.asking import Chosen, choice_request, choose, is_missing
from evaluation.question_chain.settings import MODES, ChainSettings

History = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A chain and its picture, null where none is shown."""

    chain: QuestionChain
    picture: PicturePart | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedChain:
    """The answers to a chain, by mode, step and rotation; incomplete where one did not come."""

    answers: tuple[ChainAnswer, ...]

    @property
    def is_failed(self) -> bool:
        """Whether an answer is missing, so that the chain cannot be scored."""
        return any(is_missing(answer.status) for answer in self.answers)

    def builds(self) -> Iterator[Build]:
        """Yield what answered, once for each answer."""
        return (build for answer in self.answers for build in answer.builds)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPlay:
    """How chains are played in a run: what is offered, and what goes before a question.

    A person, who remembers, is asked ``in_turn``: the last question alone first, and then step by
    step.
    """

    run: str
    offers: Offers
    settings: ChainSettings
    sample: int = 0
    in_turn: bool = False

    async def play(self, item: Item, asks: Asks) -> PlayedChain:
        """Return what a model answered to a chain (definition 22).

        What does not hang on an answer is asked at once. An answer that is missing ends its track
        and no other. Raises what ``Asks.ask`` does, and one Unasked for all that is missing.
        """
        one = _Player(play=self, item=item, asks=asks)
        if self.in_turn:
            found = [await track for track in one.tracks()]
        else:
            found = await together(one.tracks())
        answers = [answer for track in found for answer in track]
        return PlayedChain(answers=tuple(sorted(answers, key=_place_of)))

    def request(
        self,
        item: Item,
        history: Sequence[tuple[str, str]],
        asked: str,
        options: Sequence[str],
    ) -> Request:
        """Return the request of a question with options, in the order shown."""
        text = prompt(
            item.chain.question, history, asked, options, is_shown=not self.settings.is_blindfold
        )
        return choice_request(text, item.picture, self.sample)


Track = Coroutine[Any, Any, list[ChainAnswer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Player:
    play: ChainPlay
    item: Item
    asks: Asks

    def tracks(self) -> Iterator[Track]:
        """Yield what is asked independently of each other."""
        modes, chain = self.play.settings.modes, self.item.chain
        last = len(chain.steps)
        if "alone" in modes:
            yield self._step("alone", last, ())
        if "planning" in modes:
            yield self._planning()
        if self.play.settings.history == "own":
            if "following" in modes:
                yield self._following()
        else:
            if "following" in modes:
                yield from (self._step("following", at, self._true(at)) for at in range(1, last))
            if "final" in modes:
                yield self._step("final", last, self._true(last))

    async def _planning(self) -> list[ChainAnswer]:
        """Choose the next question at each step but the last, and answer the last one then."""
        chain, history, answers = self.item.chain, History(), list[ChainAnswer]()
        for number in range(1, len(chain.steps)):
            offer = self.play.offers.questions(chain, number)
            order = self.play.offers.order(chain, number, "question", offer)
            came = await self._rotations("planning", number, history, NEXT, offer, order)
            answers += came
            if _is_cut_off(came):
                return answers
            pick = came[0].pick
            if pick is not None:
                history += ((offer.texts[pick], offer.answers[pick] or NOT_KNOWN),)
        return answers + await self._step("planning", len(chain.steps), history)

    async def _following(self) -> list[ChainAnswer]:
        """Answer the true questions, each after the model's own answers to those before it."""
        chain, history, answers = self.item.chain, History(), list[ChainAnswer]()
        for number, step in enumerate(chain.steps[:-1], 1):
            came = await self._step("following", number, history)
            answers += came
            if _is_cut_off(came):
                return answers
            pick = came[0].pick
            if pick is not None:
                texts = self.play.offers.answers(chain, number).texts
                history += ((step.question, texts[pick]),)
        if "final" in self.play.settings.modes:
            answers += await self._step("final", len(chain.steps), history)
        return answers

    async def _step(self, mode: ChainMode, number: int, history: History) -> list[ChainAnswer]:
        """Ask for the answer to the question of a step."""
        chain = self.item.chain
        offer = self.play.offers.answers(chain, number)
        order = self.play.offers.order(chain, number, "answer", offer)
        asked = asked_to_answer(chain.steps[number - 1].question)
        return await self._rotations(mode, number, history, asked, offer, order)

    async def _rotations(
        self,
        mode: ChainMode,
        number: int,
        history: History,
        asked: str,
        offer: Offer,
        order: tuple[int, ...],
    ) -> list[ChainAnswer]:
        """Ask one question with its options in their order, or in each rotation of it."""
        turns = range(len(order) if self.play.settings.is_circular else 1)
        orders = [order[at:] + order[:at] for at in turns]

        async def of(order: tuple[int, ...]) -> Chosen:
            shown = [offer.texts[place] for place in order]
            request = self.play.request(self.item, history, asked, shown)
            return await choose(self.asks, request, shown)

        found = await together(of(order) for order in orders)
        return [
            self._answer(mode, number, rotation, order, chosen)
            for rotation, (order, chosen) in enumerate(zip(orders, found, strict=True))
        ]

    def _answer(
        self, mode: ChainMode, number: int, rotation: int, order: tuple[int, ...], chosen: Chosen
    ) -> ChainAnswer:
        place, model = chosen.choice.place, self.asks.voter.name
        return ChainAnswer(
            run=self.play.run,
            model=model,
            chain_id=self.item.chain.chain_id,
            image_id=self.item.chain.image_id,
            mode=mode,
            step=number,
            rotation=rotation,
            order=order,
            status=chosen.reply.status,
            text=chosen.reply.text,
            pick=None if place is None else order[place],
            read_by=chosen.choice.route,
            builds=_builds(model, chosen.replies),
        )

    def _true(self, number: int) -> History:
        """Return the true questions and answers before a step."""
        return true_history(self.item.chain.steps[: number - 1])


def true_history(steps: Sequence[ChainStep]) -> History:
    """Return the questions of some steps with their true answers."""
    return tuple((step.question, step.answer) for step in steps)


def _is_cut_off(answers: Sequence[ChainAnswer]) -> bool:
    return any(is_missing(answer.status) for answer in answers)


def _place_of(answer: ChainAnswer) -> tuple[int, int, int]:
    return MODES.index(answer.mode), answer.step, answer.rotation


def _builds(voter: str, replies: Sequence[Reply]) -> tuple[Build, ...]:
    heard = Counter((reply.model, reply.build) for reply in replies)
    return tuple(
        Build(part="player", voter=voter, model=model, build=build, answers=count)
        for (model, build), count in heard.items()
    )
