"""The rules of a chain (V-REX, section 4), each with the reason where it does not hold.

A check about one step is named ``rule/step``, such as ``helpful/2``; one about the whole chain
by its rule alone.
"""

from collections.abc import Iterator

from benchwright.plain_text import excerpt
from benchwright.records import ChainStep, Check, QuestionChain
from labeling.dialogues.question_chain.rules.options import check_lengths, check_options
from labeling.dialogues.question_chain.rules.scenarios import scenarios
from labeling.dialogues.question_chain.rules.wording import holds, named_words, words_of

FEWEST_STEPS, MOST_STEPS = 2, 6


def check_chain(chain: QuestionChain) -> tuple[Check, ...]:
    """Return what each rule finds; those of the whole chain first, then those of each step."""
    return tuple(_checks(chain))


def failures(chain: QuestionChain) -> tuple[Check, ...]:
    """Return the checks that did not pass."""
    return tuple(check for check in check_chain(chain) if not check.passed)


def _checks(chain: QuestionChain) -> Iterator[Check]:
    yield from _whole(chain)
    leading = _leading(chain.steps)
    for number, step in enumerate(chain.steps, 1):
        found = {
            "filled": _filled(step),
            "order": _order(step, number, len(chain.steps)),
            "helpful": None
            if number in leading
            else "no later step uses this answer on the way to the last; use it, or take it out",
            "new": _repeated(chain, number),
            "given-away": _given_away(chain, number),
        }
        for name, reason in found.items():
            yield _check(f"{name}/{number}", reason)
        is_last = number == len(chain.steps)
        for name, reason in check_options(step, is_last=is_last).items():
            yield _check(f"{name}/{number}", reason)
    for name, reason in check_lengths(chain.steps).items():
        yield _check(name, reason)


def _whole(chain: QuestionChain) -> Iterator[Check]:
    count = len(chain.steps)
    has_length = FEWEST_STEPS <= count <= MOST_STEPS
    yield _check(
        "length",
        None
        if has_length
        else f"a chain has {FEWEST_STEPS} to {MOST_STEPS} steps; this has {count}",
    )
    yield _check("question", None if chain.question.strip() else "write the chain's question")
    known = scenarios()
    yield _check(
        "category",
        None
        if chain.category in known
        else f"{excerpt(chain.category)!r} is none of {', '.join(known)}",
    )
    yield _check("scenario", None if chain.scenario.strip() else "name the scenario")
    if chain.steps and chain.question.strip():
        asks = words_of(chain.steps[-1].question) == words_of(chain.question)
        yield _check(
            "conclusion",
            None if asks else "the last step must ask the chain's question, in the same words",
        )


def _check(name: str, reason: str | None) -> Check:
    return Check(name=name, passed=reason is None, reason=reason)


def _filled(step: ChainStep) -> str | None:
    if not step.question.strip():
        return "write the question"
    return None if step.answer.strip() else "write the answer"


def _order(step: ChainStep, number: int, count: int) -> str | None:
    """Say which of the steps that this one uses it cannot use."""
    for used in step.uses:
        if used == number:
            return "a step cannot use its own answer"
        if not 1 <= used <= count:
            return f"uses step {used}, and there is none"
        if used > number:
            return f"uses step {used}, which comes later"
    repeated = len(set(step.uses)) < len(step.uses)
    return "names a step that it uses twice" if repeated else None


def _leading(steps: tuple[ChainStep, ...]) -> frozenset[int]:
    """Return the steps whose answers reach the last one; uses that point forward lead nowhere."""
    leading = {len(steps)}
    for number in range(len(steps), 0, -1):
        if number in leading:
            leading.update(used for used in steps[number - 1].uses if used < number)
    return frozenset(leading)


def _repeated(chain: QuestionChain, number: int) -> str | None:
    words = words_of(chain.steps[number - 1].question)
    for earlier, step in enumerate(chain.steps[: number - 1], 1):
        if words and words_of(step.question) == words:
            return f"asks what step {earlier} asks"
    return None


def _given_away(chain: QuestionChain, number: int) -> str | None:
    """Say which question up to this step tells its answer.

    A question that offers a choice tells nothing: where a wrong answer is named as well, the
    right one may be.
    """
    step = chain.steps[number - 1]
    answer = named_words(step.answer)
    asked = [("the chain's question", words_of(chain.question))]
    for at, earlier in enumerate(chain.steps[:number], 1):
        asked.append((f"question {at}", words_of(earlier.question)))
    telling = [place for place, words in asked if holds(words, answer)]
    if not telling:
        return None
    others = map(named_words, step.answer_options)
    offered = any(
        holds(words, other) for other in others if not holds(answer, other) for _, words in asked
    )
    return None if offered else f"{telling[0]} gives the answer away: {excerpt(step.answer, 60)}"
