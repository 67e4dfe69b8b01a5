"""Questions from patterns: enough for every value, by the rules, and readable."""

import re
from collections.abc import Callable, Mapping
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.templates.checking import Rules, repeats
from labeling.attributes.templates.patterns import pattern_templates, patterns
from labeling.attributes.vocabulary.vocabulary import Vocabulary

Make = Callable[[Mapping[str, list[str]]], Vocabulary]

DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
TWO_ARTICLES = re.compile(r"\b(?:an?|the) (?:an?|the)(?= )", re.IGNORECASE)
AGREES = re.compile(r"^(?:Is|Are|Was|Do|Does|Has|Have) the \{noun\}")


@pytest.mark.parametrize("name", ["uci", "dresses", "scenes"])
def test_every_value_gets_four_readable_questions(
    vocabularies: dict[str, Vocabulary], name: str
) -> None:
    vocabulary = vocabularies[name]
    rules = Rules(vocabulary)
    for value in vocabulary.values:
        given_ = tuple(pattern_templates(rules, value))
        assert len(given_) >= 4, value
        for place, template in enumerate(given_):
            assert rules.fault(value, template) is None, template
            assert repeats(template, given_[:place]) is None, template
        for template in given_[:4]:  # what comes later is there in case
            assert not DOUBLED.search(template), template
            assert not TWO_ARTICLES.search(template), template
            assert not AGREES.search(template), template


@pytest.mark.parametrize(
    ("type_name", "value", "expected"),
    [
        ("neckline", "v-neck", "Is there a v-neck on the {noun}?"),
        ("neckline", "v neckline", "Is there a v neckline on the {noun}?"),  # not neckline neckline
        ("neck line", "sweetheart", "Is there a sweetheart neckline on the {noun}?"),
        ("Collar_Style", "spread", "Is there a spread collar on the {noun}?"),
        ("sleevelength", "long sleeve", "Is there a long sleeve on the {noun}?"),
        ("sleeve length", "long", "Are there long sleeves on the {noun}?"),
        ("sleeve length", "sleeveless", "Would you call the {noun} sleeveless?"),
        ("waiseline", "empire", "Is there an empire waist on the {noun}?"),  # misspelt type
        ("color", "red", "Is the color of the {noun} red?"),
        ("hair colour", "black", "Is the hair colour of the {noun} black?"),  # not the person
        ("material", "wool", "Does the surface of the {noun} look like wool?"),
        ("fabric", "knit", "Does the surface of the {noun} look like knit fabric?"),
        ("decoration", "ruched", "Is the decoration of the {noun} ruched?"),
        ("decoration", "ruffles", "Are there ruffles on the {noun}?"),
        ("bodice", "chest pockets", "Would you describe the {noun} as having chest pockets?"),
        ("skirt", "a-line", "Would you describe the {noun} as having an a-line skirt?"),
        ("wheels", "alloy", "Would you describe the {noun} as having alloy wheels?"),
        ("buttons", "wooden", "Are the buttons of the {noun} wooden?"),  # no kind, plural
        ("buttons", "4", "Is 4 the number of buttons of the {noun}?"),
        ("number of doors", "2", "Is 2 the number of doors of the {noun}?"),
        ("year", "1950", "Is the year of the {noun} 1950?"),
        ("pockets", "yes", "Are there pockets on the {noun}?"),
        ("pockets", "none", "Would you describe the {noun} as free of any pockets?"),
        ("trim", "with pockets", "Are there pockets on the {noun}?"),
        ("neckline", "no collar", "Would you describe the {noun} as free of any collar?"),
        ("is stacked", "yes", "Would you call the {noun} stacked?"),
        ("waterproof", "no", 'Is "no" the right entry under "waterproof" for the {noun}?'),
        ("room", "office", "Does the picture show the {noun} in an office?"),
        ("room", "outdoors", "Is the room around the {noun} outdoors?"),
        ("weather", "sunny", "Is the weather around the {noun} sunny?"),
        ("breed", "labrador", "Is labrador the breed of the {noun}?"),
        ("brand", "Acme", "Is Acme the brand of the {noun}?"),  # as it is spelled
        ("track gauge", "narrow", "Is the track gauge of the {noun} narrow?"),  # no kind
        ("track gauge", "narrow gauge", "Is the track gauge of the {noun} narrow gauge?"),
        ("gauge", "narrow gauge", "Is there a narrow gauge on the {noun}?"),
    ],
)
def test_the_first_question(vocabulary_of: Make, type_name: str, value: str, expected: str) -> None:
    vocabulary = vocabulary_of({type_name: [value]})
    assert next(pattern_templates(Rules(vocabulary), vocabulary.values[0])) == expected


def test_a_question_that_names_another_value_gives_way(vocabulary_of: Make) -> None:
    vocabulary = vocabulary_of({"fit": ["slim", "slim fit"], "other": ["picture"]})
    given_ = [*pattern_templates(Rules(vocabulary), vocabulary.values[0])]
    assert len(given_) >= 4
    assert not [text for text in given_ if "slim fit" in text or "picture" in text]


@pytest.mark.parametrize(("type_name", "value"), [("is stacked", "yes"), ("pockets", "yes")])
def test_nothing_is_called_yes(vocabulary_of: Make, type_name: str, value: str) -> None:
    vocabulary = vocabulary_of({type_name: [value]})
    given_ = [*pattern_templates(Rules(vocabulary), vocabulary.values[0])]
    assert [text for text in given_ if "yes" in text and '"yes"' not in text] == []


def test_a_value_named_like_the_placeholder(vocabulary_of: Make) -> None:
    vocabulary = vocabulary_of({"word class": ["noun", "verb"]})
    for value in vocabulary.values:
        given_ = [*pattern_templates(Rules(vocabulary), value)]
        assert len(given_) >= 4
        assert all(value.value in text.replace("{noun}", "") for text in given_)


def test_a_value_named_like_a_little_word_leaves_nothing_to_say(vocabulary_of: Make) -> None:
    vocabulary = vocabulary_of({"band": ["the", "u2"]})
    assert [*pattern_templates(Rules(vocabulary), vocabulary.values[1])] == []
    assert [*pattern_templates(Rules(vocabulary), vocabulary.values[0])] != []


def test_the_data_file_holds_ten_kinds_and_four_wordings_each() -> None:
    found = patterns()
    assert len(found.kinds) >= 10
    for name, wordings in (*found.sets.items(), *((k, v.says) for k, v in found.kinds.items())):
        assert len(set(wordings)) >= 4, name
        for wording in wordings:
            assert wording.count("{noun}") == 1, wording
            places = set(re.findall(r"\{(\w+)\}", wording))
            assert places <= {"noun", "type", "value", "thing", "a_thing", "Is", "There"}, wording
    sets = {kind.adjectives for kind in found.kinds.values()} - {None}
    assert sets <= set(found.sets)


letters = st.text("bcdfgkpz", min_size=4, max_size=7)  # words that no wording holds
words = st.lists(letters, min_size=1, max_size=3).map(" ".join)
known = st.sampled_from(sorted(spelling for spelling, _ in patterns().types.values()))


def made(content: Mapping[str, list[str]]) -> Vocabulary | None:
    types = tuple(
        AttributeType(type=name, aliases=(), exclusive=False, complete=False, askable=True)
        for name in content
    )
    values = tuple(
        AttributeValue(type=name, value=value, aliases=(), templates=())
        for name in content
        for value in content[name]
    )
    vocabulary = Vocabulary(types=types, values=values)
    try:
        vocabulary.lookup()
    except UsageError:
        return None
    return vocabulary


@given(st.dictionaries(words | known, st.lists(words, min_size=1, max_size=4), max_size=3))
def test_any_new_words_get_four_questions(content: dict[str, list[str]]) -> None:
    vocabulary = made(content)
    if vocabulary is None:
        return
    rules = Rules(vocabulary)
    for value in vocabulary.values:
        given_ = [*islice(pattern_templates(rules, value), 4)]
        assert len(given_) == 4
        assert all(value.value in text for text in given_)


odd = st.text(max_size=12) | st.sampled_from(
    ["no", "yes", "none", "the", "is", "or", "not", "without ", "no no", "{noun}", "{value}", "?"]
)


@given(st.dictionaries(odd | known, st.lists(odd | words, min_size=1, max_size=4), max_size=3))
def test_no_names_at_all_bring_forth_a_bad_question(content: dict[str, list[str]]) -> None:
    vocabulary = made(content)
    if vocabulary is None:
        return
    rules = Rules(vocabulary)
    for value in vocabulary.values:
        given_ = [*pattern_templates(rules, value)]
        assert [rules.fault(value, text) for text in given_] == [None] * len(given_)
        assert given_ == [*pattern_templates(Rules(vocabulary), value)]
