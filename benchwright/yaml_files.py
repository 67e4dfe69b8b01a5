"""Reading YAML that people wrote, and JSON of our own: what is wrong is one line, no traceback."""

import re
from collections.abc import Hashable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import pydantic
import yaml
from pydantic_core import ErrorDetails

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt

M = TypeVar("M", bound=pydantic.BaseModel)

_BRANCH = re.compile(r"^(literal|list|dict|function)[\[-]|^(str|none|is-instance)$")
_SECRET = ("key", "url")  # what stands under such names may hold the key or a password itself
_PLAIN = {  # what pydantic says in words of Python
    "model_type": "wants KEY: VALUE lines",
    "dict_type": "wants KEY: VALUE lines",
    "list_type": "wants a list",
    "tuple_type": "wants a list",
    "set_type": "wants a list",
    "frozen_set_type": "wants a list",
    "int_type": "wants a whole number",
    "int_parsing": "wants a whole number",
    "int_from_float": "wants a whole number",
    "float_type": "wants a number",
    "float_parsing": "wants a number",
    "finite_number": "wants a finite number",
    "bool_parsing": "wants true or false",
    "bool_type": "wants true or false",
    "string_type": "wants a text",
}


class _Strict(yaml.SafeLoader):
    """Refuses a key that stands twice, of which YAML would keep the last without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Return the mapping; raise ConstructorError for a repeated key."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise yaml.constructor.ConstructorError(
                    problem=f"the key {key.value!r} stands twice", problem_mark=key.start_mark
                )
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


class _StrictText(_Strict):
    """Leaves every plain word a text: no is not false, 1e3 is not a number."""


_StrictText.yaml_implicit_resolvers = {}


def read_yaml(path: Path, *, as_text: bool = False) -> Any:
    """Return what a YAML file says; with ``as_text`` every scalar is a text.

    Raises UsageError that names the file, and the line where there is one, when there is no such
    file or it is not YAML.
    """
    try:
        return _parse(path.read_text("utf-8"), as_text=as_text)
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be read ({error.strerror}); name a YAML file that is there"
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is no YAML {_what_breaks(error)}; mend it there") from error


def _what_breaks(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "(it is nested too deeply)"
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"at line {mark.line + 1}, column {mark.column + 1} ({error.problem})"
    if isinstance(error, yaml.reader.ReaderError):
        return f"at character {error.position + 1} ({error.reason})"
    return f"({excerpt(str(error))})"


def _parse(text: str, *, as_text: bool) -> Any:
    return yaml.load(text, _StrictText if as_text else _Strict)  # noqa: S506  # both are safe


def parse_text(text: str) -> Any:
    """Return what a YAML text says, every scalar a text; raises what yaml raises."""
    return _parse(text, as_text=True)


def read_settings(path: Path, model: type[M], *, as_text: bool = False) -> M:
    """Return a YAML file as a pydantic model; an empty file has no key.

    Raises UsageError that names file and key, and what was wanted and what came.
    """
    return as_settings(read_yaml(path, as_text=as_text), model, path)


def read_json_settings(path: Path, model: type[M], remedy: str) -> M:
    """Return a JSON file as a pydantic model.

    Raises UsageError that names file and key, what was wanted and what came, and ends with the
    remedy: which command writes the file, and what else to do.
    """
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); {remedy}") from error
    except pydantic.ValidationError as error:
        raise UsageError(f"{path}: {_first_fault(error, model)}; {remedy}") from error


def as_settings(said: Any, model: type[M], path: Path) -> M:
    """Return what a YAML file says as a pydantic model; raises as ``read_settings`` does."""
    try:
        return model.model_validate({} if said is None else said)
    except pydantic.ValidationError as error:
        raise UsageError(f"{path}: {_first_fault(error, model)}") from error


def _first_fault(error: pydantic.ValidationError, model: type[pydantic.BaseModel]) -> str:
    faults = error.errors()
    # a misspelt key makes another one missing, and names what to mend
    fault = next((one for one in faults if one["type"] == "extra_forbidden"), faults[0])
    # of a union pydantic names the branch as well: literal[...] and the like
    place = [str(part) for part in fault["loc"] if not _BRANCH.search(str(part))]
    where = " > ".join(place) or "the top"
    if fault["type"] == "extra_forbidden":
        known = sorted(set(_keys(model.model_json_schema())))
        near = get_close_matches(place[-1], known, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
        return f"at {where}: unknown key; {meant}"
    if fault["type"] == "json_invalid":
        return f"is no JSON ({fault['ctx']['error']})"
    if fault["type"] == "missing":
        return f"at {where}: is missing"
    if fault["type"] == "value_error":  # of ours: it says what came
        return f"at {where}: {fault['ctx']['error']}"
    wanted = _wanted(fault)
    if place and any(word in place[-1] for word in _SECRET):
        return f"at {where}: {wanted}"
    came = "nothing" if fault["input"] is None else f"{fault['input']!r:.80}"
    return f"at {where}: {wanted}, got {came}"


def _wanted(fault: ErrorDetails) -> str:
    """Return what pydantic wants in words for people who write no Python."""
    bounds = fault.get("ctx", {})
    if fault["type"] in ("too_short", "too_long"):
        most = fault["type"] == "too_long"
        number = bounds["max_length"] if most else bounds["min_length"]
        return f"wants a list of at {'most' if most else 'least'} {number}"
    said = fault["msg"].replace("Input should be ", "wants ", 1)
    for words in ("greater than", "less than"):
        said = said.replace(f"wants {words}", f"wants a number {words}")
    said = said.replace("String should ", "wants a text that should ", 1)
    return _PLAIN.get(fault["type"], said)


def _keys(schema: Any) -> Iterator[str]:
    """Yield the keys that a JSON schema names, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _keys(part)
