"""All kinds that can be played: which of them a config is of, and which options each takes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from benchwright.errors import UsageError
from evaluation.candidate_set.playing.kind import CANDIDATE_SET
from evaluation.false_premise.playing.kind import FALSE_PREMISE
from evaluation.hidden_target.running.kind import HIDDEN_TARGET
from evaluation.question_chain.playing.kind import QUESTION_CHAIN
from evaluation.running.kind import Kind

if TYPE_CHECKING:  # what it imports takes a second, which --help need not wait for
    from evaluation.releases.release import Release

KINDS: Sequence[Kind] = (HIDDEN_TARGET, FALSE_PREMISE, CANDIDATE_SET, QUESTION_CHAIN)


def kind_of(config: str) -> Kind | None:
    """Return the kind of a config; null where it holds nothing that is played."""
    return next((kind for kind in KINDS if kind.owns(config)), None)


def chosen_config(release: "Release", config: str | None) -> tuple[str, Kind]:
    """Return the config that is played, with its kind: the only one that can be, unless named.

    Raises UsageError where none can be, several, or not the one that was named.
    """
    if config is not None:
        kind = kind_of(config)
        if kind is None:
            raise UsageError(f"{config}: holds nothing that can be played; {_playable(release)}")
        return config, kind
    found = [(name, kind) for name in release.configs if (kind := kind_of(name)) is not None]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"{release.name}: holds nothing that can be played")
    names = ", ".join(name for name, _ in found)
    raise UsageError(f"{release.name}: name one of its configs by --config: {names}")


class RunCommand(click.Command):
    """A command whose help shows the options of each kind apart."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write first the options of all kinds, then those of each."""
        of_kinds = options_of_kinds()
        names = {param.name for param in of_kinds}
        common = [param for param in self.params if param.name not in names]
        click.Command(self.name, params=common).format_options(ctx, formatter)
        rows: dict[str, list[tuple[str, str]]] = {}
        for param in of_kinds:
            record = param.get_help_record(ctx)
            if record is not None:
                rows.setdefault(f"Options of {_takers(param)}", []).append(record)
        for heading, written in rows.items():
            with formatter.section(heading):
                formatter.write_dl(written)


def options_of_kinds() -> list[click.Parameter]:
    """Return the options that the kinds add; one that several of them take stands once."""
    found: dict[str | None, click.Parameter] = {}
    for kind in KINDS:
        for param in kind.command.params:
            found.setdefault(param.name, param)
    return list(found.values())


def given_to(
    kind: Kind, config: str, ctx: click.Context, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the values of the options that a kind takes.

    Raises UsageError where the user gave an option that only other kinds take.
    """
    for param in options_of_kinds():
        source = ctx.get_parameter_source(param.name or "")
        if not _takes(kind, param) and source is not ParameterSource.DEFAULT:
            raise UsageError(
                f"{param.opts[0]} goes with {_takers(param)}, not with {config}; leave it away or"
                " name another --config"
            )
    return {name: given[name] for param in kind.command.params if (name := param.name)}


def _takes(kind: Kind, param: click.Parameter) -> bool:
    return any(own.name == param.name for own in kind.command.params)


def _takers(param: click.Parameter) -> str:
    return " and ".join(kind.name for kind in KINDS if _takes(kind, param))


def _playable(release: "Release") -> str:
    found = [name for name in release.configs if kind_of(name) is not None]
    return f"of {release.name} these can be: {', '.join(found)}" if found else "nothing of it can"
