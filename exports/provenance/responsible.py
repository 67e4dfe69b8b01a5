"""What a release says of its own making in the words of responsible AI (Croissant RAI 1.0).

Only what is known is said: nobody asks auditors who they are, so nothing stands of them.
"""

from collections import Counter
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchwright.asking.answers import server_builds
from exports.building.making import Making
from exports.provenance.errata import read_published
from exports.provenance.permissions import unlicensed
from labeling.dialogues.stored import DIALOGUE_KINDS

_STEPS = (
    "Pictures were decoded in full, turned upright and brought to 8-bit sRGB; what could not be"
    " read was refused.",
    "Samples that show a picture which may not be shared were left out as a whole.",
)
_USE = (
    "Testing of vision-language models, and nothing else: each sample holds a canary string by"
    " which it can be kept out of training data."
)
_MAINTENANCE = (
    "A version never changes. Faults are listed in errata.jsonl; samples found wrong and pictures"
    " whose owners object are left out of the next version."
)


def responsible(making: Making) -> dict[str, Any]:
    """Return the properties of the RAI vocabulary that are known of a release."""
    gathered = making.gathered
    sources = _counted(Counter(item.source for item in gathered.items))
    names = " and ".join(sorted({item.source for item in gathered.items}))
    said: dict[str, Any] = {
        "dataCollection": f"Pictures were taken from these sources: {sources}. Where there are"
        " samples, the pictures are those that a sample shows.",
        "dataCollectionRawData": f"Pictures and what {names} state of them; author, licence and"
        " link of each stand in ATTRIBUTION.csv as far as they are known.",
        "dataCollectionMissingData": _missing(making),
        "dataPreprocessingProtocol": [*_STEPS, _metadata(making)],
        "dataAnnotationProtocol": _annotation(making),
        "annotationsPerItem": _by_people(making),
        "machineAnnotationTools": _models(making),
        "dataBiases": [
            f"What {names} show too often or too seldom, this release does too; whom or what they"
            " leave out was not measured."
        ],
        "dataLimitations": _limits(making),
        "dataUseCases": [_USE],
        "personalSensitiveInformation": [
            "It was not checked whether pictures show people who can be recognised.",
            _metadata(making),
        ],
        "dataReleaseMaintenancePlan": _MAINTENANCE,
    }
    return {f"rai:{name}": value for name, value in said.items() if value}


def _missing(making: Making) -> str:
    items = making.gathered.items
    counts = {
        "pictures without a licence": len(unlicensed(items)),
        "pictures without an author": sum(not item.author for item in items),
        "pictures without a link": sum(not item.url for item in items),
    }
    for config, reasons in sorted(making.gathered.left_out.items()):
        counts |= {f"left out of {config}: {why}": count for why, count in reasons.items()}
    return f"{_counted(counts) or 'None'}."


def _metadata(making: Making) -> str:
    if making.settings.keep_metadata:
        return "Pictures have the metadata of their files: EXIF may say where one was taken."
    return (
        "EXIF (places by GPS among it), XMP, IPTC and comments were taken out of the files; the"
        " pixels are untouched."
    )


def _annotation(making: Making) -> str:
    parts = []
    origins = _column(making, "labels", "origin")
    if origins is not None:
        answers = _column(making, "labels", "answer") or Counter()
        named = {_ORIGINS.get(origin, origin): count for origin, count in origins.items()}
        parts.append(f"Labels by origin: {_counted(named)}; by answer: {_counted(answers)}.")
    galleries = [one.config for one in making.written if one.config.startswith("hidden-target-")]
    if galleries:
        parts.append(f"{', '.join(galleries)}: computed from the labels.")
    dialogues = [one.config for one in making.written if one.config in DIALOGUE_KINDS]
    if dialogues:
        parts.append(
            f"{', '.join(dialogues)}: drafted by models or taken from the source, and kept where"
            " people let them stand."
        )
    return " ".join(parts)


_ORIGINS = {
    "catalog": "stated by the source",
    "voted": "voted by models",
    "audited": "decided by people",
    None: "follows from another label of the picture, or unknown",
}


_WITHIN = {
    "false-premise": "approvals",
    "candidate-set": "marks of annotators",
    "question-chain": "rounds of verification",
}


def _by_people(making: Making) -> str:
    subjects: Counter[Any] = Counter()
    for path in _paths(making, "decisions"):
        table = pq.read_table(making.folder / path, columns=["image_id", "record_id"])
        subjects.update(
            record if image is None else image
            for image, record in zip(*(column.to_pylist() for column in table.columns), strict=True)
        )
    within = [
        f"{words} of {config}"
        for config, words in _WITHIN.items()
        if _has(making, config) and config not in making.gathered.held
    ]
    more = f" Not counted: {', '.join(within)}, which stand in the records." if within else ""
    if not subjects:
        return f"No decisions of people are released.{more}"
    return (
        f"{min(subjects.values())} to {max(subjects.values())} decisions of people on each of"
        f" {len(subjects):,} pictures and samples (config decisions).{more}"
    )


def _models(making: Making) -> list[str]:
    if not making.workspace.answers.is_file():
        return []
    builds = server_builds(making.workspace.answers)
    named = {f"{one.model or one.voter}{f' ({one.build})' if one.build else ''}" for one in builds}
    return sorted(named)


def _limits(making: Making) -> list[str]:
    said = ["There is one split, and it is for testing."]
    if _has(making, "labels"):
        said.append("A label that no person decided may be wrong; its column origin says which.")
    if making.gathered.held:
        said.append(f"The answers of {', '.join(sorted(making.gathered.held))} are held back.")
    without = len(unlicensed(making.gathered.items))
    if without:
        said.append(f"{without:,} pictures have no stated licence: ask before you share them.")
    faults = len(read_published(making.folder))
    if faults:
        said.append(f"errata.jsonl lists known faults ({faults:,}).")
    return said


def _has(making: Making, config: str) -> bool:
    return any(one.config == config for one in making.written)


def _paths(making: Making, config: str) -> tuple[str, ...]:
    return next((one.paths for one in making.written if one.config == config), ())


def _column(making: Making, config: str, name: str) -> "Counter[Any] | None":
    """Return how often each value stands in a column; null where there is no such config."""
    paths = _paths(making, config)
    found: Counter[Any] = Counter()
    for path in paths:
        table = pq.read_table(making.folder / path, columns=[name])
        for one in pc.value_counts(table.column(0).combine_chunks()).to_pylist():
            found[one["values"]] += one["counts"]
    return found if paths else None


def _counted(counts: "Counter[str] | dict[str, int]") -> str:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} ({count:,})" for name, count in ordered if count)
