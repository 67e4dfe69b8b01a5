"""Templates in the text of vocabulary.yaml: the rest of the file stays as a person left it."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from labeling.attributes.templates.placing import says_the_same, with_templates

NEW = ("Is the {noun} red?", "Is there red on the {noun}?")
KEY = ("colour", "red")

BEFORE = """\
# all about colours
types:
  colour:  # what else
    askable: true
    values:
      blue: {{}}
      {entry}
      # the end of it
  shape:
    values:
      round:
"""


def placed(entry: str) -> str | None:
    return with_templates(BEFORE.format(entry=entry), {KEY: NEW})


@pytest.mark.parametrize(
    "entry",
    [
        "red: {}",
        "red:",
        "red: null  # not yet",
        "red: {}  # seen often",
        "'red': {}",
        "red: {aliases: [crimson]}",
        "red: {aliases: [crimson], templates: [old]}",
        "red:\n        aliases: [crimson]  # and scarlet?",
        "red:\n        aliases:\n        - crimson\n        - rouge  # French",
        "red:\n        templates: [old]  # mine\n        aliases: [crimson]",
        "red:\n        templates:\n        - old\n        - older  # mine\n        aliases: [a]",
        "red:\n        templates:\n          - old",
        "red:\n        templates: []",
        "red:\n        templates:\n",
        "red:\n          # a remark within\n          aliases: [crimson]\n",
    ],
)
def test_only_the_templates_change(entry: str) -> None:
    before = BEFORE.format(entry=entry)
    after = placed(entry)
    assert after is not None
    assert says_the_same(before, after, {KEY: NEW})
    assert yaml.safe_load(after)["types"]["colour"]["values"]["red"]["templates"] == list(NEW)
    remarks = [line.partition("#")[2] for line in before.split("\n") if "#" in line]
    assert [line.partition("#")[2] for line in after.split("\n") if "#" in line] == remarks
    kept = [line for line in before.split("\n") if "red" not in line and "old" not in line]
    assert set(kept) - set(after.split("\n")) <= {"        templates:", "        templates: []"}


def test_how_it_looks() -> None:
    assert placed("red: {}  # seen often") == BEFORE.format(
        entry="red:  # seen often\n"
        "        templates:\n"
        "        - Is the {noun} red?\n"
        "        - Is there red on the {noun}?"
    ).replace("{{}}", "{}")


def test_templates_can_be_taken_away() -> None:
    before = BEFORE.format(entry="red:\n        templates:\n        - old")
    after = with_templates(before, {KEY: ()})
    assert after is not None
    assert says_the_same(before, after, {KEY: ()})


@pytest.mark.parametrize(
    "text",
    [
        "types: {colour: {values: {red: }}}",  # nothing to put a list into
        "types: []",
        "colour: {}",
        "",
    ],
)
def test_an_odd_layout_is_left_alone(text: str) -> None:
    assert with_templates(text, {KEY: NEW}) is None


def test_an_anchor_is_seen_through() -> None:
    text = "types: {colour: {values: {red: &one {aliases: [a]}, blue: *one}}}"
    after = with_templates(text, {KEY: NEW})
    assert after is None or not says_the_same(text, after, {KEY: NEW})


# line ends of all sorts are left to the rewriting of the whole file
names = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=8)
lists = st.lists(names, max_size=3)


@given(
    st.dictionaries(names, st.dictionaries(names, st.tuples(lists, lists), max_size=3), max_size=3),
    st.sampled_from([None, True, False]),
    st.data(),
)
def test_what_is_written_is_what_was_meant(
    content: dict[str, dict[str, tuple[list[str], list[str]]]],
    flow: bool | None,
    data: st.DataObject,
) -> None:
    text = yaml.safe_dump(
        {
            "types": {
                name: {
                    "values": {
                        value: {"aliases": aliases} | ({"templates": had} if had else {})
                        for value, (aliases, had) in values.items()
                    }
                }
                for name, values in content.items()
            }
        },
        default_flow_style=flow,
        allow_unicode=True,
    )
    pairs = [(name, value) for name, values in content.items() for value in values]
    templates = {pair: tuple(data.draw(lists)) for pair in pairs}
    after = with_templates(text, templates)
    assert after is not None
    assert says_the_same(text, after, templates)
