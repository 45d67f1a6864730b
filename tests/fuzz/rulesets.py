"""Rules files, harmed: diagnostics with a place, or rules whose random games end, or come to a fault of the rules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from rulewright.base.errors import RulewrightError
from rulewright.base.resources import find_resource
from rulewright.dice.sampling.random_generator import Generator
from rulewright.engine.python_backend.compiler import FusedMachine
from rulewright.engine.python_backend.runtime_support import Picks
from rulewright.engine.state.faults import RulesFault
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.formats import text
from tests.fuzz.mutate import harmed, main
from tests.language.inline import checked

GAMES = ("pig/classic-1.0", "classics/tic-tac-toe-1.0", "classics/yacht-1.0")


@cache
def sound() -> tuple[tuple[str, str], ...]:
    """Return the rules and the manifest of each game."""
    findings = []
    for name in GAMES:
        folder = Path(str(find_resource("rules"))) / name
        files = sorted(path for path in folder.glob("*.yaml") if path.name in ("rules.yaml", "procedures.yaml"))
        files = files or sorted(path for path in folder.glob("*.yaml") if path.name != "ruleset.yaml")[:1]
        findings.append((files[0].read_text(encoding="utf-8"), (folder / "ruleset.yaml").read_text(encoding="utf-8")))
    return tuple(findings)


def trial(random: Random) -> None:
    """One ruleset, and some games of it where it is sound."""
    rules, manifest = random.choice(sound())
    try:
        ruleset, diagnostics = checked(harmed(rules, random), manifest=manifest)
    except DiagnosticError as error:
        assert len(str(error)) < 200_000
        return
    assert len(text.render(diagnostics)) < 400_000
    if ruleset is None or diagnostics.errors or ruleset.start is None:
        return
    machine = FusedMachine(ruleset)
    players = ruleset.players[0]
    state = machine.empty(players)
    state.generator = Generator("fuzz", "dice")
    state.bots = Picks("fuzz", players, 500, lambda: None).draws
    try:
        machine.begin(state, ruleset.start, ())
    except (RulesFault, RulewrightError) as fault:
        assert len(str(fault)) < 20_000


if __name__ == "__main__":
    main("rulesets", trial)
