"""YAML that people wrote."""

from pathlib import Path

import pydantic
import pytest

from benchwright.errors import UsageError
from benchwright.yaml_files import read_settings, read_yaml


class Inner(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    askable: bool = True


class Outer(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    types: dict[str, Inner] = {}
    name: str | None = None


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "x.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [x", "is no YAML"),  # not closed
        ("a: 1\na: 2\n", "'a' stands twice"),  # the last would win without a word
        (b"a: \xff\n", "is no YAML"),  # no UTF-8
        ("[" * 5000, "nested too deeply"),
        ("!!python/object/apply:os.system ['true']", "is no YAML"),
        ("types: {a: {askabel: true}}", "at types > a > askabel: unknown key; did you mean"),
        ("types: {a: {askable: perhaps}}", "at types > a > askable: wants true or false"),
        ("- a", "at the top: wants KEY: VALUE lines, got ['a']"),
        ("name: [1]", "at name: wants a text"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        read_settings(path, Outer)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read \(No such file"):
        read_yaml(tmp_path / "none.yaml")


def test_an_empty_file_has_no_key(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "# nothing\n"), Outer) == Outer()
