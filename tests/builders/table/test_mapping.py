"""Mappings: from options, from YAML, one over the other, and what is wrong with them."""

from pathlib import Path

import pytest

from benchwright.errors import UsageError
from builders.table.mapping import (
    MappingOptions,
    TableMapping,
    check_columns,
    load_mapping,
    resolve,
    split_names,
)


def load(folder: Path, text: str) -> MappingOptions:
    path = folder / "m.yaml"
    path.write_text(text)
    return load_mapping(path)


def test_yaml_scalars_are_words(tmp_path: Path) -> None:
    """`null`, `no` and `007` are cells and columns of a table, not YAML's own values."""
    loaded = load(
        tmp_path,
        "id: 007\nattributes: [colour, no, null]\n"
        "missing: [null, ~, NA, no]\nvalue_separator: ';'\n",
    )
    assert loaded.id == "007"
    assert loaded.attributes == ("colour", "no", "null")
    assert loaded.missing == ("null", "~", "NA", "no")
    assert loaded.value_separator == ";"


def test_a_mapping_file_leaves_nothing_to_guess(tmp_path: Path) -> None:
    mapping = resolve(
        load(tmp_path, "id: key\nattributes: colour\n"),
        TableMapping(id="x", image="photo", title="name", attributes=("a", "b")),
    )
    assert mapping == TableMapping(id="key", attributes=("colour",))


def test_options_win_over_the_file(tmp_path: Path) -> None:
    given = MappingOptions(id="other", image="", missing=("NA",))
    mapping = resolve(
        given.over(load(tmp_path, "id: key\nimage: photo\nsource: shop\n")), TableMapping()
    )
    assert (mapping.id, mapping.image, mapping.source) == ("other", None, "shop")
    assert mapping.missing == ("", "na")


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        (MappingOptions(), ("", "null", "none")),
        (MappingOptions(missing=("NA", " - ", "")), ("", "na", "-")),  # replaces; empty stays
        (MappingOptions(missing=()), ("",)),
    ],
)
def test_words_for_no_value(options: MappingOptions, missing: tuple[str, ...]) -> None:
    assert resolve(options, TableMapping()).missing == missing


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("idd: key\n", ["at idd:", "did you mean 'id'?"]),
        ("attributes: {a: b}\n", ["attributes"]),
        ("- id\n", ["m.yaml"]),
        ("id: [a, b]\n", ["id"]),
        ("id: 'open\n", ["no YAML"]),
        ("!!python/object/apply:os.system ['true']\n", ["m.yaml"]),
        ("a: &x [*x]\n", ["m.yaml"]),
    ],
)
def test_what_is_wrong_with_a_mapping_file(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_no_mapping_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        load_mapping(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="no YAML"):
        load_mapping(tmp_path / "bytes.yaml")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            MappingOptions(id="Dress ID"),
            ["t.csv", "'Dress ID'", "as id", "did you mean 'Dress_ID'"],
        ),
        (MappingOptions(attributes=("neckline",)), ["'neckline'", "did you mean 'NeckLine'"]),
        (MappingOptions(split="xyz"), ["'xyz'", "its columns: Dress_ID, NeckLine"]),
    ],
)
def test_a_column_that_is_not_there(options: MappingOptions, words: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        check_columns(options, Path("t.csv"), ("Dress_ID", "NeckLine"))
    for word in words:
        assert word in str(caught.value)


def test_columns_whose_names_hold_a_comma() -> None:
    columns = ("a", "b", "length, cm")
    assert split_names(["length, cm", "a, b,", "a"], columns) == ("length, cm", "a", "b")


@pytest.mark.parametrize("options", [MappingOptions(value_separator=""), MappingOptions(source="")])
def test_settings_that_may_not_be_empty(options: MappingOptions) -> None:
    with pytest.raises(UsageError, match="is empty"):
        resolve(options, TableMapping())
