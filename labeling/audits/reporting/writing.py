"""The files of a report in audits/; the same decisions, plan and votes give the same bytes."""

from collections.abc import Mapping
from pathlib import Path

from benchwright import files
from benchwright.workspace import Workspace
from labeling.audits.reporting.markdown import markdown
from labeling.audits.reporting.page import render
from labeling.audits.reporting.report import Report
from labeling.audits.reporting.report_file import report_json


def write_report(workspace: Workspace, report: Report) -> Mapping[str, Path]:
    """Write agreement.json, report.md and report.html; return where they are, by what they are."""
    workspace.audits.mkdir(parents=True, exist_ok=True)
    paths = {
        "figures": workspace.audits / "agreement.json",
        "text": workspace.audits / "report.md",
        "page": workspace.audits / "report.html",
    }
    files.write_json(paths["figures"], report_json(report))
    files.write_bytes(paths["text"], markdown(report))
    files.write_bytes(paths["page"], render(report))
    return paths
