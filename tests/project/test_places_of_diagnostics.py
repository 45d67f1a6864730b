"""Every code has a golden of what it says, and every diagnostic says where it is: file, line and column."""

from __future__ import annotations

import json
import re
from pathlib import Path

from reference.diagnostics import codes

from rulewright.source.diagnostics import formats
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.span import Span

TESTS = Path(__file__).parents[1]
_HEAD = re.compile(r"^(?:error|warning)\[([a-z0-9-]+)\]: ", re.MULTILINE)
_PLACE = re.compile(r"^ *--> .+:[1-9]\d*:[1-9]\d*$")


def unplaced(text: str) -> list[str]:
    """Return the heads of the diagnostics in `text` that no place follows, whose message may run on for some lines."""
    lost: list[str] = []
    head: str | None = None
    for line in [*text.splitlines(), "error[end]: "]:
        if _HEAD.match(line):
            lost += [] if head is None else [head]
            head = line
        elif _PLACE.match(line):
            head = None
    return lost


def goldens() -> dict[Path, str]:
    """Return every golden of text."""
    paths = [path for path in TESTS.rglob("*.txt") if "goldens" in path.parts]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def test_every_code_is_shown_by_a_golden() -> None:
    match = {match[1] for text in goldens().values() for match in _HEAD.finditer(text)}
    assert [code.id for code in codes() if code.id not in match] == []


def test_every_code_has_its_place_in_every_format() -> None:
    for code in codes():
        diagnostics = [Diagnostic(code, "wrong", Span("rules/some.yaml", 3, 5, 3, 9))]
        [data] = json.loads(formats.render("json", diagnostics))
        assert (data["code"], data["file"], data["line"], data["column"]) == (code.id, "rules/some.yaml", 3, 5)
        assert unplaced(formats.render("text", diagnostics)) == []
        assert "file=rules/some.yaml,line=3," in formats.render("github", diagnostics)


def test_no_golden_shows_a_diagnostic_without_a_place() -> None:
    texts = goldens()
    shown = sum(len(_HEAD.findall(text)) for text in texts.values())
    assert shown > 200
    assert {path.name: lost for path, text in texts.items() if (lost := unplaced(text))} == {}


def test_one_without_a_place_would_be_noticed() -> None:
    assert unplaced("error[a]: x\n  --> f.yaml:1:2\nerror[b]: y\n  = why: z\n") == ["error[b]: y"]
