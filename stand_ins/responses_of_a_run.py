"""Responses of evaluated models, for tests, and the folder of a run that holds them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow.parquet as pq

from benchwright.identity import image_id_of
from benchwright.records import DetectorLabel, Response
from benchwright.rows import to_table

Label = Literal["yes", "no"] | None


def response(number: int = 0, labels: Sequence[Label] = ("yes", "yes"), **more: Any) -> Response:
    """Return a response to a false premise about the picture d0, with a label of each detector."""
    said: dict[str, Any] = {
        "response_id": f"secret-model/{number}",
        "run": "secret-run",
        "model": "secret-model",
        "image_id": image_id_of("spoken", "d0"),
        "dialogue_id": f"d{number}",
        "turn": 4 + number % 7,
        "premise_class": "identity",
        "has_false_premise": True,
        "question": f"Is the brown cat asleep on chair {number}?",
        "true_description": "the brown dog",
        "false_description": "the brown cat",
        "response": "There is no cat here: it is a dog, and it is awake.",
        "detectors": tuple(
            DetectorLabel(name=f"secret-detector-{at}", label=label)
            for at, label in enumerate(labels)
        ),
    }
    return Response(**{**said, **more})


def write_run(folder: Path, responses: Sequence[Response], name: str = "00000") -> Path:
    """Write responses as one file of a run and return the run's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(to_table(responses, Response), folder / f"responses-{name}.parquet")
    return folder
