"""What mends a mistake in files that were harmed at random.

It is read as far, one diagnostic is gone, and no text of the readers' is changed that it was not about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import pytest
import yaml

from rulewright.authoring.apply_fixes import Finding, FixResult
from rulewright.authoring.verify_fix import is_worth_offering
from rulewright.base.resources import find_resource
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.diagnostic import Diagnostic, apply_edits
from rulewright.source.diagnostics.formats import text as text_format
from rulewright.source.files.unsaved_texts import build_file_key, replace_files
from rulewright.testing.check_edition import check_edition
from tests.breadth import THOROUGH, times

ROOT = Path(__file__).resolve().parents[2]
RULES = Path(str(find_resource("rules")))
COOKBOOK = ROOT / "site" / "docs" / "cookbook"
HOUSE_RULES = ROOT / "tests" / "house_rules"
# Those over Pig are checked in a moment; the others have the same keys and verbs, and are over the largest game.
SMALL = [
    *(COOKBOOK / name for name in ("countdown", "table-pig", "tidy-table", "volunteers", "sealed-bids", "best-turn")),
    RULES / "pig" / "classic-1.0",
    RULES / "classics" / "tic-tac-toe-1.0",
    RULES / "classics" / "kuhn-poker-1.0",
]
FOLDERS = (
    SMALL
    if not THOROUGH
    else [path.parent for top in (RULES, COOKBOOK, HOUSE_RULES) for path in top.glob("**/ruleset.yaml")]
)
TOKEN = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\w+|[^\w\s]|\n *| +")
PIECES = "'\":,{}[]#-\t\n|>&*!?=()`.@%0"


def harmed(text: str, random: Random) -> str:
    """Return `text` with one token, character, quote, line or indentation another."""
    tokens = list(TOKEN.finditer(text))
    token, at = random.choice(tokens), random.randrange(len(text) - 1)
    start, end, word = token.start(), token.end(), token.group()
    quoted = random.choice([each for each in tokens if each.group()[0] in "\"'" and len(each.group()) > 2] or [token])
    inside, sign = quoted.group()[1:-1], quoted.group()[0]
    broken = random.choice([each for each in tokens if each.group()[0] == "\n"])
    named = random.choice([each for each in tokens if each.group()[0].isalpha() and len(each.group()) > 2])
    name, letter = named.group(), random.randrange(1, len(named.group()) - 1)
    lines = text.split("\n")
    line = random.randrange(len(lines))
    quotes = [inside, f"'{inside}'", f'"{inside}"', f"{sign}{inside}", f"{inside}{sign}", f"{sign}{inside}'s way{sign}"]
    names = [name.upper(), name[:letter] + name[letter + 1 :], f"{name}s", name.replace("_", "-")]
    return random.choice(
        [
            text[:start] + text[end:],
            text[:end] + word + text[end:],
            text[:start] + random.choice(tokens).group() + text[end:],
            text[:at] + text[at + 1 :],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
            text[:at] + random.choice(PIECES) + text[at:],
            text[: quoted.start()] + random.choice(quotes) + text[quoted.end() :],
            text[: quoted.start()] + random.choice(quotes) + text[quoted.end() :],
            text[: broken.end()] + " " * random.choice([1, 2, 4]) + text[broken.end() :],
            text[: broken.start()] + broken.group()[:-2] + "\n" * (len(broken.group()) < 3) + text[broken.end() :],
            text[: named.start()] + random.choice(names) + text[named.end() :],
            "\n".join([*lines[:line], *lines[line + 1 :]]),
            "\n".join([*lines[:line], lines[line], *lines[line:]]),
        ]
    )


def found_in(folder: Path, texts: Mapping[str, str]) -> tuple[list[Diagnostic], bool]:
    """Return everything that is found in an edition whose files hold these texts, and whether it is sound."""
    with replace_files(texts):
        catalogue = Catalogue([folder, RULES, COOKBOOK, HOUSE_RULES])
        mine = folder.resolve()
        broken = [each for each in catalogue.list_broken() if each.folder.resolve().is_relative_to(mine)]
        diagnostics, sound = [fault for each in broken for fault in each.diagnostics], False
        for edition in catalogue.list_editions():
            if edition.folder.resolve() == mine:
                checked = check_edition(catalogue, edition)
                diagnostics, sound = [*diagnostics, *checked.diagnostics], checked.sound
        return diagnostics, sound


def stop(text: str) -> int:
    """Return where the other one of PyYAML's parsers stops."""
    try:
        for _ in yaml.parse(text, yaml.SafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return mark.index if mark is not None else 0
    except ValueError:
        return 0
    return len(text)


def keys(diagnostics: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((each.code.id, each.message) for each in diagnostics)


def read_as_far(before: str, after: str, edits: Diagnostic) -> bool:
    """Return whether a parser comes as far.

    All that it had read before the first place that is changed, and then as much.
    """
    starts = [sum(len(line) + 1 for line in before.split("\n")[: each.span.line - 1]) for each in edits.edits]
    if stop(after) == len(after) or stop(before) <= min(starts) <= stop(after):
        return True
    return len(after) - stop(after) <= len(before) - stop(before) or stop(after) >= stop(before)


def words_kept(before: str, after: str, mended: Diagnostic) -> bool:
    """Return whether every letter is as it was but on the lines that the diagnostic is about."""
    about = set[int]()
    for span in (mended.span, *(each.span for each in mended.related), *(each.span for each in mended.edits)):
        about |= set(range(span.line, span.end_line + 1))
    lines = [line for number, line in enumerate(before.split("\n"), 1) if number not in about]
    left = Counter(line.strip() for line in after.split("\n"))
    return all(left[line] >= count for line, count in Counter(line.strip() for line in lines).items())


@cache
def text_of(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")
    return "\n".join(line for line in lines if not line.startswith(("status:", "locked:")))


SEEDS = range(times(30, 4_000))


def trial(seed: int) -> tuple[Path, dict[str, str]]:
    """Return one edition with one of its files harmed."""
    random = Random(f"fixes/{seed}")
    folder = random.choice(FOLDERS)
    files = [file for file in sorted(folder.rglob("*.yaml")) if file.name not in ("follows.yaml", "sources.yaml")]
    file = random.choice(files)
    texts = {build_file_key(each): text_of(each) for each in files}
    texts[build_file_key(file)] = harmed(text_of(file), random)
    return folder, texts


class Try:
    """An edition in memory, as `check --fix --yes` and the studio's *Mend everything* write it."""

    def __init__(self, seed: int) -> None:
        self.folder, self.texts = trial(seed)
        self.found: list[Diagnostic] = []

    def check(self) -> Finding:
        self.found, sound = found_in(self.folder, self.texts)
        return self.found, frozenset({"it"} if sound else ())

    def text_of(self, file: str) -> str | None:
        return self.texts.get(build_file_key(file))

    def write(self, new: Mapping[str, str]) -> None:
        self.texts.update({build_file_key(file): text for file, text in new.items()})

    def run(self) -> int:
        with replace_files(self.texts):
            return FixResult(self.check, [self.folder], lambda *_: "yes", self.write).run()


def test_what_is_offered_or_written_mends_one_thing_and_spoils_none() -> None:
    made = offers = 0
    for seed in SEEDS:
        tried = Try(seed)
        tried.check()
        for each in tried.found:
            if each.edits and is_worth_offering([each], tried.text_of):
                offers += 1
                source = f"{seed}: {text_format.render([each])}"
                [file] = {build_file_key(edit.span.file) for edit in each.edits}
                after = apply_edits(tried.texts[file], each.edits)
                assert read_as_far(tried.texts[file], after, each), source
                assert words_kept(tried.texts[file], after, each), source
                assert "= fix:" in source
        before, started = keys(tried.found), dict(tried.texts)
        number = tried.run()
        made += number
        if not number:
            assert tried.texts == started, f"{seed}: what was taken back is not as it was"
            continue
        assert before - keys(found_in(tried.folder, tried.texts)[0]), f"{seed}: nothing is mended"
        for file, text in tried.texts.items():
            left = len(started[file]) - stop(started[file])
            assert len(text) - stop(text) <= left, f"{seed}: less can be read"
    assert offers >= len(SEEDS) // 10
    assert made >= len(SEEDS) // 10


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("goal: {is: 10, means: 'Player's goal'}", "Player"),
        ("goal: {is: 10, means: 'The players' goal'}", "The players"),
    ],
)
def test_a_text_is_not_cut_at_an_apostrophe(written: str, wrong: str, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    file = tmp_path / "rules.yaml"
    file.write_text(f"numbers:\n  {written}\n", encoding="utf-8")
    diagnostics, _ = found_in(tmp_path, {})
    [fault] = [each for each in diagnostics if each.edits]
    mended = yaml.safe_load(apply_edits(file.read_text(encoding="utf-8"), fault.edits))
    assert mended["numbers"]["goal"]["means"] != wrong
    assert f"'{mended['numbers']['goal']['means']}'" in written


def test_a_fix_that_moves_the_mistake_is_not_offered(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\n", encoding="utf-8")
    file = tmp_path / "rules.yaml"
    file.write_text("numbers: {go\tal: 3}\n", encoding="utf-8")
    try:
        diagnostics, _ = found_in(tmp_path, {})
    except DiagnosticError as error:
        diagnostics = list(error.diagnostics)
    [fault] = [each for each in diagnostics if each.code.id == "tab"]
    assert fault.edits  # `go al` is not a valid id either
    assert not is_worth_offering([fault], lambda file: Path(file).read_text(encoding="utf-8"))
