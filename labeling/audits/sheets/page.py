"""A sheet as pages: each one HTML file that needs nothing else, written as it goes."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import jinja2

from benchwright import files
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from labeling.audits.sheets import asking
from labeling.audits.sheets.cells import ASKED, FILLED, separator
from labeling.audits.sheets.pictures import (
    MAIN,
    SEVERAL,
    Pictured,
    Shot,
    closeups,
    data_uri,
    other_images,
)
from labeling.audits.tasks.names import AuditName, ThirdLook
from labeling.audits.tasks.task import Task

MOST_BYTES = 48 * 2**20  # of the pictures and tasks of one page


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A task with ``cells``, what the CSV says of it under ``ASKED``."""

    task: Task
    key: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What the pages of one sheet share."""

    audit: AuditName | ThirdLook
    auditor: str
    blind: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page that was written, with its tasks ``first`` to ``last``, from 1."""

    path: Path
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """Text of a page that its script reads; ``what`` is task or picture."""

    what: Literal["task", "picture"]
    name: str
    text: str


def write_pages(
    workspace: Workspace,
    heading: Heading,
    rows: Sequence[SheetRow],
    pictures: Mapping[str, Pictured],
    path: Path,
    progress: Progress = no_progress,
) -> Sequence[Page]:
    """Write as many pages as keep each below ``MOST_BYTES``; a task is never cut.

    Several are called ``NAME-1.html`` and on. One picture is held at a time. Raises LostPicture.
    """
    pages: list[Page] = []
    done = 0
    rest = iter(progress(path.stem, len(rows))(rows))
    while done < len(rows):
        part = path.with_stem(f"{path.stem}-{len(pages) + 1}")
        blocks = _Blocks(workspace=workspace, pictures=pictures)
        facts = _facts(heading, first=done + 1, total=len(rows))
        with files.atomic(part) as stream:
            for text in _template().generate(**facts, blocks=blocks.of(rest)):
                stream.write(text.encode("utf-8", "replace"))
        pages.append(Page(path=part, first=done + 1, last=done + blocks.tasks))
        done += blocks.tasks
        rest = chain(blocks.left, rest)
    if len(pages) == 1:
        pages[0].path.replace(path)
        return (replace(pages[0], path=path),)
    return pages


@dataclass(slots=True, kw_only=True)
class _Blocks:
    """The blocks of one page, until it is full.

    ``tasks`` counts those that it took, ``left`` is the one that it took no more.
    """

    workspace: Workspace
    pictures: Mapping[str, Pictured]
    tasks: int = 0
    left: tuple[SheetRow, ...] = ()
    size: int = 0
    names: dict[Shot, str] = field(default_factory=dict)

    def of(self, rows: Iterator[SheetRow]) -> Iterator[_Block]:
        """Yield the blocks of the first rows, a picture before the first task that shows it."""
        for row in rows:
            picture = self.pictures[row.task.image_id]
            shots = _shots(row.task, picture)
            uris = [
                (shot, data_uri(self.workspace, shot)) for shot in shots if shot not in self.names
            ]
            text_size = len(json.dumps(row.task.shown))
            size = text_size + sum(len(uri) for _, uri in uris)
            if self.tasks and self.size + size > MOST_BYTES:
                self.left = (row,)
                return
            for shot, uri in uris:
                self.names[shot] = f"p{len(self.names)}"
                yield _Block(what="picture", name=self.names[shot], text=uri)
            yield _Block(what="task", name=row.key, text=self._task(row, picture, shots))
            self.tasks += 1
            self.size += size

    def _task(self, row: SheetRow, picture: Pictured, shots: Sequence[Shot]) -> str:
        task, shown = row.task, row.task.shown
        boxes = asking.box_ids(shown)
        ticks = asking.ticks(shown)
        named = {shot: self.names[shot] for shot in shots}
        said = {
            "key": row.key,
            "kind": task.kind,
            "form": asking.form_of(task.kind),
            "row": row.cells,
            "asked": asking.question_of(task),
            "main": next((name for shot, name in named.items() if shot.within == MAIN), None),
            "close": [name for shot, name in named.items() if shot.crop is not None],
            "several": list(_several(shown, {shot.image: name for shot, name in named.items()})),
            "size": [picture.width, picture.height],
            "boxes": [
                {"label": box.label, "bbox": box.bbox, "target": box.is_target}
                for box in task.boxes
            ],
            "boxIds": boxes,
            "ticks": [{"name": name, "text": text} for name, text in ticks.items()],
            "areFaults": asking.are_faults(shown),
            "needsNote": asking.needs_note(shown),
            "failing": asking.failing(shown),
            "values": asking.others(shown),
            "proposed": list(shown.get("proposed") or ()),
            "dialogue": shown.get("dialogue_id"),
            "separators": {"boxes": separator(boxes), "failed": separator(list(ticks))},
            "shown": shown,
        }
        return json.dumps(said)


def _shots(task: Task, picture: Pictured) -> Sequence[Shot]:
    """Return the pictures of a task: its own, or those that it shows when they are several."""
    others = list(dict.fromkeys(other_images(task.shown)))
    if len(others) > 1:
        return [Shot(image=image, within=SEVERAL) for image in others]
    return [Shot(image=picture.image, within=MAIN), *closeups(picture, task.boxes)]


def _several(shown: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield the pictures of a gallery as the page draws them."""
    for entry in shown.get("pictures") or ():
        told = [f"{'' if each['has'] else 'not '}{each['value']}" for each in entry["told_by"]]
        yield {
            "name": names[entry["picture"]],
            "label": f"#{entry['number']}",
            "target": entry["number"] == shown["target"],
            "text": "; ".join([entry["title"], *told[:3]]),
        }


def _facts(heading: Heading, *, first: int, total: int) -> Mapping[str, Any]:
    sheet = {
        "audit": heading.audit,
        "auditor": heading.auditor,
        "blind": heading.blind,
        "first": first,
        "total": total,
        "columns": [*ASKED, *FILLED],
    }
    style = _text("benchwright", "report_page.css") + _text(__package__, "page.css")
    script = _text(__package__, "shown.js") + _text(__package__, "page.js")
    return {
        "sheet": heading,
        "sheet_json": json.dumps(sheet),
        "style": style,
        "style_hash": _csp_hash(style),
        "script": script,
        "script_hash": _csp_hash(script),
    }


def _template() -> jinja2.Template:
    """Return the template; texts are escaped, style and script are ours and put in as they are."""
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_text(__package__, "page.html.j2"))


def _text(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text("utf-8")


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
