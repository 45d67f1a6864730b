"""A next version of an edition, with another die and a third resource, is YAML alone: every verb follows it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rulewright.book.pages.page import PageWriter
from rulewright.book.parts.odds_charts import Rolls
from rulewright.book.style.assets import build_drawings
from rulewright.book.style.rule_locations import find_places, list_book_pages, name_file, number_rulings
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset

OLD = "fuzzy-knights/medium@0.1"
NEW = "fuzzy-knights/medium@0.2"


class Verbs:
    """The command line, with the new version's folder among the rules."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, *arguments: str, status: int = 0) -> str:
        assert main([*arguments, "--rules", str(self.folder)]) == status
        return self.capsys.readouterr().out


@pytest.fixture(scope="module")
def house(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the new version's folder, the same for all tests, so that it is read once."""
    folder = tmp_path_factory.mktemp("next") / "house"
    shutil.copytree(checkout / "tests" / "house_rules" / "medium-0.2", folder / "medium-0.2")
    return folder


@pytest.fixture
def verbs(house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Verbs:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_RULES", raising=False)
    return Verbs(house, capsys)


def test_it_holds_no_python(verbs: Verbs) -> None:
    assert {path.suffix for path in (verbs.folder / "medium-0.2").rglob("*") if path.is_file()} == {".yaml"}


def test_it_is_sound_and_listed_beside_the_version_before(verbs: Verbs) -> None:
    assert "✓ fuzzy-knights/medium@0.2.0: valid" in verbs("check", NEW)
    listed = verbs("list")
    assert "fuzzy-knights/medium@0.1.1" in listed
    assert "fuzzy-knights/medium@0.2.0" in listed


def test_each_value_is_shown_and_tells_where_it_came_from(verbs: Verbs) -> None:
    assert "sort: grove" in verbs("show", NEW, "token_type.grove")
    assert "1d20 +4" in verbs("show", NEW, "hero_movement")
    why = json.loads(verbs("why", NEW, "hero_movement", "--json"))
    [value] = [found for found in why if found["id"] == "numbers.hero_movement.is"]
    assert [(origin["layer"], origin["value"]) for origin in value["origins"]][-2:] == [
        ("fuzzy-knights/medium@0.1.1", "1d10 +10"),
        ("fuzzy-knights/medium@0.2.0", "1d20 +4"),
    ]


def test_the_odds_are_those_of_the_new_die(verbs: Verbs) -> None:
    odds = json.loads(verbs("odds", NEW, "hero_movement", "--json"))
    assert odds["outcomes"] == {str(face + 4): "1/20" for face in range(1, 21)}
    before = json.loads(verbs("odds", OLD, "hero_movement", "--json"))
    assert before["outcomes"] == {str(face + 10): "1/10" for face in range(1, 11)}


def test_the_new_procedure_runs_and_the_resource_is_spent(verbs: Verbs) -> None:
    statements = verbs("run", NEW, "visit_grove", "--dice", "70,3")
    assert "Player 1 gains 5 timber and now has 5." in statements
    given = ["--given", "hero={tile: c5r5}", "--given", "players=[{timber: 3}]"]
    cart = verbs("run", NEW, "hero_turn", *given, "--dice", "10", "--choose", "cart", "--until", "cart")
    assert "Player 1 pays 2 timber and has 1 left." in cart
    assert "gains 5 movement and now has 19." in cart


def test_bots_play_it_to_the_end_and_the_save_is_replayed(verbs: Verbs, tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    settings = ["--option", "max_days=hundred", "--option", "councils=daily", "--option", "foundings=daily"]
    played = verbs("play", NEW, "--players", "greedy,random", "--seed", "2", *settings, "--save", str(save))
    assert "The game is over" in played
    assert "timber and now has" in played
    assert "fuzzy-knights/medium@0.2.0" in save.read_text()
    assert "The game is over" in verbs("replay", str(save), "--log")


def test_many_games_are_simulated_and_the_resource_is_measured(verbs: Verbs) -> None:
    report = json.loads(
        verbs("simulate", NEW, "--games", "2", "--workers", "1", "--players", "greedy,greedy", "--seed", "1", "--json")
    )
    assert report["games"] == 2
    assert report["measures"]["timber"]["most"] > 0


def test_what_differs_from_the_version_before_is_told(verbs: Verbs) -> None:
    statements = verbs("diff", OLD, NEW)
    assert "1d20 +4 (5 to 24, 14.5 on average) instead of 1d10 +10 (11 to 20, 15.5 on average)." in statements
    assert "Grove is new: on 5 to 6, 33.3 %" in statements
    changes = json.loads(verbs("diff", OLD, NEW, "--json"))
    assert "hero_movement" in json.dumps(changes)


def test_house_rules_lie_over_it(verbs: Verbs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verbs("new", str(tmp_path / "long-roads"), "--extends", NEW)
    statements = verbs("check", "house/long-roads", "--rules", str(tmp_path / "long-roads"))
    assert "✓ house/long-roads@0.1.0: valid" in statements


def test_its_book_has_a_page_on_the_third_resource(verbs: Verbs) -> None:
    """Only that page is made: whole books are looked at elsewhere, and take much longer."""
    rules = load_ruleset(NEW, rules=[verbs.folder])
    pages = list_book_pages(rules)
    [timber] = [page for page in pages if name_file(page) == "timber.md"]
    places = find_places(rules, pages)
    writer = PageWriter(
        rules, name_file(timber), places, build_drawings(rules), number_rulings(rules), None, Rolls(), None
    )
    page = writer.page(timber)
    assert "Where it grows, and what is built of it." in page
    assert "1d4 +2" in page
