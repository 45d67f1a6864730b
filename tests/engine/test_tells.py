"""Logs say what the rules tell them to, and nothing where the rules keep still."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.cli.main import main

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
    from rulewright import Game

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
