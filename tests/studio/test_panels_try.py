"""A procedure tried step by step does what `run` does, waits where it would ask, and is kept as an example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rulewright.base.errors import RulewrightError
from tests.studio.conftest import RULES
from tests.studio.desk import Table

Printed = Callable[..., Any]
FILE, HERE = "pigs/rules.yaml", "An outing"


def test_it_waits_for_dice_and_choices_one_by_one_and_ends(table: Table, printed: Printed) -> None:
    sky = table.ask("try", FILE, HERE)["waits"]
    assert (sky["kind"], sky["rule"], sky["dice"]) == ("dice", "outing.sky", "2d6 +1")
    assert sky["pools"] == [{"count": 2, "faces": [1, 2, 3, 4, 5, 6]}]
    assert (sky["least"], sky["most"], sky["faces"]) == (2, 12, list(range(2, 13)))
    stay = table.ask("try", FILE, HERE, dice=[[6, 5]])["waits"]
    assert (stay["kind"], stay["player"], stay["words"]) == ("choice", 1, "Player 1: Walk?")
    assert [each["name"] for each in stay["options"]] == ["walk", "sleep"]
    luck = table.ask("try", FILE, HERE, dice=[[6, 5]], choose=[stay["options"][0]["id"]])["waits"]
    assert (luck["kind"], luck["rule"]) == ("dice", "outing.luck")
    end = table.ask("try", FILE, HERE, dice=[[6, 5], 9], choose=["walk"])
    assert end["waits"]["kind"] == "end"
    text = printed("run", "house/pigs", "outing", "--dice", "6+5,9", "--choose", "walk")
    told = [
        {key: each[key] for key in ("rule", "verb", "text")}
        | {"faces": [list(pool) for pool in each["faces"]] if each["faces"] is not None else None}
        for each in end["events"]
    ]
    assert told == text["events"]
    assert end["values"] == text["words"]
    assert [each["place"]["line"] for each in end["events"] if each["rule"] == "outing.luck"] == [
        RULES[: RULES.index("{id: luck")].count("\n") + 1
    ]


def test_settings_and_steps_have_the_words_of_the_rules(table: Table) -> None:
    settings = "options: {paths: {title: Where to walk, choices: {park: In the park, town: In town}, default: park}}\n"
    rules = RULES.replace("when: stay == sleep", "when: options.paths == town").replace(
        "    steps:\n      - {id: sky", "    names: {sky: look at the sky}\n    steps:\n      - {id: sky"
    )
    table.write(FILE, settings + rules)
    response = table.ask("try", FILE, HERE, dice=[[6, 5]], choose=["walk"])
    (field,) = [each for each in response["fields"] if each["path"] == "options.paths"]
    assert field["text"] == "Where to walk"
    assert [each["text"] for each in field["choices"]] == ["In the park", "In town"]
    assert response["events"][0]["title"] == "look at the sky"


def test_dice_may_be_typed_and_what_is_left_open_may_be_left_to_a_seed(table: Table, printed: Printed) -> None:
    typed = table.ask("try", FILE, HERE, dice=["6+5", "3"], choose=["walk"])
    assert typed["events"] == table.ask("try", FILE, HERE, dice=[[6, 5], 3], choose=["walk"])["events"]
    seeded = table.ask("try", FILE, HERE, seed="11")
    text = printed("run", "house/pigs", "outing", "--seed", "11")
    assert [each["text"] for each in seeded["events"]] == [each["text"] for each in text["events"]]
    again = table.ask("try", FILE, HERE, dice=seeded["dice"], choose=seeded["choose"])
    assert again["events"] == seeded["events"]


def test_what_is_given_and_asked_for_is_named_with_its_type(table: Table) -> None:
    response = table.ask("try", FILE, HERE, given={"players": "[{score: 7}]"}, players=3)
    assert [(each["name"], each["type"], each["value"]) for each in response["parameters"]] == [
        ("who", "a player", "1"),
        ("players", "list of players", "[{score: 7}]"),
    ]
    end = table.ask("try", FILE, HERE, given={"players": "[{score: 7}]"}, dice=[9, 9], choose=["walk"])
    assert "now has 16" in end["events"][-1]["text"]


PURCHASE = """
tables:
  moods:
    title: Moods
    rows: {merry: {}, gloomy: {}}

kinds:
  pen:
    plural: pens
    means: Where pigs are kept.
    fields:
      owner: {type: player, means: Whose it is.}
      height: {type: count, means: How high its fence is.}

procedures:
  purchase:
    title: A purchase
    given: {who: player, mood: moods, haste: bool, times: int, pen: pen}
    steps:
      - {id: fence, set: {pen.height: 2}, when: who.score >= goal and mood == gloomy}
      - {id: tidy, set: {who.score: who.score + times}, when: pen.height > 0 and not haste}
      - id: rounds
        for_each: other
        in: list(p for p in pens if p.height > 8)
        steps: [{id: low, set: {other.height: 0}}]
"""


PICK = """
  pick:
    title: A pick
    given: {who: player}
    steps:
      - {id: picked, choose: {who: who, one_of: list(p for p in pens if p.owner == who)}}
"""


def test_of_a_start_without_anything_to_choose_from_it_is_said_what_it_lacks(table: Table) -> None:
    table.write("pigs/more.yaml", PURCHASE + PICK)
    lacks = table.ask("try", "pigs/more.yaml", "pick:")
    [field] = [each for each in lacks["fields"] if each["path"] == "pens.#"]
    assert lacks["waits"] == {
        "kind": "fault",
        "message": f"There is no Pen. Set {field['text']} to 1 or more",
        "diagnostics": [],
    }
    start = {"pens.#": "2"}
    other = table.ask("try", "pigs/more.yaml", "pick:", given={"who": "2"}, start=start, of=lacks["of"])
    assert other["waits"]["message"] == "No Pen can be chosen at this start: none of the 2 there fits the step"
    # Whose they are is set for each.
    owners = [each for each in other["fields"] if each["path"].endswith("owner")]
    assert [(each["path"], each["text"], each["value"]) for each in owners] == [
        ("pens.1.owner", "Pen 1: owner", "1"),
        ("pens.2.owner", "Pen 2: owner", "1"),
    ]
    start |= {"pens.1.owner": "2", "pens.2.owner": "2"}
    chosen = table.ask("try", "pigs/more.yaml", "pick:", given={"who": "2"}, start=start, of=lacks["of"])
    assert chosen["given"]["pens"] == "[{owner: 2}, {owner: 2}]"
    assert chosen["waits"]["kind"] == "choice"


def test_a_start_has_fields_for_all_that_the_run_reads(table: Table) -> None:
    table.write("pigs/more.yaml", PURCHASE)
    response = table.ask("try", "pigs/more.yaml", "purchase")
    fields = {
        each["name"]: (each["input"], [c["value"] for c in each.get("choices", [])]) for each in response["parameters"]
    }
    assert fields == {
        "who": ("choice", ["1", "2"]),
        "mood": ("choice", ["merry", "gloomy"]),
        "haste": ("choice", ["true", "false"]),
        "times": ("number", []),
    }
    assert [(each["path"], each["input"], each["value"]) for each in response["fields"]] == [
        ("pens.#", "number", "0"),
        ("players.1.score", "number", "0"),
        ("pen.height", "number", "0"),
    ]
    # What has neither a value nor a default begins with its first choice, and an example says so.
    assert response["given"] == {"mood": "merry", "haste": "false"}


def test_a_skipped_step_says_what_it_lacks(table: Table) -> None:
    table.write("pigs/more.yaml", PURCHASE)
    response = table.ask("try", "pigs/more.yaml", "purchase")
    skipped = response["skipped"]
    assert [(each["rule"], each["after"]) for each in skipped] == [
        ("purchase.fence", 0),
        ("purchase.tidy", 0),
        ("purchase.rounds", 0),
    ]
    first, second, third = (each["text"] for each in skipped)
    assert first.startswith("Skipped for Player 1: fence, because ")
    assert first.endswith(" Here: Player 1: score 0.")
    assert second.endswith(" Here: The Pen: height 0.")
    assert third == "Skipped for Player 1: rounds, because there is none."
    assert skipped[0]["place"]["line"] == PURCHASE[: PURCHASE.index("{id: fence")].count("\n") + 1
    assert response["waits"]["words"].endswith("because every step was skipped.")


def test_fields_of_the_start_are_written_into_the_position(table: Table) -> None:
    table.write("pigs/more.yaml", PURCHASE)
    start = {
        "who": "2",
        "players.2.score": "60",
        "mood": "gloomy",
        "times": "5",
        "pen.height": "1",
        "pens.#": "2",
    }
    response = table.ask("try", "pigs/more.yaml", "purchase", start=start)
    assert response["given"] == {
        "who": "2",
        "players": "[{}, {score: 60}]",
        "mood": "gloomy",
        "times": "5",
        "pen": "{height: 1}",
        "pens": "[{}, {}]",
        "haste": "false",
    }
    assert [each["rule"] for each in response["events"]] == ["purchase.fence", "purchase.tidy"]
    assert "65" in response["events"][1]["text"]
    assert [(each["rule"], each["after"]) for each in response["skipped"]] == [("purchase.rounds", 2)]
    table.ask("try", "pigs/more.yaml", "purchase", start=start, record=True, name="bought")
    assert not table.ask("try", "pigs/examples.yaml")["stale"]


@pytest.mark.parametrize(
    "start", [{"pens.#": "many"}, {"pens.#": "51"}, {"players.x.score": "1"}, {"who.b.c": "1"}, {"who.score": "1"}]
)
def test_a_field_that_does_not_fit_is_refused(table: Table, start: dict[str, str]) -> None:
    table.write("pigs/more.yaml", PURCHASE)
    with pytest.raises(RulewrightError):
        table.ask("try", "pigs/more.yaml", "purchase", given={"who": "1"}, start=start)


def test_an_example_at_the_cursor_is_tried_with_its_dice_and_choices(table: Table) -> None:
    table.ask("try", FILE, HERE, dice=[9, 9], choose=["walk"], record=True, name="rambling")
    response = table.ask("try", "pigs/examples.yaml", "rambling")
    assert (response["procedure"], response["dice"], response["choose"]) == ("outing", [9, 9], ["walk"])
    assert response["waits"]["kind"] == "end"


def test_what_was_played_is_recorded_where_it_is_wanted_and_holds(table: Table, printed: Printed) -> None:
    end = table.ask("try", FILE, HERE, dice=[9, 9], choose=["walk"])
    response = table.ask("try", FILE, HERE, dice=[9, 9], choose=["walk"], record=True, file=FILE)
    assert response["path"] == FILE
    text = (table.folder / FILE).read_text(encoding="utf-8")
    assert text.splitlines()[response["line"] - 1] == f"  {response['id']}:"
    assert text.startswith(RULES)
    # Every line of the example it was shown as stands in the file.
    assert all(line in text.splitlines() for line in end["example"].splitlines())
    assert "\n      luck: 9\n" in text
    new = table.ask("try", FILE, HERE, dice=[3], record=True)
    assert (new["path"], new["line"]) == ("pigs/examples.yaml", 2)
    assert not table.ask("try", "pigs/examples.yaml")["stale"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"dice": [9]}, "did not finish"),
        ({"dice": [3], "name": "Not an id"}, "is not a valid name for an example"),
        ({"dice": [3], "name": "lucky"}, "already"),
        ({"dice": [3], "file": "elsewhere/x.yaml"}, "is not a rules file of this edition"),
        ({"dice": [3], "file": "pigs/ruleset.yaml"}, "is not a rules file of this edition"),
        ({"dice": [3], "file": "pigs/x.txt"}, "is not a rules file of this edition"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_is_written(
    table: Table, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(RulewrightError, match=message):
        table.ask("try", FILE, HERE, record=True, **more)
    assert sorted(path.name for path in table.folder.rglob("*.*")) == [
        "rules.yaml",
        "rules.yaml",
        "ruleset.yaml",
        "ruleset.yaml",
    ]
    assert (table.folder / FILE).read_text(encoding="utf-8") == RULES


CRUMB = """
kinds:
  crumb:
    means: What is left over.
    log: {comes: ""}
    fields:
      size: {type: count, means: How large it is.}
"""


def test_of_what_there_is_nothing_to_tell_no_line_is_shown(table: Table) -> None:
    table.write(FILE, f"{RULES}          - {{id: quiet, create: crumb}}\n{CRUMB}")
    events = table.ask("try", FILE, HERE, dice=[9, [1, 2, 3]], choose=["walk"])["events"]
    assert [each["rule"] for each in events] == ["outing.sky", "outing.stay", "outing.luck", "outing.found"]


def test_what_does_not_fit_is_asked_again_with_what_happened_before(table: Table) -> None:
    wrong = table.ask("try", FILE, HERE, dice=[9, 40], choose=["walk"])
    assert (wrong["waits"]["kind"], wrong["waits"]["rule"], wrong["waits"]["dropped"]) == ("dice", "outing.luck", True)
    assert [each["rule"] for each in wrong["events"]] == ["outing.sky", "outing.stay"]
    assert (wrong["dice"], wrong["choose"]) == ([9], ["walk"])
    unknown = table.ask("try", FILE, HERE, dice=[9, 3], choose=["fly", "walk"])
    assert (unknown["waits"]["kind"], unknown["waits"]["dropped"]) == ("choice", True)
    assert (unknown["dice"], unknown["choose"]) == ([9], [])
    assert not table.ask("try", FILE, HERE, dice=[9])["waits"]["dropped"]
    # By chance, the rest replaces it, and what is left over is not needed.
    seeded = table.ask("try", FILE, HERE, dice=[9], choose=["fly"], seed=1)
    assert seeded["waits"]["kind"] == "end"
    more = table.ask("try", FILE, HERE, dice=[*seeded["dice"], 1], choose=[*seeded["choose"], "walk"])
    assert (more["waits"], more["dice"]) == (seeded["waits"], seeded["dice"])


def test_a_start_that_cannot_be_read_is_refused(table: Table) -> None:
    for bad in ({"procedure": "outin"}, {"given": {"who": "["}}, {"given": {"nobody": "1"}}, {"dice": [True]}):
        with pytest.raises(RulewrightError):
            table.ask("try", FILE, HERE, **bad)


def test_rules_that_are_broken_are_tried_as_they_were_and_not_recorded(table: Table) -> None:
    table.ask("try", FILE, HERE)
    table.write(FILE, RULES.replace("sun: 7-13", "sun: 8-13"))
    response = table.ask("try", FILE, HERE, dice=[6])
    assert response["stale"]
    assert "Sun" in response["events"][0]["text"]
    with pytest.raises(RulewrightError, match="errors"):
        table.ask("try", FILE, HERE, dice=[3], record=True)


@pytest.mark.parametrize(
    ("mark", "procedure"),
    [
        ("weather:", "outing"),
        ("rain: 3-6", "outing"),
        ("roll: 2d6", "outing"),
        ("goal: 50", "game"),
        ("# What", "game"),
    ],
)
def test_what_is_no_procedure_is_tried_where_it_is_used(table: Table, mark: str, procedure: str) -> None:
    assert table.ask("try", FILE, mark)["procedure"] == procedure


CALLED = """\
procedures:
  visit:
    title: A visit
    given: {pen: pen}
    steps:
      - {id: knock, roll: 1d6}
      - {id: tidy, do: tidying, with: {pen: pen}}
  tidying:
    title: Tidying
    given: {pen: pen}
    steps:
      - {id: lower, set: {pen.height: pen.height - 2}, when: pen.height > 0}
kinds:
  pen:
    plural: pens
    fields:
      height: {type: count, default: 0, means: How high it is.}
      width: {type: int, default: 3, means: How wide it is.}
"""


def test_a_skipped_step_of_a_called_procedure_says_what_it_lacks(table: Table) -> None:
    table.write("pigs/more.yaml", CALLED)
    (skipped,) = table.ask("try", "pigs/more.yaml", "visit:", dice=[1])["skipped"]
    assert skipped["rule"] == "tidying.lower"
    assert skipped["text"].startswith("Skipped for the Pen: lower, because ")


def test_a_start_can_be_set_before_the_first_roll(table: Table) -> None:
    table.write("pigs/more.yaml", CALLED)
    response = table.ask("try", "pigs/more.yaml", "visit:")
    assert response["waits"]["kind"] == "dice"
    assert [each["path"] for each in response["fields"]] == ["pen.height"]


def test_a_fault_is_said_in_words_with_its_place(table: Table) -> None:
    table.write("pigs/more.yaml", CALLED)
    fault = table.ask("try", "pigs/more.yaml", "visit:", dice=[1], start={"pen.height": "1"})["waits"]
    assert fault["message"] == "`tidying.lower`: `height` would be -1"
    (told,) = fault["diagnostics"]
    assert "Guard the step" in told["help"]
    assert (told["path"], told["line"]) == ("pigs/more.yaml", CALLED[: CALLED.index("{id: lower")].count("\n") + 1)


def test_what_was_entered_for_another_procedure_is_not_used(table: Table) -> None:
    table.write("pigs/more.yaml", CALLED)
    entered = {"of": table.ask("try", "pigs/more.yaml", "visit:")["of"], "start": {"pen.height": "4"}, "dice": [5]}
    assert table.ask("try", "pigs/more.yaml", "visit:", **entered)["waits"]["kind"] == "end"
    other = table.ask("try", FILE, HERE, **entered)
    assert (other["waits"]["kind"], other["waits"]["rule"], other["dice"]) == ("dice", "outing.sky", [])
    # A name that the rules no longer have is no longer a part of the start.
    table.write(
        "pigs/more.yaml",
        CALLED.replace("given: {pen: pen}", "given: {fold: pen}", 1).replace("with: {pen: pen}", "with: {pen: fold}"),
    )
    again = table.ask("try", "pigs/more.yaml", "visit:", **entered)
    assert not again["stale"]
    assert again["given"] == {}


def test_an_example_keeps_what_its_objects_have_come_to(table: Table) -> None:
    table.write("pigs/more.yaml", CALLED)
    start = {"pen.height": "5", "pen.width": "4"}
    table.ask("try", "pigs/more.yaml", "visit:", dice=[2], start=start, record=True, name="kept")
    text = table.files.place("pigs/examples.yaml").read_text(encoding="utf-8")
    assert "given:\n      pen: {height: 5, width: 4}" in text
    assert "pen.height: 3" in text
    assert "pen.width: 4" in text


BEACH = """\
tables:
  beach: {grid: {columns: 2, rows: 1}}
  tide: {roll: 1d6, rows: {calm: 1-4, surge: {on: 5-6, title: A surge}}}
state:
  shells: {type: map of beach to optional player, wording: owner of the shell, means: Whose each is.}
procedures:
  wade:
    title: Wading
    means: One looks at the sea.
    steps:
      - {id: taken, let: 'count(s for s in beach if shells[s] != none)'}
      - {id: sea, roll: tide}
      - {id: dry, let: taken + 1, when: sea == calm}
"""


def test_maps_of_the_game_can_be_set_and_faces_have_the_titles_of_rows(table: Table) -> None:
    table.write("pigs/beach.yaml", BEACH)
    response = table.ask("try", "pigs/beach.yaml", "Wading")
    (shells,) = [each for each in response["parameters"] if each["name"] == "shells"]
    assert (shells["value"], shells["input"]) == ("", "text")
    assert response["waits"]["labels"] == {**dict.fromkeys("1234", "Calm"), **dict.fromkeys("56", "A surge")}
    again = table.ask("try", "pigs/beach.yaml", "Wading", start={"shells": "{c1r1: 1}"}, dice=[2])
    assert [each["value"] for each in again["parameters"] if each["name"] == "shells"] == ["{c1r1: 1}"]
    assert str(again["values"]["taken"]) == "1"
    assert table.ask("try", FILE, HERE)["waits"]["labels"] == {}  # with a bonus, the dice show other numbers


REASONS = """\
terms:
  pen: {name: Paddock, plural: Paddocks, icon: 🐖, means: Where pigs live.}
kinds:
  pen:
    plural: pens
    means: A pen.
    fields: {owner: {type: optional player, default: none, means: Whose it is.}}
exceptions:
  holiday: {to: chores.sweep, when: count(pens) == 0, means: "Without a {pen}, nobody sweeps."}
procedures:
  chores:
    title: Chores
    given: {who: player}
    steps:
      - {id: sweep, gain: {who: who, score: 1}}
      - {id: feed, gain: {who: who, score: 1}, when: any(p for p in pens if p.owner == who) and who.score > 0}
      - {id: again, repeat: {while: any(pens), ends_within: 3, steps: [{id: rest, stop: true}]}}
"""


def test_reasons_name_the_player_the_false_part_and_the_exception(table: Table) -> None:
    table.write("pigs/more.yaml", REASONS)
    response = table.ask("try", "pigs/more.yaml", "chores:", given={"who": "2"})
    sweep, feed, again = (each["text"] for each in response["skipped"])
    assert sweep == "Skipped for Player 2: sweep, because of the exception “Without a Paddock, nobody sweeps”."
    assert feed.startswith("Skipped for Player 2: feed, because ")
    assert " not " not in feed
    # A loop that does nothing is such a step, too.
    assert again.startswith("Skipped for Player 2: again, because there are no Paddocks")
    one = table.ask("try", "pigs/more.yaml", "chores:", start={"pens.#": "2"}, of=response["of"])
    assert one["fields"][0]["text"] == "Number of Paddocks"
    assert [each["path"] for each in one["fields"]] == ["pens.#", "players.1.score", "pens.1.owner", "pens.2.owner"]
