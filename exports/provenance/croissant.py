"""croissant.json: a release as Croissant 1.0 describes it, with the fields of responsible AI.

Croissant: Akhtar et al., "Croissant: A Metadata Format for ML-Ready Datasets" (2024) and
http://mlcommons.org/croissant/1.0; responsible AI: http://mlcommons.org/croissant/RAI/1.0.
``datePublished`` and ``url`` are left out, although the specification wants them: when and where a
release is published is not known while it is made, and its bytes hang on no clock.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.release_loading import SPLIT
from exports.building.making import Making
from exports.building.shards import Written
from exports.card.sections.citing import bibtex
from exports.provenance import attribution
from exports.provenance.licences import licence_of
from exports.provenance.record_sets import record_set
from exports.provenance.responsible import responsible
from labeling.audits.reporting.wording import many

FILE = "croissant.json"
_Json = dict[str, Any]
_SPECIFICATIONS = ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"]
_CONTEXT: _Json = {  # that of the specification, appendix 1
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{
        name: f"cr:{name}"
        for name in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject"),
            *("fileProperty", "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key"),
            *("md5", "parentField", "path", "recordSet", "references", "regex", "repeated"),
            *("replace", "samplingRate", "separator", "source", "subField", "transform"),
        )
    },
}


def write_croissant(making: Making) -> None:
    """Write croissant.json; the shards and ATTRIBUTION.csv must stand in the folder by now."""
    files.write_json(making.folder / FILE, croissant_of(making))


def croissant_of(making: Making) -> _Json:
    """Return the description of a release as JSON-LD."""
    title = making.settings.title or making.name
    counts = ", ".join(f"{one.config} {one.rows:,}" for one in making.written)
    said: _Json = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": making.name,
        "alternateName": title,
        "description": f"{title}, version {making.version}. Rows: {counts}.",
        "conformsTo": _SPECIFICATIONS,
        "version": str(making.version),
        "license": _licences(making),
        "citeAs": bibtex(making),
        "creator": [{"@type": "sc:Person", "name": name} for name in making.settings.authors],
        "keywords": [
            "benchmark",
            "vision-language models",
            *(one.config for one in making.written),
        ],
        "distribution": list(_distribution(making)),
        "recordSet": [
            record_set(
                one.config,
                making.schemas[one.config],
                _files(one.config),
                f"{many(one.rows, 'row', 'rows')} of {one.config}; one split, {SPLIT}.",
            )
            for one in making.written
        ],
        **responsible(making),
    }
    return {name: value for name, value in said.items() if value != []}


def _licences(making: Making) -> list[str]:
    """Return the licences of the pictures, by their pages where we know them."""
    found = (licence_of(item.licence) for item in making.gathered.items)
    return sorted({one.page or str(one) for one in found if one is not None})


def _distribution(making: Making) -> Iterator[_Json]:
    """Yield each file with its sha256, and the shards of each config as one set.

    The set names them by a pattern: mlcroissant reads no rows of Parquet files that a set contains
    by name.
    """
    listed = making.folder / attribution.FILE
    yield _file_object(listed, attribution.FILE, "text/csv", files.sha256_of(listed))
    for one in making.written:
        for path, sha256 in zip(one.paths, one.sha256, strict=True):
            yield _file_object(making.folder / path, path, "application/x-parquet", sha256)
        yield _file_set(one)


def _file_object(place: Path, path: str, kind: str, sha256: str) -> _Json:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{place.stat().st_size} B",
        "encodingFormat": kind,
        "sha256": sha256,
    }


def _file_set(one: Written) -> _Json:
    return {
        "@type": "cr:FileSet",
        "@id": _files(one.config),
        "name": _files(one.config),
        "encodingFormat": "application/x-parquet",
        "includes": f"data/{one.config}/*.parquet",
    }


def _files(config: str) -> str:
    return f"{config}-shards"
