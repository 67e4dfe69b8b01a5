"""The page of a report: one file that needs nothing else."""

import json
from collections.abc import Mapping, Sequence
from importlib import resources

from benchwright.plain_text import plain
from benchwright.report_page import render_page
from evaluation.report.drawing import mark_of, svg_of
from evaluation.report.kinds.sheet import Chart
from evaluation.report.sections import Section
from evaluation.report.viewing.choosing import Embedded


def page_of(
    sections: Sequence[Section], across: Mapping[str, Sequence[Chart]], viewer: Embedded
) -> bytes:
    """Return the page; texts of models cannot leave the place that they stand in.

    ``across`` are the charts over configs by the release that they are of.
    """
    return render_page(
        "evaluation.report",
        "page.html.j2",
        sections=sections,
        across=across,
        viewer=viewer,
        data=script_data({"runs": viewer.runs, "pictures": viewer.pictures}),
        page_style=_text("page.css"),
        script=_text("page.js"),
        svg_of=svg_of,
        mark_of=mark_of,
        plain=plain,
    )


def script_data(data: object) -> str:
    """Return JSON that no text in it can end early, whatever is in a script element."""
    text = json.dumps(
        data, ensure_ascii=True, sort_keys=True, allow_nan=False, separators=(",", ":")
    )
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _text(name: str) -> str:
    return resources.files("evaluation.report").joinpath(name).read_text("utf-8")
