"""One chain as it is asked: what goes before each question in each mode, and what is noted."""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.replies import Reply
from benchwright.asking.requests import PicturePart
from benchwright.asking.rounds import Unasked
from benchwright.records import ChainAnswer, QuestionChain
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.playing.chain import ChainPlay, Item, PlayedChain
from evaluation.question_chain.settings import ChainSettings

Chains = Mapping[str, QuestionChain]
PICTURE = PicturePart(sha256="0" * 64, path=Path("nowhere"))


def played(
    chain: QuestionChain, asks: Any, settings: ChainSettings, offers: Offers | None = None
) -> PlayedChain:
    play = ChainPlay(run="r", offers=offers or Offers([chain]), settings=settings)
    picture = None if settings.is_blindfold else PICTURE
    return asyncio.run(play.play(Item(chain=chain, picture=picture), asks))


def letter_of(text: str, option: str) -> str:
    found = re.search(rf"^([A-Z])\. {re.escape(option)}$", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


def says(option: Callable[[str], str]) -> Callable[[str], str]:
    """Answer with the letter of an option that hangs on the text of the request."""
    return lambda text: letter_of(text, option(text))


def history_of(text: str) -> list[str]:
    return re.findall(r"^\d\. (.*)$", text, re.MULTILINE)


def of_mode(found: PlayedChain, mode: str) -> list[ChainAnswer]:
    return [answer for answer in found.answers if answer.mode == mode]


def test_planning_goes_on_from_its_own_picks_with_their_true_answers(
    chains: Chains, scripted: Any
) -> None:
    chain = chains["c2"]
    picks = [
        "Is anything strange about side x at 1 of c2?",
        "What is at place 2 of c2?",
        "Is anything strange about side y at 3 of c2?",
    ]
    asked = iter(picks)
    asks = scripted(says(lambda text: next(asked, "some wrong thing z 4 of c2")))
    found = played(chain, asks, ChainSettings(modes=("planning",)))
    assert [history_of(text) for text in asks.texts] == [
        [],
        [f"{picks[0]} nothing strange x"],
        [f"{picks[0]} nothing strange x", f"{picks[1]} thing 2 of c2"],
        # and the last question comes after the plan
        [
            f"{picks[0]} nothing strange x",
            f"{picks[1]} thing 2 of c2",
            f"{picks[2]} nothing strange y",
        ],
    ]
    assert "Now answer this: What is at place 4 of c2?" in asks.texts[-1]
    assert [(one.step, one.rotation) for one in found.answers] == [(n, 0) for n in (1, 2, 3, 4)]
    options = [[o.text for o in step.question_options] for step in chain.steps[:-1]]
    for answer, texts, pick in zip(found.answers, options, picks, strict=False):
        assert answer.pick == texts.index(pick)
        assert sorted(answer.order) == [0, 1, 2]


def test_a_pick_that_cannot_be_read_adds_nothing(chains: Chains, scripted: Any) -> None:
    asks = scripted(lambda text: "I cannot tell" if not history_of(text) else "A")
    found = played(chains["c1"], asks, ChainSettings(modes=("planning",)))
    assert [history_of(text) for text in asks.texts] == [[], [], []]
    assert [(one.pick, one.read_by, one.status) for one in found.answers] == [
        (None, "nothing", "ok")
    ] * 3
    assert not found.is_failed


def test_a_question_of_another_chain_has_no_known_answer(chains: Chains, scripted: Any) -> None:
    offers = Offers(chains.values(), 9)
    strange = next(t for t in offers.questions(chains["c1"], 1).texts if "of c1" not in t)
    asks = scripted(lambda text: "?" if history_of(text) else letter_of(text, strange))
    played(chains["c1"], asks, ChainSettings(modes=("planning",), options=9), offers)
    assert history_of(asks.texts[1]) == [f"{strange} not known"]


def test_following_goes_on_from_the_true_answers(chains: Chains, scripted: Any) -> None:
    chain = chains["c1"]
    asks = scripted(lambda _: "A")
    found = played(chain, asks, ChainSettings(modes=("following", "final", "alone")))
    true = [f"{step.question} {step.answer}" for step in chain.steps]
    assert [history_of(text) for text in asks.texts] == [[], [], true[:1], true[:2]]
    assert [(one.mode, one.step) for one in found.answers] == [
        ("following", 1),
        ("following", 2),
        ("final", 3),
        ("alone", 3),
    ]
    # with and without the chain the last question is the same one
    (final,), (alone,) = of_mode(found, "final"), of_mode(found, "alone")
    assert final.order == alone.order


def test_following_goes_on_from_the_models_own_answers(chains: Chains, scripted: Any) -> None:
    chain = chains["c1"]
    picked = iter(["some wrong thing x 1 of c1", "thing 2 of c1", "thing 3 of c1"])
    asks = scripted(says(lambda _: next(picked)))
    settings = ChainSettings(modes=("following", "final"), history="own")
    found = played(chain, asks, settings)
    first = f"{chain.steps[0].question} some wrong thing x 1 of c1"
    second = f"{chain.steps[1].question} thing 2 of c1"
    assert [history_of(text) for text in asks.texts] == [[], [first], [first, second]]
    assert [(one.mode, one.step) for one in found.answers][-1] == ("final", 3)


def test_every_rotation_is_asked_with_the_same_history(chains: Chains, scripted: Any) -> None:
    chain = chains["c4"]
    asks = scripted(lambda _: "A")
    settings = ChainSettings(modes=("planning", "alone"), is_circular=True)
    found = played(chain, asks, settings)
    plan = [one for one in found.answers if (one.mode, one.step) == ("planning", 1)]
    assert [one.rotation for one in plan] == [0, 1, 2]
    assert {one.order[0] for one in plan} == {0, 1, 2}  # each option stood first
    assert [one.pick for one in plan] == [one.order[0] for one in plan]
    last = [one for one in found.answers if (one.mode, one.step) == ("planning", 2)]
    assert {one.order[0] for one in last} == {0, 1, 2, 3}
    histories = {tuple(history_of(text)) for text in asks.texts if "Now answer" in text}
    pick = plan[0].pick
    assert pick is not None
    option = chain.steps[0].question_options[pick]
    assert histories == {(), (f"{option.text} {option.answer}",)}


def test_a_person_is_asked_in_turn(chains: Chains, scripted: Any) -> None:
    chain, waiting = chains["c2"], 0
    asks = scripted(lambda _: "A")
    answer = asks.ask

    async def ask(request: Any) -> Reply:
        nonlocal waiting
        waiting += 1
        assert waiting == 1, "two questions lie before a person"
        await asyncio.sleep(0)
        waiting -= 1
        reply: Reply = await answer(request)
        return reply

    asks.ask = ask
    play = ChainPlay(run="r", offers=Offers([chain]), settings=ChainSettings(), in_turn=True)
    found = asyncio.run(play.play(Item(chain=chain, picture=PICTURE), asks))
    assert {answer.mode for answer in found.answers} == {"planning", "following", "final", "alone"}
    # first what nothing was told before, then the plan, then the true chain to its end
    first, *others = asks.texts
    assert history_of(first) == []
    assert chain.steps[-1].question in first
    told = [len(history_of(text)) for text in others]
    steps = len(chain.steps)
    assert told == [*range(steps), *range(steps)]


def test_no_picture_goes_with_a_blindfold(chains: Chains, scripted: Any) -> None:
    seen, blind = scripted(lambda _: "A"), scripted(lambda _: "A")
    played(chains["c4"], seen, ChainSettings())
    played(chains["c4"], blind, ChainSettings(is_blindfold=True))
    assert all(list(request.pictures()) == [PICTURE] for request in seen.requests)
    assert not any(list(request.pictures()) for request in blind.requests)
    assert all(text.startswith("Look at the picture.") for text in seen.texts)
    assert all("picture that you are not shown" in text for text in blind.texts)


@pytest.mark.parametrize("status", ["failed", "rejected"])
def test_an_answer_that_does_not_come_ends_its_way_and_fails_the_chain(
    chains: Chains, scripted: Any, status: Any
) -> None:
    lost = Reply(key="k", status=status, error="gone")
    asks = scripted(lambda text: lost if "asked next" in text else "A")
    found = played(chains["c2"], asks, ChainSettings())
    assert found.is_failed
    assert [(one.step, one.status, one.pick) for one in of_mode(found, "planning")] == [
        (1, status, None)
    ]
    assert len(of_mode(found, "following")) == 3


def test_what_is_missing_is_asked_in_one_round(chains: Chains, scripted: Any) -> None:
    """The first question of the plan, all of following, both last ones; nothing twice."""

    class Nobody(scripted):  # type: ignore[misc]
        async def ask(self, request: Any) -> Reply:
            raise Unasked(("m", request))

    with pytest.raises(Unasked) as raised:
        played(chains["c2"], Nobody(lambda _: ""), ChainSettings())
    assert len(raised.value.wanted) == 1 + 3 + 1 + 1
