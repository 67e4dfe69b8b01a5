"""Giving every value its templates: whose stay, whose go, in what order."""

from pathlib import Path

import pytest

from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.attributes.templates.making import (
    check_templates,
    make_templates,
    read_vocabulary,
    refused_by_reason,
    values_to_write,
)
from labeling.attributes.templates.used import filled, templates_of
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary

TEXT = """\
# looked over by hand
types:
  neckline:
    values:
      v-neck:
        templates:
        - Does the {noun} not have a v-neck?  # bad, but mine
        - Is the front of the {noun} a v-neck?
      boat neck: {}
  fit:
    values:
      slim: {}
"""
MINE = (
    "Does the {noun} not have a v-neck?",
    "Is the front of the {noun} a v-neck?",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path / "w")
    made.labels.mkdir(parents=True)
    made.vocabulary.write_text(TEXT, "utf-8")
    return made


def templates(vocabulary: Vocabulary, name: str) -> tuple[str, ...]:
    return next(value.templates for value in vocabulary.values if value.value == name)


def test_patterns_fill_up_what_a_person_wrote(workspace: Workspace) -> None:
    made = make_templates(workspace, wanted=4)
    assert (made.own, made.earlier, made.by_model, made.by_pattern) == (2, 0, 0, 10)
    assert templates(made.vocabulary, "v-neck")[:2] == MINE
    assert all(len(value.templates) == 4 for value in made.vocabulary.values)
    assert [(one.template, one.fault.reason) for one in made.warned] == [(MINE[0], "negation")]
    assert load_vocabulary(workspace.vocabulary) == made.vocabulary
    text = workspace.vocabulary.read_text("utf-8")
    assert text.startswith("# looked over by hand\n")
    assert workspace.vocabulary.with_name("vocabulary.yaml.previous").read_text("utf-8") == TEXT


def test_a_second_run_changes_nothing(workspace: Workspace) -> None:
    make_templates(workspace, wanted=4)
    before = workspace.vocabulary.read_bytes()
    made = make_templates(workspace, wanted=4)
    assert (made.own, made.earlier, made.by_pattern) == (2, 10, 0)
    assert workspace.vocabulary.read_bytes() == before
    again = make_templates(workspace, wanted=4, anew=True)
    assert (again.own, again.dropped, again.by_pattern) == (2, 10, 10)
    assert workspace.vocabulary.read_bytes() == before


def test_more_can_be_wanted_and_fewer_takes_none_away(workspace: Workspace) -> None:
    make_templates(workspace, wanted=3)
    assert make_templates(workspace, wanted=5).by_pattern == 6
    assert make_templates(workspace, wanted=2).earlier == 13
    made = make_templates(workspace, wanted=2, anew=True)
    assert sum(len(value.templates) for value in made.vocabulary.values) == 6


def test_what_a_person_edits_or_adds_is_theirs_and_comes_first(workspace: Workspace) -> None:
    make_templates(workspace, wanted=3)
    text = workspace.vocabulary.read_text("utf-8")
    old = templates(load_vocabulary(workspace.vocabulary), "slim")[1]
    assert f"- {old}\n" in text
    workspace.vocabulary.write_text(text.replace(f"- {old}\n", "- Is the {noun} slim?\n"), "utf-8")
    made = make_templates(workspace, wanted=4, anew=True)
    assert made.own == 3
    assert templates(made.vocabulary, "slim")[0] == "Is the {noun} slim?"


def test_without_the_note_all_is_a_persons(workspace: Workspace) -> None:
    make_templates(workspace, wanted=4)
    (workspace.labels / ".templates.json").write_text("[]", "utf-8")
    made = make_templates(workspace, wanted=4, anew=True)
    assert (made.own, made.dropped, made.by_pattern) == (12, 0, 0)


def test_a_new_value_drives_out_templates_that_name_it(workspace: Workspace) -> None:
    made = make_templates(workspace, wanted=4)
    assert any("cut" in text for text in templates(made.vocabulary, "slim"))
    text = workspace.vocabulary.read_text("utf-8")
    workspace.vocabulary.write_text(text + "  edge:\n    values: {cut: {}}\n", "utf-8")
    made = make_templates(workspace, wanted=4)
    assert made.dropped == 1
    assert len(templates(made.vocabulary, "slim")) == 4
    assert not any("cut" in text for text in templates(made.vocabulary, "slim"))


def test_a_models_wordings_are_checked_and_come_before_patterns(workspace: Workspace) -> None:
    good = "Do you see a boat neck at the top of the {noun}?"
    written = {
        ("neckline", "boat neck"): (
            good,
            good.upper().replace("{NOUN}", "{noun}"),
            "Is there no boat neck on the {noun}?",
            "Is there a boat neck or a v-neck on the {noun}?",
        ),
        ("neckline", "v-neck"): (f"{MINE[1][:-1]} ?",),  # what a person said already
        ("fit", "slim"): [f"Is the {{noun}} slim{' indeed' * n}?" for n in range(1, 9)],
    }
    made = make_templates(workspace, wanted=4, written=written)
    assert templates(made.vocabulary, "boat neck")[0] == good
    assert (
        templates(made.vocabulary, "slim")[3] == "Is the {noun} slim indeed indeed indeed indeed?"
    )
    assert (made.by_model, made.by_pattern) == (5, 5)
    assert refused_by_reason(made) == {"names another value": 1, "negation": 1, "repeated": 2}
    kept = make_templates(workspace, wanted=4)
    assert (kept.own, kept.earlier) == (2, 10)


def test_values_that_still_want_templates(workspace: Workspace) -> None:
    vocabulary = read_vocabulary(workspace)
    wanting = values_to_write(workspace, vocabulary, 2, anew=False)
    assert [value.value for value in wanting] == ["slim", "boat neck"]
    vocabulary = make_templates(workspace, wanted=4).vocabulary
    assert values_to_write(workspace, vocabulary, 4, anew=False) == []
    assert len(values_to_write(workspace, vocabulary, 4, anew=True)) == 3


def test_checking_lists_what_breaks_a_rule(workspace: Workspace) -> None:
    broken = check_templates(load_vocabulary(workspace.vocabulary))
    assert [(one.value.value, one.fault.reason) for one in broken] == [("v-neck", "negation")]


def test_anchors_have_the_file_rewritten(workspace: Workspace) -> None:
    workspace.vocabulary.write_text("types: {fit: {values: {wide: &a {}, slim: *a}}}\n", "utf-8")
    made = make_templates(workspace, wanted=3)
    assert load_vocabulary(workspace.vocabulary) == made.vocabulary
    assert made.by_pattern == 6


def test_an_odd_layout_is_rewritten(workspace: Workspace) -> None:
    workspace.vocabulary.write_text("types: {fit: {values: {slim: , wide: }}}\n", "utf-8")
    made = make_templates(workspace, wanted=3)
    assert load_vocabulary(workspace.vocabulary) == made.vocabulary
    assert made.by_pattern == 6


def test_a_value_that_leaves_no_words_is_named(workspace: Workspace) -> None:
    workspace.vocabulary.write_text("types: {band: {values: {the: {}, u2: {}}}}\n", "utf-8")
    made = make_templates(workspace, wanted=3)
    assert [value.value for value in made.short] == ["u2"]


def test_without_a_vocabulary(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="run label-attributes normalise"):
        make_templates(Workspace(tmp_path), wanted=3)


def test_what_a_run_uses(workspace: Workspace) -> None:
    vocabulary = read_vocabulary(workspace)
    assert templates_of(vocabulary, 0)["neckline", "v-neck"] == ()
    with pytest.raises(UsageError) as caught:
        templates_of(vocabulary, 2)
    assert str(caught.value) == (
        "2 templates are wanted of each value, 2 of 3 values have fewer (fit: slim, neckline: boat"
        " neck); run label-attributes templates --per-value 2"
    )
    vocabulary = make_templates(workspace, wanted=4).vocabulary
    used = templates_of(vocabulary, 3)
    assert used["neckline", "v-neck"][:2] == MINE
    assert {len(each) for each in used.values()} == {3}
    assert filled(MINE[1], "pair of {shoes}") == "Is the front of the pair of {shoes} a v-neck?"
