"""The whole way: benchwright doctor --judge detector over a scripted server."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.asking import judges
from evaluation.judges.detector import JUDGE
from evaluation.judges.labelled import labelled_questions
from evaluation.judges.scoring import VALID
from stand_ins.models import Question, Script, ScriptedServer, Turn

POINT = EntryPoint(
    name="detector", value="evaluation.judges.detector:JUDGE", group="benchwright.judges"
)


def knows(question: Question) -> Turn:
    """A model that looks up what was labelled; a model has no word for compounds and indices."""
    at = question.text.index("New question: ") + len("New question: ")
    text = json.loads(question.text[at:].splitlines()[0])
    wanted = next(one.wanted for one in labelled_questions() if one.question.text == text)
    said = {"index": "forbidden", "compound": "repeated"}.get(wanted, wanted)
    answer = {"attribute": "as labelled", "verdict": said}
    return Turn(text=f"Well: ```json\n{json.dumps(answer)}\n```", data=answer)


def test_a_model_that_knows(tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "entry_points", lambda group: [POINT])
    with ScriptedServer(Script(), brain=knows) as server:
        voters = tmp_path / "voters.yaml"
        entry = {"name": "judge", "model": "scripted", "base_url": server.base_url}
        voters.write_text(yaml.safe_dump({"voters": [entry]}), "utf-8")
        asked = ("benchwright", "doctor", "--judge", "detector", "--voters", voters)
        ran = run(*asked, "--workspace", tmp_path / "w")
        calls = server.counts.paths["/v1/chat/completions"]
        again = run(*asked, "--workspace", tmp_path / "w")
    assert (ran.code, again.code) == (0, 0), ran.err
    assert again.out == ran.out  # the same sheet, from the store
    assert server.counts.paths["/v1/chat/completions"] == calls
    by_rules = [JUDGE.by_rules(case) for case in JUDGE.cases()]
    assert calls <= by_rules.count(VALID)
    rows = [line.split() for line in ran.out.splitlines()]
    recalls = {row[0]: row[5] for row in rows if row and row[0] in ("rules", "judge")}
    assert recalls["judge"] == "1.00"  # what the rules miss, it finds
