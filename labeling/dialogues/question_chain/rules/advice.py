"""What an author had better look at again; a chain stands all the same."""

from benchwright.plain_text import excerpt
from benchwright.records import Check, QuestionChain
from labeling.dialogues.question_chain.rules.wording import holds, named_words


def advice(chain: QuestionChain) -> tuple[Check, ...]:
    """Return the checks that did not pass and refuse nothing: ``tells-last/N``.

    The answer of a step before the last says that of the last. With counts that are equal, or the
    one of two lanes that was seen before, that is as it should be; elsewhere the last step asks
    nothing more.
    """
    if not chain.steps:
        return ()
    last = named_words(chain.steps[-1].answer)
    return tuple(
        Check(
            name=f"tells-last/{number}",
            passed=False,
            reason=f"its answer says that of the last step: {excerpt(chain.steps[-1].answer, 60)};"
            " does the last step still ask something?",
        )
        for number, step in enumerate(chain.steps[:-1], 1)
        if holds(named_words(step.answer), last)
    )
