"""The commands build-dialogues false-premise."""

import click

from labeling.dialogues.false_premise.checking.cli import check
from labeling.dialogues.false_premise.describing.cli import describe
from labeling.dialogues.false_premise.falsifying.cli import falsify
from labeling.dialogues.false_premise.funnel.cli import funnel
from labeling.dialogues.false_premise.planning.cli import plan
from labeling.dialogues.false_premise.running_cli import run


@click.group("false-premise")
def false_premise() -> None:
    """Dialogues whose later questions presuppose something false of the picture."""


for command in (plan, describe, falsify, check, funnel, run):
    false_premise.add_command(command)
