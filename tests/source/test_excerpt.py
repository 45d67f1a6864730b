"""Excerpts fit a terminal: wide characters, tabs, long lines."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.diagnostics.excerpt import extend_to_lines, extract_excerpt, measure_width
from rulewright.source.files.safe_read import read_bytes_as_text
from rulewright.source.files.unsaved_texts import build_file_key, replace_files
from rulewright.source.source_map import SOURCES, SourceMap
from rulewright.source.span import Span
from rulewright.source.yaml.error_recovery import recover_document
from rulewright.source.yaml.yaml_reader import read_file


def show_excerpt(line: str, column: int, end: int, *, width: int = 100) -> list[str]:
    sources = SourceMap()
    sources.remember("x", line)
    excerpt = extract_excerpt(Span("x", 1, column, 1, end), sources=sources, width=width)
    assert excerpt is not None
    return [excerpt.line, excerpt.underline]


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 1), ("🏰", 2), ("日本", 4), ("⚔", 1), ("⚔\ufe0f", 2), ("👨\u200d👩", 2),
     ("🇩🇪", 2), ("ｱ", 1), ("\t", 1)],
)  # fmt: skip
def test_width_is_what_a_terminal_needs(text: str, width: int) -> None:
    assert measure_width(text) == width


def test_carets_stand_under_the_span() -> None:
    assert show_excerpt("a: b: c", 5, 6) == ["a: b: c", "    ^"]
    assert show_excerpt("🏰日: mine.ownr", 10, 14) == ["🏰日: mine.ownr", "           ^^^^"]
    assert show_excerpt("a: 🏰🏰", 4, 6) == ["a: 🏰🏰", "   ^^^^"]
    assert show_excerpt("a\tb\tc", 5, 6) == ["a→b→c", "    ^"]
    assert show_excerpt("a:", 3, 3) == ["a:", "  ^"]
    assert show_excerpt("", 1, 1) == ["", "^"]


def test_a_span_of_several_lines_is_underlined_on_its_first() -> None:
    sources = SourceMap()
    sources.remember("x", "a: b\n  c\n")
    excerpt = extract_excerpt(Span("x", 1, 4, 2, 4), sources=sources)
    assert excerpt is not None
    assert excerpt.underline == "   ^"


def test_a_long_line_is_clipped_around_the_span() -> None:
    line = "x" * 300 + "HERE" + "y" * 300
    text, carets = show_excerpt(line, 301, 305, width=60)
    assert measure_width(text) <= 60
    assert text.startswith("…x")
    assert text.endswith("y…")
    assert text[carets.index("^") : carets.index("^") + 4] == "HERE"
    text, carets = show_excerpt("🏰" * 300, 300, 301, width=60)
    assert measure_width(text) <= 60
    assert carets.strip() == "^^"
    text, _ = show_excerpt("HERE" + "y" * 300, 1, 5, width=60)
    assert text.startswith("HERE")
    text, carets = show_excerpt("x" * 300, 1, 301, width=60)
    assert len(carets) <= 60


def test_what_is_not_known_is_not_shown() -> None:
    sources = SourceMap()
    sources.remember("x", "a\nb")
    assert extract_excerpt(Span.for_file("elsewhere"), sources=sources) is None
    assert extract_excerpt(Span("x", 9, 1, 9, 2), sources=sources) is None
    assert extract_excerpt(Span("x", 1, 99, 1, 100), sources=sources) is None


def test_the_oldest_texts_are_forgotten() -> None:
    sources = SourceMap(kept_characters=10)
    sources.remember("a", "1234567")
    sources.remember("b", "12345")
    assert sources.find_line("a", 1) is None
    assert sources.find_line("b", 1) == "12345"
    sources.remember("b", "x" * 100)
    assert sources.find_line("b", 1) == "x" * 100


def test_a_line_cannot_hide_or_reorder_its_text() -> None:
    assert show_excerpt("a\u202eb\u200bc\x1b[0m", 1, 2)[0] == "a�b�c␛[0m"


class Searched(str):
    """A text that counts how often something is looked for in it."""

    searches = 0

    def find(self, *expected: Any) -> int:
        type(self).searches += 1
        return super().find(*expected)


def test_a_text_is_searched_once_for_all_its_lines() -> None:
    lines = [f"line {number}" for number in range(1_000)]
    sources = SourceMap()
    sources.remember("x", Searched("\n".join(lines)))
    assert [sources.find_line("x", number) for number in range(1, 1_001)] == lines
    assert [sources.find_line("x", number) for number in (0, 1_001)] == [None, None]
    assert Searched.searches <= 2_000
    sources.remember("x", "another\n")
    assert [sources.find_line("x", number) for number in (1, 2, 3)] == ["another", "", None]


def test_a_long_message_loses_whole_lines_and_never_runs_two_together() -> None:
    lines = [f"line {number} of many" for number in range(100)]
    kept = extend_to_lines("\n".join(lines), 400).split("\n")
    (gone,) = (line for line in kept if line not in lines)
    place = kept.index(gone)
    assert kept[:place] == lines[:place]
    assert kept[place + 1 :] == lines[place - len(kept) + 1 :]
    assert gone == f"… {101 - len(kept)} lines left out …"
    assert len("\n".join(kept)) <= 400 + len(gone)
    assert place > 10
    assert len(kept) - place > 3


def test_what_was_read_is_shown_until_another_text_is_read_or_none_can_be(tmp_path: Path) -> None:
    """Whoever only compares a file with what is typed takes nothing away from those who are about to show it."""
    path = tmp_path / "rules.yaml"
    path.write_text("a: 1\n")
    read_file(path)
    path.write_text("a: 2\n")
    read_bytes_as_text(path)
    assert SOURCES.find_text(str(path)) == "a: 1\n"
    read_file(path)
    assert SOURCES.find_text(str(path)) == "a: 2\n"
    path.unlink()
    with pytest.raises(DiagnosticError):
        read_bytes_as_text(path)
    assert SOURCES.find_text(str(path)) is None


def test_what_is_left_of_a_file_is_what_was_read_here(tmp_path: Path) -> None:
    """Another thread may have read another text of the same file a moment ago."""
    path = tmp_path / "rules.yaml"
    path.write_text("numbers:\n  one: 1\nterms: [\n")
    key = build_file_key(path)
    with replace_files({key: "numbers:\n  two: 2\nterms: [\n"}):
        before = read_file

        def meanwhile(*arguments: object) -> object:
            try:
                return before(*arguments)  # type: ignore[arg-type]
            finally:
                SOURCES.remember(str(path), "numbers:\n  other: 3\n")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("rulewright.source.yaml.error_recovery.read_file", meanwhile)
            document = recover_document(path)
    assert document.node is not None
    assert document.node.to_plain() == {"numbers": {"two": 2}}


def test_a_thread_that_reads_apart_sees_its_own_texts_and_leaves_those_of_others() -> None:
    sources = SourceMap()
    sources.remember("both", "theirs")
    sources.remember("one", "of others alone")
    seen: list[str | None] = []

    def read() -> None:
        with sources.isolate_thread():
            sources.remember("both", "mine")
            sources.forget("gone")
            seen.extend(sources.find_line(name, 1) for name in ("both", "one", "gone"))
            sources.remember("gone", "back")
            seen.append(sources.find_text("gone"))
        seen.append(sources.find_line("both", 1))

    sources.remember("gone", "there")
    thread = Thread(target=read)
    thread.start()
    thread.join()
    assert seen == ["mine", "of others alone", None, "back", "theirs"]
    assert [sources.find_text(name) for name in ("both", "gone")] == ["theirs", "there"]
