"""Who judges which task, where several auditors get sheets."""

from collections.abc import Mapping, Sequence

from benchwright.decisions.standing import Standing
from benchwright.seeds import below
from labeling.audits.sheets.asking import may_judge
from labeling.audits.tasks.task import Task


def share(
    tasks: Sequence[Task], auditors: Sequence[str], standing: Standing, seed: int
) -> Mapping[str, Sequence[Task]]:
    """Return the tasks of each auditor, in the order of judging.

    A task that wants two looks goes to everyone, any other to one auditor, whom a hash chooses:
    a plan that grows moves no task from one to another. What an auditor judged already is left
    out, and so is what has the looks that it wants, or what none of them may judge.
    """
    chosen: dict[str, list[Task]] = {auditor: [] for auditor in auditors}
    names = sorted(auditors)  # whoever is named first
    for task in tasks:
        # a chain has a task only while it wants a look, and what was said of an earlier state of
        # it is none
        judged = {} if task.kind == "question-chain" else standing.get(task.thing, {})
        if len(judged) >= task.looks:
            continue
        able = [name for name in names if name not in judged and may_judge(task, name)]
        if able and task.looks == 1:
            # the turns of a dialogue stay together
            group = task.shown.get("dialogue_id", task.task_id)
            able = [able[below(len(able), seed, "auditor of a sheet", group)]]
        for auditor in able:
            chosen[auditor].append(task)
    return chosen
