"""The command build-dialogues."""

import click

from benchwright.commands import entry_point, version_option
from labeling.dialogues.candidate_set.cli import candidate_set
from labeling.dialogues.false_premise.cli import false_premise
from labeling.dialogues.question_chain.cli import question_chain


@click.group()
@version_option
def build_dialogues() -> None:
    """Make dialogues of a catalog, for people to review."""


for kind in (false_premise, candidate_set, question_chain):
    build_dialogues.add_command(kind)

main = entry_point(build_dialogues)
