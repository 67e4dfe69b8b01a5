"""Chains of files in a workspace: what is found, what is refused, whose chains are replaced."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import SCHEMAS, ChainStep, QuestionChain, QuestionOption
from benchwright.workspace import Workspace
from labeling.dialogues.question_chain.authoring.author import author_chains
from labeling.dialogues.question_chain.authoring.authored import (
    authored_folder,
    read_authored,
    read_rejected,
    written_folder,
)
from labeling.dialogues.question_chain.authoring.chain_files import read_chain_file
from labeling.dialogues.question_chain.authoring.chain_form import about, said_chain
from labeling.dialogues.question_chain.authoring.step_checks import step_failures
from labeling.dialogues.question_chain.rules.wording import folded
from stand_ins.chain_files import as_lines, as_yaml, entry_of
from stand_ins.chains import chain

STREET = "80aaf363b00ae167"  # validation/000000184324.jpg
LETTERS = st.characters(exclude_categories=["C", "Z"])
TEXTS = st.lists(st.text(LETTERS, min_size=1, max_size=9), max_size=4).map(" ".join)
NAMES = st.text(LETTERS, min_size=1, max_size=20)


@st.composite
def steps(draw: st.DrawFn) -> ChainStep:
    """A step with the true option first, or with no options at all."""
    question, answer = draw(TEXTS), draw(TEXTS)
    wrong = draw(st.lists(TEXTS.filter(lambda text: folded(text) != folded(question)), max_size=3))
    answers = draw(st.lists(TEXTS.filter(lambda text: folded(text) != folded(answer)), max_size=3))
    true = QuestionOption(text=question, answer=answer, origin="true", generator=None)
    options = [
        QuestionOption(
            text=text,
            answer=draw(st.none() | TEXTS.filter(bool)),
            origin=draw(st.sampled_from(["step", "chain"])),
            generator=None,
        )
        for text in wrong
    ]
    return ChainStep(
        question=question,
        answer=answer,
        uses=tuple(draw(st.lists(st.integers(1, 12), max_size=4))),
        question_options=(true, *options) if options else (),
        answer_options=(answer, *answers) if answers else (),
    )


CHAINS = st.builds(
    QuestionChain,
    chain_id=st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True),
    image_id=st.just(STREET),
    category=NAMES,
    scenario=TEXTS,
    question=TEXTS,
    steps=st.lists(steps(), max_size=4).map(tuple),
    rounds=st.just(()),
    author=NAMES,
)


@settings(max_examples=60)
@given(st.lists(CHAINS, max_size=3), st.sampled_from([("a.yaml", as_yaml), ("a.jsonl", as_lines)]))
def test_a_file_of_chains_is_the_same_after_its_records(
    tmp_path_factory: pytest.TempPathFactory, made: list[QuestionChain], form: tuple[str, Any]
) -> None:
    name, write = form
    path = tmp_path_factory.getbasetemp() / name
    path.write_text(write(made), "utf-8")
    found = []
    for entry in read_chain_file(path).entries:
        said = said_chain(entry.said)
        found.append(about(STREET, said.chain(str(said.author)), said.given_id()))
    assert found == made
    assert write(found) == path.read_text("utf-8")


def entry(**more: Any) -> dict[str, Any]:
    said = entry_of(chain(image_id=STREET, author="ana"))
    del said["id"]
    return {**said, **more}


def written(folder: Path, *entries: Any, name: str = "a.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(each)}\n" for each in entries), "utf-8")
    return path


def reasons(workspace: Workspace) -> list[tuple[int | None, str]]:
    return [(one.row, one.reason) for one in read_rejected(workspace)]


def test_the_example_of_the_documentation_is_sound(coco: Workspace, example: Path) -> None:
    (file,) = author_chains(coco, [example])
    assert (file.chains, file.rejected, file.gone, file.was_there) == (3, 0, (), False)
    found = read_authored(coco)
    assert [step_failures(each) for each in found] == [(), (), ()]
    assert {each.author for each in found} == {"ana"}
    assert STREET in {each.image_id for each in found}
    assert {each.category for each in found} == {"deduction", "guessing", "retrieval"}


@pytest.mark.parametrize(
    "picture",
    [
        STREET,
        "validation/000000184324.jpg",
        "000000184324.jpg",
        {"source_id": "validation/000000184324.jpg"},
        {"source": "coco", "source_id": "validation/000000184324.jpg"},
    ],
)
def test_a_picture_is_found_by_each_of_its_names(
    coco: Workspace, tmp_path: Path, picture: Any
) -> None:
    author_chains(coco, [written(tmp_path, entry(image_id=None, picture=picture))])
    assert [each.image_id for each in read_authored(coco)] == [STREET]


@pytest.mark.parametrize(
    ("said", "reason", "message"),
    [
        (entry(image_id="0" * 16), "unknown_picture", "has no picture '0000000000000000'"),
        ({**entry(image_id=None), "picture": "a\x1b[2J"}, "unknown_picture", "'a [2J'"),
        # a part of a name is none
        (entry(image_id="184324.jpg"), "unknown_picture", "has no picture '184324.jpg'"),
        (
            {**entry(image_id=None), "picture": {"source": "x", "source_id": "000000184324.jpg"}},
            "unknown_picture",
            "has no picture '000000184324.jpg' of the source 'x'",
        ),
        (entry(author=""), "no_chain", "has no author"),
        (entry(author="x" * 65), "no_chain", "a name has 1 to 64"),
        (entry(category=3), "no_chain", None),
        (entry(steps=[{"question": "What?"}]), "no_chain", "steps 1 answer is missing"),
        (entry(id="../x"), "no_chain", "id: '../x' is none"),
    ],
)
def test_a_bad_chain_is_a_row_and_spoils_no_other(
    coco: Workspace, tmp_path: Path, said: Any, reason: str, message: str | None
) -> None:
    if message is None:  # a number is a text as good as another
        author_chains(coco, [written(tmp_path, said)])
        assert [each.category for each in read_authored(coco)] == ["3"]
        return
    author_chains(coco, [written(tmp_path, said, entry(id="fine"))])
    assert [each.chain_id for each in read_authored(coco)] == ["fine"]
    (found,) = read_rejected(coco)
    assert (found.path, found.row, found.reason) == ("a.jsonl", 1, reason)
    assert message in found.message


def test_the_name_of_two_pictures_is_refused_with_both(run: Any, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,note\nx/p1,a\ny/p1,b\n", "utf-8")
    root = tmp_path / "w"
    made = run("build-catalog", "table", table, "--attributes", "note", "--workspace", root)
    assert made.code == 0, made.err
    workspace = Workspace(root)
    entries = (
        {**entry(image_id=None), "picture": "p1"},
        {**entry(image_id=None), "picture": "x/p1"},
    )
    author_chains(workspace, [written(tmp_path, *entries)])
    both, none = read_rejected(workspace)
    assert (both.reason, none.reason) == ("ambiguous_picture", "no_picture")
    assert "(x/p1)" in both.message
    assert "(y/p1)" in both.message


def test_what_breaks_a_rule_is_kept_to_be_mended(coco: Workspace, tmp_path: Path) -> None:
    cycle, seven = entry(id="cycle"), entry(id="seven")
    cycle["steps"][0]["uses"] = [2]
    seven["steps"] = [*seven["steps"][:2] * 3, seven["steps"][2]]
    author_chains(coco, [written(tmp_path, cycle, seven)])
    first, second = read_authored(coco)
    assert [check.name for check in step_failures(first)] == ["order/1"]
    assert step_failures(second)[0].name == "length"
    assert reasons(coco) == []


def test_of_two_chains_of_one_id_the_first_stands(coco: Workspace, tmp_path: Path) -> None:
    other = entry(question="Who did it?")
    path = written(tmp_path, entry(id="x"), entry(id="x"), other, entry(), entry())
    author_chains(coco, [path])
    # without an id it is the picture and the question that make two one
    assert reasons(coco) == [(2, "repeated_id"), (5, "repeated_id")]
    assert len(read_authored(coco)) == 3
    assert "the chain at line 4" in read_rejected(coco)[1].message


def test_a_row_more_changes_no_id(coco: Workspace, tmp_path: Path) -> None:
    author_chains(coco, [written(tmp_path, entry())])
    (before,) = read_authored(coco)
    author_chains(coco, [written(tmp_path, entry(question="Who did it?"), entry())])
    assert before in read_authored(coco)


def test_a_file_replaces_its_own_chains_alone(coco: Workspace, tmp_path: Path) -> None:
    mine = written(tmp_path, entry(id="a1"), entry(id="a2"))
    author_chains(coco, [mine])
    author_chains(coco, [written(tmp_path, entry(id="b1"), name="b.jsonl")])
    assert [each.chain_id for each in read_authored(coco)] == ["a1", "a2", "b1"]
    again = author_chains(coco, [written(tmp_path, entry(id="a2", scenario="map"))])
    assert again[0].gone == ("a1",)
    found = read_authored(coco)
    assert [(each.chain_id, each.scenario) for each in found] == [
        ("a2", "map"),
        ("b1", "responsibility"),
    ]
    # nothing at all is no chain as well
    author_chains(coco, [written(tmp_path)])
    assert [each.chain_id for each in read_authored(coco)] == ["b1"]


def test_of_two_files_with_one_id_the_first_by_name_stands(coco: Workspace, tmp_path: Path) -> None:
    author_chains(coco, [written(tmp_path, entry(id="x", scenario="b"), name="b.jsonl")])
    author_chains(coco, [written(tmp_path, entry(id="x", scenario="a"), name="a.jsonl")])
    assert [each.scenario for each in read_authored(coco)] == ["a"]
    (taken,) = read_rejected(coco)
    assert (taken.path, taken.reason, taken.source_id) == ("b.jsonl", "id_taken", "x")
    assert "a.jsonl holds a chain of this id" in taken.message


def test_two_files_of_one_name_are_refused(coco: Workspace, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    paths = [written(tmp_path, entry()), written(tmp_path / "other", entry())]
    with pytest.raises(UsageError, match=r"two files are called a\.jsonl"):
        author_chains(coco, paths)
    assert not written_folder(coco, "a.jsonl").exists()


def test_one_file_that_cannot_be_read_leaves_all_as_it_was(coco: Workspace, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("[", "utf-8")
    with pytest.raises(UsageError, match="is no YAML"):
        author_chains(coco, [written(tmp_path, entry()), bad])
    with pytest.raises(WorkspaceError, match="question-chain author FILE"):
        read_authored(coco)


def test_the_author_given_is_for_those_without_one(coco: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    entries = [entry(id="a1", author=""), entry(id="a2", author="cy")]
    path.write_text(json.dumps({"author": "bo", "chains": entries}), "utf-8")
    author_chains(coco, [path, written(tmp_path, entry(id="a3", author=None))], "dee")
    found = {each.chain_id: each.author for each in read_authored(coco)}
    assert found == {"a1": "bo", "a2": "cy", "a3": "dee"}


def test_the_same_files_are_done_once_and_give_the_same_bytes(
    coco: Workspace, tmp_path: Path, example: Path, holdings: Callable[[Path], dict[str, Any]]
) -> None:
    paths = [example, written(tmp_path, entry(id="x"), entry(id="x"))]
    author_chains(coco, paths)
    before = holdings(coco.root)
    assert all(file.was_there for file in author_chains(coco, paths[::-1]))
    assert not any(file.was_there for file in author_chains(coco, paths, force=True))
    assert holdings(coco.root) == before


def test_it_loads_with_explicit_features(coco: Workspace, tmp_path: Path, example: Path) -> None:
    author_chains(coco, [example, written(tmp_path, entry(id="x"), entry(id="x"))])
    folder, cache = str(authored_folder(coco)), str(tmp_path / "cache")
    features = datasets.Features.from_arrow_schema(SCHEMAS[QuestionChain])
    loaded = datasets.load_dataset(folder, "authored", split="train", cache_dir=cache)
    assert loaded.features == features
    assert loaded["chain_id"][:] == [each.chain_id for each in read_authored(coco)]
    rejected = datasets.load_dataset(folder, "rejected", split="train", cache_dir=cache)
    assert rejected["reason"][:] == ["repeated_id"]
