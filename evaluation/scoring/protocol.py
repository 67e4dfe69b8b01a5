"""How a kind of runs hangs in at ``run-benchmark score``.

A kind says how it is scored by one ``Scoring``, in ``evaluation/KIND/metrics/tallying.py`` (that of
hidden-target is in ``evaluation/hidden_target/scoring``), and its ``Kind`` in ``kind.py`` names it:

    def _scoring() -> "Scoring":
        from evaluation.candidate_set.metrics.tallying import SCORING  # noqa: PLC0415  # heavy

        return SCORING

    CANDIDATE_SET = Kind(name=..., owns=..., command=..., scoring=_scoring)

``Scoring.tally`` gets a ``KeptRun`` (the folder of a run with its release, the digests compared
already) and returns a ``Tally``: of each item that was played to its end the picture and the
``Amounts``, and what is said of the whole. From there on all is shared: figures with intervals by
the bootstrap over pictures, ``Derived`` figures from the same draws, paired differences of two
runs, score rows, scores.json and scores.parquet, coverage, ``--partial``.

All items have the same keys, in the order in which the figures are written: ``NOTHING`` stands for
what an item has no part in. Of a figure over many turns or answers of one item the amount is their
sum: ``Amount(corrected, turns)`` pools, ``Amount(corrected / turns, 1)`` averages over items.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from benchwright import store
from benchwright.records import Build
from benchwright.rows import from_table
from evaluation.releases.release import Release
from evaluation.running.about import About
from evaluation.scoring.figures import Amounts, Derived, Figure, Key

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A run in a folder, and the release that was played.

    ``detectors`` are those by which it is to be scored, empty for all that it has.
    """

    folder: Path
    about: About
    manifest: store.Manifest
    release: Release
    detectors: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the run was planned with."""
        return self.manifest.plan.settings

    @property
    def planned(self) -> int:
        """How many items were to be played."""
        return self.manifest.counts["episodes"]

    def records(self, table: str, kind: type[T]) -> list[T]:
        """Return the records of a table of the run, such as ``groundings``.

        Raises CorruptShard for files that are not those of the manifest.
        """
        return list(from_table(store.read_table(self.folder, f"{table}-*.parquet"), kind))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRun:
    """A file with a run made elsewhere, and what the user says that was played.

    ``noun`` is what a picture shows, null where the user does not say.
    """

    path: Path
    release: Release
    config: str
    noun: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRow:
    """A row of a run made elsewhere that could not be read; ``line`` counts from 1.

    ``item`` is the id of the item where the row says one, ``reason`` a short code, ``detail`` says
    it in words.
    """

    line: int
    item: str | None
    reason: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who played, and how.

    ``prompt`` is the sha256 of all that the player was told. ``parts`` are the others who took
    part, such as the detector, by the part that they played, in the order in which they are said.
    ``prompt``, ``settings`` and ``seed`` are null where a run made elsewhere does not say.
    """

    name: str
    player: str
    prompt: str | None
    parts: Mapping[str, str]
    settings: Mapping[str, Any] | None = None
    seed: int | None = None

    @classmethod
    def of(cls, run: KeptRun) -> Self:
        """Return what a run says of itself; the player is not among the parts."""
        about, plan = run.about, run.manifest.plan
        return cls(
            name=about.run,
            player=about.player,
            prompt=about.prompts,
            parts={part: name for part, name in about.parts.items() if part != "player"},
            settings=plan.settings,
            seed=plan.seed,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a run: the picture that it is of, and what it adds to each figure."""

    picture: str
    amounts: Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A figure that stands in the comparison of two runs: a share, or another number."""

    key: Key
    is_share: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a run comes to, item by item.

    ``items`` are those that were played to their end and can be scored, by their ids; ``planned``
    counts those that were to be, ``failed`` those for which a server's answer, or a judge's, is
    missing; ``lacks`` says in words what these lack, ``remedy`` what helps where running it again
    does not. What is neither was not played. ``builds`` answered for the ``items``;
    ``parse_route`` is that of ``parse_route``.
    ``lines`` makes of the figures the lines for the terminal, 80 characters wide. ``facts`` go
    into scores.json beside what all kinds have. ``remade`` makes the same of some of the items
    alone, where figures hang on which items there are: see ``of_items``.
    """

    identity: Identity
    planned: int
    failed: int
    items: Mapping[str, Item]
    builds: Iterable[Build]
    parse_route: str
    lines: Callable[[Sequence[Figure]], Iterable[str]]
    compared: Sequence[Compared]
    derived: Sequence[Derived] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    refused: Sequence[RefusedRow] = ()
    lacks: str = ""
    remedy: str | None = None
    remade: Callable[[frozenset[str]], "Tally"] | None = None

    def of_items(self, names: Collection[str]) -> "Tally":
        """Return what some of the items come to, which must be there."""
        if len(names) == len(self.items):
            return self
        chosen = frozenset(names)
        if self.remade is not None:
            return self.remade(chosen)
        kept = {name: item for name, item in self.items.items() if name in chosen}
        return replace(self, items=kept)

    @property
    def coverage(self) -> float:
        """The share of the planned items that are scored, 0 to 1."""
        return len(self.items) / self.planned if self.planned else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How runs of a kind are scored.

    ``noun`` is what one item is called, such as dialogue. ``reads`` are the configs of the release
    that a score takes beside the one that was played: a run's ``inputs["release"]`` is
    ``release.digest(config, *reads)``, and another release is refused. ``conditions`` are the
    settings (and ``seed``) in which two runs that are compared should not differ, which is said,
    each with what a user calls it: its option where it has one.
    ``tally_of_file`` reads a run made elsewhere, null where there is no such file of the kind.
    ``page`` says what the figures mean. ``has_detectors`` tells that it can be scored by some
    detectors alone.
    """

    noun: str
    page: str
    reads: tuple[str, ...]
    conditions: Mapping[str, str]
    tally: Callable[[KeptRun], Tally]
    tally_of_file: Callable[[ForeignRun], Tally] | None = None
    has_detectors: bool = False
