"""The log of statements that change one field twice, or objects of two kinds: in Python, and in an exported ruleset."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game
from rulewright.export.write_export import write_export
from rulewright.language.checked_steps import Step, Target
from rulewright.language.declarations import GAME_KIND
from rulewright.language.expressions.typed_ast import Arithmetic, Constant, Stored
from rulewright.language.types import INTEGER, Entity
from rulewright.source.diagnostics.formats import text
from tests.ir.test_sample_statements import Sample, add_statements, grow
from tests.language.inline import MANIFEST, checked

HOST = Path(__file__).parents[1] / "engine" / "hosts" / "vectors.mjs"
THE_GAME = Constant(Entity(GAME_KIND), 0)
POT = Target(INTEGER, THE_GAME, GAME_KIND, "pot")


class Sway(Sample):
    """Adds 3 to a field and takes 5 from it, and adds 1 to a value of the game."""

    name = "sample_sway"
    result = None
    amounts: tuple[tuple[str, int], ...] = (("+", 3), ("-", -5))

    def run(self, step: Step, run: Any) -> None:
        who = run.compute(step.action[0])
        for _, amount in self.amounts:
            self.add(step, run, who, "score", amount)
        run.store(POT, THE_GAME.value, run.read_field(THE_GAME.value, GAME_KIND, "pot") + 1, step)

    def lower(self, step: Step, lower: Any) -> None:
        who = step.action[0]
        for by, amount in self.amounts:
            value = grow(who, "score", Constant(INTEGER, amount))
            lower.store(Target(INTEGER, None, "player", "score", minimum=0), who, value, by=by)
        held = Stored(INTEGER, THE_GAME, GAME_KIND, "pot")
        lower.store(POT, THE_GAME, Arithmetic(INTEGER, "+", held, Constant(INTEGER, 1)), by="+")


class Idle(Sway):
    """Takes nothing from a field, and adds nothing to it."""

    name = "sample_idle"
    amounts = (("-", 0), ("+", 0))


class Rebuild(Sway):
    """Stores a new value in a field, and adds to it."""

    name = "sample_rebuild"
    amounts = (("", 2), ("+", 3))


class Clear(Sample):
    """Creates an object of each of two kinds, and removes them again."""

    name = "sample_clear"
    result = None
    kinds = ("tree", "rock")

    def run(self, step: Step, run: Any) -> None:
        entities = []
        for kind in self.kinds:
            entities.append(run.create(kind, {}))
            run.record_event(step, "created", entities[-1], run.read_values(entities[-1]))
        for entity in entities:
            run.remove(entity)
            run.record_event(step, "removed", entity)

    def lower(self, step: Step, lower: Any) -> None:
        for entity in [lower.create(kind, {}, {}, Entity(kind)) for kind in self.kinds]:
            lower.remove(entity)


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    add_statements(monkeypatch, Sway, Idle, Rebuild, Clear)


@pytest.mark.parametrize(
    ("statement", "changes"),
    [
        ("sway", ["Player 1 gains 3 points and now has 6.", "Player 1 pays 5 points and has 1 left."]),
        ("idle", ["Player 1 pays nothing."] * 2),
        ("rebuild", ["Player 1’s points is now 5.", "Player 1’s points is now 8."]),
    ],
)
def test_each_change_of_a_field_has_its_own_sentence(statement: str, changes: list[str], tmp_path: Path) -> None:
    assert list_sentences(statement, tmp_path) == [*changes, "Pot is now 1."]


def test_each_object_is_called_by_its_own_kind(tmp_path: Path) -> None:
    assert list_sentences("clear", tmp_path) == [
        "A tree comes into play.",
        "A rock comes into play.",
        "The tree leaves play.",
        "The rock leaves play.",
    ]


def list_sentences(statement: str, folder: Path) -> list[str]:
    """Return the log of a step with a statement of this file, after checking that an exported ruleset has the same."""
    source = f"""
kinds:
  player: {{fields: {{score: {{type: count, default: 3, wording: points}}}}}}
  tree: {{wording: {{one: tree}}, fields: {{height: {{type: count, default: 1}}, age: {{type: count, default: 1}}}}}}
  rock: {{wording: {{one: rock}}, fields: {{}}}}
state: {{pot: int}}
procedures:
  main: {{steps: [{{id: each, for_each: p, in: players, steps: [{{id: a, sample_{statement}: p}}]}}]}}
"""
    ruleset, diagnostics = checked(source, manifest=f"{MANIFEST[:-1]}, start: main}}", shapes=False)
    assert not diagnostics.errors, text.render(diagnostics)
    assert ruleset is not None
    write_export(ruleset, folder, vectors=True)
    done = subprocess.run(["node", HOST, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [event.text for event in Game(ruleset, players=1).log if event.text]
