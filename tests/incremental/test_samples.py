"""A sample is played again exactly if an edit touches what its game, or the thinking of its bots, came across."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.lsp.features.workspace import Workspace

MANIFEST = """\
ruleset: made-up/crossroads
version: 1.0.0
title: Crossroads
about: Left or right?
players: 1
start: game
evaluate: standing
"""
RULES = """\
numbers:
  worth: {is: 5, means: What gold is worth.}
  gold: {is: 3, means: The gold on the left.}
  silver: {is: 4, means: The silver on the right.}
  unmet: {is: 7, means: The price of what never happens.}
kinds:
  player:
    fields:
      gold: {type: count, means: How rich.}
      silver: {type: count, means: How rich otherwise.}
state:
  player: {type: player, means: Who walks.}
  paths: {type: count, means: Walked so far.}
formulas:
  standing: {given: {who: player}, is: who.gold * worth + who.silver, means: What bots go by.}
procedures:
  game:
    title: A walk
    means: One way, then the other.
    steps:
      - {id: way, choose: {who: player, from: [left, right]}, ask: Which way?}
      - {id: walked, set: {paths: paths + 1}}
      - id: fork
        if: way == left
        then: [{id: dig, do: dig_gold}]
        else: [{id: pick, do: pick_silver}]
      - {id: rest, choose: {who: player, from: [sleep, sing]}, ask: And now?}
      - {id: over, finish: {winners: [player]}}
  dig_gold:
    title: Digging
    means: On the left.
    steps: [{id: found, gain: {who: player, gold: gold}}]
  pick_silver:
    title: Picking
    means: On the right.
    steps: [{id: picked, gain: {who: player, silver: silver}}]
  never:
    title: Never
    means: Nobody comes here.
    steps: [{id: paid, gain: {who: player, gold: unmet}}]
samples:
  walk: {title: A walk, players: 1, seed: 1, policy: greedy, until: dig_gold.found}
"""

EDITS = {
    "what nobody meets": ("is: 7", "is: 8", False),
    "a description": ("How rich.", "How very rich.", False),
    "the evaluation, with the same choice": ("is: 5", "is: 6", True),
    "the evaluation, with another choice": ("is: 5", "is: 1", True),
    "what only the bot looked at": ("is: 4", "is: 40", True),
    "what it plays": ("is: 3", "is: 2", True),
    "a procedure that only the bot looked at": ("silver: silver}", "silver: silver + 30}", True),
}


def open_workspace(folder: Path, rules: str) -> Workspace:
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    workspace = Workspace([folder.parent])
    workspace.texts.put(folder / "rules.yaml", rules)
    return workspace


def list_problems(workspace: Workspace) -> list[tuple[str, str]]:
    return [(each.code.id, each.message) for told in workspace.settle().diagnostics.values() for each in told]


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_plays_a_sample_again_only_if_it_matters(tmp_path: Path, name: str) -> None:
    old, new, matters = EDITS[name]
    assert RULES.count(old) == 1
    edited = open_workspace(tmp_path / "rules", RULES)
    before = list_problems(edited)
    assert not [code for code, _ in before if code in ("never-reached", "internal-error")]
    played = edited.traces.work["samples"]
    assert played == 1
    edited.texts.put(tmp_path / "rules" / "rules.yaml", RULES.replace(old, new))
    now = list_problems(edited)
    assert now == list_problems(open_workspace(tmp_path / "rules", RULES.replace(old, new)))
    assert (edited.traces.work["samples"] > played) == matters


def test_another_choice_of_the_bot_is_noticed(tmp_path: Path) -> None:
    edited = open_workspace(tmp_path / "rules", RULES)
    assert "never-reached" not in dict(list_problems(edited))
    edited.texts.put(tmp_path / "rules" / "rules.yaml", RULES.replace("is: 5", "is: 1"))
    assert "never-reached" in dict(list_problems(edited))
