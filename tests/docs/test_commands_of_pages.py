"""Which commands pages have: each is followed somewhere, and names what there is."""

import re
from pathlib import Path

import pytest

from stand_ins.reader.chapters import CHAPTERS, commands_in
from stand_ins.reader.exceptions import NOT_RUN, OTHER_LINES, OTHER_NUMBERS, RUN_AS, reason
from stand_ins.reader.options import all_options, faults_of
from stand_ins.reader.page import PROGRAMS, commands_of, mentions_of, pages_of
from stand_ins.reader.worlds import WORLDS

ROOT = Path(__file__).parents[2]
PAGES = [page for page in pages_of(ROOT) if page != "docs/commands.md"]  # which is written by help
OURS = tuple(f"{program} " for program in PROGRAMS)
# options of other programs that pages speak of
OTHERS = {"--limit-mm-per-prompt": "vLLM", "--batch_size": "lmms-eval", "--no-deps": "pip"}
_TARGETS = {"torch": "test-clip", "pymongo": "test-review"}
MAKE = (ROOT / "Makefile").read_text("utf-8")


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_is_followed_or_said_not_to_be(page: str) -> None:
    followed = [command for one in CHAPTERS if one.page == page for command in commands_in(one)]
    left_out = [command for command in commands_of(text_of(page), page) if command not in followed]
    assert [str(one) for one in left_out if reason(one, NOT_RUN) is None] == []


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_there(page: str) -> None:
    commands = [one for one in commands_of(text_of(page), page) if one.program in PROGRAMS]
    mentions = [one for one in mentions_of(text_of(page), page) if one.text.startswith(OURS)]
    wrong = [f"{one}: {fault}" for one in commands for fault in faults_of(one.text)]
    wrong += [f"{one}: {fault}" for one in mentions for fault in faults_of(one.text)]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES)
def test_options_that_a_page_speaks_of_are_some_command_s(page: str) -> None:
    known = {*all_options(), *OTHERS}
    spoken = [one for one in mentions_of(text_of(page), page) if one.text.startswith("--")]
    said = [(one, re.split(r"[ =]", one.text)[0]) for one in spoken]
    assert [str(one) for one, name in said if name not in known] == []


def test_make_targets_of_pages_are_there() -> None:
    targets = set(re.findall(r"^([\w-]+):", MAKE, re.MULTILINE))
    texts = [
        one.text
        for page in PAGES
        for found in (commands_of, mentions_of)
        for one in found(text_of(page), page)
    ]
    named = [text.split()[1] for text in texts if text.startswith("make ")]
    assert named
    assert set(named) <= targets


def test_targets_that_are_followed_run_what_is_followed() -> None:
    for target, command in RUN_AS.items():
        name = target.removeprefix("make ")
        (recipe,) = re.findall(rf"^{name}:.*\n((?:\t.*\n)+)", MAKE, re.MULTILINE)
        assert recipe.strip() == f"$(BIN)/{command}"


@pytest.mark.parametrize("table", [NOT_RUN, OTHER_NUMBERS, OTHER_LINES])
def test_no_exception_is_out_of_date(table: dict[str, str]) -> None:
    every = [one for page in PAGES for one in commands_of(text_of(page), page)]
    unused = [begins for begins in table if not any(reason(one, {begins: "here"}) for one in every)]
    assert unused == []


def test_every_world_is_that_of_a_chapter() -> None:
    assert {one.world for one in CHAPTERS} == set(WORLDS)


# what a chapter needs, which test follows it
@pytest.mark.parametrize(
    ("needs", "test"),
    [("torch", "test_pages_with_clip.py"), ("pymongo", "test_pages_in_the_app.py")],
)
def test_chapters_that_need_an_extra_are_followed_by_a_target(needs: str, test: str) -> None:
    path = Path(__file__).with_name(test)
    assert any(one.needs == needs for one in CHAPTERS)
    assert f'importorskip("{needs}"' in path.read_text("utf-8")
    (recipe,) = re.findall(rf"^{_TARGETS[needs]}:.*\n((?:\t.*\n)+)", MAKE, re.MULTILINE)
    assert f'"{needs}"' in recipe or f"tests/docs/{test}" in recipe
