"""A reference names a game, an edition and versions; what cannot be read is shown with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.nodes import Mapping
from rulewright.source.yaml.yaml_reader import read_text


@pytest.mark.parametrize(
    "text", ["pig/classic", "fuzzy-knights/normal@1.0", "a1/b_2@^1.0", "x/y@1.0.0-rc.1", "2048/x@~0"]
)
def test_a_reference_reads_back(text: str) -> None:
    assert str(parse_reference(text)) == text


@pytest.mark.parametrize("newest", ["latest", "*", "x"])
def test_latest_is_the_same_as_no_version(newest: str) -> None:
    assert parse_reference(f"pig/classic@{newest}") == parse_reference("pig/classic")


@pytest.mark.parametrize(
    ("wanted", "proposed"),
    [
        ("v1", "pig/classic@1"),
        ("=1.0", "pig/classic@1.0"),
        (">=1.2", "pig/classic@^1.2"),
        ("1.0.0.0", "pig/classic@1.0.0"),
        ("1.0 || 2", "pig/classic@1.0"),
        ("01", None),
        ("new", None),
    ],
)
def test_what_is_proposed_for_a_version_can_be_read(wanted: str, proposed: str | None) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_reference(f"pig/classic@{wanted}")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.suggestion == (f"write `{proposed}`" if proposed else None)
    if proposed:
        assert str(parse_reference(proposed)) == proposed


def test_its_parts_are_named() -> None:
    reference = parse_reference("fuzzy-knights/normal@^1.0")
    assert (reference.game, reference.edition, str(reference.versions)) == ("fuzzy-knights", "normal", "^1.0")


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "this names no ruleset", 1),
        ("@1.0", "this names no ruleset", 1),
        ("pig", "`pig` does not name an edition of a game", 1),
        ("pig/", "the name of the edition is missing in `pig/`", 1),
        ("/classic", "the name of the game is missing in `/classic`", 1),
        ("Pig/Classic", "names are in lower case", 1),
        ("pig/classic/1.0", "`pig/classic/1.0` is not of the form `game/edition`", 1),
        ("pig/classic ", "`pig/classic ` is not of the form `game/edition`", 1),
        ("pig/classic@", "there is no version after the `@`", 12),
        ("pig/classic@one", "`one` is not a version", 13),
        ("pig/classic@1.0.0@2", "`1.0.0@2` is not a version", 13),
        ("pig/" + "c" * 1000, "this is too long to be a reference", 1),
    ],
)
def test_what_cannot_be_read_says_why(text: str, message: str, column: int) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_reference(text)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code.id, diagnostic.message, diagnostic.span.column) == ("bad-reference", message, column)


def test_of_two_arguments_each_shows_its_own_text() -> None:
    first, second = parse_reference("a/first"), parse_reference("a/second")
    assert (str(first.span), str(second.span)) == ("<a/first>:1:1", "<a/second>:1:1")


def test_in_a_file_the_place_is_that_of_the_file() -> None:
    node = read_text("title: House rules\nextends: 'pig/classic@new'\n", "house/ruleset.yaml")
    assert isinstance(node, Mapping)
    with pytest.raises(DiagnosticError) as caught:
        parse_reference(node.entries["extends"].value)  # type: ignore[arg-type]
    assert str(caught.value.diagnostics[0].span) == "house/ruleset.yaml:2:23"


@given(st.text(alphabet="ab/@^~.-01A \n\0é", max_size=20))
def test_no_text_breaks_it(text: str) -> None:
    try:
        reference = parse_reference(text)
    except DiagnosticError:
        return
    assert parse_reference(str(reference)) == reference
