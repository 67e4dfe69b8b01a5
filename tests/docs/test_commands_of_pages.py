"""Which commands pages have: each is followed somewhere, and names what there is."""

import re
from pathlib import Path

import pytest

from stand_ins.reader.chapters import (
    CHAPTERS,
    NOT_RUN,
    OTHER_LINES,
    OTHER_NUMBERS,
    RUN_AS,
    commands_in,
    reason,
)
from stand_ins.reader.options import all_options, faults_of
from stand_ins.reader.page import (
    PROGRAMS,
    UnreadablePage,
    commands_of,
    files_of,
    mentions_of,
    pages_of,
)
from stand_ins.reader.shown import not_said

ROOT = Path(__file__).parents[2]
PAGES = [page for page in pages_of(ROOT) if page != "docs/commands.md"]  # which is written by help
OURS = tuple(f"{program} " for program in PROGRAMS)
# options of other programs that pages speak of
OTHERS = {"--limit-mm-per-prompt": "vLLM", "--batch_size": "lmms-eval", "--no-deps": "pip"}
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
    named = [
        (str(one), one.text.split()[1])
        for page in PAGES
        for one in (*commands_of(text_of(page), page), *mentions_of(text_of(page), page))
        if one.text.startswith("make ")
    ]
    assert named
    assert [one for one, target in named if target not in targets] == []


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


# a page, what commands are found in it
@pytest.mark.parametrize(
    ("text", "found"),
    [
        # comments and blank lines are none
        ("```sh\n# first\nmake demo\n\nmake test\n```\n", ["make demo", "make test"]),
        # a backslash goes on
        ("```sh\nmake \\\n  demo\n```\n", ["make demo"]),
        # two in one line
        ("```text\n$ make demo && make test\n```\n", ["make demo", "make test"]),
        # behind a prompt, also where it is indented
        ("Do it:\n\n    $ make demo\n    done\n", ["make demo"]),
        # what is not of a shell
        ("```yaml\nbuild: catalog\n```\n", []),
    ],
)  # fmt: skip
def test_commands_are_found(text: str, found: list[str]) -> None:
    assert [one.text for one in commands_of(text, "page.md")] == found


# a page, what is shown below its last command
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # below a prompt
        ("```text\n$ make demo\none\ntwo\n```\n", ("one", "two")),
        # in a block of its own, with words before it
        ("```sh\nmake demo\n```\n\nIt says:\n\n```text\none\n```\n", ("one",)),
        # under another heading it is something else
        ("```sh\nmake demo\n```\n\n## Files\n\n```text\none\n```\n", ()),
        # only the first block is what it says
        ("```sh\nmake demo\n```\n```text\none\n```\n```text\ntwo\n```\n", ("one",)),
    ],
)
def test_what_is_shown_is_found(text: str, shown: tuple[str, ...]) -> None:
    assert commands_of(text, "page.md")[-1].shown == shown


def test_a_command_in_a_block_of_something_else_is_refused() -> None:
    with pytest.raises(UnreadablePage, match=r"page\.md:2: 'build-catalog dedup'"):
        commands_of("```text\nbuild-catalog dedup\n```\n", "page.md")


def test_files_that_a_page_has_its_reader_write_are_found() -> None:
    text = "```yaml\n# voters.yaml\nvoters: []\n```\n```yaml\nmargin: 0\n```\n"
    (found,) = files_of(text)
    assert (found.name, found.text) == ("voters.yaml", "# voters.yaml\nvoters: []\n")


# a command, what is wrong with it
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("build-galleries --tau 0.6", []),
        ("build-galleries --taus 0.6", ["build-galleries has no option --taus"]),
        ("build-catalog cocoa x.json", ["build-catalog has no command cocoa"]),
        # a release in the place of a command
        ("run-benchmark ana/dresses@v1.0.0 --player greedy", []),
        ("run-benchmark RELEASE --gamer greedy", ["run-benchmark has no option --gamer"]),
        # any of the commands of a group
        ("label-attributes … --ensemble", []),
        ("label-attributes … --ensembles", ["label-attributes has no option --ensembles"]),
        # a number is no option
        ("push-release build dresses --version -1", []),
    ],
)
def test_what_is_wrong_with_a_command(text: str, wrong: list[str]) -> None:
    assert faults_of(text) == wrong


# what is shown, what was said, with numbers or without: what is missing
@pytest.mark.parametrize(
    ("shown", "said", "with_numbers", "missing"),
    [
        (["one 1", "two"], "zero\none  1\ntwo\n", True, []),
        (["one 2"], "one 1\n", True, ["one 2"]),
        (["one 2,000 (1.5%)"], "one 1 (20.25%)\n", False, []),
        # in this order alone
        (["two", "one"], "one\ntwo\n", True, ["one"]),
        (["...", "two"], "one\ntwo\n", True, []),
        (["one, …"], "one, two, three\n", True, []),
        (["one, …"], "two, one\n", True, ["one, …"]),
        # the commit of a Hub is a number
        (["at c44d74cff87e"], "at 0123456789ab\n", False, []),
    ],
)
def test_what_is_shown_is_compared(
    shown: list[str], said: str, with_numbers: bool, missing: list[str]
) -> None:
    assert not_said(shown, said, with_numbers=with_numbers) == missing
