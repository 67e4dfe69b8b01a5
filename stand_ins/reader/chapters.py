"""Which pages are followed in which worlds.

A chapter begins at the first command of its page that begins as the table says, and goes on to the
next chapter of the page. Chapters of a page in the same world are followed one after the other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stand_ins.reader.page import Command, commands_of
from stand_ins.reader.world import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Commands of a page that are followed in one world.

    ``needs`` is the module without which it cannot be followed; with pymongo audits are opened in
    the App, else by a stand-in.
    """

    page: str
    world: str
    begins: str = ""
    needs: Literal["torch", "pymongo"] | None = None

    @property
    def in_app(self) -> bool:
        """Whether audits are opened in the App."""
        return self.needs == "pymongo"

    @property
    def name(self) -> str:
        """The name of the test that follows it."""
        return f"{self.page}:{self.world}"


CHAPTERS: Sequence[Chapter] = (
    Chapter(page="README.md", world="bare"),
    Chapter(page="docs/tutorials/your-catalog.md", world="bare"),
    Chapter(page="docs/tutorials/hidden-target.md", world="bare"),
    *(
        Chapter(page=f"docs/tutorials/{kind}.md", world="scenes")
        for kind in ("false-premise", "candidate-set", "question-chain")
    ),
    Chapter(page="docs/how-to/auditors.md", world="audited"),
    Chapter(page="docs/how-to/batch.md", world="drawn"),
    Chapter(page="docs/how-to/budgets.md", world="drawn"),
    Chapter(page="docs/how-to/openai.md", world="drawn"),
    Chapter(page="docs/how-to/private-hub.md", world="publishable"),
    Chapter(page="docs/how-to/takedown.md", world="published"),
    Chapter(page="docs/how-to/vllm.md", world="drawn"),
    Chapter(page="docs/how-to/vllm.md", begins="run-benchmark", world="released"),
    Chapter(page="docs/candidate-set-runs.md", world="released"),
    Chapter(
        page="docs/candidate-set-runs.md", begins="run-benchmark grounding-set", world="compared"
    ),
    Chapter(page="docs/reference/input-formats.md", world="bare"),
    Chapter(page="docs/voters.md", world="drawn"),
    Chapter(page="docs/false-premise-runs.md", world="released"),
    Chapter(page="docs/judges.md", world="drawn"),
    Chapter(page="docs/leaderboard.md", world="released"),
    Chapter(page="docs/audit-report.md", world="judged"),
    Chapter(page="docs/audit-sheets.md", world="audited"),
    Chapter(page="docs/dialogues.md", world="photographed"),
    Chapter(page="docs/dialogues.md", begins="build-catalog invig", world="transcribed"),
    Chapter(
        page="docs/dialogues.md", begins="build-dialogues question-chain", world="photographed"
    ),
    Chapter(page="docs/false-premise-scores.md", world="released"),
    Chapter(page="docs/human-runs.md", world="released"),
    Chapter(page="docs/labels.md", world="drawn"),
    Chapter(
        page="docs/labels.md", begins="label-attributes calibrate --clip", world="embedded",
        needs="torch",
    ),
    Chapter(page="docs/question-chain-runs.md", world="released"),
    Chapter(page="docs/releases-elsewhere.md", world="released"),
    Chapter(page="docs/releases.md", world="publishable"),
    Chapter(page="docs/reviewing.md", world="audited", needs="pymongo"),
    Chapter(page="docs/running.md", world="released"),
    Chapter(page="docs/scoring.md", world="released"),
    Chapter(page="docs/trace.md", world="traced"),
    Chapter(page="docs/trajectories.md", world="released"),
)  # fmt: skip


def groups() -> Sequence[Sequence[Chapter]]:
    """Return all chapters; those of a page in the same world, with the same needs, together."""
    found: dict[tuple[str, str, str | None], list[Chapter]] = {}
    for one in CHAPTERS:
        found.setdefault((one.page, one.world, one.needs), []).append(one)
    return list(found.values())


def commands_in(chapter: Chapter) -> list[Command]:
    """Return the commands of a chapter; raises ValueError where it never begins."""
    of_page = [one for one in CHAPTERS if one.page == chapter.page]
    commands = commands_of((ROOT / chapter.page).read_text("utf-8"), chapter.page)
    starts, at = [], 0
    for one in of_page:
        at = _start(commands, one, at)
        starts.append(at)
    number = of_page.index(chapter)
    end = [*starts, len(commands)][number + 1]
    return commands[starts[number] : end]


def _start(commands: Sequence[Command], chapter: Chapter, after: int) -> int:
    for number, command in enumerate(commands[after:], after):
        if command.text.startswith(chapter.begins):
            return number
    raise ValueError(f"{chapter.page}: no command begins with {chapter.begins!r}")
