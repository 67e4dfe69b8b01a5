"""Errors name commands to run; each of these exists."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import labeling
from benchwright.cli import benchwright
from builders.cli import build_catalog
from galleries.cli import build_galleries
from labeling.attributes.cli import label_attributes
from labeling.audits.cli import review_labels
from labeling.dialogues.cli import build_dialogues
from labeling.dialogues.stored import DIALOGUE_KINDS, how_to_draft

GROUPS: dict[str, click.Group] = {
    "build-catalog": build_catalog,
    "label-attributes": label_attributes,
    "build-dialogues": build_dialogues,
    "review-labels": review_labels,
    "build-galleries": build_galleries,
    "benchwright": benchwright,
}
_NAMED = re.compile(rf"\b({'|'.join(GROUPS)})(?= [a-z{{])((?: [a-z{{][a-z{{}}-]*)+)")
_PROSE = {("build-catalog", "command")}  # "the build-catalog command": of any source


def texts(tree: ast.AST) -> Iterator[str]:
    """The texts of what is raised, and of the commands that ``store.require`` is told."""
    for node in ast.walk(tree):
        is_require = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("require")
        if not (is_require or isinstance(node, ast.Raise)):
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.JoinedStr):
                yield "".join(
                    str(each.value) if isinstance(each, ast.Constant) else "{}"
                    for each in part.values
                )
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def named() -> list[tuple[str, ...]]:
    """The commands that errors of labeling/ name, with the words behind them."""
    found = [how_to_draft(kind) for kind in DIALOGUE_KINDS]
    for path in sorted(Path(labeling.__path__[0]).rglob("*.py")):
        found += texts(ast.parse(path.read_text("utf-8")))
    words = {(name, *more.split()) for text in found for name, more in _NAMED.findall(text)}
    return sorted(each for each in words if each[:2] not in _PROSE)


def test_they_are_found() -> None:
    first = {each[:2] for each in named()}
    assert {("review-labels", "plan"), ("label-attributes", "decide")} <= first
    assert ("build-dialogues", "candidate-set") in first


@pytest.mark.parametrize("words", named(), ids=" ".join)
def test_a_command_that_is_named_exists(words: tuple[str, ...]) -> None:
    command: click.Command = GROUPS[words[0]]
    path: list[str] = []
    for word in words[1:]:
        if not isinstance(command, click.Group):
            break
        assert word in command.commands, f"{' '.join(words)}: there is no {word}"
        command = command.commands[word]
        path.append(word)
    assert not isinstance(command, click.Group), f"{' '.join(words)} is a group of commands"
    assert CliRunner().invoke(GROUPS[words[0]], [*path, "--help"]).exit_code == 0
