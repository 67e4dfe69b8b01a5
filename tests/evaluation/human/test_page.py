"""The page in a real browser, and whole runs by a person who is played by it."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchwright.workspace import Workspace
from evaluation.human.desk import messages_of
from evaluation.human.serving import Office, open_office
from stand_ins.answerers import Answerers, answerers_behind

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [pytest.mark.heavy, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]


@pytest.fixture
def page() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        yield page
        browser.close()
        assert page.faults == []


class Running:
    """A console command in a process of its own."""

    def __init__(self, port: int, *arguments: object) -> None:
        code = "import sys; sys.argv[0] = 'run-benchmark'; from evaluation.cli import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, "human", *map(str, arguments), "--port", str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(30)

    def stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def out(self) -> str:
        """Return what it printed; it must have ended well."""
        out, err = self._process.communicate(timeout=60)
        assert self._process.returncode == 0, err
        return str(out)


def free_port() -> int:
    with open_office(0, "", "") as office:
        return int(office.page.rstrip("/").rpartition(":")[2])


@pytest.fixture
def playing(whole_once: Workspace, tmp_path: Path, page: Any) -> Iterator[Callable[..., Running]]:
    """Start a run by a person and open its page."""
    started: list[Running] = []

    def start(config: str, *more: str) -> Running:
        port = free_port()
        release = whole_once.releases / "things" / "1.0.0"
        running = Running(
            port, release, "--config", config, "--person", "ana", *more, "--workspace", tmp_path
        )
        started.append(running)
        for _ in range(100):
            try:
                page.goto(f"http://127.0.0.1:{port}/")
                break
            except sync_api.Error:
                page.wait_for_timeout(200)
        return running

    yield start
    for running in started:
        running.stop()


def test_texts_are_texts(office: Office, page: Any) -> None:
    body = {"messages": [{"role": "user", "content": "<img src=x onerror=alert(1)> why?"}]}
    office.desk.put(messages_of(body))
    page.goto(office.page)
    page.get_by_text("<img src=x onerror=alert(1)> why?").wait_for()


def test_the_next_question_may_come_before_its_answer_is_confirmed(
    office: Office, page: Any
) -> None:
    for text in ("one", "two"):
        office.desk.put(messages_of({"messages": [{"role": "user", "content": text}]}))
    held: list[Any] = []

    def hold(route: Any) -> None:
        office.desk.answer(**json.loads(route.request.post_data))
        held.append(route)

    page.route("**/answer", hold)
    page.goto(office.page)
    page.locator("#answer").fill("a")
    page.locator("#send").click()
    page.get_by_text("two").wait_for()
    held[0].fulfill(status=200, body="{}")
    page.wait_for_timeout(300)
    assert page.locator("#form").is_visible()


def answer_each(page: Any, running: Running, act: Callable[[], None]) -> int:
    """Answer whatever is asked until the run ends; return how often."""
    answered = 0
    while running.is_alive():
        if page.locator("#form").is_visible():
            act()
            answered += 1
            page.get_by_text(f"{answered} answered").wait_for()
        page.wait_for_timeout(50)
    return answered


def test_a_person_answers_false_premises(playing: Callable[..., Running], page: Any) -> None:
    running = playing("false-premise", "--episodes", "1")

    def act() -> None:
        page.locator("#answer").fill("There is no such thing.")
        page.keyboard.press("Control+Enter")

    assert answer_each(page, running, act) == 10
    assert "played: 1 of 1 dialogues" in running.out()
    assert page.get_by_text("That was all. Thank you.").is_visible()


def test_detectors_read_what_a_person_answered(
    playing: Callable[..., Running], page: Any, tmp_path: Path
) -> None:
    running = playing("false-premise", "--episodes", "1")

    def act() -> None:
        page.locator("#answer").fill("Who knows.")
        page.locator("#send").click()

    answer_each(page, running, act)
    running.out()
    with answerers_behind(Answerers([])) as server:
        voters = [{"name": "keen", "model": "keen", "base_url": server.base_url}]
        path = tmp_path / "voters.yaml"
        path.write_text(yaml.safe_dump({"voters": voters}), "utf-8")
        judged = ("--voters", str(path), "--detectors", "keen")
        again = playing("false-premise", "--episodes", "1", *judged)
        out = again.out()  # nobody answers: the person is asked nothing
    assert "played: 1 of 1 dialogues" in out
    assert "next: run-benchmark score" in out


def test_a_person_chooses_options_by_a_key(playing: Callable[..., Running], page: Any) -> None:
    running = playing("question-chain", "--episodes", "1", "--modes", "following")
    assert answer_each(page, running, lambda: page.keyboard.press("a"))
    assert "played: 1 of 1" in running.out()


def test_a_person_draws_boxes(playing: Callable[..., Running], page: Any) -> None:
    running = playing("candidate-set", "--episodes", "1")
    answers = []

    def act() -> None:
        area = page.locator(".picture img").last.bounding_box()
        page.mouse.move(area["x"] + area["width"] / 4, area["y"] + area["height"] / 4)
        page.mouse.down()
        page.mouse.move(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
        page.mouse.up()
        answers.append(json.loads(page.locator("#answer").input_value()))
        page.locator("#send").click()

    assert answer_each(page, running, act)
    running.out()
    for boxes in answers:
        (box,) = boxes
        pairs = zip(box, (250, 250, 500, 500), strict=True)
        # a pixel of a small picture is many thousandths
        assert all(abs(side - wanted) <= 45 for side, wanted in pairs)


def test_a_person_chooses_of_listed_boxes(playing: Callable[..., Running], page: Any) -> None:
    running = playing("candidate-set", "--episodes", "1", "--given-candidates")
    answers = []

    def act() -> None:
        assert page.locator(".box").count() == 3
        for number in ("1", "3", "1"):  # chosen, chosen, taken back
            page.get_by_role("button", name=number, exact=True).click()
        assert page.locator(".box.chosen").get_attribute("data-number") == "3"
        answers.append(page.locator("#answer").input_value())
        page.locator("#send").click()

    assert answer_each(page, running, act) == len(answers) > 0
    assert set(answers) == {"[3]"}
    assert f"read as: json {len(answers)}" in running.out()


def test_a_person_who_leaves_goes_on_where_it_was(
    playing: Callable[..., Running], page: Any
) -> None:
    running = playing("question-chain", "--episodes", "1", "--modes", "following")
    page.locator("#form").wait_for()
    first = page.locator("#talk").text_content()
    page.keyboard.press("a")
    page.get_by_text("1 answered").wait_for()
    page.locator("#form").wait_for()
    second = page.locator("#talk").text_content()
    running.interrupt()
    page.get_by_text("The run was stopped.").wait_for()
    playing("question-chain", "--episodes", "1", "--modes", "following")
    page.locator("#form").wait_for()
    assert page.locator("#talk").text_content() == second != first


def test_a_person_plays_hidden_target(playing: Callable[..., Running], page: Any) -> None:
    running = playing("hidden-target-tau-0.3", "--episodes", "1", "--batch-size", "3")
    guesses = []

    def act() -> None:
        seen = page.get_by_role("button", name="Seen")
        if seen.count():
            assert not page.get_by_role("button", name="Guess").count()  # it would be too early
            seen.click()
            return
        page.get_by_role("button", name="Guess #2", exact=True).click()
        guesses.append(page.locator("#answer").input_value())
        page.locator("#send").click()

    assert answer_each(page, running, act) > 1
    assert guesses == ["My guess: #2"]
    running.out()
