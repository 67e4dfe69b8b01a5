"""Topics of what is not asked about: the words of topics.yaml as patterns.

All patterns are for text as ``plain_question`` gives it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchwright.yaml_files import read_yaml

_FILE = Path(__file__).with_name("topics.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeTopic:
    """A topic that counts where a vocabulary has a type so ``named`` that is not asked about."""

    named: re.Pattern[str]
    words: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics:
    """What no question may touch (``never``, AMIGO's rule 4) and what hangs on the vocabulary.

    In ``look_alikes`` a word of a topic means something else. ``wearer`` names whoever wears it,
    which may only say where something is.
    """

    look_alikes: re.Pattern[str]
    never: Mapping[str, re.Pattern[str]]
    wearer: re.Pattern[str]
    of_types: tuple[TypeTopic, ...]


@lru_cache(maxsize=1)
def topics() -> Topics:
    """Return the topics of the package."""
    said: Any = read_yaml(_FILE, as_text=True)

    def pattern(lines: Sequence[str]) -> re.Pattern[str]:
        for name, part in said["parts"].items():
            lines = [line.replace(f"{{{name}}}", part) for line in lines]
        return re.compile("|".join(rf"(?<!\w)(?:{line})(?!\w)" for line in lines))

    return Topics(
        look_alikes=pattern(said["look_alikes"]),
        never={name: pattern(lines) for name, lines in said["never"].items()},
        wearer=pattern(said["wearer"]),
        of_types=tuple(
            TypeTopic(named=pattern(each["named"]), words=pattern(each["words"]))
            for each in said["of_types"].values()
        ),
    )
