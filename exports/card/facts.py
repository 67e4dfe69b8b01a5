"""What the sections of a card are written from, worked out once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from exports.building.making import Making
from exports.card.labels_found import LabelsFound, labels_found
from exports.card.unnamed import unnamed
from exports.contents.auditors import numbered_auditors
from exports.contents.private_answers import holds_answers
from exports.gating.report import GateReport
from labeling.audits.reporting.report import Report, make_report

GALLERIES = "hidden-target-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """``audit`` is null where nobody decided anything; its auditors are numbers."""

    making: Making
    labels: LabelsFound
    audit: Report | None
    gate: GateReport | None

    def records(self, config: str) -> Sequence[Any]:
        """Return the released records of a config; none where it has none."""
        return self.making.gathered.records.get(config, ())

    def hides_answers(self, config: str) -> bool:
        """Tell whether the answers of a config are held back."""
        return self.making.settings.private_answers and holds_answers(config)

    @property
    def galleries(self) -> list[str]:
        """The configs of galleries, in the order of the card."""
        return [one.config for one in self.making.written if one.config.startswith(GALLERIES)]


def facts_of(making: Making, gate: GateReport | None) -> Facts:
    """Return the facts of a release whose shards are written.

    The audit is reported as its decisions stand now, which are those that are released. Raises
    WorkspaceError for a plan of an audit, or votes, that cannot be read.
    """
    decisions = read_journal(making.workspace).decisions
    audit = make_report(making.workspace) if standing(decisions) else None
    return Facts(
        making=making,
        labels=labels_found(making),
        audit=None if audit is None else unnamed(audit, numbered_auditors(decisions)),
        gate=gate,
    )
