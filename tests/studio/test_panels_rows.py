"""The panel Rows: pasted cells, the changes that they make, and writing them."""

from __future__ import annotations

import base64

import pytest

from rulewright.base.errors import RulewrightError
from tests.studio.conftest import RULES
from tests.studio.desk import Table

HATS = """\
# The hats.
tables:
  hats:
    title: Hat cards
    columns: {copies: count, worn: text}
    rows:
      cap: {title: Cap, copies: 3, worn: Daily.}    # in the rain
"""
SHEET = "Title\tCopies\tWorn\nCap\t4\tDaily.\nWig\t1\tRarely.\n"


@pytest.fixture
def hats(table: Table) -> Table:
    table.write("herd/hats.yaml", HATS)
    return table


def test_the_table_at_the_cursor_goes_out(hats: Table) -> None:
    response = hats.ask("rows", "herd/hats.yaml", "copies")
    assert (response["ref"], response["at_cursor"], response["thing"]) == (
        "house/herd@1.0.0",
        "hats",
        {"title": "Hat cards"},
    )
    assert response["table"]["cells"] == [["id", "title", "copies", "worn"], ["cap", "Cap", "3", "Daily."]]
    assert response["table"]["sheet"] == "id\ttitle\tcopies\tworn\ncap\tCap\t3\tDaily.\n"
    assert [each["header"] for each in response["table"]["columns"] if each["required"]] == ["copies", "worn"]
    assert (response["update"], response["written"]) == (None, [])
    other = hats.ask("rows", "pigs/rules.yaml", "rain")
    assert (other["table"]["id"], [each["id"] for each in other["tables"]]) == ("weather", ["hats", "weather"])
    assert hats.ask("rows", "pigs/rules.yaml", table="hats")["table"]["id"] == "hats"


def test_changes_are_shown_then_written(hats: Table) -> None:
    update = hats.ask("rows", "herd/hats.yaml", sheet=SHEET)["update"]
    assert update["summary"] == "hats: 1 added, 1 changed, 0 unchanged"
    assert update["changed"] == [
        {"id": "cap", "row": 2, "cells": [{"column": "copies", "before": "3", "after": "4", "cell": "B2"}]}
    ]
    assert [each["id"] for each in update["added"]] == ["wig"]
    assert update["writes"]
    assert (hats.folder / "herd" / "hats.yaml").read_text() == HATS
    written = hats.ask("rows", "herd/hats.yaml", sheet=SHEET, write=True)
    assert written["written"] == ["herd/hats.yaml"]
    assert (hats.folder / "herd" / "hats.yaml").read_text() == HATS.replace("copies: 3", "copies: 4") + (
        "      wig: {title: Wig, copies: 1, worn: Rarely.}\n"
    )
    assert hats.ask("rows", "herd/hats.yaml", sheet=SHEET)["update"]["summary"] == "hats: 2 unchanged"


def test_an_edition_above_gets_only_what_differs(hats: Table) -> None:
    written = hats.ask("rows", "pigs/rules.yaml", table="hats", sheet=SHEET, write=True)
    assert written["written"] == ["pigs/rules.yaml"]
    assert (
        "    rows:\n      cap: {copies: 4}\n      wig: {title: Wig, "
        in (hats.folder / "pigs" / "rules.yaml").read_text()
    )
    assert (hats.folder / "herd" / "hats.yaml").read_text() == HATS


def test_faults_name_cells_and_nothing_is_written(hats: Table) -> None:
    sheet = "id\tcopies\tworm\ncap\t-1\tx\n"
    response = hats.ask("rows", "herd/hats.yaml", sheet=sheet, write=True)
    assert [each["message"] for each in response["update"]["diagnostics"]] == [
        "C1: `worm` is not a column of hats",
        "B2, copies: this is -1, and cannot be below 0",
    ]
    assert all(each["help"] for each in response["update"]["diagnostics"])
    assert (response["update"]["writes"], response["written"]) == (False, [])
    assert (hats.folder / "herd" / "hats.yaml").read_text() == HATS


def test_rows_go_only_on_request_and_what_breaks_is_shown(hats: Table) -> None:
    hats.write("herd/more.yaml", "numbers: {caps: hats.cap.copies}\n")
    sheet = "id\tcopies\tworn\nwig\t1\tx\n"
    assert hats.ask("rows", "herd/hats.yaml", sheet=sheet)["update"]["missing"] == ["cap"]
    update = hats.ask("rows", "herd/hats.yaml", sheet=sheet, removal=True)["update"]
    assert (update["missing"], update["removed"]) == ([], ["cap"])
    assert [each["path"] for each in update["consequences"] if each["severity"] == "error"] == ["herd/more.yaml"]


def test_a_file_is_decoded_as_the_command_does(hats: Table) -> None:
    data = "\ufefftitle;copies\r\nCap;4,0\r\n".encode()
    update = hats.ask("rows", "herd/hats.yaml", file=base64.b64encode(data).decode(), name="hats.csv")["update"]
    assert update["assumed"] == [
        "the file is UTF-8 with a byte order mark",
        "cells are separated by semicolons",
        "`,` is the decimal mark",
    ]
    data = "title;copies\nH\xfct;4\n".encode("latin-1")
    update = hats.ask("rows", "herd/hats.yaml", file=base64.b64encode(data).decode(), name="hats.csv")["update"]
    assert [each["code"] for each in update["diagnostics"]] == ["not-utf8"]
    with pytest.raises(RulewrightError, match="Base64"):
        hats.ask("rows", "herd/hats.yaml", file="?")


def test_an_edition_elsewhere_is_not_written(hats: Table) -> None:
    path = "classics/yacht-1.0/yacht.yaml"
    sheet = hats.ask("rows", path)["table"]["sheet"].replace("ones\t", "ones\tAces", 1)
    assert hats.ask("rows", path, sheet=sheet)["update"]["writes"]
    with pytest.raises(RulewrightError, match="outside this folder"):
        hats.ask("rows", path, sheet=sheet, write=True)


def test_a_table_without_rows_is_filled_although_the_rules_have_an_error(hats: Table) -> None:
    hats.write("herd/hats.yaml", HATS[: HATS.index("    rows:")])
    assert hats.ask("rows", "herd/hats.yaml", sheet=SHEET, write=True)["written"] == ["herd/hats.yaml"]
    assert hats.ask("rows", "herd/hats.yaml")["table"]["cells"][2][0] == "wig"


def test_rules_without_tables_have_nothing_to_fill(hats: Table) -> None:
    hats.write("herd/hats.yaml", "numbers: {hats: 3}\n")
    hats.write("pigs/rules.yaml", RULES.replace("tables:", "rulings: {}\nnumbers_:"))
    assert hats.ask("rows", "herd/rules.yaml")["table"] is None
