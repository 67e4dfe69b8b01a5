"""The command: patterns, a model's wordings over a real server, money, checks."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from benchwright.asking.voters import read_voters
from benchwright.errors import BudgetSpent, UsageError
from labeling.attributes.templates.cli import templates_command
from stand_ins.models import Question, Script, ScriptedServer, Turn

TEXT = """\
types:
  neckline:
    values: {v-neck: {}, boat neck: {}}
  pockets:
    values: {"yes": {}, "no": {}}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "w" / "labels").mkdir(parents=True)
    (tmp_path / "w" / "labels" / "vocabulary.yaml").write_text(TEXT, "utf-8")
    return tmp_path / "w"


def run(root: Path, *arguments: str | Path) -> str:
    """Return what the command prints; raise what it raises."""
    result = CliRunner().invoke(
        templates_command,
        [*map(str, arguments), "--workspace", str(root)],
        catch_exceptions=False,
        standalone_mode=False,
    )
    return result.output


def voters(root: Path, server: ScriptedServer, *names: str, **more: Any) -> Path:
    path = root.parent / "voters.yaml"
    entries = [
        {"name": name, "model": "scripted", "base_url": server.base_url, "revision": name, **more}
        for name in names
    ]
    path.write_text(yaml.safe_dump({"voters": entries}), "utf-8")
    return path


def writer(question: Question) -> Turn:
    """Write one good question and some bad ones for what the prompt says must be named."""
    name = re.search(r'It says "([^"]+)"', question.text)
    assert name is not None
    says = [
        f"Do your eyes find {name[1]} on the {{noun}}?",
        f"Does the {{noun}} lack {name[1]}?",
        f"  Would you\nsay {name[1]} of the {{noun}}?  ",
        f"Is {name[1]} on the dress?",
    ]
    return Turn(text=json.dumps({"questions": says}), data={"questions": says})


@pytest.fixture
def serve() -> Any:
    servers: list[ScriptedServer] = []

    def start(brain: Callable[[Question], Turn] = writer) -> ScriptedServer:
        servers.append(ScriptedServer(Script(), brain=brain))
        servers[-1].start()
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def listed(root: Path, type_name: str, value: str) -> list[str]:
    said = yaml.safe_load((root / "labels" / "vocabulary.yaml").read_text("utf-8"))
    found: list[str] = said["types"][type_name]["values"][value]["templates"]
    return found


def test_by_patterns(root: Path) -> None:
    out = run(root)
    assert out.splitlines()[:3] == [
        "4 values, 16 templates",
        "  kept: 0 of your own, 0 written before",
        "  written: 16 by patterns",
    ]
    assert out.splitlines()[3] == "For example:"
    assert len(out.splitlines()) == 7
    assert run(root, "--check") == "16 templates of 4 values: 0 break a rule\n"


def test_by_a_model(root: Path, serve: Any) -> None:
    server = serve()
    path = voters(root, server, "one", "two")
    out = run(root, "--voters", path, "--voter", "one", "--per-value", "3")
    assert "  written: 4 by patterns, 8 by one" in out
    assert "Refused of one's (negation 4, noun 4):" in out
    assert (
        "v-neck: 'Does the {noun} lack v-neck?' (negation: turns the question round by 'lack')"
        in out
    )
    assert listed(root, "neckline", "v-neck")[:2] == [
        "Do your eyes find v-neck on the {noun}?",
        "Would you say v-neck of the {noun}?",
    ]
    assert (
        listed(root, "pockets", "no")[0] == "Do your eyes find free of any pockets on the {noun}?"
    )
    asked = server.counts.paths["/v1/chat/completions"]
    assert asked == 4
    run(root, "--voters", path, "--voter", "one", "--per-value", "3", "--replace")
    assert server.counts.paths["/v1/chat/completions"] == asked  # nothing is bought twice


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        (Turn(text="I will not."), "No wording from one, so patterns:"),
        (Turn(text='{"questions": 7}', data={"questions": 7}), "No wording from one"),
        (Turn(text='{"questions": [null]}', data={"questions": [None]}), "No wording from one"),
        (Turn(text="[]", data=[]), "No wording from one"),
        (
            Turn(text='{"questions": []}', data={"questions": []}),
            "written: 16 by patterns, 0 by one",
        ),
        (Turn(text=None, refusal="no"), "No wording from one"),
        (Turn(text='{"questions": ["\\ud800{noun}?"]}', data=0), "No wording from one"),
    ],
)
def test_whatever_the_model_says_patterns_fill_up(
    root: Path, serve: Any, turn: Turn, said: str
) -> None:
    out = run(root, "--voters", voters(root, serve(lambda _: turn), "one"))
    assert said in out
    assert len(listed(root, "neckline", "v-neck")) == 4


def test_an_estimate_asks_nothing(root: Path, serve: Any) -> None:
    server = serve()
    path = voters(root, server, "one", price={"input": 1, "output": 2})
    out = run(root, "--voters", path, "--estimate")
    assert re.search(r"^one +4 +0 ", out, re.MULTILINE)
    assert server.counts.paths["/v1/chat/completions"] == 0
    assert (root / "labels" / "vocabulary.yaml").read_text("utf-8") == TEXT


def test_an_estimate_knows_what_was_answered(root: Path, serve: Any) -> None:
    path = voters(root, serve(), "one", structured="json_schema")
    run(root, "--voters", path, "--replace")
    assert re.search(
        r"^one +0 +4 ", run(root, "--voters", path, "--replace", "--estimate"), re.MULTILINE
    )


def test_an_estimate_takes_what_the_doctor_measured(
    root: Path, serve: Any, doctored: Callable[..., None]
) -> None:
    path = voters(root, serve(), "one")
    doctored(root, *read_voters(path))
    out = run(root, "--voters", path, "--estimate")
    assert "Taken from benchwright doctor: tokens of pictures, or seconds (one)" in out
    assert "Measured: seconds a call: one 7.0" in out


def test_an_estimate_counts_what_is_asked_anew(root: Path, serve: Any) -> None:
    path = voters(root, serve(lambda question: Turn(text="", refusal="I would rather not.")), "one")
    run(root, "--voters", path)
    for again, calls, answered in (((), 0, 4), (("--again", "refused"), 4, 0)):
        out = run(root, "--voters", path, "--replace", "--estimate", *again)
        assert re.search(rf"^one +{calls} +{answered} ", out, re.MULTILINE)


def test_a_spent_budget_leaves_the_file_alone(root: Path, serve: Any) -> None:
    server = serve()
    path = voters(root, server, "one")
    with pytest.raises(BudgetSpent):
        run(root, "--voters", path, "--max-calls", "2")
    assert (root / "labels" / "vocabulary.yaml").read_text("utf-8") == TEXT
    run(root, "--voters", path, "--max-calls", "2")  # the other two
    assert server.counts.paths["/v1/chat/completions"] == 4


def test_by_batch(root: Path, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from benchwright.asking import rounds  # noqa: PLC0415
    from benchwright.asking.batch import BatchSettings  # noqa: PLC0415

    monkeypatch.setattr(rounds, "BATCH_SETTINGS", BatchSettings(poll_seconds=0.005))
    server = serve()
    out = run(root, "--voters", voters(root, server, "one"), "--batch")
    assert "8 by one" in out
    assert server.counts.paths["/v1/chat/completions"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--voter", "one"), "want --voters FILE"),
        (("--estimate",), "want --voters FILE"),
        (("--voters", "FILE"), "one voter writes; one, two; choose with --voter NAME"),
        (("--voters", "FILE", "--voter", "x"), "'x' is none of one, two"),
    ],
)
def test_what_cannot_be_done(root: Path, serve: Any, arguments: tuple[str, ...], said: str) -> None:
    path = voters(root, serve(), "one", "two")
    with pytest.raises(UsageError, match=re.escape(said)):
        run(root, *(str(path) if word == "FILE" else word for word in arguments))


def test_a_persons_own_are_checked_and_kept(root: Path) -> None:
    mine = "Has the {noun} no v-neck?"
    text = TEXT.replace("v-neck: {}", f'v-neck: {{templates: ["{mine}"]}}')
    (root / "labels" / "vocabulary.yaml").write_text(text, "utf-8")
    line = f"  neckline: v-neck: {mine!r} (names another value: names pockets: no as well)"
    assert line in run(root, "--check").splitlines()
    out = run(root)
    assert "Yours that break a rule, kept all the same:" in out
    assert line in out.splitlines()
    assert listed(root, "neckline", "v-neck")[0] == mine


def test_an_edit_made_while_the_model_writes_is_not_lost(root: Path, serve: Any) -> None:
    path = root / "labels" / "vocabulary.yaml"
    mine = "Would you call the {noun} v-neck cut?"

    def edits(question: Question) -> Turn:
        path.write_text(TEXT.replace("v-neck: {}", f'v-neck: {{templates: ["{mine}"]}}'), "utf-8")
        return writer(question)

    run(root, "--voters", voters(root, serve(edits), "one"))
    assert listed(root, "neckline", "v-neck")[0] == mine
    assert len(listed(root, "neckline", "v-neck")) == 4


def test_long_lists_are_cut(root: Path) -> None:
    mine = ", ".join(f'"Has the {{noun}} no v-neck {number}?"' for number in range(14))
    text = TEXT.replace("v-neck: {}", f"v-neck: {{templates: [{mine}]}}")
    (root / "labels" / "vocabulary.yaml").write_text(text, "utf-8")
    assert "  and 2 more" in run(root).splitlines()
