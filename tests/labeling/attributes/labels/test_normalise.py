"""From what a catalog states to labels, by the commands that a user runs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.records import Label
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.attributes.labels.normalise import Normalised, normalise
from labeling.attributes.vocabulary.vocabulary import load_vocabulary

Run = Callable[..., Any]


@pytest.fixture
def cataloged(run: Run, tmp_path: Path) -> Callable[[list[dict[str, Any]]], Workspace]:
    """Make a catalog of rows; each key but id is an attribute type."""

    def build(rows: list[dict[str, Any]]) -> Workspace:
        table, root = tmp_path / "rows.jsonl", tmp_path / "workspace"
        table.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        types = dict.fromkeys(name for row in rows for name in row if name != "id")
        mapping = tmp_path / "mapping.yaml"
        mapping.write_text(json.dumps({"id": "id", "attributes": list(types)}), "utf-8")
        ran = run("build-catalog", "table", table, "--mapping", mapping, "--workspace", root)
        assert ran.code == 0, ran.err
        return Workspace(root)

    return build


def labels(workspace: Workspace) -> list[Label]:
    return list(from_table(store.read_table(workspace.labels, "labels.parquet"), Label))


def values(workspace: Workspace) -> set[tuple[str, str]]:
    return {(label.type, label.value) for label in labels(workspace)}


def named(result: Normalised) -> dict[str, list[str]]:
    return {f"{value.type}: {value.value}": list(texts) for value, texts in result.merged}


def test_spellings_that_differ_by_case_hyphens_or_blanks_are_merged(cataloged: Any) -> None:
    workspace = cataloged(
        [{"id": "1", "neck": "V-Neck"}, {"id": "2", "neck": "v neck"}, {"id": "3", "neck": "vneck"}]
    )
    result = normalise(workspace)
    assert values(workspace) == {("neck", "v-neck")}  # the well-known spelling
    assert named(result) == {"neck: v-neck": ["V-Neck", "v neck", "vneck"]}
    assert result.made_vocabulary
    assert not result.suggestions()


def test_an_unknown_word_is_named_as_most_pictures_spell_it(cataloged: Any) -> None:
    spelt = ["Zorb-Cut", "zorb cut", "zorb cut", "ZORBCUT"]
    workspace = cataloged([{"id": str(at), "cut": text} for at, text in enumerate(spelt)])
    normalise(workspace)
    assert values(workspace) == {("cut", "zorb cut")}


def test_a_label_from_the_catalog_has_no_votes_behind_it(cataloged: Any) -> None:
    workspace = cataloged([{"id": "1", "neck": "scoop"}])
    normalise(workspace)
    (label,) = labels(workspace)
    assert (label.answer, label.origin, label.object_id, label.auditor) == (
        "yes",
        "catalog",
        None,
        None,
    )
    assert (label.score, label.score_low, label.score_high, label.margin) == (None,) * 4
    assert (label.votes_counted, label.votes_saved) == (0, 0)


def test_a_type_with_two_values_in_one_picture_is_not_exclusive(cataloged: Any) -> None:
    workspace = cataloged(
        [
            # two spellings of one value are no second value
            {"id": "1", "neck": ["V-Neck", "v neck"], "trim": ["bow", "lace"]},
            {"id": "2", "neck": "scoop", "trim": "bow"},
        ]
    )
    flags = {entry.type: entry.exclusive for entry in normalise(workspace).vocabulary.types}
    assert flags == {"neck": True, "trim": False}
    assert len(labels(workspace)) == 5


@pytest.mark.parametrize("name", ["colour", "Color", "sleeve length", "Sleeve-Length", "PRINT"])
def test_types_that_the_protocol_forbids_are_not_asked_about(cataloged: Any, name: str) -> None:
    vocabulary = normalise(cataloged([{"id": "1", name: "x", "neck": "scoop"}])).vocabulary
    assert [entry.type for entry in vocabulary.types if entry.askable] == ["neck"]
    assert len(vocabulary.types) == 2


def test_types_that_differ_by_case_or_blanks_are_one(cataloged: Any) -> None:
    # the vocabulary that the tool makes must be one that it can read
    workspace = cataloged([{"id": "1", "Neck line": "scoop"}, {"id": "2", "neckline": "scoop"}])
    vocabulary = normalise(workspace).vocabulary
    assert len(vocabulary.types) == 1
    assert len(values(workspace)) == 1
    assert len(labels(workspace)) == 2
    assert normalise(workspace).done_before


@pytest.mark.parametrize(
    "text",
    [
        "ratio: 3",  # looks like TYPE: SPELLING
        "neck: scoop",  # even of a type that is there
        "- not a list",  # YAML's own signs
        "{a: b}",
        "yes",  # YAML reads a flag
        "3.10",  # and a number
        "2024-01-01",  # and a date
        "~",
        "# no comment",
        "<script>alert(1)</script>",
        "\u202eevil",  # turned writing direction
        "👗" * 40,
        "x" * 5000,
        "'\"\\",
        "-",  # nothing but a separator
    ],
)
def test_hostile_texts_become_values_like_others(cataloged: Any, text: str) -> None:
    workspace = cataloged([{"id": "1", "note": text, "neck": "scoop"}, {"id": "2", "note": "zorb"}])
    result = normalise(workspace)
    assert result.left_out == {}
    assert len(labels(workspace)) == 3
    assert len({label.value for label in labels(workspace) if label.type == "note"}) == 2
    assert load_vocabulary(workspace.vocabulary) == result.vocabulary
    assert normalise(workspace).done_before


def test_a_catalog_without_attributes_gives_no_labels(cataloged: Any) -> None:
    workspace = cataloged([{"id": "1", "neck": ""}, {"id": "2", "neck": "null"}])
    result = normalise(workspace)
    assert result.manifest.counts == {"labels": 0, "pictures": 2, "types": 0, "values": 0}
    assert labels(workspace) == []


def test_an_edited_vocabulary_is_the_only_truth(cataloged: Any, run: Run) -> None:
    workspace = cataloged([{"id": "1", "neck": "scoop"}, {"id": "2", "neck": "rund"}])
    normalise(workspace)
    workspace.vocabulary.write_text(
        "types: {neckline: {aliases: [neck], values: {round neck: {aliases: [rund]}}}}", "utf-8"
    )
    result = normalise(workspace)
    assert not result.done_before
    assert values(workspace) == {("neckline", "round neck")}
    assert result.left_out == {("neck", "scoop"): 1}
    assert result.manifest.reasons == {"not_in_vocabulary": 1}
    ran = run("label-attributes", "normalise", "--workspace", workspace.root)
    assert "neck: 'scoop' (1 picture" in ran.out
    assert "done before" in ran.out


def test_nothing_is_done_twice_but_by_force(cataloged: Any) -> None:
    workspace = cataloged([{"id": "1", "neck": "scoop"}])
    first = normalise(workspace)
    written = (workspace.labels / "labels.parquet").stat().st_mtime_ns
    assert not first.done_before
    assert normalise(workspace).done_before
    assert (workspace.labels / "labels.parquet").stat().st_mtime_ns == written
    assert not normalise(workspace, force=True).done_before
    assert (workspace.labels / "labels.parquet").stat().st_mtime_ns != written


def test_a_comment_in_the_vocabulary_changes_nothing(cataloged: Any) -> None:
    workspace = cataloged([{"id": "1", "neck": "scoop"}])
    normalise(workspace)
    text = workspace.vocabulary.read_text("utf-8")
    workspace.vocabulary.write_text(f"# mine\n{text}", "utf-8")
    assert normalise(workspace).done_before


# the real dresses

ACCEPTED_BY_HAND = {  # a person would say the same of these
    ("sleevelength", "sleevless"): "sleeveless",
    ("sleevelength", "sleeevless"): "sleeveless",
    ("sleevelength", "sleveless"): "sleeveless",
    ("sleevelength", "threequater"): "three-quarter",
    ("material", "polyster"): "polyester",
    ("material", "viscos"): "viscose",
    ("season", "automn"): "autumn",
    ("neckline", "turndowncollor"): "turndown collar",
    ("neckline", "peterpan-collor"): "peter pan collar",
    ("neckline", "sqare-collor"): "square collar",
    ("neckline", "mandarin-collor"): "mandarin collar",
    ("fabrictype", "shiffon"): "chiffon",
    ("fabrictype", "sattin"): "satin",
    ("fabrictype", "flannael"): "flannel",
    ("fabrictype", "wollen"): "woollen",
    ("fabrictype", "woolen"): "woollen",
    ("decoration", "embroidary"): "embroidery",
}


def test_the_misspellings_of_the_real_dresses_are_suggested(dresses: Path) -> None:
    workspace = Workspace(dresses)
    result = normalise(workspace)
    assert result.manifest.counts["pictures"] == 475
    suggested = {(one.type, one.value) for one in result.suggestions()}
    assert ACCEPTED_BY_HAND.keys() <= suggested
    assert len(suggested) <= 25  # few enough to look at each
    # nothing is applied by itself
    assert ("sleevelength", "sleevless") in values(workspace)

    normalise(workspace, accepted="all")
    lookup = load_vocabulary(workspace.vocabulary).lookup()
    got = {pair: lookup[pair[0], pair[1].replace("-", "")].value for pair in ACCEPTED_BY_HAND}
    assert got == ACCEPTED_BY_HAND
    assert values(workspace).isdisjoint(ACCEPTED_BY_HAND)
    assert not normalise(workspace).suggestions()


def test_suggestions_are_taken_by_name(dresses: Path, run: Run) -> None:
    workspace = Workspace(dresses)
    before = normalise(workspace)
    third = before.suggestions()[2]
    ran = run("label-attributes", "normalise", "--workspace", dresses, "--accept", third.value)
    assert ran.code == 0
    assert (third.type, third.value) not in values(workspace)
    after = normalise(workspace)
    assert [one for one in before.suggestions() if one != third] == list(after.suggestions())


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("3", "'3' is no suggestion; there are: sleevless"),  # a number
        ("sleevless,cotton", "'cotton' is no suggestion"),  # a value that is right
        ("shiffon", "say which: fabrictype: shiffon, material: shiffon"),  # in two types
        ("sleevless,All", "'All' is no suggestion"),
    ],
)
def test_a_name_that_is_no_suggestion_is_refused(
    dresses: Path, run: Run, names: str, said: str
) -> None:
    run("label-attributes", "normalise", "--workspace", dresses)
    before = (dresses / "labels" / "vocabulary.yaml").read_bytes()
    ran = run("label-attributes", "normalise", "--workspace", dresses, "--accept", names)
    assert ran.code == 1
    assert ran.err.startswith("error: --accept: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert (dresses / "labels" / "vocabulary.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        # a rough count over the same columns, lower-cased only, gave 475, 473, 466, 355 and 70
        (None, {"0.3": 475, "0.4": 473, "0.5": 466, "0.6": 357, "0.8": 69}),
        # with the misspellings merged more pictures are alike
        ("all", {"0.3": 475, "0.4": 474, "0.5": 468, "0.6": 366, "0.8": 76}),
    ],
)
def test_how_many_real_dresses_qualify(
    dresses: Path, run: Run, accepted: str | None, expected: dict[str, int]
) -> None:
    if accepted:
        run("label-attributes", "normalise", "--workspace", dresses)
        run("label-attributes", "normalise", "--workspace", dresses, "--accept", accepted)
    ran = run("build-galleries", "--workspace", dresses, "--tau", ",".join(expected))
    assert ran.code == 0, ran.err
    summaries = {
        tau: json.loads((dresses / f"galleries/tau-{tau}/summary.json").read_text("utf-8"))
        for tau in expected
    }
    found = {tau: summary["qualifying_targets"] for tau, summary in summaries.items()}
    # ties between equally similar pictures move a target across the border now and then
    assert found == {tau: pytest.approx(count, abs=3) for tau, count in expected.items()}
    assert summaries["0.6"]["gallery_size"]["mean"] == pytest.approx(12, abs=0.4)


def test_a_vocabulary_that_a_person_went_through(
    dresses: Path, dresses_csv: Path, run: Run
) -> None:
    given = dresses_csv.parent / "vocabulary.yaml"
    ran = run("label-attributes", "normalise", "--workspace", dresses, "--vocabulary", given)
    assert ran.code == 0, ran.err
    assert load_vocabulary(dresses / "labels" / "vocabulary.yaml") == load_vocabulary(given)
    assert {value for _, value in values(Workspace(dresses))}.isdisjoint({"other", "mix"})


def test_a_vocabulary_file_that_is_refused_replaces_nothing(
    dresses: Path, tmp_path: Path, run: Run
) -> None:
    run("label-attributes", "normalise", "--workspace", dresses)
    before = (dresses / "labels" / "vocabulary.yaml").read_bytes()
    bad = tmp_path / "bad.yaml"
    bad.write_text("types: {a: {value: {}}}", "utf-8")
    ran = run("label-attributes", "normalise", "--workspace", dresses, "--vocabulary", bad)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert str(bad) in ran.err
    assert (dresses / "labels" / "vocabulary.yaml").read_bytes() == before


@pytest.mark.parametrize("option", ["--vocabulary", "--accept"])
def test_votes_that_stand_there_leave_the_vocabulary_as_it_is(
    cataloged: Any, tmp_path: Path, run: Run, option: str
) -> None:
    spelt = [*["cotton"] * 9, "coton"]
    workspace = cataloged([{"id": str(at), "fabric": text} for at, text in enumerate(spelt)])
    assert normalise(workspace).suggestions()
    given = tmp_path / "mine.yaml"
    given.write_text("types: {fabric: {values: {cotton: {aliases: [coton]}}}}", "utf-8")
    plan = store.Plan(stage="labels/votes", inputs={}, settings={})
    with store.writing(workspace.votes, plan, configs={}):
        pass
    before = workspace.vocabulary.read_bytes()
    value = given if option == "--vocabulary" else "all"
    ran = run("label-attributes", "normalise", "--workspace", workspace.root, option, value)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "holds votes, of which labels are made: run label-attributes decide" in ran.err
    assert workspace.vocabulary.read_bytes() == before
    assert not workspace.vocabulary.with_name("vocabulary.yaml.previous").exists()


def test_another_catalog_gets_a_vocabulary_of_its_own(
    tmp_path: Path, run: Run, dresses_csv: Path, small_arguments: tuple[str, ...]
) -> None:
    """A vocabulary that was guessed goes with its catalog; one that was edited stays, or stops."""
    run("build-catalog", *small_arguments, "--workspace", tmp_path)
    normalise(Workspace(tmp_path))
    run("build-catalog", "table", dresses_csv, "--workspace", tmp_path)
    result = normalise(Workspace(tmp_path))
    assert result.made_vocabulary
    assert result.manifest.counts["labels"] == 3488
    vocabulary = Workspace(tmp_path).vocabulary
    vocabulary.write_text(vocabulary.read_text("utf-8").replace("cotton:", "cottony:"), "utf-8")
    assert not normalise(Workspace(tmp_path)).made_vocabulary
    run("build-catalog", *small_arguments, "--workspace", tmp_path)
    ran = run("label-attributes", "normalise", "--workspace", tmp_path)
    assert ran.code == 1
    assert "so it was made for another catalog; remove it" in ran.err
    assert ran.err.count("\n") == 1


def test_what_the_protocol_forbids_is_not_asked_of_the_sample(tmp_path: Path, run: Run) -> None:
    run("build-catalog", "sample", "--n", "6", "--workers", "1", "--workspace", tmp_path)
    types = normalise(Workspace(tmp_path)).vocabulary.types
    hidden = {entry.type for entry in types if not entry.askable}
    assert hidden == {"colour", "print", "sleeve length", "garment length"}


@pytest.mark.parametrize("note", ["[1]", "null", "{", ""])
def test_a_note_that_is_none_leaves_the_vocabulary_a_persons(
    cataloged: Callable[..., Workspace], note: str
) -> None:
    workspace = cataloged([{"id": "1", "cloth": "navy"}])
    normalise(workspace)
    (workspace.labels / ".guess.json").write_text(note, "utf-8")
    workspace = cataloged([{"id": "1", "cloth": "navy"}, {"id": "2", "cloth": "teal"}])
    assert not normalise(workspace).made_vocabulary
