"""The rules of templates: what keeps them, and what breaks which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.templates.checking import Rules, repeats
from labeling.attributes.vocabulary.vocabulary import Vocabulary

VALUES = {
    "neckline": {"v-neck": ("plunging",), "boat neck": (), "no collar": (), "neck": ()},
    "sleeves": {"long": (), "cap sleeves": ("sleeve: caps",)},
    "pockets": {"yes": (), "no": ()},
    "closure": {"buttoned": (), "either way": (), "3/4": ()},
    "marks": {"?": (), "why not?": (), "a {brace}": ()},
}
VOCABULARY = Vocabulary(
    types=tuple(
        AttributeType(type=name, aliases=(), exclusive=False, complete=False, askable=True)
        for name in VALUES
    ),
    values=tuple(
        AttributeValue(type=name, value=value, aliases=aliases, templates=())
        for name, values in VALUES.items()
        for value, aliases in values.items()
    ),
)
RULES = Rules(VOCABULARY)


def value(name: str) -> AttributeValue:
    return next(entry for entry in VOCABULARY.values if entry.value == name)


@pytest.mark.parametrize(
    ("name", "template"),
    [
        ("v-neck", "Does this {noun} have a v-neck neckline?"),
        ("v-neck", "Is there a V Neck on the {noun}?"),  # case and hyphen
        ("v-neck", "Would you call the front of the {noun} plunging?"),  # an alias
        ("boat neck", "Is there a boat neck on the {noun}?"),  # names neck, as its own part
        ("cap sleeves", "Are there caps on the {noun}?"),  # an alias with its type
        ("long", "Are the sleeves of the {noun} long?"),
        ("yes", "Are there pockets on the {noun}?"),  # the type, since yes claims that it is there
        ("no", "Is the {noun} free of any pockets?"),
        ("no collar", "Would you describe the {noun} as free of any collar?"),
        ("no collar", 'Does "no collar" suit the neckline of the {noun}?'),  # its own no
        ("either way", "Can the {noun} be closed either way?"),  # its own either
        ("3/4", "Is the closure of the {noun} 3/4?"),
        ("why not?", "Does the mark on the {noun} say why not??"),  # its own question
        ("buttoned", "Do you see the {noun} buttoned?"),
    ],
)
def test_what_keeps_the_rules(name: str, template: str) -> None:
    assert RULES.fault(value(name), template) is None


@pytest.mark.parametrize(
    ("name", "template", "reason"),
    [
        ("v-neck", "The {noun} has a v-neck.", "no yes/no question"),
        ("v-neck", "The {noun} has a v-neck?", "no yes/no question"),  # no verb first
        ("v-neck", "Is there a v-neck on the {noun}", "no yes/no question"),
        ("v-neck", "Is it a dress? Is there a v-neck on the {noun}?", "no yes/no question"),
        ("v-neck", "Look well. Is there a v-neck on the {noun}?", "no yes/no question"),
        ("v-neck", "Can you say what v-neck the {noun} has?", "no yes/no question"),
        ("v-neck", "Is there a v-neck\non the {noun}?", "no yes/no question"),
        ("v-neck", "Is there a v-neck on the {noun}\ud800?", "no yes/no question"),  # half a letter
        ("v-neck", "", "noun"),
        ("v-neck", "Is there a v-neckline on the {noun}?", "not about the value"),  # not whole
        ("v-neck", "Is there a low cut on the {noun}?", "not about the value"),
        ("no", "Are there pockets on the {noun}?", "not about the value"),  # yes would mean no
        ("no collar", "Is there a collar on the {noun}?", "not about the value"),
        ("v-neck", "Is there a v-neck on the long {noun}?", "names another value"),
        ("v-neck", "Does the v-neck of the {noun} look plunging, caps on?", "names another value"),
        ("long", "Are the long cap-sleeves of the {noun} wide?", "names another value"),
        ("v-neck", "Is there a v-neck, a neck, on the {noun}?", "names another value"),
        ("v-neck", "Is there not a v-neck on the {noun}?", "negation"),
        ("v-neck", "Isn't there a v-neck on the {noun}?", "negation"),
        ("v-neck", "Isn’t there a v-neck on the {noun}?", "negation"),
        ("v-neck", "Does the {noun} lack a v-neck?", "negation"),
        ("v-neck", "Is the {noun} without a v-neck?", "negation"),
        ("v-neck", "Is it something other than a v-neck on the {noun}?", "negation"),
        ("buttoned", "Is the {noun} unbuttoned, as in buttoned?", "negation"),
        ("buttoned", "Is the {noun} non-buttoned?", "negation"),
        ("yes", "Is the {noun} free of any pockets?", "negation"),
        ("v-neck", "Is there a v-neck or a scoop on the {noun}?", "alternatives"),
        ("v-neck", "Is there a v-neck on the {noun}, plain or odd?", "alternatives"),
        ("v-neck", "Is there a v-neck and a belt on the {noun}?", "alternatives"),
        ("v-neck", "Is there a v-neck on the dress?", "noun"),
        ("v-neck", "Is the {noun} a {noun} with a v-neck?", "noun"),
        ("v-neck", "Is the {noun} a {value} with a v-neck?", "noun"),
        ("v-neck", "Is this a {noun} with a v-neck?", "noun"),  # a umbrella, a shoes
        ("v-neck", "Is the {noun}'s front a v-neck?", "noun"),
        ("v-neck", "Do {noun}s have a v-neck?", "noun"),
        ("a {brace}", "Is a {brace} on the {noun}?", "noun"),  # nothing can ask for it
        ("v-neck", "Is there a v-neck on the {noun}" + " indeed" * 30 + "?", "too long"),
        ("v-neck", "Is the {noun} v-neck" + " a" * 50 + "?", "too long"),
    ],
)
def test_what_breaks_which_rule(name: str, template: str, reason: str) -> None:
    fault = RULES.fault(value(name), template)
    assert fault is not None
    assert fault.reason == reason


def test_a_fault_says_what_stands_in_the_way() -> None:
    fault = RULES.fault(value("v-neck"), "Is there a v-neck on the long {noun}?")
    assert fault is not None
    assert fault.message == "names sleeves: long as well"


def test_templates_repeat_by_their_words() -> None:
    assert repeats("Is the {noun} LONG ?", ("Is the {noun} long?",)) is not None
    assert repeats("Is the {noun} longer?", ("Is the {noun} long?",)) is None


@given(st.text(max_size=120), st.sampled_from(VOCABULARY.values))
def test_any_text_is_judged(text: str, entry: AttributeValue) -> None:
    fault = RULES.fault(entry, text)
    assert fault is not None or (text.count("{noun}") == 1 and text.endswith("?"))
