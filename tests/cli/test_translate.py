"""`translate`: the texts of a ruleset go out as a PO file, and translations come in from one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.authoring.translations.read_po import parse_po
from rulewright.base.resources import find_resource
from rulewright.cli.main import main
from rulewright.source.diagnostics.collector import DiagnosticError
from tests.cli.test_translate_anything import check_with_gettext, write_edition
from tests.source.goldens import assert_golden

GOLDENS = Path(__file__).parent / "goldens" / "translations"

WORDS = """\
# All that is said in German.
complete: [terms]
terms:
  # The word on the box.
  pot: {name: Topf, plural: 'Töpfe', forms: {article: der}, also: [Krug, Kessel]}   # a noun
  coin: Münze
numbers: {goal: {means: Das Ziel.}}
pages:
  aims:
    sections:
      winning:
        text: >-   # as long as it is
          Sei am {numbers.goal}. Tag der Erste.
"""


@pytest.fixture
def pots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an edition with a German file, and work there."""
    write_edition(tmp_path, WORDS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], *arguments: str, reference: str = "t/pots") -> tuple[int, str, str]:
    code = main(["translate", reference, "de", *arguments, "--rules", "."])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def export(capsys: pytest.CaptureFixture[str], **options: str) -> str:
    code, out, err = call(capsys, **options)
    assert (code, err) == (0, "")
    return out


def put(folder: Path, text: str | bytes) -> str:
    (folder / "de.po").write_bytes(text if isinstance(text, bytes) else text.encode())
    return "de.po"


def put_text(po: str, address: str, text: str) -> str:
    """Return a PO file with another translation, which is in one string."""
    begin, entry, rest = po.partition(f'msgctxt "{address}"\n')
    assert entry
    middle, entry, rest = rest.partition("\nmsgstr ")
    end = rest.index("\n\n") if "\n\n" in rest else len(rest) - 1
    return f'{begin}msgctxt "{address}"\n{middle}\nmsgstr "{text}"{rest[end:]}'


def test_the_file_says_all_that_translators_need(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = export(capsys)
    check_with_gettext(text)
    assert_golden("export.txt", text, folder=GOLDENS)


@pytest.mark.parametrize(("reference", "texts"), [("pig/classic@1.0", 47), ("fuzzy-knights/normal@1.0", 1000)])
def test_the_shipped_translations_are_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, reference: str, texts: int
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(capsys, "--output", "de.po", reference=reference) == (0, "wrote de.po\n", "")
    text = (tmp_path / "de.po").read_text(encoding="utf-8")
    check_with_gettext(text)
    assert str(find_resource("rules")) not in text
    code, out, err = call(capsys, "de.po", reference=reference)
    assert (code, err) == (0, "")
    match = re.fullmatch(r"([\d,]+) unchanged(, [\d,]+ empty)?\n", out)
    assert match is not None
    assert int(match[1].replace(",", "")) >= texts


def test_translations_are_shown_first_and_then_written(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    po = export(capsys)
    for address, text in {
        "terms.pot.plural": "Pötte",
        "terms.pot.also": "Krug\\nKanne\\nEimer",
        "terms.coin.plural": "Münzen",
        "pages.aims.sections.winning.text": "Sei am {numbers.goal}. Tag mit {coin.plural} der Erste. " + "Wort " * 20,
        "pages.aims.sections.winning.aid": "Sei schnell.\\nSei reich, und: klug.",
        "options.length.means": "Erste Zeile.\\n\\n- Zweite.",
        "dice.loot.means": "null",
    }.items():
        po = put_text(po, address, text)
    before = (pots / "pots/words/de.yaml").read_text(encoding="utf-8")
    code, out, err = call(capsys, put(pots, po))
    assert (code, err) == (0, "")
    assert (pots / "pots/words/de.yaml").read_text(encoding="utf-8") == before
    assert "nothing has been written yet" in out
    assert_golden("changes.txt", out, folder=GOLDENS)
    code, out, err = call(capsys, "de.po", "--write")
    assert (code, err, out.splitlines()[-1]) == (0, "", f"wrote {Path('pots/words/de.yaml')}")
    assert main(["check", "t/pots", "--rules", "."]) == 0
    capsys.readouterr()
    code, out, err = call(capsys, "de.po")
    assert (code, out, err) == (0, "11 unchanged, 9 empty\n", "")


def test_a_translation_begins_with_a_file_of_its_own(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pots / "pots/words/de.yaml").unlink()
    (pots / "pots/words").rmdir()
    po = put_text(put_text(export(capsys), "terms.pot.name", "Topf"), "terms.pot.also", "Krug")
    assert call(capsys, put(pots, po), "--write")[0] == 0
    assert (pots / "pots/words/de.yaml").read_text(encoding="utf-8") == (
        "terms:\n  pot:\n    name: Topf\n    also: [Krug]\n"
    )


def test_house_rules_have_only_their_own_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "long"
    home.mkdir()
    (home / "ruleset.yaml").write_text(
        "ruleset: house/long\nversion: 0.1.0\nlanguage: 1\nextends: pig/classic@1.0\ntitle: Long\nstatus: draft\n"
    )
    po = export(capsys, reference="house/long")
    assert 'msgstr "Topf"' in po
    assert "pig/classic@1.0.0/pig.yaml:4" in po
    assert call(capsys, put(tmp_path, po), reference="house/long")[1] == "45 unchanged, 1 empty\n"
    assert call(capsys, put(tmp_path, po.replace('"Töpfe"', '"Pötte"')), "--write", reference="house/long")[0] == 0
    assert (home / "words/de.yaml").read_text(encoding="utf-8") == "terms:\n  pot:\n    plural: Pötte\n"


def test_an_outdated_entry_is_fuzzy_until_a_translator_agrees(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, rules = pots / "pots/words/de.yaml", pots / "pots/rules.yaml"
    assert main(["check", "--sign", "t/pots", "--yes", "--rules", "."]) == 0
    signed = words.read_text(encoding="utf-8")
    rules.write_text(
        rules.read_text().replace("What is at stake.", "The stakes.").replace("{name: pot,", "{name: jug,")
    )
    capsys.readouterr()
    po = export(capsys)
    assert po.count("#, fuzzy") == 4
    assert call(capsys, put(pots, po))[1] == "3 unchanged, 4 fuzzy, 13 empty\n"
    # One text is still fuzzy, so the entry is still outdated.
    half = po.replace("#, fuzzy\n", "", 3)
    assert "signed" not in call(capsys, put(pots, half))[1]
    assert call(capsys, put(pots, po.replace("#, fuzzy\n", "")), "--write")[1].splitlines()[-3:-1] == [
        "7 unchanged, 13 empty",
        "signed: terms.pot",
    ]
    after = words.read_text(encoding="utf-8")
    assert [old for old, new in zip(signed.splitlines(), after.splitlines(), strict=True) if old != new] == [
        next(line for line in signed.splitlines() if line.startswith("  terms.pot:"))
    ]
    assert "#, fuzzy" not in export(capsys)


def test_a_signature_stays_valid_when_a_text_is_added(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--sign", "t/pots", "--yes", "--rules", "."]) == 0
    capsys.readouterr()
    po = put_text(export(capsys), "terms.coin.means", "Was im {pot} ist.")
    code, out, _ = call(capsys, put(pots, po), "--write")
    assert (code, "signed: terms.coin" in out) == (0, True)
    assert main(["check", "t/pots", "--rules", "."]) == 0
    assert "translation-outdated" not in capsys.readouterr().err


HEAD = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
POT = 'msgctxt "terms.pot.name"\nmsgid "pot"\nmsgstr "Pott"\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("strings", 'msgctxt "terms.pot.name\nmsgid "po"t"\nmsgstr pot\nmsgstr "a\\qb"\nmsgtxt "a"\n'),
        ("order", f'msgid "pot"\nmsgctxt "a"\nmsgstr "b"\nmsgstr "c"\n\n{POT}msgid "end"\n'),
        ("start", '"Topf"\n'),
        ("header", HEAD.replace(": de", ": fr").replace("UTF-8", "ISO-8859-1") + POT),
        ("project", HEAD.replace("Language", 'Project-Id-Version: snails/hats 1.0\\n"\n"Language', 1) + POT),
        ("unknown", HEAD + POT.replace(".name", ".nam") + '\nmsgid "pot"\nmsgstr "Pott"\n'),
        ("plural", HEAD + POT.replace("msgstr", 'msgid_plural "pots"\nmsgstr[0]')),
        ("outdated", HEAD + POT.replace('"pot"', '"cauldron"')),
        ("twice", HEAD + POT + "\n" + POT.replace("Pott", "Kessel")),
        (
            "placeholder",
            HEAD + 'msgctxt "terms.coin.means"\nmsgid "What is in the {pot}."\n'
            'msgstr ""\n"Was \\"im\\"\\n"\n"\\t{pott} ist, {numbers.gol} oder {"\n" mehr."\n',
        ),
        ("encoding", (HEAD + POT.replace("Pott", "Töpfe")).encode("latin-1")),
    ],
)
def test_messages(pots: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | bytes) -> None:
    code, out, err = call(capsys, put(pots, text))
    assert code == int("error[" in err)
    assert_golden(f"{name}.txt", err + out, folder=GOLDENS)


def test_a_phrase_is_one_text_or_one_for_each_case(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    po = "".join(
        f'msgctxt "formulas.even.wording{case}"\nmsgid "even"\nmsgstr "die Gleichen"\n\n' for case in ("", ".if_true")
    )
    code, _, err = call(capsys, put(tmp_path, po), reference="classics/kuhn-poker@1.0")
    assert (code, "`formulas.even.wording` and `formulas.even.wording.if_true` exclude each other" in err) == (1, True)


def test_obsolete_entries_and_comments_are_left_out() -> None:
    po = parse_po(
        '#, fuzzy\n#~ msgid "old"\n#~ msgstr "alt"\n\n# a note\n#| msgid "before"\nmsgid "new"\nmsgstr "n"\n"eu"\n',
        "a.po",
    )
    (entry,) = po.entries
    assert (entry.original.text, entry.translated.text, entry.needs_review, entry.context) == (
        "new",
        "neu",
        False,
        None,
    )
    assert str(entry.translated.position(1, 1)) == "a.po:9:2"


def test_line_breaks_and_byte_order_marks_stay(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pots / "pots/words/de.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    po = export(capsys).replace("Münze", "Taler").replace("\n", "\r\n")
    assert call(capsys, put(pots, b"\xef\xbb\xbf" + po.encode()), "--write")[0] == 0
    assert path.read_bytes() == before.replace("Münze".encode(), b"Taler")


def test_an_empty_file_has_no_texts(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, put(pots, "")) == (0, "no texts\n", "")


@pytest.mark.parametrize("arguments", [["--write"], ["de.po", "--output", "other.po"]])
def test_wrong_usage(pots: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        call(capsys, *arguments)
    assert caught.value.code == 2


def test_a_language_must_be_known(pots: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "t/pots", "fr", "--rules", "."]) == 1
    assert "the book does not support the language `fr`" in capsys.readouterr().err


def test_all_faults_of_the_syntax_are_named_at_once() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_po('msgid "a\nmsgstr b\n', "a.po")
    assert len(caught.value.diagnostics) == 2
