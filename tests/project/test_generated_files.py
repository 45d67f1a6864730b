"""`CONTRIBUTING.md` lists the generated files that a new statement or board shape changes."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.language.statement import load_statements
from rulewright.ruleset.boards.board_shape import list_shape_keys

ROOT = Path(__file__).resolve().parents[2]


def test_goldens_that_list_all_plugins_are_listed_and_generated() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = guide.partition("run `make generated`")[2].partition("\n2. ")[0]
    statements = ", ".join(f"`{name}`" for name in load_statements())
    names = [
        path.name
        for path in (ROOT / "tests").glob("*/goldens/**/*.*")
        for text in [path.read_text(encoding="utf-8")]
        if statements in text or all(re.search(rf"[`\"]{name}[`\"]", text) for name in list_shape_keys())
    ]
    assert sorted(names) == sorted(set(re.findall(r"(\w+\.(?:txt|json))`", listed)) - {"schema.json"})
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    tests = re.findall(r"tests/\S+\.py", makefile.partition("\ngenerated:")[2].partition("\n\n")[0])
    assert [each for each in tests if not (ROOT / each).is_file()] == []
    assert tests
