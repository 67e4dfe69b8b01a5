"""The command run-benchmark."""

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is named, ``run`` where a release is."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_RunsByDefault)
@version_option
def run_benchmark() -> None:
    """Run a model on a release, and score runs."""


run_benchmark.add_command(run_command)
run_benchmark.add_command(human_command)
run_benchmark.add_command(score_command)
run_benchmark.add_command(report_command)
run_benchmark.add_command(trajectories_command)
run_benchmark.add_command(grounding_set_command)

main = entry_point(run_benchmark)
