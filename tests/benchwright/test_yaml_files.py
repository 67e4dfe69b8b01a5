"""YAML that people wrote."""

from pathlib import Path
from typing import Annotated

import pydantic
import pytest

from benchwright.errors import UsageError
from benchwright.yaml_files import read_json_settings, read_settings, read_yaml


class Inner(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    askable: bool = True


class Needed(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    forks: int


class Outer(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    several: Annotated[tuple[int, ...], pydantic.Field(min_length=1)] = (1,)
    count: Annotated[int, pydantic.Field(gt=0)] = 1
    needed: Needed | None = None
    base_url: str = ""

    @pydantic.field_validator("count")
    @classmethod
    def _is_free(cls, value: int) -> int:
        if value == 7:
            raise ValueError("seven is taken")
        return value

    types: dict[str, Inner] = {}
    name: str | None = None


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "x.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [x", "is no YAML at line 1, column 6"),  # not closed
        ("a: 1\n b: 2\n", "is no YAML at line 2, column 3 (mapping values"),
        ("a: \x07", "is no YAML at character 4 (special characters are not allowed)"),
        ("a: 1\na: 2\n", "'a' stands twice"),  # the last would win without a word
        (b"a: \xff\n", "is no YAML"),  # no UTF-8
        ("[" * 5000, "nested too deeply"),
        ("!!python/object/apply:os.system ['true']", "is no YAML"),
        ("types: {a: {askabel: true}}", "at types > a > askabel: unknown key; did you mean"),
        ("types: {a: {askable: perhaps}}", "at types > a > askable: wants true or false"),
        ("- a", "at the top: wants KEY: VALUE lines, got ['a']"),
        ("name: [1]", "at name: wants a text"),
        ("several:", "at several: wants a list, got nothing"),
        ("several: []", "at several: wants a list of at least 1, got []"),
        ("count: many", "at count: wants a whole number, got 'many'"),
        ("count: 0", "at count: wants a number greater than 0, got 0"),
        ("count: 7", "at count: seven is taken"),  # ours, as it is
        ("needed: {forls: 1}", "at needed > forls: unknown key; did you mean 'forks'?"),
        ("base_url: [http://me:secret@h]", "at base_url: wants a text"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        read_settings(path, Outer)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert not any(
        word in str(caught.value) for word in ("Value error", "secret", "unicode string")
    )
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read \(No such file"):
        read_yaml(tmp_path / "none.yaml")


def test_an_empty_file_has_no_key(tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "# nothing\n"), Outer) == Outer()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "is no JSON (EOF while parsing"),
        (b'{"count": ', "is no JSON (EOF while parsing"),
        (b"\xff", "is no JSON ("),
        (b"[" * 100_000, "is no JSON ("),  # deeper than the reader goes
        (b"[]", "at the top: "),
        (b'{"count": 0}', "at count: wants a number greater than 0, got 0"),
        (b'{"needed": {"forls": 1}}', "at needed > forls: unknown key; did you mean 'forks'?"),
        (None, "cannot be read (No such file"),
    ],
)
def test_what_is_wrong_with_json_of_our_own(tmp_path: Path, text: bytes | None, said: str) -> None:
    path = tmp_path / "x.json"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(UsageError) as caught:
        read_json_settings(path, Outer, "make it again")
    assert str(caught.value).startswith(f"{path}: {said}")
    assert str(caught.value).endswith("; make it again")
    assert "\n" not in str(caught.value)


def test_json_of_our_own(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"count": 3}', "utf-8")
    assert read_json_settings(path, Outer, "make it again") == Outer(count=3)
