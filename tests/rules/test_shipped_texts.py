"""The texts of the shipped games: as a reader meets them, also under house rules."""

from __future__ import annotations

from pathlib import Path

from rulewright.book.style.fill_placeholders import fill
from rulewright.book.style.text_style import Style
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.text_walk import list_entries, list_words
from tests.rules.repetition import EDITIONS

REFERENCES = [name.replace("-", "@") for name in EDITIONS if name != "core"]


def test_no_text_is_a_quotation_as_a_whole() -> None:
    for name in REFERENCES:
        ruleset = load_ruleset(f"fuzzy-knights/{name}")
        texts = [words.scalar.text for entry in list_entries(ruleset) for words in list_words(ruleset, *entry)]
        assert texts
        assert [text for text in texts if text[:1] == text[-1:] == '"' and text.count('"') == 2] == []


def test_a_changed_number_is_in_every_sentence_about_it(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: house/mines\nversion: 1.0.0\nextends: fuzzy-knights/normal@1.0\ntitle: Mines\nstatus: draft\n"
    )
    (tmp_path / "rules.yaml").write_text("numbers: {mine_capture_reward: {is: 3}, mine_income: {is: 2}}\n")
    ruleset = load_ruleset("house/mines", rules=[tmp_path])
    style, sections = Style(ruleset), [each for page in ruleset.pages.values() for each in page.sections]
    texts = [fill(text, style) for each in sections for text in (each.text, *(note.text for note in each.notes))]
    joined = " ".join(" ".join(texts).casefold().split())
    assert "you earn 3 coins at once" in joined
    assert "you still get three coins for taking it" in joined
    assert "each of your mines pays 2 coins" in joined
