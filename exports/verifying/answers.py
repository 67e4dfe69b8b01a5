"""Whether shown answers are those that a release committed to."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from exports.contents.private_answers import COLUMN, commitment, ids_of
from exports.verifying.answers_file import Shown
from exports.verifying.finding import Finding, finding
from exports.verifying.released import Released

_CHAINS = "question-chain"


def check_answers(release: Released) -> Finding:
    """Check each commitment of a release against the answers that are shown, where any are."""
    held = [config for config in release.lock.configs if release.holds_back(config)]
    if not held:
        return finding("answers", "all stand in the release", [])
    count = sum(release.lock.configs[config].rows for config in held)
    if not release.answers:
        return finding("answers", f"{count:,} are held back; --answers FILE checks them", [])
    looked_at = f"{count:,} commitments against the answers that are shown"
    return finding("answers", looked_at, _faults(release, held))


def _faults(release: Released, held: Iterable[str]) -> Iterator[str]:
    left = dict(release.answers)
    for config in held:
        table = release.table(config, release.schema(config).names)
        for name, row in zip(ids_of(config, table), table.to_pylist(), strict=True):
            fault = _fault_of(config, row, left.pop((config, name), None))
            if fault is not None:
                yield f"{config} {name}: {fault}"
    for config, name in sorted(left):
        yield f"{config} {name}: answers to what the release does not hold"


def _fault_of(config: str, row: Mapping[str, Any], shown: Shown | None) -> str | None:
    if shown is None:
        return "its answers are not shown"
    if commitment(shown.salt, shown.text) != row[COLUMN]:
        return "other answers than were committed to"
    if config == _CHAINS and _options(row["steps"]) != _options(shown.said["steps"]):
        return "its options are not those of its answers"
    return None


def _options(steps: list[Mapping[str, Any]]) -> list[tuple[list[str], list[str]]]:
    """Return what there is to choose from in each step, as it is shown or as it was meant."""
    return [
        (
            [one if isinstance(one, str) else one["text"] for one in step["question_options"]],
            step["answer_options"],
        )
        for step in steps
    ]
