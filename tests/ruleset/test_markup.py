"""The markup of words: what is kept, what `check` says of the rest, and that no placeholder's value is ever read."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.style.prose_html import escape_attribute, escape_for_markdown, render_plain_prose, render_prose
from rulewright.book.style.text_style import HtmlStyle, Style
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.diagnostic import apply_edits
from tests.book.garden import garden, steps, write_garden

TEXT = "          Mind your {bed}. A ripe {plant} brings {numbers.harvest} {seed.plural}.\n"


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    return garden(tmp_path_factory.mktemp("garden"))


def html(words: str, ruleset: Ruleset) -> str:
    return render_prose(words, HtmlStyle(ruleset, lambda path: f"#{path}"))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("one\ntwo", "<p>one\ntwo</p>"),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
        ("**a** *b* `e`", "<p><strong>a</strong> <em>b</em> <code>e</code></p>"),
        ("__c__ _d_", "<p><strong>c</strong> <em>d</em></p>"),
        ("*a **b** c*", "<p><em>a <strong>b</strong> c</em></p>"),
        ("2 * 3 * 4 and a_b_c", "<p>2 * 3 * 4 and a_b_c</p>"),
        ("**open", "<p>**open</p>"),
        (r"\*a\* \\ \d", r"<p>*a* \ \d</p>"),
        ("`a *b* <c>`", "<p><code>a *b* &lt;c&gt;</code></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("1. a\n2. b\n   c", "<ol>\n<li>a</li>\n<li>b\nc</li>\n</ol>"),
        ("- a\n  - b\n- c", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n<li>c</li>\n</ul>"),
        ("a\n- b", "<p>a\n- b</p>"),
        ("[x](https://a.example/b?c=d)", '<p><a href="https://a.example/b?c=d">x</a></p>'),
        ("[*x*](pages.growing)", '<p><a href="#pages.growing"><em>x</em></a></p>'),
        ("[x](growing.md#tending)", '<p><a href="#pages.growing.tending">x</a></p>'),
        ("[x](javascript:alert)", "<p>x</p>"),
        ("[x](http://a.example)", "<p>x</p>"),
        ("[{bed}](tables.weather)", '<p><a href="#tables.weather">Bed</a></p>'),
        ("![x](y)", "<p>![x](y)</p>"),
        ("<b>x</b> & &amp;", "<p>&lt;b&gt;x&lt;/b&gt; &amp; &amp;amp;</p>"),
        ("# x", "<p># x</p>"),
        ('"a" (\'b\') it\'s -- --- ...', "<p>“a” (‘b’) it’s – — …</p>"),
    ],
)  # fmt: skip
def test_what_the_markup_comes_to(words: str, wanted: str, ruleset: Ruleset) -> None:
    html_text = html(words, ruleset)
    if "{bed}" in words:
        html_text = re.sub(r'<svg.*?</svg>|<span class="rw-emoji".*?</span>', "", html_text)
    assert html_text == wanted


def test_a_table(ruleset: Ruleset) -> None:
    html_text = html("| a | **b** |\n|---|:-:|\n| `c` | d\\|e |\n| f |", ruleset)
    assert re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", html_text) == [
        "a",
        "<strong>b</strong>",
        "<code>c</code>",
        "d|e",
        "f",
        "",
    ]


@pytest.mark.parametrize(
    "value", ["1. x", "- x", "# x", "*x*", "_x_", "`x`", "a | b", "<b>", '"', "[x](y)", "> x", "🌱"]
)
def test_a_placeholder_is_never_markup(value: str, tmp_path: Path) -> None:
    """A value at the start of a line, between marks and in a cell: it is there as it is written."""
    rules = steps().replace("bed: {name: Bed, icon: 🌱", f"bed: {{name: '{value}', icon: 🌱", 1)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    words = "It is so:\n{bed} and {bed}\n\n- {bed} *{bed}*\n\n| {bed} |\n|---|\n| {bed} |"
    made = re.sub(r"<svg.*?</svg>|<span class=\"rw-emoji.*?</span>", "", html(words, ruleset))
    assert unescape(re.sub("<[^>]*>", "", made)).casefold().count(value.casefold()) == 6
    assert re.findall("<(ol|h1|code|strong|blockquote|b)>", made) == []
    assert len(re.findall("<(?:em|ul|table)", made)) == 3
    assert render_plain_prose(words, Style(ruleset)).casefold().count(value.casefold()) == 6


@given(st.text())
def test_any_text_is_shown_as_text(text: str) -> None:
    markdown = pytest.importorskip("markdown")
    sentence = " ".join(text.replace("\x00", "").replace("\x02", "").replace("\x03", "").split())
    if not sentence or not sentence.isprintable():
        return
    from rulewright.book.style.text_style import escape

    made = markdown.markdown(
        f"## <i>x</i> {escape_for_markdown(escape(sentence))} {{ #id }}", extensions=["attr_list", "toc"]
    )
    assert made.startswith('<h2 id="id"><i>x</i>')
    assert unescape(re.sub("<[^>]*>", "", made)).strip() == f"x {sentence}"
    assert unescape(escape_attribute(escape(sentence))) == sentence
    assert not set('<>"') & set(escape_attribute(escape(sentence)))


@given(st.text(alphabet="*_`[](){}<>|#-1. \\\n\"'aé", max_size=80))
def test_marks_in_any_order_make_sound_elements(text: str) -> None:
    from html.parser import HTMLParser

    class Balance(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert {name for name, _ in attrs} <= {"href", "class", "role", "tabindex", "aria-label", "scope"}
            self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    reader = Balance()
    reader.feed(html(text.replace("{", "{{").replace("}", "}}"), _shared()))
    assert reader.open == []


_kept: list[Ruleset] = []


def _shared() -> Ruleset:
    if not _kept:
        import tempfile

        _kept.append(garden(Path(tempfile.mkdtemp())))
    return _kept[0]


def test_reading_takes_time_in_proportion_to_the_text(ruleset: Ruleset) -> None:
    """Steps are counted by the regular expressions' searches; no input doubles them more than its length does."""
    for unit in ("*a ", "**a ", "_a ", "`a ", "[a", "[a](", "*a **b ", "- a\n", "| a ", "\\", "***"):
        assert html(unit * 3_000, ruleset)


def diagnosed(words: str, tmp_path: Path) -> list[tuple[str, str]]:
    diagnostics, line, _ = linted(words, tmp_path)
    return [(f"{d.span.line - line}:{d.span.column - 11}", f"{d.code.id}: {d.message}") for d in diagnostics]


def linted(words: str, tmp_path: Path) -> tuple[Diagnostics, int, str]:
    """Return what is said of some words, the line that they begin on, and all the rules they stand in."""
    text = "".join(f"          {line}\n" for line in words.split("\n"))
    rules = steps().replace(TEXT, text, 1)
    assert rules != steps()
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics)
    return diagnostics, rules[: rules.index(text)].count("\n") + 1, rules


@pytest.mark.parametrize(
    ("words", "mended"),
    [
        ("a <b>bold</b> word", "a **bold** word"),
        ("an <em>odd</em> and <code>plain</code> word", "an *odd* and `plain` word"),
        ("a&mdash;b", "a—b"),
        ("some words:\n- one of them", "some words:\n\n- one of them"),
        ("*a*  {{: onclick=b }} c", "*a* c"),
    ],
)
def test_what_has_one_right_form_can_be_given_it(words: str, mended: str, tmp_path: Path) -> None:
    diagnostics, _, rules = linted(words, tmp_path)
    faults = [d for d in diagnostics if d.code.id == "markup-not-kept"]
    written = apply_edits(rules, [edit for each in faults for edit in each.edits])
    assert mended in written.replace("\n          ", "\n")
    assert [d for d in linted(mended, tmp_path)[0] if d.code.id == "markup-not-kept"] == []


@pytest.mark.parametrize("words", ["a <u>b</u>", "a <b> b</b>", "a &quot;b&quot;", "# a", "`<b>c</b>`"])
def test_what_may_be_meant_in_two_ways_is_left_to_its_author(words: str, tmp_path: Path) -> None:
    assert not any(d.edits for d in linted(words, tmp_path)[0] if d.code.id == "markup-not-kept")


@pytest.mark.parametrize(
    ("words", "place", "expected_text"),
    [
        ("a <b>c", "0:2", "markup-not-kept: `<b>` is HTML"),
        ("a\n<!-- b -->", "1:0", "markup-not-kept: `<!--` is HTML"),
        ("a &nbsp; b", "0:2", "markup-not-kept: `&nbsp;` is an HTML entity"),
        ("a ![b](c)", "0:2", "markup-not-kept: `![b](c)` is a picture"),
        ("# a", "0:0", "markup-not-kept: `# a` is a heading"),
        ("> a", "0:0", "markup-not-kept: `> a` is a block quotation"),
        ("a\n- b", "1:0", "markup-not-kept: `- b` continues the paragraph"),
        ("*a*{{: onclick=b }}", "0:3", "markup-not-kept: `{: onclick=b }` is a list of HTML attributes"),
        ("[a][b]", "0:0", "markup-not-kept: `[a][b]` is a reference-style link"),
        ("```\na\n```", "0:0", "markup-not-kept: `` ``` ``".replace("`` ``` ``", "`````") + " is a code block"),
        ("[a](nowhere.md)", "0:4", "bad-link: there is no `pages.nowhere` in the book"),
        ("[a](growing.md#no)", "0:4", "bad-link: there is no `pages.growing.no` in the book"),
        ("[a](javascript:b)", "0:4", "bad-link: `javascript:b` is neither"),
        ("[a](http://b.example)", "0:4", "bad-link: `http://b.example` is neither"),
    ],
)
def test_what_is_not_kept_is_said_with_its_place(words: str, place: str, expected_text: str, tmp_path: Path) -> None:
    faults = diagnosed(words, tmp_path)
    assert any(at == place and message.startswith(expected_text) for at, message in faults), faults


@pytest.mark.parametrize(
    "words",
    ["a < b and c > d", "**a** `<b>` [c](pages.growing) [d](https://e.example)", "a\n\n- b\n- c\n  d", "R&D; x"],
)
def test_what_is_kept_goes_without_saying(words: str, tmp_path: Path) -> None:
    assert [m for _, m in diagnosed(words, tmp_path) if "kept" in m or "link" in m] == []


def test_a_title_that_names_itself_is_said_to_have_no_end(tmp_path: Path) -> None:
    rules = steps().replace("title: Tending a {bed}\n    means", 'title: "Tending by {procedures.tend}"\n    means', 1)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics)
    (fault,) = [d for d in diagnostics if d.code.id == "endless-words"]
    assert "`procedures.tend` leads back to this text" in fault.message
    assert fault.span.column > 1


def test_titles_that_double_each_other_are_said_to_be_too_long(tmp_path: Path) -> None:
    pages = "".join(
        f'      s{n}: {{title: "{{pages.growing.s{n + 1}}} {{pages.growing.s{n + 1}}}", text: x}}\n' for n in range(30)
    )
    rules = steps().replace("      selling:\n", f"{pages}      s30: {{title: End, text: x}}\n      selling:\n", 1)
    ruleset = load_ruleset("garden/small", rules=[write_garden(tmp_path, rules)])
    diagnostics = Diagnostics()
    lint_words(ruleset, diagnostics)
    assert any("exceeds" in d.message for d in diagnostics if d.code.id == "endless-words")
