"""The gate: every check of a release that is being made."""

from collections.abc import Iterator, Mapping, Sequence

from benchwright.clip.embedder import Embedder
from exports.building.making import Making
from exports.gating.attribute_frequency import attribute_frequencies
from exports.gating.candidate_sets import candidate_sets
from exports.gating.check import Check
from exports.gating.dialogue_texts import false_premise_texts, question_chain_texts
from exports.gating.duplicates import duplicates
from exports.gating.known_galleries import KnownGalleries, rows_by_id
from exports.gating.label_audit import label_error, read_audit, voted_labels
from exports.gating.label_effect import label_effect
from exports.gating.licences import licences
from exports.gating.limits import NOTES_TELL, TELL_ANSWERS
from exports.gating.membership import membership
from exports.gating.nearest_picture import Pictures, look_at, nearest_pictures
from exports.gating.position import option_places, target_places
from exports.gating.published import published
from exports.gating.report import GateReport, write_gate
from exports.gating.waivers import with_waivers
from labeling.attributes.labels.knowledge import load_knowledge


def run_gate(making: Making) -> GateReport:
    """Run all checks on what is released, and write gate.json into the folder.

    The same inputs give the same bytes. Where answers are private no check names samples, words or
    places that would tell answers. Raises UsageError for a model of CLIP that cannot be loaded.
    """
    checks = with_waivers(_checks(making), making.settings.waived)
    if making.settings.private_answers:
        checks = [discreet(check) for check in checks]
    report = GateReport(checks=tuple(checks))
    write_gate(making.folder, report)
    return report


def _checks(making: Making) -> Iterator[Check]:
    workspace, gathered = making.workspace, making.gathered
    every = _known_galleries(making)
    if every:
        shown = {name for each in every for one in each.episodes for name in one.image_ids}
        items = [item for item in gathered.items if item.image_id in shown]
        seen = look_at(workspace, items, _embedder(making.settings.clip_model))
        for each in every:
            yield from _of_galleries(each, seen)
            if making.settings.private_answers:
                yield membership(each.config, each.episodes)
    yield from _of_dialogues(gathered.records)
    yield from published(making)
    names = [item.image_id for item in gathered.items]
    voted = voted_labels(workspace, names)
    audit = read_audit(workspace) if voted.num_rows else None
    if "labels" in gathered.inputs:
        yield label_error(voted.num_rows, audit)
    if audit is not None:
        yield from (label_effect(each, voted, audit) for each in every)
    yield from duplicates(workspace, {each.config: each.episodes for each in every}, names)
    yield licences(gathered.items)


def _of_galleries(galleries: KnownGalleries, pictures: Pictures) -> Iterator[Check]:
    yield target_places(galleries.config, galleries.episodes)
    yield from nearest_pictures(galleries, pictures)
    yield from attribute_frequencies(galleries)


def _of_dialogues(records: Mapping[str, Sequence[object]]) -> Iterator[Check]:
    parts = {
        "false-premise": (false_premise_texts,),
        "candidate-set": (candidate_sets,),
        "question-chain": (option_places, question_chain_texts),
    }
    for config, checks in parts.items():
        if records.get(config):
            for check in checks:
                yield from check(records[config])  # type: ignore[operator]


def _known_galleries(making: Making) -> list[KnownGalleries]:
    """Return the galleries of each τ, with what the labels say of their pictures."""
    found = {
        config: records
        for config, records in sorted(making.gathered.records.items())
        if config.startswith("hidden-target-") and records
    }
    if not found:
        return []
    knowledge = load_knowledge(making.workspace)
    rows = rows_by_id(knowledge)
    return [
        KnownGalleries(config=config, episodes=some, knowledge=knowledge, row_of=rows)
        for config, some in found.items()
    ]


def _embedder(model: str | None) -> Embedder | None:
    if model is None:
        return None
    from benchwright.clip.picture_files import tested_model  # noqa: PLC0415

    return tested_model(
        model, None, instead="leave --clip-model away: the gate then goes by colours alone"
    )


def discreet(check: Check) -> Check:
    """Return a check without the rows, words and places that would tell answers."""
    kept = "" if check.name in NOTES_TELL else check.note
    told = check.name in TELL_ANSWERS
    return check.model_copy(update={"rows": (), "note": kept}) if told else check
