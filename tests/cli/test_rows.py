"""`rows`: a table goes out as a sheet, and a sheet comes in as rows."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.authoring.sheets.cell_values import find_decimal_mark, read_number
from rulewright.authoring.sheets.load_rules import load_with_errors
from rulewright.authoring.sheets.sheet_table import open_table
from rulewright.authoring.sheets.update_rows import plan_update
from rulewright.cli.main import main
from rulewright.ruleset.editions.catalogue import Catalogue
from tests.source.goldens import assert_golden

RULES = """\
# The hats of the shop.
tables:
  fits:
    columns: {}
    rows: {tight: {}, loose: {title: Rather loose}}
  hats:
    title: Hats
    columns: {copies: count, fit: fits, big: bool, text: text, bonus: optional int, tags: list of text}
    names: {copies: number of copies}
    headings: {text: What it says}
    rows:
      top_hat: {title: Top hat, copies: 1, fit: tight, big: true, text: Mind the door., bonus: 2}  # for balls

      # The next one is everybody's.
      cap:
        title: 'Cap'
        copies: 3   # three of them
        fit: loose
        big: false
        text: |-
          Two
          lines.
procedures:
  game:
    steps:
      - {id: over, finish: {winners: "list(p for p in players)"}}
    means: All win.
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    write_edition(tmp_path, "shop", RULES)
    return tmp_path


def write_edition(folder: Path, name: str, rules: str, more: str = "start: game\nplayers: 2..4\n") -> Path:
    home = folder / name
    home.mkdir()
    (home / "ruleset.yaml").write_text(f"ruleset: snails/{name}\nversion: 0.1.0\ntitle: Hats\n{more}")
    if rules:
        (home / "rules.yaml").write_text(rules)
    return home / "rules.yaml"


def write_overlay(folder: Path, rules: str) -> Path:
    return write_edition(folder, "house", rules, "extends: snails/shop@0.1\n")


def call(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: str | Path) -> tuple[int, str, str]:
    code = main(["rows", *map(str, arguments), "--rules", str(folder)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def put_sheet(folder: Path, text: str | bytes, name: str = "hats.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read_out(capsys: pytest.CaptureFixture[str], folder: Path, edition: str = "shop") -> list[dict[str, str]]:
    code, out, _ = call(capsys, folder, f"snails/{edition}", "hats")
    assert code == 0
    return list(csv.DictReader(io.StringIO(out, newline="")))


def report(folder: Path, text: str, *, remove: bool = False, edition: str = "shop") -> Any:
    catalogue = Catalogue([folder])
    ruleset, _ = load_with_errors(catalogue, catalogue.find_edition(f"snails/{edition}"))
    return plan_update(open_table(ruleset, "hats"), text, "hats.csv", remove=remove)


def test_a_table_goes_out(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert read_out(capsys, shop) == [
        {
            "id": "top_hat",
            "title": "Top hat",
            "copies": "1",
            "fit": "tight",
            "big": "true",
            "text": "Mind the door.",
            "bonus": "2",
            "tags": "",
        },
        {
            "id": "cap",
            "title": "Cap",
            "copies": "3",
            "fit": "loose",
            "big": "false",
            "text": "Two\nlines.",
            "bonus": "",
            "tags": "",
        },
    ]
    out = call(capsys, shop, "snails/shop", "tables.hats", "--separator", "semicolon")[1]
    assert out.splitlines()[1] == "top_hat;Top hat;1;tight;true;Mind the door.;2;"


def test_a_table_goes_out_as_json(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(call(capsys, shop, "snails/shop", "hats", "--json")[1])
    assert [column["header"] for column in data["columns"] if column["required"]] == ["copies", "fit", "big", "text"]
    assert data["rows"][1]["cells"]["text"] == "Two\nlines."
    assert data["rows"][1]["cells"]["bonus"] is None


def test_nothing_is_written_before_it_is_asked_for(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = put_sheet(shop, "id,Number of Copies\ncap,4\n")
    code, out, err = call(capsys, shop, "snails/shop", "hats", sheet)
    assert (code, err) == (0, "")
    assert out == (
        "assumed: cells are separated by commas\n"
        "~ cap: copies 3 → 4\n"
        "kept, although not in the sheet: top_hat\n"
        "hats: 1 changed, 1 unchanged\n"
        "add --remove to remove rows that are not in the sheet\n"
        "nothing has been written yet; add --write to write the changes\n"
    )
    assert (shop / "shop" / "rules.yaml").read_text() == RULES


def test_a_change_leaves_all_other_text(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = put_sheet(shop, 'Name;What it says;COPIES;bonus\nTop hat;Duck!;1;\nCap;"Three\r\n lines";2,0;\n')
    code, out, _ = call(capsys, shop, "snails/shop", "hats", sheet, "--write")
    assert code == 0
    assert "`,` is the decimal mark" in out
    written = (shop / "shop" / "rules.yaml").read_text()
    assert written == RULES.replace("text: Mind the door., bonus: 2}", "text: Duck!}").replace(
        "copies: 3 ", "copies: 2 "
    ).replace("          Two\n          lines.", "          Three\n           lines")


def test_the_title_that_a_row_has_without_one_is_no_change(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = put_sheet(shop, "id,title\ntight,Tight\nloose,Rather loose\n")
    assert call(capsys, shop, "snails/shop", "fits", sheet)[:2] == (
        0,
        "assumed: cells are separated by commas\nfits: 2 unchanged\n",
    )
    sheet = put_sheet(shop, "id,title\ntight,Loose\n")
    assert "~ tight: title (empty) → Loose" in call(capsys, shop, "snails/shop", "fits", sheet)[1]


def test_new_rows_follow_the_row_above(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = put_sheet(
        shop,
        "title\tcopies\tfit\tbig\ttext\ttags\n"
        "Beret, red\t1\tRather Loose\tYES\tChic.\tred; round\n"
        "Top hat\t1\ttight\ttrue\tMind the door.\t\n"
        "Ärmel-Hut\t1 000\tTIGHT\tFalsch\t\t\n"
        "Cap\t3\tloose\tfalse\t\"Two\nlines.\"\t\n"
        "cap\t1\ttight\tno\t012\t\n",
        "hats.tsv",
    )  # fmt: skip
    code, _, err = call(capsys, shop, "snails/shop", "hats", sheet, "--write")
    assert (code, err) == (0, "")
    assert [row["id"] for row in read_out(capsys, shop)] == ["beret_red", "top_hat", "armel_hut", "cap", "cap_2"]
    written = (shop / "shop" / "rules.yaml").read_text()
    assert (
        '      beret_red: {title: "Beret, red", copies: 1, fit: loose, big: true, text: Chic., tags: [red, round]}\n'
        "      top_hat:"
    ) in written
    assert (
        "  # for balls\n"
        '      armel_hut: {title: Ärmel-Hut, copies: 1000, fit: tight, big: false, text: ""}\n'
    ) in written  # fmt: skip
    assert "          lines.\n      cap_2:\n        title: cap\n        copies: 1\n" in written
    # The same sheet again changes nothing, so the ids that were made are found again.
    assert not report(shop, sheet.read_text()).is_change


def test_removal_only_on_request(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = put_sheet(shop, "id,copies\ntop_hat,1\n")
    assert call(capsys, shop, "snails/shop", "hats", sheet, "--write")[0] == 0
    assert (shop / "shop" / "rules.yaml").read_text() == RULES
    code, out, _ = call(capsys, shop, "snails/shop", "hats", sheet, "--write", "--remove")
    assert code == 0
    assert "- cap\nhats: 1 removed, 1 unchanged\n" in out
    assert [row["id"] for row in read_out(capsys, shop)] == ["top_hat"]
    assert "# The next one is everybody's." in (shop / "shop" / "rules.yaml").read_text()


def test_what_a_change_breaks_is_shown_and_fails(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(RULES + "numbers: {worth: hats.cap.copies}\n")
    sheet = put_sheet(shop, "id,copies\ntop_hat,1\n")
    code, _, err = call(capsys, shop, "snails/shop", "hats", sheet, "--remove")
    assert code == 1
    assert "with these rows, check would report:\n" in err
    assert "has no row `cap`" in err


def test_every_fault_names_its_cell(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = put_sheet(
        shop,
        "id,copies,fit,big,text,bonus,Cost\n"
        "top_hat,-1,tigt,maybe,x,\"2,5\",\n"
        "cap,,loose,true,x,9.5,\n"
        "new,three,loose,true,x,,,lost\n"
        "cap,1,loose,true,x,,\n"
        ",1,loose,true,x,,\n"
        "日本,1,loose,true,x,,\n",
    )  # fmt: skip
    code, out, err = call(capsys, shop, "snails/shop", "hats", sheet, "--write", "--json")
    assert (code, err) == (1, "")
    data = json.loads(out)
    messages = [each["message"] for each in data["diagnostics"]]
    assert messages == [
        "G1: `Cost` is not a column of hats",
        "B2, copies: this is -1, and cannot be below 0",
        "C2, fit: fits has no row `tigt`",
        "D2, big: nothing here is called `maybe`",
        "F2, bonus: `2,5` is not a whole number",
        "B3, copies: `cap` needs a value here",
        "F3, bonus: `9.5` is not a whole number",
        "B4, copies: nothing here is called `three`",
        "H4: `lost` is in a column without a name",
        "A5: `cap` is in row 3 already",
        "A6: row 6 has neither an id nor a title",
        "A7: no id can be derived from `日本`, which has no Latin letters",
    ]
    assert [(each["line"], each["column"]) for each in data["diagnostics"]][:3] == [(1, 30), (2, 9), (2, 12)]
    assert not data["written"]
    assert (shop / "shop" / "rules.yaml").read_text() == RULES


def test_new_rows_need_all_required_columns(shop: Path) -> None:
    messages = [each.message for each in report(shop, "id,copies,text\nbonnet,1,\n").diagnostics]
    assert messages == [
        "the sheet has no column `fit`, which the new row 2 needs",
        "the sheet has no column `big`, which the new row 2 needs",
    ]
    assert not report(shop, "id,copies,text\ncap,1,\n").diagnostics


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "sheet-unreadable"),
        (b"\n , ,\n\n", "sheet-unreadable"),
        (b"PK\x03\x04\x14\x00", "sheet-unreadable"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "sheet-unreadable"),
        (b"id,copies\ncap\x00,1\n", "sheet-unreadable"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "sheet-unreadable"),
        (b"id,text\ncap,H\xfct\n", "not-utf8"),
        (b"\xff\xfei\x00d\x00", "sheet-row"),
        (b"\xff\xfei\x00d\x00\x00", "sheet-unreadable"),
        (b'id,text\ncap,"never closed\n', "sheet-unreadable"),
        (b'id,text\ncap,"a" b\n', "sheet-unreadable"),
        (b"copies\n1\n", "sheet-column"),
        (b"id,ID\ncap,cap\n", "sheet-column"),
        (b"one two\nthree\n", "sheet-column"),
        (b"id," + b"x" * 1_100_000, "file-too-large"),
        (b'id,text\ncap,"' + b"x" * 200_000 + b'"\n', "sheet-unreadable"),
    ],
)
def test_input_of_any_kind_gives_a_diagnostic(
    shop: Path, capsys: pytest.CaptureFixture[str], content: bytes, code: str
) -> None:
    result, out, err = call(capsys, shop, "snails/shop", "hats", put_sheet(shop, content))
    if code == "sheet-row":
        assert (result, err) == (0, "")  # a header alone is no fault
        assert "assumed: the file is UTF-16" in out
        return
    assert result == 1
    assert f"error[{code}]" in err
    assert "  = why: " in err
    assert "  = help: " in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["missing.csv", "shop", "a\0b"])
def test_a_file_that_cannot_be_read_gives_a_diagnostic(
    shop: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, _, err = call(capsys, shop, "snails/shop", "hats", shop / name)
    assert code == 1
    assert err.startswith("error[")


def test_what_was_assumed_is_said(shop: Path) -> None:
    for text, assumed in (
        ("id;copies\ncap;4\n", ("cells are separated by semicolons",)),
        ("sep=;\nid;copies\ncap;4\n", ()),
        ("copies\tid\n4\tcap\n", ("cells are separated by tabs",)),
        ('id\ttext\ncap\tA "big" 5"\n', ("cells are separated by tabs",)),
        ('id\ttext\ncap\t"Big" hat\n', ("cells are separated by tabs", "quotation marks are part of the cells")),
        (
            "id,copies\ncap,1\ntop_hat,1\n",
            ("cells are separated by commas", "rows that the rules have keep their order"),
        ),
    ):
        update = report(shop, text)
        assert (update.diagnostics, update.assumed) == ((), assumed)
    (change,) = report(shop, 'id\ttext\ncap\t"Big" hat\n').changed
    assert change.cells[0].after == '"Big" hat'


def test_a_line_that_names_the_separator_is_no_row(shop: Path) -> None:
    (fault,) = report(shop, "sep=;\nid;copies\ncap;-4\n").diagnostics
    assert fault.message.startswith("B2, ")
    assert (fault.span.line, fault.span.column) == (3, 5)


def test_a_place_behind_line_breaks_is_exact(shop: Path) -> None:
    (fault,) = report(shop, 'text,id,copies\n"a\nb ""c"", d",cap,-4\n').diagnostics
    assert fault.message.startswith("C2, ")
    assert (fault.span.line, fault.span.column, fault.span.end_column) == (3, 17, 19)


@pytest.mark.parametrize(
    ("text", "mark", "number"),
    [
        ("12", "", "12"),
        (" 12 ", "", None),
        ("+12", "", "12"),
        ("−12", "", "-12"),
        ("007", "", "7"),
        ("1 234", "", "1234"),
        ("1\u00a0234\u202f567", "", None),
        ("1\u202f234\u202f567", "", "1234567"),
        ("1'234", "", "1234"),
        ("12.0", "", "12"),
        ("12,00", "", "12"),
        ("12,5", ",", None),
        ("1.234", "", None),
        ("1.234", ",", "1234"),
        ("1.234", ".", None),
        ("1,234", ".", "1234"),
        ("1.234,0", ",", "1234"),
        ("1,234.0", ".", "1234"),
        ("1,23", ".", None),
        ("1,2,3", "", None),
        ("٣", "", None),
        ("1e3", "", None),
        ("", "", None),
        ("-", ",", None),
        (",0", ",", None),
    ],
)
def test_numbers_of_spreadsheets(text: str, mark: str, number: str | None) -> None:
    assert read_number(text, mark) == number


def test_the_decimal_mark_of_copied_cells_is_found() -> None:
    assert find_decimal_mark("\t", ["1", "2,5", "1.000"]) == ","
    assert find_decimal_mark("\t", ["1.50"]) == "."
    assert find_decimal_mark("\t", ["1.50", "2,5"]) == ""
    assert find_decimal_mark("\t", ["1.000"]) == ""
    assert find_decimal_mark(";", []) == ","
    assert find_decimal_mark(",", []) == "."


def test_an_overlay_gets_only_what_differs(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_overlay(shop, "# Ours.\nnumbers: {}\n")
    rows = read_out(capsys, shop, "house")
    rows[0]["copies"] = "5"
    rows.insert(1, {**rows[0], "id": "bonnet", "title": "Bonnet", "bonus": ""})
    rows.append({**rows[0], "id": "wig", "title": "Wig"})
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    sheet = put_sheet(shop, text.getvalue())
    assert call(capsys, shop, "snails/house", "hats", sheet, "--write")[::2] == (0, "")
    assert path.read_text() == (
        "# Ours.\n"
        "numbers: {}\n\n"
        "tables:\n"
        "  hats:\n"
        "    rows:\n"
        "      top_hat: {copies: 5}\n"
        "      bonnet: {after: top_hat, title: Bonnet, copies: 5, fit: tight, big: true, text: Mind the door.}\n"
        "      wig: {title: Wig, copies: 5, fit: tight, big: true, text: Mind the door., bonus: 2}\n"
    )
    assert read_out(capsys, shop, "house") == rows
    assert (shop / "shop" / "rules.yaml").read_text() == RULES


def test_an_overlay_drops_what_is_inherited_again(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_overlay(
        shop,
        "# Ours.\ntables:\n  hats:\n    rows:\n      # More.\n      cap: {copies: 9, big: true}\n"
        "      top_hat: {bonus: {delete: true}}\n",
    )
    sheet = put_sheet(shop, "id,copies,big\ncap,3,true\n")
    assert call(capsys, shop, "snails/house", "hats", sheet, "--write")[::2] == (0, "")
    assert "      cap: {big: true}\n" in path.read_text()
    sheet = put_sheet(shop, "id,copies,big,bonus\ncap,3,false,\ntop_hat,1,true,2\n")
    assert call(capsys, shop, "snails/house", "hats", sheet, "--write")[::2] == (0, "")
    assert path.read_text().strip() == "# Ours."


def test_an_overlay_removes_and_restores_inherited_rows(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_overlay(shop, "")
    whole = call(capsys, shop, "snails/house", "hats")[1]
    sheet = put_sheet(shop, "id,bonus\ntop_hat,\n")
    assert call(capsys, shop, "snails/house", "hats", sheet, "--write", "--remove")[::2] == (0, "")
    assert path.read_text() == (
        "tables:\n  hats:\n    rows:\n      cap: {delete: true}\n      top_hat: {bonus: {delete: true}}\n"
    )
    assert [row["bonus"] for row in read_out(capsys, shop, "house")] == [""]
    assert call(capsys, shop, "snails/house", "hats", put_sheet(shop, whole), "--write")[::2] == (0, "")
    assert call(capsys, shop, "snails/house", "hats")[1] == whole
    assert path.read_text().startswith("#")  # an empty file would be a fault


@pytest.mark.parametrize("others", ["numbers:\n  limit: 2\n", ""])
def test_rows_that_share_a_line_are_not_removed(shop: Path, capsys: pytest.CaptureFixture[str], others: str) -> None:
    path = write_overlay(shop, others + "? tables\n: hats:\n    rows:\n      cap: {copies: 9}\n")
    before = path.read_text()
    code, out, err = call(capsys, shop, "snails/house", "hats", put_sheet(shop, "id,copies\ncap,3\n"), "--write")
    assert (code, path.read_text()) == (1, before)
    assert "the rows of hats cannot be removed on their own" in out + err


def test_a_table_without_rows_is_filled(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(RULES + "# End.\n")
    path.write_text(path.read_text().replace("tables:\n", "tables:\n  cards:\n    columns: {cost: int}\n"))
    sheet = put_sheet(shop, "title,cost\nMap,2\n")
    assert call(capsys, shop, "snails/shop", "cards", sheet, "--write")[::2] == (0, "")
    assert "  cards:\n    columns: {cost: int}\n    rows:\n      map: {title: Map, cost: 2}\n" in path.read_text()


def test_empty_braces_become_lines(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(RULES.replace("tables:\n", "tables:\n  cards:\n    columns: {cost: int}\n    rows: {}  # none\n"))
    sheet = put_sheet(shop, "title,cost\nMap,2\nKey,3\n")
    assert call(capsys, shop, "snails/shop", "cards", sheet, "--write")[::2] == (0, "")
    rows = "    rows:\n      map: {title: Map, cost: 2}\n      key: {title: Key, cost: 3}  # none\n"
    assert rows in path.read_text()


def test_errors_are_shown_if_they_hide_the_table(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(RULES.replace("    title: Hats\n", "    title: [Hats]\n"))
    code, _, err = call(capsys, shop, "snails/shop", "hats", put_sheet(shop, "id,copies\ncap,4\n"))
    assert code == 1
    assert "`title` must be text, but this is a list" in err


def test_five_hundred_errors_of_a_new_column_are_no_hindrance(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    rows = "".join(f"      r{n}: {{}}\n" for n in range(500))
    path.write_text(RULES.replace("tables:\n", f"tables:\n  cards:\n    columns: {{cost: int}}\n    rows:\n{rows}"))
    sheet = put_sheet(shop, "id,cost\n" + "".join(f"r{n},{n}\n" for n in range(500)))
    assert call(capsys, shop, "snails/shop", "cards", sheet, "--write")[::2] == (0, "")
    assert "      r499: {cost: 499}\n" in path.read_text()


def test_faces_of_a_roll_table(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(
        RULES.replace("tables:\n", "tables:\n  luck:\n    roll: 1d6\n    rows: {bad: 1-3, good: [4, 5-6]}\n")
    )
    assert call(capsys, shop, "snails/shop", "luck")[1] == 'id,on\nbad,1-3\ngood,"4, 5-6"\n'
    sheet = put_sheet(shop, "id;on;title\nbad;1–2;\nfair;3;Fair\ngood;4, 5-6;\n")
    assert call(capsys, shop, "snails/shop", "luck", sheet, "--write")[::2] == (0, "")
    assert "rows: {bad: 1-2, fair: {on: 3, title: Fair}, good: [4, 5-6]}\n" in path.read_text()
    code, out, _ = call(capsys, shop, "snails/shop", "luck", put_sheet(shop, "id;on\nbad;0-2\nfair;x\n"), "--json")
    assert code == 1
    data = [each["message"] for each in json.loads(out)["diagnostics"]]
    assert data[0].startswith("B2, on: the roll never shows 0")
    assert data[1].startswith("B3, on: faces are written as")


def test_cells_may_name_rows_that_are_new(shop: Path) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(RULES.replace("tags: list of text", "tags: list of text, next: optional hats"))
    header = "id,copies,fit,big,text,next\n"
    update = report(shop, f"{header}bonnet,1,tight,no,,Wig\nwig,1,tight,no,,bonnet\ncap,1,tight,no,,nothing\n")
    assert [each.message for each in update.diagnostics] == ["F4, next: hats has no row `nothing`"] or [
        each.message for each in update.diagnostics
    ] == ["F4, next: nothing here is called `nothing`"]
    assert [row.cells[-1].after for row in update.added] == ["wig", "bonnet"]


def test_from_standard_input(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfid\tcopies\r\ncap\t4\r\n")))
    code, out, _ = call(capsys, shop, "snails/shop", "hats", "-", "--write")
    assert code == 0
    assert out.startswith("assumed: the file is UTF-8 with a byte order mark\n")
    assert "copies: 4   # three of them" in (shop / "shop" / "rules.yaml").read_text()


def test_windows_line_breaks_and_the_mark_of_a_rules_file_stay(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + RULES.replace("\n", "\r\n").encode())
    before = path.read_bytes()
    assert call(capsys, shop, "snails/shop", "hats", put_sheet(shop, "id,copies\ncap,4\n"), "--write")[0] == 0
    assert path.read_bytes() == before.replace(b"copies: 3 ", b"copies: 4 ")


def test_a_board_lists_no_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, tmp_path, "classics/tic-tac-toe", "board")
    assert code == 1
    assert "error[sheet-table]" in err


def test_an_unknown_table_is_named(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = call(capsys, shop, "snails/shop", "hat")
    assert (code, err) == (1, "error: snails/shop@0.1.0 has no table `hat`: did you mean `hats`?\n")


@pytest.mark.parametrize("arguments", [("--write",), ("--remove",), ("hats.csv", "--separator", "tab")])
def test_options_without_effect_are_refused(
    shop: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit) as ended:
        call(capsys, shop, "snails/shop", "hats", *arguments)
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("name", "table", "sheet"),
    [
        ("binary", "hats", b"PK\x03\x04"),
        ("encoding", "hats", b"id;text\ncap;H\xfct\n"),
        ("empty", "hats", b"\n"),
        ("quotes", "hats", b'id,text\ncap,"a" b\n'),
        ("header", "hats", b"id,copy,text,Text\ncap,1,x,y,z\n"),
        ("columns", "hats", b"id,copies\nwig,1\n"),
        ("nameless", "hats", b"copies\n1\n"),
        ("rows", "hats", b"id,title,copies\ncap,Cap,1\n,,1\ncap,Cap,2\n"),
        ("cells", "hats", b"id;copies;fit;bonus\ncap;-1;tigt;2,5\ntop_hat;;tight;x\n"),
        ("board", "map", b"id\nx\n"),
    ],
)
def test_messages(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, table: str, sheet: bytes
) -> None:
    path = shop / "shop" / "rules.yaml"
    path.write_text(RULES.replace("tables:\n", "tables:\n  map: {grid: {columns: 2, rows: 2}}\n"))
    monkeypatch.chdir(shop)
    code, out, err = call(capsys, Path(), "snails/shop", table, put_sheet(shop, sheet).name)
    assert code == 1
    assert_golden(f"{name}.txt", err + out, folder=Path(__file__).parent / "goldens" / "sheets")


def _count_calls(folder: Path, rows: int) -> int:
    """Return how many functions are called to plan an update that changes, adds and removes."""
    folder.mkdir()
    listed = "".join(f"      r{n}: {{title: R {n}, copies: 1, fit: tight, big: true, text: x}}\n" for n in range(rows))
    write_edition(folder, "shop", RULES.replace("    rows:\n", f"    rows:\n{listed}"))
    catalogue = Catalogue([folder])
    ruleset, _ = load_with_errors(catalogue, catalogue.find_edition("snails/shop"))
    table = open_table(ruleset, "hats")
    lines = [f"R {n};{n};loose;yes;x{n}\nN {n};7;tight;no;y\n" for n in range(rows) if n % 3]
    count = 0

    def note(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        update = plan_update(table, "title;copies;fit;big;text\n" + "".join(lines), "hats.csv", remove=True)
    finally:
        sys.setprofile(None)
    assert not update.diagnostics
    assert len(update.added) == len(update.changed) == len(lines)
    return count


def test_four_times_the_rows_are_four_times_the_work(tmp_path: Path) -> None:
    few, many = _count_calls(tmp_path / "few", 60), _count_calls(tmp_path / "many", 240)
    assert many < 4.5 * few
