"""Where a first draft goes wrong, what is said leads on to rules that are sound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.testing.check_edition import check_edition
from tests.language.inline import checked

CARDS = """\
tables: {court: {columns: {worth: int, size: int}, rows: {king: {worth: 2, size: 3}, queen: {worth: 3, size: 2}}}}
kinds:
  player:
    fields: {coin: count, hand: optional court, cards: list of court, first: {type: court, default: king}}
"""


def check_steps(steps: str, *, rest: str = "") -> list[Diagnostic]:
    """Return what is wrong with the steps of a procedure that is given a player."""
    source = f"{CARDS}{rest}procedures: {{main: {{given: {{p: player}}, steps: [{steps}]}}}}\n"
    ruleset, diagnostics = checked(source)
    assert ruleset is not None or diagnostics.errors
    return list(diagnostics.errors)


def test_the_option_is_named_where_its_costs_are_worked_out() -> None:
    bad = "{id: card, choose: {who: p, one_of: court, costs: {coin: %s.worth}}}"
    [fault] = check_steps(bad % "card")
    assert "the option is called `it`" in fault.help
    assert fault.edits == ()
    assert check_steps(bad % "it") == []


def test_a_list_of_what_may_be_none_is_told_how_to_leave_that_out() -> None:
    step = '{id: x, set: {p.cards: "%s"}}'
    [fault] = check_steps(step % "list(q.hand for q in players)")
    assert fault.help == "leave out missing values: `list(q.hand for q in players if q.hand)`"
    assert check_steps(step % fault.help.split("`")[1]) == []


HEIGHTS = """\
formulas:
  of_worth: {given: {n: int}, is: first(q for q in players if q.coin == n)}
  good: {given: {q: player}, is: q.coin > 1}
"""


def test_what_is_asked_about_is_known_when_it_is_written_again() -> None:
    step = '{id: x, let: "%s"}'
    assert check_steps(step % "of_worth(2) and good(of_worth(2))", rest=HEIGHTS) == []
    assert check_steps(step % "good(of_worth(2)) if of_worth(2) else false", rest=HEIGHTS) == []
    for other in (
        "of_worth(2) and good(of_worth(3))",
        "of_worth(2) or good(of_worth(2))",
        "good(of_worth(2)) and of_worth(2)",
        "not of_worth(2) and good(of_worth(2))",
        "any(of_worth(n) for n in [1, 2]) and all(good(of_worth(n)) for n in [1, 2])",
    ):
        assert [fault.code.id for fault in check_steps(step % other, rest=HEIGHTS)] == ["may-be-none"]


def test_a_column_in_which_no_row_is_zero_divides() -> None:
    assert check_steps("{id: x, set: {p.coin: 12 % p.first.size}}") == []
    [fault] = check_steps("{id: x, set: {p.coin: 12 % (p.first.size - 2)}}")
    assert fault.code.id == "division-by-zero"


@pytest.mark.parametrize(
    "divisor", ["p.first.size - 1", "p.first.size * 2 + 1", "p.first.size * p.first.worth", "10 - p.first.size"]
)
def test_what_is_worked_out_of_columns_and_is_never_zero_divides(divisor: str) -> None:
    assert check_steps(f"{{id: x, set: {{p.coin: 12 % ({divisor})}}}}") == []


@pytest.mark.parametrize(
    "divisor", ["p.first.size - 3", "p.first.size - p.coin", "p.first.size * 0", "-p.first.size + 2"]
)
def test_what_is_worked_out_of_columns_and_may_be_zero_is_asked_about(divisor: str) -> None:
    [fault] = check_steps(f"{{id: x, set: {{p.coin: 12 % ({divisor})}}}}")
    assert fault.code.id == "division-by-zero"


@pytest.mark.parametrize(
    ("steps", "codes"),
    [
        ("{id: c, roll: 1d6}, {id: x, set: {p.coin: 6 % c}}", []),
        ("{id: c, roll: 1d6 - 7}, {id: x, set: {p.coin: 6 % c}}", []),
        ("{id: c, roll: 1d6}, {id: d, set: {p.coin: 1}}, {id: x, set: {p.coin: 6 % c}}", []),
        ("{id: c, roll: 1d6 - 1}, {id: x, set: {p.coin: 6 % c}}", ["division-by-zero"]),
        ("{id: c, let: court.king.size}, {id: x, set: {p.coin: 6 % c}}", []),
        ("{id: x, set: {p.coin: 6 % court.king.size}}", []),
        ("{id: x, set: {p.coin: 6 % court.jack.size}}", ["division-by-zero"]),
        ("{id: c, let: court.jack.size}, {id: x, set: {p.coin: 6 % c}}", ["division-by-zero"]),
        ("{id: c, let: 3}, {id: d, set: {c: c - 1}}, {id: x, set: {p.coin: 6 % c}}", ["division-by-zero"]),
        (
            "{id: c, let: 3}, {id: l, repeat: {at_most: 3, steps: [{id: x, let: 6 % c}, {id: d, set: {c: c - 1}}]}}",
            ["division-by-zero"],
        ),
        (
            "{id: c, let: 3}, {id: l, repeat: {at_most: 3, steps: [{id: d, set: {c: c - 1}}]}}, {id: x, let: 6 % c}",
            ["division-by-zero"],
        ),
        ("{id: c, roll: 1d6, when: p.coin > 3}, {id: x, set: {p.coin: 6 % c}}", ["may-be-none"]),
    ],
)
def test_a_roll_or_a_row_that_is_never_zero_divides(steps: str, codes: list[str]) -> None:
    row = "queen: {worth: 3, size: 2}"
    source = CARDS.replace(row, f"{row}, jack: {{worth: 1, size: 0}}")
    _, diagnostics = checked(source + f"procedures: {{main: {{given: {{p: player}}, steps: [{steps}]}}}}\n")
    assert [fault.code.id for fault in diagnostics.errors] == codes


def test_a_column_with_a_zero_is_asked_about() -> None:
    steps = "{given: {p: player}, steps: [{id: x, let: 9 % p.first.size}]}"
    _, diagnostics = checked(CARDS.replace("size: 3}", "size: 0}") + f"procedures: {{main: {steps}}}\n")
    assert [fault.code.id for fault in diagnostics.errors] == ["division-by-zero"]


@pytest.mark.parametrize(
    ("source", "help_"),
    [
        ("procedures: {main: {steps: [{id: x, roll: 1d6, as: face}]}}\n", "write `id: face` instead of `as`"),
        ("procedures: {main: {steps: [{id: x, roll: 1d6, to: face}]}}\n", "write `id: face` instead of `to`"),
        (
            "procedures: {main: {steps: [{id: x, roll: 1d6, to: p.coin}]}}\n",
            "write `set: {p.coin: x}` in the next step",
        ),
        ("kinds: {piece: {fields: {open: {type: bool, default: True}}}}\n", "write `true`"),
        ("kinds: {piece: {icon: pot, fields: {size: int}}}\n", "give the kind a `term:`"),
        (
            "procedures: {main: {steps: [{id: x, do: trun}]}, turn: {steps: [{id: y, let: 1}]}}\n",
            "did you mean `turn`?",
        ),
    ],
)
def test_what_is_meant_is_named(source: str, help_: str) -> None:
    _, diagnostics = checked(source)
    [fault] = diagnostics.errors
    assert help_ in fault.help


GIVEN = """\
kinds: {player: {fields: {coin: count}}, piece: {fields: {size: int}}}
procedures:
  gift:
    title: A gift
    means: Somebody gives.
    given: {player: player}
    steps: [{id: who, choose: {who: player, one_of: players}}, {id: got, gain: {who: who, coin: 1}}]
  pick:
    title: A pick
    means: Somebody picks.
    given: {player: player}
    steps:
      - {id: what, choose: {who: player, one_of: list(each for each in pieces if each.size > 3)}}
      - {id: more, set: {what.size: what.size + 1}}
  grow: {title: Growth, means: It grows., given: {piece: piece}, steps: [{id: more, set: {piece.size: piece.size + 1}}]}
examples:
  growth: {title: It grows, of: grow, given: {pieces: [{size: 3}, {size: 5}], piece: %s}, expect: {piece.size: 6}}
  giving: {title: It is given, of: gift, players: 2, given: {player: %s}, choose: [%s], expect: {who.coin: 1}}
  picking:
    {title: It is picked, of: pick, given: {pieces: [{}, {size: 5}, {size: 7}]}, choose: [%s], expect: {what.size: 8}}
"""


@pytest.mark.parametrize(
    ("piece", "player", "chosen", "picked", "codes"),
    [
        ("2", "1", "2", "3", []),
        ('"#2"', "player-1", "player-2", '"#2"', []),  # the second of the options
        ("2", '"#1"', '"#2"', "3", []),
        ("3", "1", "2", "3", ["bad-given"]),
        ("0", "1", "2", "3", ["bad-given"]),
        ("2", "player-3", "2", "3", ["bad-given"]),
        ("2", "1", "3", "3", ["illegal-choice"]),
        ("2", "1", "2", "1", ["illegal-choice"]),  # too small to be an option
        ("2", "1", "2", "4", ["illegal-choice"]),
    ],
)
def test_pieces_and_players_go_by_their_number_in_examples(
    piece: str, player: str, chosen: str, picked: str, codes: list[str], tmp_path: Path
) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\nplayers: 2\n")
    (tmp_path / "rules.yaml").write_text(GIVEN % (piece, player, chosen, picked))
    catalogue = Catalogue([tmp_path])
    [edition] = catalogue.list_editions()
    assert [each.code.id for each in check_edition(catalogue, edition).diagnostics.errors] == codes


FORCED = """\
kinds: {player: {fields: {coin: count}}}
records: {stake: {parts: {snail: snails, chips: int}}}
tables: {snails: {title: Snails, columns: {}, rows: {ann: {}, bob: {}}}}
procedures:
  bet:
    title: A bet
    means: Somebody bets.
    given: {player: player}
    steps:
      - id: stakes
        choose:
          who: player
          some_of: list(stake(s, n) for s in snails for n in [1, 2])
          at_least: 1
          such_that: sum(s.chips for s in it) < 2 and none(s for s in it if s.snail == snails.bob)
      - {id: more, choose: {who: player, from: [up, stay]}}
      - {id: got, gain: {who: player, coin: count(stakes)}, when: more == up}
      - {id: last, choose: {who: player, one_of: stakes}}
examples:
  betting: {title: It is bet, of: bet, given: {player: 1}, choose: [%s], expect: {player.coin: 1}}
"""


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ("up", ""),
        ("ann/2, up", "Player 1 cannot choose `ann/2` at `bet.stakes`: `ann/1` is the only option"),
        ("ann/1+bob/1", "Player 1 cannot choose `ann/1+bob/1` at `bet.stakes`: `ann/1` is the only option"),
        ("ann-1, up", "Player 1 cannot choose `ann-1` at `bet.stakes`: `ann/1` is the only option"),
        ("ann/1, up", "`bet.stakes` takes `ann/1` without a choice, because it is the only option"),
        ("up, bob/1", "Player 1 cannot choose `bob/1` at `bet.last`: `ann/1` is the only option"),
        ("up, ann/1", "`bet.last` takes `ann/1` without a choice, because it is the only option"),
        ("raise, up", "Player 1 cannot choose `raise` at `bet.stakes`: `ann/1` is the only option"),
        ("raise", "Player 1 cannot choose `raise` at `bet.more`"),
        ("up, stay", "no decision is left for the last choice under `choose:`: `stay`"),
    ],
)
def test_a_choice_for_a_decision_with_a_single_option_is_reported_at_that_decision(
    choices: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\nplayers: 2\n")
    (tmp_path / "rules.yaml").write_text(FORCED % choices)
    catalogue = Catalogue([tmp_path])
    [edition] = catalogue.list_editions()
    faults = check_edition(catalogue, edition).diagnostics.errors
    assert [each.message for each in faults] == ([f"`betting`: {message}"] if message else [])
    assert all(each.code.id == "illegal-choice" for each in faults)


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ("reap", ": the condition of this option is false"),
        ("rest, '3'", ": `such_that` is false for this selection"),
        ("rest, 1+2", ": `such_that` is false for this selection"),
        ("rest, 2+3+4", ""),  # too many
        ("rest, 7", ""),
        ("rest, '2', 4", ": the condition of the list is false for it"),
        ("rest, '2', 9", ""),
    ],
)
def test_a_choice_that_a_condition_excludes_says_so(choices: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: a/b\nversion: 1.0.0\ntitle: B\nabout: C.\nplayers: 2\n")
    (tmp_path / "rules.yaml").write_text(EXCLUDED % choices)
    catalogue = Catalogue([tmp_path])
    [edition] = catalogue.list_editions()
    [fault] = check_edition(catalogue, edition).diagnostics.errors
    assert fault.code.id == "illegal-choice"
    assert re.sub(r"^`farming`: Player 1 cannot choose `[^`]+` at `farm.\w+`", "", fault.message) == why


EXCLUDED = """\
kinds: {player: {fields: {coin: count}}}
procedures:
  farm:
    title: A farm
    means: Somebody farms.
    given: {player: player}
    steps:
      - {id: work, choose: {who: player, from: {sow: {}, rest: {}, reap: player.coin > 0}}}
      - id: fields
        choose:
          who: player
          some_of: list(n for n in [1, 2, 3, 4])
          at_least: 1
          at_most: 2
          such_that: all(n == 2 or n == 4 for n in it)
      - {id: seed, choose: {who: player, one_of: "list(n for n in [1, 2, 3, 4] if n < 4)"}}
      - {id: got, gain: {who: player, coin: seed + count(fields)}, when: work == sow}
examples:
  farming: {title: It is farmed, of: farm, given: {player: 1}, choose: [%s], expect: {player.coin: 0}}
"""
