"""Files of chains: what is read, where each entry stands, and hostile files."""

from itertools import pairwise
from pathlib import Path

import pytest

from benchwright.errors import UsageError
from labeling.dialogues.question_chain.authoring.chain_files import read_chain_file

BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}]\n" for before, name in pairwise("abcdefghi")
)


def written(folder: Path, text: str | bytes, name: str = "chains.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "entries"),
    [
        # plain words stay texts, whatever YAML would make of them
        ("a.yaml", "- {a: no}\n- {a: 1e3}\n", [(1, {"a": "no"}), (2, {"a": "1e3"})]),
        # an author for all, and where each chain begins
        ("a.yml", "author: a\nchains:\n\n- id: x\n- y\n", [(4, {"id": "x"}), (5, "y")]),
        # nothing is no chain
        ("a.yaml", "", []),
        ("a.yaml", "chains:\n", []),
        # numbers of JSON as well; blank lines count as lines
        ("a.jsonl", '{"a": 2.50}\n\n{"a": [1]}\n', [(1, {"a": "2.50"}), (3, {"a": ["1"]})]),
        # a mark at the beginning, and the line ends of Windows
        ("a.yaml", "\ufeff- {id: x}\r\n- {id: y}\r\n", [(1, {"id": "x"}), (2, {"id": "y"})]),
        ("a.JSONL", '\ufeff{"id": "x"}\r\n', [(1, {"id": "x"})]),
        # a line break of Unicode within a text ends no line
        ("a.jsonl", '{"id": "x\u2028y"}\n', [(1, {"id": "x\u2028y"})]),
    ],
)
def test_it_reads_entries(tmp_path: Path, name: str, text: str, entries: object) -> None:
    found = read_chain_file(written(tmp_path, text, name))
    assert [(entry.line, entry.said) for entry in found.entries] == entries
    assert all(entry.fault is None for entry in found.entries)


def test_the_author_of_a_file_is_kept(tmp_path: Path) -> None:
    assert read_chain_file(written(tmp_path, "author: ana\nchains: []\n")).author == "ana"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "is no JSON"),
        ('{"id": 1, "id": 2}', "the key 'id' stands twice"),
        ("[" * 100_000, "is nested too deeply"),
    ],
)
def test_a_bad_line_of_json_spoils_no_other(tmp_path: Path, line: str, fault: str) -> None:
    text = f'{{"id": "x"}}\n{line}\n{{"id": "y"}}\n'
    first, bad, last = read_chain_file(written(tmp_path, text, "a.jsonl")).entries
    assert (first.said, last.said, bad.line) == ({"id": "x"}, {"id": "y"}, 2)
    assert fault in str(bad.fault)


@pytest.mark.timeout(20)
def test_a_line_of_many_keys_takes_no_time_for_each_pair_of_them(tmp_path: Path) -> None:
    keys = ", ".join(f'"{number}": 1' for number in [*range(100_000), 99_999])
    (bad,) = read_chain_file(written(tmp_path, f"{{{keys}}}", "a.jsonl")).entries
    assert "the key '99999' stands twice" in str(bad.fault)


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.txt", "- x", "wants a file of chains, whose name ends with one of .yaml"),
        ("a.yaml", "- [1", "is no YAML at line 1"),
        ("a.yaml", "- {id: x, id: y}", "the key 'id' stands twice"),
        ("a.yaml", BOMB, "line 1 has an anchor or alias"),
        # it would hold itself
        ("a.yaml", "chains: &a [*a]", "line 1 has an anchor or alias"),
        ("a.yaml", "- question: *what\n", "line 1 has an anchor or alias"),
        # a set has no order, and an object runs code
        ("a.yaml", "- steps: !!set {x, y}", "line 1 has a tag"),
        ("a.yaml", "- !!python/object/apply:os.system [ls]", "line 1 has a tag"),
        ("a.yaml", "[" * 10_000, "line 1 has more brackets within each other"),
        ("a.yaml", "- x\n---\n- y\n", "is no YAML"),
        ("a.yaml", "chain: []", "wants a list of chains, or author: and chains:; got chain"),
        ("a.yaml", "author: ana", "chains: is missing"),
        ("a.yaml", "author: [ana]\nchains: []", "author: wants one name"),
        ("a.yaml", "chains: x", "wants a list of chains"),
        ("a.yaml", "just a text", "wants a list of chains"),
        ("a.yaml", b"- id: x\n- id: \xff\n", "is no UTF-8 at line 2"),
        ("a.jsonl", "- x\n".encode("utf-16"), "is no UTF-8 at line 1"),
        ("a.yaml", "#" * 4_000_001, "has over 4,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(
    tmp_path: Path, name: str, text: str | bytes, fault: str
) -> None:
    path = written(tmp_path, text, name)
    with pytest.raises(UsageError) as raised:
        read_chain_file(path)
    assert str(raised.value).startswith(str(path))
    assert fault in str(raised.value)
    assert "\n" not in str(raised.value)


def test_no_file_and_a_name_that_cannot_be_printed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_chain_file(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match="rename it"):
        read_chain_file(written(tmp_path, "[]", "a\x07.yaml"))
