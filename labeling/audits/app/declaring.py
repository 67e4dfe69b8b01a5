"""Declares a dataset through FiftyOne's own API, in a process of its own.

FiftyOne takes its database from the environment when it is imported, once for a process; the
process of a user, a notebook perhaps, may have another one open.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from benchwright.plain_text import excerpt
from labeling.audits.app.declaration import Declaration

_FIRST = ("type", "value", "category")  # facets that come first, and are shown on the pictures


def declare_dataset(declaration: Declaration, environment: Mapping[str, str]) -> None:
    """Make a dataset, or bring one that is ours up to what is declared; samples stay as they are.

    Raises RuntimeError, with what FiftyOne said, when that fails.
    """
    done = subprocess.run(
        [sys.executable, "-m", "labeling.audits.app.declaring"],
        input=json.dumps(asdict(declaration)),
        env=dict(environment),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"FiftyOne made no dataset {declaration.name}: {done.stderr[-4000:]}")


def _declare(declaration: Declaration) -> None:
    import fiftyone as fo  # noqa: PLC0415  # seconds, and it connects to a database

    if fo.dataset_exists(declaration.name):
        dataset = fo.load_dataset(declaration.name)
    else:
        # it takes its name when all is declared: a kill leaves nothing that has the name
        dataset = fo.Dataset(f"{declaration.name} (being made)", overwrite=True)
        dataset.add_sample(fo.Sample(filepath="template.png"))  # the media type is taken from one
        dataset.clear()
    _declare_fields(dataset, declaration)
    dataset.app_config.sidebar_groups = _sidebar(dataset, declaration)
    pills = [name for name in _FIRST if name in declaration.facets]
    dataset.app_config.active_fields = fo.ActiveFields(exclude=False, paths=[*pills, "boxes"])
    dataset.info = {"total": 0, **dataset.info, **declaration.info()}
    dataset.save()
    _save_views(dataset, declaration)
    if dataset.name != declaration.name:
        dataset.persistent = True
        dataset.name = declaration.name


def _declare_fields(dataset: Any, declaration: Declaration) -> None:
    import fiftyone as fo  # noqa: PLC0415

    facets = {
        "text": fo.StringField,
        "whole": fo.IntField,
        "real": fo.FloatField,
        "flag": fo.BooleanField,
    }
    fields = {name: facets[kind] for name, kind in declaration.facets.items()} | {
        "task_id": fo.StringField,
        "kind": fo.StringField,
        "rank": fo.IntField,
        "looks": fo.IntField,
        "open": fo.IntField,
        "seen_by": fo.StringField,
        "disputed": fo.BooleanField,
        "task": fo.StringField,
    }
    for name, field in fields.items():
        dataset.add_sample_field(name, field)
    for name in ("auditors", "judged_by"):
        dataset.add_sample_field(name, fo.ListField, subfield=fo.StringField)
    dataset.add_sample_field("boxes", fo.EmbeddedDocumentField, embedded_doc_type=fo.Detections)
    dataset.add_sample_field("boxes.detections.is_target", fo.BooleanField)
    # their parts are not declared: what is not, the App neither lists nor filters by
    for name in ("slot_1", "slot_2", "claim"):
        dataset.add_sample_field(
            name, fo.EmbeddedDocumentField, embedded_doc_type=fo.DynamicEmbeddedDocument
        )


def _sidebar(dataset: Any, declaration: Declaration) -> list[Any]:
    """Return the groups of the sidebar: what auditors filter by open, all else folded away."""
    import fiftyone as fo  # noqa: PLC0415

    first = ("kind", *_FIRST) if declaration.kind == "disagreements" else _FIRST
    named = [name for name in first if name in declaration.facets or name == "kind"]
    shown = {
        "task": [*named, *(name for name in declaration.facets if name not in named), "boxes"],
        "judged": ["open", "disputed", "auditors"],
    }
    usual = fo.DatasetAppConfig.default_sidebar_groups(dataset)
    metadata = [path for group in usual for path in group.paths if path.startswith("metadata.")]
    folded = {"tags": ["tags", "_label_tags"], "metadata": metadata}
    taken = {path for paths in (shown | folded).values() for path in paths}
    folded["behind the scenes"] = [
        path for group in usual for path in group.paths if path not in taken
    ]
    return [
        fo.SidebarGroupDocument(name=name, paths=list(paths), expanded=name in shown)
        for name, paths in (shown | folded).items()
    ]


def _save_views(dataset: Any, declaration: Declaration) -> None:
    from fiftyone import ViewExpression, ViewField  # noqa: PLC0415

    in_order = dataset.sort_by("rank")
    is_open = ViewField("open") > 0
    views = {
        "undecided": (in_order.match(is_open), "what is still to be judged, in its order"),
        "disagreements": (
            in_order.match(ViewField("disputed") == True),  # noqa: E712  # an expression
            "what two auditors hold different answers of",
        ),
    }
    if "margin" in declaration.facets:
        views["low margin"] = (dataset.sort_by("margin"), "the closest votes first")
    for name in declaration.types:
        is_type = ViewField("type") == ViewExpression.literal(name)  # $name would be a field
        views[f"type: {excerpt(name, 60)}"] = (in_order.match(is_type), "")
    for name in declaration.auditors:
        by_name = ViewField("auditors").contains([ViewExpression.literal(name)])
        views[f"by {excerpt(name, 60)}"] = (in_order.match(by_name), f"what {name} judged")
    for name, (view, said) in views.items():
        _save_view(dataset, name, view, said)


def _save_view(dataset: Any, name: str, view: Any, description: str) -> None:
    import fiftyone.core.utils as fou  # noqa: PLC0415

    # FiftyOne tells views apart by the letters a to z of their names
    slugs = {fou.to_slug(each): each for each in dataset.list_saved_views() if each != name}
    chosen, number = name, 2
    while fou.to_slug(chosen) in slugs:
        chosen, number = f"{name} ({number})", number + 1
    dataset.save_view(chosen, view, description=description or None, overwrite=True)


if __name__ == "__main__":
    _declare(Declaration(**json.load(sys.stdin)))
