"""Rulesets that `check` calls sound and that ask for as much as rules may: what every command must come to an end of.

Each is a function of `size`, which is 1 where everything is as large as it may be, and less where a test is to be done
soon. `python -m tests.fuzz.worst FOLDER` writes them all at full size, an edition each, to try commands on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

MANIFEST = """\
ruleset: worst/{name}
version: 1.0.0
title: Worst of {name}
status: draft
rounding: truncate
players: {players}
start: game
"""

STATE = """\
state:
  turn: {type: int, means: A number.}
  player: {type: player, means: Who is asked.}
"""
ENDLESS = """\
state: {player: {type: player, means: Who is asked.}}
procedures:
  game:
    title: A game
    means: It goes on.
    steps:
      - id: turns
        repeat:
          steps:
            - {id: move, choose: {who: player, from: [go, on]}, ask: What now?}
"""


def _many(size: float, most: int) -> int:
    return max(2, int(most * size))


def _game(*steps: str, before: str = "", after: str = "") -> str:
    body = "".join(f"      {line}\n" for step in steps for line in step.splitlines())
    return f"{STATE}{before}procedures:\n  game:\n    title: A game\n    means: It goes on.\n    steps:\n{body}{after}"


ASK = "- {id: move, choose: {who: player, from: [go, on]}, ask: What now?}"
BUSY = """\
- id: busy
  repeat:
    at_most: {rounds}
    steps: [{{id: inner, repeat: {{at_most: {rounds}, steps: [{{id: y, set: {{turn: 1}}}}]}}}}]"""


def _busy(size: float) -> str:
    return BUSY.format(rounds=_many(size**0.5, 900))


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.splitlines())


def long_moves(size: float) -> str:
    """Return moves just within what a move may take, without end."""
    turns = f"- id: turns\n  repeat:\n    steps:\n{_indented(ASK, 6)}\n{_indented(_busy(size), 6)}"
    return _game(turns)


def long_options(size: float) -> str:
    """Return a decision among as many options as there may be, again and again."""
    before = "kinds:\n  thing: {plural: things, means: A thing., fields: {n: {type: int, means: It.}}}\n"
    many = _many(size, 9_000)
    text = f"- id: laid\n  repeat: {{at_most: {many}, steps: [{{id: one, create: thing, with: {{n: 1}}}}]}}"
    turns = (
        "- id: turns\n  repeat:\n    steps:\n"
        "      - {id: go, choose: {who: player, from: [go, on]}, ask: What now?}\n"
        "      - {id: move, choose: {who: player, one_of: things}, ask: What now?}\n"
        '      - {id: off, choose: {who: player, some_of: "list(t for t in things if t.n < 1)"}, ask: Which?}\n'
    )
    return _game(text, turns, before=before)


def some_of_many(size: float) -> str:
    """Return any number of things: as many subsets as a decision may offer."""
    before = "kinds:\n  thing: {plural: things, means: A thing., fields: {n: {type: int, means: It.}}}\n"
    text = "- id: laid\n  repeat: {at_most: 16, steps: [{id: one, create: thing, with: {n: count(things)}}]}"
    turns = (
        "- id: turns\n  repeat:\n    steps:\n"
        "      - {id: go, choose: {who: player, from: [go, on]}, ask: What now?}\n"
        "      - {id: move, choose: {who: player, some_of: things}, ask: What now?}\n"
    )
    return _game(text, turns, before=before)


def long_game(size: float) -> str:
    """Return a game of quick decisions that never ends."""
    return ENDLESS


def long_rolls(size: float) -> str:
    """Roll without end, and nobody asked."""
    rounds = _many(size, 30_000)
    return _game(
        f"- id: rolls\n  repeat: {{at_most: {rounds}, steps: [{{id: one, roll: 1000d6}},"
        " {id: y, set: {turn: one}}]}",
        "- {id: over, finish: {winners: players}}",
    )


def large_table(size: float) -> str:
    """Return a roll table whose roll has as many outcomes as dice may have, with a row for each stretch."""
    rows = _many(size, 20_000)
    body = "".join(f"      r{n}: {n}\n" for n in range(1, rows + 1))
    return (
        "tables:\n  wide:\n    title: Wide\n    roll: 1d"
        + str(rows)
        + "\n    rows:\n"
        + body
        + _game("- {id: what, roll: wide}", "- {id: over, finish: {winners: players}}")
    )


def large_matrix(size: float) -> str:
    """Return a table of many columns and rows."""
    rows, columns = _many(size**0.5, 170), _many(size**0.5, 170)
    body = "tables:\n  wide:\n    title: Wide\n    columns:\n"
    body += "".join(f"      c{n}: int\n" for n in range(columns)) + "    rows:\n"
    cells = ", ".join(f"c{n}: {n}" for n in range(columns))
    body += "".join(f"      r{n}: {{{cells}}}\n" for n in range(rows))
    return body + _game("- {id: x, set: {turn: sum(r.c1 for r in wide)}}", "- {id: over, finish: {winners: players}}")


def long_lists(size: float) -> str:
    """Return the longest lists, gone through by each other as often as a move may."""
    inner = "{id: y, set: {turn: turn + sum(b.c for b in it if b.c == a.c)}}"
    return _game(
        "- {id: it, let: list(r for r in long)}",
        f"- {{id: all, for_each: a, in: list(r for r in it if r.c < 90), steps: [{inner}]}}",
        "- {id: over, finish: {winners: players}}",
        before=_long_table(_many(size, 10_000)),
    )


def _procedures(calls: list[list[int]], steps: int) -> str:
    """Procedures that each carry out others, by their numbers."""
    body = STATE + "procedures:\n"
    for n, others in enumerate(calls):
        name = f"p{n}" if n else "game"
        body += f"  {name}:\n    title: A part\n    means: It goes on.\n    steps:\n"
        body += "".join(f"      - {{id: s{m}, set: {{turn: turn + {m}}}}}\n" for m in range(steps))
        body += "".join(f"      - {{id: d{m}, do: p{other}}}\n" for m, other in enumerate(others))
        if not n:
            body += "      - {id: over, finish: {winners: players}}\n"
    return body


def long_procedures(size: float) -> str:
    """Three hundred procedures of many steps, each carrying out one of the next ones: forty deep, seven beside."""
    many = _many(size, 300)
    return _procedures(
        [[m for m in (n + 7,) if m < many] if n else list(range(1, min(8, many))) for n in range(many)], 25
    )


def wide_procedures(size: float) -> str:
    """Return three hundred procedures, each carrying out two or three others, up to what a move may take."""
    many = _many(size, 300)
    calls = [[m for m in (2 * n + 1, 2 * n + 2) if m < many] for n in range(many)]
    return _procedures(calls, 20)


def doubling_procedures(size: float) -> str:
    """Procedures that each carry out the next one twice, up to what a move may take."""
    many = 18
    return _procedures([[n + 1, n + 1] if n + 1 < many else [] for n in range(many)], 3)


def many_steps(size: float) -> str:
    """Return one procedure of as many steps as a file may hold."""
    many = _many(size, 11_000)
    return _game(
        *(f"- {{id: s{m}, set: {{turn: turn + {m}}}}}" for m in range(many)),
        "- {id: over, finish: {winners: players}}",
    )


def many_questions(size: float) -> str:
    """Return one procedure with thousands of questions."""
    many = _many(size, 4_000)
    return _game(
        *(f"- {{id: s{m}, choose: {{who: player, from: [go, on]}}, ask: What now?}}" for m in range(many)),
        "- {id: over, finish: {winners: players}}",
    )


def many_branches(size: float) -> str:
    """Conditions within conditions, in one step after another."""
    many = _many(size, 1_500)
    branch = (
        "- {{id: b{m}, if: turn > {m}, then: [{{id: t{m}, set: {{turn: {m}}}}}], "
        "else: [{{id: e{m}, set: {{turn: 0}}}}]}}"
    )
    return _game(*(branch.format(m=m) for m in range(many)), "- {id: over, finish: {winners: players}}")


def deep_formulas(size: float) -> str:
    """Formulas of formulas, as deep as an expression may be."""
    many = 3 * _many(size, 333)
    deep = 29
    body = "formulas:\n"
    for n in range(many):
        inner = f"f{n - 1}(who)" if n % 3 else "who"
        body += f"  f{n}: {{given: {{who: int}}, is: '{'(' * deep}{inner}{' + 1)' * deep}', means: A number.}}\n"
    return body + _game("- {id: x, set: {turn: f2(1)}}", "- {id: over, finish: {winners: players}}")


def doubling_formulas(size: float) -> str:
    """Formulas that each use the one before twice, up to what an expression may take."""
    body = "formulas:\n  f0: {given: {who: int}, is: who + 1, means: A number.}\n"
    for n in range(1, 13):
        body += f"  f{n}: {{given: {{who: int}}, is: 'min(f{n - 1}(who), f{n - 1}(who + 1))', means: A number.}}\n"
    return body + _game("- {id: x, set: {turn: f12(1)}}", "- {id: over, finish: {winners: players}}")


def long_expression(size: float) -> str:
    """Return one expression of thousands of terms."""
    return _game(
        f"- {{id: x, set: {{turn: '{' + '.join(['turn'] * 29)}'}}}}",
        "- {id: over, finish: {winners: players}}",
    )


def busy_examples(size: float) -> str:
    """Examples that use all that they may take together."""
    many = _many(size, 12)
    body = "examples:\n"
    for n in range(many):
        body += f"  e{n}: {{title: It ends, of: game, expect: {{turn: 1}}}}\n"
    rounds = 60
    busy = BUSY.format(rounds=rounds)
    return _game(busy, "- {id: over, finish: {winners: players}}", after=body)


def roll_examples(size: float) -> str:
    """Hundreds of examples of rolls of thousands of dice."""
    many = _many(size, 850)
    body = "examples:\n"
    for n in range(many):
        body += f"  e{n}: {{title: It rolls, roll: {1100 + n % 30}d6, dice: [4000], expect: 4000}}\n"
    return ENDLESS + body


def value_examples(size: float) -> str:
    """Return thousands of examples of values."""
    many = _many(size, 8_000)
    body = "examples:\n"
    for n in range(many):
        body += f"  e{n}: {{title: It is, value: {' + '.join(['1'] * 20)}, expect: 20}}\n"
    return ENDLESS + body


def logged_examples(size: float) -> str:
    """Return an example in which as much happens as may, told step by step, and rolled by dice that are written out."""
    rounds = _many(size, 9_000)
    body = f"examples:\n  e: {{title: It ends, of: game, dice: [{', '.join(['1'] * rounds)}], expect: {{turn: 1}}}}\n"
    return _game(
        f"- id: l\n  repeat: {{at_most: {rounds}, steps: [{{id: d, roll: 1d6}}, {{id: y, set: {{turn: d}}}}]}}",
        "- {id: over, finish: {winners: players}}",
        after=body,
    )


def odds_examples(size: float) -> str:
    """Examples of odds that use all branches that they may have together."""
    many = _many(size, 140)
    body = "examples:\n"
    for n in range(many):
        body += f"  e{n}: {{title: It is fair, of: game, expect_odds: {{turn: {{mean: 35}}}}}}\n"
    return _game(
        "- id: l\n  repeat: {at_most: 10, steps: [{id: d, roll: 1d6}, {id: y, set: {turn: turn + d}}]}",
        "- {id: over, finish: {winners: players}}",
        after=body,
    )


def many_rulings(size: float) -> str:
    """Return thousands of rulings, all about one rule."""
    many = _many(size, 6_000)
    body = "rulings:\n"
    for n in range(many):
        body += f"  r{n}: {{about: procedures.game, question: Why?, source: It says, ruling: So., because: Yes.}}\n"
    return ENDLESS + body


def many_terms(size: float) -> str:
    """Return thousands of terms, of which twenty at a time say each other."""
    many = _many(size, 5_000)
    body = "terms:\n"
    for n in range(many):
        name = f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}"
        means = f"It is {{t{n + 1}}}." if n % 20 != 19 and n + 1 < many else "It is."
        body += f"  t{n}: {{name: Thing {name}, means: '{means}'}}\n"
    return body + ENDLESS


def long_texts(size: float) -> str:
    """Return pages of long texts."""
    text = "It goes on and on, *and* `on`. " * _many(size, 300)
    sections = "".join(f"      s{n}: {{title: Part, text: '{text}'}}\n" for n in range(60))
    return ENDLESS + f"pages:\n  rules:\n    title: Rules\n    letter: R\n    sections:\n{sections}"


def placeholders(size: float) -> str:
    """Return a text of ten thousand placeholders."""
    text = "{thing} " * _many(size, 60_000)
    body = "terms:\n  thing: {name: Thing, means: It.}\n"
    return (
        body
        + ENDLESS
        + "pages:\n  rules:\n    title: Rules\n    letter: R\n    sections:\n"
        + f"      s: {{title: Part, text: '{text}'}}\n"
    )


def many_options(size: float) -> str:
    """Options of a game that make more combinations than can be played."""
    many = _many(size, 1_000)
    body = "options:\n"
    for n in range(many):
        body += f"  o{n}: {{title: An option, choices: {{a: This, b: That}}, default: a, means: It.}}\n"
    return body + _game(
        f"- {{id: x, set: {{turn: '{' + '.join(f'(1 if options.o{n} == a else 2)' for n in range(min(many, 25)))}'}}}}",
        "- {id: over, finish: {winners: players}}",
    )


def many_kinds(size: float) -> str:
    """Return thousands of kinds and fields, which every state holds."""
    many = _many(size, 2_000)
    body = "kinds:\n"
    for n in range(many):
        fields = ", ".join(f"f{m}: {{type: int, means: It.}}" for m in range(5))
        body += f"  k{n}: {{plural: ks{n}, means: It., fields: {{{fields}}}}}\n"
    return body + ENDLESS


def _long_table(rows: int) -> str:
    body = "".join(f"      r{n}: {{c: {n}}}\n" for n in range(rows))
    return f"tables:\n  long:\n    title: Long\n    columns: {{c: int}}\n    rows:\n{body}"


def many_measures(size: float) -> str:
    """Return thousands of measures, each of which goes through a long table."""
    many = _many(size, 2_000)
    body = "measures:\n"
    for n in range(many):
        body += f"  m{n}: {{is: max(p.c + {n} for p in long), title: Most, means: It.}}\n"
    return _long_table(_many(size, 5_000)) + body + _game("- {id: over, finish: {winners: players}}")


def dear_formulas(size: float) -> str:
    """Return what bots go by is as dear as an expression may be."""
    return (
        _long_table(_many(size**0.5, 200))
        + "formulas:\n  standing: {given: {who: player}, is: 'sum(sum(b.c + a.c for b in long) for a in long)', "
        "means: It.}\n" + ENDLESS
    )


def crowds(size: float) -> str:
    """Return as many objects as there may be, made and unmade, with text for each."""
    before = "kinds:\n  thing: {plural: things, means: A thing., fields: {n: {type: int, means: It.}}}\n"
    many = _many(size, 9_990)
    text = f"- id: laid\n  repeat: {{at_most: {many}, steps: [{{id: one, create: thing, with: {{n: 1}}}}]}}"
    turns = (
        "- id: turns\n  repeat:\n    steps:\n"
        "      - {id: move, choose: {who: player, from: [go, on]}, ask: What now?}\n"
        "      - {id: f, for_each: t, in: things, steps: [{id: y, set: {t.n: t.n + 1}}]}\n"
    )
    return _game(text, turns, before=before)


def deep_calls(size: float) -> str:
    """Return a question asked as many procedures deep as there may be, each of which continues afterwards."""
    many = _many(size, 50)
    body = STATE + "procedures:\n"
    for n in range(many):
        name = "game" if n == 0 else f"p{n}"
        body += f"  {name}:\n    title: A part\n    means: It goes on.\n    steps:\n"
        inner = f"{{id: next, do: p{n + 1}}}" if n + 1 < many else ASK[2:]
        body += f"      - {{id: l, repeat: {{at_most: 9, steps: [{inner}, {{id: s, set: {{turn: turn + 1}}}}]}}}}\n"
        if n == 0:
            body += "      - {id: over, finish: {winners: players}}\n"
    return body


WORST: dict[str, Callable[[float], str]] = {
    made.__name__: made
    for made in (
        long_moves,
        long_options,
        some_of_many,
        long_game,
        long_rolls,
        large_table,
        large_matrix,
        long_lists,
        long_procedures,
        wide_procedures,
        doubling_procedures,
        many_steps,
        many_questions,
        many_branches,
        deep_formulas,
        doubling_formulas,
        long_expression,
        busy_examples,
        roll_examples,
        value_examples,
        logged_examples,
        odds_examples,
        many_rulings,
        many_terms,
        long_texts,
        placeholders,
        many_options,
        many_kinds,
        many_measures,
        dear_formulas,
        crowds,
        deep_calls,
    )
}


def manifest(name: str) -> str:
    """Return the manifest of one of them."""
    text = MANIFEST.format(name=name.replace("_", "-"), players="2..2")
    return text + ("evaluate: standing\n" if name == "dear_formulas" else "")


def write(folder: Path, name: str, size: float) -> None:
    """Write one of them into a folder of its own."""
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(manifest(name), encoding="utf-8")
    (folder / "rules.yaml").write_text(WORST[name](size), encoding="utf-8")


if __name__ == "__main__":
    for each in WORST:
        write(Path(sys.argv[1]) / each, each, 1.0)
