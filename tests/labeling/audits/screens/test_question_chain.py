"""The screen of question chains in the real App: writing with keys, distractors, both rounds."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.decisions.journal import append_decisions
from benchwright.records import ChainStep, QuestionChain, QuestionOption
from benchwright.workspace import Workspace
from labeling.audits.tasks.question_chain import KIND
from labeling.audits.tasks.task import AuditSettings, Slot, TaskKey
from labeling.dialogues.question_chain.dealing.verifying import verify
from labeling.dialogues.question_chain.written import written_parts, written_text
from stand_ins.chains import chain, drafted_chains, step, with_step

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO SCREEN WAS ANSWERED")

from labeling.audits.app.database import connected
from labeling.audits.app.judging import now
from labeling.audits.app.stored import stored_audit

pytestmark = [pytest.mark.heavy, pytest.mark.timeout(300)]  # an App is opened first

COCO = Path(__file__).parents[3] / "data" / "coco"
STREET = "000000184324.jpg"  # a crossing in Paris
QUESTION = "In which country was this picture taken?"
EMPTY = chain(chain_id="c1", category="guessing", scenario="", question="", steps=())
WRITTEN = [
    [
        "What is written over the red shop front?", "Gudule",
        "How many people wait at the kerb?", "six",
        "Is the sky clear or cloudy?", "cloudy",
        "Bakery", "Guest house",
    ],
    [
        "What are the facades like?", "pale stone with iron balconies",
        "What colour is the car that turns?", "blue",
        "Are there bicycles on the right?", "yes, some",
        "red brick with bay windows", "white wood with porches",
    ],
    [QUESTION, "France", "", "", "", "", "Belgium", "Canada"],
]  # fmt: skip


def paris(chain_id: str) -> QuestionChain:
    """Return the same chain, written."""
    steps = [
        ChainStep(
            question=asked,
            answer=answer,
            uses=uses,
            question_options=(
                QuestionOption(text=asked, answer=answer, origin="true", generator=None),
                *(
                    QuestionOption(text=text, answer=said, origin="step", generator="m")
                    for text, said in ((one, one_said), (other, other_said))
                    if text
                ),
            ),
            answer_options=(answer, *wrong),
        )
        for (asked, answer, one, one_said, other, other_said, *wrong), uses in zip(
            WRITTEN, ((), (), (1, 2)), strict=True
        )
    ]
    return replace(
        EMPTY, chain_id=chain_id, scenario="location", question=QUESTION, steps=tuple(steps)
    )


def judged(workspace: Workspace, chain_id: str, auditor: str, minute: int, **more: Any) -> None:
    """Let somebody decide of the stage that a chain waits for."""
    tasks = KIND.tasks(workspace, AuditSettings())
    (task,) = (each for each in tasks if each.shown["chain_id"] == chain_id)
    key = TaskKey(
        task_id=task.task_id, kind=task.kind, thing=task.thing, before=task.before,
        stratum=None, probability=None,
    )  # fmt: skip
    at = f"2026-03-01T12:{minute:02}:00+00:00"
    slot = Slot(auditor=auditor, verdict="confirmed", at=at, **more)
    assert KIND.refusal(workspace, task.shown, slot) is None
    append_decisions(workspace, KIND.decisions(key, slot))


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Drafts about one picture: to write, to judge, to check, one by ana herself, one dealt."""
    workspace = Workspace(tmp_path_factory.mktemp("street") / "workspace")
    drafted_chains(workspace, EMPTY, *(paris(f"c{number}") for number in (2, 3, 4, 5)))
    (workspace.images / "aa").mkdir(parents=True)
    for number in range(5):
        shutil.copy(COCO / "val2017" / STREET, workspace.images / "aa" / f"d{number}.png")
    text = written_text(paris("c"))
    judged(workspace, "c5", "bo", 1, text=text)
    judged(workspace, "c5", "cy", 2)
    verify(workspace, ["dee", "eli"])  # who check what is written by now
    for chain_id, author in (("c2", "bo"), ("c3", "bo"), ("c4", "ana")):
        judged(workspace, chain_id, author, 1, text=text)
    for chain_id in ("c3", "c4"):
        judged(workspace, chain_id, "cy", 2)
    return workspace


@pytest.fixture(scope="module")
def opened(street: Workspace, open_app: Callable[..., Any]) -> Any:
    return open_app(street, "question-chain", "ana")


@pytest.fixture
def samples(
    street: Workspace, mongo_uri: str, monkeypatch: pytest.MonkeyPatch, opened: Any
) -> Callable[[], dict[str, Any]]:
    """Return the samples in the database, by chain."""
    monkeypatch.setenv("FIFTYONE_DATABASE_URI", mongo_uri)
    monkeypatch.delenv("FIFTYONE_DATABASE_NAME", raising=False)

    def read() -> dict[str, Any]:
        with connected(street) as database:
            found = list(stored_audit(database, "question-chain").samples.find())
        return {each["task_id"].partition("/")[0]: each for each in found}

    return read


Samples = Callable[[], dict[str, Any]]


def fill(page: Any, texts: list[str]) -> None:
    """Type into the fields of a step one after the other; Enter goes on, Ctrl+Enter leaves."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Enter" if text is not texts[-1] else "Control+Enter")


def write(page: Any, press: Callable[..., str]) -> None:
    """Write the chain's question, the scenario before it, and the steps, all by keys."""
    press("c", moves=False)
    page.keyboard.type(QUESTION)
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("location")
    page.keyboard.press("Control+Enter")
    for texts in WRITTEN[:2]:
        press("n", moves=False)
        fill(page, texts)
    press("n", moves=False)
    page.keyboard.press("Control+Enter")
    press("l", moves=False)  # the last step asks the chain's question
    press("e", moves=False)
    page.keyboard.press("Enter")
    fill(page, WRITTEN[2][1:])


# two presses within one task of the browser, as on a machine that is too busy to draw between them
_EDITED_TWICE = """
    async () => {
        const press = async () => {
            const how = { key: "e", code: "KeyE", bubbles: true, cancelable: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", how));
            for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
        };
        await press();
        const first = document.activeElement.getAttribute("aria-label");
        document.activeElement.blur();
        await press();
        return [first, document.activeElement.getAttribute("aria-label")];
    }
"""


def test_what_is_typed_after_a_key_goes_into_its_field_however_busy_the_browser(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    samples: Samples,
) -> None:
    open_task(opened, str(samples()["c1"]["_id"]))
    press("n", moves=False)
    page.keyboard.press("Control+Enter")
    assert page.evaluate(_EDITED_TWICE) == ["question", "question"]
    page.keyboard.press("Control+Enter")
    press("t", moves=False)  # and nothing of it stays
    assert page.locator(".bw-qc-card").count() == 0


def test_a_chain_is_written_with_keys(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
    samples: Samples,
) -> None:
    sample = str(samples()["c1"]["_id"])
    open_task(opened, sample)
    page.get_by_text("a chain has 2 to 6 steps; this has 0").wait_for()
    press("a", moves=False)  # with a fault nothing is approved
    write(page, press)  # and what is typed sets no key off
    page.locator("button:disabled", has_text="approve").wait_for()
    assert page.get_by_text("no later step uses this answer").count() > 0
    shot("question-chain-faults")

    # kept over a look at another task, and over a new page
    press(".")
    press(",")
    open_task(opened, sample)
    assert page.locator(".bw-qc-card").count() == 3
    for key in ("j", "j", "1", "2"):
        press(key, moves=False)
    page.get_by_text("all rules hold").wait_for()
    for key in ("k", "b"):
        press(key, moves=False)
    page.get_by_text("all rules hold").wait_for()
    shot("question-chain")
    assert samples()["c1"]["slot_1"] is None
    press("a")

    stored = samples()["c1"]["slot_1"]
    parts = json.loads(stored["text"])
    steps = parts["steps"]
    assert (stored["auditor"], stored["verdict"]) == ("ana", "corrected")
    assert (parts["question"], parts["scenario"]) == (QUESTION, "location")
    # the second step was moved before the first, and the last uses both all the same
    asked = [each["question"] for each in steps]
    assert asked == [WRITTEN[1][0], WRITTEN[0][0], QUESTION]
    assert [each["uses"] for each in steps] == [[], [], [1, 2]]
    assert steps[0]["answer_options"] == [WRITTEN[1][1], *WRITTEN[1][6:]]
    answers = [one["answer"] for one in steps[1]["question_options"]]
    assert answers == ["Gudule", "six", "cloudy"]
    assert len(steps[2]["question_options"]) == 1  # empty rows are none

    # what was stored is what is edited next time
    open_task(opened, sample)
    page.get_by_text("all rules hold").wait_for()
    assert page.get_by_label("the chain's question").input_value() == QUESTION


def test_distractors_are_judged_one_by_one(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
    samples: Samples,
) -> None:
    sample = str(samples()["c2"]["_id"])
    open_task(opened, sample)
    page.get_by_text("the other 10 fit: store").wait_for()
    for key in "ynnky":  # the last but one is marked again
        press(key, moves=False)
    page.get_by_text("the other 7 fit: store").wait_for()
    shot("question-chain-distractors")
    press("a")
    stored = samples()["c2"]["slot_1"]
    assert (stored["verdict"], stored["failed"]) == ("corrected", ["1/q3"])

    # seen again, it is as it was stored
    open_task(opened, sample)
    page.get_by_role("button", name="store").wait_for()
    assert (
        page.locator("[data-judged=unfit]").inner_text().split("\n")[1]
        == "Is the sky clear or cloudy?"
    )
    assert page.locator("[data-judged=open]").count() == 0


@pytest.fixture
def only_rounds(street: Workspace, samples: Samples) -> Iterator[None]:
    """Let bo look at the chains that are not to be checked yet: they are offered to nobody else."""
    wanted = {"task_id": {"$regex": "^c[12]/"}}
    claim = {"_cls": "DynamicEmbeddedDocument", "auditor": "bo", "at": now()}
    with connected(street) as database:
        stored = stored_audit(database, "question-chain").samples
        assert stored.update_many(wanted, {"$set": {"claim": claim}}).matched_count == 2
        yield
        stored.update_many(wanted, {"$set": {"claim": None}})


@pytest.mark.usefixtures("only_rounds")
def test_a_round_wants_a_reason_and_another_person(
    page: Any,
    opened: Any,
    open_task: Callable[..., str],
    press: Callable[..., str],
    shot: Callable[[str], None],
    samples: Samples,
) -> None:
    open_task(opened, str(samples()["c3"]["_id"]))
    press("i", moves=False)
    page.get_by_text("say in the note what makes it invalid").wait_for()
    page.keyboard.type("nothing in it points to one country")
    page.keyboard.press("Enter")
    shot("question-chain-round")
    # of the other rounds she wrote one herself and one is dealt, so neither is offered
    press("i", moves=False)
    page.get_by_text("nothing else is left for you").wait_for()
    stored = samples()["c3"]["slot_1"]
    assert (stored["verdict"], stored["note"]) == (
        "rejected",
        "nothing in it points to one country",
    )

    # one's own chain is not to be checked
    open_task(opened, str(samples()["c4"]["_id"]))
    page.get_by_text("You wrote, approved or checked this chain before").wait_for()
    press("v", moves=False)
    assert page.get_by_role("button", name="invalid").count() == 0
    assert samples()["c4"]["slot_1"] is None

    # nor is one that was dealt to others
    dealt = samples()["c5"]["dealt_to"]
    assert dealt in ("dee", "eli")
    open_task(opened, str(samples()["c5"]["_id"]))
    page.get_by_text(f"Dealt to {dealt}, who checks it").wait_for()
    press("v", moves=False)
    assert page.get_by_role("button", name="invalid").count() == 0
    assert samples()["c5"]["slot_1"] is None


JS = files("labeling.audits.app").joinpath("plugin", "screens", "chain_draft.js").read_text("utf-8")
RUN = """
    async ([source, cases]) => {
        const made = await import('data:text/javascript,' + encodeURIComponent(source));
        return cases.map(({ parts, edits }) => {
            let draft = made.toDraft(parts);
            for (const [name, ...more] of edits) draft = made[name](draft, ...more);
            return made.toParts(draft);
        });
    }
"""


def edited(page: Any, made: QuestionChain, edits: list[list[Any]]) -> dict[str, Any]:
    parts = [{"parts": written_parts(made), "edits": edits}]
    (found,) = page.evaluate(RUN, [JS, parts])
    assert isinstance(found, dict)
    return found


@st.composite
def chains(draw: st.DrawFn) -> QuestionChain:
    """Return chains of 2 to 6 steps with any uses, also wrong ones, each question once."""
    count = draw(st.integers(2, 6))
    numbers = st.lists(st.integers(1, count), unique=True)
    steps = [step(f"q{at}", f"a{at}", sorted(draw(numbers))) for at in range(count)]
    return chain(steps=tuple(steps))


def used_questions(parts: Any) -> dict[str, set[str]]:
    """Return what each question uses, by its words instead of its number."""
    steps = parts["steps"]
    return {
        each["question"]: {steps[number - 1]["question"] for number in each["uses"]}
        for each in steps
    }


@pytest.fixture(scope="module")
def blank(open_app: Callable[..., Any], _page: Any) -> Any:
    _page.goto("about:blank")
    return _page


@settings(deadline=None, max_examples=50)
@given(chains(), st.data())
def test_moving_and_removing_steps_keeps_what_they_use(
    blank: Any, made: QuestionChain, data: st.DataObject
) -> None:
    before = written_parts(made)
    assert edited(blank, made, []) == before  # the round trip
    count = len(made.steps)
    start, to = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    moved = edited(blank, made, [["moved", start, to]])
    assert used_questions(moved) == used_questions(before)
    assert moved["steps"][to]["question"] == before["steps"][start]["question"]
    assert edited(blank, made, [["moved", start, to], ["moved", to, start]]) == before
    left = edited(blank, made, [["removed", start]])
    gone = before["steps"][start]["question"]
    assert used_questions(left) == {
        question: uses - {gone}
        for question, uses in used_questions(before).items()
        if question != gone
    }
    grown = edited(blank, made, [["inserted", start]])
    assert grown["steps"][start]["question"] == ""
    assert edited(blank, made, [["inserted", start], ["removed", start]]) == before


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        # options without the true one get it; a second one that is said to be true is a distractor
        (
            with_step(chain(), 1, question_options=(), answer_options=("waiting",)),
            {"origins": ["true"], "answers": ["backing out", "waiting"]},
        ),
        (
            with_step(chain(), 1, question_options=chain().steps[0].question_options[:1] * 2),
            {"origins": ["true", "step"], "answers": ["backing out", "waiting", "turning left"]},
        ),
        # what is used and not there is left out
        (
            with_step(chain(), 1, uses=(1, 7)),
            {"uses": [1], "origins": ["true", "step", "chain"]},
        ),
        # a distractor without an answer stays without
        (
            with_step(
                chain(),
                1,
                question_options=(
                    chain().steps[0].question_options[0],
                    replace(chain().steps[0].question_options[1], answer=None),
                ),
            ),
            {"origins": ["true", "step"], "wrong": None},
        ),
    ],
)
def test_what_a_model_drafted_askew_can_be_edited(
    blank: Any, made: QuestionChain, expected: dict[str, Any]
) -> None:
    first = edited(blank, made, [])["steps"][0]
    found = {
        "uses": first["uses"],
        "origins": [each["origin"] for each in first["question_options"]],
        "answers": first["answer_options"],
        "wrong": first["question_options"][-1]["answer"],
    }
    assert {name: found[name] for name in expected} == expected
