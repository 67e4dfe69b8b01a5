"""The files for readers, whatever the texts in them are."""

import html.parser
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.fields import label_field
from benchwright.decisions.journal import append_decisions
from benchwright.workspace import Workspace
from labeling.audits.reporting.confusion import Said
from labeling.audits.reporting.markdown import escaped, markdown
from labeling.audits.reporting.page import render
from labeling.audits.reporting.report import Report, make_report

HOSTILE = (
    "</b><script src=https://evil.example/x.js></script>\"'><img src=x onerror=alert(1)>|{{7*7}}"
)


class Page(html.parser.HTMLParser):
    """What a browser makes of the page: tags with the names of their attributes, and the text."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[str]]] = []
        self.text = ""
        self.feed(data.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, sorted(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def by_texts(kit: SimpleNamespace, folder: Path, text: str) -> Report:
    """Return the report of a journal in which all that others may write is one text."""
    workspace = Workspace(folder)
    field = label_field(f"type {text}", f"value {text}")
    names = [f"{at} {text}" for at in ("ana", "bo", "chi")]
    made = [
        kit.decision(number, auditor=name, field=field, note=text)
        for number in range(12)
        for name in names
    ]
    made += [
        kit.decision(record_id="r", image_id=None, auditor=name, field=f"check {text}")
        for name in names
    ]
    made += [
        kit.decision(
            record_id="d/1", image_id=None, auditor=name, field="candidates", after=f'["{at}"]'
        )
        for at, name in enumerate(names)
    ]
    append_decisions(workspace, made)
    with (workspace.audits / "decisions.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({text: 1}) + "\n")
    return make_report(workspace, draws=50)


def test_hostile_texts_are_shown_and_do_nothing(kit: SimpleNamespace, tmp_path: Path) -> None:
    tame = Page(render(by_texts(kit, tmp_path / "a", "tame")))
    hostile = Page(render(by_texts(kit, tmp_path / "b", HOSTILE)))
    # the same tags, whatever the texts are: none was opened or closed by one
    assert hostile.tags == tame.tags
    assert hostile.text.count(HOSTILE[:30]) > 5


def with_texts(found: Report, text: str) -> Report:
    """Return a report in which voters, values, wordings and pictures have one text."""
    own = found.findings
    assert own is not None
    lowest = own.lowest
    return replace(
        found,
        notes=(text,),
        findings=replace(
            own,
            voters=tuple(replace(each, name=text) for each in own.voters),
            wordings={"1": text},
            lowest=replace(
                lowest, values=tuple(replace(each, name=(text, text)) for each in lowest.values)
            ),
            wrong=tuple(replace(each, label=text, title=text) for each in own.wrong),
        ),
    )


def test_hostile_texts_of_a_workspace_do_nothing(audited: Callable[..., Any]) -> None:
    shop = audited()
    shop.judge(errs=lambda item, _: item.value == "gold")
    found = make_report(shop.workspace, draws=50)
    tame, hostile = (Page(render(with_texts(found, text))) for text in ("tame", HOSTILE))
    assert hostile.tags == tame.tags
    assert hostile.text.count(HOSTILE[:30]) > 10
    assert not re.search(r"(?<!\\)<", markdown(with_texts(found, HOSTILE)).decode())


def test_hostile_texts_make_no_markup(kit: SimpleNamespace, tmp_path: Path) -> None:
    tame = markdown(by_texts(kit, tmp_path / "a", "tame")).decode()
    hostile = markdown(by_texts(kit, tmp_path / "b", HOSTILE)).decode()
    bars = re.compile(r"(?<!\\)\|")
    assert [len(bars.findall(line)) for line in hostile.splitlines()] == [
        len(bars.findall(line)) for line in tame.splitlines()
    ]
    assert not re.search(r"(?<!\\)<", hostile)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<b>&amp;", r"\<b\>\&amp;"),
        ("[x](y) `z` *w* _v_", r"\[x\](y) \`z\` \*w\* \_v\_"),
        ("back\\slash", r"back\\slash"),
        ("95.8% (93.9% to 97.2%)", "95.8% (93.9% to 97.2%)"),
    ],
)
def test_markdown_shows_texts_as_they_are(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_it_needs_nothing_but_itself(audited: Callable[..., Any]) -> None:
    shop = audited(good=1.0)
    shop.judge(errs=lambda item, _: item.value == "gold")
    data = render(make_report(shop.workspace, draws=50)).decode()
    assert re.findall(r'(?:src|href)="([^"]{0,23})', data) == ["data:image/jpeg;base64,"] * 3
    assert not re.search(r"url\(|@import|https?://|<script|<link", data)
    assert "default-src 'none'" in data


def test_a_plan_of_which_nothing_is_known_yet_has_no_empty_plots(
    audited: Callable[..., Any], kit: SimpleNamespace
) -> None:
    shop = audited()
    first = shop.plan.items[0]
    append_decisions(shop.workspace, [kit.judged(first, None)])
    found = make_report(shop.workspace, draws=50)
    assert found.findings is None
    assert "Of no label of the plan do auditors hold yes or no so far." in found.notes
    # one is known: of other strata nothing, so that no share is known of the whole
    append_decisions(shop.workspace, [kit.judged(shop.plan.items[1], "yes", "bo")])
    found = make_report(shop.workspace, draws=50)
    page = Page(render(found))
    assert "is not known yet" in page.text
    assert "nan" not in page.text
    assert "nan" not in markdown(found).decode()


def test_a_voter_of_whom_nothing_is_fair_is_said_so(audited: Callable[..., Any]) -> None:
    shop = audited()
    shop.judge()
    found = make_report(shop.workspace, draws=50)
    assert found.findings is not None
    none = Said(labels=0, yes=0.0, no=0.0, abstained=0.0)
    few = tuple(replace(each, are_yes=none, are_no=none) for each in found.findings.voters)
    page = render(replace(found, findings=replace(found.findings, voters=few))).decode()
    assert page.count("No judged label is a fair sample of its answers.") == len(few)
