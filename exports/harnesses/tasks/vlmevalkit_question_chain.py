"""Following of question chains for VLMEvalKit: ``python FOLDER/task.py --model MODEL``.

Each step is a row of the TSV with the columns of a multiple-choice set, and the true answers so
far as its hint; it is asked as VLMEvalKit asks such rows. What follows here is the score, which is
no mean over rows, and reading the TSV without taking the word None for an empty cell.
"""

import sys
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import pandas as pd
import vlmeval.dataset
from vlmeval.dataset.image_mcq import ImageMCQDataset
from vlmeval.smp import load

from benchwright.protocols.question_chain import chosen, mean_of_categories

TSV = next(Path(__file__).parent.glob("*.tsv"))


class Following(ImageMCQDataset):
    """Steps of chains; the accuracy is the mean over categories of the mean over chains."""

    DATASET_URL = {TSV.stem: ""}  # noqa: RUF012  # a name of theirs
    DATASET_MD5: dict[str, str] = {}  # noqa: RUF012

    def load_data(self, dataset: str) -> pd.DataFrame:  # noqa: ARG002
        """Return the rows."""
        return read_rows()

    def evaluate(self, eval_file: str, **judge_kwargs: Any) -> pd.DataFrame:  # noqa: ARG002
        """Return the accuracy of the predictions in a file; no judge is asked."""
        said = load(str(eval_file))
        predictions = dict(zip(said["index"].astype(str), said["prediction"], strict=True))
        return pd.DataFrame([{"split": "test", "Overall": accuracy(predictions)}])


def accuracy(predictions: dict[str, Any]) -> float:
    """Return the accuracy of predictions by the index of their row; raises KeyError without one."""
    rows = read_rows()
    rows["right"] = [_is_right(row, str(predictions[row["index"]])) for _, row in rows.iterrows()]
    chains = rows.groupby("chain_id").agg({"category": "first", "right": "mean"})
    return mean_of_categories(zip(chains["category"], chains["right"], strict=True))


def read_rows() -> pd.DataFrame:
    """Return the rows as text; a cell is empty only where nothing stands in it."""
    return pd.read_csv(TSV, sep="\t", dtype=str, keep_default_na=False, na_values=[""])


def _is_right(row: Any, prediction: str) -> bool:
    options = [row[letter] for letter in ascii_uppercase if isinstance(row.get(letter), str)]
    place = chosen(prediction, options)
    return place is not None and ascii_uppercase[place] == row["answer"]


vlmeval.dataset.DATASET_CLASSES.insert(0, Following)

if __name__ == "__main__":
    try:
        from vlmeval.run import main
    except ImportError:  # a checkout has it at its root: run this from there
        sys.path.insert(0, str(Path.cwd()))
        from run import main
    sys.argv += ["--data", TSV.stem]
    main()
