"""The example notebook runs from its first cell to its last."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    notebook = nbformat.read(ROOT / "examples" / "first-steps.ipynb", as_version=4)
    NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
    last = notebook.cells[-1].outputs[0]["data"]["text/plain"]
    assert "'right'" in last
    assert "'misses'" in last
