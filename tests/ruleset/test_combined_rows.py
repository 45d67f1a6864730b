"""Rows that combine parts: each combination once, in order, with the cells and titles of the parts."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from rulewright.cli.main import main
from rulewright.engine import backends
from rulewright.engine.state.game_state import View
from rulewright.language.declarations import GAME, GAME_KIND
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError

MANIFEST = "ruleset: test/pack\nversion: 1.0.0\nlanguage: 1\ntitle: Pack\nabout: Pack.\nplayers: 2\nstart: game\n"
RULES = "procedures: {game: {steps: [{id: end, finish: {winners: []}}]}}\n"
PARTS = """\
tables:
  suits: {rows: {hearts: {}, spades: {title: Black spades}}}
  ranks: {columns: {worth: int}, rows: {two: {worth: 2}, ace: {worth: 11}}}
"""


def load(folder: Path, table: str, before: str = "") -> Ruleset:
    """Return rules with the tables `suits` and `ranks`, and the table `cards`, whose body is `table`."""
    edition = folder / "pack"
    edition.mkdir(exist_ok=True)
    (edition / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    head, _, rest = PARTS.partition("\n")
    text = f"{head}\n  {before}\n  cards: {table}\n{rest}{RULES}"
    (edition / "rules.yaml").write_text(text, encoding="utf-8")
    return load_ruleset("test/pack", rules=[folder])


def refuse(folder: Path, table: str, before: str = "") -> str:
    """Return the first error with which such rules do not load: its code, message and suggestion."""
    with pytest.raises(DiagnosticError) as raised:
        load(folder, table, before)
    first = raised.value.diagnostics[0]
    return f"{first.code.id}: {first.message} | {first.help}"


def test_each_combination_is_a_row_in_order(tmp_path: Path) -> None:
    cards = load(tmp_path, "{every: {suit: suits, rank: ranks}}").declarations.tables["cards"]
    pairs = list(product(("hearts", "spades"), ("two", "ace")))
    assert list(cards.rows) == [f"{suit}_{rank}" for suit, rank in pairs]
    assert [(row.cells["suit"], row.cells["rank"]) for row in cards.rows.values()] == pairs
    assert [row.title for row in cards.rows.values()][2:] == ["Black spades Two", "Black spades Ace"]
    assert [str(kind) for kind in cards.columns.values()] == ["a row of suits", "a row of ranks"]


def test_tables_keep_the_order_of_the_file(tmp_path: Path) -> None:
    tables = load(tmp_path, "{every: {suit: suits}}", "all: {every: {card: cards, other: cards}}").declarations.tables
    assert list(tables) == ["all", "cards", "suits", "ranks"]
    assert list(tables["all"].rows) == [f"{a}_{b}" for a, b in product(("hearts", "spades"), repeat=2)]


@pytest.mark.parametrize("number", [2, 3])
def test_combinations_in_any_order_occur_once(tmp_path: Path, number: int) -> None:
    parts = ", ".join(f"p{place}: {{from: 0, to: 6}}" for place in range(number))
    tiles = load(tmp_path, f"{{every: {{{parts}}}, any_order: true}}").declarations.tables["cards"]
    expected = list(combinations_with_replacement(range(7), number))
    assert [tuple(row.cells[f"p{place}"] for place in range(number)) for row in tiles.rows.values()] == expected
    assert "_".join(f"p{place}6" for place in range(number)) in tiles.rows


def test_titles_and_more_cells(tmp_path: Path) -> None:
    table = (
        '{every: {suit: suits, rank: ranks}, row_title: "{rank} of {suit}", columns: {cost: optional int}, '
        "rows: {spades_ace: {cost: 3}, hearts_ace: {title: Best}}}"
    )
    rows = load(tmp_path, table).declarations.tables["cards"].rows
    assert [row.title for row in rows.values()] == [
        "Two of Hearts",
        "Best",
        "Two of Black spades",
        "Ace of Black spades",
    ]
    assert [row.cells["cost"] for row in rows.values()] == [None, None, None, 3]


def test_a_title_may_have_terms_beside_parts(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "terms.yaml").write_text("terms: {badge: {name: Badge, means: B.}}\n", encoding="utf-8")
    rules = load(tmp_path, '{every: {suit: suits}, row_title: "{suit} {badge}"}')
    assert rules.declarations.tables["cards"].rows["hearts"].title == "Hearts {badge}"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            "{every: {suit: suit}}",
            "unknown-reference: there is no table called `suit` to combine | did you mean `suits`?",
        ),
        ("{every: {}}", "bad-combination: cards has no parts to combine"),
        ("{every: {}, any_order: true}", "bad-combination: cards has no parts to combine"),
        ("{every: {a: left, b: right}}", "bad-combination: two combinations of cards have the same id"),
        ("{every: {suit: cards}}", "unknown-reference: cards cannot combine its own rows"),
        ("{every: {n: {from: 3, to: 1}}}", "bad-combination: `n` of cards has no whole numbers from 3 to 1"),
        ("{every: {n: {from: 1, to: 9999}}}", "bad-combination: `n` of cards has more than 2,500 numbers"),
        (
            "{every: {n: {from: 1, to: 99}, m: {from: 1, to: 99}}}",
            "bad-combination: cards would have 9,801 rows; the limit is 2,500",
        ),
        ("{every: {s: suits, r: ranks}, any_order: true}", "bad-combination: the parts of cards combine in any order"),
        ('{every: {s: suits}, row_title: "{r}"}', "unknown-reference: `{r}` is not a part of every row"),
        (
            "{every: {s: suits}, rows: {heart: {}}}",
            "unknown-row: the rows of cards combine its parts, and `heart` is not",
        ),
        ("{every: {s: suits}, rows: {hearts: {s: spades}}}", "bad-combination: `s` of `hearts` is determined by"),
        ("{every: {s: suits}, columns: {s: int}}", "name-clash: `s` is a part of every row already"),
        (
            "{every: {s: suits}, columns: {n: int}}",
            "missing-cell: the column `n` of cards has no value for `hearts` and 1 more",
        ),
    ],
)
def test_what_cannot_be_combined_is_refused(tmp_path: Path, table: str, message: str) -> None:
    before = "left: {rows: {x: {}, x_y: {}}}\n  right: {rows: {y_z: {}, z: {}}}"
    assert refuse(tmp_path, table, before).startswith(message)


def test_tables_in_a_circle_are_refused(tmp_path: Path) -> None:
    assert refuse(tmp_path, "{every: {a: others}}", "others: {every: {b: cards}}").startswith("unknown-reference")


def test_a_column_called_rank_takes_the_place_of_the_built_in_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(tmp_path, "{every: {suit: suits, rank: ranks}}")
    examples = "".join(
        f"  e{number}: {{title: E, value: {value}, expect: {expected}}}\n"
        for number, (value, expected) in enumerate(
            [
                ("cards.hearts_ace.rank.worth", 11),
                ("cards.hearts_ace.rank.rank", 2),
                ("suits.spades.rank", 2),
                ("max(c.rank.worth for c in cards)", 11),
                ("last(c.suit.rank for c in cards by c.rank.rank)", 2),
            ]
        )
    )
    (tmp_path / "pack" / "examples.yaml").write_text(f"examples:\n{examples}", encoding="utf-8")
    assert main(["check", "test/pack", "--rules", str(tmp_path)]) == 0
    assert "5 passing examples" in capsys.readouterr().out


def test_all_machines_read_both_ranks_alike(tmp_path: Path) -> None:
    load(tmp_path, "{every: {suit: suits, rank: ranks}}")
    value = "sum(100 * c.rank.worth + 10 * c.rank.rank + c.suit.rank for c in cards)"
    steps = f"[{{id: all, set: {{total: {value}}}}}, {{id: end, finish: {{winners: []}}}}]"
    path = tmp_path / "pack" / "rules.yaml"
    text = path.read_text(encoding="utf-8").removesuffix(RULES)
    path.write_text(
        f"{text}state: {{total: {{type: int}}}}\nprocedures: {{game: {{steps: {steps}}}}}\n", encoding="utf-8"
    )
    rules = load_ruleset("test/pack", rules=[tmp_path])
    totals = set()
    for name in backends.list_names():  # each machine plays it to the end
        machine = backends.make(name, rules)
        state = machine.empty(2)
        state.events = []
        machine.begin(state, "game", ())
        totals.add(View(state).read_field(GAME, GAME_KIND, "total"))
    assert totals == {2 * 1300 + 2 * 30 + 2 * 3}
