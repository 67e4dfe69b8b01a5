"""Which voter drafts what: each position gets distractors of every family, as far as they go.

Who is asked hangs on the ids of the chain and of the step alone, so that another chain, or one
more, changes nothing of what was asked before.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright import seeds
from benchwright.asking.voters import Voter
from labeling.dialogues.question_chain.distracting.families import by_family


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """So many distractors that one voter is to draft."""

    voter: Voter
    wanted: int


def shares_of(voters: Sequence[Voter], wanted: int, *ids: str) -> tuple[Share, ...]:
    """Return who drafts how many of ``wanted``, families in turn from one that the ids draw.

    Voters of one family take turns as well. The shares are in the order of the voters.
    """
    turns = Counter(voter.name for voter in drawn_voters(voters, wanted, *ids))
    return tuple(
        Share(voter=voter, wanted=turns[voter.name]) for voter in voters if turns[voter.name]
    )


def drawn_voters(voters: Sequence[Voter], wanted: int, *ids: str) -> list[Voter]:
    """Return the voter of each of ``wanted`` things, families in turn."""
    families = list(by_family(voters).values())
    first = seeds.below(len(families), 0, "family", *ids)
    found = []
    for number in range(wanted):
        around, at = divmod(first + number, len(families))
        family = families[at]
        start = seeds.below(len(family), 0, "voter", *ids)
        found.append(family[(start + around) % len(family)])
    return found
