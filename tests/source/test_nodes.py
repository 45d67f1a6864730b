"""What the reader makes of sound YAML: values by the 1.2 core schema, and a place for everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.yaml.yaml_reader import read_file, read_text


def mapping(text: str) -> Mapping:
    node = read_text(text, "x.yaml")
    assert isinstance(node, Mapping)
    return node


def scalar(text: str, key: str = "a") -> Scalar:
    node = mapping(text).get(key)
    assert isinstance(node, Scalar)
    return node


def cut(text: str, span: Span) -> str:
    """Return the stretch of the text that a span covers."""
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("NULL", None), ("nULL", "nULL"),
        ("true", True), ("True", True), ("TRUE", True), ("false", False), ("tRUE", "tRUE"),
        ("no", "no"), ("No", "No"), ("on", "on"), ("off", "off"), ("yes", "yes"), ("y", "y"), ("n", "n"),
        ("0", 0), ("-0", 0), ("+12", 12), ("-19", -19), ("012", 12), ("08", 8), ("0o14", 12), ("0x1F", 31),
        ("0b11", "0b11"), ("1_000", "1_000"), ("0x", "0x"), ("0o8", "0o8"), ("-0x1", "-0x1"), ("٣", "٣"),
        ("1:30", "1:30"), ("190:20:30", "190:20:30"), ("2024-01-31", "2024-01-31"), ("1.0.0", "1.0.0"),
        ("1.5", 1.5), ("-.5", -0.5), ("1.", 1.0), ("1e3", 1000.0), ("12e03", 12000.0), ("+1.5E-2", 0.015),
        (".", "."), ("e3", "e3"), ("+", "+"), ("1e", "1e"), ("=", "="), ("<", "<"), ("NaN", "NaN"),
        ('"12"', "12"), ("'true'", "true"), ('""', ""), ("0" * 900 + "7", 7), ("9" * 1000, 10**1000 - 1),
        ("10-70", "10-70"), ("2d6 +6", "2d6 +6"), ("a#b", "a#b"), ("a:b", "a:b"), ("🏰 # x", "🏰"),
    ],
)  # fmt: skip
def test_scalars_follow_the_core_schema(written: str, value: object) -> None:
    node = scalar(f"a: {written}\n")
    assert node.value == value
    assert type(node.value) is type(value)


def test_keys_are_their_text() -> None:
    node = mapping("1: a\n10-70: b\ntrue: c\n~: d\n0x10: e\n'q k': f\n1.50: g\n2024-01-31: h\n")
    assert list(node.list_keys()) == ["1", "10-70", "true", "~", "0x10", "q k", "1.50", "2024-01-31"]
    assert [entry.key.value for entry in node.entries.values()] == list(node.list_keys())


def test_nodes_give_plain_data_and_kinds() -> None:
    text = "a: [1, two, 3.5, {b: true}]\nc:\n  - d\n  - - e\nf:\n"
    node = mapping(text)
    assert node.to_plain() == {"a": [1, "two", 3.5, {"b": True}], "c": ["d", ["e"]], "f": None}
    items = node.get("a")
    assert isinstance(items, Sequence)
    assert [item.kind for item in items] == ["a whole number", "text", "a number", "a mapping"]
    assert node.get("nothing") is None
    assert "a" in node
    assert "b" not in node
    with pytest.raises(KeyError):
        node.find_key_span("b")
    with pytest.raises(TypeError):
        node.entries["new"] = node.entries["a"]  # type: ignore[index]


def test_every_node_has_its_place() -> None:
    text = '🏰🏰: 🎲 2d6\nb:\n  - {c: "d e", é: [1, 2]}\n  - f: g h  # note\n\n# end\n'
    node = mapping(text)
    seen: list[str] = []

    def walk(node: Node) -> None:
        seen.append(cut(text, node.span))
        if isinstance(node, Mapping):
            for entry in node.entries.values():
                seen.append(cut(text, entry.key.span))
                walk(entry.value)
        elif isinstance(node, Sequence):
            for item in node:
                walk(item)

    walk(node)
    assert seen == [
        '🏰🏰: 🎲 2d6\nb:\n  - {c: "d e", é: [1, 2]}\n  - f: g h',
        "🏰🏰", "🎲 2d6", "b", '- {c: "d e", é: [1, 2]}\n  - f: g h',
        '{c: "d e", é: [1, 2]}', "c", '"d e"', "é", "[1, 2]", "1", "2", "f: g h", "f", "g h",
    ]  # fmt: skip
    assert node.find_key_span("b") == Span("x.yaml", 2, 1, 2, 2)
    assert cut(text, node.entries["b"].span) == 'b:\n  - {c: "d e", é: [1, 2]}\n  - f: g h'


def test_a_missing_value_is_an_empty_place_after_its_key() -> None:
    assert scalar("a:\nb: 1\n").span == Span("x.yaml", 1, 3, 1, 3)


@pytest.mark.parametrize("text", ["a: 1\r\nb: 🏰 c\r\n", "a: 1\rb: 🏰 c\r", "\ufeffa: 1\nb: 🏰 c\n"])
def test_line_breaks_and_byte_order_marks_move_nothing(text: str) -> None:
    assert scalar(text, "b").span == Span("x.yaml", 2, 4, 2, 7)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("mine.ownr", "mine.ownr"),
        ("🏰 + x", "🏰 + x"),
        ("'it''s 🏰 x'", "it's 🏰 x"),
        ('"a\\tb \\u00e9\\U0001F3F0\\x41 \\"x\\" \\\\ y\\/"', 'a\tb é🏰A "x" \\ y/'),
    ],
)
def test_a_position_inside_a_one_line_scalar_is_exact(written: str, text: str) -> None:
    source = f"🏰: 1\na: {written}  # note\n"
    node = scalar(source)
    assert node.text == text
    for offset, char in enumerate(text):
        span = node.position(offset)
        part = cut(source, span)
        undone = scalar(f'a: "{part}"\n').text if part[0] == "\\" else part.replace("''", "'")
        assert undone == char, (offset, part)
    assert cut(source, node.position(0, len(text))) == (written[1:-1] if written[0] in "'\"" else written)


@pytest.mark.parametrize(
    "written",
    [
        "|\n  🏰 one\n    two\n\n  three\n",
        "|+ # note\n    one\n\n    two\n\n",
        "|2-\n    one\n   two\n",
        ">-\n  one\n  two\n\n  three\n    more\n  end\n",
        "one\n  two\n\n  three",
        '"one\n  two \\\n   three\n\n  \\u00e9four"',
        "'one\n\n\n  it''s\n  two'",
    ],
)
def test_in_a_scalar_of_several_lines_every_visible_character_is_found(written: str) -> None:
    source = f"a: {written}\nb: 1\n"
    node = scalar(source)
    for offset, char in enumerate(node.text):
        part = cut(source, node.position(offset))
        if not char.isspace():
            assert part.replace("''", "'").replace("\\u00e9", "é") == char, (offset, part)
    last = node.position(len(node.text))
    assert last.line <= source.count("\n")


def test_a_position_outside_the_text_is_clamped() -> None:
    node = scalar("a: xyz\n")
    assert node.position(99) == Span("x.yaml", 1, 7, 1, 7)
    assert node.position(-5).column == 4
    assert node.position(1, 99) == Span("x.yaml", 1, 5, 1, 7)
    assert node.position(1, 0) == Span("x.yaml", 1, 5, 1, 5)


def test_a_scalar_made_by_hand_points_at_its_span() -> None:
    span = Span("x.yaml", 3, 4, 3, 9)
    assert Scalar("hello", "hello", span).position(2) == span


def test_a_file_is_named_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "a.yaml").write_text("a: 🏰\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_file("rules/a.yaml").span.file == "rules/a.yaml"
    assert read_file(Path("rules/a.yaml")).to_plain() == {"a": "🏰"}


def test_the_root_may_be_a_list_or_a_scalar() -> None:
    assert read_text("- 1\n- 2\n", "x").to_plain() == [1, 2]
    assert read_text("~\n", "x").to_plain() is None
    assert read_text("--- # start\na: 1\n...\n", "x").to_plain() == {"a": 1}


@pytest.mark.parametrize("text", ["a: 'b\tc'\n", 'a: "b\tc"\n', "a: |\n  b\n  \tc\n", "a: 1 #\tb\n"])
def test_a_tab_inside_a_quoted_text_or_a_comment_is_no_matter(text: str) -> None:
    read_text(text, "x")
