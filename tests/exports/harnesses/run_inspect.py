"""Run a task by Inspect with recorded responses, in an environment that has it.

python run_inspect.py FOLDER TASK RESPONSES OUT: RESPONSES is a JSON object of responses by the
text of the last message; OUT gets the metrics, the prompts in their order and all messages.
"""

import json
import sys
from pathlib import Path

from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessageUser, ContentImage, ModelOutput, ModelUsage, get_model


def main() -> None:
    folder, task, recorded, out = sys.argv[1:]
    responses = json.loads(Path(recorded).read_text("utf-8"))
    asked = []

    def respond(messages: list, tools: object, choice: object, config: object) -> ModelOutput:
        last = messages[-1]
        assert isinstance(last, ChatMessageUser)
        pictures = sum(
            isinstance(part, ContentImage)
            for message in messages
            for part in (message.content if isinstance(message.content, list) else [])
        )
        asked.append({"text": last.text, "messages": len(messages), "pictures": pictures})
        output = ModelOutput.from_content("recorded", responses[last.text])
        output.usage = ModelUsage()  # it would fetch a tokeniser to count them
        return output

    model = get_model("mockllm/recorded", custom_outputs=respond, memoize=False)
    [log] = evaluate(
        f"{folder}/task.py@{task}",
        model=model,
        display="none",
        log_dir=str(Path(out).parent / "logs"),
        max_connections=1,
        max_samples=1,
    )
    assert log.status == "success", log.error
    scores = log.results.scores if log.results else []
    metrics = {
        f"{score.name}/{name}": metric.value
        for score in scores
        for name, metric in score.metrics.items()
    }
    Path(out).write_text(json.dumps({"metrics": metrics, "asked": asked}), "utf-8")


main()
