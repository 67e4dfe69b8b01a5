"""Whether every id in a release is that of something in it."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from benchwright.plain_text import excerpt
from benchwright.records import Response, Trajectory
from exports.verifying.finding import Finding, finding
from exports.verifying.released import Released

_ANSWERS = ("yes", "no", "unknown")
_DIALOGUES = {
    "false-premise": "dialogue_id",
    "candidate-set": "dialogue_id",
    "question-chain": "chain_id",
}


def check_ids(release: Released) -> Finding:
    """Check that ids are unique and that each one that is named is there."""
    images = release.column("images", "image_id")
    faults = [f"images: {name} stands twice" for name in _twice(images)]
    shown = frozenset(name for name in images if name is not None)
    faults += _episodes(release, shown)
    faults += _dialogues(release, shown)
    faults += _labels(release, shown)
    faults += _responses(release)
    faults += _trajectories(release)
    return finding("ids", f"{len(shown):,} pictures and all that names them", faults)


def _twice(names: Collection[str | None]) -> list[str]:
    return sorted(str(name) for name, count in Counter(names).items() if count > 1)


def _episodes(release: Released, shown: Collection[str]) -> Iterator[str]:
    for config in release.galleries:
        ids = release.column(config, "episode_id")
        yield from (f"{config}: {name} stands twice" for name in _twice(ids))
        columns = ("episode_id", "image_ids", "target_id", "target_index")
        for row in release.table(config, columns).to_pylist():
            for fault in _episode_faults(row, shown):
                yield f"{config} {row['episode_id']}: {fault}"


def _episode_faults(row: Mapping[str, Any], shown: Collection[str]) -> Iterator[str]:
    pictures, place = row["image_ids"], row["target_index"]
    missing = [name for name in pictures if name not in shown]
    if missing:
        yield f"picture {missing[0]} is not in images"
    if len(set(pictures)) < len(pictures):
        yield "shows a picture twice"
    if place is None:  # its answers are held back
        return
    if not 1 <= place <= len(pictures):
        yield f"target_index {place} is no place in it"
    elif pictures[place - 1] != row["target_id"]:
        yield f"picture {place} is not its target"


def _dialogues(release: Released, shown: Collection[str]) -> Iterator[str]:
    for config, name in _DIALOGUES.items():
        if not release.has(config):
            continue
        table = release.table(config, (name, "image_id")).to_pylist()
        for row in table:
            if row["image_id"] not in shown:
                yield f"{config} {row[name]}: picture {row['image_id']} is not in images"


def _labels(release: Released, shown: Collection[str]) -> Iterator[str]:
    if not release.has("labels"):
        return
    table = release.table("labels", ("image_id", "type", "value", "answer"))
    for answer in table["answer"].unique().to_pylist():
        if answer not in _ANSWERS:
            yield f"labels: {excerpt(answer)} is no answer ({', '.join(_ANSWERS)})"
    for name in table["image_id"].unique().to_pylist():
        if name not in shown:
            yield f"labels: picture {name} is not in images"
    types, values = (release.column("vocabulary", name) for name in ("type", "value"))
    known = set(zip(types, values, strict=True))
    for pair in table.group_by(["type", "value"]).aggregate([]).to_pylist():
        if (pair["type"], pair["value"]) not in known:
            yield f"labels: {pair['type']}: {pair['value']} is not in the vocabulary"
    if table.num_rows != len(shown) * len(known):
        wanted = f"{len(known)} for each of {len(shown):,} pictures"
        yield f"labels: {table.num_rows:,} rows, not {wanted}"


def _responses(release: Released) -> Iterator[str]:
    """Yield what of responses cannot be: they are told by run, model and id."""
    if not release.has("responses"):
        return
    asked = _asked(release)
    dialogues = {name for name, _ in asked}
    seen: set[tuple[str, str, str]] = set()
    for one in release.records("responses", Response):
        where = f"responses {excerpt(one.response_id)}"
        if (key := (one.run, one.model, one.response_id)) in seen:
            yield f"{where}: stands twice"
        seen.add(key)
        if one.dialogue_id not in dialogues:
            yield f"{where}: dialogue {excerpt(one.dialogue_id)} is not there"
        elif asked.get((one.dialogue_id, one.turn)) != one.question:
            yield f"{where}: turn {one.turn} of {one.dialogue_id} asks another question"


def _asked(release: Released) -> dict[tuple[str, int], str]:
    """Return the questions of the false premises by dialogue and turn."""
    if not release.has("false-premise"):
        return {}
    return {
        (row["dialogue_id"], turn["index"]): turn["asked_question"]
        for row in release.table("false-premise", ("dialogue_id", "turns")).to_pylist()
        for turn in row["turns"]
    }


def _trajectories(release: Released) -> Iterator[str]:
    """Yield what of trajectories cannot be: they are told by config, run and episode."""
    pictures = {
        (config, row["episode_id"]): len(row["image_ids"])
        for config in release.galleries
        for row in release.table(config, ("episode_id", "image_ids")).to_pylist()
    }
    played = release.records("trajectories", Trajectory) if release.has("trajectories") else ()
    seen: set[tuple[str, str, str]] = set()
    for one in played:
        where = f"trajectories {excerpt(one.run)} {one.episode_id}"
        count = pictures.get((one.config, one.episode_id))
        if (key := (one.config, one.run, one.episode_id)) in seen:
            yield f"{where}: stands twice"
        seen.add(key)
        if count is None:
            yield f"{where}: its episode is not in {excerpt(one.config)}"
        else:
            yield from (f"{where}: {fault}" for fault in _played_faults(one, count))


def _played_faults(one: Trajectory, pictures: int) -> Iterator[str]:
    there = range(1, pictures + 1)
    if one.guess is not None and one.guess not in there:
        yield f"guesses picture {one.guess} of {pictures}"
    for turn in one.turns:
        wanted = 0 if turn.told == "skip" else pictures
        if len(turn.fits) != wanted:
            yield f"turn {turn.turn}: fits is of {len(turn.fits)} pictures, not of {wanted}"
        if any(number not in there for number in turn.feasible):
            yield f"turn {turn.turn}: feasible names a picture that is not there"
