"""Run a task by lmms-eval with recorded responses, in an environment that has it.

python run_lmms_eval.py FOLDER TASK RESPONSES OUT: RESPONSES is a JSON object of responses by the
prompt; OUT gets the metrics and the prompts in their order.
"""

import json
import sys
from pathlib import Path

from lmms_eval.api.model import lmms
from lmms_eval.evaluator import simple_evaluate
from lmms_eval.tasks import TaskManager


class Recorded(lmms):
    """What was recorded; rounds go as in the models of lmms-eval that have them."""

    is_simple = True

    def __init__(self, responses: dict) -> None:
        super().__init__()
        self.responses, self.asked = responses, []

    def _say(self, prompt: str, pictures: list) -> str:
        self.asked.append({"text": prompt, "pictures": len(pictures)})
        assert all(picture.size[0] > 8 for picture in pictures)
        return self.responses[prompt]

    def generate_until(self, requests: list) -> list:
        found = []
        for prompt, _, to_visual, doc_id, task, split in [one.args for one in requests]:
            found.append(self._say(prompt, to_visual(self.task_dict[task][split][doc_id])))
        return found

    def generate_until_multi_round(self, requests: list) -> list:
        found = []
        for prompt, _, to_visual, to_text, doc_id, task, split in [one.args for one in requests]:
            doc = self.task_dict[task][split][doc_id]
            said = [self._say(prompt, to_visual(doc))]
            info = None
            while True:
                pictures, asked, is_over, said, info = to_text(
                    doc, previous_output=said, round_idx=len(said), previous_round_info=info
                )
                if is_over:
                    break
                said = [*said, self._say(asked, pictures)]
            found.append(said)
        return found

    def loglikelihood(self, requests: list) -> list:
        raise NotImplementedError


def main() -> None:
    folder, task, recorded, out = sys.argv[1:]
    model = Recorded(json.loads(Path(recorded).read_text("utf-8")))
    results = simple_evaluate(
        model=model,
        tasks=[task],
        task_manager=TaskManager(include_path=folder, model_name="recorded"),
        batch_size=1,
        bootstrap_iters=0,
    )
    found = {
        name: value for name, value in results["results"][task].items() if "stderr" not in name
    }
    metrics = {name.split(",")[0]: value for name, value in found.items()}
    Path(out).write_text(
        json.dumps({"metrics": metrics, "asked": model.asked}, default=str), "utf-8"
    )


main()
