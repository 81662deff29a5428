"""The package as it is published, and its types."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*words: str, cwd: Path = ROOT) -> str:
    result = subprocess.run([sys.executable, *words], cwd=cwd, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_wheel_and_sdist_hold_what_they_must(tmp_path: Path) -> None:
    run("-m", "build", "--no-isolation", "--outdir", str(tmp_path))
    (wheel,) = tmp_path.glob("*.whl")
    (source,) = tmp_path.glob("*.tar.gz")
    modules = {f"pb_oel/{file.name}" for file in (ROOT / "src" / "pb_oel").iterdir() if file.is_file()}
    held = set(zipfile.ZipFile(wheel).namelist())
    assert modules <= held
    assert "pb_oel/py.typed" in held
    assert all(name.startswith(("pb_oel/", "pb_oel-")) for name in held)
    inside = {name.split("/", 1)[1] for name in tarfile.open(source).getnames()}
    assert {"pyproject.toml", "README.md", "tests/test_package.py", "examples/first-steps.ipynb"} <= inside
    # The wheel alone, without the sources beside it.
    run("-m", "zipfile", "-e", str(wheel), str(tmp_path / "installed"))
    program = "import pb_oel; print(pb_oel.__file__, pb_oel.Client.__name__)"
    told = run("-c", f"import sys; sys.path.insert(0, 'installed'); {program}", cwd=tmp_path)
    assert str(tmp_path) in told


def test_types_are_strict() -> None:
    run("-m", "mypy")
