"""Every verdict on whether a voter sees."""

import asyncio
import itertools
from pathlib import Path

import pytest

from benchwright.asking.answers import AnswerStore
from benchwright.asking.budget import Budget
from benchwright.asking.client import Client
from benchwright.asking.eyesight.drawing import COLOURS, asked_colour, chosen, names
from benchwright.asking.eyesight.sight import MOST_CALLS, Sight, check_sight
from benchwright.asking.views import Encoder
from benchwright.asking.voters import PictureTokens, Voter
from benchwright.errors import BudgetSpent
from stand_ins.models import Brain, Fault, Model, Script, ScriptedServer, Turn
from stand_ins.models.question import Question

UNCOUNTED = PictureTokens(fixed=1)  # no more than a template adds


def always_red(question: Question) -> Turn:
    return Turn(text="red")


def by_pixels(question: Question) -> Turn:
    """Answers that depend on the picture and name no colour."""
    return Turn(text=question.pictures[-1].pixels if question.pictures else "none")


def by_chance(question: Question) -> Turn:
    return Turn(text=f"Perhaps number {question.ordinal}.")


def lists_all(question: Question) -> Turn:
    return Turn(text=", ".join(COLOURS))


def sight_of(
    model: Model, brain: Brain | None = None, faults: tuple[Fault, ...] = ()
) -> tuple[Sight, int]:
    with ScriptedServer(Script(models=(model,), faults=faults), brain=brain) as server:
        sight = asyncio.run(_check(server.base_url))
        return sight, server.counts.chats


async def _check(url: str, store: AnswerStore | None = None, budget: Budget | None = None) -> Sight:
    voter = Voter(name="v", model="scripted", base_url=url)
    async with Client(voter, store, Encoder(), budget=budget) as client:
        return await check_sight(client)


@pytest.mark.parametrize(
    ("model", "brain", "verdict", "calls"),
    [
        # pictures cost tokens, the answers do not follow them
        (Model(), always_red, "takes", 6),
        # tokens do not tell; answers change with the picture and come again
        (Model(picture_tokens=UNCOUNTED), by_pixels, "takes", 7),
        # answers change, but by themselves
        (Model(picture_tokens=UNCOUNTED), by_chance, "ignores", 7),
        # the same whatever is shown, and at no cost
        (Model(picture_tokens=UNCOUNTED), always_red, "ignores", 6),
        # all colours at once is no answer
        (Model(), lists_all, "takes", 6),
        # pictures cost tokens, and it says that it cannot see
        (Model(sees="blind"), always_red, "ignores", 6),
        # a text-only server: 400
        (Model(sees="refuses"), always_red, "refuses", 2),
    ],
)
def test_verdicts(model: Model, brain: Brain, verdict: str, calls: int) -> None:
    sight, count = sight_of(model, brain)
    assert (sight.verdict, count) == (verdict, calls)
    assert sight.message
    assert count <= MOST_CALLS


def test_one_that_sees(colours: Brain) -> None:
    sight, _ = sight_of(Model(), colours)
    assert (sight.verdict, sight.right, sight.asked) == ("sees", 5, 5)
    assert sight.message is None


def test_what_the_server_said_is_kept() -> None:
    sight, _ = sight_of(Model(sees="refuses"))
    assert sight.message == "HTTP 400: scripted is no multimodal model"


def test_a_quota_that_is_used_up_is_no_verdict_on_eyes() -> None:
    sight, _ = sight_of(Model(), always_red, (Fault(kind="quota", rate=1),))
    assert sight.verdict == "unanswered"
    assert not sight.is_enough


def test_a_refusal_of_a_colour_is_not_the_right_colour() -> None:
    sight, _ = sight_of(Model(), always_red, (Fault(kind="content_filter", rate=1),))
    assert (sight.verdict, sight.right) == ("takes", 0)


def test_a_client_with_a_store_looks_once(tmp_path: Path) -> None:
    budget = Budget()
    with (
        ScriptedServer(brain=always_red) as server,
        AnswerStore(tmp_path / "answers.sqlite") as store,
    ):
        for _ in range(2):
            asyncio.run(_check(server.base_url, store, budget))
        assert server.counts.chats == budget.calls == 6


def test_a_stored_answer_is_no_second_answer(tmp_path: Path) -> None:
    """Whether chance or the picture moves the answers is asked anew, store or not."""
    said = itertools.count()

    def noise(question: Question) -> Turn:
        return Turn(text=f"noise {next(said)}")

    with (
        ScriptedServer(Script(models=(Model(picture_tokens=UNCOUNTED),)), brain=noise) as server,
        AnswerStore(tmp_path / "answers.sqlite") as store,
    ):
        sight = asyncio.run(_check(server.base_url, store))
        assert server.counts.chats == 7
    assert sight.verdict == "ignores"


def test_a_model_that_reasons_first_gets_room(colours: Brain) -> None:
    def reasoning(question: Question) -> Turn:
        if question.parameters["max_tokens"] < 500:
            return Turn(text="<think>A colour, then", finish_reason="length")
        return colours(question)

    with ScriptedServer(brain=reasoning) as server:
        sight = asyncio.run(_check(server.base_url))
    assert sight.verdict == "sees"


def test_a_spent_budget_stops_it() -> None:
    with ScriptedServer(brain=always_red) as server, pytest.raises(BudgetSpent):
        asyncio.run(_check(server.base_url, budget=Budget(max_calls=3)))


@pytest.mark.parametrize(
    ("text", "is_red"),
    [
        ("Red", True),
        ("The colour is **red**.", True),
        ("<think>blue or green</think>\nred", True),  # thoughts do not count
        ("<think>it is red", False),  # it never got to the answer
        ("red or orange", False),  # a hedge is no answer
        ("It is coloured.", False),  # whole words alone
        ("", False),
    ],
)
def test_an_answer_names_a_colour_alone(text: str, is_red: bool) -> None:
    assert names(text, "red") is is_red


def test_the_question_names_every_colour_and_the_choice_is_stable() -> None:
    assert all(colour in asked_colour("it") for colour in COLOURS)
    assert chosen(5) == chosen(8)[:5]
    assert len(set(chosen(5))) == 5


def test_a_blind_guesser_passes_once_in_hundreds() -> None:
    # 5 pictures, 8 colours, 4 must be right: by the binomial distribution
    share = sum(count * 7 ** (5 - right) for right, count in ((4, 5), (5, 1))) / 8**5
    assert share < 1 / 900
