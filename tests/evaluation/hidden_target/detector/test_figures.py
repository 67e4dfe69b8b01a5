"""The failure dialogues of AMIGO's figures 13 to 16, turn by turn."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwright.records import Turn
from benchwright.yaml_files import read_yaml
from evaluation.hidden_target.detector.model import ModelDetector
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.parts import Question
from evaluation.hidden_target.reading.said import Asks, read_said
from evaluation.hidden_target.reading.uploads import read_upload
from evaluation.releases.galleries import Term

SAID: Any = read_yaml(Path(__file__).with_name("figures.yaml"))
FIGURES = SAID["figures"]


def vocabulary(make_term: Callable[..., Term], *, one_hem: bool = False) -> tuple[Term, ...]:
    aliases = SAID["aliases"]
    asked = [
        make_term(
            "hem" if one_hem and kind.startswith("hem") else kind, value, *aliases.get(value, ())
        )
        for kind, values in SAID["vocabulary"].items()
        for value in values
    ]
    forbidden = [
        make_term(kind, value, askable=False)
        for kind, values in SAID["forbidden"].items()
        for value in values
    ]
    return (*asked, *forbidden)


def heard(mapper: Mapper, text: str) -> Question:
    read = read_said(text)
    assert isinstance(read, Asks), text
    return mapper.question(read.text, read.count)


def turns_of(
    figure: str, mapper: Mapper, make_turn: Callable[..., Turn]
) -> Iterator[tuple[Any, Question, list[Turn]]]:
    """Yield each turn as the fixture has it, its question, and the turns before it."""
    before: list[Turn] = []
    for number, turn in enumerate(FIGURES[figure]["turns"], 1):
        question = heard(mapper, turn["says"])
        yield turn, question, list(before)
        before.append(make_turn(question, turn["told"], number))


@pytest.mark.parametrize("figure", FIGURES)
def test_rules_and_model_skip_what_the_figure_skips(
    figure: str, make_term: Any, make_turn: Any, model: Any, verdict: Any, judged: Any
) -> None:
    terms = vocabulary(make_term)
    rules, mapper = RuleDetector(terms, "dress"), Mapper(terms, "dress")
    detector = ModelDetector(rules, model)
    for turn, question, before in turns_of(figure, mapper, make_turn):
        by = turn.get("by", "model")
        model.said = verdict(turn.get("reason", "valid") if by == "model" else "valid")
        found = judged(detector, question, before)
        if turn["told"] == "skip":
            assert found.reason == turn["reason"], turn
            assert found.judged_by == ("judge" if by == "model" else "rules"), turn
        else:
            assert found.reason is None, turn
            assert len(found.replies) == 1, turn  # the model was asked and found nothing


@pytest.mark.parametrize("figure", FIGURES)
def test_the_rules_alone_pass_just_what_is_the_models(
    figure: str, make_term: Any, make_turn: Any
) -> None:
    terms = vocabulary(make_term)
    rules, mapper = RuleDetector(terms, "dress"), Mapper(terms, "dress")
    for turn, question, before in turns_of(figure, mapper, make_turn):
        wanted = turn.get("reason") if turn.get("by") == "rules" else None
        assert rules.reason(question, before, is_contradicted=False) == wanted, turn


@pytest.mark.parametrize("figure", FIGURES)
def test_rule_and_types_are_those_that_were_found(
    figure: str, make_term: Any, make_turn: Any
) -> None:
    terms = vocabulary(make_term)
    rules, mapper = RuleDetector(terms, "dress"), Mapper(terms, "dress")
    for turn, question, before in turns_of(figure, mapper, make_turn):
        asked = {one.type for one in question.asked}
        if turn.get("rule") == 4:
            assert [rules.touched_by(question)] == turn["types"], turn
        elif turn.get("by") == "model":
            assert not asked, turn  # that is why it is the model's
        else:
            assert asked == set(turn["types"]), turn
        if turn.get("rule") == 5:
            assert set(turn["types"]) & {
                one.type for earlier in before if earlier.told != "skip" for one in earlier.asked
            }, turn


def test_a_vocabulary_with_one_type_of_hem_skips_the_hems_that_the_figures_answer(
    make_term: Any, make_turn: Any
) -> None:
    terms = vocabulary(make_term, one_hem=True)
    rules, mapper = RuleDetector(terms, "dress"), Mapper(terms, "dress")
    for figure, said in FIGURES.items():
        more = [
            number
            for number, (turn, question, before) in enumerate(
                turns_of(figure, mapper, make_turn), 1
            )
            if turn["told"] != "skip"
            and rules.reason(question, before, is_contradicted=False) == "repeated"
        ]
        assert more == said["strict"], figure


@pytest.mark.parametrize(
    ("figure", "turns", "skips", "by_model"),
    [("13", 9, 4, 0), ("14", 1, 0, 0), ("15", 20, 10, 1), ("16", 20, 12, 0)],
)
def test_the_fixture_has_the_numbers_of_the_paper(
    figure: str, turns: int, skips: int, by_model: int
) -> None:
    said = FIGURES[figure]["turns"]
    told = Counter(turn["told"] for turn in said)
    assert (len(said), told["skip"]) == (turns, skips)
    assert sum(turn.get("by") == "model" for turn in said) == by_model


def test_figure_14_uploads_are_echoes_and_premature_questions() -> None:
    kinds = [read_upload(one["says"]) for one in FIGURES["14"]["uploads"]]
    assert kinds == [one["kind"] for one in FIGURES["14"]["uploads"]]
    assert kinds.count("question") == 4
