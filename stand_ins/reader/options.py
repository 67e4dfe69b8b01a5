"""Whether a command that a page names is one, and has the options that it is said to have."""

import importlib
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

MODULES: Mapping[str, str] = {
    "benchwright": "benchwright.cli:benchwright",
    "build-catalog": "builders.cli:build_catalog",
    "label-attributes": "labeling.attributes.cli:label_attributes",
    "build-dialogues": "labeling.dialogues.cli:build_dialogues",
    "review-labels": "labeling.audits.cli:review_labels",
    "build-galleries": "galleries.cli:build_galleries",
    "push-release": "exports.cli:push_release",
    "run-benchmark": "evaluation.cli:run_benchmark",
}
_DEFAULT = {"run-benchmark": "run"}  # what is meant where no command of a group is named
_OPTION = re.compile(r"--[a-z][a-z-]*|-[a-zA-Z]")
_ANY = ("…", "...")
_NAME = re.compile(r"[a-z][a-z-]*")


def command_of(program: str) -> click.Command:
    """Return the command object of a console script."""
    module, name = MODULES[program].split(":")
    found = getattr(importlib.import_module(module), name)
    assert isinstance(found, click.Command)
    return found


def leaves(program: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield all commands of a program that do something, with the words that name them."""
    waiting: list[tuple[tuple[str, ...], click.Command]] = [((program,), command_of(program))]
    while waiting:
        words, command = waiting.pop(0)
        if isinstance(command, click.Group):
            waiting += [((*words, name), one) for name, one in sorted(command.commands.items())]
        else:
            yield words, command


def faults_of(text: str) -> list[str]:
    """Return what is wrong with a command as it is written: names and options that do not exist.

    What is neither an option nor the name of a command may be anything.
    """
    try:
        program, *words = shlex.split(text, comments=True)
    except ValueError as error:
        return [str(error)]
    command, path = command_of(program), program
    while isinstance(command, click.Group) and words:
        word = words[0]
        if word in command.commands:
            command, path, words = command.commands[word], f"{path} {word}", words[1:]
        elif program in _DEFAULT:
            command = command.commands[_DEFAULT[program]]
        elif word in _ANY:  # any of the commands below
            return [f"{path} has no option {name}" for name in _unknown(_below(command), words)]
        elif word.startswith("-") or not _NAME.fullmatch(word):
            break
        else:
            return [f"{path} has no command {word}"]
    return [f"{path} has no option {name}" for name in _unknown([command], words)]


def _unknown(commands: Iterable[click.Command], words: Sequence[str]) -> Iterator[str]:
    known = _options(commands)
    for word in words:
        name = word.partition("=")[0].strip("[]")
        if _OPTION.fullmatch(name) and name not in known:
            yield name


def all_options() -> frozenset[str]:
    """Return the names of all options of all programs."""
    return _options(one for program in MODULES for one in _below(command_of(program)))


def _options(commands: Iterable[click.Command]) -> frozenset[str]:
    params = [param for command in commands for param in command.params]
    return frozenset(
        {"--help", *(name for one in params for name in (*one.opts, *one.secondary_opts))}
    )


def _below(command: click.Command) -> Iterator[click.Command]:
    """Yield a command and all that stand below it."""
    yield command
    if isinstance(command, click.Group):
        for one in command.commands.values():
            yield from _below(one)
