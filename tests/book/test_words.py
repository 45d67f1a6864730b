"""Placeholders, and what holds hand-written text to the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book.parts.rule_summaries import build_describer
from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import HtmlStyle, Style
from rulewright.engine.narration.plain_names import Names
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.placeholders import Literal, Placeholder, Stray, parse_parts
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.prose.text_signature import compute_reviewed_digest
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import Diagnostic, apply_edits
from tests.book.garden import MANIFEST, garden, steps, write_garden


@pytest.fixture
def ruleset(tmp_path: Path) -> Ruleset:
    return garden(tmp_path)


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("a {plant}", "a Plant"),
        ("{plant.plural}", "Plants"),
        ("{bed.icon}", "🌱"),
        ("{numbers.harvest}", "3"),
        ("{numbers.rain}", "2d6 +1"),
        ("{tables.weather}", "Weather"),
        ("{sizes.tree}", "Tree"),
        ("{weather.wet}", "Pouring rain"),
        ("{sizes.tree.price}", "5"),
        ("{sizes.sprout.needs}", "–"),
        ("{sizes.tree.needs}", "Bush"),
        ("{weather.dry.on}", "1–3"),
        ("{weather.dry.rain}", "1d6"),
        ("{dice.dW}", "dW"),
        ("{procedures.tend}", "Tending a Bed"),
        ("{options.shade}", "Shade"),
        ("{options.shade.full}", "Full shade"),
        ("{decks.catalogue}", "Catalogue"),
        ("{pages.growing}", "Growing"),
        ("{pages.growing.tending}", "Tending a Bed"),
        ("{= weather.dry.rain + numbers}", "{= weather.dry.rain + numbers}"),
        ("{= weather.dry.rain + weather.wet.rain}", "3d6 +1"),
        ("{= count(sizes) * 2}", "6"),
        ("{numbers.harvest:words}", "three"),
        ("{numbers.harvest:Words}", "Three"),
        ("{numbers.harvest:plant}", "3 Plants"),
        ("{numbers.harvest:words plant}", "three Plants"),
        ("{ numbers.harvest : Words plant }", "Three Plants"),
        ("{sizes.tree.price:words}", "five"),
        ("{= count(sizes) * 14:Words seed}", "Forty-two Seeds"),
        ("{= harvest - 2:words seed}", "one Seed"),
        ("{= harvest - 3:words seed}", "no Seeds"),
        ("{= harvest * 40:words seed}", "120 Seeds"),
        ("{'two'} of {\"three <b>\"}", "two of three <b>"),
        ("{{plant}}", "{plant}"),
        ("{{{plant}}}", "{Plant}"),
        ("{ plant }", "Plant"),
    ],
)
def test_a_placeholder_is_filled(words: str, plain: str, ruleset: Ruleset) -> None:
    assert fill(words, Style(ruleset)) == plain


def test_html_links_terms_and_escapes_the_rest(ruleset: Ruleset) -> None:
    style = HtmlStyle(ruleset, lambda path: "g.md#x" if path == "terms.plant" else None)
    assert fill("<b> {plant} & {water}", style) == '&lt;b&gt; <a class="rw-term" href="g.md#x">Plant</a> &amp; Water'


def test_parts_know_where_they_stand() -> None:
    assert list(parse_parts("a { bc} }} d}")) == [
        Literal("a ", 0),
        Placeholder("bc", 4),
        Literal(" ", 7),
        Literal("}", 8),
        Literal(" d", 10),
        Stray("}", 12),
    ]


def lint(folder: Path, old: str, new: str, *, manifest: str = MANIFEST) -> list[Diagnostic]:
    """Return what is said of the game's words when `old` in its rules is `new`."""
    rules = steps()
    assert old in rules
    ruleset = load_ruleset("garden/small", rules=[write_garden(folder, rules.replace(old, new, 1), manifest)])
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics, describe=build_describer(ruleset))
    return list(diagnostics)


def test_sound_words_are_left_alone(tmp_path: Path) -> None:
    assert lint(tmp_path, "Mind your", "Mind your") == []


@pytest.mark.parametrize(
    ("placeholder", "column", "message", "suggestion"),
    [
        ("{plnt}", 21, "nothing is called `plnt`", "did you mean `plant`?"),
        ("{plant.plurl}", 27, "the term `plant` has no `plurl`", "did you mean `plural`?"),
        ("{numbers.harvst}", 29, "there is no number `harvst`", "did you mean `harvest`?"),
        ("{harvest}", 21, "nothing is called `harvest`", "did you mean `numbers.harvest`?"),
        ("{sizes.tre}", 27, "sizes has no row `tre`", "did you mean `tree`?"),
        ("{sizes.tree.prize}", 32, "sizes has no column `prize`", "did you mean `price`?"),
        ("{sizes}", 21, "`sizes` is a table, but this does not name a row", None),
        ("{tables.wether}", 28, "there is no `tables.wether`", "did you mean `weather`?"),
        ("{= harvest + nothing}", 21, "nothing here is called `nothing`", None),
        ("{= count(beds)}", 21, "this depends on the state of a game, but its value must be fixed", None),
        ("{numbers.rain:words}", 21, "`numbers.rain` is not a non-negative whole number", None),
        ("{numbers.harvest:}", 36, "the format of the number is missing", "add `words` or a term"),
        ("{numbers.harvest:word}", 37, "there is no term `word`", None),
        (
            "{numbers.harvest:points}",
            37,
            "there is no term `points`",
            "the terms here are `bed`, `plant`, `seed`, `water`, `walls`; "
            "for a plain word, write `{numbers.harvest} points`",
        ),
        ("{numbers.harvst:words}", 29, "there is no number `harvst`", "did you mean `harvest`?"),
        ("{plant", 20, "`{` opens a placeholder that is never closed", "write `{{` for a literal brace"),
        ("{}", 21, "there is nothing between the braces", None),
    ],
)
def test_an_unknown_placeholder_is_shown_where_it_stands(
    placeholder: str, column: int, message: str, suggestion: str | None, tmp_path: Path
) -> None:
    (diagnostic,) = lint(tmp_path, "Mind your {bed}", f"Dig your {placeholder} bed")
    line = 1 + steps()[: steps().index("Mind your")].count("\n")
    assert (diagnostic.code.id, diagnostic.severity, diagnostic.message) == ("unknown-placeholder", "error", message)
    assert (diagnostic.span.line, diagnostic.span.column) == (line, column)
    assert suggestion is None or diagnostic.suggestion == suggestion


@pytest.mark.parametrize("figure", ["3", "2d6", "75%", "1,000"])
def test_a_figure_written_into_text_is_an_error(figure: str, tmp_path: Path) -> None:
    (diagnostic,) = lint(tmp_path, "Mind your", f"Mind {figure} times your")
    assert (diagnostic.code.id, diagnostic.severity) == ("literal-figure", "error")
    assert diagnostic.message == f"the number `{figure}` is typed into the text"
    if figure == "3":
        bound = "if it is this number, write `{numbers.harvest}`"
        assert diagnostic.suggestion == f"{bound}; if it is not a number of the rules, write `{{'3'}}`"
    else:
        assert f"if it is not a number of the rules, write `{{'{figure}'}}`" in diagnostic.help


@pytest.mark.parametrize("word", ["two", "Three", "forty-two", "twice", "hundred"])
def test_a_figure_in_words_is_an_error_only_if_a_number_has_its_value(word: str, tmp_path: Path) -> None:
    (diagnostic,) = lint(tmp_path, "Mind your", f"Mind {word} of your")
    expected = ("literal-figure", "error") if word == "Three" else ("literal-word", "warning")
    assert ((diagnostic.code.id, diagnostic.severity), diagnostic.message) == (
        expected,
        f"the number `{word}` is typed into the text",
    )
    bound = "if it is this number, write `{numbers.harvest:Words}`; " if word == "Three" else ""
    assert diagnostic.suggestion == f"{bound}if it is not a number of the rules, write `{{'{word}'}}`"


@pytest.mark.parametrize(
    "words", ["one of", "{'two'} of", "{numbers.harvest:words} of", "seventh-day", "often", "both"]
)
def test_what_counts_nothing_is_no_figure(words: str, tmp_path: Path) -> None:
    assert lint(tmp_path, "Mind your", f"Mind {words} your") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("means: How much it rains.", "means: Two of these."),
        ("title: Weather", "title: Weather for two"),
        ("means: The weather die.", "means: It has four faces."),
    ],
)
def test_what_rules_are_called_and_said_to_mean_holds_no_figure(old: str, new: str, tmp_path: Path) -> None:
    (diagnostic,) = lint(tmp_path, old, new)
    assert diagnostic.code.id == "literal-word"
    (diagnostic,) = lint(tmp_path, old, new.replace("Two", "2").replace("two", "2").replace("four", "4"))
    assert diagnostic.code.id == "literal-figure"


@pytest.mark.parametrize(("title", "wrong"), [("Two and three, so seven", ["seven"]), ("Five of 12", ["Five"])])
def test_an_example_may_say_its_own_figures_and_no_others(title: str, wrong: list[str], tmp_path: Path) -> None:
    example = f"examples:\n  told: {{title: '{title}', value: 2 * 3 * 12, expect: 72}}\n"
    diagnostics = lint(tmp_path, "examples:\n", example)
    says = [f"the title of `told` says `{word}`, but the example has no such number" for word in wrong]
    assert [each.message for each in diagnostics] == says
    # A number that an example no longer has is often left by an action that restates the example.
    assert {each.severity for each in diagnostics} == {"warning"}


def test_players_hear_counted_figures_as_readers_read_them(ruleset: Ruleset) -> None:
    names = Names(ruleset)
    for words in ("{numbers.harvest:Words plant}", "{numbers.harvest:words}", "{'two'}", "{= harvest - 2:plant}"):
        assert names.format_words(words) == fill(words, Style(ruleset))


def test_the_numbers_of_a_list_are_no_figures(tmp_path: Path) -> None:
    assert lint(tmp_path, "Mind your", "1. First, one of the\n          2. then\n          Mind your") == []


@pytest.mark.parametrize(("word", "hint"), [("Bed", "bed"), ("Seeds", "seed.plural"), ("Herb", "plant")])
def test_a_term_written_out_is_a_warning(word: str, hint: str, tmp_path: Path) -> None:
    (diagnostic,) = lint(tmp_path, "Mind your", f"Mind this {word}, your")
    assert (diagnostic.code.id, diagnostic.severity, diagnostic.suggestion) == (
        "literal-term",
        "warning",
        f"write `{{{hint}}}`",
    )


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        ("|\n          Mind the Bed.", "|\n          Mind the {bed}."),
        (
            ">-\n          Mind the Bed\n          and Seeds.",
            ">-\n          Mind the {bed}\n          and {seed.plural}.",
        ),
        ("Bed and Seeds", '"{bed} and {seed.plural}"'),
        ("The Bed", '"The {bed}"'),
        ("A Plant\n          in the Bed", '"A {plant}\n          in the {bed}"'),
        ('The "Bed"', '"The \\"{bed}\\""'),
        ("'It''s the Bed.'", "'It''s the {bed}.'"),
        ('"The \\u0042ed"', '"The {bed}"'),
        ('"[Water](pages.growing) and `Seed`"', '"[{water}](pages.growing) and `{seed}`"'),
    ],
)
def test_a_term_written_out_becomes_a_placeholder_in_every_kind_of_text(
    written: str, fixed: str, tmp_path: Path
) -> None:
    text = "|\n          Mind your {bed}. A ripe {plant} brings {numbers.harvest} {seed.plural}."
    diagnostics = lint(tmp_path, text, written)
    before = steps().replace(text, written, 1)
    after = apply_edits(before, dict.fromkeys(edit for each in diagnostics for edit in each.edits))
    assert after == steps().replace(text, fixed, 1)
    assert lint(tmp_path, text, fixed) == []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Grow this Herb", ""),  # the placeholder would print another word
        ("Water", "  herb: {name: Herb, also: [Water], means: H.}\n"),  # a word of two terms
    ],
)
def test_a_term_written_out_is_not_replaced_where_that_may_print_or_mean_something_else(
    text: str, terms: str, tmp_path: Path
) -> None:
    rules = steps().replace("terms:\n", f"terms:\n{terms}").replace("Mind your", text)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics)
    (diagnostic,) = diagnostics
    assert (diagnostic.code.id, diagnostic.edits) == ("literal-term", ())
    assert (diagnostic.suggestion or "").startswith("write `{")


def test_a_word_that_only_looks_like_a_term_can_be_kept(tmp_path: Path) -> None:
    assert lint(tmp_path, "Mind your", "Mind this {'Bed'}, your") == []


def test_a_rule_that_is_not_there_cannot_be_shown(tmp_path: Path) -> None:
    (diagnostic,) = lint(tmp_path, "tables.sizes, procedures.tend,", "tables.size, procedures.tend,")
    assert (diagnostic.code.id, diagnostic.suggestion) == ("unknown-rule", "did you mean `tables.sizes`?")


def test_released_text_must_be_signed(tmp_path: Path, ruleset: Ruleset) -> None:
    expected = compute_reviewed_digest(["procedures.tend"], ruleset)
    (diagnostic,) = lint(tmp_path, "Mind", "Mind", manifest=MANIFEST.replace("draft", "released"))
    assert (diagnostic.code.id, diagnostic.severity) == ("text-unreviewed", "warning")
    assert diagnostic.suggestion == f"compare it with `procedures.tend`, then add `reviewed: {expected}`"


def test_text_is_outdated_when_its_rule_changes(tmp_path: Path, ruleset: Ruleset) -> None:
    signed = f"reviewed: {compute_reviewed_digest(['procedures.tend'], ruleset)}\n        text: |\n          Mind"
    assert lint(tmp_path, "text: |\n          Mind", signed) == []
    changed = steps("- {id: rainy, roll: weather}").replace("text: |\n          Mind", signed)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, changed)])
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics, describe=build_describer(ruleset))
    (outdated,) = diagnostics
    assert (outdated.code.id, outdated.severity) == ("text-outdated", "warning")
    assert (
        outdated.message
        == "the text of `growing.tending` may be out of date: its rules have changed since an author compared it"
    )
    assert f"`reviewed: {compute_reviewed_digest(['procedures.tend'], ruleset)}`" in str(outdated.suggestion)
    assert "procedures.tend: (1) Roll on Weather" in str(outdated.suggestion)


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("title: Tending a {bed}\n    means", "title: Caring for a {bed}\n    means", True),
        ("means: In full shade nothing is left.", "means: Nothing.", True),
        ("when: options.shade == full", "when: options.shade == half", False),
        ("set: {bed.watered: true}", "set: {bed.watered: false}", False),
    ],
)
def test_the_digest_minds_rules_and_special_cases_but_no_words(
    old: str, new: str, same: bool, tmp_path: Path, ruleset: Ruleset
) -> None:
    before = compute_reviewed_digest(["procedures.tend"], ruleset)
    assert old in steps()
    other = load_ruleset("garden/small", rules=[write_garden(tmp_path, steps().replace(old, new))])
    assert (compute_reviewed_digest(["procedures.tend"], other) == before) is same


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "pig/classic@1.0"])
def test_shipped_words_are_sound(reference: str) -> None:
    diagnostics = Diagnostics()
    lint_words(load_ruleset(reference), diagnostics)
    assert [f"{d.span}: {d.message}" for d in diagnostics] == []


@pytest.mark.parametrize("reference", ["fuzzy-knights/normal@1.0", "pig/classic@1.0"])
def test_every_shipped_text_is_signed(reference: str) -> None:
    pages = tuple(load_ruleset(reference).pages.values())
    unsigned = [f"{s.page}.{s.id}" for page in pages for s in page.sections if s.explains and s.reviewed is None]
    assert unsigned == []
