"""The language server finds, completes and explains the steps of rows, and what runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.lsp.features.call_hierarchy import find_procedure_at, list_incoming_calls, list_outgoing_calls
from rulewright.lsp.features.completion import complete
from rulewright.lsp.features.definitions import find_definitions, find_references
from rulewright.lsp.features.hover import describe_at
from rulewright.lsp.features.outline import find_rule_around, list_symbols
from rulewright.lsp.features.symbol_at import find_meaning
from rulewright.lsp.features.workspace import Workspace
from tests.card_duel import COOKBOOK

GAME, HOUSE = (COOKBOOK / name / "rules.yaml" for name in ("duel", "card-duel"))


@pytest.fixture(scope="module")
def desk() -> Workspace:
    """Return a workspace in which the game and its house rules are checked."""
    workspace = Workspace([COOKBOOK / "duel", COOKBOOK / "card-duel"])
    workspace.check_file(GAME)
    workspace.check_file(HOUSE)
    return workspace


def find(path: Path, line: str, word: str, after: int = 0) -> tuple[Path, int, int]:
    """Return the position of a word in the first line with a text."""
    lines = path.read_text(encoding="utf-8").split("\n")
    number = next(place for place, each in enumerate(lines, start=1) if line in each)
    return path, number, lines[number - 1].index(word) + 1 + after


MEANINGS = {
    (GAME, "do: played.effect", "effect"): ("tables", "cards", "columns", "effect"),
    (GAME, "do: played.effect", "played"): ("procedures", "turn", "played"),
    (GAME, "do: played.effect", "foe:"): ("tables", "cards", "columns", "effect", "steps", "given", "foe"),
    (GAME, "id: lost", "luck"): ("tables", "cards", "rows", "gamble", "effect", "luck"),
    (GAME, "id: healed", "power"): ("tables", "cards", "columns", "power"),
    (HOUSE, "roll: 1d8", "luck"): ("tables", "cards", "rows", "gamble", "effect", "luck"),
    (HOUSE, "{delete: second}", "second"): ("tables", "cards", "rows", "scout", "effect", "second"),
    (HOUSE, "of: cards.vampire.effect", "effect"): ("tables", "cards", "rows", "vampire", "effect"),
}


@pytest.mark.parametrize("at", MEANINGS)
def test_what_a_word_means(desk: Workspace, at: tuple[Path, str, str]) -> None:
    meaning = find_meaning(desk, *find(*at))
    assert meaning is not None
    assert meaning.mention.path == MEANINGS[at]
    assert find_definitions(desk, *find(*at))


def test_where_the_steps_of_a_row_are_named(desk: Workspace) -> None:
    named = find_references(desk, *find(GAME, "luck, roll: 1d6", "luck"))
    lines = {(Path(each.span.file).parent.name, each.span.line) for each in named}
    assert {("duel", find(GAME, "id: lost", "luck")[1]), ("card-duel", find(HOUSE, "roll: 1d8", "luck")[1])} <= lines


def test_a_step_is_explained_by_its_sentence(desk: Workspace) -> None:
    hover = describe_at(desk, *find(GAME, "id: healed", "healed"))
    assert hover is not None
    assert "**healed**: step" in hover.text
    assert "> The player gains 3 Hearts." in hover.text


def list_labels(desk: Workspace, *at: object) -> list[str]:
    return [each.label for each in complete(desk, *find(*at))]  # type: ignore[arg-type]


def test_what_may_come_next(desk: Workspace) -> None:
    assert "played.effect" in list_labels(desk, GAME, "do: played.effect", "effect")
    assert list_labels(desk, GAME, "do: played.effect", "player: player")[:2] == ["player", "foe"]
    assert "effect" in list_labels(desk, GAME, "decoy: {power", "power")
    assert list_labels(desk, GAME, "id: healed", "power") == ["power", "copies", "rank"]
    assert "self" in list_labels(desk, GAME, "id: healed", "self")
    assert "roll" in list_labels(desk, GAME, "luck, roll: 1d6", "roll")


def test_the_outline_has_the_steps_of_rows(desk: Workspace) -> None:
    (tables,) = (each for each in list_symbols(desk, GAME) if each.name == "tables")
    (rows,) = (each for each in tables.inside[0].inside if each.name == "gamble")
    assert [each.name for each in rows.inside] == ["effect"]
    assert [each.name for each in rows.inside[0].inside] == ["luck", "lost", "won"]
    around = find_rule_around(desk, *find(GAME, "id: lost", "lost"))
    assert around == ("tables", "cards", "rows", "gamble", "effect", "lost")


def test_who_runs_the_steps_of_a_row_and_what_they_run(desk: Workspace) -> None:
    here = find_procedure_at(desk, *find(GAME, "luck, roll: 1d6", "luck"))
    assert here is not None
    assert here.id == "cards.gamble.effect"
    assert [each.other.id for each in list_incoming_calls(desk, GAME, here.id)] == ["turn"]
    assert [each.other.id for each in list_outgoing_calls(desk, GAME, "cards.scout.effect")] == ["take_card"]
    assert here.id in [each.other.id for each in list_outgoing_calls(desk, GAME, "turn")]
