"""Chains to try things on, answers to them, and somebody who answers by a script."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.voters import Voter
from benchwright.records import ChainAnswer, ChainMode, QuestionChain
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.settings import ChainSettings
from stand_ins.chain_release import five_chains


@pytest.fixture(scope="session")
def chains() -> Mapping[str, QuestionChain]:
    """Five chains by their ids."""
    return {chain.chain_id: chain for chain in five_chains()}


class Scripted:
    """Answers with what a function says to the text of a request; notes the requests."""

    def __init__(self, say: Callable[[str], str | Reply]) -> None:
        self.voter = Voter(name="m", model="m", base_url="http://localhost:1/v1")
        self.requests: list[Request] = []
        self._say = say

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        text = "".join(str(part) for part in request.messages[-1].parts)
        said = self._say(text)
        if isinstance(said, Reply):
            return said
        key = hashlib.sha256(text.encode()).hexdigest()
        return Reply(key=key, status="ok", text=said, model="m-1", build="b")

    @property
    def texts(self) -> list[str]:
        """What was asked, without pictures."""
        return [
            "".join(part for part in request.messages[-1].parts if isinstance(part, str)).strip()
            for request in self.requests
        ]


@pytest.fixture(scope="session")
def scripted() -> type[Scripted]:
    return Scripted


def places_asked(
    chain: QuestionChain, modes: Sequence[ChainMode]
) -> Iterator[tuple[ChainMode, int]]:
    last = len(chain.steps)
    for mode in modes:
        yield from ((mode, step) for step in range(1, last) if mode in ("planning", "following"))
        if mode != "following":
            yield mode, last


@pytest.fixture(scope="session")
def answered() -> Callable[..., list[ChainAnswer]]:
    """Return answers to a chain, right but where ``wrong`` or ``unread`` names mode and step."""

    def of(
        chain: QuestionChain,
        *,
        wrong: Sequence[tuple[str, int]] = (),
        unread: Sequence[tuple[str, int]] = (),
        settings: ChainSettings | None = None,
        offers: Offers | None = None,
        **more: Any,
    ) -> list[ChainAnswer]:
        settings = settings or ChainSettings()
        offers = offers or Offers([chain], None, settings.seed)
        found = []
        for mode, step in places_asked(chain, settings.modes):
            is_plan = mode == "planning" and step < len(chain.steps)
            offer = (offers.questions if is_plan else offers.answers)(chain, step)
            order = offers.order(chain, step, "question" if is_plan else "answer", offer)
            pick: int | None = offer.truth
            if (mode, step) in wrong:
                pick = (offer.truth + 1) % len(offer)
            if (mode, step) in unread:
                pick = None
            for rotation in range(len(offer) if settings.is_circular else 1):
                one = ChainAnswer(
                    run="r",
                    model="m",
                    chain_id=chain.chain_id,
                    image_id=chain.image_id,
                    mode=mode,
                    step=step,
                    rotation=rotation,
                    order=order[rotation:] + order[:rotation],
                    status="ok",
                    text="",
                    pick=pick,
                    read_by="letter" if pick is not None else "nothing",
                    builds=(),
                )
                found.append(replace(one, **more))
        return found

    return of
