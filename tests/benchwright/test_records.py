"""Each record and its Arrow schema say the same, and datasets takes the schema."""

from dataclasses import fields, is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import datasets
import pyarrow as pa
import pytest

from benchwright import records
from benchwright.records import SCHEMAS

KINDS = sorted(SCHEMAS, key=lambda kind: kind.__name__)


def test_every_record_that_is_written_has_a_schema() -> None:
    found = {
        entry
        for module in iter_modules(records.__path__, "benchwright.records.")
        for entry in vars(import_module(module.name)).values()
        if is_dataclass(entry)
    }
    # the vocabulary is YAML
    assert found - set(SCHEMAS) == {records.AttributeType, records.AttributeValue}
    assert {kind.__name__ for kind in found} <= set(records.__all__)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_is_frozen_slotted_and_by_keyword(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen
    assert not hasattr(kind, "__dict__") or "__slots__" in vars(kind)
    assert all(field.kw_only for field in fields(kind))
    assert kind.__doc__


PLAIN = {str: pa.string(), bool: pa.bool_(), float: pa.float64()}


def agrees(hint: Any, arrow: pa.DataType) -> bool:
    """Whether a value of this annotation fits this Arrow type, and nothing else does."""
    if hint in SCHEMAS:
        return arrow == pa.struct(list(SCHEMAS[hint]))
    if get_origin(hint) is Literal:
        return arrow == pa.string()
    if get_origin(hint) is tuple:
        inner, *rest = get_args(hint)
        if rest == [...]:
            return pa.types.is_list(arrow) and agrees(inner, arrow.value_type)
        return (
            pa.types.is_fixed_size_list(arrow)
            and arrow.list_size == 1 + len(rest)
            and set(rest) == {inner}
            and agrees(inner, arrow.value_type)
        )
    if hint is int:
        return arrow in (pa.int32(), pa.int64())
    return arrow == PLAIN[hint]


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_equals_the_fields(kind: Any) -> None:
    hints = get_type_hints(kind)
    assert SCHEMAS[kind].names == [field.name for field in fields(kind)]
    for field in SCHEMAS[kind]:
        hint = hints[field.name]
        is_optional = get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint)
        assert field.nullable == is_optional, field.name
        (inner,) = (
            [part for part in get_args(hint) if part is not type(None)] if is_optional else [hint]
        )
        assert agrees(inner, field.type), field.name


@pytest.mark.parametrize("kind", KINDS)
def test_datasets_takes_the_schema(kind: Any) -> None:
    features = datasets.Features.from_arrow_schema(SCHEMAS[kind])
    assert list(features) == SCHEMAS[kind].names
    # what comes back differs in nothing but that everything may be null there
    back = features.arrow_schema
    assert [str(field.type).replace(" not null", "") for field in back] == [
        str(field.type).replace(" not null", "") for field in SCHEMAS[kind]
    ]


def test_the_schemas_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        SCHEMAS[str] = pa.schema([])  # type: ignore[index]
