"""An episode as steps: state, action, observation, next state, reward (AMIGO, section 8)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.records import ActionKind, Step, Turn
from evaluation.hidden_target.feasible import feasible_before, is_answered
from evaluation.hidden_target.game import Rules
from evaluation.hidden_target.metrics.replaying import Replayed
from evaluation.hidden_target.noise import is_hit
from evaluation.hidden_target.trajectories.dialogue import dialogues
from evaluation.hidden_target.trajectories.expected_gain import (
    best_question,
    expected_gain,
    types_asked,
)
from evaluation.hidden_target.trajectories.rewards import (
    Reward,
    RewardSettings,
    reward_of_guess,
    reward_of_turn,
    rounded,
)
from evaluation.releases.galleries import Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all episodes of a run share: the release by its name, its words, rules and rewards.

    ``texts`` is the question for each value, by (type, value).
    """

    release: str
    terms: tuple[Term, ...]
    rules: Rules
    texts: Mapping[tuple[str, str], str]
    rewards: RewardSettings


def steps_of(episode: Replayed, setting: Setting) -> Iterator[Step]:
    """Yield the steps of an episode: its turns, then the guess where there is one."""
    gallery, turns, guess = episode.gallery, episode.turns, episode.trajectory.guess
    said = dialogues(gallery, setting.terms, setting.rules, episode.trajectory)
    for at, turn in enumerate(turns):
        before = feasible_before(len(gallery), turns, at)
        reward = reward_of_turn(
            setting.rewards,
            is_skip=not is_answered(turn),
            pictures=len(gallery),
            before=len(before),
            after=len(turn.feasible),
        )
        yield Step(
            **_named(episode, setting),
            **_state(episode, at),
            **_rewarded(reward),
            **_by_labels(episode, setting, at),
            messages=said[at],
            action=turn.text,
            kind=_kind(turn),
            asked=turn.asked,
            guess=None,
            told=turn.told,
            reason=turn.reason,
            is_noisy=is_hit(turn),
            next_feasible=turn.feasible,
            next_feasible_size=len(turn.feasible),
            is_terminal=False,
            is_truncated=guess is None and at == len(turns) - 1,
        )
    if guess is not None:
        yield _guessed(episode, setting, guess, messages=said[-1])


def _guessed(episode: Replayed, setting: Setting, guess: int, **more: Any) -> Step:
    at, feasible = len(episode.turns), episode.feasible
    reward = reward_of_guess(
        setting.rewards, guess=guess, target=episode.gallery.target, feasible=feasible
    )
    return Step(
        **_named(episode, setting),
        **_state(episode, at),
        **_rewarded(reward),
        **_by_labels(episode, setting, at),
        action=episode.trajectory.guess_text or "",
        kind="guess",
        asked=(),
        guess=guess,
        told=None,
        reason=None,
        is_noisy=False,
        next_feasible=feasible,
        next_feasible_size=len(feasible),
        is_terminal=True,
        is_truncated=False,
        **more,
    )


def _named(episode: Replayed, setting: Setting) -> dict[str, Any]:
    played = episode.trajectory
    return {
        "run": played.run,
        "player": played.player,
        "release": setting.release,
        "config": played.config,
        "episode_id": played.episode_id,
        "image_ids": episode.gallery.image_ids,
    }


def _state(episode: Replayed, at: int) -> dict[str, Any]:
    feasible = feasible_before(len(episode.gallery), episode.turns, at)
    return {
        "step": at + 1,
        "feasible": feasible,
        "feasible_size": len(feasible),
        "types_asked": types_asked(episode.turns[:at]),
    }


def _rewarded(reward: Reward) -> dict[str, Any]:
    return {
        "information_gain": reward.information_gain,
        "skip_reward": reward.skip,
        "information_reward": reward.information,
        "terminal_reward": reward.terminal,
        "reward": reward.total,
    }


def _by_labels(episode: Replayed, setting: Setting, at: int) -> dict[str, Any]:
    """Return what was to be gained in a state, and what its turn could be expected to gain."""
    gallery, turns = episode.gallery, episode.turns
    feasible = feasible_before(len(gallery), turns, at)
    if not feasible:
        names = ("expected_gain", "most_gain", "regret", "reference", "reference_gain")
        return dict.fromkeys(names)
    best = best_question(gallery, feasible, types_asked(turns[:at]))
    gain = _expected(episode, feasible, turns[at]) if at < len(turns) else None
    return {
        "expected_gain": None if gain is None else rounded(gain),
        "most_gain": rounded(best.most),
        "regret": None if gain is None else rounded(best.most - gain),
        "reference": best.asked and setting.texts[best.asked.type, best.asked.value],
        "reference_gain": None if best.reference_gain is None else rounded(best.reference_gain),
    }


def _expected(episode: Replayed, feasible: Sequence[int], turn: Turn) -> float | None:
    """Return the expected gain of a turn; a skip tells nothing, and nobody knows what a question
    would tell that could not be mapped.
    """
    if not is_answered(turn):
        return 0.0
    return expected_gain(episode.gallery, feasible, turn.asked) if turn.asked else None


def _kind(turn: Turn) -> ActionKind:
    if turn.question is not None:
        return "question"
    return "guess" if turn.reason == "bad_guess" else "nothing"
