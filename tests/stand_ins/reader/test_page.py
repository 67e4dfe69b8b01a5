"""What the reader finds on a page."""

import pytest

from stand_ins.reader.page import UnreadablePage, commands_of, files_of


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
        # an indented block is of a shell
        ("Here:\n\n    ssh host  # ana\n", ["ssh host  # ana"]),
        # a block of Python is one command
        ("```python\nimport a\n\nimport b\n```\n", ["import a\n\nimport b\n"]),
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


def test_code_is_run_by_python() -> None:
    (code,) = commands_of("```python\nprint('# 1')\n```\n", "page.md")
    assert code.words == ["python", "-c", "print('# 1')\n"]
