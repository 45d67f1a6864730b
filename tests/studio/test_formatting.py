"""What is laid out says the same and keeps every comment, and is laid out for good."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.authoring.source_layout import format_source
from rulewright.base.resources import find_resource
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.yaml.yaml_reader import read_text
from tests.breadth import spread, times

RULES = sorted(find_resource("rules").rglob("*.yaml"))


def comments(text: str) -> list[str]:
    return [line[line.index("#") :].rstrip() for line in text.split("\n") if "#" in line]


def as_data(text: str) -> object:
    return read_text(text, "laid-out.yaml").to_plain()


@pytest.mark.parametrize("path", spread(RULES, 40), ids=lambda path: "/".join(path.parts[-2:]))
def test_shipped_rules_are_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_source(text) == text


def crooked(text: str, random: Random) -> str:
    """Return the same rules, laid out by somebody in a hurry."""
    by = random.choice([2, 3])
    lines = []
    for line in text.split("\n"):
        content = line.lstrip(" ")
        indent = (len(line) - len(content)) * by // 2
        lines.append(" " * indent + content + " " * random.choice([0, 0, 3]))
        lines += [""] * random.choice([0] * 9 + [5])
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(times(12, 200)))
def test_what_is_laid_out_says_the_same(seed: int) -> None:
    random = Random(seed)
    text = random.choice(RULES).read_text(encoding="utf-8")
    if any(mark in text for mark in ("|\n", "|-\n", ">\n", ">-\n")):
        return  # in blocks of words every blank counts, so that a crooked one says something else
    wrong = crooked(text, random)
    try:
        expected_data = as_data(wrong)
    except DiagnosticError:
        return
    formatted_text = format_source(wrong)
    assert as_data(formatted_text) == expected_data
    assert comments(formatted_text) == comments(wrong)
    assert format_source(formatted_text) == formatted_text
    assert all(line == line.rstrip() for line in formatted_text.split("\n"))
    assert [line for line in formatted_text.split("\n") if line] == [
        line for line in format_source(text).split("\n") if line
    ]


WORDS = st.sampled_from(["a", "b c", "1", "# no", "'it''s'", '"two # words"', "{x: 1}", "[1, 2]", "x # why"])


@st.composite
def documents(draw: st.DrawFn, depth: int = 0, indent: int = 0) -> str:
    """Return mappings and lists of any layout, with comments and blocks of words in them."""
    lines = []
    step = draw(st.integers(1, 5))
    pad = " " * indent
    as_list = depth > 0 and draw(st.booleans())
    for number in range(draw(st.integers(1, 3))):
        if draw(st.integers(0, 4)) == 0:
            lines.append(" " * draw(st.integers(0, 8)) + "# a comment")
        lines += [" " * draw(st.integers(0, 2))] * draw(st.sampled_from([0, 0, 1, 4]))
        head = f"{pad}-" if as_list else f"{pad}key{number}:"
        kind = draw(st.integers(0, 5))
        if kind <= 1 and depth < 3:
            lines += [head, draw(documents(depth + 1, indent + step))]
        elif kind == 2:
            inner = " " * (indent + step)
            lines += [f"{head} |", f"{inner}some words   ", "", f"{inner}  # no comment", f"{inner}end"]
        elif kind == 3 and as_list:
            lines.append(f"{head}{' ' * draw(st.integers(1, 3))}name: {draw(WORDS)}")
        else:
            lines.append(f"{head} {draw(WORDS)}{' ' * draw(st.integers(0, 2))}")
    return "\n".join(lines)


@settings(max_examples=times(150, 3_000), deadline=None)
@given(documents())
def test_any_layout_keeps_what_it_says(text: str) -> None:
    formatted_text = format_source(text)
    assert format_source(formatted_text) == formatted_text
    assert comments(formatted_text) == comments(text)
    try:
        expected_data = as_data(text)
    except DiagnosticError:
        assert formatted_text == text, "what cannot be read is left alone"
        return
    assert as_data(formatted_text) == expected_data


def test_what_it_does() -> None:
    written = """
        a:
              b:   1___
              # about c
              c:
              -    d: |
                      x
                        y
                   e: [1,
                     2]
        """
    expected = """
        a:
          b:   1
          # about c
          c:
            - d: |
                 x
                   y
              e: [1,
                2]
        """
    assert format_source(dedent(written).lstrip().replace("_", " ")) == dedent(expected).lstrip()
