"""The file that names the voters: what is wrong with it is said in one line."""

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.asking.voters import read_voters
from benchwright.errors import UsageError

GOOD = {"name": "v", "model": "m", "base_url": "http://localhost:8000/v1"}


def written(tmp_path: Path, *voters: Any, **top: Any) -> Path:
    path = tmp_path / "voters.yaml"
    path.write_text(yaml.safe_dump({"voters": list(voters), **top}), "utf-8")
    return path


def test_good_file(tmp_path: Path) -> None:
    voter, other = read_voters(
        written(tmp_path, {**GOOD, "base_url": "http://h/v1/"}, {**GOOD, "name": "w", "model": "n"})
    )
    assert (voter.name, voter.base_url, other.model) == ("v", "http://h/v1", "n")


FAULTS = [
    (
        {**GOOD, "api_key": "sk-1"},
        "at voters > 0 > api_key: unknown key; did you mean 'api_key_env'?",
    ),
    ({**GOOD, "api_key_env": "sk-1"}, "at voters > 0 > api_key_env"),  # the key itself, no name
    ({**GOOD, "base_url": "localhost:8000"}, "wants an address such as"),
    ({**GOOD, "base_url": "http://me:secret@h/v1"}, "wants no name, password or query"),
    ({**GOOD, "base_url": "http://h/v1?key=1"}, "wants no name, password or query"),
    ({**GOOD, "base_url": "http://h/v1/chat/completions"}, "write http://h/v1, without /chat"),
    ({"name": "v", "modell": "m", "base_url": "http://h/v1"}, "unknown key; did you mean 'model'?"),
    ({**GOOD, "name": "a b"}, "at voters > 0 > name"),
    ({**GOOD, "name": "../x"}, "at voters > 0 > name"),
    ({"name": "v", "model": "m"}, "at voters > 0 > base_url: is missing"),
    ({**GOOD, "concurrency": 0}, "at voters > 0 > concurrency"),
    ({**GOOD, "parameters": {"messages": []}}, "messages cannot be set here"),
    ({**GOOD, "parameters": {"max_tokens": 5}}, "stand beside parameters"),
    ({**GOOD, "parameters": {"top_logprobs": 5}}, "stand beside parameters"),
    # what no body of JSON can say
    ({**GOOD, "parameters": {"day": datetime.date(2024, 5, 1)}}, "datetime.date(2024, 5, 1)"),
    ({**GOOD, "parameters": {"deep": [{"a": {1: 2}}]}}, "and the key 1 it cannot"),
    ({**GOOD, "parameters": {1: 2}}, "at voters > 0 > parameters > 1"),
    ({**GOOD, "parameters": {"temperature": float("nan")}}, "and nan it cannot"),
    ({**GOOD, "parameters": {"deep": [float("-inf")]}}, "and -inf it cannot"),
    ({**GOOD, "parameters": {"some": {"a", "b"}}}, "at voters > 0 > parameters"),
    ({**GOOD, "price": {"input": -1, "output": 1}}, "at voters > 0 > price > input"),
    ({**GOOD, "price": {"input": float("nan"), "output": 1}}, "at voters > 0 > price > input"),
    ({**GOOD, "pictures": {"min_side": 99, "max_side": 9}}, "min_side 99 is over max_side 9"),
    ({**GOOD, "picture_tokens": {"patch": 28, "fixed": 5}}, "name one of fixed, patch and tile"),
    ({**GOOD, "timeout": float("inf")}, "at voters > 0 > timeout"),
    ({**GOOD, "patience": 0}, "at voters > 0 > patience"),
    (7, "at voters > 0"),
]


@pytest.mark.parametrize(("voter", "said"), FAULTS)
def test_fault(tmp_path: Path, voter: Any, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_voters(written(tmp_path, voter))
    assert said in str(caught.value)
    assert "sk-1" not in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path / 'voters.yaml'}: ")


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({**GOOD}, "two voters are named 'v'"),
        ({**GOOD, "name": "w"}, "'v' and 'w' ask the same model in the same way"),
        # another address is no other model
        ({**GOOD, "name": "w", "base_url": "http://h/v1"}, "ask the same model in the same way"),
        # a yes/no question is asked at 0 with a cap of 16 anyway
        (
            {**GOOD, "name": "w", "parameters": {"temperature": 0}, "max_tokens": 16},
            "ask the same model in the same way",
        ),
        # 0.0 is 0
        ({**GOOD, "name": "w", "parameters": {"temperature": 0.0}}, "ask the same model in the"),
        # further samples at 1
        ({**GOOD, "name": "w", "parameters": {"temperature": 1}}, "ask the same model in the same"),
        # a long answer has a cap over 400
        ({**GOOD, "name": "w", "max_tokens": 400}, "ask the same model in the same way"),
        # a text is asked without a picture
        ({**GOOD, "name": "w", "pictures": {"max_side": 512}}, "ask the same model in the same"),
        # a null takes away what is not there
        ({**GOOD, "name": "w", "parameters": {"seed": None}}, "ask the same model in the same way"),
        # structured answers of the one are as those of the other
        (
            {**GOOD, "name": "w", "parameters": {"response_format": {"type": "json_object"}}},
            "ask the same model in the same way",
        ),
    ],
)
def test_two_alike(tmp_path: Path, second: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_voters(written(tmp_path, GOOD, second))


@pytest.mark.parametrize(
    "other",
    [
        {"revision": "awq"},
        {"parameters": {"temperature": 0.7}},  # no request asks so by itself
        {"parameters": {"extra": {"deep": [1]}}},
        {"logprobs": 5},
        {"cap": "max_completion_tokens"},
    ],
)
def test_two_that_ask_otherwise(tmp_path: Path, other: dict[str, Any]) -> None:
    assert len(read_voters(written(tmp_path, GOOD, {**GOOD, "name": "w", **other}))) == 2


def test_no_voters(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at voters"):
        read_voters(written(tmp_path))


def test_ensemble_is_such_a_file_too(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, {"kind": "clip", "name": "c"}, views={"low": {}}, templates=3)
    assert [voter.name for voter in read_voters(path)] == ["v"]


def test_unknown_key_beside_the_voters(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at vioters: unknown key; did you mean 'voters'"):
        read_voters(written(tmp_path, GOOD, vioters=[]))
