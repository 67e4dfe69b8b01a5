"""Schemas as strict servers take them: closed objects, every field wanted, few keywords."""

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Generic, Literal, TypeVar

import pydantic
import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel

from benchwright.asking.strict_schema import json_schema_format, strict_schema

T = TypeVar("T")


class Inner(BaseModel):
    size: int
    note: str = "none"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


class Plain(BaseModel):
    reason: str
    answer: Literal["yes", "no"]


class Nested(BaseModel):
    inner: Inner = Field(description="what is in it")
    more: list[Inner]


class Optional(BaseModel):
    count: int = 3
    name: str | None = None
    choice: Literal["a", 2, None] = "a"


class Union(BaseModel):
    either: int | str | Inner
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


class Bounded(BaseModel):
    """Bounds are checked when the answer is here."""

    model_config = ConfigDict(extra="forbid")
    share: Annotated[float, Field(ge=0, le=1)]
    code: Annotated[str, Field(pattern="^a", min_length=1, max_length=9)]
    day: datetime.date
    some: Annotated[set[int], Field(min_length=1)]


class Tree(BaseModel):
    name: str
    branches: list["Tree"]


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: str


class Empty(BaseModel):
    pass


class FreeDict(BaseModel):
    answers: dict[str, Literal["yes", "no"]]


class DeepDict(BaseModel):
    inner: FreeDict


class AnyField(BaseModel):
    what: Any


class AnyList(BaseModel):
    what: list[Any]


class Pair(BaseModel):
    pair: tuple[int, str]


class AllowEmpty(BaseModel):
    model_config = ConfigDict(extra="allow")


class Listed(RootModel[list[int]]):
    pass


class Either(RootModel[Cat | Dog]):
    pass


class Box(BaseModel, Generic[T]):
    held: T


SAYABLE = (Plain, Nested, Optional, Union, Bounded, Tree, Loose, Empty, Box[Inner])
UNSAYABLE = (FreeDict, DeepDict, AnyField, AnyList, Pair, AllowEmpty, Listed, Either)
# what Azure and OpenAI both know
KNOWN = {
    *("type", "description", "enum", "properties", "required", "additionalProperties"),
    *("items", "anyOf", "$ref", "$defs"),
}


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    inner += [*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])]
    for part in inner:
        yield from parts(part)


@pytest.mark.parametrize("model", SAYABLE)
def test_what_strict_servers_want(model: type[BaseModel]) -> None:
    schema = strict_schema(model)
    assert schema is not None
    assert schema["type"] == "object"
    for part in parts(schema):
        assert part.keys() <= KNOWN
        assert ("$ref" in part) == (part.keys() == {"$ref"})  # nothing stands beside it
        assert "type" in part or "anyOf" in part or "$ref" in part
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
        if "$ref" in part:
            assert part["$ref"].removeprefix("#/$defs/") in schema["$defs"]


@pytest.mark.parametrize("model", UNSAYABLE)
def test_what_strict_mode_cannot_say(model: type[BaseModel]) -> None:
    assert strict_schema(model) is None
    sent = json_schema_format(model)["json_schema"]
    assert sent["strict"] is False
    assert sent["schema"] == model.model_json_schema()


def test_the_order_of_fields_is_kept() -> None:
    schema = strict_schema(Plain)
    assert schema is not None
    assert list(schema["properties"]) == ["reason", "answer"]


def test_written_out() -> None:
    assert strict_schema(Optional) == {
        "type": "object",
        "properties": {
            "count": {"type": "integer"},
            "name": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "choice": {"enum": ["a", 2, None], "type": ["string", "integer", "null"]},
        },
        "required": ["count", "name", "choice"],
        "additionalProperties": False,
    }
    said = strict_schema(Union)
    assert said is not None
    assert said["properties"]["pet"] == {
        "anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
    }
    assert said["$defs"]["Dog"]["properties"] == {"kind": {"enum": ["dog"], "type": "string"}}


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("Plain", "Plain"),
        ("Box[Inner]", "Box_Inner_"),
        ("Größe", "Gr__e"),
        ("a" * 80, "a" * 64),
        ("", "answer"),
    ],
)
def test_name(name: str, right: str) -> None:
    model = pydantic.create_model(name, answer=(str, ...))
    sent = json_schema_format(model)
    assert sent["json_schema"]["name"] == right
    assert sent["json_schema"]["strict"] is True
    assert sent["type"] == "json_schema"
