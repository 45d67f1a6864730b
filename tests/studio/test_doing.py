"""What an editor is offered to do, and that the rules are sound once it is done; what stands above lines, and shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.client import at
from tests.studio.garden import MINE, OVER, RULES, Garden, actions, apply_edits

CAN = {"window": {"showDocument": {"support": True}}}


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Garden]:
    opened = Garden(tmp_path_factory.mktemp("garden"), capabilities=CAN)
    with opened.editor:
        yield opened


@pytest.fixture
def typing(garden: Garden) -> Iterator[Garden]:
    """Yield the garden, whose texts are put right again afterwards."""
    yield garden
    garden.editor.replies.clear()
    garden.editor.type(garden.base, RULES)
    garden.editor.type(garden.mine, MINE)
    garden.editor.checked()


def done(garden: Garden, path: Path, text: str, edits: list[dict[str, Any]]) -> str:
    """Return the text after an edit, which is typed and checked."""
    after = apply_edits(text, edits)
    garden.editor.type(path, after)
    assert garden.editor.checked() == 0, [each for diagnostics in garden.editor.shown.values() for each in diagnostics]
    return after


# -- changes that are offered ------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "into", "name", "written"),
    [("seeds > 7", 8, "planting_sung", "when: who.seeds > planting_sung"), ("{price: 5}", 8, "", "")],
)
def test_a_number_of_a_rule_is_named(typing: Garden, mark: str, into: int, name: str, written: str) -> None:
    code_actions = actions(typing, typing.mine, MINE, mark, into=into)
    offered = [each for each in code_actions if each["title"].startswith("Name this number")]
    assert len(offered) == bool(name), "a number that has a name is given no other"
    if offered:
        after = done(typing, typing.mine, MINE, offered[0]["edit"]["changes"][typing.mine.as_uri()])
        named = re.search(rf"{re.escape(written)}(\w*)", after)
        assert named is not None
        assert f"{name}{named[1]}: 7" in after


@pytest.mark.parametrize(
    ("means", "mark", "titles", "text", "declared"),
    [
        (
            "At 7 or more",
            "7",
            ["Name this number, and write `{numbers.rich_number}`"],
            '"At {numbers.NAME} or more"',
            ": 7",
        ),
        ('"Twelve, or more"', "Twelve", ["Name this number"], '"{numbers.NAME:Words}, or more"', ": 12"),
        ("At 2d6 or more", "2d6", ["Name this number"], '"At {numbers.NAME} or more"', ": 2d6"),
        ("At 9% or more", "9%", [], "", ""),
        ("At five or more", "five", ["Write `{numbers.price:words}`, which has the same value", "Name this"], "", ""),
    ],
)
def test_a_number_in_a_text_becomes_a_placeholder(
    typing: Garden, means: str, mark: str, titles: list[str], text: str, declared: str
) -> None:
    mine = f"numbers: {{price: 5}}\nformulas:\n  rich: {{given: {{who: player}}, is: who.seeds >= 7, means: {means}}}\n"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == (mark != "Twelve"), "a word that no number has is only a warning"
    code_actions = actions(typing, typing.mine, mine, means, into=means.index(mark) + 1)
    *offered, kept = (each for each in code_actions if each.get("diagnostics"))
    assert kept["title"].startswith("Write `{'"), "a number can always stay as it is"
    # A new constant that no rule would use is not what is meant first.
    likely = [each["title"] for each in (*offered, kept) if each.get("isPreferred")]
    bound = [each["title"] for each in offered if "and write" in each["title"] and " in `" in each["title"]]
    assert likely == (bound or ([kept["title"]] if len(offered) < 2 else []))
    assert [each["title"][: len(title)] for each, title in zip(offered, titles, strict=True)] == titles
    for each in offered:
        typing.editor.type(typing.mine, mine)
        typing.editor.checked()
        after = done(typing, typing.mine, mine, each["edit"]["changes"][typing.mine.as_uri()])
        name = re.search(r"numbers\.(\w+)", after)
        assert name is not None
        assert text.replace("NAME", name[1]) in after
        assert not text or f"{name[1]}{declared}" in after
        # The number of the rule gets the name, too.
        assert ("who.seeds >= 7" in after) == (mark != "7")


def test_a_name_that_nothing_declares_is_declared(typing: Garden) -> None:
    mine = MINE.replace("who.seeds > 7", "who.seeds > zeal + 7")
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 1
    number, changing = (
        each for each in actions(typing, typing.mine, mine, "> zeal", into=3) if each.get("diagnostics")
    )
    assert (number["title"], number["data"]) == ("Declare the number `zeal`…", {"value": "1"})
    assert changing["title"] == "Declare `zeal` as a value of the game that steps can change"
    for each, declared in ((number, "zeal: 1"), (changing, "zeal: {type: count}")):
        typing.editor.type(typing.mine, mine)
        typing.editor.checked()
        assert declared in done(typing, typing.mine, mine, each["edit"]["changes"][typing.mine.as_uri()])
    # A name that is close to another one has its correction instead.
    close = MINE.replace("> 7", "> prise")
    typing.editor.type(typing.mine, close)
    assert typing.editor.checked() == 1
    code_actions = actions(typing, typing.mine, close, "> prise", into=3)
    assert not [each for each in code_actions if each["title"].startswith("Declare")]


EXPLAINED = """\
numbers: {lot: 7, toll: {is: 7, means: What a gate costs.}, ways: 9}
procedures:
  planting:
    steps:
      - {after: paid, id: sung, stop: true, when: who.seeds > toll}
      - {after: sung, id: danced, stop: true, when: who.seeds > 12}
pages: {all: {sections: {buy: {text: "Sing above 7, dance above 12, rest at 9."}}}}
"""


def test_a_number_in_a_section_is_bound_where_its_rules_have_it(typing: Garden) -> None:
    typing.editor.type(typing.mine, EXPLAINED)
    assert typing.editor.checked() == 3

    def offer(mark: str) -> list[dict[str, Any]]:
        code_actions = actions(typing, typing.mine, EXPLAINED, mark, into=len(mark) - 1)
        return sorted(
            (each for each in code_actions if each.get("diagnostics")), key=lambda each: not each.get("isPreferred")
        )

    assert [each["title"] for each in offer("above 7")][:2] == [
        "Write `{numbers.toll}`, which the rules of this text use",
        "Write `{numbers.lot}`, which has the same value",
    ]
    assert offer("at 9")[0]["title"] == "Write `{numbers.ways}`, which has the same value"
    first = offer("above 12")[0]
    name = "planting_danced"
    assert first["title"] == f"Name this number, and write `{{numbers.{name}}}`, and `{name}` in `procedures.planting`"
    after = apply_edits(EXPLAINED, first["edit"]["changes"][typing.mine.as_uri()])
    assert f"when: who.seeds > {name}}}" in after
    assert f"dance above {{numbers.{name}}}, rest" in after
    assert f"{name}: 12" in after


@pytest.mark.parametrize(
    ("means", "written"),
    [
        ("Whoever rolls 2 dice", "\"Whoever rolls {'2'} dice\""),
        ("'Whoever rolls 2 dice'", "'Whoever rolls {''2''} dice'"),
        ("|\n        Whoever rolls 2 dice", "|\n        Whoever rolls {'2'} dice"),
    ],
)
def test_a_number_that_no_rule_has_stays_in_a_text_although_the_rules_have_errors(
    typing: Garden, means: str, written: str
) -> None:
    manifest = typing.mine.with_name("ruleset.yaml")
    typing.editor.open(manifest)
    typing.editor.type(manifest, f"{OVER}evaluate: standing\n")
    rich = f"formulas:\n  rich:\n    given: {{who: player}}\n    is: who.seeds > price\n    means: {means}\n"
    mine = f"numbers: {{price: 3}}\n{rich}"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 2
    (diagnostic,) = typing.editor.shown[manifest.as_uri()]
    assert diagnostic["message"].splitlines() == [
        "`evaluate:` names the formula `standing`, which does not exist",
        "remove `evaluate:` from the manifest, or name a formula there",
    ]
    fixes = [
        each
        for each in actions(typing, manifest, f"{OVER}evaluate: standing\n", "standing")
        if each["kind"] == "quickfix"
    ]
    text = apply_edits(f"{OVER}evaluate: standing\n", fixes[0]["edit"]["changes"][manifest.as_uri()])
    assert text == OVER
    kept = [each for each in actions(typing, typing.mine, mine, "2 dice", into=1) if each["kind"] == "quickfix"]
    assert [each["title"] for each in kept] == ["Write `{'2'}`: it is not a number of the rules"]
    typing.editor.type(manifest, OVER)
    after = done(typing, typing.mine, mine, kept[0]["edit"]["changes"][typing.mine.as_uri()])
    assert written in after
    typing.editor.close(manifest)


def test_of_a_list_all_is_said_anew(garden: Garden) -> None:
    code_actions = actions(garden, garden.base, RULES, "[numbers.price", into=3)
    (offered,) = (each for each in code_actions if each["title"].startswith("Override this in"))
    # A client may ask for another value first.
    assert offered["data"] == {"value": "[numbers.price, procedures.planting]"}
    after = apply_edits(MINE, offered["edit"]["changes"][garden.mine.as_uri()])
    assert re.search(r"buy:\s*(\{)?\s*explains: \[numbers\.price, procedures\.planting\]", after)


@pytest.mark.parametrize(
    ("mark", "own", "written"),
    [
        ("when: who.seeds >= price", "", "steps:\n      - {id: paid, when: who.seeds >= price + 0}"),
        ("id: paid", "", ""),
        ("seeds: price}", "", "{id: paid, pay: {seeds: price + 0}}"),
        # What the house rules have for the procedure and for the step is continued.
        ("seeds: price}", "    steps: [{id: paid, when: true}]\n", "[{id: paid, when: true, pay: {seeds: price + 0}}]"),
        (
            "seeds: price}",
            "    steps:\n      - {after: grown, id: sung, stop: true}\n",
            "- {after: grown, id: sung, stop: true}\n      - {id: paid, pay: {seeds: price + 0}}",
        ),
        ("seeds: price}", "    steps:\n      - {id: paid, pay: {seeds: 1}}\n", ""),
        ("seeds: price}", "    steps:\n      - {delete: paid}\n", ""),
    ],
)
def test_a_part_of_a_step_is_overridden_in_a_list_of_changes(typing: Garden, mark: str, own: str, written: str) -> None:
    mine = f"numbers: {{price: 3}}\nprocedures:\n  planting:\n{own}" if own else "numbers: {price: 3}\n"
    typing.editor.type(typing.mine, mine)
    typing.editor.checked()
    code_actions = actions(typing, typing.base, RULES, mark, into=len(mark) - 2)
    offered = [each for each in code_actions if each["title"].startswith("Override this in")]
    assert len(offered) == bool(written)
    for each in offered:
        (edit,) = each["edit"]["changes"][typing.mine.as_uri()]
        value = each["data"]["value"]
        at = edit["newText"].rindex(value)
        edit["newText"] = f"{edit['newText'][:at]}{value} + 0{edit['newText'][at + len(value) :]}"
        assert written in done(typing, typing.mine, mine, [edit])


def test_a_step_is_added_beside_an_inherited_one(typing: Garden) -> None:
    step = "{after: paid, id: new_step, finish: {winners: [who]}, when: who.seeds > 99}"
    mine = f"procedures: {{planting: {{steps: [{step}]}}}}\n"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 0
    for mark, into in (("id: paid", 5), ("pay: {", 1)):
        code_actions = actions(typing, typing.base, RULES, mark, into=into)
        (offered,) = (each for each in code_actions if each["title"] == "Add a step after `paid` in garden/mine")
    after = done(typing, typing.mine, mine, offered["edit"]["changes"][typing.mine.as_uri()])
    assert "99}, {after: paid, id: new_step_2, title: New step, steps: []}]" in after
    assert offered["data"] == {"select": "steps: []"}
    (first,) = (each for each in code_actions if each["title"] == "Add a step before `paid` in garden/mine")
    assert "{before: paid, id: new_step_2," in first["edit"]["changes"][typing.mine.as_uri()][0]["newText"]
    assert not any(
        each["title"].startswith("Add a step") for each in actions(typing, typing.mine, after, "finish", into=1)
    )


@pytest.mark.parametrize("mark", ["luck:", "roll: luck"])
def test_what_a_name_means_is_overridden_wherever_it_is_named(typing: Garden, mark: str) -> None:
    code_actions = actions(typing, typing.base, RULES, mark, into=len(mark) - 2)
    (offered,) = (each for each in code_actions if each["title"] == "Override `luck` in garden/mine")
    assert offered["data"] == {"value": "2d6 +1"}
    after = done(typing, typing.mine, MINE, offered["edit"]["changes"][typing.mine.as_uri()])
    assert "is: 2d6 +1" in after
    # It is offered in the house rules themselves, but not for a name that they override, or that is their own.
    mine = MINE + "formulas:\n  rich: {given: {who: player}, is: worth(who) > price}\n  poor: {is: not rich(player)}\n"
    typing.editor.type(typing.mine, mine)
    typing.editor.checked()
    for name, count in (("worth", 1), ("price}", 0), ("rich(", 0)):
        code_actions = actions(typing, typing.mine, mine, name, into=1)
        assert len([each for each in code_actions if each["title"].startswith("Override `")]) == count


def test_a_value_that_an_action_writes_again_is_no_error(typing: Garden) -> None:
    code_actions = actions(typing, typing.base, RULES, "is: 2d6", into=4)
    (offered,) = (each for each in code_actions if each["title"].startswith("Override this in"))
    after = done(typing, typing.mine, MINE, offered["edit"]["changes"][typing.mine.as_uri()])
    assert "is: 2d6 +1" in after
    assert [(each["code"], each["severity"]) for each in typing.editor.shown[typing.mine.as_uri()]] == [
        ("override-without-effect", 2)
    ]


def test_a_name_is_given_where_figures_stand(typing: Garden) -> None:
    for mark, into in (("default: 9", 9), ("size: 4", 6)):
        code_actions = actions(typing, typing.base, RULES, mark, into=into)
        offered = next((each for each in code_actions if each["title"].startswith("Name this number")), None)
        if offered is not None:
            done(typing, typing.base, RULES, offered["edit"]["changes"][typing.base.as_uri()])
    assert not any("Name this" in each["title"] for each in actions(typing, typing.base, RULES, "seeds: 4", into=7))


@pytest.mark.parametrize(
    ("rows", "added"),
    [
        ("{sun: 1-4}", "{sun: 1-4, from_5_to_6: 5-6}"),
        ("{sun: 2-3, rain: 5}", "{sun: 2-3, rain: 5, on_1: 1, on_4: 4, on_6: 6}"),
        ("\n      sun: 1-4\n      rain: 5", "\n      sun: 1-4\n      rain: 5\n      on_6: 6"),
    ],
)
def test_rows_that_are_missing_are_added(typing: Garden, rows: str, added: str) -> None:
    wrong = RULES.replace("{sun: 1-4, rain: 5-6}", rows)
    typing.editor.type(typing.base, wrong)
    assert typing.editor.checked() > 0
    add = next(each for each in actions(typing, typing.base, wrong, "rows:") if each["title"].startswith("Add the"))
    assert add["diagnostics"][0]["code"] == "faces-gap"
    after = done(typing, typing.base, wrong, add["edit"]["changes"][typing.base.as_uri()])
    assert after == RULES.replace("{sun: 1-4, rain: 5-6}", added)


def test_rows_are_added_with_a_cell_in_every_column(typing: Garden) -> None:
    right = "    columns: {wet: int}\n    rows: {sun: {on: 1-4, wet: 0}, rain: {on: 5-6, wet: 2}}"
    wrong = RULES.replace("    rows: {sun: 1-4, rain: 5-6}", right.replace("5-6", "5"))
    typing.editor.type(typing.base, wrong)
    typing.editor.checked()
    add = next(each for each in actions(typing, typing.base, wrong, "rows:") if each["title"].startswith("Add the"))
    assert "on_6: {on: 6, wet: 2}" in done(typing, typing.base, wrong, add["edit"]["changes"][typing.base.as_uri()])


@pytest.mark.parametrize(("mark", "name"), [("planting:\n", "planting_played"), ("first:\n", "planting_played")])
def test_an_example_is_added_from_a_run(typing: Garden, mark: str, name: str) -> None:
    # What is an example below holds above where nothing it shows is changed.
    typing.editor.type(typing.mine, "numbers: {luck: 3d6}\n")
    typing.editor.checked()
    code_actions = actions(typing, typing.base, RULES, mark)
    add = next(each for each in code_actions if "example" in each["title"])
    texts = []

    def applied(params: Any) -> dict[str, bool]:
        texts.append(apply_edits(RULES, params["edit"]["changes"][typing.base.as_uri()]))
        return {"applied": True}

    typing.editor.replies["workspace/applyEdit"] = applied
    asked = {"command": add["command"]["command"], "arguments": add["command"]["arguments"]}
    assert "error" not in typing.editor.answer("workspace/executeCommand", asked)
    typing.editor.replies["workspace/applyEdit"] = lambda _: {"applied": False, "failureReason": "it is locked"}
    refused = typing.editor.answer("workspace/executeCommand", asked)["error"]
    assert refused["message"] == "no example was added: it is locked"
    (after,) = texts
    assert f"  {name}:\n" in after
    head, tail = RULES.split("\npages:")
    assert after.startswith(head)
    assert after.endswith(f"\npages:{tail}")
    typing.editor.type(typing.base, after)
    assert typing.editor.checked() == 0


def test_no_example_is_offered_of_rules_that_would_have_it_refused(typing: Garden) -> None:
    wrong = RULES.replace("of: planting", "of: plantng")
    assert wrong != RULES
    typing.editor.type(typing.base, wrong)
    assert typing.editor.checked() == 1
    titles = [each["title"] for each in actions(typing, typing.base, wrong, "game:\n")]
    assert not [title for title in titles if "example" in title]


def test_what_mends_comes_first_though_it_is_asked_for_in_the_midst_of_typing(typing: Garden) -> None:
    wrong = RULES.replace("of: planting", "of: plantng")
    typing.editor.type(typing.base, wrong)
    first, *others = actions(typing, typing.base, wrong, "plantng", into=3)
    (told,) = first["diagnostics"]
    assert "plantng" in told["message"]
    assert first["isPreferred"]
    assert not [each["title"] for each in others if each["isPreferred"]]
    done(typing, typing.base, wrong, first["edit"]["changes"][typing.base.as_uri()])


# -- what stands above lines -------------------------------------------------------------


def test_lenses_stand_above_what_can_be_run_weighed_played_and_compared(garden: Garden) -> None:
    def above(path: Path) -> set[tuple[int, str]]:
        response = garden.editor.ask("textDocument/codeLens", {"textDocument": {"uri": path.as_uri()}})
        return {(each["range"]["start"]["line"], each["command"]["title"]) for each in response}

    def line(mark: str) -> int:
        return RULES[: RULES.index(mark)].count("\n")

    assert above(garden.base) == {
        (line("  luck"), "odds"),
        (line("  weather:"), "odds"),
        (line("  game:"), "run"),
        (line("  game:"), "play"),
        (line("  planting:"), "run"),
        (line("  planting:"), "odds"),
        (line("  first:"), "run"),
        (line("  first:"), "play from here"),
    }
    assert (0, "simulate before and after (garden/base@1.0.0)") in above(garden.mine)


def test_a_procedure_of_a_player_has_lenses_without_an_example(typing: Garden) -> None:
    text = RULES.replace(
        "procedures:\n", "procedures:\n  alms: {given: {to: player}, steps: [{id: fate, roll: 1d6}]}\n", 1
    )
    typing.editor.type(typing.base, text)
    assert typing.editor.checked() == 0, typing.editor.shown
    line = text[: text.index("  alms:")].count("\n")
    response = typing.editor.ask("textDocument/codeLens", {"textDocument": {"uri": typing.base.as_uri()}})
    titles = [each["command"]["title"] for each in response if each["range"]["start"]["line"] == line]
    assert titles == ["run", "odds"]
    assert "on average 3.5" in typing.do("odds", typing.base, "procedures", "alms")["result"]["text"]


@pytest.mark.parametrize(
    ("command", "section", "name", "message"),
    [
        ("run", "procedures", "game", ["# A game", "seed", "`planting.paid`"]),
        ("run", "procedures", "planting", ["example `first`", "Player 1 pays 3"]),
        ("run", "examples", "first", ["🌱 first", "`count(plants)` is 1"]),
        ("odds", "tables", "weather", ["66.7 %"]),
        ("odds", "numbers", "luck", ["3 to 13, on average 8"]),
        ("odds", "procedures", "planting", ["## `"]),
    ],
)
def test_what_is_clicked_is_shown_as_a_page(
    typing: Garden, command: str, section: str, name: str, message: list[str]
) -> None:
    pages = []

    def open_page(params: Any) -> dict[str, bool]:
        pages.append(Path(params["uri"].removeprefix("file://")).read_text(encoding="utf-8"))
        return {"success": True}

    typing.editor.replies["window/showDocument"] = open_page
    answer = typing.do(command, typing.base, section, name)["result"]
    assert pages == [answer["text"]]
    assert all(each in answer["text"] for each in message), answer["text"]


def test_games_before_and_after_are_played_on_the_same_dice(typing: Garden) -> None:
    text = typing.do("simulate", typing.mine, "", "")["result"]["text"]
    assert "garden/base@1.0.0 and garden/mine@1.0.0" in text
    assert "| statistic | before | after |" in text


def test_whoever_plays_from_an_example_is_asked(typing: Garden) -> None:
    asking = (
        RULES.replace("- {id: grown,", "- {id: bed, choose: {who: who, one_of: beds}}\n      - {id: grown,")
        .replace("bed: small}", "bed: bed}")
        .replace("    until: grown\n", "    choose: [small]\n    until: grown\n")
    )
    typing.editor.type(typing.base, asking)
    assert typing.editor.checked() == 0, typing.editor.shown
    asked: list[Any] = []

    def reply(params: Any) -> Any:
        asked.append(params)
        return params["actions"][1]

    typing.editor.replies["window/showMessageRequest"] = reply
    text = typing.do("play", typing.base, "examples", "first")["result"]["text"]
    assert [each["title"] for each in asked[0]["actions"]] == ["1. small", "2. large"] or len(asked[0]["actions"]) == 2
    assert "large" in text.lower()
    typing.editor.replies["window/showMessageRequest"] = lambda _: None
    assert "the game was left" in typing.do("play", typing.base, "examples", "first")["result"]["text"]


def test_an_option_by_its_number_and_a_signature_say_what_they_are(typing: Garden) -> None:
    asking = (
        RULES.replace("- {id: grown,", "- {id: bed, choose: {who: who, one_of: beds}}\n      - {id: grown,")
        .replace("    until: grown\n", '    choose: ["#1"]\n    until: grown\n')
        .replace("        explains:", "        reviewed: te2\n        explains:")
    )
    typing.editor.type(typing.base, asking)
    typing.editor.checked()
    source = "option number 1 of those that the step offers"

    def hover(mark: str) -> str:
        text: str = typing.editor.ask("textDocument/hover", at(typing.base, asking, mark, into=2))["contents"]["value"]
        return text

    assert source in hover('"#1"')
    assert "signature" in hover("te2")
    line = asking[: asking.index('"#1"')].count("\n")
    place = {"line": line, "character": 0}
    asked = {
        "range": {"start": place, "end": {**place, "line": line + 1}},
        "textDocument": {"uri": typing.base.as_uri()},
    }
    (hint,) = typing.editor.ask("textDocument/inlayHint", asked)
    assert source in hint["tooltip"]["value"]


def test_what_cannot_be_done_is_refused_in_words(typing: Garden) -> None:
    assert "no such code lens" in typing.do("odds", typing.base, "terms", "plant")["error"]["message"]
    typing.editor.type(typing.base, RULES.replace("+ count(plants)", "+ count(plnts)"))
    typing.editor.checked()
    assert "fix the errors first" in typing.do("run", typing.base, "procedures", "game")["error"]["message"]
    gone = {"command": "rulewright.run", "arguments": ["file:///nowhere.yaml", "procedures", "game"]}
    assert "not a readable rules file" in typing.editor.answer("workspace/executeCommand", gone)["error"]["message"]
    for arguments in ([], [1, 2, 3], ["x"], None):
        asked = {"command": "rulewright.run", "arguments": arguments}
        assert "error" in typing.editor.answer("workspace/executeCommand", asked)


def test_a_client_that_opens_no_pages_is_told_and_one_that_shows_results_itself_is_left_alone(tmp_path: Path) -> None:
    for number, (wishes, told) in enumerate([(None, True), ({"showsResults": True}, False)]):
        root = tmp_path / str(number)
        root.mkdir()
        opened = Garden(root, value=wishes)
        with opened.editor as editor:
            text = opened.do("odds", opened.base, "tables", "weather")["result"]["text"]
            messages = [each["params"]["message"] for each in editor.told if each.get("method") == "window/showMessage"]
            assert messages == ([text] if told else [])


# -- calls and layout --------------------------------------------------------------------


def test_calls_lead_both_ways(garden: Garden) -> None:
    (planting,) = garden.ask("prepareCallHierarchy", "planting:", into=2)
    assert planting["name"] == "planting"
    assert planting["detail"] == "Planting a Plant"
    (incoming,) = garden.editor.ask("callHierarchy/incomingCalls", {"item": planting})
    assert incoming["from"]["name"] == "game"
    place = at(garden.base, RULES, "do: planting", into=4)["position"]
    assert incoming["fromRanges"][0]["start"] == place
    (outgoing,) = garden.editor.ask("callHierarchy/outgoingCalls", {"item": incoming["from"]})
    assert outgoing["to"]["name"] == "planting"
    assert garden.editor.ask("callHierarchy/outgoingCalls", {"item": planting}) == []
    assert garden.ask("prepareCallHierarchy", "price", into=2) is None


def test_a_file_is_laid_out_and_stays_so(typing: Garden) -> None:
    crooked = RULES.replace("\n  ", "\n    ").replace("numbers:", "\n\n\nnumbers:")
    typing.editor.type(typing.base, crooked)
    options = {"tabSize": 2, "insertSpaces": True}
    asked = {"textDocument": {"uri": typing.base.as_uri()}, "options": options}
    after = apply_edits(crooked, typing.editor.ask("textDocument/formatting", asked))
    assert after.replace("\n\n\nnumbers:", "\n\nnumbers:") == RULES
    typing.editor.type(typing.base, after)
    assert typing.editor.ask("textDocument/formatting", asked) == []


def test_a_number_that_contradicts_inherited_examples_is_one_error_with_one_action(typing: Garden) -> None:
    more = "  two: {title: Two, value: price * 2, expect: 6}\n  three: {title: Three, value: price * 3, expect: 9}\n"
    base = RULES.replace("\npages:", f"{more}\npages:")
    typing.editor.type(typing.base, base)
    assert typing.editor.checked() == 1
    (diagnostic,) = typing.editor.shown[typing.mine.as_uri()]
    assert (diagnostic["code"], diagnostic["range"]["start"]) == ("example-failed", {"line": 0, "character": 17})
    assert len(diagnostic["relatedInformation"]) == 2
    assert all(each["severity"] > 1 for each in typing.editor.shown.get(typing.base.as_uri(), []))
    offered = [each for each in actions(typing, typing.mine, MINE, "price: 5", into=8) if each.get("diagnostics")]
    assert [(each["title"], each["kind"]) for each in offered] == [
        ("Expect what holds now in `two` (10) and `three` (15)", "quickfix"),
        ("Expect what holds now in `two` (10)", "quickfix"),
        ("Expect what holds now in `three` (15)", "quickfix"),
        ("Delete all 2 examples of the base edition in garden/mine", "quickfix.disable"),
        ("Delete `two` of the base edition in garden/mine", "quickfix.disable"),
        ("Delete `three` of the base edition in garden/mine", "quickfix.disable"),
    ]
    assert [each.get("isPreferred", False) for each in offered] == [True, *[False] * 5]
    # At one of the examples, the others have no actions of their own.
    at_example = [each["title"] for each in actions(typing, typing.base, base, "expect: 6", into=9)]
    assert at_example[:3] == [offered[each]["title"] for each in (0, 1, 4)]
    done(typing, typing.mine, MINE, offered[3]["edit"]["changes"][typing.mine.as_uri()])
    typing.editor.type(typing.mine, MINE)
    after = done(typing, typing.mine, MINE, offered[0]["edit"]["changes"][typing.mine.as_uri()])
    assert after.count("\n\nexamples:") == 1
    # The number is typed once more: what has been restated is no error of its own.
    dearer = after.replace("price: 5", "price: 7")
    typing.editor.type(typing.mine, dearer)
    assert typing.editor.checked() == 1
    offered = actions(typing, typing.mine, dearer, "price: 7", into=8)
    assert offered[0]["title"] == "Expect what holds now in `two` (14) and `three` (21)"
    again = done(typing, typing.mine, dearer, offered[0]["edit"]["changes"][typing.mine.as_uri()])
    assert again == dearer.replace("10", "14").replace("15", "21")


def restate(garden: Garden, example: str) -> str:
    """Add an example of the price to the base edition, and return the house rules after the first fix of its error."""
    garden.editor.type(garden.base, RULES.replace("\npages:", f"{example}\npages:"))
    assert garden.editor.checked() == 1
    first, *_ = actions(garden, garden.mine, MINE, "price: 5", into=8)
    return done(garden, garden.mine, MINE, first["edit"]["changes"][garden.mine.as_uri()])


def test_what_restating_leaves_outdated_is_a_warning_with_an_action(typing: Garden) -> None:
    after = restate(typing, "  nine: {title: 'Nine {seed.plural}', value: price * 3, expect: 9}\n")
    (diagnostic,) = (each for each in typing.editor.shown[typing.mine.as_uri()] if each["code"] == "example-number")
    assert diagnostic["message"].startswith("the inherited title of `nine` still says `Nine`")
    assert diagnostic["severity"] == 2
    (retell,) = (each for each in actions(typing, typing.mine, after, "15}") if each["title"].startswith("Rewrite the"))
    assert (retell["title"], retell["data"]) == (
        "Rewrite the title of `nine` in garden/mine…",
        {"value": '"Nine {seed.plural}"'},
    )
    edits = retell["edit"]["changes"][typing.mine.as_uri()]
    done(typing, typing.mine, after, [{**each, "newText": each["newText"].replace("Nine", "15")} for each in edits])
    assert typing.editor.shown[typing.mine.as_uri()] == []


def test_inherited_texts_of_a_restated_example_are_compared_and_signed(typing: Garden) -> None:
    after = restate(typing, "  cost: {title: A cheap one, text: Anybody can pay for it., value: price, expect: 3}\n")
    (diagnostic,) = typing.editor.shown[typing.mine.as_uri()]
    assert (diagnostic["code"], diagnostic["severity"]) == ("text-outdated", 2)
    assert diagnostic["message"].startswith(
        "the inherited title and text of `examples.cost` were written for other results"
    )
    by_title = {each["title"]: each for each in actions(typing, typing.mine, after, "cost: {expect: 5", into=16)}
    assert [title for title in by_title if "`cost`" in title or "examples.cost" in title] == [
        "Rewrite the title of `cost` in garden/mine…",
        "Rewrite the text of `cost` in garden/mine…",
        "Mark the text of `examples.cost` as reviewed in garden/mine, after comparing it with the rules",
    ]
    *_, sign = (each for title, each in by_title.items() if title.startswith("Mark the text"))
    assert sign["kind"] == "quickfix"
    signed = done(typing, typing.mine, after, sign["edit"]["changes"][typing.mine.as_uri()])
    assert re.search(r"cost: \{expect: 5, reviewed: \w{12}\}", signed)
    assert typing.editor.shown[typing.mine.as_uri()] == []
    # A signature is for these results, and for no others.
    dearer = signed.replace("price: 5", "price: 6").replace("expect: 5", "expect: 6")
    typing.editor.type(typing.mine, dearer)
    assert typing.editor.checked() == 0
    assert [each["code"] for each in typing.editor.shown[typing.mine.as_uri()]] == ["text-outdated"]


def test_an_example_keeps_its_story_by_another_roll(typing: Garden) -> None:
    more = "  rainy: {title: A wet day, of: game, dice: [4, 6], until: sky, expect: {sky: sun}}\n"
    base = RULES.replace("\npages:", f"{more}\npages:").replace(
        "{id: grow, do", "{id: before, roll: 1d6}\n      - {id: grow, do"
    )
    typing.editor.type(typing.base, base.replace("[4, 6]", "[6, 4]"))
    mine = "tables: {weather: {rows: {sun: 1-2, rain: 3-6}}}\n"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 1
    first, second, *_ = actions(typing, typing.mine, mine, "sun: 1-2", into=6)
    assert [each["title"] for each in (first, second)] == [
        "Expect what holds now in `rainy` (`sky` is rain)",
        "Change the dice, so that the results hold in `rainy` (6, 2)",
    ]
    assert (first["isPreferred"], second.get("isPreferred", False)) == (True, False)
    done(typing, typing.mine, mine, second["edit"]["changes"][typing.mine.as_uri()])
    assert typing.editor.shown[typing.mine.as_uri()] == []


def test_an_inherited_example_that_no_longer_holds_is_laid_aside(typing: Garden) -> None:
    sentence = RULES.replace(
        "        explains: [numbers.price", "        show: [examples.first]\n        explains: [numbers.price"
    )
    broken = MINE.replace("seeds > 7", "seeds > 0")
    typing.editor.type(typing.base, sentence)
    typing.editor.type(typing.mine, broken)
    assert typing.editor.checked() > 0
    for path, text, mark in ((typing.base, sentence, "until: grown"), (typing.mine, broken, "id: sung")):
        offered_actions = [
            each for each in actions(typing, path, text, mark, into=8) if each["title"].startswith("Delete `first`")
        ]
        assert len(offered_actions) == 1, f"offered where {mark} stands"
    after = done(typing, typing.mine, broken, offered_actions[0]["edit"]["changes"][typing.mine.as_uri()])
    assert after.count("delete: true") == after.count("delete: examples.first") == 1
    assert not any("Delete `" in each["title"] for each in actions(typing, typing.mine, after, "id: sung", into=8))


def test_an_own_example_is_restated(typing: Garden) -> None:
    given = "of: planting, given: {who: 1, players: [{seeds: 8}]}"
    more = "".join(f"  {id}: {{title: {id}, {given}, expect: {{who.seeds: 9}}}}\n" for id in ("lost", "gone"))
    base = RULES.replace("\npages:", f"{more}\npages:")
    typing.editor.type(typing.mine, "numbers: {luck: 3d6}\n")
    typing.editor.type(typing.base, base)
    assert typing.editor.checked() == 2
    code_actions = actions(typing, typing.base, base, "title: lost", into=9)
    titles = [each["title"] for each in code_actions]
    assert titles[:2] == [
        "Expect what holds now in `lost` (`who.seeds` is 5)",
        "Expect what holds now in `lost` (`who.seeds` is 5) and `gone` (`who.seeds` is 5)",
    ]
    after = done(typing, typing.base, base, code_actions[1]["edit"]["changes"][typing.base.as_uri()])
    assert after == base.replace("seeds: 9}", "seeds: 5}")


def test_all_that_a_change_contradicts_is_mended_at_once(typing: Garden) -> None:
    asks = "- {id: sown, choose: {who: who, from: [small, large]}, ask: Where?, when: who.seeds > 0}"
    base = RULES.replace("- {id: grown,", f"{asks}\n      - {{id: grown,")
    base = base.replace("    until: grown", "    choose: [small]\n    until: grown")
    given = "of: planting, given: {who: 1, players: [{seeds: 4}]}"
    more = f"""\
  rest: {{title: Rest, {given}, choose: [large], expect: {{who.seeds: 1}}}}
  cost: {{title: Cost, value: price, expect: 3}}

faq:
  left: {{question: What is left?, answer: One., about: procedures.planting, example: rest}}
"""
    base = base.replace("\npages:", f"{more}\npages:")
    typing.editor.type(typing.base, base)
    mine = "numbers: {price: 4}\n"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 1
    offered = actions(typing, typing.mine, mine, "price: 4", into=8)
    titles = [each["title"] for each in offered]
    assert (
        titles[0] == "Expect what holds now in `first` (no choice is left), `rest` (no choice is left) and `cost` (4)"
    )
    assert "Delete `rest` of the base edition in garden/mine, with the FAQ answer `left`" in titles[1:]
    done(typing, typing.mine, mine, offered[0]["edit"]["changes"][typing.mine.as_uri()])


def test_a_fix_names_all_that_it_deletes_and_why(typing: Garden) -> None:
    buying = "  buying: {given: {who: player}, steps: [{id: paid, pay: {who: who, seeds: price}}]}"
    base = RULES.replace("  planting:\n", f"{buying}\n  planting:\n")
    more = """\
  bought: {title: Bought, of: buying, given: {who: 1, players: [{seeds: 4}]}, expect: {who.seeds: 1}}
  cost: {title: Cost, value: price, expect: 3}

faq:
  left: {question: What is left?, answer: Something., about: procedures.buying, example: bought}
"""
    base = base.replace("\npages:", f"{more}\npages:")
    typing.editor.type(typing.base, base)
    mine = "numbers: {price: 5}\n"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 1
    first, *_ = actions(typing, typing.mine, mine, "price: 5", into=8)
    why = "`buying.paid`: `seeds` would be -1"
    assert first["title"] == (
        f"Expect what holds now in `cost` (5), and delete `bought` (it fails: {why}), with the FAQ answer `left`"
    )
    done(typing, typing.mine, mine, first["edit"]["changes"][typing.mine.as_uri()])


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ("most: 4", "choose: [3, 2, large]"),  # the number that is nearest to what was chosen
        ("again: 1", "choose: [4, 2, 0, large]"),  # a decision that was none, and nothing is taken there
        ("first: 1", "choose: [0, 4, 2, large]"),  # the old choices stay with the decisions that they were for
    ],
)
def test_what_was_chosen_is_kept_where_it_can_be(typing: Garden, changed: str, kept: str) -> None:
    steps = """\
- {id: early, choose: {who: who, number: {from: 0, to: first * 4}}, ask: How many?}
      - {id: many, choose: {who: who, number: {from: 0, to: 7 - most}}, ask: How many?}
      - {id: few, choose: {who: who, number: {from: 0, to: 2}}, ask: How many?}
      - {id: late, choose: {who: who, number: {from: 0, to: again * 4}}, ask: How many?}
      - {id: sown, choose: {who: who, from: [small, large]}, ask: Where?}
      - {id: grown,"""
    base = RULES.replace("- {id: grown,", steps)
    base = base.replace("numbers:\n", "numbers:\n  most: 3\n  first: 0\n  again: 0\n")
    base = base.replace("    until: grown", "    choose: [4, 2, large]\n    until: grown")
    typing.editor.type(typing.base, base)
    mine = f"numbers: {{{changed}}}\n"
    typing.editor.type(typing.mine, mine)
    assert typing.editor.checked() == 1
    offered = actions(typing, typing.mine, mine, changed, into=len(changed) - 1)
    after = done(typing, typing.mine, mine, offered[0]["edit"]["changes"][typing.mine.as_uri()])
    assert kept in after


def test_what_was_restated_is_one_error_again_and_left_out_where_it_is_as_inherited(typing: Garden) -> None:
    asks = "- {id: sown, choose: {who: who, from: [small, large]}, ask: Where?, when: who.seeds > 0}"
    base = RULES.replace("- {id: grown,", f"{asks}\n      - {{id: grown,")
    base = base.replace("    until: grown", "    choose: [small]\n    until: grown")
    more = "  cost: {title: Cost, value: price, expect: 3}\n  double: {title: Double, value: price * 2, expect: 6}\n"
    typing.editor.type(typing.base, base.replace("\npages:", f"{more}\npages:"))
    text = inherited = "numbers: {price: 3}\n"
    titles = []
    for price in (4, 2, 3):
        text = re.sub(r"price: \d", f"price: {price}", text)
        typing.editor.type(typing.mine, text)
        assert typing.editor.checked() == 1
        (diagnostic,) = (each for each in typing.editor.shown[typing.mine.as_uri()] if each["severity"] == 1)
        assert diagnostic["range"]["start"] == {"line": 0, "character": 17}
        first, *_ = actions(typing, typing.mine, text, f"price: {price}", into=8)
        titles.append(first["title"])
        text = apply_edits(text, first["edit"]["changes"][typing.mine.as_uri()])
        typing.editor.type(typing.mine, text)
        assert typing.editor.checked() == 0
        # One warning is about all texts.
        codes = [each["code"] for each in typing.editor.shown[typing.mine.as_uri()]]
        assert codes == (["override-without-effect"] if price == 3 else ["text-outdated"])
    assert titles == [
        "Expect what holds now in `first` (no choice is left), `cost` (4) and `double` (8)",
        "Expect what holds now in `first` (as inherited), `cost` (2) and `double` (4)",
        "Expect what holds now in `cost` (as inherited) and `double` (as inherited)",
    ]
    assert text.rstrip() == inherited.rstrip()


def test_a_text_of_other_rules_is_signed_in_the_edition_that_changes_them(typing: Garden) -> None:
    sign = next(
        each for each in actions(typing, typing.base, RULES, "text: ") if each["title"].startswith("Mark the text")
    )
    assert sign["kind"] == "refactor", "nothing is wrong with a draft's text that was never signed"
    base = done(typing, typing.base, RULES, sign["edit"]["changes"][typing.base.as_uri()])
    (diagnostic,) = (each for each in typing.editor.shown[typing.base.as_uri()] if each["code"] == "text-outdated")
    assert diagnostic["message"].startswith("the text of `all.buy` may be out of date: its rules have changed")
    code_actions = actions(typing, typing.base, base, "reviewed: ", into=10)
    assert [(each["title"], each["kind"]) for each in code_actions] == [
        ("Mark the text of `all.buy` as reviewed in garden/mine, after comparing it with the rules", "quickfix")
    ]
    done(typing, typing.mine, MINE, code_actions[0]["edit"]["changes"][typing.mine.as_uri()])
    assert not [each for each in typing.editor.shown[typing.base.as_uri()] if each["code"] == "text-outdated"]


def test_a_released_edition_that_has_changed_becomes_a_new_version(typing: Garden) -> None:
    manifest = typing.mine.with_name("ruleset.yaml")
    locked = OVER + 'status: released\nlocked: "0000000000000000"\n'
    typing.editor.open(manifest)
    typing.editor.type(manifest, locked)
    assert typing.editor.checked() == 1
    (offered,) = (each for each in actions(typing, manifest, locked, 'locked: "', into=9) if each.get("isPreferred"))
    assert offered["title"] == "Continue as version 1.0.1, a draft to be released"
    after = done(typing, manifest, locked, offered["edit"]["changes"][manifest.as_uri()])
    assert after == OVER.replace("1.0.0", "1.0.1", 1) + "status: draft\n"


def test_a_procedure_that_a_step_runs_is_written(typing: Garden) -> None:
    calls = MINE.replace("stop: true, when: who.seeds > 7", "do: rest_well, with: {guest: who, times: 2}")
    typing.editor.type(typing.mine, calls)
    assert typing.editor.checked() == 1
    code_actions = actions(typing, typing.mine, calls, "rest_well", into=2)
    (offered,) = (each for each in code_actions if each["title"] == "Write the procedure `rest_well`")
    after = done(typing, typing.mine, calls, offered["edit"]["changes"][typing.mine.as_uri()])
    assert "given: {guest: player, times: int}" in after


# -- rows of a spreadsheet ---------------------------------------------------------------


@pytest.fixture
def sheet(typing: Garden) -> Iterator[Path]:
    """Yield the file from which the rows of the table `beds` are updated."""
    path = typing.base.with_name("beds.csv")
    yield path
    path.unlink(missing_ok=True)


def test_rows_are_updated_from_the_file_beside_the_rules(typing: Garden, sheet: Path) -> None:
    def offered() -> list[str]:
        code_actions = actions(typing, typing.base, RULES, "beds:", into=1)
        return [each["title"] for each in code_actions if each["title"].startswith("Update the rows")]

    assert offered() == []
    sheet.write_text("id;size\nlarge;6\n")
    assert offered() == ["Update the rows of `beds` from beds.csv"]
    asked: list[Any] = []
    applied: list[Any] = []

    def choose(params: Any) -> Any:
        asked.append(params)
        return params["actions"][len(asked) - 1]

    typing.editor.replies["window/showMessageRequest"] = choose
    typing.editor.replies["workspace/applyEdit"] = lambda params: applied.append(params) or {"applied": True}
    assert "error" not in typing.do("rows", typing.base, "tables", "beds")
    assert "~ large: size 4 → 6" in asked[0]["message"]
    assert [each["title"] for each in asked[0]["actions"]] == [
        "1. Update",
        "2. Update, and remove rows that are not in the sheet",
    ]
    after = apply_edits(RULES, applied[0]["edit"]["changes"][typing.base.as_uri()])
    assert after == RULES.replace("large: {size: 4}", "large: {size: 6}")
    assert "error" not in typing.do("rows", typing.base, "tables", "beds")
    after = apply_edits(RULES, applied[1]["edit"]["changes"][typing.base.as_uri()])
    assert "    rows: {large: {size: 6}}\n" in after


def test_rows_of_a_faulty_file_are_refused_by_cell(typing: Garden, sheet: Path) -> None:
    sheet.write_text("id;size\nlarge;much\n")
    message = typing.do("rows", typing.base, "tables", "beds")["error"]["message"]
    assert message == "B2, size: nothing here is called `much`"
    sheet.write_bytes(b"PK\x03\x04")
    assert "workbook" in typing.do("rows", typing.base, "tables", "beds")["error"]["message"]
    sheet.unlink()
    assert "no file beds.csv" in typing.do("rows", typing.base, "tables", "beds")["error"]["message"]
    assert "no file ../x.csv" in typing.do("rows", typing.base, "tables", "../x")["error"]["message"]
