"""Very many errors, names or files take their share of time and no more, and what is said stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import load_ruleset
from rulewright.language.expressions.expression_parser import parse_by_grammar, parse_expression
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.pipeline import MOST_ERRORS
from rulewright.ruleset.recovery.span_index import SpanIndex
from rulewright.source.diagnostics.collector import CODES, Diagnostics
from rulewright.source.diagnostics.suggestions import find_nearest
from rulewright.source.nodes import Mapping, Node, Scalar
from rulewright.source.span import Span
from rulewright.source.yaml import error_recovery
from rulewright.testing.check_edition import check_edition
from tests.breadth import times

MANIFEST = "ruleset: my/game\nversion: 1.0.0\ntitle: Mine\nstatus: draft\nplayers: 2\nrounding: truncate\n"


def list_errors(folder: Path, **files: str) -> list[tuple[str, str]]:
    (folder / "ruleset.yaml").write_text(MANIFEST, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    catalogue = Catalogue([folder])
    return [(d.code.id, d.message) for d in check_edition(catalogue, catalogue.list_editions()[0]).diagnostics]


def test_checking_stops_where_errors_are_too_many_to_be_of_use(tmp_path: Path) -> None:
    numbers = "numbers:\n" + "".join(f"  n{each}: m{each} + 1\n" for each in range(MOST_ERRORS + 50))
    texts = list_errors(tmp_path, numbers=numbers)
    assert [code for code, _ in texts] == ["unknown-name"] * MOST_ERRORS + ["too-many-errors"]
    assert texts[-1][1] == f"checking stopped here after {MOST_ERRORS} errors"


def test_words_are_not_looked_at_past_too_many_errors(tmp_path: Path) -> None:
    numbers = "numbers:\n" + "".join(
        f'  n{each}: {{is: 1, means: "{{m{each}}}"}}\n' for each in range(MOST_ERRORS + 50)
    )
    codes = [code for code, _ in list_errors(tmp_path, numbers=numbers)]
    assert codes.count("unknown-placeholder") == MOST_ERRORS
    assert codes.count("too-many-errors") == 1


def test_what_holds_a_stretch_of_the_rules_is_found_as_by_looking_at_all_of_them() -> None:
    rules = load_ruleset("fuzzy-knights/medium@0.1").resolved.rules
    places = SpanIndex(rules)
    spans = list(dict.fromkeys(all_spans(rules)))
    for span in spans[1 :: times(293, 97)]:  # the first is that of the folder, in which there are no places
        for expected in (span, Span(span.file, span.line, span.column, span.line, span.column + 1)):
            entry = places.find(expected)
            assert (entry and entry[0]) == looked_for(rules, expected)
    assert places.find(Span("elsewhere.yaml", 1, 1, 1, 2)) is None


def all_spans(node: Node) -> Iterator[Span]:
    yield node.span
    if isinstance(node, Mapping):
        for entry in node.entries.values():
            yield entry.key.span
            yield from all_spans(entry.value)
    elif not isinstance(node, Scalar):
        for item in node.items:
            yield from all_spans(item)


def looked_for(node: Node, span: Span) -> tuple[str, ...] | None:
    """Return the same by brute force: the first key or value that holds the span, the innermost of those it lies in."""
    if isinstance(node, Scalar):
        return () if node.span.contains(span) else None
    if isinstance(node, Mapping):
        for key, entry in node.entries.items():
            if entry.key.span.contains(span):
                return (key,)
            if (inner := looked_for(entry.value, span)) is not None:
                return (key, *inner)
            if entry.key.span.file == entry.value.span.file and entry.span.contains(span):
                return (key,)
        return () if node.span.contains(span) else None
    for item in node.items:
        if (inner := looked_for(item, span)) is not None:
            named = item.get("id") if isinstance(item, Mapping) else None
            return (named.text, *inner) if isinstance(named, Scalar) else inner
    return () if node.span.contains(span) else None


def test_errors_are_those_among_all_that_was_found_however_it_came_there() -> None:
    diagnostics, place = Diagnostics(), Span.for_file("x")
    for round_ in range(3):
        diagnostics.add(CODES["unknown-name"], f"wrong {round_}", place)
        assert len(diagnostics.errors) == round_ + 1
        diagnostics.add(CODES["unused-declaration"], "strange", place)
    diagnostics.extend(list(diagnostics))
    assert len(diagnostics.errors) == 6
    diagnostics.replace(list(diagnostics)[:1])
    assert [each.message for each in diagnostics.errors] == ["wrong 0"]


@pytest.mark.parametrize("text", ["0", "7", " 12 ", "\n3", "1" * 18, "007"])
def test_a_number_by_itself_is_read_as_by_the_grammar(text: str) -> None:
    assert parse_expression(text) == parse_by_grammar(text, "expression")


def test_of_very_many_names_those_that_begin_alike_are_compared() -> None:
    names = [f"other_{number}" for number in range(5_000)]
    assert find_nearest("settlemnt", [*names, "settlement"]) == ["settlement"]


def test_a_file_that_holds_too_much_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "numbers.yaml"
    file.write_text("numbers:\n" + "  a: [" + "1, " * 100_001 + "1]\n", encoding="utf-8")
    monkeypatch.setattr(error_recovery, "read_unlisted", lambda *_: pytest.fail("read again"))
    left = error_recovery.recover_document(file)
    assert left.hopeless
    assert [fault.code.id for fault in left.diagnostics] == ["too-many-nodes"]
