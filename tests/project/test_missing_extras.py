"""What needs a library that is not there says so as `ImportError`, for `try: import`, and as one of our own errors."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
from rulewright import RulewrightError
try:
    {code}
except ImportError as error:
    assert isinstance(error, RulewrightError), type(error)
    assert "rulewright[{extra}]" in str(error), error
else:
    raise SystemExit("nothing was raised")
"""
CASES = {
    "pettingzoo": (["pettingzoo"], "from rulewright.integrations import pettingzoo", "pettingzoo"),
    "gymnasium": (["gymnasium"], "from rulewright.integrations import gymnasium", "pettingzoo"),
    "batch": (["numpy"], "from rulewright.integrations import vector_games", "pettingzoo"),
    "openspiel": (["pyspiel"], "from rulewright.integrations import openspiel", "openspiel"),
    "pdf": (["weasyprint"], "from rulewright.book.print.pdf import require_pdf; require_pdf()", "pdf"),
    "translate": (
        ["babel"],
        "from rulewright.authoring.translations.write_po import format_po; format_po(None)",
        "translate",
    ),
    "cluster": (
        ["distributed"],
        "from rulewright.analysis.simulation.dask_cluster import connect_cluster; connect_cluster('tcp://127.0.0.1:1').__enter__()",
        "cluster",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_missing_extra_is_an_import_error(name: str) -> None:
    blocked, code, extra = CASES[name]
    script = WITHOUT.format(blocked=blocked, code=code, extra=extra)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
