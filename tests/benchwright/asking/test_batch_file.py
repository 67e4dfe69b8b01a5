"""Files stay within the bounds of the Batch API."""

import json

from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.batch_file import BatchFile, Line, line_of


def test_line_holds_the_body_as_it_is() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "a\nb é"}]}
    line = line_of("ab" * 32, json.dumps(body).encode())
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "custom_id": "ab" * 32,
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": body,
    }


@given(
    sizes=st.lists(st.integers(1, 100), max_size=40),
    most_bytes=st.integers(100, 300),
    most_lines=st.integers(1, 7),
)
def test_bounds(sizes: list[int], most_bytes: int, most_lines: int) -> None:
    lines = [
        Line(key=f"{number:064x}", description="d", data=b"x" * size, highest=1.0)
        for number, size in enumerate(sizes)
    ]
    files: list[list[Line]] = []
    draft = BatchFile(most_bytes, most_lines)
    for line in lines:
        if not draft.has_room(line):
            # it is full: with this line it would pass one of its bounds
            filled = files[-1]
            size = sum(len(other.data) for other in filled) + len(line.data)
            assert size > most_bytes or len(filled) == most_lines
            draft = BatchFile(most_bytes, most_lines)
        assert draft.has_room(line)  # an empty file takes any line that is under the cap
        if len(draft) == 0:
            files.append([])
        draft.add(line)
        files[-1].append(line)
        assert (len(draft), draft.highest) == (len(files[-1]), float(len(files[-1])))
    for file in files:
        assert sum(len(line.data) for line in file) <= most_bytes
        assert len(file) <= most_lines
    assert [line for file in files for line in file] == lines
