"""The calls that a chain takes, before anybody is asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchwright.asking.estimates import Kind, Planned
from benchwright.asking.tokens import Size
from benchwright.protocols.question_chain import NEXT, NOT_KNOWN, asked_to_answer
from evaluation.question_chain.offers import Offer
from evaluation.question_chain.playing.chain import ChainPlay, Item, true_history

_ONCE: Kind = "yes_no"  # and once more with room where no option was named


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight:
    """What is assumed of chains to come: the options that are picked are the longest.

    ``sizes`` are width and height of the pictures, in pixels, by the hash of their bytes.
    """

    play: ChainPlay
    sizes: Mapping[str, Size]

    def calls(self, item: Item, _voter: str) -> Iterator[Planned]:
        """Yield the calls that a chain takes, mode by mode."""
        chain, modes, offers = item.chain, self.play.settings.modes, self.play.offers
        last = len(chain.steps)
        if "planning" in modes:
            history: list[tuple[str, str]] = []
            for number in range(1, last):
                offer = offers.questions(chain, number)
                yield from self._asked(item, history, NEXT, offer)
                history.append(_longest(offer))
            # where the picks are all true it is the same call as that of the mode final
            kind: Kind = "possible" if self._shares_last() else _ONCE
            yield from self._answered(item, last, history, kind)
        if "following" in modes:
            for number in range(1, last):
                yield from self._answered(item, number, true_history(chain.steps[: number - 1]))
        if "final" in modes:
            yield from self._answered(item, last, true_history(chain.steps[:-1]))
        if "alone" in modes:
            yield from self._answered(item, last, ())

    def _shares_last(self) -> bool:
        return "final" in self.play.settings.modes

    def _answered(
        self, item: Item, number: int, history: Sequence[tuple[str, str]], kind: Kind = _ONCE
    ) -> Iterator[Planned]:
        asked = asked_to_answer(item.chain.steps[number - 1].question)
        offer = self.play.offers.answers(item.chain, number)
        return self._asked(item, history, asked, offer, kind)

    def _asked(
        self,
        item: Item,
        history: Sequence[tuple[str, str]],
        asked: str,
        offer: Offer,
        kind: Kind = _ONCE,
    ) -> Iterator[Planned]:
        request = self.play.request(item, history, asked, offer.texts)
        sizes = tuple(self.sizes[part.sha256] for part in request.pictures())
        for _ in range(len(offer) if self.play.settings.is_circular else 1):
            yield Planned(request=request, sizes=sizes, kind=kind)


def _longest(offer: Offer) -> tuple[str, str]:
    pairs = zip(offer.texts, offer.answers, strict=True)
    said = [(text, answer or NOT_KNOWN) for text, answer in pairs]
    return max(said, key=lambda pair: (len("".join(pair)), pair))
