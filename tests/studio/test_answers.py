"""What an editor is told of a place: over the wire, as an editor asks, in a small game and rules laid over it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.language.statement import load_statements
from rulewright.lsp.features.hover import describe_at
from rulewright.lsp.features.workspace import Workspace
from tests.studio.client import at
from tests.studio.garden import BASE, MINE, OVER, RULES, Garden, actions, apply_edits


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    made = Garden(tmp_path_factory.mktemp("garden"))
    with made.editor:
        yield made


@pytest.fixture
def typing(garden: Garden) -> Iterator[Garden]:
    """Yield the garden, whose texts are put right again afterwards."""
    yield garden
    garden.editor.type(garden.base, RULES)
    garden.editor.type(garden.mine, MINE)
    garden.editor.checked()


def test_the_garden_is_sound(garden: Garden) -> None:
    diagnostics = [
        each for diagnostics in garden.editor.shown.values() for each in diagnostics if each["severity"] == 1
    ]
    assert diagnostics == []


def test_hover_says_what_it_is_what_it_comes_to_and_where_that_is_from(garden: Garden) -> None:
    assert "What a Plant costs." in garden.hover("price", into=2)
    assert "is **3**" in garden.hover("price", into=2)
    assert "`garden/base@1.0.0` defines it (rules.yaml:8)" in garden.hover("price", into=2)
    assert "It grows, and pays in Seeds." in garden.hover("{plant} costs {numbers", into=2)
    place = at(garden.mine, MINE, "price", into=2)
    above = garden.editor.ask("textDocument/hover", place)["contents"]["value"]
    assert "`garden/base@1.0.0` defines `3`" in above
    assert "`garden/mine@1.0.0` changes `5`" in above


def test_hover_says_what_a_number_is_for(garden: Garden) -> None:
    place = at(garden.mine, MINE, "5}")
    hover_text = garden.editor.ask("textDocument/hover", place)["contents"]["value"]
    assert hover_text.startswith("**price**: number")
    assert "`garden/mine@1.0.0` changes `5` (rules.yaml:1)" in hover_text
    assert "is a number" not in hover_text


def test_hover_names_the_file_in_its_folder_and_the_line_of_the_key(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "rules.yaml").write_text(RULES, encoding="utf-8")
    file = tmp_path / "examples" / "rules.yaml"
    file.write_text("examples:\n  second:\n    title: Second\n    of: planting\n    expect: {count(plants): 1}\n")
    workspace = Workspace([tmp_path])
    assert list(workspace.check_file(file))
    hover = describe_at(workspace, file, 2, 4)
    assert hover is not None
    assert "`garden/base@1.0.0` defines it (examples/rules.yaml:2)" in hover.text


def test_hover_says_which_edition_is_meant(garden: Garden) -> None:
    place = at(garden.mine.parent / "ruleset.yaml", OVER, "garden/base", into=3)
    hover_text = garden.editor.ask("textDocument/hover", place)["contents"]["value"]
    assert hover_text.splitlines()[0] == "**`garden/base@1.0.0`**: edition, “Garden”, draft"
    assert "Grow things." in hover_text
    assert hover_text.endswith(f"in {garden.base.parent}")


def test_hover_says_the_sentence_of_a_step_and_how_words_read(garden: Garden) -> None:
    assert "pay 3 seeds" in garden.hover("paid, pay").lower()
    assert "> 🌱 A Plant costs 3 Seeds." in garden.hover("🌱 A {plant}", into=3)
    assert f"`roll:` {load_statements()['roll'].summary}" in garden.hover("roll: weather", into=1)


def test_hover_says_exact_odds(garden: Garden) -> None:
    luck = garden.hover("luck", into=1)
    assert "3 to 13, on average 8" in luck
    assert "16.7 %" in luck
    weather = garden.hover("weather:", into=1)
    assert "66.7 %" in weather
    assert "33.3 %" in weather


def test_definitions_and_references_go_through_expressions_words_and_layers(garden: Garden) -> None:
    where = garden.ask("definition", "* price", into=3)
    assert [each["uri"] for each in where] == [garden.base.as_uri(), garden.mine.as_uri()]
    assert where[0]["range"]["start"] == {"line": 7, "character": 2}
    assert garden.ask("definition", "who: who, seeds", into=6)[0]["range"]["start"]["line"] == RULES[
        : RULES.index("given: {who: player}")
    ].count("\n")
    uses = garden.ask("references", "price", into=1, context={"includeDeclaration": True})
    assert len([each for each in uses if each["uri"] == garden.base.as_uri()]) == 6
    assert len([each for each in uses if each["uri"] == garden.mine.as_uri()]) == 1
    less = garden.ask("references", "price", into=1, context={"includeDeclaration": False})
    assert len(uses) - len(less) == 2
    own = [each["range"] for each in uses if each["uri"] == garden.base.as_uri()]
    last = max(own, key=lambda each: each["start"]["line"])
    line = RULES.split("\n")[last["start"]["line"]].encode("utf-16-le")
    named = line[2 * last["start"]["character"] : 2 * last["end"]["character"]].decode("utf-16-le")
    assert named == "price", "an emoji before it counts two"
    assert garden.ask("documentHighlight", "price", into=1)
    extends = garden.editor.ask("textDocument/definition", at(garden.mine.parent / "ruleset.yaml", OVER, "garden/base"))
    assert extends[0]["uri"] == (garden.base.parent / "ruleset.yaml").as_uri()


def test_what_a_file_holds(garden: Garden) -> None:
    document = {"textDocument": {"uri": garden.base.as_uri()}}
    by_name = {each["name"]: each for each in garden.editor.ask("textDocument/documentSymbol", document)}
    procedures = {each["name"]: each for each in by_name["procedures"]["children"]}
    assert [each["name"] for each in procedures["planting"]["children"]] == ["paid", "grown"]
    assert procedures["planting"]["detail"] == "Planting a Plant"
    folds = garden.editor.ask("textDocument/foldingRange", document)
    assert {"startLine": 0, "endLine": 1, "kind": "comment"} in folds
    terms = RULES[: RULES.index("terms:")].count("\n")
    assert {"startLine": terms, "endLine": terms + 2} in folds
    named = garden.editor.ask("workspace/symbol", {"query": "plnt"})
    assert {"planting", "plant"} <= {each["name"] for each in named}


@pytest.mark.parametrize(
    ("query", "name", "shown"),
    [
        ("plant costs", "price", "numbers"),  # by its meaning
        ("planting a plant", "planting", "procedures: Planting a Plant"),  # by its title, as it is read
        ("pl ting", "planting", "procedures: Planting a Plant"),
        ("everything paid", "seed", "terms: Seed"),
        ("rain", "rain", "tables.weather.rows"),
    ],
)
def test_an_entry_is_found_by_its_title_and_its_texts(garden: Garden, query: str, name: str, shown: str) -> None:
    first, *_ = garden.editor.ask("workspace/symbol", {"query": query})
    assert (first["name"], first["containerName"]) == (name, shown)


def test_colours_and_hints(garden: Garden) -> None:
    document = {"textDocument": {"uri": garden.base.as_uri()}}
    data = garden.editor.ask("textDocument/semanticTokens/full", document)["data"]
    legend = garden.editor.server["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    line = start = 0
    words: dict[str, set[str]] = {}
    for place in range(0, len(data), 5):
        down, right, length, sort, _ = data[place : place + 5]
        line, start = line + down, right if down else start + right
        text = RULES.split("\n")[line].encode("utf-16-le")[2 * start : 2 * (start + length)].decode("utf-16-le")
        words.setdefault(text, set()).add(legend[sort])
    assert words["price"] == {"variable"}
    assert words["worth"] == {"function"}
    assert words["weather"] == {"enum"}
    assert words["small"] == {"enumMember"}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    hints = garden.editor.ask("textDocument/inlayHint", {**document, "range": everything})
    assert {"⌀ 8", "66.67 %", "33.33 %"} <= {each["label"] for each in hints}


def test_keys_ids_and_verbs_are_offered_with_what_they_mean(typing: Garden) -> None:
    assert typing.offered(typing.mine, "num|")["numbers"]["documentation"]["value"]
    inherited = typing.offered(typing.mine, "numbers:\n  pr|")["price"]
    assert inherited["detail"] == "from garden/base@1.0.0"
    assert "costs" in inherited["documentation"]["value"]
    assert inherited["textEdit"] == {
        "newText": "price: ",
        "range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 4}},
    }
    step = typing.offered(typing.mine, "procedures:\n  planting:\n    steps:\n      - {id: x, |")
    assert {"when", "pay", "after", "do"} <= step.keys()
    assert "id" not in step
    assert {"paid", "grown"} <= typing.offered(
        typing.mine, "procedures:\n  planting:\n    steps:\n      - {id: x, after: |"
    ).keys()
    assert {"small", "large"} <= typing.offered(typing.mine, "tables:\n  beds:\n    rows:\n      |").keys()
    assert "size" in typing.offered(typing.mine, "tables:\n  beds:\n    rows:\n      small: {|")


def test_names_in_expressions_are_offered_by_type(typing: Garden) -> None:
    of_a_player = typing.offered(typing.base, RULES.replace("who.seeds + count", "who.| + count"))
    assert of_a_player.keys() == {"seeds"}
    assert of_a_player["seeds"]["detail"] == "a number"
    fresh = "procedures:\n  planting:\n    steps:\n      - {id: x, after: paid, when: |"
    names = typing.offered(typing.mine, fresh)
    assert {"who", "price", "plants", "worth", "count", "player"} <= names.keys()
    inside = typing.offered(typing.mine, "formulas:\n  all: {is: sum(p.| for p in plants)}")
    assert inside.keys() == {"owner", "bed"}
    fresh = "measures:\n  plants: {is: count(plants)}\n  won: {is: |"
    assert {"winners", "first_player", "rank"} <= typing.offered(typing.mine, fresh).keys()
    moments = typing.offered(typing.mine, fresh.replace("is: |", "is: 1, per: |"))
    assert "plants" in moments
    assert not {"winners", "first_player", "rank"} & moments.keys()
    given = typing.offered(typing.mine, "procedures:\n  game:\n    steps:\n      - {id: x, do: planting, with: {|")
    assert min(given.values(), key=lambda each: each["sortText"])["label"] == "who"
    assert "planting" in typing.offered(typing.mine, "procedures:\n  game:\n    steps:\n      - {id: x, do: pl|")
    assert {"plant", "beds", "count", "optional"} <= typing.offered(
        typing.mine, "kinds:\n  plant:\n    fields:\n      age: |"
    ).keys()


WALK = """
  walk:
    title: A walk
    given: {who: player}
    gives: {last: later}
    steps:
      - {id: before, let: 1}
      - id: every
        for_each: one
        in: players
        steps:
          - {id: inner, let: 2}
          - {id: won, gain: {who: one, seeds: inner + 0}}
      - {id: later, let: before + 3}
"""


@pytest.mark.parametrize(
    ("written", "mark", "names"),
    [
        ("let: before + 3", "let: |", {"before"}),
        ("in: players", "in: |", {"before"}),
        ("inner + 0", "|", {"before", "one", "inner"}),
        ("let: 2", "let: |", {"before", "one"}),
        ("      - {id: later", "      - {id: new, let: |}\n      - {id: later", {"before"}),
        ("      - {id: later", "          - {id: new, let: |}\n      - {id: later", {"before", "one", "inner"}),
        ("gives: {last: later}", "gives: {last: |}", {"before", "later"}),
    ],
)
def test_only_names_that_a_step_can_use_are_offered(typing: Garden, written: str, mark: str, names: set[str]) -> None:
    rules = RULES.replace("procedures:\n", f"procedures:{WALK}", 1)
    typing.editor.type(typing.base, rules)
    typing.editor.checked()
    offered = typing.offered(typing.base, rules.replace(written, mark, 1))
    assert "who" in offered
    assert {name for name in ("before", "one", "inner", "later") if name in offered} == names
    typing.editor.type(typing.base, RULES)


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("steps:\n          - {id: inner", "`steps:` The steps to run for each element."),
        (
            "for_each",
            "`for_each:` Runs steps for each element of a list, in order; the loop names the element. The name",
        ),
        ("steps: []", "`steps:` Groups steps, usually under one `when`. The steps."),
    ],
)
def test_a_key_of_a_statement_is_not_described_as_another_statement(typing: Garden, mark: str, message: str) -> None:
    walk = WALK.replace("      - {id: later", "      - {id: group, steps: []}\n      - {id: later")
    rules = RULES.replace("procedures:\n", f"procedures:{walk}", 1)
    typing.editor.type(typing.base, rules)
    assert typing.editor.ask("textDocument/hover", at(typing.base, rules, mark))["contents"]["value"].startswith(
        message
    )
    typing.editor.type(typing.base, RULES)


def test_what_can_be_gained_is_offered_and_found_by_the_words_of_the_game(typing: Garden) -> None:
    typing.editor.type(typing.base, RULES.replace("seeds: {type: count,", "seeds: {type: count, wording: grains,"))
    assert typing.editor.checked() == 0
    step = "procedures:\n  planting:\n    steps:\n      - {id: x, after: paid, gain: {who: who, |"
    offered = typing.offered(typing.mine, step)
    assert offered.keys() == {"seeds"}
    assert offered["seeds"]["filterText"].casefold() == "seeds grains"
    assert offered["seeds"]["detail"].casefold() == "“grains”, a number, of player"
    # Of an object that is no known name, the kind is not known.
    assert offered.keys() == typing.offered(typing.mine, step.replace("who: who", "who: nobody")).keys()
    typing.editor.type(typing.base, RULES)


def test_an_example_is_offered_what_its_procedure_is_given_and_what_comes_of_it(typing: Garden) -> None:
    example = "examples:\n  more:\n    title: More\n    of: {of}\n    {key}: {|"
    given = typing.offered(typing.mine, example.replace("{of}", "planting").replace("{key}", "given"))
    assert {"who", "players", "plants", "player"} <= given.keys()
    assert given["who"]["detail"] == "a player"
    assert min(given.values(), key=lambda each: each["sortText"])["label"] == "who"
    expected = typing.offered(typing.mine, example.replace("{of}", "game").replace("{key}", "expect"))
    assert {"sky", "fortune", "player"} <= expected.keys()
    assert "plants" not in expected
    written = "examples:\n  more:\n    of: planting\n    given:\n      who: 1\n      |"
    assert "who" not in typing.offered(typing.mine, written), "that is given already"


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("roll: |", {"luck", "weather"}),
        ("when: sky == |", {"sun", "rain"}),
        ("when: player.seeds >= |", {"price", "worth"}),
        ("when: worth(|", {"player"}),
        ("do: planting, with: {who: |", {"player"}),
        ("when: not |", {"is_late"}),
    ],
)
def test_what_fits_where_it_is_typed_is_offered_first(typing: Garden, written: str, first: set[str]) -> None:
    late = "  is_late: {is: 3 > 2, means: Whether it is late.}\n  worth:\n"
    typing.editor.type(typing.base, RULES.replace("  worth:\n", late, 1))
    typing.editor.checked()
    step = f"procedures:\n  game:\n    steps:\n      - {{after: sky, id: x, {written}"
    names = typing.offered(typing.mine, step)
    best = sorted(names.values(), key=lambda each: each["sortText"])[: len(first)]
    assert {each["label"] for each in best} == first


def test_what_names_mean_reads_as_readers_have_it(typing: Garden) -> None:
    names = typing.offered(typing.mine, "procedures:\n  game:\n    steps:\n      - {id: x, when: |")
    assert names["price"]["documentation"]["value"] == "What a Plant costs."
    words = typing.offered(typing.mine, 'terms:\n  bee: {means: "A {|"}')
    assert words["plant"]["documentation"]["value"] == "It grows, and pays in Seeds."
    typing.editor.type(typing.base, RULES.replace("means: What somebody has.", 'means: "What {plant.plural} come to."'))
    typing.editor.type(typing.mine, MINE)
    typing.editor.checked()
    written = "formulas:\n  twice:\n    is: worth("
    typing.editor.type(typing.mine, written)
    response = typing.editor.ask("textDocument/signatureHelp", at(typing.mine, written + "|", "|"))
    assert response["signatures"][0]["documentation"]["value"] == "What Plants come to."


def test_terms_and_editions_are_offered(typing: Garden) -> None:
    words = typing.offered(typing.mine, 'terms:\n  bee: {means: "A {|"}')
    assert {"plant", "seed", "numbers."} <= words.keys()
    assert words["plant"]["detail"] == "Plant"
    assert typing.offered(typing.mine, 'terms:\n  bee: {means: "A | bee"}') == {}
    assert {"plural", "icon"} == typing.offered(typing.mine, 'terms:\n  bee: {means: "A {plant.|"}').keys()
    manifest = typing.mine.parent / "ruleset.yaml"
    typing.editor.open(manifest)
    editions = typing.offered(manifest, OVER.replace("garden/base@1", "gar|"))
    assert editions["garden/base@1"]["detail"] == "Garden"
    typing.editor.close(manifest)


def test_an_edition_is_not_said_to_be_meant_by_what_it_is_to_lie_over(typing: Garden) -> None:
    manifest = typing.mine.parent / "ruleset.yaml"
    typing.editor.open(manifest, OVER.replace("garden/base", "garden/nowhere"))
    typing.editor.checked()
    (diagnostic,) = [each for each in typing.editor.shown[manifest.as_uri()] if each["severity"] == 1]
    assert diagnostic["message"].endswith("did you mean `garden/base`?")
    typing.editor.close(manifest)
    typing.editor.checked()


def test_what_another_language_has_to_say_is_offered(typing: Garden) -> None:
    path = typing.base.parent / "words" / "de.yaml"
    typing.editor.open(path, "")
    assert {"terms", "tables", "pages", "edition", "complete"} <= typing.offered(path, "|").keys()
    assert typing.offered(path, "terms:\n  |").keys() == {"plant", "seed"}
    words = typing.offered(path, "terms:\n  seed: {name: Samen, |}")
    assert words.keys() >= {"plural", "means"}
    assert words["means"]["detail"] == "What everything is paid with."
    assert "name" not in words, "that is said already"
    assert {"sun", "rain"} == typing.offered(path, "tables:\n  weather:\n    rows: {|").keys()
    assert "seed" in typing.offered(path, 'terms:\n  plant:\n    means: "Sie {|"')
    typing.editor.close(path)
    typing.editor.checked()


def test_what_a_deck_has_is_offered_and_renamed_with_it(typing: Garden) -> None:
    deck = (
        "decks: {pack: {title: The pack, of: beds, ordered: true}}\n"
        "procedures: {game: {steps: [{id: left, after: sky, let: pack.|}]}}"
    )
    text = deck.replace("|", "cards")
    typing.editor.type(typing.mine, text)
    typing.editor.checked()
    place = at(typing.mine, text, "pack: {")
    edit = typing.editor.ask("textDocument/rename", {**place, "newName": "heap"})["changes"][typing.mine.as_uri()]
    assert [each["range"]["start"]["line"] for each in edit] == [0, 1]
    example = "\nexamples: {mine: {title: Mine, of: game, given: {pack: []}, until: left}}"
    typing.editor.type(typing.mine, text + example)
    typing.editor.checked()
    place = at(typing.mine, text + example, "pack: {")
    edit = typing.editor.ask("textDocument/rename", {**place, "newName": "heap"})["changes"][typing.mine.as_uri()]
    assert [each["range"]["start"]["line"] for each in edit] == [0, 1, 2]
    assert "pack" in typing.offered(typing.mine, text + example.replace("pack: []", "|"))
    offered = typing.offered(typing.mine, deck)
    assert offered.keys() == {"left", "cards"}
    assert offered["cards"]["detail"] == "a list (a row of beds)"
    steps = typing.offered(typing.mine, "procedures: {game: {steps: [{id: faces, roll: 1d6, |}]}}")
    assert steps.keys() >= {"count", "in_order", "by"}


def test_a_deck_of_each_player_is_offered_after_the_player_and_renamed_with_it(typing: Garden) -> None:
    deck = (
        "decks: {pack: {title: The pack, of: beds, each: player, ordered: true}}\n"
        "procedures:\n  game:\n    steps:\n"
        "      - {id: left, after: sky, for_each: one, in: players, steps: [{id: card, draw: one.pack},\n"
        "          {id: back, put: {cards: card, onto: one.pack}},\n"
        "          {id: all, let: one.|}]}"
    )
    text = deck.replace("|", "pack.cards")
    typing.editor.type(typing.mine, text)
    typing.editor.checked()
    place = at(typing.mine, text, "pack: {")
    edit = typing.editor.ask("textDocument/rename", {**place, "newName": "heap"})["changes"][typing.mine.as_uri()]
    assert [each["range"]["start"]["line"] for each in edit] == [0, 4, 5, 6]
    hover = typing.editor.ask("textDocument/hover", at(typing.mine, text, "pack}}"))
    assert "The pack" in hover["contents"]["value"]
    assert typing.offered(typing.mine, deck)["pack"]["detail"] == "a deck"
    assert typing.offered(typing.mine, deck.replace("|", "pack.|")).keys() == {"left", "cards"}
    text = text.replace("each: player,", "each: player, discard: used,")
    text += "\nkinds: {player: {fields: {used: {type: list of beds, means: What was used.}}}}"
    typing.editor.type(typing.mine, text)
    typing.editor.checked()
    place = at(typing.mine, text, "used: {")
    edit = typing.editor.ask("textDocument/rename", {**place, "newName": "heap"})["changes"][typing.mine.as_uri()]
    assert [each["range"]["start"]["line"] for each in edit] == [0, 7]
    assert "player.pack" in typing.offered(typing.mine, deck.replace("draw: one.pack", "draw: |").replace("one.|", "1"))


def test_a_comment_is_left_alone(typing: Garden) -> None:
    assert typing.offered(typing.mine, "numbers: {}  # pr|") == {}


@pytest.mark.parametrize(
    ("text", "label", "active"),
    [("worth(|", "worth(who: a player)", 0), ("max(1, |", "max(", 1), ("sum([1, 2]) + nothing(|", None, 0)],
)
def test_signatures(typing: Garden, text: str, label: str | None, active: int) -> None:
    written = f"formulas:\n  twice:\n    is: {text}"
    typing.editor.type(typing.mine, written.replace("|", ""))
    response = typing.editor.ask("textDocument/signatureHelp", at(typing.mine, written, "|"))
    if label is None:
        assert response is None
    else:
        assert response["signatures"][0]["label"].startswith(label)
        assert response["activeParameter"] == active


def test_what_a_diagnostic_proposes_can_be_done(typing: Garden) -> None:
    wrong = RULES.replace("+ count(plants)", "+ count(plnts)")
    typing.editor.type(typing.base, wrong)
    assert typing.editor.checked() > 0
    fix = next(each for each in actions(typing, typing.base, wrong, "plnts") if "plants" in each["title"])
    assert fix["diagnostics"][0]["code"] == "unknown-name"
    assert apply_edits(wrong, fix["edit"]["changes"][typing.base.as_uri()]) == RULES


def test_a_text_is_signed_and_an_inherited_value_changed_in_rules_above(typing: Garden) -> None:
    sign = next(each for each in actions(typing, typing.base, RULES, "🌱 A {plant}") if "as reviewed" in each["title"])
    signed = apply_edits(RULES, sign["edit"]["changes"][typing.base.as_uri()])
    assert "reviewed: " in signed
    typing.editor.type(typing.base, signed)
    typing.editor.checked()
    now = [each["title"] for each in actions(typing, typing.base, signed, "🌱 A {plant}")]
    assert not any("garden/base" in each for each in now if "as reviewed" in each)
    typing.editor.type(typing.base, RULES)
    typing.editor.checked()
    code_actions = actions(typing, typing.base, RULES, "What is in hand")
    above = next(each for each in code_actions if "garden/mine" in each["title"])
    changed = apply_edits(MINE, above["edit"]["changes"][typing.mine.as_uri()])
    assert changed == MINE + "\nkinds:\n  player:\n    fields:\n      seeds:\n        means: What is in hand.\n"


def test_a_name_is_changed_in_layers_words_and_examples(typing: Garden) -> None:
    edit = typing.ask("rename", "price", into=1, newName="cost")["changes"]
    base, mine = apply_edits(RULES, edit[typing.base.as_uri()]), apply_edits(MINE, edit[typing.mine.as_uri()])
    assert base == RULES.replace("price", "cost")
    assert mine == MINE.replace("price", "cost")
    typing.editor.type(typing.base, base)
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 0


@pytest.mark.parametrize(
    ("mark", "new"),
    [("seeds: {type", "kernels"), ("grown, create", "sown"), ("plant:\n", "herb"), ("plant: {name", "herb")],
)
def test_a_name_that_examples_use_is_changed_there_too(typing: Garden, mark: str, new: str) -> None:
    edit = typing.ask("rename", mark, into=1, newName=new)["changes"]
    typing.editor.type(typing.base, apply_edits(RULES, edit[typing.base.as_uri()]))
    typing.editor.type(typing.mine, apply_edits(MINE, edit.get(typing.mine.as_uri(), [])))
    assert typing.editor.checked() == 0
    assert new in apply_edits(RULES, edit[typing.base.as_uri()])


def test_what_only_looks_like_the_name_keeps_its_own(typing: Garden) -> None:
    """An example names a field that gets another name, and a choice of the same name, which does not."""
    options = "options:\n  mood: {title: Mood, choices: {seeds: Seeds, bare: Bare}, default: bare}\n\nformulas:"
    written = RULES.replace("formulas:", options, 1).replace(
        "    of: planting\n", "    of: planting\n    options: {mood: seeds}\n"
    )
    typing.editor.type(typing.base, written)
    typing.editor.checked()
    place = at(typing.base, written, "seeds: {type", into=1)
    edit = typing.editor.ask("textDocument/rename", {**place, "newName": "kernels"})["changes"]
    renamed = apply_edits(written, edit[typing.base.as_uri()])
    assert "options: {mood: seeds}" in renamed
    assert "players: [{kernels: 4}]" in renamed


def test_a_term_is_called_by_its_new_name_in_other_languages(typing: Garden) -> None:
    text = (
        "terms:\n  plant: {name: Pflanze, plural: Pflanzen, means: 'Sie bringt {seed.plural}.'}\n"
        "  seed: {name: Samen, plural: Samen, means: Damit wird alles bezahlt.}\n"
    )
    path = typing.base.parent / "words" / "de.yaml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    typing.editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 1}]})
    typing.editor.checked()
    edit = typing.ask("rename", "seed: {name", into=1, newName="kernel")["changes"]
    assert apply_edits(text, edit[path.as_uri()]) == text.replace("seed", "kernel")
    path.unlink()
    path.parent.rmdir()
    typing.editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 3}]})
    typing.editor.checked()


def test_what_a_procedure_is_given_has_another_name_than_the_word_of_a_verb_that_is_written_alike(
    typing: Garden,
) -> None:
    edit = typing.ask("rename", "given: {who: player}", into=8, newName="sower")["changes"]
    renamed = apply_edits(RULES, edit[typing.base.as_uri()])
    assert "pay: {who: sower, seeds: price}, when: sower.seeds >= price" in renamed
    assert "do: planting, with: {sower: player}" in renamed
    typing.editor.type(typing.base, renamed)
    typing.editor.type(typing.mine, apply_edits(MINE, edit[typing.mine.as_uri()]))
    assert typing.editor.checked() == 0


def test_a_loop_that_a_step_ends_is_offered_found_and_renamed(typing: Garden) -> None:
    loop = "      - {id: rounds, repeat: {at_most: 3, steps: [{id: early, stop: rounds, when: price > 9}]}}\n"
    written = RULES.replace("      - {id: sky", f"{loop}      - {{id: sky", 1)
    typing.editor.type(typing.base, written)
    assert typing.editor.checked() == 0
    stop = at(typing.base, written, "stop: rounds", into=7)
    (there,) = typing.editor.ask("textDocument/definition", stop)
    assert there["range"]["start"] == at(typing.base, written, "{id: rounds", into=5)["position"]
    edit = typing.editor.ask("textDocument/rename", {**stop, "newName": "laps"})["changes"]
    assert apply_edits(written, edit[typing.base.as_uri()]) == written.replace("rounds", "laps")
    offered = typing.offered(typing.base, written.replace("stop: rounds", "stop: |"))
    assert {"true", "rounds"} <= offered.keys()
    assert "early" not in offered


@pytest.mark.parametrize(
    ("mark", "new", "message"),
    [
        ("price", "luck", "already"),
        ("price", "Not A Name", "not a valid name"),
        ("is: 3", "cost", "there is no name to rename here"),
    ],
)
def test_what_cannot_be_renamed_is_refused(garden: Garden, mark: str, new: str, message: str) -> None:
    answer = garden.editor.answer("textDocument/rename", {**at(garden.base, RULES, mark, into=1), "newName": new})
    assert message in answer["error"]["message"]


def test_what_can_be_renamed_is_known_before(garden: Garden) -> None:
    assert garden.ask("prepareRename", "price", into=1)["placeholder"] == "price"
    refused = garden.editor.answer("textDocument/prepareRename", at(garden.base, RULES, "title: All"))
    assert "error" in refused


@pytest.mark.parametrize(
    ("old", "new", "method", "mark", "messages"),
    [
        ("tables:", "tables: [", "rename", "price:", ["fix the errors first", "`rules.yaml`, line 13"]),
        (
            "seeds: price}",
            "seeds: prize}",
            "prepareRename",
            "prize",
            ["an error hides it", "`prize` (`rules.yaml`, line 46"],
        ),
        (
            "seeds: price}",
            "seeds: prize}",
            "prepareRename",
            "size: 4",
            ["an error hides it", "`prize` (`rules.yaml`, line 46"],
        ),
    ],
)
def test_a_refused_name_is_explained_by_the_error_that_hides_it(
    typing: Garden, old: str, new: str, method: str, mark: str, messages: list[str]
) -> None:
    rules = RULES.replace(old, new)
    typing.editor.type(typing.base, rules)
    assert typing.editor.checked() > 0
    place = at(typing.base, rules, mark, into=6 if mark == "size: 4" else 1)
    answer = typing.editor.answer(f"textDocument/{method}", {**place, "newName": "cost"})
    assert all(each in answer["error"]["message"] for each in messages), answer["error"]["message"]


def test_scripts_and_tables_say_what_is_for_what(typing: Garden) -> None:
    played = "  second:\n    title: 🌱 second\n    of: game\n    dice: [5]\n    until: sky\n\npages:"
    typing.editor.type(typing.base, RULES.replace("\npages:", played).replace("rain: 5-6", "rain: 5"))
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    asked = {"textDocument": {"uri": typing.base.as_uri()}, "range": everything}
    assert typing.editor.checked() > 0
    assert "6 missing" in {each["label"] for each in typing.editor.ask("textDocument/inlayHint", asked)}
    written = RULES.replace("\npages:", played)
    typing.editor.type(typing.base, written)
    assert typing.editor.checked() == 0
    hints = typing.editor.ask("textDocument/inlayHint", asked)
    assert "all of 1 to 6" in {each["label"] for each in hints}
    place = at(typing.base, written, "[5]", into=2)["position"]
    assert [each["label"] for each in hints if each["position"] == place] == ["sky"]


def test_answers_outlive_a_file_that_cannot_be_read(typing: Garden) -> None:
    broken = RULES + "\nextra: [\n"
    typing.editor.type(typing.base, broken)
    typing.editor.checked()
    assert "What a Plant costs." in typing.hover("price", into=2)
    assert typing.ask("definition", "* price", into=3)
    moved = "# one more line\n" + broken
    typing.editor.type(typing.base, moved)
    typing.editor.checked()
    where = typing.editor.ask("textDocument/definition", at(typing.base, moved, "* price", into=3))
    assert where[0]["range"]["start"] == {"line": 8, "character": 2}


def test_windows_line_ends_are_the_same_text(typing: Garden) -> None:
    typing.editor.type(typing.base, RULES.replace("\n", "\r\n"))
    assert typing.editor.checked() == 0
    assert "What a Plant costs." in typing.hover("price", into=2)
