"""A release as a FiftyOne dataset, to look through: pictures, labels, boxes, galleries."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.errors import UsageError
from benchwright.release_loading import load_config
from exports.embedded_pictures import write_embedded
from exports.locking.lock import read_lock
from labeling.audits.app.database import INSTALL_REVIEW

if TYPE_CHECKING:
    from fiftyone import Dataset

_VIEWS = 100  # galleries that get a saved view; the App lists them all at once
_FIELDS = ("image_id", "title", "category", "licence", "author", "url", "source", "source_id")
_Row = Mapping[str, Any]


def to_fiftyone(release: Path, name: str, pictures: Path) -> "Dataset":
    """Return a new persistent dataset of a release, given as its folder; a sample for each picture.

    ``pictures`` is where the pictures are written, since FiftyOne shows files. A sample has what
    the release says of its picture, its yes ``labels`` (type: value), the ``boxes`` of dialogues
    about it, and the ids of the ``galleries`` that show it. The first hundred galleries of each τ
    are saved views, in the order shown. FiftyOne joins the database of its own settings.

    Raises UsageError where a dataset has the name already, where FiftyOne is not installed, and
    for a folder that is no release or names pictures that are no files of its own; ValueError, as
    FiftyOne does, for a name that it refuses.
    """
    lock = read_lock(release)
    if lock is None:
        raise UsageError(f"{release}: is no release; it has no release.lock.json")
    try:
        import fiftyone as fo  # noqa: PLC0415  # seconds, and it connects to a database
    except ImportError as error:
        raise UsageError(f"FiftyOne is not installed; run {INSTALL_REVIEW}") from error
    if fo.dataset_exists(name):
        raise UsageError(
            f"FiftyOne has a dataset {name} already; choose another name, or delete that one first"
        )
    episodes = {
        config: list(load_config(release, config))
        for config in lock.configs
        if config.startswith("hidden-target")
    }
    dataset = fo.Dataset(name)
    for field in _FIELDS:  # those that no picture states are there all the same
        dataset.add_sample_field(field, fo.StringField)
    dataset.add_samples(list(_samples(release, pictures, lock.configs, episodes)))
    ids = dict(zip(*dataset.values(["image_id", "id"]), strict=True))
    for config, rows in episodes.items():
        tau = config.removeprefix("hidden-target-")
        for row in rows[:_VIEWS]:
            shown = dataset.select([ids[one] for one in row["image_ids"]], ordered=True)
            dataset.save_view(f"{tau} {row['episode_id']}", shown)
    dataset.persistent = True
    return dataset


def _samples(
    release: Path, pictures: Path, configs: Mapping[str, Any], episodes: Mapping[str, list[_Row]]
) -> Iterator[Any]:
    import fiftyone as fo  # noqa: PLC0415
    from datasets import Image  # noqa: PLC0415

    pictures.mkdir(parents=True, exist_ok=True)
    labels = _labels(release) if "labels" in configs else {}
    boxes = _boxes(release, configs)
    galleries = defaultdict(list)
    for row in (row for rows in episodes.values() for row in rows):
        for image_id in row["image_ids"]:
            galleries[image_id].append(row["episode_id"])
    for row in load_config(release, "images").cast_column("image", Image(decode=False)):
        path = write_embedded(row["image"], pictures, synced=False).absolute()
        image_id, size = row["image_id"], (row["width"], row["height"])
        yield fo.Sample(
            filepath=str(path),
            labels=fo.Classifications(
                classifications=[fo.Classification(label=one) for one in labels.get(image_id, ())]
            ),
            boxes=fo.Detections(
                detections=[
                    fo.Detection(
                        label=label, bounding_box=_relative(box, size), dialogue_id=dialogue
                    )
                    for label, dialogue, box in boxes[image_id]
                ]
            ),
            galleries=galleries[image_id],
            **{field: row[field] for field in _FIELDS},
        )


def _labels(release: Path) -> Mapping[str, list[str]]:
    """Return what is yes of each picture."""
    found = defaultdict(list)
    rows = load_config(release, "labels")
    for row in rows.select_columns(["image_id", "type", "value", "answer"]):
        if row["answer"] == "yes":
            found[row["image_id"]].append(f"{row['type']}: {row['value']}")
    return found


def _boxes(
    release: Path, configs: Mapping[str, Any]
) -> defaultdict[str, list[tuple[str, str, list[float]]]]:
    """Return the boxes of each picture, each once: what it shows, of which dialogue, the box."""
    found: defaultdict[str, list[tuple[str, str, list[float]]]] = defaultdict(list)
    if "false-premise" in configs:
        for row in load_config(release, "false-premise"):
            box = (row["true_description"], row["dialogue_id"], list(row["box"]))
            found[row["image_id"]].append(box)
    if "candidate-set" in configs:
        seen = set()
        for row in load_config(release, "candidate-set"):
            if row["dialogue_id"] in seen:  # all turns have the same boxes
                continue
            seen.add(row["dialogue_id"])
            found[row["image_id"]] += [
                (box["category"] or f"box {box['box_id']}", row["dialogue_id"], list(box["bbox"]))
                for box in row["boxes"]
            ]
    return found


def _relative(box: list[float], size: tuple[int, int]) -> list[float]:
    x, y, width, height = box
    return [x / size[0], y / size[1], width / size[0], height / size[1]]
