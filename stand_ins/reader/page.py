"""What a page of the documentation tells its reader to run, and what it says comes of it."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

PROGRAMS = (
    "benchwright",
    "build-catalog",
    "label-attributes",
    "build-dialogues",
    "review-labels",
    "build-galleries",
    "push-release",
    "run-benchmark",
)
_OTHERS = ("make", "pip", "python", "ray")  # what pages run besides
_SHELL = ("sh", "bash", "shell")
_PROMPT = "$ "
_FILE = re.compile(r"# ([\w.-]+\.ya?ml)\n")
_SETTING = re.compile(r"[A-Z_]+=\S*")


class UnreadablePage(AssertionError):
    """A page has what looks like a command where the reader does not look for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as a page has it: where, its text, and the lines shown below it, if any.

    What is shown below a block of several commands without a prompt is said by all of them; it is
    that of the last, and ``block`` is the same number for all. A block of Python is one command,
    whose text is the code.
    """

    page: str
    line: int
    text: str
    block: int = 0
    shown: tuple[str, ...] = ()
    is_python: bool = False

    @property
    def words(self) -> list[str]:
        """The words as a shell would split them, without comments and settings before them."""
        if self.is_python:
            return ["python", "-c", self.text]
        words = shlex.split(self.text, comments=True)
        while words and _SETTING.fullmatch(words[0]):
            del words[0]
        return words

    @property
    def program(self) -> str:
        """The first word."""
        return self.words[0]

    def __str__(self) -> str:
        """Return where it stands, and its text."""
        return f"{self.page}:{self.line}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """What stands within a sentence as code."""

    page: str
    line: int
    text: str

    def __str__(self) -> str:
        """Return where it stands, and its text."""
        return f"{self.page}:{self.line}: `{self.text}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file that a page tells its reader to write: a block of YAML whose first line names it."""

    line: int
    name: str
    text: str


def pages_of(root: Path) -> list[str]:
    """Return the pages of a repository that people read, as paths within it."""
    named = [root / "README.md", root / "CONTRIBUTING.md", root / "notebooks" / "README.md"]
    found = [path for path in named if path.exists()]
    found += sorted((root / "docs").rglob("*.md"))
    return [path.relative_to(root).as_posix() for path in found]


def commands_of(text: str, page: str) -> list[Command]:
    """Return all commands of a page in their order.

    An indented block is one of a shell. A block of text below one of a shell, under the same
    heading, shows what its commands say.

    Raises UnreadablePage for a line that begins with one of our programs in a block that is
    neither of a shell nor shows a prompt.
    """
    found: list[Command] = []
    is_open = False  # a block of commands stands before, and nothing was shown of it
    for block in _tokens(text):
        if block.type == "heading_open":
            is_open = False
        if block.type not in ("fence", "code_block"):
            continue
        first = (block.map or [0])[0] + (2 if block.type == "fence" else 1)
        lines = list(enumerate(block.content.splitlines(), first))
        if any(line.startswith(_PROMPT) for _, line in lines):
            found += _of_console(lines, page)
            is_open = False
        elif block.type == "code_block" or block.info.strip() in _SHELL:
            of_block = list(_of_shell(lines, page, first))
            found += of_block
            is_open = bool(of_block)
        elif block.info.strip() == "python":
            found.append(Command(page=page, line=first, text=block.content, is_python=True))
            is_open = False
        else:
            _refuse_commands(lines, page)
            if is_open and block.info.strip() in ("text", ""):
                found[-1] = replace(found[-1], shown=tuple(line for _, line in lines))
                is_open = False
    return found


def files_of(text: str) -> list[Written]:
    """Return the files that a page has its reader write, in their order."""
    found = []
    for block in _tokens(text):
        named = _FILE.match(block.content) if block.type == "fence" else None
        if named is not None and block.info.strip() == "yaml":
            line = (block.map or [0])[0] + 1
            found.append(Written(line=line, name=named[1], text=block.content))
    return found


def mentions_of(text: str, page: str) -> list[Mention]:
    """Return all code within sentences, tables and headings of a page."""
    found = []
    for token in _tokens(text):
        line = (token.map or [0])[0] + 1
        found += [
            Mention(page=page, line=line, text=" ".join(child.content.split()))
            for child in token.children or ()
            if child.type == "code_inline"
        ]
    return found


def _tokens(text: str) -> Sequence[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def _of_shell(lines: Iterable[tuple[int, str]], page: str, block: int) -> Iterator[Command]:
    for number, line in _joined(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            for part in line.split(" && "):
                yield Command(page=page, line=number, text=part.strip(), block=block)


def _of_console(lines: Iterable[tuple[int, str]], page: str) -> Iterator[Command]:
    asked: list[tuple[int, str]] = []
    shown: list[str] = []
    for number, line in _joined(lines):
        if not line.startswith(_PROMPT):
            shown.append(line)
            continue
        yield from _with_shown(asked, shown, page)
        asked, shown = [(number, line.removeprefix(_PROMPT))], []
    yield from _with_shown(asked, shown, page)


def _with_shown(
    asked: Sequence[tuple[int, str]], shown: Sequence[str], page: str
) -> Iterator[Command]:
    """Yield the commands of one prompt; what is shown is what the last of them says."""
    parts = [(number, part) for number, line in asked for part in line.split(" && ")]
    for at, (number, part) in enumerate(parts, 1):
        is_last = at == len(parts)
        said = tuple(shown) if is_last else ()
        yield Command(page=page, line=number, text=part.strip(), block=number, shown=said)


def _joined(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield lines, those that a backslash goes on as one."""
    begun: tuple[int, str] | None = None
    for number, line in lines:
        first, before = begun or (number, "")
        whole = before + (line.lstrip() if before else line)
        if line.endswith("\\"):
            begun = (first, whole[:-1])
        else:
            begun = None
            yield first, whole


def _refuse_commands(lines: Iterable[tuple[int, str]], page: str) -> None:
    for number, line in lines:
        if line.split(" ")[0] in (*PROGRAMS, *_OTHERS) and " " in line:
            raise UnreadablePage(
                f"{page}:{number}: {line!r} looks like a command; write it in a block of sh, or"
                " behind a prompt in one of text"
            )
