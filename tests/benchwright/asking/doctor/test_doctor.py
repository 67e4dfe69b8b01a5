"""The command: what it writes, prints and returns, and what is known afterwards."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from benchwright import store
from benchwright.asking.doctor.cli import doctor_command
from benchwright.asking.doctor.doctor import Examined, announcement
from benchwright.asking.doctor.examine import MOST_CALLS
from benchwright.asking.doctor.report import report_lines
from benchwright.asking.findings import Findings, Logprobs, Reach, Sides
from benchwright.asking.probed import known
from benchwright.asking.voters import PictureTokens, Voter, chosen_voters, read_voters
from benchwright.errors import UsageError
from benchwright.status import read_status
from benchwright.workspace import Workspace
from stand_ins.models import Brain, Model, Script, ScriptedServer

DEAR = PictureTokens(patch=28)
DEAD = "http://127.0.0.1:9/v1"  # the port of discard, where nobody listens


def write_voters(path: Path, *voters: Mapping[str, Any]) -> Path:
    path.write_text(yaml.safe_dump({"voters": list(voters)}), "utf-8")
    return path


def entry(name: str, url: str, **settings: Any) -> dict[str, Any]:
    return {"name": name, "model": "scripted", "base_url": url, "revision": name, **settings}


def examine(workspace: Path, voters: Path, *more: str) -> Result:
    arguments = ["--workspace", str(workspace), "--voters", str(voters), *more]
    # as the group calls it: what it returns is the exit code
    return CliRunner().invoke(doctor_command, arguments, standalone_mode=False)


@pytest.fixture
def server(colours: Brain) -> Any:
    script = Script(models=(Model(picture_tokens=DEAR, longest_side=1000),))
    with ScriptedServer(script, brain=colours) as running:
        yield running


def test_the_page_the_file_and_the_exit_code(tmp_path: Path, server: ScriptedServer) -> None:
    voters = write_voters(
        tmp_path / "voters.yaml",
        entry("good", server.base_url),
        entry("dead", DEAD),
    )
    result = examine(tmp_path / "w", voters)
    assert result.exception is None
    assert result.return_value == 1  # for the dead one
    first, blank, *lines = result.output.splitlines()
    assert first == announcement(read_voters(voters))
    assert f"never more than {MOST_CALLS}" in first
    assert blank == ""
    assert lines[0].startswith(f"good (scripted at {server.base_url}): can be used; ")
    assert any(line.startswith(f"dead (scripted at {DEAD}): CANNOT BE USED") for line in lines)
    assert f"  set in {voters} under good:" in lines
    held = json.loads((tmp_path / "w" / "labels" / "doctor.json").read_text("utf-8"))
    assert set(held) == {"dead", "good"}
    good, dead = (known(Workspace(tmp_path / "w"), voter) for voter in read_voters(voters))
    assert good is not None
    assert good.is_usable
    assert dead is not None
    assert dead.reach.verdict == "unreachable"


def test_the_lines_can_be_pasted_and_then_nothing_is_left_to_change(
    tmp_path: Path, server: ScriptedServer
) -> None:
    plain = entry("v", server.base_url)
    result = examine(tmp_path / "w", write_voters(tmp_path / "voters.yaml", plain))
    assert result.return_value == 0
    _, _, after = result.output.partition("under v:\n")
    pasted = [line for line in after.splitlines() if line.startswith("    ")]
    advised = yaml.safe_load("\n".join(pasted))
    assert advised == {
        "logprobs": 2,
        "structured": "json_schema",
        "pictures": {"max_side": 512},
        "picture_tokens": {"patch": 28},
    }
    assert "is asked anew" in after
    voters = write_voters(tmp_path / "voters.yaml", plain | advised)
    assert known(Workspace(tmp_path / "w"), read_voters(voters)[0]) is not None  # not stale by it
    again = examine(tmp_path / "w", voters)
    assert again.return_value == 0
    assert f"  nothing to change in {voters}" in again.output.splitlines()


def test_only_probes_those_and_keeps_the_others(tmp_path: Path, server: ScriptedServer) -> None:
    dead = write_voters(tmp_path / "dead.yaml", entry("good", DEAD), entry("dead", DEAD))
    assert examine(tmp_path / "w", dead).return_value == 1
    both = write_voters(tmp_path / "b.yaml", entry("good", server.base_url), entry("dead", DEAD))
    result = examine(tmp_path / "w", both, "--only", "good")
    assert result.return_value == 0
    assert "dead" not in result.output
    found = [known(Workspace(tmp_path / "w"), voter) for voter in read_voters(both)]
    assert [one is not None and one.is_usable for one in found] == [True, False]


def test_the_price_is_said_beforehand() -> None:
    voter = Voter.model_validate(entry("a", DEAD, price={"input": 1, "output": 1}))
    assert "USD" not in announcement([voter.model_copy(update={"price": None})])
    found = re.search(r"; USD ([\d.]+) to ([\d.]+) where they answer$", announcement([voter]))
    assert found is not None
    assert 0 < float(found[1]) < float(found[2]) < 1


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (Sides(smallest=1, largest=512), "no picture is too small"),
        (
            Sides(smallest=28, largest=512, refused_small=14),
            "smaller ones are padded by pictures: min_side; 14 px is refused",
        ),
    ],
)
def test_the_smallest_side(sides: Sides, said: str) -> None:
    voter = Voter.model_validate(entry("a", DEAD))
    found = Findings(digest="d", calls=1, reach=Reach(verdict="answers"), sides=sides)
    lines = report_lines(Examined(voter=voter, findings=found), Path("voters.yaml"))
    (line,) = [line for line in lines if "smallest side" in line]
    assert line.endswith(said)


def test_what_servers_say_is_cut(tmp_path: Path) -> None:
    voter = Voter.model_validate(entry("a", DEAD))
    reach = Reach(verdict="answers", build="b\x1b" * 500)
    found = Findings(
        digest="d",
        calls=1,
        reach=reach,
        logprobs=Logprobs(verdict="rejected", message="<html>\n" * 500),
    )
    lines = report_lines(Examined(voter=voter, findings=found), Path("voters.yaml"))
    assert all(line.isprintable() and len(line) < 300 for line in lines)


def test_a_name_that_is_not_in_the_file(tmp_path: Path) -> None:
    voters = write_voters(tmp_path / "voters.yaml", entry("a", DEAD), entry("b", DEAD))
    with pytest.raises(UsageError, match=r"has no voter c; it names a, b"):
        chosen_voters(voters, ("c", "a"))
    result = examine(tmp_path / "w", voters, "--only", "c")
    assert isinstance(result.exception, UsageError)
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", '{"v": 3}', '{"v": {"digest": "x"}}', "[" * 100_000, '{"v": {"reach": []}}'],
)
def test_a_broken_file_is_made_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "w" / "labels" / "doctor.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    voters = write_voters(tmp_path / "voters.yaml", entry("v", DEAD))
    (voter,) = read_voters(voters)
    assert known(Workspace(tmp_path / "w"), voter) is None
    examine(tmp_path / "w", voters)
    assert known(Workspace(tmp_path / "w"), voter) is not None


def test_the_labels_beside_it_are_left_alone(
    small: Path, run: Callable[..., Any], verify: Callable[[Path], None], tmp_path: Path
) -> None:
    voters = write_voters(tmp_path / "voters.yaml", entry("v", DEAD))
    before = store.load_manifest(small / "labels")
    CliRunner().invoke(
        doctor_command,
        ["--workspace", str(small), "--voters", str(voters)],
        standalone_mode=False,
    )
    path = small / "labels" / "doctor.json"
    written = path.read_bytes()
    verify(small)
    assert store.load_manifest(small / "labels") == before
    assert [stage.fault for stage in read_status(Workspace(small))] == [None, None, None]
    remade = run("label-attributes", "normalise", "--force", "--workspace", small)
    assert remade.code == 0
    assert path.read_bytes() == written  # a rebuild of the labels owns labels.parquet alone
    verify(small)


def test_findings_alone_are_no_stage(tmp_path: Path) -> None:
    examine(tmp_path / "w", write_voters(tmp_path / "voters.yaml", entry("v", DEAD)))
    assert read_status(Workspace(tmp_path / "w")) == []


def test_a_key_is_nowhere(
    tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_KEY", "sk-very-secret")
    voters = write_voters(
        tmp_path / "voters.yaml", entry("v", server.base_url, api_key_env="A_KEY")
    )
    result = examine(tmp_path / "w", voters)
    assert server.counts.authorizations["Bearer sk-very-secret"] > 10  # it was used
    assert "sk-very-secret" not in result.output
    for path in (tmp_path / "w").rglob("*"):
        assert path.is_dir() or b"sk-very-secret" not in path.read_bytes()


def test_the_same_findings_give_the_same_bytes(tmp_path: Path) -> None:
    voters = write_voters(tmp_path / "voters.yaml", entry("v", DEAD), entry("u", DEAD))
    for folder in ("a", "b"):
        examine(tmp_path / folder, voters)
    one, other = (tmp_path / folder / "labels" / "doctor.json" for folder in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()


def test_findings_survive_json(examined: Callable[..., Findings]) -> None:
    findings = examined()
    assert Findings.model_validate_json(findings.model_dump_json()) == findings
