"""The labelled questions themselves: enough of them, of all kinds, and read as in a game."""

from collections import Counter

from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.wording import question_texts
from evaluation.judges.labelled import REASONS, domains_of_the_package, labelled_questions
from evaluation.judges.scoring import VALID

CASES = labelled_questions()


def test_there_are_enough_of_each_kind() -> None:
    assert len(CASES) >= 240
    assert len({case.domain.name for case in CASES}) == len(domains_of_the_package()) == 4
    by_label = Counter(case.wanted for case in CASES)
    assert set(by_label) == {VALID, *REASONS}
    assert by_label[VALID] >= 100
    assert min(by_label.values()) >= 8


def test_half_of_each_label_is_held_out() -> None:
    for wanted in (VALID, *REASONS):
        held_out = [case.is_held_out for case in CASES if case.wanted == wanted]
        assert abs(2 * sum(held_out) - len(held_out)) <= 1, wanted


def test_no_question_stands_twice() -> None:
    assert len({case.id for case in CASES}) == len(CASES)
    said = Counter(
        (case.domain.name, case.question.text, case.turns, case.is_contradicted) for case in CASES
    )
    assert said.most_common(1)[0][1] == 1


def test_several_questions_are_those_that_the_reader_counts() -> None:
    for case in CASES:
        assert (case.question.count > 1) == (case.wanted == "several_questions"), case.id


def test_what_was_asked_before_was_understood() -> None:
    """An earlier question that maps to nothing could not be repeated by its type."""
    lost = [turn.text for case in CASES for turn in case.turns if not turn.asked]
    assert not lost


def test_the_rules_let_pass_our_own_questions_for_all_that_can_be_asked() -> None:
    for domain in domains_of_the_package().values():
        mapper = Mapper(domain.terms, domain.noun)
        rules = RuleDetector(domain.terms, domain.noun)
        questions = question_texts(domain.terms, domain.noun)
        assert len(questions) > 10
        for text in questions.values():
            reason = rules.reason(mapper.question(text, 1), (), is_contradicted=False)
            assert reason is None, text
