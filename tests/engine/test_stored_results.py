"""A result that equals the old value of its place is reported like any other, in Python and in JavaScript."""

from __future__ import annotations

import subprocess
from pathlib import Path

from rulewright import Game
from rulewright.engine.narration.events import format_story
from rulewright.export.write_export import write_export
from tests.ir.test_sample_logs import HOST
from tests.language.inline import MANIFEST, sound

RULES = """\
tables: {colours: {rows: {red: {title: Red}}}}
kinds:
  player: {fields: {colour: {type: colours, default: red, log: "{self} sails under the {self.colour} flag"}}}
procedures:
  main:
    steps:
      - {id: flags, for_each: one, in: players, steps: [{id: flag, draw: {one_of: colours}, into: one.colour}]}
      - {id: again, for_each: one, in: players, steps: [{id: same, set: {one.colour: red}}]}
      - {id: over, finish: {winners: []}}
"""


def test_a_result_that_changes_nothing_is_reported_where_it_is_stored(tmp_path: Path) -> None:
    ruleset = sound(RULES, manifest=f"{MANIFEST[:-1]}, start: main}}")
    story = format_story(ruleset, Game(ruleset, players=2).log)
    assert story[:2] == ("Player 1 sails under the Red flag.", "Player 2 sails under the Red flag.")
    assert len(story) == 3, "setting a field to the value that it has is not worth a line"
    write_export(ruleset, tmp_path, vectors=True)
    done = subprocess.run(["node", HOST, tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
