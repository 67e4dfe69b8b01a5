"""What an author had better look at again, and no rule refuses."""

import pytest

from benchwright.records import QuestionChain
from labeling.dialogues.question_chain.rules.advice import advice
from labeling.dialogues.question_chain.rules.checking import failures
from stand_ins.chains import chain, with_step


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (chain(), []),
        (chain(steps=()), []),
        # the last answer whole, with or without an article, in other words, within a longer one
        (with_step(chain(), 1, answer="driver who reversed"), ["tells-last/1"]),
        (with_step(chain(), 2, answer="Surely the driver who reversed!"), ["tells-last/2"]),
        # a part of it is none, nor is an answer that is empty
        (with_step(chain(), 1, answer="the driver"), []),
        (with_step(chain(), 3, answer=""), []),
        # equal counts are as they should be, so this is no rule
        (with_step(with_step(chain(), 1, answer="two"), 3, answer="two"), ["tells-last/1"]),
    ],
)
def test_an_earlier_answer_that_says_the_last(found: QuestionChain, names: list[str]) -> None:
    assert [each.name for each in advice(found)] == names
    assert not {each.name for each in failures(found)} & set(names)
