"""Reading YAML that people wrote: what is wrong with it is one line, never a traceback."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from benchwright.errors import UsageError
from benchwright.store import digest_of


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
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise UsageError(f"{path}: is no YAML ({what}); mend it or remove it") from error


def _parse(text: str, *, as_text: bool) -> Any:
    return yaml.load(text, _StrictText if as_text else _Strict)  # noqa: S506  # both are safe


def text_digest(text: str) -> str:
    """Return the ``yaml_digest`` that a file with this text has."""
    return digest_of(_parse(text, as_text=True))


def yaml_digest(path: Path) -> str:
    """Return the digest of what a YAML file says, whatever its comments and its order of keys.

    Raises UsageError as ``read_yaml`` does.
    """
    return digest_of(read_yaml(path, as_text=True))
