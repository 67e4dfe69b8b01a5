"""Machine code from older sources is forgotten."""

from pathlib import Path

import pytest

from galleries.compiled import forget_stale


def package(folder: Path) -> Path:
    (folder / "__pycache__").mkdir()
    for name in ("a.py", "b.py"):
        (folder / name).write_text("x = 1\n")
    return folder


def compile_some(folder: Path) -> list[Path]:
    made = [folder / "__pycache__" / name for name in ("a.f-1.py311.nbi", "a.f-1.py311.1.nbc")]
    for path in made:
        path.write_bytes(b"code")
    return made


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lambda folder: None, True),  # nothing has changed
        (lambda folder: (folder / "b.py").write_text("x = 2\n"), False),  # another file has
        (lambda folder: (folder / "c.py").write_text(""), False),  # one has come
        (lambda folder: (folder / "b.py").unlink(), False),  # one has gone
        (lambda folder: (folder / "a.py").touch(), True),  # its time alone has
    ],
)
def test_code_lives_as_long_as_all_sources(tmp_path: Path, change, kept: bool) -> None:
    folder = package(tmp_path)
    forget_stale(folder)
    made = compile_some(folder)
    change(folder)
    forget_stale(folder)
    assert [path.exists() for path in made] == [kept, kept]


def test_code_of_unknown_sources_goes(tmp_path: Path) -> None:
    folder = package(tmp_path)
    made = compile_some(folder)
    other = folder / "__pycache__" / "a.cpython-311.pyc"
    other.write_bytes(b"")
    forget_stale(folder)
    assert not any(path.exists() for path in made)
    assert other.exists()
