"""Each scripted player gets, episode by episode, just what was worked out for it beforehand."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from benchwright.knowledge import NO, UNKNOWN, YES
from benchwright.records import Told
from evaluation.releases.galleries import Gallery
from stand_ins.players.policy import standing_after

Play = Callable[..., Any]
WORDS: dict[int, Told] = {YES: "yes", NO: "no", UNKNOWN: "unsure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What must become of an episode: the guess, the pictures that were left, the turns.

    ``skips`` are the reasons of the skips in their order, ``uploads`` how what was said to the
    batches before the last counts.
    """

    guess: int | None
    left: tuple[int, ...]
    turns: int
    skips: tuple[str, ...] = ()
    uploads: tuple[str, ...] = ()


def solved(gallery: Gallery, most: int = 99) -> tuple[tuple[int, ...], int]:
    """Return what is left after the questions of the policy, ``most`` of them, and their number."""
    told: list[Told] = []
    while (asks := standing_after(gallery.answers, gallery.values, told).asks) is not None and len(
        told
    ) < most:
        told.append(WORDS[int(gallery.answers[gallery.target - 1, asks])])
    return standing_after(gallery.answers, gallery.values, told).feasible, len(told)


def noted(gallery: Gallery) -> tuple[str, ...]:
    return ("acknowledged",) * ((len(gallery) - 1) // 5)


def as_reference(gallery: Gallery) -> Foreseen:
    left, turns = solved(gallery)
    return Foreseen(guess=left[0], left=left, turns=turns, uploads=noted(gallery))


def refusing(gallery: Gallery) -> Foreseen:
    left, asked = solved(gallery)
    return Foreseen(
        guess=left[0],
        left=left,
        turns=2 * asked,
        skips=("no_question",) * asked,
        uploads=noted(gallery),
    )


def offender(gallery: Gallery) -> Foreseen:
    left, _ = solved(gallery, most=1)
    skips = ("index", "several_questions", "repeated", "repeated", "forbidden", "compound")
    return Foreseen(guess=left[0], left=left, turns=7, skips=skips, uploads=noted(gallery))


def sly(gallery: Gallery) -> Foreseen:
    """The rules see no harm, and the oracle cannot tell: two turns more, nothing else."""
    left, asked = solved(gallery)
    return Foreseen(guess=left[0], left=left, turns=asked + 2, uploads=noted(gallery))


def premature(gallery: Gallery) -> Foreseen:
    left, turns = solved(gallery)
    return Foreseen(guess=left[0], left=left, turns=turns, uploads=("question",))


def stubborn(gallery: Gallery) -> Foreseen:
    left, turns = solved(gallery)
    return Foreseen(guess=1, left=left, turns=turns, uploads=noted(gallery))


def hasty(gallery: Gallery) -> Foreseen:
    return Foreseen(guess=1, left=everything(gallery), turns=0, uploads=noted(gallery))


def chinese(gallery: Gallery) -> Foreseen:
    """No word of it stands in the vocabulary, so that the oracle is unsure of all of it."""
    return Foreseen(guess=1, left=everything(gallery), turns=5, uploads=noted(gallery))


def garbler(gallery: Gallery) -> Foreseen:
    skips = ("bad_guess",) * 2 + ("no_question",) * 4
    return Foreseen(guess=1, left=everything(gallery), turns=6, skips=skips, uploads=("nothing",))


def endless(gallery: Gallery) -> Foreseen:
    """A value of each of eight types is answered, the second of a type is one too many."""
    firsts = {value.type: at for at, value in reversed([*enumerate(gallery.values)])}
    known = gallery.answers
    left = set(everything(gallery))
    for at in firsts.values():
        answer = known[gallery.target - 1, at]
        if gallery.values[at].askable and answer != UNKNOWN:
            left -= {number for number in left if known[number - 1, at] == -answer}
    return Foreseen(
        guess=None,
        left=tuple(sorted(left)),
        turns=20,
        skips=("repeated",) * 12,
        uploads=noted(gallery),
    )


def everything(gallery: Gallery) -> tuple[int, ...]:
    return tuple(range(1, len(gallery) + 1))


FORESEEN: dict[str, Callable[[Gallery], Foreseen]] = {
    "reference": as_reference,
    "prose": as_reference,
    "markdown": as_reference,
    "thinking": as_reference,
    "reasoning-field": as_reference,
    "as-json": as_reference,
    "refusing": refusing,
    "offender": offender,
    "sly": sly,
    "premature": premature,
    "stubborn": stubborn,
    "hasty": hasty,
    "chinese": chinese,
    "garbler": garbler,
    "endless": endless,
}


def became(row: Any, gallery: Gallery) -> Foreseen:
    """Return what became of an episode, as its trajectory tells."""
    turns = row["turns"]
    return Foreseen(
        guess=row["guess"],
        left=tuple(turns[-1]["feasible"]) if turns else everything(gallery),
        turns=len(turns),
        skips=tuple(turn["reason"] for turn in turns if turn["told"] == "skip"),
        uploads=tuple(upload["kind"] for upload in row["uploads"]),
    )


def outcome(foreseen: Foreseen, gallery: Gallery) -> str:
    """Return what an episode counts as (definition 14)."""
    if foreseen.guess != gallery.target:
        return "incorrect"
    if gallery.target not in foreseen.left:
        return "contradicted"
    return "verified" if len(foreseen.left) == 1 else "random_guess"


@pytest.mark.parametrize("player", FORESEEN)
def test_a_player_gets_what_was_worked_out_for_it(
    player: str, calm: Play, galleries: list[Gallery]
) -> None:
    played = calm(player)
    expected = {gallery.episode_id: FORESEEN[player](gallery) for gallery in galleries}
    by_id = {gallery.episode_id: gallery for gallery in galleries}
    found = {row["episode_id"]: became(row, by_id[row["episode_id"]]) for row in played.rows}
    assert found == expected
    count = len(galleries)
    counted = Counter(outcome(expected[each.episode_id], each) for each in galleries)
    for name in ("verified", "random_guess", "contradicted", "incorrect"):
        assert played.score(name) == counted[name] / count, name
    assert played.score("overall") == (count - counted["incorrect"]) / count
    assert played.score("turns") == sum(each.turns for each in expected.values()) / count
    assert played.score("skip_rate") == mean(
        [len(each.skips) / each.turns for each in expected.values() if each.turns]
    )
    assert played.score("premature") == mean(
        [each.uploads.count("question") / len(each.uploads) for each in expected.values()]
    )
    reasons = Counter(reason for each in expected.values() for reason in each.skips)
    for reason, number in reasons.items():
        assert played.score("skips", "reason", reason) == number / reasons.total(), reason


def mean(shares: list[float]) -> Any:
    """Return the mean to the last digit but one; null for nothing."""
    return pytest.approx(sum(shares) / len(shares), rel=1e-15) if shares else None


def test_what_is_said_to_each_batch_counts_for_itself(
    play: Play, behind: Any, galleries: list[Gallery]
) -> None:
    played = play(behind(), "premature", "--batch-size", "2")
    said = ("question", "echo", "guess")
    uploads = [tuple(each["kind"] for each in row["uploads"]) for row in played.rows]
    assert uploads == [said[: (len(each) - 1) // 2] for each in galleries]
    early = [sum(kind != "echo" for kind in each) / len(each) for each in uploads]
    assert played.score("premature") == mean(early)
    assert played.score("echo") == mean([each.count("echo") / len(each) for each in uploads])
    assert played.score("verified") == 14 / 17  # too early, but nothing else


def test_the_reference_is_verified_wherever_that_can_be(
    calm: Play, galleries: list[Gallery]
) -> None:
    played = calm("reference")
    turns = {row["episode_id"]: len(row["turns"]) for row in played.rows}
    can_be = [gallery for gallery in galleries if gallery.par_protocol is not None]
    assert len(can_be) == 14  # of 17
    assert {each.episode_id: each.par_protocol for each in can_be}.items() <= turns.items()
    assert played.score("verified") >= 14 / 17
    assert played.score("par_protocol_ratio") == 1
