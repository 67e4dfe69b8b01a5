"""Pairs of questions for preference training: the same state, one tells more than the other."""

from collections.abc import Iterator, Sequence

from benchwright.records import Pair, Step
from evaluation.hidden_target.trajectories.dialogue import spoken_by_player
from evaluation.hidden_target.trajectories.rewards import rounded


def pairs_of(steps: Sequence[Step]) -> Iterator[Pair]:
    """Yield the pairs of the steps of one episode, in one run or several.

    Rejected are questions that were skipped, and those with less expected information gain than
    what the reference questioner would ask, or than what a player asked in another run with the
    same pictures left; the best of these, and only of types that were still to be asked about.
    Questions of which labels do not tell what they gain are in no pair. A pair that several runs
    give is yielded once.
    """
    asked = [step for step in steps if step.kind == "question" and step.expected_gain is not None]
    seen = set()
    for rejected in asked:
        for pair in (_by_reference(rejected), _by_other_run(rejected, asked)):
            if pair is not None:
                words = (pair.prompt, pair.chosen, pair.rejected)
                if words not in seen:
                    seen.add(words)
                    yield pair


def _by_reference(rejected: Step) -> Pair | None:
    if rejected.reference is None or rejected.reference_gain is None:
        return None
    return _pair(rejected, rejected.reference, rejected.reference_gain, None)


def _by_other_run(rejected: Step, asked: Sequence[Step]) -> Pair | None:
    others = [step for step in asked if step.run != rejected.run and _could_ask(rejected, step)]
    if not others:
        return None
    best = min(others, key=lambda step: (-(step.expected_gain or 0.0), step.run, step.step))
    return _pair(rejected, best.action, best.expected_gain or 0.0, best.run)


def _could_ask(here: Step, there: Step) -> bool:
    """Tell whether what was asked in one state could have been asked in another.

    What was skipped there gains 0 and comes to no pair.
    """
    is_left = not {one.type for one in there.asked} & set(here.types_asked)
    return there.feasible == here.feasible and is_left


def _pair(rejected: Step, text: str, gain: float, source_run: str | None) -> Pair | None:
    margin = rounded(gain - (rejected.expected_gain or 0.0))
    chosen, said = spoken_by_player(text), spoken_by_player(rejected.action)
    if margin <= 0 or chosen == said:
        return None
    return Pair(
        run=rejected.run,
        player=rejected.player,
        release=rejected.release,
        config=rejected.config,
        episode_id=rejected.episode_id,
        step=rejected.step,
        image_ids=rejected.image_ids,
        prompt=rejected.messages,
        chosen=(chosen,),
        rejected=(said,),
        margin=margin,
        chosen_gain=gain,
        rejected_gain=rejected.expected_gain or 0.0,
        reason=rejected.reason,
        source="reference" if source_run is None else "player",
        source_run=source_run,
    )
