from pathlib import Path

from stand_ins.tiny_llava import write_tiny_llava


def test_the_files_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
    one, two = map(write_tiny_llava, folders)
    assert one.text.read_bytes() == two.text.read_bytes()
    assert one.projector.read_bytes() == two.projector.read_bytes()
    assert one.text.stat().st_size + one.projector.stat().st_size < 700_000
