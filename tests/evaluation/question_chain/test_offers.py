"""What there is to choose from: shuffled by ids, made larger without a second truth."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from benchwright.errors import UsageError
from benchwright.records import QuestionChain
from evaluation.question_chain.offers import Offers

Chains = Mapping[str, QuestionChain]


def test_an_offer_is_that_of_the_record(chains: Chains) -> None:
    chain = chains["c1"]
    offers = Offers(chains.values())
    questions, answers = offers.questions(chain, 1), offers.answers(chain, 1)
    assert questions.texts == tuple(one.text for one in chain.steps[0].question_options)
    assert questions.answers == tuple(one.answer for one in chain.steps[0].question_options)
    assert questions.texts[questions.truth] == chain.steps[0].question
    assert answers.texts == chain.steps[0].answer_options
    assert answers.texts[answers.truth] == chain.steps[0].answer


def test_the_order_hangs_on_seed_chain_step_and_texts_alone(chains: Chains) -> None:
    def shown(chain: QuestionChain, step: int, seed: int = 0) -> list[str]:
        offers = Offers([chain], None, seed)
        offer = offers.answers(chain, step)
        return [offer.texts[place] for place in offers.order(chain, step, "answer", offer)]

    chain = chains["c2"]
    turned = replace(
        chain,
        steps=tuple(replace(s, answer_options=s.answer_options[::-1]) for s in chain.steps),
    )
    assert shown(turned, 2) == shown(chain, 2)
    orders = {tuple(shown(chain, 2, seed)) for seed in range(40)}
    assert len(orders) > 12  # of 24
    assert {order[0] for order in orders} == set(chain.steps[1].answer_options)


def test_every_place_is_the_truths_about_as_often(chains: Chains) -> None:
    chain, first = chains["c1"], [0] * 4
    for seed in range(400):
        offers = Offers([chain], None, seed)
        offer = offers.answers(chain, 1)
        first[offers.order(chain, 1, "answer", offer).index(offer.truth)] += 1
    assert min(first) > 70  # of 100 expected each, with a deviation of 9


@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_larger_offer_begins_with_the_record_and_has_one_truth(chains: Chains, size: int) -> None:
    offers = Offers(chains.values(), size)
    for chain in chains.values():
        true_questions = {step.question for step in chain.steps}
        true_answers = {step.answer for step in chain.steps}
        for number, step in enumerate(chain.steps, 1):
            answers = offers.answers(chain, number)
            assert answers.texts[:4] == step.answer_options
            assert len(set(answers.texts)) == len(answers) == max(size, 4)
            assert set(answers.texts) & true_answers == {step.answer}
            if number == len(chain.steps):
                continue
            questions = offers.questions(chain, number)
            assert questions.texts[:3] == tuple(one.text for one in step.question_options)
            assert len(set(questions.texts)) == len(questions) == size
            assert set(questions.texts) & true_questions == {step.question}


def test_own_distractors_come_first_and_others_have_no_answer(chains: Chains) -> None:
    chain = chains["c2"]  # of three steps with two distractors each, and a last one without
    offer = Offers(chains.values(), 9).questions(chain, 1)
    further = list(zip(offer.texts, offer.answers, strict=True))[3:]
    assert all("of c2" in text and answer is not None for text, answer in further[:4])
    assert all("of c2" not in text and answer is None for text, answer in further[4:])
    # from one chain of the category after the other, and from no other category
    assert {text.rstrip("?")[-2:] for text, _ in further[4:]} == {"c1", "c3"}


def test_an_offer_is_as_large_as_its_category_allows(chains: Chains) -> None:
    alone = Offers([chains["c4"]], 20)
    assert len(alone.questions(chains["c4"], 1)) == 3  # no other step has distractors
    assert len(alone.answers(chains["c4"], 1)) == 4 + 3


def test_the_same_offer_whatever_the_order_of_the_chains(chains: Chains) -> None:
    one, other = (Offers(some, 8) for some in (chains.values(), list(chains.values())[::-1]))
    for chain in chains.values():
        assert one.questions(chain, 1) == other.questions(chain, 1)
        assert one.answers(chain, 2) == other.answers(chain, 2)
    assert Offers(chains.values(), 8, 1).answers(chains["c1"], 1) != one.answers(chains["c1"], 1)


def test_refuses_more_options_than_letters(chains: Chains) -> None:
    many = tuple(f"wrong {number}" for number in range(26))
    first, *others = chains["c1"].steps
    step = replace(first, answer_options=(first.answer, *many))
    with pytest.raises(UsageError, match=r"c1, step 1: has 27 options, and there are letters for"):
        Offers([replace(chains["c1"], steps=(step, *others))])


def test_refuses_less_than_there_is(chains: Chains) -> None:
    most = max(
        len(options)
        for chain in chains.values()
        for step in chain.steps
        for options in (step.question_options, step.answer_options)
    )
    Offers(chains.values(), most)
    with pytest.raises(UsageError, match=f"--options {most - 1}: a step .* has {most} options"):
        Offers(chains.values(), most - 1)
