"""Write docs/commands.md from the help of the commands: python docs/write_commands.py."""

from collections.abc import Iterator
from pathlib import Path

import click

from benchwright.cli import benchwright
from builders.cli import build_catalog
from evaluation.cli import run_benchmark
from exports.cli import push_release
from galleries.cli import build_galleries
from labeling.attributes.cli import label_attributes
from labeling.audits.cli import review_labels
from labeling.dialogues.cli import build_dialogues

COMMANDS = {
    "build-catalog": build_catalog,
    "label-attributes": label_attributes,
    "build-dialogues": build_dialogues,
    "review-labels": review_labels,
    "build-galleries": build_galleries,
    "push-release": push_release,
    "run-benchmark": run_benchmark,
    "benchwright": benchwright,
}


def helps(name: str, command: click.Command) -> Iterator[tuple[str, str]]:
    """Yield (name, help) of a command and of all that stand below it."""
    with click.Context(command, info_name=name, terminal_width=88, max_content_width=88) as context:
        yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for below, found in sorted(command.commands.items()):
            yield from helps(f"{name} {below}", found)


def page() -> str:
    """Return the whole page."""
    parts = [
        "# Commands\n\nWritten by `python docs/write_commands.py` from the commands' own help.\n"
    ]
    for name, command in COMMANDS.items():
        for title, text in helps(name, command):
            parts.append(f"## {title}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    Path(__file__).with_name("commands.md").write_text(page(), "utf-8")
