"""vocabulary.yaml: what may stand in it, and that it comes back as it was written."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.vocabulary.vocabulary import (
    Vocabulary,
    load_vocabulary,
    save_vocabulary,
)

GOOD = """
types:
  neckline:
    aliases: [neck line, Ausschnitt]
    exclusive: true
    askable: false
    values:
      v-neck:
        aliases: [v neckline, "sleeve: v-neck"]
        templates: ["Does it have a {value}?"]
      round neck:
  fabric:
    complete: true
    values: {}
"""


def load(tmp_path: Path, text: str) -> Vocabulary:
    path = tmp_path / "vocabulary.yaml"
    path.write_text(text, "utf-8")
    return load_vocabulary(path)


def kind(name: str, **changes: object) -> AttributeType:
    given = {"aliases": (), "exclusive": False, "complete": False, "askable": True, **changes}
    return AttributeType(type=name, **given)  # type: ignore[arg-type]


def entry(type_name: str, value: str, *aliases: str) -> AttributeValue:
    return AttributeValue(type=type_name, value=value, aliases=aliases, templates=())


def test_a_file_is_read(tmp_path: Path) -> None:
    vocabulary = load(tmp_path, GOOD)
    assert vocabulary.types == (
        kind("fabric", complete=True),
        kind("neckline", aliases=("neck line", "Ausschnitt"), exclusive=True, askable=False),
    )
    assert [value.value for value in vocabulary.values] == ["round neck", "v-neck"]
    assert vocabulary.values[1].templates == ("Does it have a {value}?",)


@pytest.mark.parametrize(
    ("type_name", "spelling", "value"),
    [
        ("neckline", "vneck", "v-neck"),  # the value itself, folded
        ("neckline", "vneckline", "v-neck"),  # an alias
        ("ausschnitt", "vneck", "v-neck"),  # under an alias of the type
        ("sleeve", "vneck", "v-neck"),  # from the wrong column
        ("sleeve", "vneckline", None),  # which holds for that one alias only
        ("fabric", "vneck", None),
    ],
)
def test_the_lookup(tmp_path: Path, type_name: str, spelling: str, value: str | None) -> None:
    found = load(tmp_path, GOOD).lookup().get((type_name, spelling))
    assert (found.value if found else None) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("types: {a: {values: {}, exclusiv: true}}", "types > a > exclusiv"),  # misspelt flag
        ("types: {a: {values: {b: {alias: [c]}}}}", "values > b > alias"),  # misspelt key
        ("types: {}\nversion: 2", "version"),  # a key of the file itself
        ("types: {a: {}}", "types > a > values"),  # no values at all
        ("types: {a: {values: {b: {aliases: c}}}}", "aliases"),  # a text where a list is due
        ("types: {a: {values: {b: {aliases: [no]}}}}", "aliases"),  # YAML reads no as false
        ("types: {a: {values: {3: {}}}}", "values"),  # a number is no spelling
        ("", "at types: is missing"),  # empty file
        ("- a", "the top"),  # a list
        ("types: [", "YAML"),  # not YAML
        ("types: {a: {values: {b: \x00}}}", "YAML"),  # a control character
        # one spelling for two values of a type
        ("types: {a: {values: {red: {aliases: [ruby]}, Ruby: {}}}}", "stands for both"),
        # spellings that differ by a hyphen are one
        ("types: {a: {values: {v-neck: {}, v neck: {}}}}", "stands for both"),
        # two types of which one is an alias of the other
        ("types: {a: {aliases: [b], values: {x: {}}}, b: {values: {x: {}}}}", "stands for both"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_place(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "vocabulary.yaml" in str(caught.value)


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    # YAML would keep the last one and drop what a person wrote above it
    with pytest.raises(UsageError, match="red"):
        load(tmp_path, "types: {a: {values: {red: {aliases: [ruby]}, red: {aliases: [rose]}}}}")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read \(No such file"):
        load_vocabulary(tmp_path / "none.yaml")


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.yaml"
    path.write_bytes("types: {höhe: {values: {}}}".encode("latin-1"))
    with pytest.raises(UsageError, match=r"vocabulary\.yaml"):
        load_vocabulary(path)


def test_a_colon_in_a_value_is_part_of_it() -> None:
    # only an alias can name another column
    value = entry("note", "ratio: 3")
    vocabulary = Vocabulary(types=(kind("note"),), values=(value,))
    assert vocabulary.lookup() == {("note", "ratio:3"): value}


# line ends other than \n are no part of a word, and YAML makes blanks of them
words = st.text(
    st.characters(exclude_categories=["Cs", "Zl", "Zp"], exclude_characters="\x85"),
    min_size=1,
    max_size=8,
)
entries = st.tuples(st.lists(words, max_size=2), st.lists(words, max_size=2))


@given(
    st.dictionaries(
        words,
        st.tuples(
            st.lists(words, max_size=2),
            st.booleans(),
            st.dictionaries(
                words, st.tuples(st.lists(words, max_size=2), st.lists(words)), max_size=3
            ),
        ),
        max_size=3,
    )
)
def test_any_vocabulary_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    content: dict[str, tuple[list[str], bool, dict[str, tuple[list[str], list[str]]]]],
) -> None:
    types = tuple(
        kind(name, aliases=tuple(aliases), exclusive=flag, complete=not flag, askable=flag)
        for name, (aliases, flag, _) in sorted(content.items())
    )
    values = tuple(
        AttributeValue(type=name, value=value, aliases=tuple(aliases), templates=tuple(templates))
        for name, (_, _, entries) in sorted(content.items())
        for value, (aliases, templates) in sorted(entries.items())
    )
    vocabulary = Vocabulary(types=types, values=values)
    path = tmp_path_factory.mktemp("yaml") / "vocabulary.yaml"
    save_vocabulary(vocabulary, path)
    try:
        vocabulary.lookup()
    except UsageError:  # one spelling for two values: saved, but not to be read
        with pytest.raises(UsageError, match="stands for both"):
            load_vocabulary(path)
        return
    assert load_vocabulary(path) == vocabulary
    again = path.with_name("again.yaml")
    save_vocabulary(load_vocabulary(path), again)
    assert again.read_bytes() == path.read_bytes()
