"""The workspace and every panel answer in a process that can start neither threads nor processes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.base.resources import find_resource
from rulewright.studio.panels import load_panels
from tests.studio.conftest import HERD, MANIFEST, RULES, STROLL

CHECKOUT = Path(__file__).parents[2]

RUN = """
import json, multiprocessing.process, subprocess, sys, threading
from pathlib import Path

def refuse(*_, **__):
    raise RuntimeError("there are no threads and no processes here")

threading.Thread.start = multiprocessing.process.BaseProcess.start = subprocess.Popen.__init__ = refuse

from rulewright.studio.panels import load_panels
from tests.studio.desk import Table

folder, shipped, scratch = map(Path, sys.argv[1:])
table = Table(folder, shipped, scratch)
with table.desk.workspace() as workspace:
    workspace.texts.put(folder / "pigs" / "rules.yaml", (folder / "pigs" / "rules.yaml").read_text() + "\\n")
    found = {Path(file).name: len(each) for file, each in workspace.settle().diagnostics.items()}
more = {"fair": {"bots": ["random"], "budget": {"games": 30}}, "rows": {"table": "weather"}}
answers = {name: table.ask(name, "pigs/rules.yaml", "outing", **more.get(name, {})) for name in load_panels()}
table.wait_for(answers["fair"]["job"])
print(json.dumps({"found": found, "answers": answers, "told": table.told}))
"""


def test_the_workspace_and_every_panel_need_no_threads(tmp_path: Path) -> None:
    files = {
        "herd/ruleset.yaml": HERD,
        "herd/rules.yaml": STROLL,
        "pigs/ruleset.yaml": MANIFEST,
        "pigs/rules.yaml": RULES,
        "pigs/weather.csv": "weather,title,from,to\nrain,Rain,3,6\nsun,Sun,7,13\n",
    }
    for name, text in files.items():
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    given = [str(tmp_path / "work"), str(find_resource("rules")), str(tmp_path / "scratch")]
    run = subprocess.run([sys.executable, "-c", RUN, *given], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)
    assert result["answers"].keys() == load_panels().keys()
    assert {each["ref"] for each in result["answers"].values()} == {"house/pigs@0.1.0"}
    *progress, end = result["told"]
    assert progress, end
    assert progress[-1]["done"] == 30
    assert end == {"kind": "job", "id": "fair-1", "panel": "fair", "ended": True}


@pytest.mark.parametrize("package", ["studio/panels", "lsp/features"])
def test_nothing_there_imports_threads_or_processes(package: str) -> None:
    paths = sorted((CHECKOUT / "engine" / "rulewright" / package).glob("*.py"))
    names = "threading|multiprocessing|subprocess|_thread|ProcessPoolExecutor|ThreadPoolExecutor"
    importing = re.compile(rf"^\s*(?:from|import)\b.*\b(?:{names})\b", re.MULTILINE)
    assert len(paths) > 10
    assert [path.name for path in paths if importing.search(path.read_text(encoding="utf-8"))] == []
