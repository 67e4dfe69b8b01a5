"""What people edit: set_aside in vocabulary.yaml, and proposals.yaml."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from labeling.attributes.gathering.agreement import Settled
from labeling.attributes.gathering.proposals import Proposal
from labeling.attributes.gathering.proposals_file import load_proposals, save_proposals
from labeling.attributes.vocabulary.suggestions import suggest
from labeling.attributes.vocabulary.vocabulary import (
    SetAside,
    Vocabulary,
    load_vocabulary,
    save_vocabulary,
)

ASIDE = """
types:
  neck:
    aliases: [neckline]
    values: {round: {aliases: ["sleeve: rund"]}}
    set_aside: {petite: a size, "sleeve: XL": a size}
  sleeve:
    aliases: [arm]
    values: {}
    set_aside: {}
"""


def load(folder: Path, text: str) -> Vocabulary:
    path = folder / "vocabulary.yaml"
    path.write_text(text, "utf-8")
    return load_vocabulary(path)


def test_what_is_set_aside_is_read(tmp_path: Path) -> None:
    vocabulary = load(tmp_path, ASIDE)
    assert vocabulary.set_aside == (
        SetAside(type="neck", spelling="petite", reason="a size"),
        SetAside(type="neck", spelling="sleeve: XL", reason="a size"),
    )
    # under all names of the type, as aliases are
    assert set(vocabulary.aside()) == {
        ("neck", "petite"),
        ("neckline", "petite"),
        ("sleeve", "xl"),
        ("arm", "xl"),
    }
    assert set(vocabulary.lookup()) == {
        ("neck", "round"),
        ("neckline", "round"),
        ("sleeve", "rund"),
        ("arm", "rund"),
    }
    again = tmp_path / "again.yaml"
    save_vocabulary(vocabulary, again)
    assert load_vocabulary(again) == vocabulary


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # a label and none
        ("types: {a: {values: {x: {}}, set_aside: {X: why}}}", "and is set aside; keep one"),
        # by way of an alias
        ("types: {a: {values: {x: {aliases: [y]}}, set_aside: {y: why}}}", "keep one"),
        # by way of another type
        (
            "types: {a: {values: {x: {}}}, b: {values: {}, set_aside: {'a: x': why}}}",
            "keep one",
        ),
        ("types: {a: {values: {}, set_aside: [x]}}", "at types > a > set_aside"),  # no reasons
        ("types: {a: {values: {}, set_aside: {x: [1]}}}", "set_aside > x: wants a text"),
        ("types: {a: {values: {}, set_aside: {x: }}}", "set_aside > x: wants a text"),
    ],
)
def test_what_is_wrong_with_set_aside(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)
    assert "vocabulary.yaml" in str(caught.value)


def test_a_term_that_is_set_aside_is_not_suggested(tmp_path: Path) -> None:
    text = "types: {sleeve: {values: {sleevless: {}}, set_aside: {sleeveless: why}}}"
    vocabulary = load(tmp_path, text)
    assert suggest(vocabulary, {("sleeve", "sleevless"): 9}) == []


words = st.text(
    st.characters(exclude_categories=["Cs", "Zl", "Zp"], exclude_characters="\x85"), max_size=8
)
voters = st.lists(words, max_size=2, unique=True).map(lambda some: tuple(sorted(some)))
proposals = st.builds(
    lambda kind, values, **more: Proposal(
        kind=kind,
        values=tuple(sorted(values))[
            : {"merge": 2, "exclusive": 0, "set aside type": 0}.get(kind, 1)
        ],
        keep=min(values) if kind == "merge" else "k" if kind == "move" else None,
        into_type="i" if kind == "move" else None,
        **more,
    ),
    st.sampled_from(["merge", "move", "set aside", "add", "rename", "exclusive", "set aside type"]),
    st.sets(words.filter(bool), min_size=2, max_size=2),
    type=words,
    reason=words,
    note=words,
    proposed_by=voters,
    accepted_by=voters,
    declined_by=voters,
)


@given(st.lists(proposals, max_size=4), st.lists(proposals, max_size=2))
def test_proposals_come_back(
    tmp_path_factory: pytest.TempPathFactory, listed: list[Proposal], refused: list[Proposal]
) -> None:
    path = tmp_path_factory.mktemp("yaml") / "proposals.yaml"
    settled = Settled(listed=tuple(listed), refused=tuple(refused))
    save_proposals(settled, path)
    assert load_proposals(path) == settled


def test_proposals_that_a_person_wrote(tmp_path: Path) -> None:
    path = tmp_path / "proposals.yaml"
    path.write_text("listed: [{kind: merge, type: t, values: [no, 3], keep: yes}]", "utf-8")
    (one,) = load_proposals(path).listed
    assert (one.values, one.keep) == (("3", "no"), "yes")  # texts, whatever YAML makes of them


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("listed: [{kind: melt, type: t}]", "listed > 0 > kind"),  # no such kind
        ("listed: [{kind: merge, type: t, values: [a]}]", "merge wants 2 different values"),
        ("listed: [{kind: merge, type: t, values: [a, a]}]", "merge wants 2 different values"),
        ("listed: [{kind: exclusive, type: t, values: [a]}]", "exclusive wants 0"),
        ("listed: [{kind: move, type: t, values: [a]}]", "move wants keep and into_type"),
        ("listed: [{kind: add, type: t, values: [a], vaule: b}]", "unknown key"),
        ("listed: {}", "wants a list"),
        ("[]", "the top"),
        ("listed: [", "YAML"),
    ],
)
def test_what_is_wrong_with_proposals(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "proposals.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError) as caught:
        load_proposals(path)
    assert said in str(caught.value)
    assert str(path) in str(caught.value)
