"""Free questions over several vocabularies."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.knowledge import Value
from benchwright.records import Asked
from evaluation.hidden_target.mapping.labelled import labelled_set
from evaluation.hidden_target.mapping.mapper import Mapper
from evaluation.hidden_target.wording import question_text, question_texts
from evaluation.releases.galleries import Term
from labeling.attributes.vocabulary.spelling import fold
from labeling.attributes.vocabulary.vocabulary import load_vocabulary


def term(type_name, value, **more):
    askable = more.pop("askable", True)
    words = {"type_aliases": (), "aliases": (), "templates": (), **more}
    return Term(value=Value(type=type_name, value=value, askable=askable), **words)


def terms_of(types):
    return tuple(term(name, value) for name, values in types.items() for value in values)


def asked(mapper, text):
    return [
        f"{'not ' if one.is_negated else ''}{one.type}: {one.value}"
        for one in mapper.question(text, 1).asked
    ]


@pytest.fixture
def dresses():
    return DRESSES


DRESSES = Mapper(*labelled_set().vocabularies["dresses"])

ALIASED = (
    term("neckline", "v-neck", aliases=("plunging neckline", "sleeve: v neck")),
    term("neckline", "cap", aliases=()),
    term("neckline", "cape"),
    term("trim", "lace", type_aliases=("edging",)),
    term("fabric", "lace"),
    term("print", "stripe"),
    term("finish", "strip"),
    term("colour", "grey"),
    term("fastening", "zipper", templates=("Can the {noun} be zipped up?",)),
    term("buttons", "3/4 placket"),
    term("decoration", "appliqué"),
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Does it have a plunging neckline?", ["neckline: v-neck"]),
        ("Is there a v neck?", ["neckline: v-neck"]),  # from another column
        ("Does the dress have a cape?", ["neckline: cape"]),  # no cap
        ("Are there caps?", ["neckline: cap"]),
        ("Is it striped?", ["print: stripe"]),
        ("Is it stripped?", ["finish: strip"]),
        ("Does it have lace?", []),  # of two types
        ("Is the edging lace?", ["trim: lace"]),
        ("Is the fabric lace?", ["fabric: lace"]),
        ("Is it lace fabric with lace trim?", ["fabric: lace", "trim: lace"]),
        ("Is the color gray?", ["colour: grey"]),
        ("Does it have a zip?", ["fastening: zipper"]),
        ("Does it have a 3/4 placket?", ["buttons: 3/4 placket"]),
        ("Does it have a 34 placket?", []),
        ("Is there an applique?", ["decoration: appliqué"]),
        ("CAN YOUR FAVORITE DRESS BE ZIPPED UP", ["fastening: zipper"]),  # a template
    ],
)
def test_aliases_spellings_and_types(text, wanted):
    assert asked(Mapper(ALIASED, "dress"), text) == wanted


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("Can the dress be zipped up?", "template"),
        ("Can it be zipped up?", "template"),
        ("Is it zipped?", "words"),
        ("Is it velvet?", "none"),
    ],
)
def test_the_route_is_named(text, route):
    assert Mapper(ALIASED, "dress").question(text, 1).mapped_by == route


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # one negation
        ("Is the dress without a belt?", ["not waist: belted"]),
        ("Is the dress belt-free?", ["not waist: belted"]),
        ("Is the dress beltless?", ["not waist: belted"]),
        ("Is it not belted?", ["not waist: belted"]),
        ("Is a belt not visible?", ["not waist: belted"]),
        ("Is it true that it isn't belted?", ["not waist: belted"]),
        ("Is it false that it is belted?", ["not waist: belted"]),
        # an expectation, no negation
        ("Isn't it belted?", ["waist: belted"]),
        ("It is belted, isn't it?", ["waist: belted"]),
        ("Is it belted or not?", ["waist: belted"]),
        ("Is it not only belted?", ["waist: belted"]),
        ("Is it belted? Yes or no?", ["waist: belted"]),
        # two lift each other
        ("Doesn't it lack a belt?", ["not waist: belted"]),
        ("Is it not without a belt?", ["waist: belted"]),
        ("Is it not unbelted?", ["waist: belted"]),
        # how far it goes
        ("Is it without a belt or pleats?", ["not waist: belted", "not skirt: pleated"]),
        ("Is it without a belt and pleats?", ["not waist: belted", "not skirt: pleated"]),
        ("Is it not belted but pleated?", ["not waist: belted", "skirt: pleated"]),
        ("Is it not belted and pleated?", ["not waist: belted", "skirt: pleated"]),
        ("Is it pleated rather than belted?", ["skirt: pleated", "not waist: belted"]),
        ("Is it pleated, with no belt?", ["skirt: pleated", "not waist: belted"]),
    ],
)
def test_polarity(dresses, text, wanted):
    assert asked(dresses, text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        # the value is taken for granted, and something else is asked of it
        "Does the belt have a buckle?",
        "Is the belt wide?",
        "Is the high-low hem longer at the back?",
        # of another subject
        "Is the person holding a pencil?",
        "Is the model's hair long?",
        # of a part that the vocabulary does not know
        "Does the dress have a lace border?",
        "Does the dress have a white collar?",
        "Is there lace at the hem?",
        # of the value, with a verb that the vocabulary does not know
        "Does the wrap front tie at the side?",
        # parts of names that hide each other: once it went to and fro between them for ever
        "Does waist slit side high?",
        "Does neck sleeve high side?",
        # of a type that has no such value
        "Does the dress have a flared skirt?",
        "Does the dress have a ruffled skirt?",
        # of two things, one of them not known
        "Does the dress have a belt but no fringe?",
        "Does the dress have a belt, but not a shawl?",
        "Does the dress have a belt plus a cape?",
        "Does the dress have a belt without a buckle?",
        "Is the skirt pleated while the back is open?",
        "Does the dress have a belt or a cord?",
        "Is the dress made of a shiny or satin-like fabric?",
        "Does the dress have a pleated, flared skirt and gold buttons?",
        # of a type as a whole, or how much
        "Is the neckline decorated?",
        "Which skirt is it?",
        "Is it more belted than the others?",
        "Does it have a line of buttons?",  # no A-line
        "word " * 500 + "belted",
    ],
)
def test_what_asks_for_something_else_is_not_mapped(dresses, text):
    assert asked(dresses, text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Is the belt visible?", ["waist: belted"]),
        ("Does the image show a belted dress?", ["waist: belted"]),
        ("Does the upper part of it show a corset?", ["bodice: corset"]),
        ("Is the waist defined by a belt or a bow sash?", ["waist: belted", "waist: bow sash"]),
        ("Is it an A line dress?", ["skirt: a-line"]),
        ("Is it a wrap-style dress?", ["front: wrap front"]),
        ("Is the slit on the side?", ["skirt: side slit"]),
        ("Do you see a slit?", ["skirt: side slit"]),  # there are no others
        ("Does it have a centre slit?", []),
        ("Is the hem straight or high-low?", ["hem: straight hem", "hem: high-low hem"]),
        (
            "Does it have a round or square neckline?",
            ["neckline: round neck", "neckline: square neck"],
        ),
    ],
)
def test_words_in_any_order(dresses, text, wanted):
    assert asked(dresses, text) == wanted


def test_words_of_two_types_need_the_word_of_one():
    chiffon = (
        term("fabric", "chiffon"),
        term("material", "chiffon", aliases=("chiffon fabric", "shiffon")),
        term("material", "cotton"),
    )
    mapper = Mapper(chiffon, "dress")

    assert asked(mapper, "Is it made of chiffon?") == []
    assert asked(mapper, "Is the material chiffon?") == ["material: chiffon"]


def test_another_language_is_read_by_its_characters():
    mapper = Mapper(terms_of({"领口": ["圆领", "方领"], "腰": ["腰带"]}), "裙子")

    assert asked(mapper, "裙子有没有腰带？") == ["腰: 腰带"]
    assert asked(mapper, "裙子是圆领吗？") == ["领口: 圆领"]
    assert asked(mapper, "裙子没有腰带吗？") == ["not 腰: 腰带"]


COCO = {
    "kind": [
        "dog",
        "cat",
        "hot dog",
        "dining table",
        "traffic light",
        "fire hydrant",
        "teddy bear",
    ],
    "number of people": ["nobody", "one", "two", "many"],
    "weather": ["sunny", "rainy", "snow on the ground"],
}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Is there a hot dog in the picture?", ["kind: hot dog"]),  # no dog
        ("Is there a dog?", ["kind: dog"]),
        ("Do you see dogs and cats?", ["kind: dog", "kind: cat"]),
        ("Is there a table for dining?", ["kind: dining table"]),
        ("Are there traffic lights?", ["kind: traffic light"]),
        ("Is the weather sunny?", ["weather: sunny"]),
        ("Is there snow on the ground?", ["weather: snow on the ground"]),
        ("Is there no teddy bear?", ["not kind: teddy bear"]),
    ],
)
def test_things_in_pictures(text, wanted):
    assert asked(Mapper(terms_of(COCO), "picture"), text) == wanted


def vocabulary_of(path):
    vocabulary = load_vocabulary(path)
    kinds = {one.type: one for one in vocabulary.types}
    return tuple(
        term(
            one.type,
            one.value,
            type_aliases=kinds[one.type].aliases,
            aliases=one.aliases,
            templates=one.templates,
            askable=kinds[one.type].askable,
        )
        for one in vocabulary.values
    )


def goes_back(terms, noun):
    mapper = Mapper(terms, noun)
    for (type_name, value), text in question_texts(terms, noun).items():
        own = Asked(type=type_name, value=value, is_negated=False)
        assert mapper.question(text, 1).asked == (own,), text


@pytest.mark.parametrize("name", ["dresses", "street"])
def test_our_own_wording_goes_back_to_its_value(name):
    goes_back(*labelled_set().vocabularies[name])


def test_our_own_wording_goes_back_of_the_uci_dresses(pytestconfig):
    path = pytestconfig.rootpath / "tests/data/uci_dresses/vocabulary.yaml"
    goes_back(vocabulary_of(path), "dress")


def without_doubles(types):
    """Vocabularies have no two names that differ by case, hyphens or blanks alone."""
    once = {fold(name): name for name in types}
    return {
        name: list({fold(value): value for value in types[name]}.values())
        for folded, name in once.items()
        if folded
    }


NAMES = st.one_of(
    st.text(
        st.characters(exclude_categories=("Cs", "Cc", "Cf", "Cn", "Co")), min_size=1, max_size=12
    ),
    st.sampled_from(
        ["not", "no", "a", "is", "or", "and", "lace", "Lace", "lace hem", "with", "A-line"]
    ),
)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(NAMES, st.lists(NAMES, min_size=1, max_size=5, unique=True), max_size=4),
    st.sampled_from(["dress", "pair of shoes", "it", "裙子", "?"]),
)
def test_our_own_wording_goes_back_whatever_the_vocabulary(types, noun):
    goes_back(terms_of(without_doubles(types)), noun)


def test_a_vocabulary_without_values_maps_nothing():
    mapper = Mapper((), "dress")

    assert mapper.question("Is it belted?", 1).mapped_by == "none"


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_no_text_breaks_it(text):
    question = DRESSES.question(text, 1)

    assert (question.mapped_by == "none") == (not question.asked)


PIECES = (
    *("the", "wrap", "front", "side", "slit", "high", "round", "neck", "line", "bow", "at", "of"),
    *("and", "or", "not", "a", "tie", "skirt", "waist", "belt", "long", "sleeve", ",", "with"),
)


@settings(max_examples=300, deadline=2_000)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join))
def test_names_within_names_are_parted_in_time(text):
    DRESSES.question(f"Does {text}?", 1)


@pytest.mark.parametrize(
    "piece", ["ruffle ", "high ", "not ", "a ", "hem of the ", ", ", "裙", "neck"]
)
def test_a_megabyte_takes_a_second(dresses, piece):
    text = piece * (1_000_000 // len(piece))
    start = time.perf_counter()

    dresses.question(text, 1)

    assert time.perf_counter() - start < 8


def test_what_is_known_of_two_values_is_known_of_none():
    terms = (
        term("hem", "lace", templates=("Is there lace?",)),
        term("cuff", "lace", templates=("Is there lace?", "Are the cuffs of lace?")),
    )
    mapper = Mapper(terms, "dress")

    assert asked(mapper, "Is there lace?") == []
    assert asked(mapper, "Are the cuffs of lace?") == ["cuff: lace"]
    assert asked(mapper, question_text(terms[0], "dress")) == []
