"""Pickles that hold values are read, and no other is run."""

import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from evaluation.candidate_set.comparison.plain_pickle import NotPlainError, plain_values

VALUES: list[dict[str, Any]] = [
    {"ref_id": 1, "box": [1.5, 2], "sent": "é cup", "ids": (1, 2, 3, 4), "big": 2**70, "no": None},
    {"ref_id": 2, "shared": True},
]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_values_come_back(protocol: int) -> None:
    assert plain_values(pickle.dumps(VALUES, protocol)) == VALUES


def test_texts_of_python_2_are_read() -> None:
    written_by_python_2 = b"(lp0\n(dp1\nS'sent'\np2\nS'the cup'\np3\nsS'ref_id'\np4\nI7\nsa."
    assert plain_values(written_by_python_2) == [{"sent": "the cup", "ref_id": 7}]


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self._path),)


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_nothing_is_run(protocol: int, tmp_path: Path) -> None:
    data = pickle.dumps([Bomb(tmp_path / "went off")], protocol)
    with pytest.raises(NotPlainError, match="more than hold values"):
        plain_values(data)
    assert not (tmp_path / "went off").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04",
        b"no pickle",
        # cut off
        pickle.dumps(VALUES)[:-5],
        # asks for gigabytes of numbers of values that are not there
        b"\x80\x02]r\xff\xff\xff\x7f.",
        b"]p2000000000\n.",
        # an extension of copyreg, a persistent id
        b"\x80\x02\x82\x01.",
        b"P1\n.",
        # appends to what is no list
        b"\x80\x02K\x01K\x02a.",
    ],
)
def test_what_is_broken_is_refused(data: bytes) -> None:
    with pytest.raises(NotPlainError):
        plain_values(data)
