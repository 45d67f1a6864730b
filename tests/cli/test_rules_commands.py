"""`check`, `show`, `why`, `run`, `roll` and `odds` on rulesets, as designers call them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from rulewright.cli.main import main
from tests.breadth import THOROUGH, some
from tests.source.test_formats import KEYS

NORMAL = "fuzzy-knights/normal@1.0"


@pytest.fixture
def rules(tmp_path: Path, checkout: Path) -> Path:
    """Return a copy of the shipped rules, to be broken."""
    folder = tmp_path / "rules"
    shutil.copytree(checkout / "rules", folder)
    return folder


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_everything_shipped_is_sound(capsys: pytest.CaptureFixture[str], checkout: Path) -> None:
    # That all of it is, the README's first command shows, and its test runs that.
    few = () if THOROUGH else ("pig/classic", NORMAL)
    code, out, err = call(capsys, "check", *few, "--rules", checkout / "rules")
    assert (code, err) == (0, "")
    # How much of one there is in another language stands below it.
    editions = [line for line in out.splitlines() if not line.startswith("  in ")]
    assert len([line for line in editions if line.startswith("✓")]) == len(editions) >= (3 if THOROUGH else 2)


def test_check_as_json_is_a_list_of_diagnostics(capsys: pytest.CaptureFixture[str], rules: Path) -> None:
    mines = rules / "fuzzy-knights" / "normal-1.0" / "mines.yaml"
    mines.write_text(mines.read_text().replace("capture: 10-70", "capture: 10-60"))
    code, out, err = call(capsys, "check", NORMAL, "--rules", rules, "--format", "json")
    assert (code, err) == (1, "")
    data, *warnings = json.loads(out)
    # This folder hides the rules that are shipped, and what is not sound is not held against its source.
    assert {each["code"] for each in warnings} == {"shadowed-edition", "source-not-looked-into"}
    assert list(data) == KEYS
    assert (data["code"], data["message"]) == ("faces-gap", "no row of guardian_check covers 70")


def test_the_sources_example_of_a_guarded_place(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys,
        "run",
        NORMAL,
        "visit_mine",
        "--dice",
        "90,3",
        "--given",
        "settlements=[{tier: villa}]",
        "--until",
        "guardians",
    )
    assert code == 0
    assert "🎲 1dP comes to 90: Fight." in out
    assert "guardians = 5" in out


def test_the_sources_example_of_five_tokens(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(
        capsys,
        "run",
        NORMAL,
        "visit_monsters",
        "--given",
        "tokens=[{}, {}, {}, {}, {}]",
        "--given",
        "players=[{coin: 12}]",
        "--dice",
        "10,50,80,40,100,3,4,20,9,11",
        "--choose",
        "6,4",
        "--until",
        "horde",
        "--json",
    )
    assert code == 0
    values = json.loads(out)["values"]
    assert values["horde"] == 40
    rolled = [event["text"] for event in json.loads(out)["events"] if event["rule"] == "visit_monsters.defecting"]
    assert rolled == ["🎲 1d6 +3 comes to 6."]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--dice", "90"], "dice-script", "rolls 1d6, but the script has only 1"),
        (["--dice", "60,3"], "dice-script", "no roll is left for the last result of the script: `3`"),
        (["--dice", "95"], "dice-script", "cannot have the result 95"),
        (["--dice", "90,7", "--until", "guardians"], "dice-script", "the faces are 1, 2, 3, 4, 5, 6"),
        (["--dice", "60", "--until", "guardian"], "no-such-step", "did you mean `guardians`"),
        (["--dice", "60", "--until", "guardians"], "never-reached", "`guardians` was not reached"),
        (["--dice", "60", "--given", "hreo={}"], "bad-given", "did you mean `hero`"),
        (["--dice", "60", "--given", "mine={ownr: 1}"], "bad-given", "did you mean `owner`"),
        (["--dice", "60", "--given", "mine={owner: 9}"], "bad-given", "there are 2 players"),
        (["--dice", "60", "--given", "mine=[1"], "unclosed-bracket", "--given:1"),
        (["--dice", "60", "--option", "rolls=al"], "bad-given", "`rolls` has no choice `al`"),
    ],
)
def test_scripts_and_positions_that_do_not_fit(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: str, message: str
) -> None:
    exit_code, out, err = call(capsys, "run", NORMAL, "visit_mine", *arguments)
    assert (exit_code, " = " in out) == (1, False)  # what happened until then is told, and no outcome
    assert f"error[{code}]" in err
    assert message in err


@pytest.mark.parametrize("given", ["player={score: 95}", "player=[95]"])
def test_fields_for_a_player_who_is_no_parameter_belong_to_the_list_of_players(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = call(capsys, "run", "pig/classic@1.0", "game", "--given", given, "--dice", "5")
    assert code == 1
    assert "error[bad-given]: a player is needed here (a seat, such as 1)" in err
    assert "set fields of all players with `players: [{FIELD: VALUE}, {}]`" in err


def test_a_choice_that_is_not_legal_names_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(
        capsys, "run", NORMAL, "visit_monsters", "--given", "tokens=[{}]", "--dice", "100,3", "--choose", "7"
    )
    assert code == 1
    assert "error[illegal-choice]" in err
    assert "the options are: 0, 1, 2, 3, 4, 5, 6" in err


@pytest.mark.parametrize("verb", ["show", "why", "run", "check", "play"])
@pytest.mark.parametrize(
    ("reference", "code", "message"),
    [
        ("fuzzy-knights/normel", "unknown-ruleset", "fuzzy-knights/normal"),
        ("fuzzy-knights/normal@7", "unknown-version", "1.0.1"),
        ("fuzzy knights", "bad-reference", "game"),
    ],
)
def test_unknown_rulesets_name_the_nearest(
    capsys: pytest.CaptureFixture[str], verb: str, reference: str, code: str, message: str
) -> None:
    further = {"why": ["x"], "run": ["x"]}.get(verb, [])
    exit_code, _, err = call(capsys, verb, reference, *further)
    assert exit_code == 1
    assert f"error[{code}]" in err
    assert message in err


def test_show_prints_a_rule_merged_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "show", NORMAL, "guardian_check", "--json")
    assert code == 0
    assert json.loads(out)["value"]["rows"] == {"capture": {"on": "10-70"}, "fight": {"on": "80-100"}}
    _, out, _ = call(capsys, "show", NORMAL, "visit_mine.capture")
    assert "core/mines.yaml:" in out


def test_show_names_each_place_that_changed_a_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    manifest = "ruleset: house/pig\nversion: 0.1.0\nextends: pig/classic@1\ntitle: House Pig\nstatus: draft\n"
    (tmp_path / "ruleset.yaml").write_text(manifest)
    (tmp_path / "rules.yaml").write_text("numbers:\n  goal:\n    is: 50\n")
    _, out, _ = call(capsys, "show", "house/pig", "goal", "--rules", str(tmp_path))
    heads = [line for line in out.splitlines() if line.startswith("# ")]
    assert heads[1].startswith("# pig/classic@1.0.0, ")
    assert heads[2:] == [f"# changed by house/pig@0.1.0, {tmp_path / 'rules.yaml'}:3"]
    _, out, _ = call(capsys, "show", "house/pig", "die", "--rules", str(tmp_path))
    assert "changed by" not in out


def test_an_option_that_was_taken_is_told_by_its_label(capsys: pytest.CaptureFixture[str]) -> None:
    script = [
        "--choose",
        "tier",
        "--given",
        "settlement={tier: encampment, owner: 1}",
        "--given",
        "players=[{coin: 20}]",
    ]
    code, out, err = call(capsys, "run", NORMAL, "build", *script)
    assert code == 0, err
    assert "plan = The next tier (tier)\n" in out


@pytest.mark.parametrize(
    ("asked", "proposed"),
    [
        ("siege", ["terms.siege", "procedures.siege"]),
        ("siege.means", ["terms.siege.means", "procedures.siege.means"]),
        ("siege.titel", ["procedures.siege.title"]),
        ("visit_mine.chek", ["procedures.visit_mine.check"]),
        ("tables.guardian_check.rows.10", ["tables.guardian_check.rows.capture", "tables.guardian_check.rows.fight"]),
        ("visit_min", ["visit_mine"]),
    ],
)
@pytest.mark.parametrize("verb", some(["show", "why"], ["why"]))
def test_what_is_proposed_for_an_id_can_be_typed(
    verb: str, asked: str, proposed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Both verbs look an id up in the same way."""
    code, out, err = call(capsys, verb, "fuzzy-knights/medium@0.1", asked)
    assert (code, out) == (1, "")
    help_line = next(line for line in err.splitlines() if "= help:" in line)
    assert re.findall("`([^`]+)`", help_line) == proposed
    for identity in some(proposed, proposed[-1:]):
        code, out, err = call(capsys, verb, "fuzzy-knights/medium@0.1", identity)
        assert (code, err) == (0, "")
        assert identity.rpartition(".")[2] in out


def test_a_name_of_two_sections_is_found_where_only_one_has_what_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = call(capsys, "show", "fuzzy-knights/medium@0.1", "siege.title")
    assert code == 0
    assert out.startswith("# procedures.siege.title\n")


def test_why_names_every_layer_behind_a_value(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "soft"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        "ruleset: house/soft\nversion: 0.1.0\nextends: fuzzy-knights/normal@1.0\ntitle: Soft\nstatus: draft\n"
    )
    (folder / "rules.yaml").write_text("tables:\n  guardian_check:\n    rows: {capture: 10-80, fight: 90-100}\n")
    code, out, _ = call(capsys, "why", "house/soft", "guardian_check.capture", "--rules", tmp_path, "--json")
    assert code == 0
    [value] = json.loads(out)
    assert [(o["layer"], o["operation"], o["value"]) for o in value["origins"]] == [
        ("fuzzy-knights/core@1.0.1", "defines", "10-80"),
        ("fuzzy-knights/normal@1.0.1", "changes", "10-70"),
        ("house/soft@0.1.0", "changes", "10-80"),
    ]


def test_roll_and_odds_on_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "roll", NORMAL, "guardian_check", "--seed", "3", "--json")
    assert code == 0
    rolled = json.loads(out)
    assert rolled["row"] == ("capture" if rolled["total"] <= 70 else "fight")
    code, out, _ = call(capsys, "odds", NORMAL, "guardian_check", "--json")
    assert json.loads(out)["rows"] == {"capture": "7/10", "fight": "3/10"}


def test_changing_one_number_changes_what_run_does(capsys: pytest.CaptureFixture[str], rules: Path) -> None:
    mines = rules / "fuzzy-knights" / "core" / "mines.yaml"
    mines.write_text(mines.read_text().replace("villa: {roll: 1d6 +2}", "villa: {roll: 1d6 +4}"))
    _, out, _ = call(
        capsys,
        "run",
        NORMAL,
        "visit_mine",
        "--dice",
        "90,3",
        "--given",
        "settlements=[{tier: villa}]",
        "--until",
        "guardians",
        "--rules",
        rules,
    )
    assert "guardians = 7" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", NORMAL],
        ["run", NORMAL, "visit_mine", "--given", "hero"],
        ["check", "--format", "xml"],
        ["fly"],
        [],
        ["play", "pig/classic", "--players", ","],
        ["run", NORMAL, "visit_mine", "--option", "rolls"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_a_name_leads_to_the_rule_and_not_to_its_looks_on_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    for name, section in (("game", "procedures"), ("board.game", "board")):
        assert main(["show", "classics/hex@1.0", name]) == 0
        assert capsys.readouterr().out.startswith(f"# {section}.game\n")


@pytest.mark.parametrize("verb", ["show", "why"])
def test_a_name_that_leads_to_two_places_is_told_with_both(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "pig/classic@1.0", "pot"]) == 1
    _, err = capsys.readouterr()
    assert "error[several-of-a-name]: `pot` is in terms and in state" in err
    assert "leads nowhere" not in err
    assert "name it `terms.pot` or `state.pot`" in err


@pytest.mark.parametrize(
    "wrong",
    [
        "version: one\n",
        "version: 1.0.0\nextends: pig/classic@one\n",
        "version: 1.0.0\nplayers: [2]\n",
        "version: 1.0.0\nstatus: done\n",
        "version: 1.0.0\ntitel: Mine\n",
        "version: 1.0.0\nversion: 1.0.0\n",
        "version: 1.0.0\nstart: gone\nplayers: 0\n",
    ],
)
@pytest.mark.parametrize(
    "neighbours",
    [
        "ruleset: [\n",
        "ruleset: house/mine\ntitle: B\nabout: C.\n",
        "ruleset: house/mine\nversion: one\ntitle: B\nabout: C.\n",
        "ruleset: house/mine\nversion: 1.0.0\n",
        "ruleset: house/mine\nversion: 1.0.1\n",
        "ruleset: house/mine\nversion: 1.0.0\ntitle: B\nabout: C.\n",  # a second time
    ],
)
def test_what_is_wrong_with_the_edition_asked_for_is_told_beside_a_broken_neighbour(
    wrong: str, neighbours: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    mine, neighbour = tmp_path / "mine", tmp_path / "neighbour"
    mine.mkdir()
    (mine / "ruleset.yaml").write_text(f"ruleset: house/mine\ntitle: Mine\nabout: A game.\n{wrong}", encoding="utf-8")

    def check_house() -> set[tuple[str, str]]:
        code, out, _ = call(capsys, "check", "house/mine", "--rules", tmp_path, "--format", "json")
        assert code == 1
        return {(each["code"], each["message"]) for each in json.loads(out)}

    alone = check_house()
    assert alone
    neighbour.mkdir()
    (neighbour / "ruleset.yaml").write_text(neighbours, encoding="utf-8")
    assert alone <= check_house()
