"""An editor is told what `check` says of the same texts on disk, edit after edit, whatever was wrong before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulewright.analysis.odds.expected_odds import weigh
from rulewright.base.resources import find_resource
from rulewright.book.parts.rule_summaries import build_describer
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.prose.source_coverage import check_sources
from rulewright.source.diagnostics.collector import Diagnostic
from rulewright.testing.check_edition import check_edition
from tests.breadth import times
from tests.ruleset.mistakes import HOUSE, PIG
from tests.studio.client import Editor

RULES = find_resource("rules")
EDITS = times(20, 300)

Told = tuple[str, str, int, tuple[int, int, int, int], str]
"""A file, a code, how bad it is, from where to where, and the words."""


@pytest.fixture
def pig(tmp_path: Path) -> Path:
    """Pig as a game of one's own, and a folder of house rules over it."""
    shutil.copytree(RULES / "pig" / "classic-1.0", tmp_path / "pig", ignore=shutil.ignore_patterns("fair.json"))
    shutil.copytree(RULES / "pig" / "icons", tmp_path / "pig" / "icons")
    manifest = tmp_path / "pig" / "ruleset.yaml"
    lines = manifest.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith(("status:", "locked:")))
    manifest.write_text(text.replace("pig/classic", "house/pig"), encoding="utf-8")
    (tmp_path / "ours").mkdir()
    over = "ruleset: house/ours\nversion: 0.1.0\nextends: house/pig@1\ntitle: Ours\nabout: Shorter.\n"
    (tmp_path / "ours" / "ruleset.yaml").write_text(over, encoding="utf-8")
    (tmp_path / "ours" / "rules.yaml").write_text("numbers: {goal: 50}\n", encoding="utf-8")
    return tmp_path


def fresh(root: Path, *names: str) -> list[Told]:
    """Return what a check says that reads everything anew from disk, each once as `rulewright check` has it."""
    catalogue = Catalogue([root, *(path.absolute() for path in search_path())])
    diagnostics: list[Diagnostic] = [
        fault
        for broken in catalogue.list_broken()
        if broken.folder.is_relative_to(root)
        for fault in broken.diagnostics
    ]
    checked = [
        check_edition(
            catalogue,
            edition,
            describer=lambda ruleset: lambda path: build_describer(ruleset)(path),
            weigh=lambda ruleset, example, most: ((w := weigh(ruleset, example, most=most)).problems, w.branches),
        )
        for edition in catalogue.list_editions()
        if edition.ruleset in names
    ]
    others: list[Diagnostic] = []
    for each in checked:
        for fault in each.diagnostics:
            (diagnostics if Path(fault.span.file).is_relative_to(each.edition.folder) else others).append(fault)
    diagnostics += others
    sound = {each.edition.id: each.ruleset for each in checked if each.ruleset is not None and each.sound}
    unsound = {each.edition.id for each in checked if each.diagnostics.errors}
    known = {edition.id for edition in catalogue.list_editions()}
    diagnostics += check_sources(catalogue.paths, sound, known, unsound=unsound)
    once = {(each.code.id, each.span, each.message): each for each in reversed(diagnostics)}
    return sorted(as_told(each) for each in once.values())


def as_told(diagnostic: Diagnostic) -> Told:
    """Return a diagnostic as the protocol has it, by another way than the server's."""
    text = Path(diagnostic.span.file).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def units(line: int, column: int) -> int:
        return len(lines[line - 1][: column - 1].encode("utf-16-le", "surrogatepass")) // 2

    span = diagnostic.span
    place = (
        span.line - 1,
        units(span.line, span.column),
        span.end_line - 1,
        units(span.end_line, span.end_column),
    )
    severity = 1 if diagnostic.severity == "error" else 2
    return Path(span.file).as_uri(), diagnostic.code.id, severity, place, f"{diagnostic.message}\n{diagnostic.help}"


def list_shown(editor: Editor) -> list[Told]:
    """Return what the editor shows, as often as it does."""
    return sorted(
        (uri, each["code"], each["severity"], _place(each["range"]), each["message"])
        for uri, diagnostics in editor.shown.items()
        for each in diagnostics
    )


def _place(given: dict[str, Any]) -> tuple[int, int, int, int]:
    start, end = given["start"], given["end"]
    return start["line"], start["character"], end["line"], end["character"]


def edits(originals: dict[Path, str], count: int) -> Iterator[tuple[Path, str]]:
    """Yield edits of a few files as people make them, one after another, now and then with all faults fixed."""
    random = Random(17)
    texts = dict(originals)
    mistakes = [(name, *change) for name, change in PIG.items() if change[0].endswith(".yaml") and len(change) == 3]
    for number in range(count):
        path = random.choice(list(texts))
        if number % 5 == 4:
            path = next((each for each in texts if texts[each] != originals[each]), path)
            texts[path] = originals[path]
        elif number % 2 == 0:
            _, file, right, wrong = random.choice(mistakes)
            path = next((each for each in texts if each.as_posix().endswith(f"pig/{file}")), path)
            texts[path] = texts[path].replace(right, wrong, 1)
        else:
            texts[path] = _slip(texts[path], random)
        yield path, texts[path]


def _slip(text: str, random: Random) -> str:
    """Return a text after one slip of a hand."""
    at = random.randrange(len(text) + 1)
    line = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at) + 1 or len(text)
    return random.choice(
        [
            text[:at] + text[at + 1 :],
            text[:at] + random.choice(":{[\"'#-,} \t🏰é") + text[at:],
            text[:line] + text[end:],
            text[:end] + text[line:end] + text[end:],
            text[:line] + "  " + text[line:],
            text[:at],
        ]
    )


def test_every_answer_is_that_of_a_fresh_check(pig: Path) -> None:
    files = [pig / "pig" / "pig.yaml", pig / "pig" / "book" / "pig.yaml", pig / "pig" / "ruleset.yaml"]
    files.append(pig / "ours" / "rules.yaml")
    originals = {path: path.read_text(encoding="utf-8") for path in files}
    typed = dict(originals)
    compared = 0
    with Editor(pig) as editor:
        for path in files:
            editor.open(path)
        editor.checked()
        assert list_shown(editor) == fresh(pig, "house/pig", "house/ours")
        for path, text in edits(originals, EDITS):
            editor.type(path, text)
            errors = editor.checked()
            # The disk has the old text; the check is to read the new one.
            typed[path] = text
            for each in files:
                each.write_text(typed[each], encoding="utf-8", newline="")
            expected = fresh(pig, "house/pig", "house/ours")
            for each in files:
                each.write_text(originals[each], encoding="utf-8", newline="")
            assert list_shown(editor) == expected, text
            assert errors == sum(each[2] == 1 for each in expected)
            compared += bool(expected)
        assert compared > EDITS // 3
        assert editor.leave() == 0


def test_codes_lead_to_the_documentation_where_it_is_said_to_be(pig: Path) -> None:
    path = pig / "ours" / "rules.yaml"
    with Editor(pig, "--docs", "https://example.org/docs/") as editor:
        editor.open(path, "numbers: {gaol: 3, goal: 50, goal: 51}\n")
        editor.checked()
        diagnostics = editor.shown[path.as_uri()]
        assert {each["codeDescription"]["href"] for each in diagnostics} >= {
            f"https://example.org/docs/reference/diagnostics.html#{each['code']}" for each in diagnostics
        }
        assert any(each.get("relatedInformation") for each in diagnostics), "the other place is shown, too"


def test_diagnostics_carry_the_version_of_the_text_they_are_of(pig: Path) -> None:
    path = pig / "ours" / "rules.yaml"
    with Editor(pig) as editor:
        editor.open(path, "numbers: {gaol: 3, goal: 50, goal: 51}\n")
        editor.checked()
        editor.type(path, "numbers: {goal: 50, goal: 51}\n")
        editor.checked()
        params = [each["params"] for each in editor.told if each.get("method") == "textDocument/publishDiagnostics"]
        assert [each["version"] for each in params if each["uri"] == path.as_uri()][-1] == 2


def test_house_rules_over_the_largest_game_are_checked_as_on_disk(tmp_path: Path) -> None:
    manifest = "ruleset: house/mine\nversion: 0.1.0\nextends: fuzzy-knights/normal@1.0\ntitle: Mine\nabout: Ours.\n"
    (tmp_path / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    rules = tmp_path / "rules.yaml"
    rules.write_text("numbers: {day_limit: 90}\n", encoding="utf-8")
    names = ("gap_in_a_table",) if EDITS < 100 else tuple(HOUSE)
    with Editor(tmp_path) as editor:
        editor.open(rules)
        editor.checked()
        for name in names:
            editor.type(rules, HOUSE[name])
            editor.checked()
            rules.write_text(HOUSE[name], encoding="utf-8")
            assert list_shown(editor) == fresh(tmp_path, "house/mine"), name
