"""The page as an auditor uses it: a browser, the keyboard, a file that is downloaded."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.journal import read_journal
from benchwright.decisions.standing import standing
from benchwright.decisions.taking_in import take_in
from benchwright.workspace import Workspace
from labeling.audits.sheets.reading import read_sheet
from labeling.audits.sheets.writing import Sheet, write_sheets, write_third_looks
from labeling.audits.syncing.slots import from_sheet
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings, TaskBox

api = pytest.importorskip(
    "playwright.sync_api", reason="playwright IS NOT INSTALLED: NO SHEET WAS OPENED IN A BROWSER"
)
CHROMIUM = Path("/usr/bin/chromium")
ATTRIBUTES = kind_of("attributes")
NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND"


@pytest.fixture(scope="module")
def _browser() -> Iterator[Any]:
    with api.sync_playwright() as playwright:
        path = str(CHROMIUM) if CHROMIUM.exists() else None
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", NOWHERE], timeout=60_000
        )
        yield browser
        browser.close()


@pytest.fixture
def tab(_browser: Any) -> Iterator[SimpleNamespace]:
    """A browser of its own, with all that the page complained of."""
    context = _browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url))
    yield SimpleNamespace(page=page, said=said, context=context)
    context.close()


@pytest.fixture
def download(tab: SimpleNamespace, tmp_path: Path) -> Callable[[], Path]:
    def save() -> Path:
        with tab.page.expect_download() as waited:
            tab.page.click("#download")
        path = tmp_path / "downloads" / waited.value.suggested_filename
        waited.value.save_as(path)
        return path

    return save


def show(tab: SimpleNamespace, sheet: Sheet) -> None:
    tab.page.goto(sheet.pages[0].path.as_uri())


def press(tab: SimpleNamespace, *keys: str) -> None:
    for key in keys:
        tab.page.keyboard.press(key)


def outside(tab: SimpleNamespace) -> list[str]:
    """What the page asked for, or complained of, but for itself, its pictures and its CSV."""
    return [text for text in tab.said if not text.startswith(("file:", "data:image/", "blob:"))]


def test_tasks_are_judged_by_keys_and_come_back(
    workspace: Workspace, tab: SimpleNamespace, download: Callable[[], Path]
) -> None:
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    tasks = ATTRIBUTES.tasks(workspace, AuditSettings())
    show(tab, sheet)
    other = tab.page.text_content(".values label:first-child span")
    press(tab, "1")  # no, it is the first other value
    press(tab, "/")
    tab.page.keyboard.type("=sum; y, n")  # these are letters of a note, no keys
    press(tab, "Escape", "y", "n", "u")
    path = download()
    assert path.name == "attributes-ana.csv"
    read = read_sheet(workspace, path, None)
    assert (read.rejects, read.blank) == ((), len(tasks) - 4)
    assert [task.task_id for task, _ in read.rows] == [task.task_id for task in tasks[:4]]
    first, second, third, fourth = (slot for _, slot in read.rows)
    assert (first.value, first.text) == ("no", f'{{"value": "{other}"}}')
    assert (second.value, second.note) == ("yes", "=sum; y, n")
    assert (third.value, fourth.verdict) == ("no", "unsure")
    assert all(slot.auditor == "ana" and slot.seconds == 1 for _, slot in read.rows)
    assert first.at < second.at < third.at < fourth.at  # the page's own times
    assert outside(tab) == []


def test_a_closed_tab_loses_nothing_and_undo_takes_back(
    workspace: Workspace, tab: SimpleNamespace
) -> None:
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    show(tab, sheet)
    press(tab, "y", "y", "n")
    tab.page.close()
    tab.page = tab.context.new_page()
    show(tab, sheet)
    assert "3 of 40 on this page judged" in str(tab.page.text_content("#done"))
    assert "task 4 of 40" in str(tab.page.text_content("#place"))  # it goes on where it was
    press(tab, "z")
    assert "task 3 of 40" in str(tab.page.text_content("#place"))
    press(tab, "k", "n", "n")  # the second, judged anew; then the third
    with tab.page.expect_download() as waited:
        tab.page.click("#download")
    path = workspace.root / "filled.csv"
    waited.value.save_as(path)
    values = [slot.value for _, slot in read_sheet(workspace, path, None).rows]
    assert values == ["yes", "no", "no"]


def test_what_is_undone_after_a_sync_is_withdrawn(
    workspace: Workspace, tab: SimpleNamespace, download: Callable[[], Path]
) -> None:
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    show(tab, sheet)

    def synced() -> tuple[int, int]:
        found = from_sheet(workspace, download(), None)
        assert not found.refused
        taken = take_in(workspace, found.decisions)
        return taken.new, taken.withdrawn

    press(tab, "1", "y")  # another value is named in the place of the first
    assert synced() == (3, 0)
    press(tab, "z", "z")
    assert "0 of 40 on this page judged" in str(tab.page.text_content("#done"))
    tab.page.reload()
    assert synced() == (3, 3)
    assert not standing(read_journal(workspace).decisions)
    assert synced() == (0, 0)
    press(tab, "n")
    assert synced() == (1, 0)
    (left,) = standing(read_journal(workspace).decisions).values()
    assert left["ana"].after == "no"


def test_boxes_are_carried_over_and_ticks_are_asked_for(
    workspace: Workspace,
    image_ids: list[str],
    made: SimpleNamespace,
    kinds: Callable[[Any], None],
    tab: SimpleNamespace,
    download: Callable[[], Path],
) -> None:
    def turn(number: int) -> Any:
        boxes = [("1", (10, 10, 60, 80)), ("2", (90, 40, 40, 40)), ("x|3", (150, 60, 40, 90))]
        return made.task(
            image_ids[0],
            f"d/{number}",
            kind="candidate-set",
            shown={
                "dialogue_id": "d",
                "turn": number,
                "turns": 3,
                "context": [{"speaker": "Q", "text": "<b>Is it red?</b>"}] * number,
                "said": number - 1,
                "boxes": [{"id": name, "bbox": bbox} for name, bbox in boxes],
                "checklist": ["unclear"],
            },
            boxes=tuple(TaskBox(label=f"{name} bag", bbox=bbox) for name, bbox in boxes),
        )

    kind = made.StandIn(name="candidate-set", made=[turn(1), turn(2), turn(3)])
    kinds(kind)
    (sheet,) = write_sheets(workspace, kind, AuditSettings(), ["ana"])
    show(tab, sheet)
    assert "Turn1 of 3" in str(tab.page.text_content("#judging"))
    press(tab, "y")
    assert "Mark each object" in str(tab.page.text_content("#refused"))
    press(tab, "1", "3", "y")
    assert tab.page.locator("rect.ticked").count() == 2  # those of the turn before
    assert tab.page.locator("#judging b").count() == 2  # speakers: others' text is no HTML
    tab.page.locator("rect").first.click()
    press(tab, "y", "n")
    assert "Tick what is wrong first" in str(tab.page.text_content("#refused"))
    press(tab, "4", "n")
    read = read_sheet(workspace, download(), None)
    assert [(slot.verdict, slot.boxes, slot.failed) for _, slot in read.rows] == [
        ("confirmed", ("1", "x|3"), ()),
        ("confirmed", ("x|3",), ()),
        ("rejected", (), ("unclear",)),
    ]
    assert outside(tab) == []


def test_a_third_look_at_several_kinds_judges_each_by_its_own_words(
    workspace: Workspace,
    image_ids: list[str],
    made: SimpleNamespace,
    kinds: Callable[..., None],
    tab: SimpleNamespace,
    download: Callable[[], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    label, other = ATTRIBUTES.tasks(workspace, AuditSettings(limit=2))
    tasks = [label, made.task(image_ids[0], "d-1"), made.task(image_ids[0], "d-2"), other]
    monkeypatch.setattr("labeling.audits.sheets.writing.third_looks", lambda *_: tasks)
    kinds(made.StandIn())
    (sheet,) = write_third_looks(workspace, AuditSettings(), ["cy"])
    show(tab, sheet)
    assert tab.page.evaluate("document.body.className") == "attributes"
    press(tab, "y")
    assert tab.page.evaluate("document.body.className") == "false-premise"
    press(tab, "y", "n")
    assert "Tick what is wrong first" in str(tab.page.text_content("#refused"))
    press(tab, "1", "n", "n")
    path = download()
    assert path.name == "disagreements-cy.csv"
    read = read_sheet(workspace, path, None)
    assert [(task.kind, slot.verdict, slot.value) for task, slot in read.rows] == [
        ("attributes", "confirmed", "yes"),
        ("false-premise", "confirmed", None),
        ("false-premise", "rejected", None),
        ("attributes", "confirmed", "no"),
    ]
    assert outside(tab) == []


def test_a_browser_that_keeps_nothing_says_so(
    workspace: Workspace, tab: SimpleNamespace, download: Callable[[], Path]
) -> None:
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    tab.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('refused') }})"
    )
    show(tab, sheet)
    assert "keeps nothing" in str(tab.page.text_content("#warning"))
    press(tab, "y")
    assert len(read_sheet(workspace, download(), None).rows) == 1
