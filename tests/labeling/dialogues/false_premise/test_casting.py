import pytest

from benchwright.asking.voters import Voter
from benchwright.errors import UsageError
from labeling.dialogues.false_premise.casting import cast_of

THREE = [Voter(name=name, model=name, base_url="http://x/v1") for name in ("a", "b", "c")]

CASES: list[tuple[int, tuple[str, ...], str, str, str]] = [
    (3, (), "a", "abc", "abc"),  # the first writes, all look
    (1, (), "a", "a", "a"),
    (3, ("b",), "b", "ac", "bac"),  # nobody judges his own words
    (3, ("c", "a"), "ac", "b", "acb"),  # in the order of the file
    (1, ("a",), "a", "a", "a"),  # there is nobody else
    (3, ("a", "b", "c"), "abc", "abc", "abc"),
]


@pytest.mark.parametrize(("number", "authors", "writing", "looking", "everybody"), CASES)
def test_who_writes_and_who_looks(
    number: int, authors: tuple[str, ...], writing: str, looking: str, everybody: str
) -> None:
    cast = cast_of(THREE[:number], authors)
    found = [
        "".join(voter.name for voter in voters)
        for voters in (cast.authors, cast.lookers, cast.everybody())
    ]
    assert found == [writing, looking, everybody]


def test_a_name_that_no_voter_has() -> None:
    with pytest.raises(UsageError, match="--author z: no voter is named so; there are a, b, c"):
        cast_of(THREE, ("a", "z"))
