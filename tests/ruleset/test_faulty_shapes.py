"""A board shape with a mistake is named with its file: when it is loaded, or else when its board is checked."""

from __future__ import annotations

from inspect import unwrap
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from rulewright.base.errors import RulewrightError
from rulewright.base.plugins import PluginFolder
from rulewright.language.declarations import Declarations
from rulewright.language.schema_shapes import FORMATS, Leaf, Record, optional
from rulewright.ruleset.boards import board_shape
from rulewright.ruleset.boards.board_layout import BoardLayout
from rulewright.ruleset.boards.board_shape import TABLE_KEYS, BoardShape, lay_out_board, load_shapes
from rulewright.ruleset.boards.geometry import BoardGeometry
from rulewright.ruleset.elaborate.table_declarations import declare_tables
from rulewright.ruleset.sections.tables import TABLE
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Mapping
from rulewright.source.yaml.yaml_reader import read_text

SHAPE = """
from rulewright.language.declarations import Declarations
from rulewright.language.schema_shapes import Leaf, Record, optional
from rulewright.ruleset.boards.board_shape import BoardShape

class Made(BoardShape):
    name, order, noun, schema = "{name}", 9, "spots", Record("Made.")
    {line}
    def lay_out(self, node, table, diagnostics):
        raise NotImplementedError

MADE = Made()
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("order = None", "`order` must be of the type int, not None"),
        ("schema = 5", "`schema` must be of the type Record, not 5"),
        ("noun = 5", "`noun` must be of the type str, not 5"),
        ("translations = ()", "`translations` must be of the type Mapping, not ()"),
        ("name = 'rows'", "choose another `name`, because `rows` is a key of every table"),
        ("name = 'tit le'", "choose another `name`, because `tit le` is not an id"),
        ("name = 'whole'", "choose another `name`, because `whole` is declared in made_up_shapes/whole.py"),
        ("schema = Record('', members={'n': optional(Leaf('N.', format='boolean'))})", "a Leaf has no format"),
        ("schema = Record('', members={'n': Leaf('N.')})", "the member `n` of a Record must be `required(…)`"),
        ("schema = Record('', members={'n': optional(5)})", "a Member needs a Shape, such as a Leaf, not 5"),
    ],
)
def test_a_shape_with_an_unsuitable_attribute_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    package = tmp_path / "made_up_shapes"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "whole.py").write_text(SHAPE.format(name="whole", line=""))
    (package / "zz_other.py").write_text("from made_up_shapes.whole import MADE\n")
    (package / "zz_wrong.py").write_text(SHAPE.format(name="wrong", line=line))
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("made_up_shapes", "made_up_shapes.whole", "made_up_shapes.zz_other", "made_up_shapes.zz_wrong"):
        monkeypatch.delitem(__import__("sys").modules, module, raising=False)
    monkeypatch.setattr(board_shape, "FOLDER", PluginFolder("made_up_shapes", "the board shape"))
    assert list(unwrap(load_shapes)()) == ["whole"]
    error_text = capsys.readouterr().err
    assert "error: the board shape `zz_wrong`" in error_text
    assert message in error_text
    assert "zz_wrong.py" in error_text
    assert "zz_other" not in error_text


def test_the_keys_of_a_table_are_no_names_of_shapes() -> None:
    assert set(TABLE.members) - set(board_shape.list_shape_keys()) == TABLE_KEYS


def test_every_format_has_types() -> None:
    assert all(Leaf("", format=name).format == name and types for name, types in FORMATS.items())
    assert isinstance(optional(Record()).shape, Record)


class MadeShape(BoardShape):
    """A shape with two spaces that tests spoil."""

    name = "made"
    order = 99
    noun = "spots"
    schema = Record("A board.")

    def lay_out(self, node: Mapping, table: Mapping, diagnostics: Diagnostics) -> BoardLayout:
        """Return two spaces."""
        board = BoardLayout("made", ways={"on": "next"})
        board.places["a"] = "A", {"column": 1, "row": 1, "neighbours": ("b",), "on": "b"}
        board.places["b"] = "B", {"column": 2, "row": 1, "neighbours": ("a",), "on": None}
        return board


def fail(*_: object, **__: object) -> Any:
    raise KeyError("planted")


def lay_out(monkeypatch: pytest.MonkeyPatch, shape: BoardShape) -> list[tuple[str, str]]:
    shapes = MappingProxyType({**load_shapes(), "made": shape})
    monkeypatch.setattr(board_shape, "load_shapes", lambda: shapes)
    table = read_text("made: {}", "test.yaml")
    assert isinstance(table, Mapping)
    diagnostics = Diagnostics()
    lay_out_board("field", table, diagnostics)
    return [(each.code.id, each.message) for each in diagnostics]


WHOLE = {"a": (5.0, 5.0), "b": (9.0, 5.0)}


@pytest.mark.parametrize(
    ("hook", "does", "message"),
    [
        ("make_geometry", fail, "KeyError: 'planted'"),
        ("make_geometry", lambda plan: None, "`make_geometry` must return a BoardGeometry, not None"),
        ("make_geometry", lambda plan: BoardGeometry(9, 9, {"a": (5, 5)}, (), (), ()), "lacks the space `b`"),
        ("make_geometry", lambda plan: BoardGeometry(float("nan"), 9, WHOLE, (), (), ()), "lengths above 0 and finite"),
        ("label", fail, "KeyError: 'planted'"),
        ("locate", fail, "KeyError: 'planted'"),
        ("indent", fail, "KeyError: 'planted'"),
        ("list_turns", fail, "KeyError: 'planted'"),
        ("describe_size", fail, "KeyError: 'planted'"),
        ("describe_size", lambda plan, translate: 5, "`describe_size` must return a str, not 5"),
        ("draw_text", fail, "KeyError: 'planted'"),
        ("draw_text", lambda plan, cells: None, "`draw_text` must return a list, not None"),
    ],
)
def test_a_shape_that_cannot_draw_its_board_is_reported_by_a_check(
    monkeypatch: pytest.MonkeyPatch, hook: str, does: Any, message: str
) -> None:
    shape = MadeShape()
    assert lay_out(monkeypatch, shape) == []
    monkeypatch.setattr(shape, hook, does, raising=False)
    ((code, text),) = lay_out(monkeypatch, shape)
    assert code == "part-failed"
    assert "the board shape `made` (tests/ruleset/test_faulty_shapes.py) failed on `field`" in text
    assert message in text


@pytest.mark.parametrize(
    ("spaces", "drawn", "message"),
    [
        ({"a": (None, {"column": 1})}, "made", "the title of `a` must be a text, not None"),
        ({"a": ("A", {"column": 10000}), "b": ("B", {})}, "made", "more than 10,000 columns, from 0 to 10000"),
        ({"a": ("A", {})}, "nix", "there is no shape `nix` to draw the board as"),
    ],
)
def test_a_wrong_layout_is_reported(
    monkeypatch: pytest.MonkeyPatch, spaces: dict[str, tuple[str, dict[str, Any]]], drawn: str, message: str
) -> None:
    cells = {"column": 0, "row": 0, "neighbours": ()}
    places = {space: (title, {**cells, **own}) for space, (title, own) in spaces.items()}
    shape = MadeShape()
    monkeypatch.setattr(shape, "lay_out", lambda *_: BoardLayout(drawn, places=places))
    ((code, text),) = lay_out(monkeypatch, shape)
    assert code == "part-failed"
    assert message in text


def test_a_board_without_spaces_has_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = MadeShape()
    shapes = MappingProxyType({**load_shapes(), "made": shape})
    monkeypatch.setattr(board_shape, "load_shapes", lambda: shapes)
    monkeypatch.setattr(shape, "lay_out", lambda *_: BoardLayout("made"))
    rules = read_text("tables: {field: {made: {}}}", "test.yaml")
    assert isinstance(rules, Mapping)
    diagnostics = Diagnostics()
    declare_tables(rules, Declarations(), diagnostics)
    assert [(each.code.id, each.message) for each in diagnostics] == [("no-rows", "field has no rows")]


def test_a_shape_that_fails_only_in_a_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = MadeShape()
    plan = board_shape.BoardPlan("field", shape, (("a",),), {"a": "A"}, {"a": (1, 1, 0)}, ())
    monkeypatch.setattr(shape, "draw_text", fail)
    with pytest.raises(RulewrightError, match=r"the board shape `made` \(tests/.*\) failed on `field`"):
        plan.draw_text(board_shape.EmptyCells())
