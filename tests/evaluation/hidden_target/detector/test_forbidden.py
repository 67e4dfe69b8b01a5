"""What a question must not touch, by the vocabulary and whatever it says."""

from collections.abc import Callable
from typing import Any

import pytest

from evaluation.hidden_target.detector.forbidden import Forbidden
from evaluation.hidden_target.detector.topics import topics
from evaluation.hidden_target.parts import Question
from evaluation.hidden_target.wording import NEVER_ASKED
from evaluation.releases.galleries import Term


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Is the dress sleeveless?", "sleeve length"),  # although a style is so called too
        ("Do the sleeves reach the elbows?", "sleeve length"),
        ("Does the dress have sleeves?", "sleeve length"),
        ("Is it floor-length?", "garment length"),
        ("Is it a midi?", "garment length"),
        ("Is it a maxi dress?", "garment length"),
        ("Does it end above the knee?", "garment length"),
        ("Is it in a solid colour?", "colour"),
        ("Is it in a solid color?", "colour"),
        ("Is it beige?", "colour"),  # no value of the vocabulary
        ("Is there a leaf print?", "print"),
        ("Is there any pattern?", "print"),  # by the alias of the type
        ("Is it striped?", "print"),
        ("Is it by Lily & Co?", "brand"),  # a value of several words
        ("Is the brand well known?", "brand"),
        ("Is it a size 10?", "size"),
        ("Is it for children?", "age group"),
        ("Are there sandals?", "shoes"),
        ("Is a necklace worn with it?", "jewellery"),
        ("Does she wear a hat?", "hats"),
        ("Is there a handbag?", "bags"),
        ("Is there a tree in the background?", "the background"),
        ("Is the model smiling?", "the person who is shown"),
        ("Is she tall?", "the person who is shown"),
        ("Does the model look nice?", "the person who is shown"),  # nothing else is asked about
    ],
)
def test_touches(
    text: str, topic: str, dress_terms: tuple[Term, ...], make_question: Callable[..., Question]
) -> None:
    assert Forbidden(dress_terms, "dress").touched_by(make_question(text)) == topic


@pytest.mark.parametrize(
    "text",
    [
        "Does it have a long slit?",  # long is a sleeve length only where it is said of sleeves
        "Does it have cap sleeves?",
        "Does it have a paper-bag waist?",  # a value of the vocabulary
        "Is the hem longer at the back?",
        "Is there floral lace at the neck?",
        "Does it have mini buttons?",
        "Is it cut like bootcut trousers?",
        "Is there a hook and eye closure?",
        "",
    ],
)
def test_touches_nothing(
    text: str, dress_terms: tuple[Term, ...], make_question: Callable[..., Question]
) -> None:
    assert Forbidden(dress_terms, "dress").touched_by(make_question(text)) is None


def test_who_wears_it_may_say_where_something_is(
    dress_terms: tuple[Term, ...], make_question: Callable[..., Question]
) -> None:
    asked = make_question("Does the model's dress have a V-neck?", "neckline: v-neck")
    assert Forbidden(dress_terms, "dress").touched_by(asked) is None
    hat = make_question("Does the model's hat match the V-neck?", "neckline: v-neck")
    assert Forbidden(dress_terms, "dress").touched_by(hat) == "hats"


def test_a_question_of_the_release_itself_is_judged_by_its_type_alone(
    dress_terms: tuple[Term, ...], make_question: Callable[..., Question]
) -> None:
    forbidden = Forbidden(dress_terms, "dress")
    style = make_question("Is it sleeveless?", "sleeve style: sleeveless", by="template")
    length = make_question("Is it sleeveless?", "sleeve length: sleeveless", by="template")
    assert forbidden.touched_by(style) is None
    assert forbidden.touched_by(length) == "sleeve length"


def test_colours_and_lengths_can_be_asked_about_where_no_type_forbids_them(
    make_term: Any, make_question: Callable[..., Question]
) -> None:
    forbidden = Forbidden([make_term("finish", "matt")], "mug")
    for text in ("Is it red?", "Is it striped?", "Does it have long sleeves?", "Is it a midi?"):
        assert forbidden.touched_by(make_question(text)) is None, text
    assert forbidden.touched_by(make_question("Is a hat on it?")) == "hats"


def test_what_the_vocabulary_lets_ask_about_wins(
    make_term: Any, make_question: Callable[..., Question]
) -> None:
    terms = [make_term("things", "hat", "sun hat"), make_term("pockets", "bag pocket")]
    forbidden = Forbidden(terms, "shoe")
    for text in ("Is there a hat?", "Does it have bag pockets?", "Is the shoe laced?"):
        assert forbidden.touched_by(make_question(text)) is None, text
    assert forbidden.touched_by(make_question("Is there a bag?")) == "bags"


def test_the_topics_are_those_that_players_are_told() -> None:
    assert sorted(topics().never) == sorted(NEVER_ASKED)


def test_names_of_types_are_no_patterns(
    make_term: Any, make_question: Callable[..., Question]
) -> None:
    forbidden = Forbidden([make_term("a.c (x+", "v[", askable=False)], "(mug")
    assert forbidden.touched_by(make_question("Is the A.C (x+ there?")) == "a.c (x+"
    assert forbidden.touched_by(make_question("Is abc there?")) is None
