"""The scripted models of a whole run behind real servers, and the files that name them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from benchwright.workspace import Workspace
from stand_ins.chain_author import ChainAuthor
from stand_ins.colours import colour_seen
from stand_ins.false_premise_studio import Studio
from stand_ins.models import (
    ErrorRate,
    KnownPictures,
    Model,
    Question,
    Script,
    ScriptedServer,
    Several,
    Turn,
    references_of,
    values_of,
)

# how often each of them says no to a true yes, and yes to a true no
_ERRS = {"alto": (0.02, 0.01), "basso": (0.15, 0.05), "tenor": (0.25, 0.15)}
_VALUES_PER_CALL = 12
_AUTHORS = {"qwen": "qwen2-vl", "gpt": "gpt-4o"}  # two families: one misleads the other
_ONLOOKERS = ("m1", "m2", "m3")


def has_clip() -> bool:
    """Tell whether the local CLIP can vote here."""
    return all(find_spec(name) is not None for name in ("torch", "open_clip"))


@contextmanager
def labelling(workspace: Workspace, path: Path) -> Iterator[ScriptedServer]:
    """Serve three voters that know the pictures of a catalog and err; write their ensemble."""
    references = references_of(workspace)
    script = Script(
        models=[
            Model(name=name, errors=(ErrorRate(on_yes=on_yes, on_no=on_no),))
            for name, (on_yes, on_no) in _ERRS.items()
        ],
        values=values_of(references),
        eyes=KnownPictures(references=references),
    )
    voting = Several(script)

    def brain(question: Question) -> Turn:
        # by which voters show that they see
        is_look = "colour fills" in question.text and question.pictures
        return Turn(text=colour_seen(question)) if is_look else voting(question)

    with ScriptedServer(script, brain=brain) as server:
        voters: list[dict[str, Any]] = [*_entries(_ERRS, server)]
        if has_clip():
            voters.append({"name": "clip", "kind": "clip", "model": "embedded"})
        said = {
            "voters": voters,
            "views": {"whole": {"long_side": 336}},
            "templates": 1,
            "full": 0,
            "values_per_call": _VALUES_PER_CALL,
        }
        path.write_text(yaml.safe_dump(said, sort_keys=False), "utf-8")
        yield server


@contextmanager
def describing(workspace: Workspace, path: Path) -> Iterator[ScriptedServer]:
    """Serve models that write false premises and look at the pictures; write their file."""
    script = Script(models=[Model(name=name) for name in _ONLOOKERS])
    with ScriptedServer(script, brain=Studio(workspace)) as server:
        _write(path, _entries(_ONLOOKERS, server))
        yield server


@contextmanager
def chaining(path: Path) -> Iterator[ScriptedServer]:
    """Serve models that draft question chains and mislead; write their file."""
    script = Script(models=[Model(name=name) for name in _AUTHORS.values()])
    with ScriptedServer(script, brain=ChainAuthor()) as server:
        entries = [
            {"name": name, "model": model, "base_url": server.base_url}
            for name, model in _AUTHORS.items()
        ]
        _write(path, entries)
        yield server


@contextmanager
def playing(server: ScriptedServer, names: Sequence[str], path: Path) -> Iterator[ScriptedServer]:
    """Serve players of a release; write the file of those of these names."""
    with server:
        _write(path, [{**one, "pictures": {"min_side": 1}} for one in _entries(names, server)])
        yield server


def _entries(names: Sequence[str] | dict[str, Any], server: ScriptedServer) -> list[dict[str, Any]]:
    return [{"name": name, "model": name, "base_url": server.base_url} for name in names]


def _write(path: Path, voters: Sequence[dict[str, Any]]) -> None:
    path.write_text(yaml.safe_dump({"voters": [*voters]}, sort_keys=False), "utf-8")
