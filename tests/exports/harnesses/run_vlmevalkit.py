"""Run a task by VLMEvalKit with recorded responses, in an environment that has it.

python run_vlmevalkit.py FOLDER TASK RESPONSES OUT: RESPONSES is a JSON object of responses by the
index of the row; OUT gets the metrics and the prompts in their order.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

import task as ours
from vlmeval.dataset import build_dataset
from vlmeval.inference import infer_data_job


class Recorded:
    """What was recorded, as a model that runs here."""

    is_api = False

    def __init__(self, responses: dict) -> None:
        self.responses, self.asked = responses, []

    def set_dump_image(self, dump: object) -> None:
        """Take what models take."""

    def use_custom_prompt(self, dataset: str) -> bool:
        return False

    def generate(self, message: list, dataset: str) -> str:
        text = "\n".join(part["value"] for part in message if part["type"] == "text")
        pictures = [part["value"] for part in message if part["type"] == "image"]
        assert all(Path(one).stat().st_size > 0 for one in pictures)
        self.asked.append({"text": text, "pictures": len(pictures)})
        return self.responses[text]


def main() -> None:
    _, name, recorded, out = sys.argv[1:]
    dataset = build_dataset(name)
    assert isinstance(dataset, ours.Following)
    by_index = json.loads(Path(recorded).read_text("utf-8"))
    texts = {
        next(
            part["value"] for part in dataset.build_prompt(at) if part["type"] == "text"
        ): by_index[str(dataset.data.iloc[at]["index"])]
        for at in range(len(dataset))
    }
    work = Path(out).parent / "work"
    work.mkdir()
    model = Recorded(texts)
    infer_data_job(model, work_dir=str(work), model_name="recorded", dataset=dataset)
    [said] = work.glob("recorded_*.xlsx")
    scores = dataset.evaluate(str(said))
    metrics = {"accuracy": float(scores["Overall"][0])}
    Path(out).write_text(json.dumps({"metrics": metrics, "asked": model.asked}), "utf-8")


main()
