"""From sources to galleries and drafts: catalogs, labels, galleries, dialogues."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from stand_ins.models import ScriptedServer
from stand_ins.whole_run.places import CHAINS, DRESSES_TABLE, Amounts, Places
from stand_ins.whole_run.spoken_dialogues import write_dialogues
from stand_ins.whole_run.steps import Steps, told
from stand_ins.whole_run.voters import chaining, describing, has_clip, labelling

Answered = dict[str, int]  # answers that servers gave, by what they were asked for


def make_catalogs(steps: Steps, places: Places, amounts: Amounts) -> None:
    """Make the four catalogs."""
    steps.do("build-catalog", "sample", "--n", amounts.dresses, "--workspace", places.dresses.root)
    steps.do("build-catalog", "table", DRESSES_TABLE, "--workspace", places.table.root)
    pictures = ("--images", places.coco)
    steps.do(
        "build-catalog", "coco", *places.annotations, *pictures, "--workspace", places.scenes.root
    )
    dialogues = places.out / "dialogues.jsonl"
    there = {path.name for path in places.coco.glob("*2017/*.jpg")}
    count = write_dialogues(places.annotations, there, dialogues)
    told(f"{count:,} dialogues about boxes of COCO in {dialogues.name}")
    root = places.spoken.root
    steps.do("build-catalog", "invig", dialogues, *pictures, "--split", "test", "--workspace", root)
    for workspace in places.released().values():
        steps.do("build-catalog", "dedup", "--workspace", workspace.root)


def make_labels(steps: Steps, places: Places, answered: Answered) -> None:
    """Have voters label the drawn dresses, over HTTP and, where it can, by the local CLIP."""
    ensemble = places.out / "ensemble.yaml"
    who = "with the local CLIP" if has_clip() else "without the local CLIP, which wants torch"
    told(f"three voters behind a server, {who}")
    with _counted(labelling(places.dresses, ensemble), "labels", answered):
        steps.do(
            *("label-attributes", "run", "--ensemble", ensemble, "--noun", "dress"),
            *("--catalog", "ignore", "--workspace", places.dresses.root),
        )
    steps.do("label-attributes", "normalise", "--workspace", places.table.root)


def make_galleries(steps: Steps, places: Places, amounts: Amounts) -> None:
    """Make galleries at five τ of both tables of dresses."""
    for workspace in (places.dresses, places.table):
        steps.do("build-galleries", "--tau", amounts.taus, "--workspace", workspace.root)


def make_drafts(steps: Steps, places: Places, amounts: Amounts, answered: Answered) -> None:
    """Have models draft the three kinds of dialogues."""
    scenes, file = places.scenes.root, places.out / "voters.yaml"
    steps.do("build-catalog", "grid", "--workspace", scenes)
    with _counted(describing(places.scenes, file), "false premises", answered):
        steps.do(
            *("build-dialogues", "false-premise", "run", "--voters", file),
            *("--per-cell", amounts.per_cell, "--workspace", scenes),
        )
    with _counted(chaining(file), "question chains", answered):
        steps.do(
            *("build-dialogues", "question-chain", "run", CHAINS, "--voters", file),
            *("--chains", amounts.chains, "--workspace", scenes),
        )
    steps.do("build-dialogues", "candidate-set", "run", "--workspace", places.spoken.root)


@contextmanager
def _counted(
    serving: AbstractContextManager[ScriptedServer], what: str, answered: Answered
) -> Iterator[None]:
    """Serve, and add the answers that were given to what was ``answered``."""
    with serving as server:
        yield
        answered[what] = answered.get(what, 0) + server.counts.chats
