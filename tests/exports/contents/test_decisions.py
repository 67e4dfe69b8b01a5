"""Decisions as they go out: who, when and in which words is not told."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.records import Decision
from exports.contents.auditors import numbered_auditors
from exports.contents.decisions import decisions_table
from stand_ins.auditors import decision

AT = "2026-03-01T12:00:00+00:00"


def table(said: list[Decision], **chosen: Any) -> list[dict[str, Any]]:
    pictures = {one.image_id for one in said if one.image_id}
    records = {one.record_id for one in said if one.record_id}
    made = decisions_table(said, numbered_auditors(said), pictures, records)
    found: list[dict[str, Any]] = made.to_pylist()
    return found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("yes", "yes"),
        ("unsure", "unsure"),
        ("valid", "valid"),
        # the digest of a draft
        ("0123456789abcdef", "0123456789abcdef"),
        (None, None),
        # what somebody wrote, or may have
        (json.dumps({"false_description": "the cat of my sister Eva"}), None),
        ('["2/q3"]', None),
        ("Eva", None),
        ("eva was here", None),
        ("yes\n", None),
        ("x" * 17, None),
    ],
)
def test_words_are_told_and_texts_are_not(text: str | None, shown: str | None) -> None:
    said = decision(image_id=None, record_id="c1", after=text, before=text, verdict="confirmed")
    (row,) = table([said])
    assert (row["before"], row["after"]) == (shown, shown)


def test_notes_and_times_are_not_told() -> None:
    (row,) = table([decision(note="Eva", at=AT)])
    assert not {"note", "at"} & set(row)


@pytest.mark.parametrize(
    ("times", "numbers"),
    [
        # by when they began, whatever the order of the journal
        ({"cy": AT, "ana": AT.replace("12", "13")}, {"cy": "auditor-1", "ana": "auditor-2"}),
        # an offset is no later hour
        (
            {"cy": "2026-03-01T13:00:00+02:00", "ana": AT},
            {"cy": "auditor-1", "ana": "auditor-2"},
        ),
        # at the same time: by name
        ({"cy": AT, "ana": AT}, {"ana": "auditor-1", "cy": "auditor-2"}),
    ],
)
def test_auditors_are_numbered_by_when_they_began(
    times: dict[str, str], numbers: dict[str, str]
) -> None:
    said = [decision(auditor=name, at=at) for name, at in times.items()]
    later = [replace(one, at="2026-04-01T12:00:00+00:00") for one in said]
    assert numbered_auditors(said) == numbers
    assert numbered_auditors([*reversed(later), *reversed(said)]) == numbers


_DECISIONS = st.lists(
    st.builds(
        decision,
        number=st.integers(1, 3),
        after=st.sampled_from(["yes", "no", None]),
        auditor=st.sampled_from(["ana", "bo", "cy"]),
        at=st.sampled_from([AT, "2026-03-01T13:00:00+02:00", "2026-03-02T12:00:00+00:00"]),
        object_id=st.sampled_from([None, "1", "10", "2"]),
        seconds=st.sampled_from([None, 0.5, 12.25]),
        stratum=st.sampled_from([None, "colour"]),
        probability=st.sampled_from([None, 0.25]),
        failed=st.sampled_from([(), ("single error",)]),
    ),
    max_size=12,
)


@given(_DECISIONS, st.randoms(use_true_random=False))
def test_the_order_of_the_journal_does_not_matter(
    said: list[Decision], chance: random.Random
) -> None:
    other = chance.sample(said, len(said))
    assert table(other) == table(said)
