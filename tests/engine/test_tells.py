"""Logs say what the rules tell them to, and nothing where the rules keep still."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Game, load_ruleset
from rulewright.cli.main import main
from rulewright.export.write_export import write_export
from rulewright.ruleset.lints import run_lints
from rulewright.source.diagnostics.collector import Diagnostics
from tests.engine.test_export import MANIFEST, MOST, go_on, node, same
from tests.language.inline import sound

RULES = """\
kinds:
  lamp:
    plural: lamps
    label: Lamp {self.number}
    log: {comes: "{self} is put up"}
    fields:
      number: {type: int, log: ""}
      lit: {type: bool, log: {if_true: "{self} is lit", if_false: "{self} goes out"}}
      oil: {type: count, log: "{self} holds {self.oil}"}
      seen: {type: list of int}
state:
  night: {type: int, log: "Night {self.night} falls"}
procedures:
  game:
    title: A game
    steps:
      - {id: fall, set: {night: 1}}
      - {id: lamp, create: lamp, with: {number: 3}}
      - {id: spare, create: lamp, with: {number: 4}, log: ""}
      - {id: light, set: {lamp.lit: true}}
      - {id: fill, gain: {who: lamp, oil: 2}}
      - {id: look, set: {lamp.seen: "[5, 6]"}}
      - {id: renamed, set: {lamp.number: 7}}
      - {id: out, set: {lamp.lit: false}}
      - {id: gone, remove: lamp}
      - {id: end, finish: {winners: []}}
"""


def folder(tmp_path: Path, rules: str) -> Path:
    (tmp_path / "street").mkdir(parents=True)
    manifest = "ruleset: house/street\nversion: 1.0.0\ntitle: Street\nrounding: truncate\nplayers: 1\nstart: game\n"
    (tmp_path / "street" / "ruleset.yaml").write_text(manifest + "status: draft\n", encoding="utf-8")
    (tmp_path / "street" / "rules.yaml").write_text(rules, encoding="utf-8")
    return tmp_path


def test_the_rules_own_words_are_told(tmp_path: Path) -> None:
    game = Game(load_ruleset("house/street", rules=[folder(tmp_path, RULES)]), players=1, seed=1)
    assert [event.text for event in game.log if event.text] == [
        "Night 1 falls.",
        "Lamp 3 is put up.",
        "Lamp 3 is lit.",
        "Lamp 3 holds 2.",
        "5 and 6 are now in Lamp 3’s seen.",
        "Lamp 7 goes out.",
        "Lamp 7 leaves play.",
        "The game is over, and nobody has won.",
    ]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"{self} holds {self.oil}"', '"{self} holds {self.oils}"'),
        ('number: 4}, log: ""', 'number: 4}, log: "{self.oils}"'),
        ("remove: lamp}", 'remove: lamp, log: "{self.oils}"}'),
    ],
)
def test_words_that_name_what_is_not_there_are_refused(
    right: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert right in RULES
    assert main(["check", "--rules", str(folder(tmp_path, RULES.replace(right, wrong))), "house/street"]) == 1
    assert "a label cannot contain the placeholder `self.oils`" in capsys.readouterr().err


PATHS = """\
tables:
  hues: {rows: {red: {title: deep red}, gold: {title: pale gold}}}
  glows:
    columns: {power: int, hue: hues, lesser: optional glows}
    rows: {faint: {power: 1, hue: red}, bright: {power: 5, hue: gold, lesser: faint}}
records:
  spark: {parts: {glow: glows, count: int}}
kinds:
  player: {fields: {purse: int}}
  lamp:
    label: "{self.glow.hue} lamp"
    fields:
      owner: {type: player}
      glow: {type: glows, log: "{self} has {self.glow.power} and {self.glow.lesser.hue}"}
      spare: {type: optional glows, log: "The spare of {self} has {self.spare.power}"}
      spark: {type: spark, default: "spark(faint, 0)", log: "{self.spark.count} sparks of {self.spark.glow.hue}"}
      shade: {type: glows, default: faint, seen_by: self.owner, log: "A shade of {self.shade.power}"}
procedures:
  game:
    steps:
      - {id: lamp, create: lamp, with: {owner: first(players), glow: faint}, log: ""}
      - {id: turned, set: {lamp.glow: bright}}
      - {id: fitted, set: {lamp.spare: bright}}
      - {id: lost, set: {lamp.spare: none}}
      - {id: sparks, set: {lamp.spark: "spark(bright, 3)"}}
      - {id: shaded, set: {lamp.shade: bright}}
      - {id: asked, choose: {who: first(players), from: [on, off]}}
      - {id: over, finish: {winners: []}}
"""


def test_values_inside_values_are_told(tmp_path: Path) -> None:
    ruleset = sound(PATHS, manifest=MANIFEST)
    job = {"players": 2, "seed": 1, "options": {}, "bot": "random", "most": MOST}
    game = Game(ruleset, players=2, seed=1)
    assert [event.text for event in game.log if event.text] == [
        "Deep red lamp has 5 and deep red.",
        "The spare of pale gold lamp has 5.",
        "The spare of pale gold lamp has none.",
        "3 sparks of pale gold.",
        "A shade of 5.",
    ]
    assert "A shade of 5." not in [event.text for event in game.log_for(2)]
    write_export(ruleset, tmp_path)
    (answer,) = node({"folder": str(tmp_path), **job})
    same(answer, go_on(Game(ruleset, players=2, seed=1), seed=1))


@pytest.mark.parametrize(
    ("wrong", "message", "hint"),
    [
        ("self.glow.powr", "`self.glow` is a row of glows, and has no value `powr` that a label can show", "power"),
        ("self.spark.glow.hue.x", "`self.spark.glow.hue` is a row of hues, and has no value `x`", "of a row"),
        ("self.owner.purse", "`self.owner` is a player, and has no value `purse` that a label can show", "step `say`"),
        ("self.glw.power", "a label cannot contain the placeholder `self.glw.power`", "self"),
    ],
)
def test_values_that_no_label_can_show_are_refused(wrong: str, message: str, hint: str) -> None:
    diagnostics = Diagnostics()
    run_lints(sound(PATHS.replace("self.glow.power", wrong), manifest=MANIFEST), diagnostics)
    (error,) = [each for each in diagnostics if each.code.id == "unknown-placeholder"]
    assert message in error.message
    assert hint in str(error.suggestion)
