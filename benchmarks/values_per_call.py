"""What several values in one call cost in accuracy: ``python -m benchmarks.values_per_call``.

A scripted model errs on 4 % of questions asked alone, and on 1 % more for each further value of a
list. The drawn sample is labelled with one, four and twelve values a call, every question asked.
Printed are calls, how often the model was right with its interval, and the accuracy lost for each
tenth of the calls that is saved. The figures say nothing of real models; they show that the
measure finds what was put in: see docs/labels.md for measuring one's own.
"""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

from benchwright.asking.session import Spending
from benchwright.seeds import draw
from benchwright.workspace import Workspace
from builders.sample.build import build_sample
from labeling.attributes.calibrating.calibrate import calibrate_voters
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.run import prepare_vocabulary
from labeling.attributes.voting.asking import AskSettings, ask_ensemble
from labeling.attributes.voting.ensemble import read_ensemble
from stand_ins.models import KnownPictures, Question, Script, ScriptedServer, Turn, YesNo
from stand_ins.models.catalogs import references_of, values_of

PICTURES = 60
ALONE, FURTHER = 0.04, 0.01


def brain_of(script: Script):
    """Return a model that answers lists, and errs more the longer they are."""
    right = YesNo(script)

    def answer(question: Question) -> Turn:
        lines = [line for line in question.text.splitlines() if line[:1].isdigit()]
        asked = [line.partition(". ")[2] for line in lines] or [question.text]
        said = [_said(right, question, each, len(asked)) for each in asked]
        if not lines:
            return Turn(text=said[0])
        answers = {str(number): each for number, each in enumerate(said, 1)}
        return Turn(text=_json(answers), data={"answers": answers})

    return answer


def _said(right: YesNo, question: Question, text: str, together: int) -> str:
    truth = right(replace(question, text=text)).answer
    chance = draw(1, "errs", question.pictures[0].pixels, text, str(together)) / 2**64
    errs = chance < ALONE + FURTHER * (together - 1)
    return {"yes": "no", "no": "yes"}.get(str(truth), "unsure") if errs else str(truth)


def _json(answers: dict[str, str]) -> str:
    return json.dumps({"answers": answers})


ENSEMBLE = """
voters: [{{name: v, model: scripted, base_url: "{url}", concurrency: 16}}]
views: {{low: {{long_side: 336}}}}
templates: 1
full: 1
values_per_call: {several}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        catalog = Workspace(Path(folder) / "w")
        build_sample(catalog, n=PICTURES)
        normalise(catalog)
        references = references_of(catalog)
        script = Script(values=values_of(references), eyes=KnownPictures(references=references))
        with ScriptedServer(script, brain=brain_of(script)) as server:
            first = None
            for several in (1, 4, 12):
                path = Path(folder) / "ensemble.yaml"
                path.write_text(ENSEMBLE.format(url=server.base_url, several=several), "utf-8")
                ensemble = read_ensemble(path)
                prepare_vocabulary(catalog, ensemble, say=lambda _: None)
                settings = AskSettings(noun="dress", probe=False)
                votes = ask_ensemble(catalog, ensemble, settings, Spending())
                (voter,) = calibrate_voters(catalog, "catalog").voters
                calls, right = votes.counts["calls"], voter.right
                line = (
                    f"{several:>3} values a call: {calls:>6,} calls, right {right.share:.1%}"
                    f" ({right.low:.1%} to {right.high:.1%})"
                )
                if first is None:
                    first = (calls, right.share)
                else:
                    saved = 1 - calls / first[0]
                    lost = first[1] - right.share
                    line += (
                        f"; {saved:.0%} of the calls saved, {lost / saved / 10:.2%} lost a tenth"
                    )
                print(line)


if __name__ == "__main__":
    main()
