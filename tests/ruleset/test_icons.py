"""Drawings of terms are read without trust, and what cannot be shown is said with its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.book.style.assets import build_drawings
from rulewright.ruleset.editions.icons import LARGEST, cover
from rulewright.ruleset.lints.unused_icons import lint
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.row_icons import find_row_icon
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from tests.book.garden import write_garden

SHAPE = '<path d="M0 0h8"/>'


def svg(inner: str, *, more: str = "") -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"{more}>{inner}</svg>'.encode()


def check_drawing(tmp_path: Path, data: bytes | None = None) -> tuple[list[tuple[str, str]], bool]:
    """Return what is said of the drawing of `plant`, with its place, and whether the book has it."""
    folder = write_garden(tmp_path / "rules") / "garden" / "icons"
    folder.mkdir(exist_ok=True)
    if data is not None:
        (folder / "plant.svg").write_bytes(data)
    ruleset = load_ruleset("garden/small", rules=[tmp_path / "rules"])
    diagnostics = Diagnostics()
    lint(ruleset, diagnostics)
    assert all(d.code.id == "bad-icon" and d.span.file == str(folder / "plant.svg") for d in diagnostics)
    said = [(f"{d.span.line}:{d.span.column}", d.message.partition(": ")[2]) for d in diagnostics]
    return said, "plant" in build_drawings(ruleset)


@pytest.mark.parametrize(
    "data",
    [
        svg(SHAPE),
        svg(SHAPE, more=' onload="x()" style="fill: url(x)"'),
        svg("<title>x</title><defs><script>x()</script></defs>" + SHAPE),
        svg("<g>" * 10 + SHAPE + "</g>" * 10),
        b"\xef\xbb\xbf" + svg(SHAPE),
        b'<?xml version="1.0" encoding="utf-8"?>' + svg(SHAPE),
    ],
)
def test_plain_drawings_are_shown(data: bytes, tmp_path: Path) -> None:
    assert check_drawing(tmp_path, data) == ([], True)


@pytest.mark.parametrize(
    ("data", "place", "expected_text"),
    [
        (svg("<g>" * 2_400 + SHAPE + "</g>" * 2_400), "1:1", "its groups are nested more than 16 deep"),
        (b'<?xml version="1.0" encoding="klingon"?>' + svg("\u00e9"), "1:1", "it has no shape"),
        (svg(SHAPE).decode().encode("utf-16"), "1:1", "it is not written in UTF-8"),
        (svg("\n<path d='M0 0'"), "2:15", "it is not XML"),
        (b"<!-- x -->\n<!doctype svg>" + svg(SHAPE), "2:1", "it has a doctype"),
        (svg('<path fill="URL(http://x.example/)" d="M0"/>'), "1:1", "its `fill` is `URL(http://x.example/)`"),
        (svg('<path fill="u\\72l(x)" d="M0"/>'), "1:1", "its `fill` is"),
        (svg('<g stroke="url(#x)"/>'), "1:1", "its `stroke` is"),
        (svg(SHAPE, more=' fill="url(x)"'), "1:1", "its `fill` is"),
        (svg("<text>x</text>"), "1:1", "it has no shape"),
        (b"<html/>", "1:1", "its outermost element is `html`"),
        (b'<svg viewBox="javascript:x">' + SHAPE.encode() + b"</svg>", "1:1", "its `viewBox` is not four numbers"),
        (svg(SHAPE + " " * LARGEST), "1:1", "it has more than"),
        (b"", "1:1", "it is not XML"),
        (b"\xff", "1:1", "it is not written in UTF-8"),
    ],
)
def test_others_are_said_to_be_none(data: bytes, place: str, expected_text: str, tmp_path: Path) -> None:
    ((at, message),), shown = check_drawing(tmp_path, data)
    assert (at, shown) == (place, False)
    assert message.startswith(expected_text)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.svg").write_bytes(svg(SHAPE))
    folder = write_garden(tmp_path / "rules") / "garden" / "icons"
    folder.mkdir()
    (folder / "plant.svg").symlink_to(tmp_path / "secret.svg")
    ((_, message),), shown = check_drawing(tmp_path)
    assert (message, shown) == ("it is a link to a file outside the rules folder", False)


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    folder = write_garden(tmp_path / "rules") / "garden" / "icons"
    folder.mkdir()
    (folder / "other.svg").write_bytes(svg(SHAPE))
    (folder / "plant.svg").symlink_to("other.svg")
    assert check_drawing(tmp_path) == ([], True)


@pytest.mark.parametrize("kind", ["pipe", "folder", "dangling", "loop"])
def test_what_is_no_file_is_said_to_be_none(kind: str, tmp_path: Path) -> None:
    folder = write_garden(tmp_path / "rules") / "garden" / "icons"
    folder.mkdir()
    path = folder / "plant.svg"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "dangling":
            path.symlink_to("nothing.svg")
        case "loop":
            path.symlink_to("plant.svg")
    said, shown = check_drawing(tmp_path)
    assert len(said) == 1
    assert not shown


ROWS = """\
tables:
  sorts: {title: Sorts, rows: {tall: {}, small: {title: "{plant}"}}}
  again: {title: Sorts again, rows: {small: {}, tall: {}}}
"""


def drawn(tmp_path: Path, *names: str, shared: bool = False, rows: str = ROWS) -> Ruleset:
    """Rules with drawings of these names, in the folder of the edition, or in its game's, which editions share."""
    home = write_garden(tmp_path / "rules") / "garden"
    (home / "small" / "rows.yaml").write_text(rows, encoding="utf-8")
    for name in names:
        path = (home if shared else home / "small") / f"{name}.svg"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(svg(SHAPE))
    return load_ruleset("garden/small", rules=[tmp_path / "rules"])


def said_of(ruleset: Ruleset) -> list[tuple[str, str, str | None]]:
    """Return the code, the message and the hint of each thing that is said of drawings."""
    diagnostics = Diagnostics()
    lint(ruleset, diagnostics)
    return [(each.code.id, each.message, each.suggestion) for each in diagnostics]


def shown_as(ruleset: Ruleset, row: str) -> str | None:
    """Return the drawing that a row is shown with."""
    table = ruleset.declarations.tables[row.partition(".")[0]]
    return find_row_icon(ruleset, table, table.rows[row.partition(".")[2]], build_drawings(ruleset).__contains__)


def test_a_row_has_its_own_drawing_or_that_of_what_it_is_called_after(tmp_path: Path) -> None:
    ruleset = drawn(tmp_path, "icons/plant", "icons/sorts.tall", "icons/sizes.bush")
    assert said_of(ruleset) == []
    assert shown_as(ruleset, "sorts.tall") == "sorts.tall"
    assert shown_as(ruleset, "sorts.small") == "plant", "all of its title is that word"
    assert shown_as(ruleset, "again.tall") == "sorts.tall", "that table has the very same rows"
    assert shown_as(ruleset, "again.small") is None, "its title is no word, and its like has no drawing of its own"
    assert (shown_as(ruleset, "sizes.bush"), shown_as(ruleset, "sizes.tree")) == ("sizes.bush", None)
    # Its own comes before any other's.
    assert shown_as(drawn(tmp_path, "icons/sorts.small"), "sorts.small") == "sorts.small"


def test_a_drawing_of_nothing_is_said_with_what_was_meant(tmp_path: Path) -> None:
    ruleset = drawn(tmp_path, "icons/sorts.tal", "icons/whale")
    assert said_of(ruleset) == [
        (
            "unknown-icon",
            "`sorts.tal.svg` is not named after a term or a row of a table",
            "did you mean `sorts.tall` or `sorts.small`?",
        ),
        ("unknown-icon", "`whale.svg` is not named after a term or a row of a table", None),
    ]


def test_rows_of_a_table_are_not_alike_because_their_table_is(tmp_path: Path) -> None:
    """An edition has another row where its game has a drawing: the name of the table, which both have, is no slip."""
    rows = ROWS.replace("small: {}, tall: {}", "small: {}, boots_of_the_postman: {}").replace(
        "again:", "again_and_again:"
    )
    assert rows.count("boots_of_the_postman") == 1
    there = "icons/again_and_again.bell_of_the_goat"
    assert said_of(drawn(tmp_path / "other", there, shared=True, rows=rows)) == []
    slip = said_of(drawn(tmp_path / "slip", "icons/again_and_again.boots_of_the_postmen", shared=True, rows=rows))
    assert [hint for *_, hint in slip] == ["did you mean `again_and_again.boots_of_the_postman`?"]


def test_in_a_folder_that_editions_share_only_slips_are_said(tmp_path: Path) -> None:
    ruleset = drawn(tmp_path, "icons/whale", "icons/plantt", "icons/sizes.bush", shared=True)
    assert [message for _, message, _ in said_of(ruleset)] == [
        "`plantt.svg` is not named after a term or a row of a table"
    ]
    # Where what it may have been meant for has a drawing, it is some other edition's.
    assert said_of(drawn(tmp_path, "icons/plant", shared=True)) == []


def test_what_is_offered_for_a_drawing_changes_nothing_within_it(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    lint(drawn(tmp_path, "icons/sorts.tal"), diagnostics)
    assert [each.edits for each in diagnostics] == [()]


def test_a_cover_is_the_editions_else_its_games(tmp_path: Path) -> None:
    ruleset = drawn(tmp_path, "cover", shared=True)
    (tmp_path / "rules" / "garden" / "small" / "cover.svg").write_bytes(svg(SHAPE, more=' fill="none"'))
    front = cover(ruleset)
    assert front is not None
    assert front.path.parent.name == "small"
    assert build_drawings(ruleset)["-cover"] == front.symbol
    front.path.unlink()
    front = cover(ruleset, "-one")
    assert front is not None
    assert (front.path.parent.name, 'id="i--one"' in front.symbol) == ("garden", True)
    front.path.write_bytes(b"<html/>")
    assert said_of(ruleset) == [
        ("bad-icon", "the cover cannot be shown: its outermost element is `html`, not `svg`", None)
    ]
    assert "-cover" not in build_drawings(ruleset)
