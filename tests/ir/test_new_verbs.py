"""Four statements of tests alone: one file and one template each, and everything else follows.

Their names begin with `sample_`, so that no statement of the engine ever has the same.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.breadth import times
from tests.checkout_copy import copy_checkout

ADDED = Path(__file__).parent / "statements"

MANIFEST = """\
ruleset: test/added
version: 1.0.0
title: Added
status: draft
rounding: truncate
players: 2..3
start: game
"""
RULES = """\
terms: {token: {name: Token, means: What is swapped.}}
tables:
  sides: {title: Sides, rows: {left: {}, right: {}}}
  ways: {title: Ways, roll: 2d10, rows: {uphill: {on: 2-10}, downhill: {on: 11-20}}}
options:
  fork: {title: Fork, default: "off", choices: {"on": "On", "off": "Off"}}
kinds:
  player: {fields: {points: count, left: int, right: int}}
state: {turn: int}
procedures:
  game:
    title: A game
    steps:
      - {id: order, sample_shuffle: players}
      - id: everybody
        for_each: who
        in: order
        steps:
          - {id: marked, set: {who.left: turn + 1, who.right: turn}}
          - {id: throw, sample_score: {who: who, bold: 2d6, careful: 1d6 +3, into: who.points}}
          - {id: turned, sample_swap: who.left, with: who.right, when: throw == bold}
          - {id: more, do: bonus, with: {who: who}}
          - {id: later, set: {turn: turn + 1}}
      - {id: best, finish: {winners: "list(p for p in players if p.points == max(q.points for q in players))"}}
  bonus:
    title: A bonus
    given: {who: player}
    steps:
      - {id: points, gain: {who: who, points: 1}}
  throw_once:
    title: One throw
    given: {who: player}
    steps:
      - {id: throw, sample_score: {who: who, bold: 2d6, careful: 1d6 +3, into: who.points}}
      - {id: first, sample_shuffle: players}
  fork:
    title: A fork
    given: {who: player}
    names: {whole: heap}
    steps:
      - {id: cut, sample_share: who.points, as: whole, among: sides, part: "min(whole, 2)"}
      - {id: kept, set: {who.left: cut.rest}}
      - {id: again, sample_share: who.points, as: other, among: ways, part: other, when: options.fork == on}
      - {id: lost, set: {who.right: again.rest or 0}}
measures:
  points: {is: sum(p.points for p in players), title: Points of all}
examples:
  boldly:
    title: Boldly
    of: throw_once
    given: {who: {points: 1}}
    dice: [7]
    choose: [bold]
    until: throw
    expect: {who.points: 8}
"""
BROKEN = {
    "sample_swap: who.left": "`sample_swap` needs `with`",
    "sample_shuffle: [1, 2]": "only things that are told apart can be shuffled, not a number",
    "sample_score: {who: who, bold: 2d6, careful: 1d6, into: who}": "into",
    "sample_swap: who.left, with: who.lefd": "lefd",
}

MACHINES = """
import sys
from random import Random
from rulewright import load_ruleset
from tests.breadth import times
from tests.engine.machines import Table
rules = load_ruleset("test/added", rules=sys.argv[1])
table, ended = Table(rules), []
for seed in range(times(100, 500)):
    def setup(program, seed=seed):
        state, random = program.empty(2 + seed % 2), Random(seed)
        places = program.layout.places
        for player in state.live[1]:
            for field in ("points", "left", "right"):
                state.objects[player][places["player", field]] = random.randrange(9)
        procedure = ("game", "throw_once", "game", "fork")[seed % 4]
        return state, procedure, (state.live[1][1],) if seed % 2 else ()
    ended.append(table.play(setup, seed))
    ended.append(table.sample(setup, seed))
print({word: ended.count(word) for word in set(ended)})
"""

PROGRAM = """\
procedure throw_once(%who: ref player)
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout with four files and four templates more."""
    folder = copy_checkout(tmp_path_factory.mktemp("house"), copied=("engine", "docs_templates"))
    for verb in ADDED.glob("*.py"):
        shutil.copy(verb, folder / "engine" / "rulewright" / "language" / "statements")
        shutil.copy(verb.with_suffix(".j2"), folder / "docs_templates" / "statements")
    (folder / "own" / "added").mkdir(parents=True)
    (folder / "own" / "added" / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "own" / "added" / "rules.yaml").write_text(RULES, encoding="utf-8")
    return folder


def run(house: Path, checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(map(str, (house / "engine", checkout, checkout / "site")))
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run(
        [sys.executable, *arguments], cwd=house, env=environment, text=True, capture_output=True, check=False
    )


def command(house: Path, checkout: Path, *arguments: str) -> str:
    done = run(house, checkout, "-m", "rulewright", *arguments, "--rules", str(house / "own"))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_only_files_were_added(house: Path, checkout: Path) -> None:
    there = {path.relative_to(house) for path in house.glob("engine/**/*.py")}
    before = {path.relative_to(checkout) for path in checkout.glob("engine/**/*.py")}
    assert {path.name for path in there - before} == {path.name for path in ADDED.glob("*.py")}
    assert before <= there


def test_a_ruleset_that_uses_them_is_sound(house: Path, checkout: Path) -> None:
    told = command(house, checkout, "check", "test/added")
    assert ": valid" in told
    assert "warning" not in told


@pytest.mark.parametrize("step", BROKEN)
def test_what_is_wrong_is_refused_for_the_right_reason(step: str, house: Path, checkout: Path) -> None:
    folder = house / "broken" / "added"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    written = RULES.replace("      - {id: first, sample_shuffle: players}\n", f"      - {{id: first, {step}}}\n")
    (folder / "rules.yaml").write_text(written, encoding="utf-8")
    done = run(house, checkout, "-m", "rulewright", "check", "test/added", "--rules", str(folder.parent))
    assert done.returncode == 1
    assert BROKEN[step] in done.stderr
    assert "rules.yaml:" in done.stderr
    assert "Traceback" not in done.stderr


def test_both_machines_play_them_alike(house: Path, checkout: Path) -> None:
    """From five hundred random states, with stops written as JSON and read back on the way."""
    done = run(house, checkout, "-c", MACHINES, str(house / "own"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{{'over': {times(200, 1000)}}}"


def test_their_odds_are_exact(house: Path, checkout: Path) -> None:
    """A careful throw is one die and three more: each total has a chance of one in six."""
    careful, bold = (
        json.loads(
            command(house, checkout, "odds", "test/added", "throw_once", "who.points", "--policy", way, "--json")
        )
        for way in ("take:careful", "take:bold")
    )
    assert careful["exact"]
    assert careful["answers"][0]["outcomes"] == {str(total): "1/6" for total in range(4, 10)}
    assert bold["answers"][0]["outcomes"]["7"] == "1/6"
    assert bold["answers"][0]["outcomes"]["2"] == "1/36"


def test_their_coverage_is_counted(house: Path, checkout: Path) -> None:
    report = house / "report.html"
    command(house, checkout, "simulate", "test/added", "--games", "40", "--seed", "1", "--report", str(report))
    text = report.read_text(encoding="utf-8")
    for step in ("game.throw", "game.turned", "game.order"):
        assert step in text
    assert "bold" in text.lower()
    assert "careful" in text.lower()


def test_they_are_told(house: Path, checkout: Path) -> None:
    log = command(house, checkout, "play", "test/added", "--players", "random,random", "--seed", "3")
    assert "Player 2 chooses: Bold." in log
    assert "2d6 comes to 7." in log
    assert "Player 2 gains 7 points and now has 7." in log
    once = ("run", "test/added", "throw_once", "--given", "who={}", "--choose", "bold", "--seed", "3")
    assert "is drawn" in command(house, checkout, *once)


def test_their_english_and_their_page(house: Path, checkout: Path) -> None:
    command(house, checkout, "book", "build", "test/added", "--output", str(house / "site-built"))
    pages = "".join(path.read_text(encoding="utf-8") for path in (house / "site-built").rglob("*.html"))
    assert "change places" in pages
    assert "in a random order" in pages
    assert "; this is" in pages, "a result of which only the second part is used is not introduced"
    done = run(house, checkout, "-c", "from reference.steps import page; print(page())")
    assert done.returncode == 0, done.stderr
    for title in ("## `sample_score:`", "## `sample_shuffle:`", "## `sample_swap:`"):
        assert title in done.stdout


def test_their_programs_are_sound(house: Path, checkout: Path) -> None:
    script = (
        "import sys; from rulewright import load_ruleset; from rulewright.ir.program import build_program\n"
        "from rulewright.ir.verify import find_faults\n"
        "program = build_program(load_ruleset('test/added', rules=sys.argv[1]))\n"
        "print([fault for routine in program.routines.values() for fault in find_faults(routine)])"
    )
    done = run(house, checkout, "-c", script, str(house / "own"))
    assert done.stdout.strip() == "[]", done.stderr
    shown = command(house, checkout, "show", "test/added", "throw_once", "--program")
    assert shown.startswith(PROGRAM)


def test_a_key_may_mean_something_else_to_each_statement(house: Path, checkout: Path) -> None:
    """`with` is a field of `sample_swap` and a mapping of `do`: in the schema, in layers, and where files are read."""
    script = (
        "from rulewright.ruleset.schema.json_schema import build_resolved_schema; import json;"
        "print(json.dumps(build_resolved_schema()['$defs']['step']))"
    )
    step = json.loads(run(house, checkout, "-c", script).stdout)
    cases = {
        case["if"]["required"][0]: own["with"]["type"]
        for case in step["allOf"]
        if "with" in (own := case["then"]["properties"])
    }
    assert cases["create"] == cases["do"] == "object"
    assert cases["sample_swap"] == ["string", "integer", "boolean", "array"]
    wrong = house / "wrong" / "added"
    wrong.mkdir(parents=True)
    (wrong / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (wrong / "rules.yaml").write_text(RULES.replace("with: who.right", "with: {who: who}"), encoding="utf-8")
    done = run(house, checkout, "-m", "rulewright", "check", "test/added", "--rules", str(wrong.parent))
    assert "`with` must be an expression, but this is a mapping" in done.stderr


def test_a_table_is_not_rolled_on_because_an_action_names_it(house: Path, checkout: Path) -> None:
    """The dice of a table are left out only if nothing rolls on it but steps that are off by default."""
    script = (
        "import sys; from rulewright import load_ruleset\n"
        "from rulewright.ruleset.queries.dice_needed import count_dice_needed\n"
        "print(count_dice_needed(load_ruleset('test/added', rules=sys.argv[1])))"
    )
    done = run(house, checkout, "-c", script, str(house / "own"))
    assert done.stdout.strip() == "{'d6': 2, 'd10': 2}", done.stderr
