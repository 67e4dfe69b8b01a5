"""The command push-release task."""

from pathlib import Path

import click

from benchwright.commands import say


@click.command("task")
@click.argument("harness", type=click.Choice(["inspect", "lmms-eval", "vlmevalkit"]))
@click.argument("release")
@click.option("--config", required=True, help="The config, such as question-chain.")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder to write, which is new.",
)
def task_command(harness: str, release: str, config: str, out: Path) -> None:
    """Write a task of a release for an evaluation harness of others.

    RELEASE is its folder, or REPO@TAG on the Hub: the task is then pinned to the commit of the
    tag. docs/releases-elsewhere.md says what each harness measures.
    """
    from exports.harnesses.writing import write_task  # noqa: PLC0415  # imports huggingface_hub

    written = write_task(release, harness, config, out)
    where = written.pin.path
    if written.pin.revision is not None:
        where += f" at {written.pin.revision[:12]}"
    say(f"{out}: {', '.join(written.tasks)} of {where}")
    run = {
        "inspect": f"inspect eval {out}/task.py@{written.tasks[0]} --model MODEL",
        "lmms-eval": (
            f"python -m lmms_eval --include_path {out} --tasks {written.tasks[0]} --model MODEL"
            " --batch_size 1"
        ),
        "vlmevalkit": f"python {out}/task.py --model MODEL",
    }
    say(f"next, where {harness} is installed: {run[harness]}")
