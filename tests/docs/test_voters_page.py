"""The page about voters: every key, and its file."""

import re
from pathlib import Path

from benchwright.asking.voters import Voter, read_voters

PAGE = (Path(__file__).parents[2] / "docs" / "voters.md").read_text("utf-8")


def test_the_page_names_every_key_and_its_file_is_read(tmp_path: Path) -> None:
    (written,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    path = tmp_path / "voters.yaml"
    path.write_text(written, "utf-8")
    assert [voter.name for voter in read_voters(path)] == ["qwen", "mini"]
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    told = {key for row in rows for key in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == set(Voter.model_fields) - {"kind"}
