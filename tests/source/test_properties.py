"""Whatever the text: an answer or a diagnostic, soon; and what is read is what stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rulewright.source.diagnostics import formats
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.span import Span
from rulewright.source.yaml import yaml_reader
from rulewright.source.yaml.yaml_reader import read_file, read_text
from tests.breadth import times

PIECES = [
    "a", "b: ", "c:\n", "- ", "\n", "\n  ", "\n    ", "\t", "{", "}", "[", "]", ", ", ":", "? ", "&x ", "*x", "!t ",
    "<<: ", "|\n", ">-\n", "'", '"', "\\", "\\u00e9", "#", " # c", "---\n", "...\n", "%", "@", "`", "🏰", "é", "1",
    "0x1", "!!str ",
    ".inf", "1e9", "~", "true", "\r\n", "\ufeff", "\x00", "\x85", "\u2028", "\ud800", "{hero}", "=", "-", " ",
]  # fmt: skip
yamlish = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(text=yamlish | st.text())
@example("'\n\n")
@example('"\\\n\n x"')
@settings(max_examples=times(300, 1_500))
def test_any_text_is_read_or_explained(text: str) -> None:
    try:
        node = read_text(text, "x.yaml")
    except DiagnosticError as error:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for diagnostic in error.diagnostics:
            for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
                assert 1 <= span.line <= span.end_line <= len(lines)
                assert 1 <= span.column <= len(lines[span.line - 1]) + 1
                assert (span.line, span.column) <= (span.end_line, span.end_column)
        for name in formats.list_names():
            formats.render(name, error.diagnostics)
    else:
        check_places(node)


@given(data=st.binary(max_size=200) | yamlish.map(lambda text: text.encode("utf-8", "surrogatepass")))
@settings(max_examples=times(100, 300))
def test_any_bytes_are_read_or_explained(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(data)
    try:
        read_file(path)
    except DiagnosticError as error:
        formats.render("text", error.diagnostics)


def check_places(node: Node) -> None:
    """Each offset of each scalar has a place inside the scalar's own."""
    if isinstance(node, Scalar):
        for offset in range(len(node.text) + 1):
            span = node.position(offset)
            assert (node.span.line, node.span.column) <= (span.line, span.column)
            assert (span.line, span.column) <= (span.end_line, span.end_column)
            assert (span.end_line, span.end_column) <= (node.span.end_line, node.span.end_column)
    elif isinstance(node, Mapping):
        for entry in node.entries.values():
            check_places(entry.key)
            check_places(entry.value)
    else:
        for item in node:
            check_places(item)


@given(text=yamlish)
@settings(max_examples=times(150, 500))
def test_both_parsers_agree(text: str) -> None:
    # Where they differ by nature: libyaml takes no colon before a bracket and more kinds of tabs and question marks.
    assume(not re.search(r"[\t?]|:[\[\]{},]|[|>]#", text))
    assert outcome(text, yaml.SafeLoader) == outcome(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def outcome(text: str, loader: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "_parse_events", lambda text: yaml.parse(text, loader))
        try:
            return read_text(text, "x.yaml").to_plain()
        except DiagnosticError:
            # They may stumble over different tabs and escapes; that they refuse the same is what counts.
            return "refused"


words = st.text("abc XYZ🏰é日'\"\\#:-{}[],&*!|>%@`\n\t012.", max_size=12)
safe_values = st.recursive(
    st.none() | st.booleans() | st.integers() | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words.filter(bool), inner, max_size=4),
    max_leaves=12,
)


@given(value=safe_values, flow=st.booleans(), style=st.sampled_from(["'", '"', "|", ">"]))
@settings(max_examples=times(100, 300))
def test_quoted_values_are_read_as_pyyaml_reads_them(value: Any, flow: bool, style: str) -> None:
    class Dumper(yaml.SafeDumper):
        """Quotes every string, so that the two schemas cannot differ, and writes no aliases."""

        def ignore_aliases(self, data: object) -> bool:
            return True

    Dumper.add_representer(
        str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    )
    text = yaml.dump(value, Dumper=Dumper, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    if "? " in text and "<<" in text:
        return
    assert read_text(text, "x.yaml").to_plain() == yaml.safe_load(text) == value


names = st.text("abcdef🏰é日", min_size=1, max_size=6)


@given(entries=st.dictionaries(names, st.tuples(names, st.sampled_from(["{}", "'{}'", '"{}"', "[{}, x]"])), min_size=1))
def test_every_scalar_points_at_its_text(entries: dict[str, tuple[str, str]]) -> None:
    text = "".join(f"{key}:   {style.format(value)}  # 🎲 {key}\n" for key, (value, style) in entries.items())
    node = read_text(text, "x.yaml")
    assert isinstance(node, Mapping)
    lines = text.split("\n")

    def at(span: Span) -> str:
        assert span.line == span.end_line
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]

    for key, (value, style) in entries.items():
        assert at(node.find_key_span(key)) == key
        response = node.get(key)
        if isinstance(response, Sequence):
            response = response.items[0]
        assert isinstance(response, Scalar)
        assert response.text == value
        assert at(response.span) == (style.format(value) if style[0] != "[" else value)
        assert "".join(at(response.position(offset)) for offset in range(len(value))) == value
