"""What a person writes on a card outlives builds and versions, to the letter."""

import re
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.card.own_text import (
    BEGIN,
    END,
    block_digest,
    block_in,
    first_text,
    is_untouched,
    with_block,
)

OWN = f"# Ours\r\n\nFor *people*.\n\n{BEGIN}\nold\n{END}\n\n## Thanks\n\nTo all  \n"


@pytest.mark.parametrize(
    ("own", "is_taken"),
    [
        (OWN, True),
        (first_text("Things"), True),
        # the markers alone
        (f"{BEGIN}{END}", True),
        # one is missing, twice there, or they are the other way round
        ("# Ours", False),
        (BEGIN, False),
        (END, False),
        (f"{END}\n{BEGIN}\n{END}", False),
        (f"{BEGIN}\n{BEGIN}\n{END}", False),
        (f"{BEGIN}\n{END}\n{END}", False),
        (f"{END}\n{BEGIN}", False),
    ],
)
def test_the_block_goes_between_the_markers(own: str, is_taken: bool) -> None:
    if not is_taken:
        with pytest.raises(UsageError, match=r"^here: wants the lines"):
            with_block(own, "new", "here")
        return
    made = with_block(own, "new", "here")
    assert block_in(made) == "new"
    assert made.partition(BEGIN)[0] == own.partition(BEGIN)[0]
    assert made.partition(END)[2] == own.partition(END)[2]
    assert with_block(made, "new", "here") == made
    assert block_digest(made) == block_digest(with_block(f"# Others\n{BEGIN}{END}", "new", "x"))


FIRST = first_text("Things")


@pytest.mark.parametrize(
    ("own", "asks"),
    [
        (FIRST, True),
        (with_block(FIRST, "new", "here"), True),
        # the half that was not written yet
        (re.sub("<!-- Write here what.*-->", "For testing.", FIRST), True),
        (re.sub("<!-- Write here.*-->", "For testing; ana@example.org.", FIRST), False),
        (OWN, False),
    ],
)
def test_a_text_that_nobody_wrote_is_known(own: str, asks: bool) -> None:
    assert is_untouched(own) == asks


def test_what_is_to_be_written_is_not_shown() -> None:
    shown = re.sub("<!--.*?-->", "", FIRST, flags=re.DOTALL)
    assert shown.split() == ["#", "Things"]


def test_a_block_with_a_marker_is_a_bug() -> None:
    with pytest.raises(ValueError, match="marker"):
        with_block(OWN, f"x {END} y", "here")


def test_it_survives_a_rebuild_and_the_next_version(spoken: Workspace, build: Any) -> None:
    assert "# The \\<b\\>things\\</b\\>\n" in build(spoken, title="The <b>things</b>").text
    own = spoken.releases / "things" / "README.md"
    own.write_bytes(OWN.encode())
    text = build(spoken, "1.0.1").text
    assert "# Ours\r\n\nFor *people*.\n\n<!--" in text
    assert text.endswith("\n\n## Thanks\n\nTo all  \n")
    assert "What version 1.0.1 holds" in text
    assert own.read_bytes() == OWN.encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_head_of_their_own(end: str, spoken: Workspace, build: Any) -> None:
    place = spoken.releases / "things"
    place.mkdir(parents=True)
    own = f"---\nextra_gated_prompt: Be kind\nlicense: mit\nlanguage: [fr]\n---\n{OWN}"
    (place / "README.md").write_bytes(own.replace("\n", end).encode())
    card = build(spoken)
    assert card.head["extra_gated_prompt"] == "Be kind"
    assert card.head["license"] == "other"
    assert card.head["language"] == ["fr"]  # which only they know
    assert "\n# Ours\r" in card.body[:9]
    assert card.text.count("extra_gated_prompt") == 1


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (b"# No markers", "README.md: wants the lines"),
        (b"# \xff", "README.md: wants UTF-8 (invalid start byte at byte 2)"),
        (f"---\na: [\n---\n{OWN}".encode(), "README.md: what stands between its first ---"),
        (f"---\njust words\n---\n{OWN}".encode(), "is no YAML of names and values"),
    ],
)
def test_a_text_that_cannot_be_used(own: bytes, said: str, spoken: Workspace, build: Any) -> None:
    place = spoken.releases / "things"
    place.mkdir(parents=True)
    (place / "README.md").write_bytes(own)
    with pytest.raises(UsageError) as error:
        build(spoken)
    assert said in str(error.value)
    assert (place / "README.md").read_bytes() == own
