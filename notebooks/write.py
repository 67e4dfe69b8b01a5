"""Execute notebooks and write them with their outputs."""

import argparse
import base64
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from matplotlib import font_manager, get_data_path
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parent
SHOWN = {"labels.ipynb": FOLDER / "disagreement.png"}  # first pictures, for README.md
SECONDS = 300  # for one cell, on a busy machine
ENVIRONMENT = {
    "PYTHONWARNINGS": "default",
    "HF_HUB_OFFLINE": "1",
    "MATPLOTLIBRC": str(Path(get_data_path(), "matplotlibrc")),
}
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebooks() -> list[Path]:
    """Return the notebooks of this folder by name."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(notebook: Path, folder: Path) -> NotebookNode:
    """Return the notebook with the outputs of a run, in its normal form.

    The kernel is this Python. It starts in an empty folder inside ``folder``, which takes its
    temporary files and settings as well, so that a run begins with nothing but what is installed.
    Raises CellExecutionError at the first cell that fails.
    """
    found = nbformat.read(notebook, as_version=4)
    own = {name: folder / name.lower() for name in ("TMPDIR", "IPYTHONDIR", "HF_HOME", "START")}
    for path in own.values():
        path.mkdir()
    # whoever wants a font first builds the cache, and says so when it takes long
    font_manager.findfont("DejaVu Sans")
    client = NotebookClient(
        found,
        km=AsyncKernelManager(
            kernel_name="python3",
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),  # no other Python of this name
        ),
        timeout=SECONDS,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(own["START"])}},
    )
    client.execute(env=os.environ | ENVIRONMENT | {name: str(path) for name, path in own.items()})
    return normal(found)


def normal(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook without what differs between two runs or editors."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = NotebookNode()
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return the outputs with each stream in one piece: in how many it comes is chance."""
    joined: list[NotebookNode] = []
    streams: dict[str, NotebookNode] = {}
    for output in outputs:
        if output.output_type != "stream":
            joined.append(output)
        elif output.name in streams:
            streams[output.name].text += output.text
        else:
            streams[output.name] = output
            joined.append(output)
    return joined


def first_picture(notebook: NotebookNode) -> bytes:
    """Return the first picture that a notebook shows, a PNG."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    found = (
        output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})
    )
    return base64.b64decode(next(found))


def main() -> None:
    """Execute the notebooks that are named, or all, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", nargs="*", type=Path, default=notebooks())
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="leave the notebooks alone")
    given = parser.parse_args()
    for notebook in given.notebook:
        with tempfile.TemporaryDirectory() as folder:
            found = executed(notebook, Path(folder))
        written = notebook if given.into is None else given.into / notebook.name
        nbformat.write(found, written)
        if given.into is None and notebook.name in SHOWN:
            SHOWN[notebook.name].write_bytes(first_picture(found))
        sys.stdout.write(f"{written.name}: {written.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
