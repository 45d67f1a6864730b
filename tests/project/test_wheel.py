"""What a user installs: the wheel, built from the source archive, works alone in an empty environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.breadth import some

pytestmark = [pytest.mark.install, pytest.mark.slow]

DATA = ("grammar", "rules", "docs_templates")


def run(*command: str | Path, cwd: Path) -> str:
    """Return the output of a command that must succeed, run in `cwd` and knowing nothing of the checkout."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RULEWRIGHT", "COV_"))
    }
    ran = subprocess.run([*command], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{' '.join(map(str, command))}\n{ran.stdout[-2_000:]}\n{ran.stderr[-4_000:]}"
    return ran.stdout


def data_files(checkout: Path) -> set[str]:
    """Return the data in the checkout that must travel, as `grammar/dice.lark`."""
    return {
        path.relative_to(checkout).as_posix()
        for folder in DATA
        for path in (checkout / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds the source archive and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, checkout, cwd=folder)
    return folder


def only(pattern: str, folder: Path) -> Path:
    """Return the one file in `folder` that fits the pattern."""
    (path,) = folder.glob(pattern)
    return path


@pytest.fixture(scope="module")
def bin_folder(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the programs of an environment that holds the wheel and what it declares to need, and nothing else."""
    environment = tmp_path_factory.mktemp("elsewhere") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", environment, cwd=built)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    # Our own pip installs there: one of its own, and to compile what nothing imports, would take as long as the rest.
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", "--no-compile")
    run(*pip, only("*.whl", built), cwd=built)
    return programs


def test_the_wheel_carries_the_package_and_its_data(built: Path, checkout: Path) -> None:
    with zipfile.ZipFile(only("*.whl", built)) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert "rulewright/__init__.py" in names
    assert {f"rulewright/_data/{name}" for name in data_files(checkout)} <= names
    assert {name.partition("/")[0] for name in names} == {"rulewright"}


def test_the_source_archive_carries_what_builds_and_tests_it(built: Path, checkout: Path) -> None:
    with tarfile.open(only("*.tar.gz", built)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "Makefile", "README.md", "LICENSE", "tests/project/test_wheel.py"} <= names
    assert data_files(checkout) <= names


def test_shipped_rulesets_are_sound(bin_folder: Path, tmp_path: Path) -> None:
    """A few of them; that all are, the same files, is shown from the checkout."""
    few = ["pig/classic@1.0", "classics/hex@1.0"]
    run(bin_folder / "rulewright", "check", *some([*few, "fuzzy-knights/normal@1.0"], few), cwd=tmp_path)


def test_the_shipped_rulesets_are_found(bin_folder: Path, tmp_path: Path) -> None:
    assert "pig/classic" in run(bin_folder / "rulewright", "list", cwd=tmp_path)


def test_dice_roll(bin_folder: Path, tmp_path: Path) -> None:
    rolled = json.loads(run(bin_folder / "rulewright", "roll", "2d6", "--json", cwd=tmp_path))
    assert 2 <= int(rolled["total"]) <= 12


def test_odds_are_exact(bin_folder: Path, tmp_path: Path) -> None:
    odds = json.loads(run(bin_folder / "rulewright", "odds", "2d6", "--json", cwd=tmp_path))
    assert odds["outcomes"]["7"] == "1/6"
    assert odds["mean"] == "7"
