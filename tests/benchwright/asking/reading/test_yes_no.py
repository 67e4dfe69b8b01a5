"""The public table of cases, and what holds for every answer."""

import re
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchwright.asking.reading import Reading, read_text, read_yes_no
from benchwright.asking.reading.words import folded, words
from benchwright.asking.replies import Reply, Token, reply_of
from benchwright.yaml_files import read_yaml

TABLE = Path(__file__).parents[4] / "docs" / "answers" / "yes-no.yaml"
KEYS = {"text", "finish_reason", "refusal", "answer", "status", "reason", "why", "report"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A row of the table; the fields are those that the table names."""

    why: str
    reason: str
    text: str | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    answer: str | None = None
    status: str = "ok"
    report: str | None = None

    def reply(self) -> Reply:
        message = {"content": self.text, "refusal": self.refusal}
        choice = {"message": message, "finish_reason": self.finish_reason}
        return reply_of({"choices": [choice]}, key="k", seconds=0.0)


def rows() -> dict[str, list[dict[str, str]]]:
    said: dict[str, list[dict[str, str]]] = read_yaml(TABLE, as_text=True)
    return said


CASES = [Case(**row) for some in rows().values() for row in some]
SAID = [case for case in CASES if case.answer in ("yes", "no") and case.finish_reason == "stop"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.text!r:.50}-{case.finish_reason}")
def test_the_table(case: Case) -> None:
    expected = Reading(status=case.status, reason=case.reason, answer=case.answer)  # type: ignore[arg-type]
    assert read_yes_no(case.reply()) == expected, case.why


def test_the_table_is_wide() -> None:
    asked = [(case.text, case.finish_reason, case.refusal) for case in CASES]
    chinese = [case for case in CASES if any("一" <= char <= "鿿" for char in case.text or "")]
    assert len(asked) == len(set(asked))
    assert len(asked) >= 220
    assert len(chinese) >= 50
    assert len({case.why for case in chinese}) > 45
    assert all(row.keys() <= KEYS for some in rows().values() for row in some)
    assert all((case.answer is None) == (case.status != "ok") for case in CASES)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        # nothing came, worth asking again
        (Reply(key="k", status="failed", error="reset"), ("failed", "failed")),
        # the server will never take it, whatever it wrote
        (Reply(key="k", status="rejected", text="yes"), ("refused", "rejected")),
        # a status goes before the text
        (Reply(key="k", status="refused", text="yes"), ("refused", "declined")),
        (Reply(key="k", status="refused", finish_reason="content_filter"), ("refused", "filtered")),
        # only tool calls
        (Reply(key="k", status="ok", tool_calls=({"id": "1"},)), ("unparsed", "empty")),
    ],
)
def test_the_status_of_the_reply(reply: Reply, expected: tuple[str, str]) -> None:
    read = read_yes_no(reply)
    assert (read.status, read.reason) == expected
    assert read.answer is None
    assert read.p_yes is None


@given(st.sampled_from(SAID), st.sampled_from([str.upper, str.lower, str.swapcase]))
def test_case_changes_nothing(case: Case, turned: Any) -> None:
    assert read_text(turned(case.text)).answer == case.answer


@given(
    st.sampled_from(SAID),
    st.sampled_from(["", " ", "\n", "\r\n\t", "\u3000", "\ufeff"]),
    st.sampled_from(["", " ", "\n\n", ".", "!", "。", "！", "…", " .", "\u200b", "<|eot_id|>"]),
)
def test_blanks_and_closing_signs_change_nothing(case: Case, before: str, after: str) -> None:
    assert read_text(f"{before}{case.text}{after}").answer == case.answer


@given(
    st.sampled_from([case for case in SAID if case.reason in ("plain", "lead", "sentence")]),
    st.sampled_from(
        ["**{}**", "> {}", "# {}", "<p>{}</p>", "“{}”", "```\n{}\n```", "- {}", "({})"]
    ),
)
def test_markup_changes_nothing(case: Case, dress: str) -> None:
    assert read_text(dress.format(case.text)).answer == case.answer


@given(
    st.sampled_from([case for case in CASES if case.text and case.finish_reason == "stop"]),
    st.text(st.characters(exclude_characters="<>◁▷[]"), max_size=60),
    st.sampled_from(["<think>{}</think>", "<thinking>{}</thinking>", "◁think▷{}◁/think▷"]),
)
def test_reasoning_before_an_answer_changes_nothing(case: Case, said: str, tags: str) -> None:
    alone, after = (
        read_text(case.text or ""),
        read_text(tags.format(f"yes no {said}") + str(case.text)),
    )
    assert (after.status, after.answer) == (alone.status, alone.answer)


WORDS = [word for word, answer in words().texts.items() if answer != "unsure"] + list(words().emoji)
PIECES = [
    "the dress ",
    "notice",
    " board",
    "nose, ",
    "yes",
    "no",
    "eyes ",
    "未",
    "知",
    ". ",
    "\n",
    "Answer: ",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=8).map("".join)))
@example("Noël nods north")
def test_without_a_listed_word_it_is_never_yes_or_no(text: str) -> None:
    spelled = folded(text)
    bare = re.sub(r"[a-z0-9]+", lambda word: word[0] if word[0] in WORDS else "·", spelled)
    if not any(word in bare for word in WORDS):
        assert read_text(text).answer in (None, "unsure")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # half a surrogate pair: alone, around the word, in JSON, in a tag, in reasoning, struck
        ("\ud83d", None),
        ("\ud83dYes", "yes"),
        ("No\ud83d", "no"),
        ('{"answer": "yes\ud83d"}', "yes"),
        ('{"answer": "\\ud83d"}', None),
        ('{"\ud83d": "no"}', "no"),
        ("<answer>no \udc4d</answer> ok", "no"),
        ("<think>\ud83d</think>Yes", "yes"),
        ("~~\ud83d~~ No", "no"),
    ],
)
def test_half_a_surrogate_pair_is_survived(text: str, answer: str | None) -> None:
    read = read_yes_no(
        Reply(
            key="k",
            status="ok",
            text=text,
            tokens=(Token(text=text, logprob=-0.1, alternatives=(("\ud83d", -1.0),)),),
        )
    )
    assert read.answer == answer


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_read(text: str) -> None:
    read = read_text(text)
    assert (read.answer is None) == (read.status != "ok")
    assert read.span is None or 0 <= read.span[0] <= read.span[1] <= len(text)


WORDLESS = {  # answers that no word of theirs spells
    "Answer: 1",
    "Answer: 0",
    "Yes would be wrong here.",
    "No would be incorrect.",
    '"Yes" is not correct',
}


@pytest.mark.parametrize("text", sorted(WORDLESS))
def test_no_decisive_word(text: str) -> None:
    span = read_text(text).span
    assert span is not None
    assert span[0] == span[1]


@pytest.mark.parametrize(
    "case",
    [case for case in SAID if case.reason != "json" and case.text not in WORDLESS],
    ids=lambda c: repr(c.text),
)
def test_the_decisive_word_is_found(case: Case) -> None:
    text = unicodedata.normalize("NFC", case.text or "")
    span = read_text(text).span
    assert span is not None
    word = folded(text[slice(*span)])
    assert words().texts.get(word) == case.answer or set(word) & set(words().emoji)


@pytest.mark.parametrize(
    "unit",
    [
        # clauses, announcements, JSON that ends and that does not, tags, quotes, openers
        *("no,", "answer:", '{"a":', '{"noZip": 1} ', "<a ", "'yes' ", "so ", "无法", "lean "),
        # a choice that never ends, conditions, words spoken of, corrections, a bare no announced
        *("yes or ", "if the answer is yes ", "yes if ", "yes would be ", "yes. no, wait. "),
        *("answer: no a ", "confidence: ", "thinking: ", "~~a~~ no ", "<del>a", "是 Yes ", "否则"),
    ],
)
def test_a_long_text_is_read_in_linear_time(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    started = time.process_time()
    read_text(text)
    assert time.process_time() - started < 6  # a second here; quadratic would be an hour
