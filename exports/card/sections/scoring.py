"""How a release is verified, played and scored."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from exports.card.facts import Facts
from exports.card.markdown import code

_SCORES: Mapping[str, str] = MappingProxyType(
    {
        "hidden-target": "A guess is right where it names the target; it is *verified* where the"
        " answers so far leave no other picture. Questions and skips count as turns. A picture"
        " stays possible unless its known label contradicts an answer; unsure and skip change"
        " nothing.",
        "false-premise": "CorrTP@K is the share of false-premise questions up to turn K whose"
        " answer corrects the premise, over all dialogues; CorrFP@K is the same of questions with"
        " a true premise. A detector that sees the wordings and the answer, and neither the picture"
        " nor the model's name, says which answers correct; two of them, and the mean of both. The"
        " picture is given with the first question alone.",
        "candidate-set": "A sample with one box left is right where the model gives just one box"
        " (exact duplicates count once) of IoU 0.5 or more with it. Sets are matched one to one"
        " with the most pairs at IoU 0.5 or more, then the largest total IoU; precision, recall and"
        " F1 are averaged over samples. At most the first 15 boxes of an answer count.",
        "question-chain": "Of each chain the share of its steps but the last that are right,"
        " averaged over the chains of a category; the score is the mean of the categories. In"
        " planning the history holds the model's own picks with their true answers, in following"
        " the true answers. *Recovery* is the share of right final answers among chains with a"
        " wrong step, *gain* how much more is right with the chain than without, as a share of"
        " that.",
    }
)


_JUDGED = "false-premise"
_PLAYER = "--model MODEL --base-url URL"
_PLAYERS = {_JUDGED: "--voters voters.yaml --only PLAYER --detectors ONE,TWO"}


def verifying(facts: Facts) -> Iterator[str]:
    """Yield how anybody can prove that this is what was released."""
    yield from ("## How to verify it", "")
    yield "`USER/NAME` stands for the address of this repository; a folder that holds it does too."
    yield ""
    yield from code([f"push-release verify USER/NAME@{facts.making.version.tag}"], "bash")
    yield (
        "It compares each file with `release.lock.json`, counts the rows, looks for pictures that"
        " are null and ids that lead nowhere, and works out anew whatever follows from other"
        " rows. A version never changes; what is wrong with one is mended by the next."
    )
    yield ""


def scoring(facts: Facts) -> Iterator[str]:
    """Yield how answers are compared, by kind."""
    found = {kind: _configs(facts, kind) for kind in _SCORES}
    kinds = [kind for kind, configs in found.items() if configs]
    if not kinds:
        return
    yield from ("## How to score", "")
    yield from (f"- **{kind}**: {_SCORES[kind]}" for kind in kinds)
    yield ""
    if any(facts.hides_answers(found[kind][0]) for kind in kinds):
        yield "What is held back is scored by those who hold it, who publish this dataset."
        yield ""
    played = [kind for kind in kinds if not facts.hides_answers(found[kind][0])]
    yield from _playing(facts, {kind: found[kind][0] for kind in played})


def _configs(facts: Facts, kind: str) -> list[str]:
    return [one.config for one in facts.making.written if one.config.startswith(kind)]


def _playing(facts: Facts, config_of: Mapping[str, str]) -> Iterator[str]:
    """Yield the commands that play a config of each kind whose answers are there, and score it."""
    if not config_of:
        return
    release = f"USER/NAME@{facts.making.version.tag}"
    said = [
        "With benchwright installed, `run-benchmark` has a model play this release and scores what"
        " came of it; `RUN` is the name that it prints at the end."
    ]
    if config_of.keys() - {_JUDGED}:
        said.append(
            "`MODEL` is what a server that speaks the OpenAI protocol at `URL` calls the model."
        )
    if _JUDGED in config_of:
        said.append(
            f"In {_JUDGED} models judge the answers too: `voters.yaml` says who and where they all"
            " are, `PLAYER` and the detectors `ONE` and `TWO` are names in it."
        )
    yield " ".join(said)
    yield ""
    lines = [
        f"run-benchmark {release} --config {config} {_PLAYERS.get(kind, _PLAYER)}"
        for kind, config in config_of.items()
    ]
    yield from code([*lines, "run-benchmark score RUN"], "bash")
