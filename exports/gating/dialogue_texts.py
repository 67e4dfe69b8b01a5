"""What the text of dialogues tells without the picture."""

from collections.abc import Iterator, Sequence
from itertools import product

from benchwright.records import FalsePremise, QuestionChain
from benchwright.statistics.intervals import estimate
from exports.gating.check import Check, guess_check
from exports.gating.limits import LIFT, WORD_DRAWS
from exports.gating.wording import (
    Choice,
    Guessed,
    by_length,
    by_words,
    chance,
    words_of_one_side,
)

_WORDS_SHOWN = 10


def false_premise_texts(dialogues: Sequence[FalsePremise]) -> Iterator[Check]:
    """Yield whether words tell false descriptions from true ones, and false turns from true ones.

    Of a pair of descriptions one is right by chance in half. By their number turns are told for
    certain, the first are true (FPCO-Dialog, section 3.1): so turns are for information.
    """
    name, config = "false-premise-text", "false-premise"
    pairs = [
        Choice(
            of=one.dialogue_id,
            picture=one.image_id,
            options=(one.true_description, one.false_description),
            right=1,
        )
        for one in dialogues
    ]
    found = by_words(pairs, WORD_DRAWS)
    check = guess_check(
        name,
        config,
        "the false one of two descriptions told by its words",
        found.share,
        chance=0.5,
        n=len(pairs),
        limit=0.5 + LIFT,
        rows=found.rows(pairs),
    )
    yield check.saying(note=_one_sided("false descriptions", pairs)).advised(
        "have false descriptions made of words that are true of other pictures"
    )
    turns = list(_turns(dialogues))
    if turns:
        yield guess_check(
            name,
            config,
            "the false one of two turns of a dialogue told by its words",
            by_words(turns).share,
            chance=0.5,
            n=len(turns),
        ).saying(note="by their number all turns are told: the first of a dialogue are true")


def question_chain_texts(chains: Sequence[QuestionChain]) -> Iterator[Check]:
    """Yield whether length or words tell true options; the question of the last step is given."""
    questions, answers = [], []
    for chain in chains:
        for step in chain.steps[:-1]:
            origins = [option.origin for option in step.question_options]
            if "true" in origins:
                questions.append(
                    Choice(
                        of=chain.chain_id,
                        picture=chain.image_id,
                        options=tuple(option.text for option in step.question_options),
                        right=origins.index("true"),
                    )
                )
        answers += [
            Choice(
                of=chain.chain_id,
                picture=chain.image_id,
                options=step.answer_options,
                right=step.answer_options.index(step.answer),
            )
            for step in chain.steps
            if step.answer in step.answer_options
        ]
    for kind, choices in (("questions", questions), ("answers", answers)):
        if choices:
            yield _option_check(kind, choices)


def _option_check(kind: str, choices: Sequence[Choice]) -> Check:
    guesses: dict[str, Guessed] = {
        "as the longest": by_length(choices, longest=True),
        "as the shortest": by_length(choices, longest=False),
        "by its words": by_words(choices, WORD_DRAWS),
    }
    best = max(guesses, key=lambda guess: guesses[guess].share.share)
    others = [
        f"{guess} {100 * found.share.share:.1f} %"
        for guess, found in guesses.items()
        if guess != best
    ]
    blind, share = chance(choices), guesses[best].share
    check = guess_check(
        "question-chain-text",
        "question-chain",
        f"the true one of the {kind} told {best}",
        estimate(share.share, share.size, 1 - 0.05 / len(guesses)),  # of the best of several
        chance=blind,
        n=len(choices),
        limit=blind + LIFT,
        rows=guesses[best].rows(choices),
    )
    note = _one_sided(f"true {kind}", choices)
    return check.saying(detail=", ".join(others), note=note).advised(
        "write distractors as long as the true option and in its words"
    )


def _one_sided(of: str, choices: Sequence[Choice]) -> str:
    words = words_of_one_side(choices)
    if not words:
        return ""
    more = f" and {len(words) - _WORDS_SHOWN:,} more" if len(words) > _WORDS_SHOWN else ""
    return f"words of {of} alone: {', '.join(words[:_WORDS_SHOWN])}{more}"


def _turns(dialogues: Sequence[FalsePremise]) -> Iterator[Choice]:
    """Yield each pair of a true turn and a false one of one dialogue."""
    for one in dialogues:
        for true, false in product(
            (turn for turn in one.turns if not turn.has_false_premise),
            (turn for turn in one.turns if turn.has_false_premise),
        ):
            yield Choice(
                of=one.dialogue_id,
                picture=one.image_id,
                options=(true.asked_question, false.asked_question),
                right=1,
            )
