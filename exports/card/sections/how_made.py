"""How a release was made, stage by stage, from the manifests of its stages."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from benchwright.asking.answers import server_builds
from benchwright.store import Plan
from exports.card.facts import GALLERIES, Facts
from exports.card.markdown import folded, table, text
from exports.card.stages import Stages, stages_of

_SETTING = 300  # characters of a setting; the lock holds it whole
_METHODS: Mapping[str, str] = MappingProxyType(
    {
        "catalog": "were taken from what the catalog states",
        "majority": "were decided by a vote, in which each voter has its weight",
        "unweighted": "were decided by a vote, in which all answers weigh the same",
        "log-odds": "were decided by the log-odds of voters of known sensitivity and specificity",
        "dawid-skene": "were decided by the model of Dawid and Skene (1979)",
    }
)
_STEPS: Mapping[str, str] = MappingProxyType(
    {
        "describe": "described targets",
        "falsify": "put an error into descriptions",
        "see": "said what they see",
    }
)


def how_made(facts: Facts) -> Iterator[str]:
    """Yield where pictures, labels and samples come from, with the settings of each stage."""
    stages = stages_of(facts.making)
    yield from ("## How it was made", "")
    for number, said in enumerate(_in_words(facts, stages), 1):
        yield f"{number}. {said}"
    yield ""
    yield from _voters(stages)
    yield from _builds(facts)
    but = (
        "; of what would tell answers it holds neither seed nor hash"
        if facts.making.settings.private_answers
        else ""
    )
    yield (
        "`release.lock.json` holds all settings and seeds whole, the hash of each input and"
        " output, one digest of all requests to models (prompts, pictures and parameters), and the"
        f" versions of packages{but}."
    )
    yield ""
    yield from folded("Settings of each stage", _settings(stages))


def _in_words(facts: Facts, stages: Stages) -> Iterator[str]:
    sources = Counter(item.source for item in facts.making.gathered.items)
    listed = ", ".join(f"{count:,} of {text(name)}" for name, count in sorted(sources.items()))
    yield (
        f"**Pictures**: {listed}. They were turned upright, brought to 8-bit"
        " sRGB, and what could not be read was refused."
    )
    if "labels" in stages:
        yield f"**Labels** {_labels(stages)}"
    yield from _galleries(facts, stages)
    for kind, how in (
        ("false-premise", _false_premises),
        ("candidate-set", _candidate_sets),
        ("question-chain", _question_chains),
    ):
        if facts.records(kind):
            yield f"{how(facts)}{_withheld(kind, stages)}"


def _labels(stages: Stages) -> str:
    decided = stages["labels"].plan.settings
    method = str(decided.get("method", ""))
    said = _METHODS.get(method, f"were decided by {text(method)}")
    votes = stages.get("labels/votes")
    if votes is None or method == "catalog":
        return f"{said}."
    asked = votes.plan.settings
    views = asked.get("views", {})
    rule = f"margin {text(str(decided.get('margin')))}, quorum {text(str(decided.get('quorum')))}"
    return (
        f"{said}: voters {len(asked.get('voters', ())):,}, wordings of each question"
        f" {asked.get('templates')}, views of a picture {len(views):,}; {rule}."
        " Asking stopped where the outcome was settled; a share of"
        f" {text(str(asked.get('full')))} was asked in full."
    )


def _galleries(facts: Facts, stages: Stages) -> Iterator[str]:
    """Yield how galleries were made, those that were made alike in one line."""
    alike: dict[str, list[str]] = {}
    for config in facts.galleries:
        manifest = stages[f"galleries/{config.removeprefix(GALLERIES)}"]
        alike.setdefault(_gallery(manifest.plan), []).append(f"`{config}`")
    yield from (f"**Galleries** {', '.join(names)}: {said}" for said, names in alike.items())


def _gallery(plan: Plan) -> str:
    chosen = plan.settings
    kept = chosen.get("per_value")
    most = f"the {kept} most similar" if kept else "all"
    under = "" if plan.seed is None else f" under seed {plan.seed}"
    said = (
        f"for each value of a target {most} pictures that share it and at least τ of the target's"
        f" attributes, ties by a hash{under}; with the target {chosen.get('min_gallery')} pictures"
        " or more."
    )
    if chosen.get("paired"):
        said += " Targets and sizes are the same for all τ."
    if chosen.get("only_identifiable"):
        said += " Those that known labels cannot solve were left out."
    return said


def _false_premises(facts: Facts) -> str:
    records = facts.records("false-premise")
    used = sorted({(use.step, use.model) for one in records for use in one.models})
    by_step = [
        (step, [text(model) for name, model in used if name == step])
        for step in dict.fromkeys(step for step, _ in used)
    ]
    models = "; ".join(
        f"{' and '.join(names)} {_STEPS.get(step, text(step))}" for step, names in by_step
    )
    drafted = f"Models drafted them ({models}). " if models else ""
    return (
        f"**False premises**: {drafted}Questions are made of the descriptions by rule, and rules"
        " check that one error of the named class is all that differs. What people approved stands."
    )


def _candidate_sets(_: Facts) -> str:
    return (
        "**Candidate sets**: dialogues of the sources, cut after each answer of the one who knows"
        " what is meant. Annotators marked the boxes that may still be meant; a box stands that"
        " more than half of them marked."
    )


def _question_chains(facts: Facts) -> str:
    drafted = sum(
        option.generator is not None
        for one in facts.records("question-chain")
        for step in one.steps
        for option in step.question_options
    )
    by_models = f" Models wrote {drafted:,} of the wrong questions." if drafted else ""
    return (
        f"**Question chains**: written by people.{by_models} Others judged the wrong options, and"
        " two rounds of people who did not write a chain found it valid."
    )


def _withheld(kind: str, stages: Stages) -> str:
    manifest = stages.get(f"dialogues/{kind}")
    reasons = {} if manifest is None else manifest.reasons
    if not reasons:
        return ""
    said = ", ".join(f"{text(reason)} {count:,}" for reason, count in sorted(reasons.items()))
    return f" Withheld: {said}."


def _voters(stages: Stages) -> Iterator[str]:
    votes = stages.get("labels/votes")
    if votes is None or "labels" not in stages:
        return
    voters: Sequence[Mapping[str, Any]] = votes.plan.settings.get("voters", ())
    yield from table(
        ("voter", "kind", "model", "weight"),
        [
            (
                text(str(one.get("name", ""))),
                text(str(one.get("kind", "model"))),
                text(_model_of(one)),
                text(str(one.get("weight", 1))),
            )
            for one in voters
        ],
        3,
    )


def _model_of(voter: Mapping[str, Any]) -> str:
    """Return the model of a voter; one of files on a disk stands as their hashes in the lock."""
    model = voter.get("model")
    return model if isinstance(model, str) else ""


def _builds(facts: Facts) -> Iterator[str]:
    path = facts.making.workspace.answers
    builds = server_builds(path) if path.is_file() else []
    if builds:
        yield from ("What answered, by what servers say of themselves:", "")
        yield from table(
            ("asked as", "model", "build", "answers"),
            [
                (
                    *(text(name or "") for name in (one.voter, one.model, one.build)),
                    f"{one.answers:,}",
                )
                for one in builds
            ],
            3,
        )


def _settings(stages: Stages) -> Iterator[str]:
    yield from table(
        ("stage", "settings", "seed", "benchwright"),
        [
            (
                text(name),
                "; ".join(
                    f"{text(key)} {text(_plain(value), _SETTING)}"
                    for key, value in sorted(manifest.plan.settings.items())
                ),
                "" if manifest.plan.seed is None else str(manifest.plan.seed),
                text(manifest.version),
            )
            for name, manifest in stages.items()
        ],
        4,
    )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
