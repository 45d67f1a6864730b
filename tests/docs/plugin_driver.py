"""Types what the pages on how to add something say, in the copy of the checkout that they were written into.

Run as a script, in one process for all pages: its first argument is what there is to type, and it prints as JSON what
came of it.
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from reference import commands, diagnostics, expressions, files, steps

from rulewright import load_ruleset
from rulewright.book.rulebook import render_site
from rulewright.book.site.languages import list_other_books
from rulewright.cli.main import main
from rulewright.engine.state.game_state import State
from rulewright.engine.state.machine import Machine
from rulewright.ir.analyses.knowledge import Knowledge
from tests.engine.machines import Setup, Table

GAMES = 12
PROGRAM = ".venv/bin/rulewright"
MANIFEST = "ruleset: my/wrong\nversion: 1.0.0\nextends: %s\ntitle: Wrong\nstatus: draft\n"
WRONG = ("{id: a, double: who.scoer}", "{id: a, double: player}", '{id: a, set: {pot: "clamp(pot, 2)"}}')

WRONG_AT_THE_FAIR = (
    "{id: a, set: {who.at: who.at.outward}}",
    "{id: a, set: {who.at: first(who.at.inward)}}",
    "{id: a, sample_invite: a, among: players, steps: []}",
    "{id: a, sample_invite: b, among: players, steps: []}, {id: c, gain: {who: b, coins: 1}}",
    "{id: a, sample_invite: b, among: players, steps: []}, {id: c, gain: {who: a, coins: 1}}",
    "tables: {field: {title: Field, sample_wheel: {spokes: 2, rings: 1}}}",
)


def typed(language: str, text: str) -> tuple[int, str]:
    """Return what a block exits with (a shell stops at the first fault), and prints on both outputs."""
    out = StringIO()
    code = 0
    with redirect_stdout(out), redirect_stderr(out):
        if language == "python":
            exec(compile(text, "page", "exec"), {})
        for line in text.splitlines() if language == "sh" else []:
            program, *arguments = shlex.split(line)
            assert program == PROGRAM, line
            try:
                code = main(arguments)
            except SystemExit as left:
                code = int(left.code or 0)
            if code:
                break
    return code, out.getvalue()


def alike(reference: str, *procedures: str) -> dict[str, int]:
    """Return how games of a ruleset end, on every machine there is, held against the interpreter."""
    table = Table(load_ruleset(reference, rules="my-rules"))

    def setup(procedure: str) -> Setup:
        def make_state(machine: Machine) -> tuple[State, str, tuple[int, ...]]:
            state = machine.empty(2)
            return state, procedure, () if procedure == "game" else state.live[1][:1]

        return make_state

    ended = [
        play(setup(procedure), seed)
        for procedure in procedures
        for seed in range(GAMES)
        for play in (table.play, table.sample)
    ]
    return {word: ended.count(word) for word in set(ended)}


def fair() -> dict[str, Any]:
    """Play and simulate the fairground, whose statements ask, roll and run steps."""
    given = "my/fair --rules my-rules"
    ruleset = load_ruleset("my/fair", rules="my-rules")
    return {
        "alike": alike("my/fair", "game", "market", "visit", "charity"),
        "check": typed("sh", f"{PROGRAM} check {given}")[1],
        "coverage": json.loads(typed("sh", f"{PROGRAM} simulate {given} --games 40 --coverage --json")[1]),
        "site": render_site(ruleset),
        "german": {name: page for book in list_other_books(ruleset) for name, page in book.pages.items()},
    }


def find_known_slots(procedure: str, step: str) -> bool:
    """Return whether whoever saw it knows the secret that a step of `my/try` keeps in its last slot, also in a loop."""
    ruleset = load_ruleset("my/try", rules="my-rules")
    result = next(each for each in ruleset.procedures[procedure].iterate_steps() if each.id == step)
    return bool(Knowledge(ruleset).find_sources(procedure, result.action[-1], result.number))


def refused(rules: str, base: str) -> str:
    """Return what `check` says of wrong rules that a ruleset adds to `base`. Steps are those of a new procedure."""
    folder = Path("my-rules") / "wrong"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ruleset.yaml").write_text(MANIFEST % base, encoding="utf-8")
    if rules.startswith("{"):
        rules = f"procedures: {{wrong: {{title: Wrong, given: {{who: player}}, steps: [{rules}]}}}}"
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    return typed("sh", f"{PROGRAM} check my/wrong --rules my-rules")[1]


def collect_answers(blocks: dict[str, list[list[str]]]) -> dict[str, Any]:
    """Return everything that the tests want to know."""
    return {
        "typed": {page: [typed(*block) for block in found] for page, found in blocks.items()},
        "alike": alike("my/try", "game", "feast", "handout", "staking"),
        "known": find_known_slots("staking", "bet"),
        "fair": fair(),
        "machines": [type(each).__name__ for each in Table(load_ruleset("pig/classic")).others],
        "help": {verb: typed("sh", f"{PROGRAM} {verb} --help")[1] for verb in ("play", "simulate", "odds")},
        "reference": {
            "diagnostics": "".join(diagnostics.pages().values()),
            "commands": commands.pages()["commands.md"],
            **{part.__name__.rpartition(".")[2]: part.page() for part in (expressions, files, steps)},
        },
        "refused": {text: refused(text, "pig/classic@1") for text in WRONG},
        "refused_at_the_fair": {text: refused(text, "my/fair@1") for text in WRONG_AT_THE_FAIR},
        "site": render_site(load_ruleset("my/try", rules="my-rules")),
    }


if __name__ == "__main__":
    print(json.dumps(collect_answers(json.loads(sys.argv[1]))))
