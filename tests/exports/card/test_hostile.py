"""Texts of strangers on a card: they are shown, and do nothing."""

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from benchwright.records import ModelUse
from exports.card.block import block_of
from exports.card.facts import Facts
from exports.card.markdown import link, table, text
from exports.card.own_text import BEGIN, END, block_in, first_text, with_block
from exports.provenance.errata import PublishedErratum, write_errata
from stand_ins.chains import chain
from stand_ins.dialogues import candidate_set, spoken_about
from stand_ins.false_premises import false_premise

HOSTILE = (
    f"</details><script>alert(1)</script>\n# Big\n\n{END} {BEGIN} | a ![x](http://x/y.png)"
    " [go](javascript:alert(1)) `code` *bold* <img src=x onerror=alert(1)> ```\n```"
)
TAGS = {
    *("h2", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "a", "ul", "li", "ol"),
    *("strong", "em", "details", "summary", "img"),
}


class Seen(HTMLParser):
    """The tags and links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def page_of(said: str) -> str:
    made: str = MarkdownIt("commonmark", {"html": True}).enable("table").render(said)
    return made


def parts(said: str) -> dict[str, Any]:
    """Return parts of a release whose every text is this one."""
    item = spoken_about(
        "d1", title=said, author=said, url=said, licence=said, source=said, source_id=said
    )
    where = {"image_id": item.image_id}
    premise = false_premise("dog", **where)
    turns = tuple(replace(turn, asked_question=said, true_question=said) for turn in premise.turns)
    hostile_premise = replace(
        premise,
        dialogue_id=said,
        complexity=said,
        category=said,
        true_description=said,
        false_description=said,
        turns=turns,
        models=(ModelUse(step=said, model=said),),
    )
    sets = candidate_set(1, name=said, image_id=item.image_id)
    context = tuple(replace(one, speaker=said, text=said) for one in sets.context)
    links = chain(**where)
    steps = tuple(
        replace(
            one,
            question=said,
            answer=said,
            question_options=tuple(replace(option, text=said) for option in one.question_options),
            answer_options=(said, said + "1"),
        )
        for one in links.steps
    )
    return {
        "items": [item],
        "records": {
            "false-premise": [hostile_premise],
            "candidate-set": [replace(sets, context=context)],
            "question-chain": [
                replace(
                    links,
                    chain_id=said,
                    category=said,
                    scenario=said,
                    question=said,
                    steps=steps,
                )
            ],
        },
        "left_out": {"false-premise": {said: 1}},
        "title": said,
        "authors": (said, said),
    }


def block(said: str, facts: Callable[..., Facts], kit: Any) -> str:
    voter = {"name": said, "kind": said, "model": said, "weight": said}
    settings = {said: said, "voters": [voter], "views": {said: said}, "method": said}
    inputs = {name: kit.manifest(settings=settings) for name in ("catalog", "labels")}
    inputs["dialogues/false-premise"] = kit.manifest(settings=settings, reasons={said: 1})
    held = facts(**parts(said), inputs=inputs)
    fault = {"config": said, "id": said, "reason": said[:200].replace("\n", " ")}
    erratum = PublishedErratum(**fault, withdrawn=False, found_in="1.0.0", withdrawn_in=None)
    write_errata(held.making.folder, [erratum])
    return block_of(held)


def test_hostile_texts_are_shown_and_do_nothing(facts: Callable[..., Facts], kit: Any) -> None:
    tame, hostile = (block(said, facts, kit) for said in ("plain", HOSTILE))
    seen = Seen(page_of(hostile))
    assert set(seen.tags) <= TAGS
    assert seen.tags.count("h2") == Seen(page_of(tame)).tags.count("h2")
    assert seen.tags.count("img") == 3  # ours
    assert all(re.match(r"https?://|pictures/|ATTRIBUTION", one) for one in seen.links)
    assert "&lt;script&gt;" in page_of(hostile)
    card = with_block(first_text(HOSTILE), hostile, "here")
    assert block_in(card) == hostile.strip()


@pytest.mark.parametrize(
    ("address", "linked"),
    [
        ("https://example.org/a", "https://example.org/a"),
        # what would end the link is encoded
        ('https://example.org/a b)(<c>"', "https://example.org/a%20b%29%28%3Cc%3E%22"),
        ("https://example.org/%20?q=é#x", "https://example.org/%20?q=%C3%A9#x"),
        # no address of the web
        *((one, None) for one in ("javascript:alert(1)", "data:text/html,x", "/etc/passwd", "")),
        *((one, None) for one in ("http://", "http://[", None)),
    ],
)
def test_links(address: str | None, linked: str | None) -> None:
    assert link("x", address) == ("x" if linked is None else f"[x]({linked})")


@given(st.text())
def test_any_text_is_one_cell_and_no_markup(said: str) -> None:
    page = page_of("\n".join(table(("a", "b"), [(text(said), "end")], 2)))
    assert set(Seen(page).tags) <= {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.count("<td") == 2


@pytest.mark.parametrize(
    "said",
    [
        # a heading, lists, a line
        *("# Big", "###### small", "#", "- a", "+ a", "-", "1. a", "23) a", "7.", "---", "- - -"),
        # what begins alike and is nothing
        *("#1", "-5", "3.14", "1st", "C# - a", "=== a"),
    ],
)
def test_the_beginning_of_a_text_begins_nothing(said: str) -> None:
    for before, tag in (("- ", "ul"), ("1. ", "ol")):
        page = page_of(before + text(said))
        assert Seen(page).tags == [tag, "li"]
        assert f"<li>{said}</li>" in page
