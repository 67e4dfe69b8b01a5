"""Who has no model server follows a tutorial with scripted models: drafts, then a release."""

import signal
import subprocess
import sys
from pathlib import Path

import yaml
from openai import OpenAI

from benchwright.records import FalsePremise
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from evaluation.releases.release import open_release
from stand_ins.models import Question
from stand_ins.reader.voters_file import MODELS
from stand_ins.tutorial import NAMES, Everyone

ROOT = Path(__file__).parents[2]


def test_it_serves_those_that_its_voters_file_names(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "stand_ins.tutorial", str(tmp_path), "--port", "0"]
    voters = tmp_path / "voters.yaml"
    with subprocess.Popen(
        [*command, "--voters", str(voters)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert str(voters) in process.stdout.readline()
            entries = yaml.safe_load(voters.read_text("utf-8"))["voters"]
            with OpenAI(base_url=entries[0]["base_url"], api_key="none") as client:
                served = {model.id for model in client.models.list()}
        finally:
            process.send_signal(signal.SIGINT)
    assert [entry["name"] for entry in entries] == list(NAMES)
    assert {entry["model"] for entry in entries} == served


def test_it_drafts_before_there_is_a_release(small: Path) -> None:
    # the text alone that every voter is asked first
    assert Everyone(small)(_question("Reply with one word.")).text == "Ready."


def test_it_plays_the_release(whole_once: Workspace) -> None:
    (lock,) = whole_once.root.glob("releases/*/*/release.lock.json")
    rows = open_release(str(lock.parent)).rows("false-premise")
    dialogue = next(iter(from_table(rows.data.table, FalsePremise)))
    everyone = Everyone(whole_once.root)
    said = [everyone(_question(turn.asked_question)).text for turn in dialogue.turns]
    # qwen grows weary: corrects the fourth question and leaves the last as it is
    assert said[3] not in said[:3]
    assert said[-1] not in said[3:6]


def _question(text: str) -> Question:
    return Question(
        model=MODELS["qwen"],
        messages=({"role": "user", "content": text},),
        text=text,
        pictures=(),
        parameters={},
        request=text,
        asked_before=0,
        ordinal=0,
    )
