"""What was made of runs, for people: how many steps and pairs, and what an episode is paid."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum
from statistics import median

from benchwright.plain_text import counted
from benchwright.protocols.hidden_target import OUTCOMES, Outcome
from benchwright.records import Pair, Step
from evaluation.hidden_target.metrics.outcomes import outcome_of
from evaluation.hidden_target.metrics.replaying import Replayed
from evaluation.hidden_target.scoring.opened import OpenedRun
from evaluation.hidden_target.wording import prompt_digest
from evaluation.scoring.protocol import RefusedRow
from evaluation.scoring.refusals import refused_rows
from evaluation.scoring.spelling import number, spoken

_PARTS = ("skip_reward", "information_reward", "terminal_reward", "reward")


@dataclass(slots=True, kw_only=True)
class Summary:
    """Counts of what was written; ``rewards`` are the sums of each episode, by its outcome.

    ``failed`` episodes are left out, as the ``missing`` ones are; ``truncated`` ones ended without
    a guess; of the ``empty`` ones nothing was said that would make a step. ``reworded`` are the
    runs whose players were told other words than those that their dialogues are put in here,
    ``refused`` the rows of runs made elsewhere that could not be read.
    """

    runs: int
    reworded: Sequence[str]
    refused: Sequence[RefusedRow]
    failed: int
    missing: int
    episodes: int = 0
    truncated: int = 0
    empty: int = 0
    steps: int = 0
    rewards: dict[Outcome, list[dict[str, float]]] = field(default_factory=dict)
    regrets: list[float] = field(default_factory=list)
    sources: Counter[str] = field(default_factory=Counter)
    margins: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, runs: Iterable[OpenedRun]) -> "Summary":
        """Return the summary of runs of which nothing has been made yet."""
        runs = list(runs)
        listed = [one.played for one in runs]
        failed = sum(len(one.trajectories) - len(one.finished) for one in listed)
        lacking = sum(one.planned - len(one.finished) for one in listed)
        reworded = [
            one.played.name
            for one in runs
            if one.played.prompt not in (None, prompt_digest(one.rules, one.terms))
        ]
        return cls(
            runs=len(runs),
            reworded=reworded,
            refused=[row for one in listed for row in one.refused],
            failed=failed,
            missing=lacking - failed,
        )

    def add(self, episode: Replayed, steps: Sequence[Step]) -> None:
        """Count an episode of a run with its steps."""
        self.episodes += 1
        self.steps += len(steps)
        self.truncated += any(step.is_truncated for step in steps)
        self.empty += not steps
        sums = {part: fsum(getattr(step, part) for step in steps) for part in _PARTS}
        self.rewards.setdefault(outcome_of(episode), []).append(sums)
        self.regrets += [step.regret for step in steps if step.regret is not None]

    def add_pairs(self, pairs: Iterable[Pair]) -> None:
        """Count pairs."""
        for pair in pairs:
            self.sources[pair.source] += 1
            self.margins.append(pair.margin)

    def counts(self) -> dict[str, int]:
        """Return the counts for the manifest."""
        return {
            "episodes": self.episodes,
            "truncated": self.truncated,
            "empty": self.empty,
            "failed": self.failed,
            "missing": self.missing,
            "steps": self.steps,
            "pairs": len(self.margins),
        }

    def tables(self) -> list[str]:
        """Return the names of the tables that have rows: ``datasets`` loads no others."""
        counts = self.counts()
        return [name for name in ("steps", "pairs") if counts[name]]

    def lines(self) -> Iterator[str]:
        """Yield it as lines for a terminal."""
        episodes = counted(self.episodes, "episode")
        yield f"steps: {self.steps:,} of {episodes} in {counted(self.runs, 'run')}"
        if self.truncated:
            yield f"  {self.truncated:,} without a guess: their last steps are marked as truncated"
        for count, why in (
            (self.failed, "left out: failed for want of a server's answer"),
            (self.missing, "not there: not played, or not to be read"),
            (self.empty, "without a step: neither a turn nor a guess"),
        ):
            if count:
                yield f"  {count:,} {why}"
        if self.refused:
            yield f"  {refused_rows(self.refused)}"
        if self.reworded:
            yield (
                f"  {', '.join(self.reworded)}: played by another version, whose player was told"
                " other words than stand in these dialogues"
            )
        yield from self._paid()
        if self.regrets:
            mean = fsum(self.regrets) / len(self.regrets)
            yield (
                f"regret of a turn: {number(mean, 2)} bits less than the question that promises"
                f" most, over {len(self.regrets):,}"
            )
        yield f"pairs: {len(self.margins):,}{self._of_pairs()}"

    def _paid(self) -> Iterator[str]:
        yield f"{'reward of an episode':22}{'skips':>8}{'bits':>8}{'guess':>8}{'sum':>8}{'n':>8}"
        for outcome in OUTCOMES:
            if paid := self.rewards.get(outcome):
                means = (fsum(one[part] for one in paid) / len(paid) for part in _PARTS)
                cells = "".join(f"{number(mean, 2):>8}" for mean in means)
                yield f"  {spoken(outcome):20}{cells}{len(paid):>8,}"

    def _of_pairs(self) -> str:
        if not self.margins:
            return ""
        reference, player = self.sources["reference"], self.sources["player"]
        return (
            f" (chosen by the reference questioner {reference:,}, by a player in another run"
            f" {player:,}); median margin {number(median(self.margins), 2)} bits"
        )
