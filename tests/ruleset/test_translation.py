"""Words in another language: they replace words and nothing else, and `check` tells what is wrong with them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulewright.base.resources import find_languages
from rulewright.book.languages.sentence_check import check_sentences
from rulewright.book.site.languages import list_languages
from rulewright.cli.main import main
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.prose.book_language import ENGLISH, Language, load_languages, read_language_folder
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.source_texts import list_source_texts
from rulewright.ruleset.translation.translation import Translation, read_translations
from rulewright.ruleset.translation.translation_lint import lint_translations, measure_coverage
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import text
from tests.book.garden import MANIFEST, steps, write_garden
from tests.source.goldens import assert_golden

FOLDER = Path(__file__).parent / "goldens" / "translation"

WORDS = """\
terms:
  bed: {name: Beet, plural: Beete, forms: {dative_plural: Beeten}, means: "Wo eine {plant} wächst."}
  plant: Pflanze
tables:
  weather: {title: Wetter, headings: {rain: Regen}, rows: {dry: Trocken, wet: Es gießt}}
pages:
  growing:
    sections:
      selling:
        title: Verkaufen
        text: "Ein {sizes.tree} kostet {sizes.tree.price}. Nichts wächst neben {bed.dative_plural}."
"""


def garden(folder: Path, words: str = WORDS, manifest: str = MANIFEST) -> Ruleset:
    write_garden(folder, manifest=manifest)
    write_words(folder / "garden" / "small", words)
    return load_ruleset("garden/small", rules=[folder])


def write_words(edition: Path, words: str, name: str = "de.yaml") -> None:
    (edition / "words").mkdir(exist_ok=True)
    (edition / "words" / name).write_text(words, encoding="utf-8")


def german(ruleset: Ruleset) -> Translation:
    diagnostics = Diagnostics()
    (translations,) = read_translations(ruleset, diagnostics)
    assert not diagnostics.errors
    return translations


def lint_texts(ruleset: Ruleset) -> list[str]:
    diagnostics = Diagnostics()
    lint_translations(ruleset, diagnostics)
    return [
        f"{each.code.id}: {each.message}" + (f" ({each.suggestion})" if each.suggestion else "") for each in diagnostics
    ]


def test_words_are_replaced_and_the_game_stays_the_same(tmp_path: Path) -> None:
    original = garden(tmp_path)
    ruleset = german(original).ruleset
    assert ruleset.language == "de"
    assert ruleset.declarations.terms["bed"].plural == "Beete"
    assert ruleset.declarations.tables["weather"].rows["wet"].title == "Es gießt"
    assert ruleset.pages["growing"].sections[1].title == "Verkaufen"
    assert ruleset.pages["growing"].sections[0].title == original.pages["growing"].sections[0].title
    assert ruleset.digest == original.digest
    assert ruleset.digest_of_counts == original.digest_of_counts
    assert lint_texts(original) == []


def test_the_words_of_the_layers_below_count_and_those_above_hold(tmp_path: Path) -> None:
    garden(tmp_path)
    house = tmp_path / "house"
    house.mkdir()
    manifest = MANIFEST.replace("garden/small", "house/mine") + "extends: garden/small@1\n"
    (house / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    write_words(house, "terms: {plant: Gewächs}\n")
    made = german(load_ruleset("house/mine", rules=[tmp_path]))
    terms = made.ruleset.declarations.terms
    assert (terms["bed"].name, terms["plant"].name) == ("Beet", "Gewächs")


def test_what_the_edition_took_out_may_still_have_words_below(tmp_path: Path) -> None:
    garden(tmp_path)
    house = tmp_path / "house"
    house.mkdir()
    manifest = MANIFEST.replace("garden/small", "house/mine") + "extends: garden/small@1\n"
    (house / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    text = "pages: {growing: {sections: {selling: {delete: true}}}}\n"
    (house / "mine.yaml").write_text(text, encoding="utf-8")
    write_words(house, "terms: {plant: Gewächs}\n")
    assert lint_texts(load_ruleset("house/mine", rules=[tmp_path])) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "terms: {bad: Beet}\n",
            "translation-of-nothing: the rules have no text at `terms.bad` (did you mean `bed`?)",
        ),
        (
            "tables: {weather: {rows: {drie: Trocken}}}\n",
            "translation-of-nothing: the rules have no text at `tables.weather.rows.drie`",
        ),
        (
            "tables: {weather: {headings: {rian: Regen}}}\n",
            "translation-of-nothing: the rules have no text at `tables.weather.headings.rian` (did you mean `rain`?)",
        ),
        (
            'terms: {bed: {name: Beet, means: "Wo eine {plnat} wächst."}}\n',
            "unknown-placeholder: nothing is called `plnat` (did you mean `plant`?)",
        ),
        (
            "terms: {bed: {name: Beet, means: Platz für einundzwanzig Rüben.}}\n",
            "literal-word: the number `einundzwanzig` is typed into the text "
            "(if it is not a number of the rules, write `{'einundzwanzig'}`)",
        ),
        (
            "terms: {bed: {name: Beet, means: Ein Beet.}}\n",
            "literal-term: `Beet` is a game term, but is not written as a placeholder (write `{bed}`)",
        ),
        (
            "complete: [options]\n",
            "untranslated: `options.shade.title` is missing in German: “Shade”",
        ),
        (
            "complete: [optoins]\n",
            "translation-of-nothing: the rules have no texts in `optoins` (did you mean `options`?)",
        ),
        ("terms: {bed: {name: 3}}\n", "wrong-shape: `name` must be text, but `3` is a whole number"),
        ("terms: {bed: {nam: Beet}}\n", "unknown-key: there is no key `nam` in `bed` (did you mean `name`?)"),
        ("numbers: {harvest: {is: 4}}\n", "unknown-key: there is no key `is` in `harvest`"),
    ],
)
def test_what_is_wrong_is_told_with_what_was_meant(words: str, expected: str, tmp_path: Path) -> None:
    found = lint_texts(garden(tmp_path, words))
    assert found
    assert found[0].startswith(expected)


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("of_nothing", "de.yaml", "tables: {weather: {rows: {drie: Trocken}}}\n"),
        ("untranslated", "de.yaml", "complete: [pages.growing]\nterms: {bed: Beet}\n"),
        ("outdated", "de.yaml", "terms: {bed: Beet}\nreviewed: {terms.bed: g00000000000}\n"),
        ("unknown_language", "tlh.yaml", "terms: {bed: pogh}\n"),
    ],
)
def test_what_is_said_of_it_in_full(
    name: str, file: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_garden(Path())
    write_words(Path("garden/small"), words, file)
    diagnostics = Diagnostics()
    lint_translations(load_ruleset("garden/small", rules=["."]), diagnostics)
    assert_golden(f"{name}.txt", text.render(list(diagnostics)), folder=FOLDER)


def test_a_language_the_book_does_not_speak_and_a_name_that_is_none(tmp_path: Path) -> None:
    ruleset = garden(tmp_path)
    write_words(tmp_path / "garden" / "small", WORDS, "dee.yaml")
    write_words(tmp_path / "garden" / "small", WORDS, "Deutsch.yaml")
    assert [each.partition(":")[0] for each in lint_texts(ruleset)] == ["words-file-name", "unknown-language"]


def test_a_changed_original_is_told_once_it_was_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = garden(tmp_path)
    assert measure_coverage(ruleset)[0].unsigned == 4
    assert main(["check", "--sign", "garden/small", "--rules", str(tmp_path), "--yes"]) == 0
    signed = load_ruleset("garden/small", rules=[tmp_path])
    assert measure_coverage(signed)[0].unsigned == 0
    assert lint_texts(signed) == []
    written = (tmp_path / "garden/small/words/de.yaml").read_text(encoding="utf-8")
    assert written.startswith(WORDS), "what was written stays as it is"
    rules = steps().replace('means: "Where a {plant} grows."', 'means: "Where one {plant} grows."')
    (tmp_path / "garden/small/garden.yaml").write_text(rules, encoding="utf-8")
    assert lint_texts(load_ruleset("garden/small", rules=[tmp_path])) == [
        "translation-outdated: the text of `terms.bed` has changed since it was translated into German "
        "(`check --sign garden/small@1.0.0 terms.bed` shows both and signs it)"
    ]
    capsys.readouterr()
    assert main(["check", "--sign", "garden/small", "terms.bed", "--rules", str(tmp_path), "--yes"]) == 0
    output = capsys.readouterr().out
    assert "  | Where one {plant} grows." in output
    assert "  > Wo eine {plant} wächst." in output
    assert lint_texts(load_ruleset("garden/small", rules=[tmp_path])) == []


def test_what_there_is_to_say_counts_what_ids_stand_for(tmp_path: Path) -> None:
    there = list_source_texts(garden(tmp_path))
    assert there["tables", "sizes", "rows", "sprout", "title"] == "Sprout"
    assert there["tables", "sizes", "headings", "needs"] == "Needs"
    assert there["terms", "bed", "plural"] == "Beds"
    assert ("terms", "bed", "icon") not in there
    assert ("tables", "sizes", "rows", "sprout", "price") not in there


def test_check_counts_what_is_said_and_names_no_thousand_things(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ruleset = garden(tmp_path)
    main(["check", "garden/small", "--rules", str(tmp_path)])
    line = next(line for line in capsys.readouterr().out.splitlines() if "in German" in line)
    said = sum(path in german(ruleset).texts for path in list_source_texts(ruleset))
    assert line == f"  in German: {said} of {len(list_source_texts(ruleset))} texts, 4 entries not signed"


def test_numbers_are_said_as_the_language_says_them() -> None:
    language = load_languages()["de"]
    assert [language.spell_number(number) for number in (0, 1, 7, 12, 13)] == ["kein", "ein", "sieben", "zwölf", "13"]
    match = {match[0]: language.number_of(match[0]) for match in language.number_word.finditer("Zwei, neunzig und elf")}
    assert match == {"Zwei": 2, "neunzig": 90, "elf": 11}
    for number in range(2, 100):
        word = next(word for word, value in _german().items() if value == number)
        assert language.number_word.fullmatch(word), word
        assert language.number_of(word) == number


def _german() -> dict[str, int]:
    """German number words, made by their own rule."""
    ones = ["", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
    tens = ["", "zehn", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
    odd = {"zehn": 10, "elf": 11, "zwölf": 12, "sechzehn": 16, "siebzehn": 17}
    found = {word: number for number, word in enumerate(ones) if number > 1} | odd
    for number in range(13, 100):
        ten, one = divmod(number, 10)
        if number not in odd.values():
            found[ones[one] + "zehn" if ten == 1 else (ones[one] + "und" if one else "") + tens[ten]] = number
    return found


@pytest.mark.parametrize(("board", "space"), [("grid: {columns: 3, rows: 2}", "c2r1"), ("track: {places: 4}", "p2")])
def test_the_spaces_of_a_board_may_have_titles_of_a_language(board: str, space: str, tmp_path: Path) -> None:
    """Nobody must translate them. Whoever does changes no gameplay."""
    garden(tmp_path, f"complete: [tables.yard]\ntables: {{yard: {{title: Hof, rows: {{{space}: Tor}}}}}}\n")
    yard = f"tables: {{yard: {{title: Yard, {board}}}}}\n"
    (tmp_path / "garden" / "small" / "yard.yaml").write_text(yard, encoding="utf-8")
    ruleset = load_ruleset("garden/small", rules=[tmp_path])
    assert lint_texts(ruleset) == []
    translated = german(ruleset).ruleset
    assert translated.declarations.tables["yard"].rows[space].title == "Tor"
    assert translated.digest == ruleset.digest
    assert translated.digest_of_all != ruleset.digest_of_all


def test_a_title_of_a_space_that_a_board_lacks_is_reported(tmp_path: Path) -> None:
    garden(tmp_path, "tables: {yard: {title: Hof, rows: {c9r9: Tor}}}\n")
    yard = "tables: {yard: {title: Yard, grid: {columns: 3, rows: 2}}}\n"
    (tmp_path / "garden" / "small" / "yard.yaml").write_text(yard, encoding="utf-8")
    ruleset = load_ruleset("garden/small", rules=[tmp_path])
    assert lint_texts(ruleset) == ["translation-of-nothing: the rules have no text at `tables.yard.rows`"]


# -- a language that is only begun --------------------------------------------------------------


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty folder of a language that is begun beside the shipped ones."""
    languages = tmp_path / "languages"
    shutil.copytree(find_languages() / "de", languages / "de", ignore=shutil.ignore_patterns("__pycache__"))
    (languages / "nl").mkdir()

    def load() -> dict[str, Language]:
        return {"en": ENGLISH} | {each.name: read_language_folder(each) for each in sorted(languages.iterdir())}

    monkeypatch.setattr("rulewright.ruleset.prose.book_language.load_languages", load)
    monkeypatch.setattr("rulewright.ruleset.translation.translation.load_languages", load)
    return languages / "nl"


def dutch(folder: Path) -> Ruleset:
    write_garden(folder)
    write_words(folder / "garden" / "small", "terms: {plant: Plant}\n", "nl.yaml")
    return load_ruleset("garden/small", rules=[folder])


def test_a_language_begins_with_an_empty_folder_and_check_says_what_it_lacks(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking = lint_texts(dutch(tmp_path))
    count = len(load_languages()["de"].messages or {})
    words = "`languages/nl/words.yaml` lacks"
    assert lacking[:3] == [
        f"unfinished-language: {words} `name`, `english`, `decimal`, `quotes`, `and`, `numbers`, `figures`, `messages`",
        f"unfinished-language: `messages` of {words} {count} texts, such as “%(low)s to %(high)s”, “avg.”, "
        "“%(range)s, %(mean)s on average”",
        "unfinished-language: `languages/nl/` has no `planner.py`, so its book has no sentences for steps and examples",
    ]
    assert lacking[3:] == []
    monkeypatch.chdir(tmp_path)
    diagnostics = Diagnostics()
    lint_translations(load_ruleset("garden/small", rules=["."]), diagnostics)
    assert_golden("unfinished_language.txt", text.render(list(diagnostics)[:1]), folder=FOLDER)
    assert [str(each).partition(" of ")[0] for each in measure_coverage(dutch(tmp_path))] == ["in nl: 1"]


def test_a_language_is_finished_part_by_part(begun: Path, tmp_path: Path) -> None:
    ruleset = dutch(tmp_path)
    german = (find_languages() / "de" / "words.yaml").read_text(encoding="utf-8")
    (begun / "words.yaml").write_text(german.replace('  "Tip": "Tipp"\n', ""), encoding="utf-8")
    assert lint_texts(ruleset)[0].endswith("lacks 1 texts, such as “Tip”")
    assert list_languages(ruleset) == []
    (begun / "words.yaml").write_text(german, encoding="utf-8")
    assert [line.partition("languages/nl/")[2] for line in lint_texts(ruleset)] == [
        "` has no `planner.py`, so its book has no sentences for steps and examples"
    ]
    assert [language.tag for language in list_languages(ruleset)] == ["nl"]
    (begun / "planner.py").write_text("", encoding="utf-8")
    assert lint_texts(ruleset) == []


def test_a_promise_of_steps_names_the_noun_that_its_sentences_lack(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garden(tmp_path, "complete: [procedures.sell]\nterms: {plant: Pflanze}\n")
    ruleset = load_ruleset("garden/small", rules=[tmp_path])
    procedure = next(iter(ruleset.procedures))
    write_words(tmp_path / "garden" / "small", f"complete: [procedures.{procedure}]\n")
    lacking = [
        each.message
        for each in check_sentences(read_translations(load_ruleset("garden/small", rules=[tmp_path]), Diagnostics()))
    ]
    assert len(lacking) == 1
    assert re.fullmatch(rf"`procedures\.{procedure}` has no sentences in German: `[\w.]+` is missing", lacking[0])


def test_the_words_for_a_lower_manifest_are_not_those_of_another_one(tmp_path: Path) -> None:
    garden(tmp_path, "edition: {title: Garten, about: Klein.}\n" + WORDS)
    assert main(["check", "--sign", "garden/small", "edition", "--rules", str(tmp_path), "--yes"]) == 0
    house = tmp_path / "house"
    house.mkdir()
    manifest = MANIFEST.replace("garden/small", "house/mine").replace("Grow what you can.", "For regulars.")
    (house / "ruleset.yaml").write_text(manifest + "extends: garden/small@1\n", encoding="utf-8")
    write_words(house, "complete: [edition]\nterms: {plant: Gewächs}\n")
    ruleset = load_ruleset("house/mine", rules=[tmp_path])
    assert german(ruleset).ruleset.about == "For regulars."
    assert german(ruleset).ruleset.title == "Garten", "the English title is the same"
    assert lint_texts(ruleset) == ["untranslated: `edition.about` is missing in German: “For regulars.”"]


def test_a_translation_with_an_error_is_not_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    garden(tmp_path, WORDS.replace("{bed.dative_plural}", "{bed.vocative}"))
    assert main(["check", "--sign", "garden/small", "--rules", str(tmp_path), "--yes"]) == 1
    assert "it has `plural`, `icon` and `dative_plural`" in capsys.readouterr().err
    assert "reviewed" not in (tmp_path / "garden/small/words/de.yaml").read_text(encoding="utf-8")


def test_texts_that_a_lower_manifest_has_need_not_be_in_the_upper_one(tmp_path: Path) -> None:
    """The German of Pig has `about`, and house rules may have no such text."""
    house = tmp_path / "house"
    house.mkdir()
    manifest = "ruleset: my/house\nversion: 1.0.0\nextends: pig/classic@1\ntitle: House\nstatus: draft\n"
    (house / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    write_words(house, "edition: {title: Haus}\n")
    assert [line for line in lint_texts(load_ruleset("my/house", rules=[tmp_path])) if "of-nothing" in line] == []
    write_words(house, "edition: {title: Haus, about: Pig.}\n")
    assert "translation-of-nothing: the rules have no text at `edition.about`" in lint_texts(
        load_ruleset("my/house", rules=[tmp_path])
    )


def test_a_promise_of_steps_includes_the_results_of_the_procedure(tmp_path: Path) -> None:
    words = "complete: [procedures.toss]\nprocedures: {toss: {title: Wurf, means: Wirf., names: {face: der Wurf}}}\n"
    garden(tmp_path, words)
    rules = "procedures: {toss: {means: Toss., gives: {twice: 2 * face}, steps: [{id: face, roll: 1d6}]}}\n"
    (tmp_path / "garden" / "small" / "toss.yaml").write_text(rules, encoding="utf-8")
    lacking = [
        each.message
        for each in check_sentences(read_translations(load_ruleset("garden/small", rules=[tmp_path]), Diagnostics()))
    ]
    assert lacking == ["`procedures.toss` has no sentences in German: `procedures.toss.names.twice` is missing"]


def test_words_of_steps_are_replaced_wherever_these_are_nested(tmp_path: Path) -> None:
    pig = load_ruleset("pig/classic@1.0")
    ruleset = german(pig).ruleset
    step = next(step for step in ruleset.procedures["game"].iterate_steps() if step.id == "move")
    assert step.words["ask"] == "Noch einmal würfeln oder halten?"
    assert ruleset.procedures["game"].called["face"] == "die Augenzahl"
    assert ruleset.digest == pig.digest
