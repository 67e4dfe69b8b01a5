"""The scripted players of chains know which chain they are asked about."""

from dataclasses import replace

import pytest

from benchwright.protocols.question_chain import NEXT
from benchwright.records import QuestionChain
from stand_ins.chain_players import ChainPlayers
from stand_ins.chain_release import five_chains
from stand_ins.models import Question


def asked(text: str) -> Question:
    return Question(
        model="knower",
        messages=(),
        text=f"Answer with the letter of one option.\n{text}",
        pictures=(),
        parameters={},
        request="",
        asked_before=0,
        ordinal=0,
    )


def alike() -> list[QuestionChain]:
    """Return two chains that end in one question, as those of two pictures may."""
    one, other, *_ = five_chains()
    last = replace(other.steps[-1], question=one.steps[-1].question)
    return [one, replace(other, question=one.question, steps=(*other.steps[:-1], last))]


@pytest.mark.parametrize("which", [0, 1])
def test_of_two_chains_that_end_in_one_question_it_is_the_one_that_fits(which: int) -> None:
    chains = alike()
    chain, other = chains[which], chains[1 - which]
    goal = f"In the end this is to be answered: {chain.question}"
    answers = f"A. something else\nB. {chain.steps[-1].answer}"
    questions = f"A. {chain.steps[1].question}\nB. What else?"
    both = f"A. {other.steps[-1].answer}\nB. {chain.steps[-1].answer}"
    found = f"1. {chain.steps[0].question} {chain.steps[0].answer}"
    players = ChainPlayers(chains)
    now = f"Now answer this: {chain.steps[-1].question}"
    # its own answer among the options
    assert players(asked(f"{goal}\n{now}\n{answers}")).text == "B"
    # its own question, in planning
    assert players(asked(f"{goal}\n{NEXT}\n{questions}")).text == "A"
    # the answers of both: what was found out tells
    assert players(asked(f"{goal}\n{found}\n{now}\n{both}")).text == "B"
