"""Ways to say one and the same thing: every one of them holds the plain sentence."""

import json
from collections.abc import Callable

from stand_ins.models import Turn

Manner = Callable[[str], Turn]

_THOUGHTS = (
    "Is it picture #2? No, I must not ask that. Could the skirt be tiered, or the hem ruffled?"
    " Perhaps: My guess: #1. Let me see first."
)


def plain(said: str) -> Turn:
    """Say it and nothing else."""
    return Turn(text=said)


def prose(said: str) -> Turn:
    """Say it in the middle of a letter."""
    return Turn(
        text="Thank you, I have looked at all of them with care, and they are much alike."
        f"\n\nHere is what I would say next. {said}\n\nI am looking forward to your reply!"
    )


def markdown(said: str) -> Turn:
    """Say it under a heading, quoted and in bold."""
    return Turn(text=f"### My turn\n\n> **{said}**\n\n---\n*said as agreed*")


def thinking(said: str) -> Turn:
    """Think aloud first: a question, two attributes and a guess that are not meant."""
    return Turn(text=f"<think>\n{_THOUGHTS}\n</think>\n\n{said}")


def reasoning_field(said: str) -> Turn:
    """Think in the field that servers have for it."""
    return Turn(text=said, reasoning=_THOUGHTS)


def as_json(said: str) -> Turn:
    """Say it as JSON in a fence."""
    key = "question" if said.endswith("?") else "guess" if "#" in said else "reply"
    return Turn(text=f"```json\n{json.dumps({key: said})}\n```")
