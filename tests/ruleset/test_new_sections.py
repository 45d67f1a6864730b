"""Two sections that are nowhere but in tests: one file that is put among the others, and everything else follows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.checkout_copy import copy_checkout

ADDED = Path(__file__).parent / "sections" / "credits.py"

MANIFEST = """\
ruleset: test/{name}
version: 1.0.0
title: Added
status: draft
players: 2
"""
RULES = """\
terms: {token: {name: Token, means: What is drawn.}}
"""
BASE = """\
numbers: {goal: {is: 10, means: Where it ends.}}
gifts:
  start: {is: goal - 7, means: What they begin with.}
credits:
  ada: {name: Ada, text: "Drew every *{token}*.", about: terms.token, since: 1998, works: {map: The island}}
  bob: {name: Bob, text: Tried it out.}
pages:
  making:
    title: Making
    letter: M
    sections:
      people:
        title: People
        text: Ask {credits.bob} about it.
        show: [credits.ada, gifts.start]
"""
UPPER = """\
credits:
  ada: {text: Drew the board., since: 1999}
  bob: {delete: true}
  eve: {before: ada, name: Eve, text: Wrote it down.}
pages: {making: {sections: {people: {text: "Ask {credits.eve}."}}}}
"""
EDITIONS = {
    "plain": RULES,
    "base": RULES + BASE,
    "worded": RULES + BASE.replace("Tried it out.", "Tried all of it."),
    "given": RULES + BASE.replace("goal - 7", "goal - 6"),
    "upper": UPPER,
}
BROKEN = {
    "key": "credits: {ada: {nmae: Ada, text: Drew it.}}\n",
    "short": "credits: {ada: Ada}\n",
    "needed": "credits: {ada: {name: Ada}}\n",
    "expression": "gifts: {start: gaol}\n",
    "reference": "credits: {ada: {name: Ada, text: Drew it., about: terms.tokens}}\n",
    "figure": "credits: {ada: {name: Ada, text: Drew 30 boards.}}\n",
    "link": 'credits: {ada: {name: Ada, text: "Like {credits.adam}."}}\n',
}
NOTHING_BELOW = "credits: {adam: {delete: true}}\n"

ASKED = """\
import json, pickle, sys
from pathlib import Path
from rulewright.book.rulebook import render_site
from rulewright.book.changes.compare_rulesets import list_changes
from rulewright.book.site.mkdocs_plugin import build_menu
from reference.files import page
from rulewright.testing.check_edition import check_edition
from rulewright.authoring.schema_files import build_inherited_schema
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.queries.lookup import find_node
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.ruleset.schema.json_schema import build_fragment_schema

def faults(name):
    catalogue = Catalogue([Path(folder)])
    found = check_edition(catalogue, catalogue.find(parse_reference(f"test/{name}"))).diagnostics
    return [(each.code.id, each.span.line, each.span.column, each.message, each.suggestion) for each in found]

folder, good, bad = sys.argv[1], sys.argv[2].split(), sys.argv[3].split()
rules = {name: load_ruleset(f"test/{name}", rules=folder) for name in good}
def told(before, after):
    found = list_changes(rules[before], rules[after])
    return [(c.section, c.group, c.title, c.what, c.played, c.weight, c.sentences) for c in found]
sites = {name: render_site(rules[name]) for name in ("plain", "base", "upper")}
print(json.dumps({
    "faults": {name: faults(name) for name in good + bad},
    "credits": {name: [credit.name for credit in rules[name].sections["credits"].values()] for name in good},
    "gifts": {name: [gift.worth for gift in rules[name].sections["gifts"].values()] for name in good},
    "pickled": [credit.name for credit in pickle.loads(pickle.dumps(rules["upper"])).sections["credits"].values()],
    "sections": list(rules["base"].resolved.rules.entries),
    "digests": {name: rules[name].digest for name in good},
    "sites": sites,
    "menu": build_menu(sites["base"]),
    "told": {f"{a} {b}": told(a, b) for a, b in (("base", "upper"), ("base", "given"), ("plain", "base"))},
    "reference": page(),
    "schema": build_fragment_schema()["properties"]["credits"],
    "part": ".".join(find_node(rules["base"], "credits.ada.map")[0]),
    "inherited": build_inherited_schema(rules["base"])["properties"]["credits"]["properties"],
}))
"""


def written(folder: Path, name: str, rules: str, *, extends: str = "") -> None:
    home = folder / name
    home.mkdir(parents=True)
    below = f"extends: {extends}\n" if extends else ""
    (home / "ruleset.yaml").write_text(MANIFEST.format(name=name) + below, encoding="utf-8")
    (home / "rules.yaml").write_text(rules, encoding="utf-8")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout with one file more."""
    folder = copy_checkout(tmp_path_factory.mktemp("house"))
    shutil.copy(ADDED, folder / "engine" / "rulewright" / "ruleset" / "sections")
    return folder


@pytest.fixture(scope="module")
def results(house: Path) -> dict[str, Any]:
    """Return what the house says of rulesets with the new sections, asked once for all tests."""
    own = house / "own"
    for name, rules in EDITIONS.items():
        written(own, name, rules, extends="test/base@1" if name == "upper" else "")
    for name, rules in BROKEN.items():
        written(own, name, RULES + rules)
    written(own, "below", NOTHING_BELOW, extends="test/base@1")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (house / "engine", house / "site"))),
        "RULEWRIGHT_CACHE": "off",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    asked = [sys.executable, "-c", ASKED, str(own), " ".join(EDITIONS), " ".join((*BROKEN, "below"))]
    done = subprocess.run(asked, cwd=house, env=environment, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_only_one_file_was_added(house: Path, checkout: Path) -> None:
    there = {path.relative_to(house) for path in house.glob("engine/**/*.py")}
    before = {path.relative_to(checkout) for path in checkout.glob("engine/**/*.py")}
    assert {path.as_posix() for path in there - before} == {"engine/rulewright/ruleset/sections/credits.py"}
    assert before <= there


@pytest.mark.parametrize("name", EDITIONS)
def test_a_ruleset_that_uses_them_is_sound(name: str, results: dict[str, Any]) -> None:
    assert results["faults"][name] == []


def test_what_is_wrong_in_them_is_told_where_it_stands(results: dict[str, Any]) -> None:
    """Each code with its place: that of the word that is wrong."""
    by_name = {name: [fault[:3] for fault in results["faults"][name]] for name in (*BROKEN, "below")}
    last = RULES.count("\n") + 1
    assert by_name == {
        "key": [["missing-key", last, 11], ["unknown-key", last, 17]],
        "short": [["wrong-shape", last, 16]],
        "needed": [["missing-key", last, 11]],
        "expression": [["unknown-name", last, 16]],
        "reference": [["unknown-reference", last, 51]],
        "figure": [["literal-figure", last, 39]],
        "link": [["unknown-placeholder", last, 49]],
        "below": [["override-of-nothing", 1, 11]],
    }
    assert "`name`" in results["faults"]["key"][1][4]
    assert "`ada`" in results["faults"]["link"][0][4]


def test_they_merge_through_layers_and_are_read(results: dict[str, Any]) -> None:
    assert results["credits"] == {
        "plain": [],
        **{key: ["Ada", "Bob"] for key in ("base", "worded", "given")},
        "upper": ["Eve", "Ada"],
    }
    assert results["gifts"] == {"plain": [], **{key: [3] for key in ("base", "worded", "upper")}, "given": [4]}
    assert results["pickled"] == results["credits"]["upper"]
    assert results["sections"] == ["terms", "numbers", "gifts", "pages", "credits"]


def test_gameplay_is_what_they_declare(results: dict[str, Any]) -> None:
    digests = results["digests"]
    assert digests["base"] == digests["worded"] == digests["upper"]
    assert len({digests["plain"], digests["base"], digests["given"]}) == 3


def test_the_book_has_a_page_of_them(results: dict[str, Any]) -> None:
    site = results["sites"]["base"]
    assert "credits.md" not in results["sites"]["plain"]
    page = site["credits.md"]
    assert '<h1 class="rw-title">Who made it</h1>' in page
    assert 'id="credit-bob"' in page
    assert "With thanks to all." in page
    assert "Tried it out." in page
    shown = site["making.md"]
    assert 'id="credit-ada"' in shown
    assert "<em>" in shown.partition('id="credit-ada"')[2]
    assert 'href="credits.md#credit-bob"' in shown
    assert 'id="gift-start"' in shown
    assert 'href="credits.md">Who made it</a>' in site["index.md"]
    assert "credits.md" in str(results["menu"][2])
    assert "credits.md#credit-bob" in site["index-of-the-book.md"]
    assert "Who made it" in site["whole.html"]
    assert json.loads(site["rules.json"])["rules"]["credits"]["bob"]["name"] == "Bob"
    assert "credits" in json.loads(site["rules.schema.json"])["properties"]["rules"]["properties"]


def test_comparisons_tell_of_them(results: dict[str, Any]) -> None:
    upper = {
        title: (group, what, played, said_) for _, group, title, what, played, _, said_ in results["told"]["base upper"]
    }
    assert upper["Ada"] == (
        "credits",
        "changed",
        False,
        ["What they did, now: Drew the board. Before: Drew every *Token*."],
    )
    assert upper["Bob"] == ("credits", "removed", False, ["Tried it out."])
    assert upper["Eve"] == ("credits", "added", False, ["Wrote it down."])
    ((section, group, title, what, played, weight, sentences),) = results["told"]["base given"]
    assert (section, group, title, what, played) == ("gifts", "gifts", "Start", "changed", True)
    assert weight == 7 + 1
    assert sentences == ["goal - 6 instead of goal - 7."]
    order = [section for section, *_ in results["told"]["plain base"]]
    assert order == ["numbers", "gifts", "pages", "credits", "credits"]


def test_the_reference_and_the_schemas_have_them(results: dict[str, Any]) -> None:
    assert "## `credits:`\n\nWho made the game." in results["reference"]
    assert "| `since` | number | The year they began. |" in results["reference"]
    assert results["reference"].index("## `numbers:`") < results["reference"].index("## `gifts:`")
    assert results["schema"]["additionalProperties"]["$ref"] == "#/$defs/credit"
    assert set(results["inherited"]) == {"ada", "bob"}
    assert results["inherited"]["ada"]["properties"] == {"works": {"properties": {"map": {}}}}


def test_their_parts_are_known_by_name(results: dict[str, Any]) -> None:
    assert results["part"] == "credits.ada.works.map"
