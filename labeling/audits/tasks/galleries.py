"""Tasks of galleries: is this a good hidden-target gallery, and if not, what is wrong with it?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from benchwright import seeds, store
from benchwright.decisions.standing import Thing
from benchwright.errors import UsageError, WorkspaceError
from benchwright.feasible import Board, board_of
from benchwright.knowledge import YES, Knowledge
from benchwright.records import Decision, Episode
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from builders.catalog import load_items
from labeling.attributes.labels.knowledge import load_knowledge
from labeling.audits.tasks.names import AuditName
from labeling.audits.tasks.overlap import seen_twice
from labeling.audits.tasks.slot_decision import slot_decision
from labeling.audits.tasks.task import AuditSettings, Slot, Task, TaskKey

FIELD = "gallery"
_COLUMNS = ("image_id", "image", "width", "height", "title", "source_id")
GOOD, BAD = "good", "bad"
CHECKLIST = (
    "target is among them twice",
    "a picture does not belong",
    "a telling value is wrong",
    "target cannot be told",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gallery:
    """An episode of a folder ``tau-…``; ``is_stale``: labels changed since it was made."""

    folder: str
    episode: Episode
    is_stale: bool

    @property
    def record_id(self) -> str:
        return f"{self.folder}/{self.episode.episode_id}"


class GalleryAudit:
    """The audit ``galleries``: a task a gallery, of all τ, in a seeded order."""

    name: AuditName = "galleries"

    def tasks(self, workspace: Workspace, settings: AuditSettings) -> Sequence[Task]:
        """Return the tasks, of which a limit takes the first.

        Raises WorkspaceError where there are no galleries, or where the catalog has not their
        pictures, and UsageError for a blind audit: what is judged is what the machine chose.
        """
        if settings.blind:
            raise UsageError(
                "galleries cannot be audited blind, for what is judged is the machine's choice of"
                " target and pictures; leave --blind away"
            )
        by_id = {gallery.record_id: gallery for gallery in _galleries(workspace)}
        order = seeds.shuffled(list(by_id), settings.seed, "audit-galleries")
        chosen = [by_id[record_id] for record_id in order[: settings.limit]]
        twice = seen_twice(
            [gallery.record_id for gallery in chosen], settings.overlap, settings.seed
        )
        drawing = _Drawing.of(workspace, chosen)
        return [
            _task(
                gallery,
                drawing.shown(gallery),
                looks=2 if gallery.record_id in twice else 1,
                probability=len(chosen) / len(by_id),
            )
            for gallery in chosen
        ]

    def decisions(self, task: TaskKey, slot: Slot) -> Sequence[Decision]:
        """Return the one decision of a slot: good, or bad with what of the checklist failed.

        A gallery that an auditor rejects is corrected to ``bad``, so that auditors who differ on
        it are seen to differ.
        """
        if slot.verdict == "rejected":
            return [slot_decision(task, slot, "corrected", BAD)]
        after = GOOD if slot.verdict == "confirmed" else None
        return [slot_decision(task, slot, slot.verdict, after)]

    def check(
        self,
        workspace: Workspace,
        shown: Mapping[str, Any],
        draft: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """Return nothing: a gallery is not edited."""
        return {}

    def refusal(
        self,
        workspace: Workspace,
        shown: Mapping[str, Any],
        slot: Slot,
    ) -> str | None:
        """Return why a slot cannot be stored: the verdict and the checklist must agree."""
        strange = [name for name in slot.failed if name not in CHECKLIST]
        if strange:
            return f"the checklist of galleries has no {strange[0]!r}"
        if slot.verdict == "corrected":
            return "a gallery is approved or rejected, not corrected"
        if slot.verdict == "rejected" and not slot.failed:
            return "say what is wrong first: tick at least one of the checklist, keys 1 to 4"
        if slot.verdict == "confirmed" and slot.failed:
            return "what is ticked as wrong cannot be approved; take the ticks away, or reject it"
        return None


def _galleries(workspace: Workspace) -> Iterator[_Gallery]:
    """Yield the galleries of all τ; raises WorkspaceError where there are none."""
    folders = sorted(
        folder
        for folder in workspace.galleries.glob("tau-*")
        if store.load_manifest(folder) is not None
    )
    if not folders:
        raise WorkspaceError(
            f"{workspace.galleries}: no finished galleries to audit; run build-galleries first"
        )
    labels = store.require(workspace.labels, "label-attributes normalise").digest()
    for folder in folders:
        manifest = store.require(folder, "build-galleries")
        for episode in from_table(store.read_table(folder, "episodes.parquet"), Episode):
            yield _Gallery(
                folder=folder.name,
                episode=episode,
                is_stale=manifest.plan.inputs.get("labels") != labels,
            )


def _task(gallery: _Gallery, shown: Mapping[str, Any], *, looks: int, probability: float) -> Task:
    episode = gallery.episode
    return Task(
        task_id=gallery.record_id,
        kind="galleries",
        image_id=episode.target_id,
        thing=Thing(None, None, gallery.record_id, FIELD),
        before=GOOD,
        looks=looks,
        stratum=gallery.folder,
        probability=probability,
        facets={
            "tau": episode.tau,
            "size": len(episode.image_ids),
            "par": episode.par,
            "identifiable": episode.identifiable,
        },
        shown=shown,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawing:
    """What galleries are drawn with: knowledge of pictures, and their rows of the catalog."""

    knowledge: Knowledge
    row_of: Mapping[str, int]
    pictures: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, workspace: Workspace, galleries: Sequence[_Gallery]) -> "_Drawing":
        """Return what some galleries are drawn with.

        Raises WorkspaceError where the catalog has not one of their pictures.
        """
        wanted = sorted({image_id for one in galleries for image_id in one.episode.image_ids})
        items = load_items(workspace, _COLUMNS)
        chosen = items.filter(pc.is_in(items.column("image_id"), pa.array(wanted)))
        pictures = {row["image_id"]: row for row in chosen.to_pylist()}
        lost = next((image_id for image_id in wanted if image_id not in pictures), None)
        if lost is not None:
            raise WorkspaceError(
                f"{workspace.catalog}: has no picture {lost}, which galleries show; run"
                " build-galleries again"
            )
        knowledge = load_knowledge(workspace)
        row_of = {knowledge.image_id(row): row for row in range(len(knowledge.ids))}
        return cls(knowledge=knowledge, row_of=row_of, pictures=pictures)

    def shown(self, gallery: _Gallery) -> Mapping[str, Any]:
        """Return what the screen draws of a gallery; pictures are numbered from 1."""
        episode = gallery.episode
        rows = [self.row_of[image_id] for image_id in episode.image_ids]
        target = episode.target_index - 1
        board = board_of(self.knowledge.answers(rows), self.knowledge.values, target)
        return {
            "tau": episode.tau,
            "target": episode.target_index,
            "pool_size": episode.pool_size,
            "par": episode.par,
            "par_protocol": episode.par_protocol,
            "identifiable": episode.identifiable,
            "identifiable_protocol": episode.identifiable_protocol,
            "is_stale": gallery.is_stale,
            "target_values": [
                {"type": value.type, "value": value.value}
                for column in self.knowledge.attributes(rows[target])
                for value in (self.knowledge.values[column],)
            ],
            "telling": [
                {
                    "type": each.type,
                    "value": each.value,
                    "answer": each.answer,
                    "distractors": each.distractors,
                }
                for each in sorted(
                    episode.telling_values,
                    key=lambda each: (-each.distractors, each.type, each.value),
                )
            ],
            "pictures": [self._picture(episode, board, at) for at in range(len(episode.image_ids))],
            "checklist": list(CHECKLIST),
        }

    def _picture(self, episode: Episode, board: Board, at: int) -> Mapping[str, Any]:
        """Return one picture; its path is under those of the catalog, null where it has none."""
        row = self.pictures[episode.image_ids[at]]
        return {
            "number": at + 1,
            "picture": row["image"],
            "width": row["width"],
            "height": row["height"],
            "title": row["title"] or row["source_id"],
            "similarity": episode.similarities[at],
            "told_by": _told_by(board, at),
        }


def _told_by(board: Board, at: int) -> list[dict[str, Any]]:
    """Return the askable values that tell a picture from the target, and whether it has them."""
    return [
        {
            "type": board.values[column].type,
            "value": board.values[column].value,
            "has": bool(board.answers[at, column] == YES),
        }
        for column in board.telling()[at].nonzero()[0]
    ]


KIND = GalleryAudit()
