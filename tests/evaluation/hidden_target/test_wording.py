"""What a player is told, and questions for values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.feasible import Board
from benchwright.knowledge import Value
from benchwright.records import Asked, Told, Upload
from evaluation.hidden_target import wording
from evaluation.hidden_target.detector.rules import RuleDetector
from evaluation.hidden_target.game import SIGNAL, Game, Rules
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.players.conversation import conversation
from evaluation.hidden_target.reading.said import Asks, read_said
from evaluation.hidden_target.wording import (
    forbidden,
    prompt_digest,
    question_text,
    question_texts,
    task,
)
from evaluation.releases.galleries import Term, read_terms
from evaluation.releases.release import open_release
from stand_ins.small_games import turn


def term(kind: str, value: str, *templates: str, askable: bool = True) -> Term:
    return Term(
        value=Value(type=kind, value=value, askable=askable),
        type_aliases=(),
        aliases=(),
        templates=templates,
    )


@pytest.mark.parametrize(
    ("kind", "value", "noun", "text"),
    [
        # the value's own name tells the type
        ("neckline", "v-neck", "dress", "Does the dress have a v-neck?"),
        ("hem", "high-low hem", "dress", "Does the dress have a high-low hem?"),
        ("waistline", "empire waist", "dress", "Does the dress have an empire waist?"),
        ("legs", "tapered legs", "trousers", "Do the trousers have tapered legs?"),
        # a word before the type
        ("bodice", "ruched", "dress", "Does the dress have a ruched bodice?"),
        ("skirt", "a-line", "dress", "Does the dress have an a-line skirt?"),
        ("sleeves", "bell", "blouse", "Does the blouse have bell sleeves?"),
        ("trim", "lace-trimmed", "dress", "Does the dress have a lace-trimmed trim?"),
        ("headboard", "upholstered", "bed", "Does the bed have an upholstered headboard?"),
        # several words, or several things: the part has them
        ("skirt", "side slit", "dress", "Does the skirt of the dress have a side slit?"),
        ("bodice", "chest pockets", "dress", "Does the bodice of the dress have chest pockets?"),
        ("wings", "white bar", "bird", "Do the wings of the bird have a white bar?"),
        # properties are said of the whole
        ("fabric", "cotton", "dress", "Is the fabric of the dress cotton?"),
        ("hair colour", "light blue", "doll", "Is the hair colour of the doll light blue?"),
        ("sleeve_style", "cold-shoulder", "top", "Is the sleeve style of the top cold-shoulder?"),
        ("wings", "narrowly striped", "bird", "Are the wings of the bird narrowly striped?"),
        # what is no name of anything
        ("pockets", "yes", "coat", 'Is "yes" the right entry under "pockets" for the coat?'),
        ("pockets", "none", "coat", 'Is "none" the right entry under "pockets" for the coat?'),
        ("buttons", "4", "coat", 'Is "4" the right entry under "buttons" for the coat?'),
        ("fit", "a, or b?", "coat", 'Is "a, or b" the right entry under "fit" for the coat?'),
        ("fit", "loose?", "coat", 'Is "loose" the right entry under "fit" for the coat?'),
        ("belt", "absent", "coat", 'Is "absent" the right entry under "belt" for the coat?'),
        # as they would stand in a sentence
        ("SleeveLength", "Short", "dress", "Is the sleeve length of the dress short?"),
        ("Back", "Low", "sofa", "Does the sofa have a low back?"),
        ("toe", "open", "pair of shoes", "Does the pair of shoes have an open toe?"),
        # a and an by their sound
        ("neckline", "u-neck", "top", "Does the top have a u-neck?"),
        ("back", "x-back", "top", "Does the top have an x-back?"),
        ("body", "one-piece", "toy", "Does the toy have a one-piece body?"),
        ("body", "auburn", "toy", "Does the toy have an auburn body?"),
        ("body", "uniform", "toy", "Does the toy have a uniform body?"),
    ],
)
def test_questions_made_of_names(kind: str, value: str, noun: str, text: str) -> None:
    assert question_text(term(kind, value), noun) == text


def test_a_template_goes_first() -> None:
    of = term("neck", "v", "Is there a v on the {noun}?", "Has the {noun} a v?")
    assert question_text(of, "dress") == "Is there a v on the dress?"


def test_no_two_values_have_one_question() -> None:
    common = "Is the {noun} sleeveless?"
    terms = [
        term("sleeve length", "sleeveless", common, askable=False),
        term("sleeve style", "sleeveless", common, "Is the style of the {noun} sleeveless?"),
        term("sleeve cut", "sleeveless", common),
        # their made questions are the same
        term("neck", "high neck"),
        term("neckline", "high neck"),
    ]
    texts = question_texts(terms, "dress")
    assert texts == {
        ("sleeve style", "sleeveless"): "Is the style of the dress sleeveless?",
        ("sleeve cut", "sleeveless"): "Does the dress have a sleeveless sleeve cut?",
        ("neck", "high neck"): 'Is "high neck" the right entry under "neck" for the dress?',
        ("neckline", "high neck"): 'Is "high neck" the right entry under "neckline" for the dress?',
    }


def test_what_differs_by_case_alone_keeps_it() -> None:
    texts = question_texts([term("size", "Large"), term("size", "large")], "coat")
    assert texts == {
        ("size", "Large"): 'Is "Large" the right entry under "size" for the coat?',
        ("size", "large"): 'Is "large" the right entry under "size" for the coat?',
    }


VOCABULARIES = {
    "sofa": {
        "leg material": ["wood", "chrome", "none"],
        "arms": ["rolled", "track arms", "no arms", "2"],
        "seat_count": ["1", "2", "3+"],
        "pillows": ["yes", "no"],
        "upholstery": ["tufted leather", "velvet", "faux-leather"],
        "back": ["camelback", "tight back", "low"],
        "room": ["office", "living room"],
        "shape": ["L-shaped", "U-shaped", "straight"],
        "finish": ["N/A", "matte?", 'a "gloss"', "dull/grey", "?"],
    },
    "bird": {
        "wing bars": ["white", "two", "absent"],
        "bill": ["hooked", "dagger-like", "longer than head"],
        "breast pattern": ["spotted", "striped", "multi-coloured"],
        "tail": ["forked tail", "notched", "not visible"],
        "size": ["small (5 - 9 in)", "very large (32 - 72 in)"],
    },
    "pair of shoes": {
        "heel": ["stiletto", "block heel", "flat"],
        "closure": ["lace-up", "slip on", "hook & loop", "no closure"],
        "strap": ["ankle strap", "t-strap", "none"],
        "bag": ["yes", "no"],
    },
    "连衣裙": {"领口": ["方形", "圆"], "裙摆": ["荷叶边"]},
}


def check_agreement(terms: Sequence[Term], noun: str) -> None:
    """Assert that each question is read, mapped to just its value, and not skipped."""
    mapper, detector = Mapper(terms, noun), RuleDetector(terms, noun)
    for (kind, value), text in question_texts(terms, noun).items():
        said = read_said(text)
        assert isinstance(said, Asks), text
        question = mapper.question(said.text, said.count)
        assert question.asked == (Asked(type=kind, value=value, is_negated=False),), text
        assert detector.reason(question, (), is_contradicted=False) is None, text


@pytest.mark.parametrize("noun", VOCABULARIES)
def test_a_question_is_mapped_back_to_its_value(noun: str) -> None:
    named = VOCABULARIES[noun]
    check_agreement([term(kind, value) for kind in named for value in named[kind]], noun)


def test_the_questions_of_a_release_are_mapped_back(dresses_folder: Path) -> None:
    terms = read_terms(open_release(str(dresses_folder)))
    assert len(terms) == 72
    check_agreement(terms, "dress")


TERMS = (
    term("colour", "red", askable=False),
    term("hem_length", "long", askable=False),
    term("neck", "v"),
    term("size", "small", askable=False),
)


def test_what_is_not_asked_about_comes_from_the_vocabulary() -> None:
    named = forbidden(TERMS, "sofa")
    assert named[:4] == ("colour", "hem length", "size", "age group")
    assert named.count("size") == 1
    assert "neck" not in named
    said = task(Rules(noun="sofa", turns=7), TERMS)
    assert ", ".join(named) in said
    for wanted in ("7 turns", "the sofa", SIGNAL, "My guess: #"):
        assert wanted in said
    assert "{" not in said


@pytest.mark.parametrize(
    ("noun", "types", "missing"),
    [
        ("dress", ["neck"], set()),
        # the thing itself, and what the vocabulary has asked about
        ("pair of shoes", ["heel"], {"shoes"}),
        ("hat", ["brim"], {"hats"}),
        ("dog", ["size", "background"], {"size", "the background"}),
    ],
)
def test_what_a_thing_is_can_be_asked_about(noun: str, types: list[str], missing: set[str]) -> None:
    named = forbidden([term(kind, "x") for kind in types], noun)
    assert set(wording.NEVER_ASKED) - set(named) == missing


def test_the_list_of_what_is_not_asked_about_is_made_once() -> None:
    terms = (*TERMS, term("lining", "silk", askable=False))
    assert forbidden(terms, "coat") is forbidden(list(terms), "coat")


def of_size(rules: Rules, pictures: int, make_game: Any) -> Game:
    answers = np.zeros((pictures, 0), np.int8)
    game: Game = make_game(Board(target=0, values=(), answers=answers), rules)
    return game


def texts_told(game: Game, terms: tuple[Term, ...]) -> tuple[str, ...]:
    """Return the texts that a player is told in a game of skips, and those of other answers."""
    uploads = [Upload(batch=at + 1, text="", kind="nothing") for at in range(len(game.batches) - 1)]
    told: list[Told] = ["yes", "no", "unsure", "skip"]
    turns = [turn(told[at % 4], text="", turn=at + 1) for at in range(game.rules.turns)]
    messages = conversation(game, terms, uploads, turns)
    return tuple(part for message in messages for part in message.parts if isinstance(part, str))


def settings() -> Iterator[tuple[Rules, tuple[Term, ...]]]:
    rules = Rules(noun="dress")
    for batch_size in (0, 1, 2, 4, 5, 10):
        yield replace(rules, batch_size=batch_size), TERMS
    for turns in (1, 2, 19):
        yield replace(rules, turns=turns), TERMS
    yield replace(rules, noun="sofa"), TERMS
    yield rules, TERMS[1:]  # a type less that is not asked about
    yield rules, (*TERMS, term("print", "dots", askable=False))
    # what changes no word: another value of a type, an askable type, aliases and templates
    yield rules, (*TERMS, term("colour", "blue", askable=False))
    yield rules, (*TERMS, term("trim", "bow"))
    yield rules, tuple(replace(one, aliases=("x",), templates=("{noun}?",)) for one in TERMS)


def test_the_digest_changes_just_with_what_is_told(make_game: Any) -> None:
    found: dict[str, tuple[str, ...]] = {}
    for rules, terms in settings():
        told = texts_told(of_size(rules, 23, make_game), terms)
        assert found.setdefault(prompt_digest(rules, terms), told) == told
    assert len(found) == len(set(found.values())) == 12


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("_TASK", "Guess the {noun}."),
        ("SILENCE", "..."),
        ("SENT_BACK", 9_000),
        ("SIGNAL", "Go"),
        ("GUESS", "It is #"),
        ("NEVER_ASKED", ("size",)),
        ("_ANSWERS", {"yes": "Yes", "no": "No", "unsure": "Perhaps", "skip": "Skip"}),
    ],
)
def test_the_digest_changes_with_every_wording(
    monkeypatch: pytest.MonkeyPatch, name: str, value: Any
) -> None:
    before = prompt_digest(Rules(noun="dress"), TERMS)
    monkeypatch.setattr(wording, name, value)
    assert prompt_digest(Rules(noun="dress"), TERMS) != before
