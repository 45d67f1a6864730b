"""The size of a board, in the language of the book."""

from __future__ import annotations

import pytest

from rulewright.book.parts.example_maps import draw_empty_board
from rulewright.book.style.text_style import Style
from rulewright.ruleset.boards.board_shape import find_shape_file, load_shapes, make_plan
from rulewright.ruleset.prose.book_language import load_languages
from rulewright.ruleset.translation.translation import Translation
from tests.language.inline import sound


@pytest.mark.parametrize(
    ("board", "size", "german"),
    [
        ("grid: {columns: 3, rows: 2}", "3 columns, 2 rows", "3 Spalten, 2 Zeilen"),
        ("grid: {columns: 3, rows: 1}", "3 × 1 tiles", "3 × 1 Felder"),
        ("track: {places: 4}", "4 places", "4 Felder"),
        ("track: {places: 1}", "1 place", "1 Feld"),
        ("areas: {}, rows: {mill: {}}", "1 area", "1 Gebiet"),
        ("areas: {}, rows: {mill: {neighbours: [pond]}, pond: {}}", "2 areas", "2 Gebiete"),
    ],
)
def test_the_size_of_a_board_is_in_the_language_of_the_book(board: str, size: str, german: str) -> None:
    ruleset = sound(f"tables: {{market: {{title: Market, {board}}}}}")
    translated = Translation(ruleset, load_languages()["de"], (), {}, {}, ()).ruleset
    for edition, words in ((ruleset, size), (translated, german)):
        drawn = draw_empty_board(ruleset.declarations.tables["market"], Style(edition))
        assert f"Market: {words}<" in drawn


def test_a_shape_brings_its_words_in_other_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    track = load_shapes()["track"]
    monkeypatch.setattr(
        type(track), "describe_size", lambda _, plan, say: say("%(steps)s steps", steps=len(plan.spots))
    )
    monkeypatch.setattr(type(track), "translations", {"de": {"%(steps)s steps": "%(steps)s Schritte"}})
    plan = make_plan(sound("tables: {way: {track: {places: 4}}}").declarations.tables["way"])
    sizes = [plan.describe_size(language) for language in ("en", "de", "fr")]
    assert sizes == ["4 steps", "4 Schritte", "4 steps"]


@pytest.mark.parametrize("tag", [tag for tag in load_languages() if tag != "en"])
def test_every_shape_has_its_nouns_in_every_language(tag: str) -> None:
    for shape in load_shapes().values():
        lacking = {shape.noun, shape.singular} - shape.translations.get(tag, {}).keys()
        assert not lacking, f"`translations` of {find_shape_file(shape)} lacks these nouns for `{tag}`"
