"""The command run-benchmark."""

from difflib import get_close_matches
from pathlib import Path

import click

from benchwright.commands import entry_point, version_option
from evaluation.candidate_set.comparison.cli import grounding_set_command
from evaluation.hidden_target.trajectories.cli import trajectories_command
from evaluation.human.cli import human_command
from evaluation.report.cli import report_command
from evaluation.running.cli import run_command
from evaluation.scoring.cli import score_command


class _RunsByDefault(click.Group):
    """A group whose first argument is the name of a command, or else a release to be run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take options that are not the group's own for those of ``run``."""
        own = {name for param in self.get_params(ctx) for name in param.opts}
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in own:
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, ``run`` where a release is.

        A release is a path, or has a slash in its name; what is neither may be a slip.
        """
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            meant = get_close_matches(args[0], self.commands, n=1)
            if meant and "/" not in args[0] and not Path(args[0]).exists():
                ctx.fail(f"{args[0]} is no command and no release; did you mean {meant[0]}?")
            args = ["run", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_RunsByDefault)
@version_option
def run_benchmark() -> None:
    """Run a model on a release, and score runs.

    A RELEASE and its options without a command are for run: run-benchmark --player greedy RELEASE.
    """


run_benchmark.add_command(run_command)
run_benchmark.add_command(human_command)
run_benchmark.add_command(score_command)
run_benchmark.add_command(report_command)
run_benchmark.add_command(trajectories_command)
run_benchmark.add_command(grounding_set_command)

main = entry_point(run_benchmark)
