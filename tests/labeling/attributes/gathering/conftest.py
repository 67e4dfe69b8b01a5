"""Scripted models that bring vocabularies into order, and workspaces for them."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.voters import Voter
from benchwright.workspace import Workspace
from stand_ins.models import Model, Question, Script, ScriptedServer, Turn

_TYPE = re.compile(r'attribute\s+("(?:[^"\\]|\\.)*")')
_VALUE = re.compile(r'^- ("(?:[^"\\]|\\.)*") \((\d+)\)$', re.MULTILINE)
_CLAIM = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(kw_only=True)
class Sage:
    """What a scripted model knows; all by type, groups begin with the name to keep.

    It accepts a merge that lies within its groups or within ``loose``, and of the rest what it
    would have said itself or what ``agrees`` names. ``reply`` makes it answer something else.
    """

    groups: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    silent: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)  # accepted only
    junk: dict[str, dict[str, str]] = field(default_factory=dict)
    unseen: dict[str, str] = field(default_factory=dict)  # whole types
    adds: dict[str, list[str]] = field(default_factory=dict)
    agrees: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    exclusive: dict[str, bool] = field(default_factory=dict)
    askable: dict[str, bool] = field(default_factory=dict)
    reply: Callable[[str, Any], Any] = lambda kind, data: data

    def answer(self, question: Question) -> Turn:
        text = question.messages[0]["content"]  # a repair is asked after it
        type_name = json.loads(_TYPE.search(text)[1])  # type: ignore[index]
        if "Somebody says" in text:
            data = self.reply("review", self._review(type_name, text))
        else:
            kind = "first" if "alternatives:" in text else "later"
            data = self.reply(kind, self._first(type_name, text))
            if kind == "later":
                data = {name: data[name] for name in ("merges", "not_visual")}
        said = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        return Turn(text=said, data=None if isinstance(data, str) else data)

    def _first(self, type_name: str, text: str) -> dict[str, Any]:
        values = [json.loads(found[1]) for found in _VALUE.finditer(text)]
        merges = []
        for group in self.groups.get(type_name, []):
            there = [value for value in group if value in values]
            if len(there) > 1:
                merges.append({"same": there, "keep": there[0], "why": "one thing"})
        junk = self.junk.get(type_name, {})
        return {
            "merges": merges,
            "not_visual": [{"value": v, "why": junk[v]} for v in values if v in junk],
            "alternatives": [
                {"value": v, "why": "by its look"} for v in self.adds.get(type_name, [])
            ],
            "about": {
                "name": self.names.get(type_name, type_name),
                "exclusive": self.exclusive.get(type_name, "taken for exclusive" in text),
                "askable": self.askable.get(type_name, "for askable" in text),
                "not_visual": self.unseen.get(type_name, ""),
            },
        }

    def _review(self, type_name: str, text: str) -> dict[str, Any]:
        return {
            "verdicts": [
                {"number": int(found[1]), "accept": self._accepts(type_name, found[2])}
                for found in _CLAIM.finditer(text)
            ]
        }

    def _accepts(self, type_name: str, claim: str) -> bool:
        named = [json.loads(part) for part in _TEXT.findall(claim)]
        if "two words for" in claim:
            known = [*self.groups.get(type_name, []), *self.silent.get(type_name, [])]
            return any(set(named) <= set(group) for group in known)
        if "no value of" in claim:
            return type_name in self.unseen
        if "cannot be told" in claim:
            return named[0] in self.junk.get(type_name, {})
        own = [*self.adds.get(type_name, []), self.names.get(type_name)]
        return named[0] in own or named[0] in self.agrees.get(type_name, [])


@dataclass(kw_only=True)
class Panel:
    """Scripted models behind one server."""

    server: ScriptedServer
    voters: tuple[Voter, ...]

    def calls(self) -> int:
        return self.server.counts.chats


@pytest.fixture
def sage() -> type[Sage]:
    return Sage


@pytest.fixture
def panel() -> Iterator[Callable[..., Panel]]:
    """Start models by name; ``models`` holds settings of theirs, ``voter`` those of all voters."""
    with ExitStack() as stack:

        def start(sages: dict[str, Sage], *, models: Any = None, **voter: Any) -> Panel:
            script = Script(models=[Model(name=name, **(models or {})) for name in sages])
            server = ScriptedServer(script, brain=lambda asked: sages[asked.model].answer(asked))
            stack.enter_context(server)
            made = tuple(
                Voter(name=name, model=name, base_url=server.base_url, **voter) for name in sages
            )
            return Panel(server=server, voters=made)

        yield start


def cataloged(run: Callable[..., Any], folder: Path, rows: Sequence[dict[str, Any]]) -> Workspace:
    folder.mkdir(parents=True, exist_ok=True)
    table, mapping = folder / "rows.jsonl", folder / "mapping.yaml"
    numbered = [{"id": f"i{at}", **row} for at, row in enumerate(rows)]
    table.write_text("".join(json.dumps(row) + "\n" for row in numbered), "utf-8")
    types = dict.fromkeys(name for row in rows for name in row)
    mapping.write_text(json.dumps({"id": "id", "attributes": sorted(types)}), "utf-8")
    root = folder / "workspace"
    ran = run("build-catalog", "table", table, "--mapping", mapping, "--workspace", root)
    assert ran.code == 0, ran.err
    return Workspace(root)


ROWS: list[dict[str, Any]] = [
    *[{"colour": "navy", "neck": "round", "brand": "acme"}] * 4,
    *[{"colour": "midnight sky", "neck": "crew", "brand": "zorb"}] * 2,
    {"colour": "red", "neck": "v-cut", "brand": "acme"},
    {"colour": "size 9", "neck": "v cutt", "brand": "acme"},
]


@pytest.fixture(scope="session")
def _shop(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cataloged(run, tmp_path_factory.mktemp("shop"), ROWS).root


@pytest.fixture
def shop(_shop: Path, tmp_path: Path) -> Workspace:
    """A catalog with synonyms, a brand's own colour, a brand and a size in the wrong place."""
    return Workspace(Path(shutil.copytree(_shop, tmp_path / "shop")))


@pytest.fixture
def catalog_of(run: Callable[..., Any], tmp_path: Path) -> Callable[..., Workspace]:
    """Make a catalog of rows; each key is an attribute type."""
    return lambda rows, name="made": cataloged(run, tmp_path / name, rows)


COLUMNS = (
    "Style,Price,Rating,Size,Season,NeckLine,SleeveLength,waiseline,Material,FabricType,"
    "Decoration,Pattern Type,Recommendation"
)


@pytest.fixture(scope="session")
def _uci(
    run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory, dresses_csv: Path
) -> Path:
    root = tmp_path_factory.mktemp("uci") / "workspace"
    ran = run("build-catalog", "table", dresses_csv, "--attributes", COLUMNS, "--workspace", root)
    assert ran.code == 0, ran.err
    return Path(root)


@pytest.fixture
def uci(_uci: Path, tmp_path: Path) -> Workspace:
    """The real dresses with all 13 columns as types."""
    return Workspace(Path(shutil.copytree(_uci, tmp_path / "uci")))
