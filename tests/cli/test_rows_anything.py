"""Sheets and tables of any content: out and in again changes nothing, and in and out again returns the sheet."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.authoring.sheets.load_rules import find_consequences, load_with_errors
from rulewright.authoring.sheets.sheet_table import open_table
from rulewright.authoring.sheets.update_rows import RowUpdate, plan_update
from rulewright.authoring.sheets.write_sheet import format_sheet
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.hostile_names import NAMES, written

COLUMNS = {
    "cost": "int",
    "copies": "count",
    "fast": "bool",
    "text": "text",
    "note": "optional text",
    "bonus": "optional int",
    "roll": "dice",
    "tags": "list of text",
    "next": "optional cards",
}
HOSTILE = [
    *map(written, NAMES),
    *("", " ", "a,b", "a;b", 'a "b"', '"', "'", "x\ny", "x\n\ny\n", "\ttab", "\x07", "e\u0301", "\u00a0", "\u2028"),
    *(
        "true",
        "null",
        "~",
        "1",
        "01",
        "1e3",
        "=1+1",
        "#x",
        "a #b",
        "a: b",
        "- a",
        "[a, b]",
        "{{a}}",
        "sep=;",
        "none",
        "no",
    ),
]
LETTERS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="{}\r"), max_size=8)
TEXTS = st.sampled_from(HOSTILE) | LETTERS
_TAKEN = re.compile(r"true|false|none|and|or|not|in|if|else|for|options|d[0-9].*|on|title|rank|before|after|replace")
IDS = st.from_regex(r"[a-z][a-z0-9_]{0,4}", fullmatch=True).filter(
    lambda each: not _TAKEN.fullmatch(each) and each not in COLUMNS
)
CELLS: dict[str, st.SearchStrategy[str]] = {
    "cost": st.integers(-999, 9_999_999).map(str),
    "copies": st.integers(0, 99).map(str),
    "fast": st.sampled_from(["true", "false"]),
    "text": TEXTS,
    "note": TEXTS.filter(str.strip) | st.just(""),
    "bonus": st.sampled_from(["", "0", "12"]),
    "roll": st.sampled_from(["1d6", "2d6 +3", "1d20 - 1d4"]),
    "tags": st.sampled_from(["", "a", "a, b", "old hat, new hat"]),
}
ROWS = st.dictionaries(IDS, st.fixed_dictionaries(CELLS), max_size=6)


def quote(text: str) -> str:
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in plain)


def write_row(name: str, cells: dict[str, str], style: str) -> str:
    """Return a row as a designer might have written it."""
    values = {}
    for key, text in cells.items():
        if key == "tags" and text:
            values[key] = "[" + ", ".join(map(quote, text.split(", "))) + "]"
        elif text or key == "text":
            values[key] = quote(text) if key in ("text", "note", "roll") else text
    if style == "flow" or not values:
        return f"      {name}: {{{', '.join(f'{key}: {value}' for key, value in values.items())}}}  # of {name}\n"
    return f"      # above {name}\n      {name}:\n" + "".join(
        f"        {key}: {value}  # {key} of {name}\n" for key, value in values.items()
    )


def write_rows_of(rows: dict[str, dict[str, str]], style: str) -> str:
    """Return the rows of a table: each in braces or in lines of its own, or all of them in braces."""
    if style != "inline":
        return "".join(write_row(name, cells, style) for name, cells in rows.items())
    inside = (write_row(name, cells, "flow").strip().rpartition("  # ")[0] for name, cells in rows.items())
    return "{" + ", ".join(inside) + "}"


def write_edition(folder: Path, name: str, rows: str, *, extends: str = "", columns: bool = True) -> None:
    home = folder / name
    home.mkdir(parents=True, exist_ok=True)
    below = f"extends: t/{extends}\n" if extends else ""
    (home / "ruleset.yaml").write_text(f"ruleset: t/{name}\nversion: 0.1.0\ntitle: T\nplayers: 2\n{below}")
    types = ", ".join(f"{key}: {kind}" for key, kind in COLUMNS.items())
    head = f"    columns: {{{types}}}\n" if columns else ""
    body = f"    rows: {rows}\n" if rows[:1] == "{" else f"    rows:\n{rows}" if rows else ""
    (home / "rules.yaml").write_text(f"# top\ntables:\n  cards:\n{head}{body}" if head + body else "# nothing yet\n")


def open_cards(folder: Path, name: str) -> Any:
    catalogue = Catalogue([folder])
    ruleset, diagnostics = load_with_errors(catalogue, catalogue.find_edition(f"t/{name}"))
    return open_table(ruleset, "cards"), diagnostics


def apply(update: RowUpdate) -> None:
    for path, (_, after) in (update.texts or {}).items():
        path.write_text(after)


def read_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def write_rows(rows: list[dict[str, str]], separator: str, header: list[str]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, header, delimiter=separator, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def comments(text: str) -> set[str]:
    return set(re.findall(r"# (?:above|of|\w+ of) \w+$|# top", text, re.MULTILINE))


@given(ROWS, st.data())
def test_a_table_out_and_in_again_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, rows: Any, data: Any
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    style = data.draw(st.sampled_from(["flow", "block", "inline"]))
    write_edition(folder, "base", write_rows_of(rows, style))
    table, diagnostics = open_cards(folder, "base")
    assert [each.code.id for each in diagnostics if each.severity == "error"] == ([] if rows else ["no-rows"])
    separator = data.draw(st.sampled_from(",;\t"))
    text = format_sheet(table, separator=separator)
    assert {row["id"]: row["text"] for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)} == {
        name: cells["text"] for name, cells in rows.items()
    }
    update = plan_update(table, text, "cards.csv")
    assert not update.diagnostics
    assert not update.is_change
    assert update.unchanged == len(rows)


@given(ROWS, ROWS, st.booleans(), st.data())
def test_a_sheet_in_and_out_again_is_the_sheet(
    tmp_path_factory: pytest.TempPathFactory, rows: Any, others: Any, is_overlay: bool, data: Any
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    style = data.draw(st.sampled_from(["flow", "block", "inline"]))
    write_edition(folder, "base", write_rows_of(rows, style))
    name = "base"
    if is_overlay and rows:
        write_edition(folder, "house", "", extends="base", columns=False)
        name = "house"
    table, _ = open_cards(folder, name)
    for _ in range(data.draw(st.integers(1, 3))):
        before = read_rows(format_sheet(table))
        expected = [dict(row) for row in before]
        order = [row["id"] for row in before]
        # Some rows are left out, some change, and others are put between them.
        gone = data.draw(st.sets(st.sampled_from(order), max_size=2)) if order else set()
        expected = [row for row in expected if row["id"] not in gone]
        for row in expected:
            for key in data.draw(st.sets(st.sampled_from(list(CELLS)), max_size=2)):
                row[key] = data.draw(CELLS[key])
        for new, cells in others.items():
            if new not in order and data.draw(st.booleans()):
                target = data.draw(st.sampled_from(["", new, *(row["id"] for row in expected)]))
                place = data.draw(st.integers(0, len(expected)))
                expected.insert(place, {"id": new, **cells, "next": target})
        if not expected:
            break
        separator = data.draw(st.sampled_from(",;\t"))
        header = ["id", *COLUMNS]
        old = {path: path.read_text() for path in folder.rglob("rules.yaml")}
        update = plan_update(table, write_rows(expected, separator, header), "cards.csv", remove=True)
        assert [each.message for each in update.diagnostics] == []
        if any(row["next"] in gone for row in expected):
            lost = find_consequences(update, Catalogue([folder]), ())
            assert lost
            assert all(each.severity == "error" for each in lost)
            break
        apply(update)
        table, diagnostics = open_cards(folder, name)
        assert [each.message for each in diagnostics] == []
        assert read_rows(format_sheet(table)) == [
            {key: value.replace("\r\n", "\n") for key, value in row.items() if key != "title"} for row in expected
        ]
        same = {row["id"] for row in expected if row in before}
        for path, text in old.items():
            lost = comments(text) - comments(path.read_text())
            assert not [each for each in lost if each.rpartition(" ")[2] in same]
            if name == "house" and path.parent.name == "base":
                assert path.read_text() == text
        again = plan_update(table, write_rows(expected, separator, header), "cards.csv", remove=True)
        assert not again.is_change
        assert not again.diagnostics
