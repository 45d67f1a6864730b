"""German sentences: their endings by the tables of grammars, and the steps of the books that are shipped in German."""

from __future__ import annotations

import re
from argparse import Namespace
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from rulewright.book import translated_examples
from rulewright.book.languages import Planner, find_planner, load_planners
from rulewright.book.languages.de.declension import (
    BARE,
    DEFINITE,
    EACH,
    INDEFINITE,
    NONE,
    Case,
    Gender,
    Noun,
    add_preposition,
)
from rulewright.book.languages.de.german_steps import GermanSteps
from rulewright.book.languages.de.pronouns import (
    mark_possessive,
    mark_pronoun,
    move_mark,
    pluralize_clause,
    resolve_marks,
)
from rulewright.book.languages.de.statements import load_sentences
from rulewright.book.languages.missing_words import MissingWordsError
from rulewright.book.languages.sentence_check import check_sentences
from rulewright.book.site.languages import list_other_books
from rulewright.book.style.rule_locations import build_anchor
from rulewright.book.style.text_style import Style
from rulewright.language.checked_steps import Step
from rulewright.language.expressions.type_checker import check_expression
from rulewright.language.lowering import find_called_procedure, list_asks, list_offers
from rulewright.language.statement import load_statements
from rulewright.ruleset.load_ruleset import load_ruleset
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.translation.translation import Translation, read_translations
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.nodes import Scalar
from rulewright.testing.starting_position import end_scope

SHIPPED = ("pig/classic@1.0", "fuzzy-knights/normal@1.0")
M, F, N, P = Gender

# -- endings, as a grammar lists them: nominative, genitive, dative, accusative ----------------------

TABLES = {
    (M, DEFINITE): "der alte Turm, des alten Turms, dem alten Turm, den alten Turm",
    (F, DEFINITE): "die alte Burg, der alten Burg, der alten Burg, die alte Burg",
    (N, DEFINITE): "das alte Tor, des alten Tors, dem alten Tor, das alte Tor",
    (P, DEFINITE): "die alten Tore, der alten Tore, den alten Toren, die alten Tore",
    (M, INDEFINITE): "ein alter Turm, eines alten Turms, einem alten Turm, einen alten Turm",
    (F, INDEFINITE): "eine alte Burg, einer alten Burg, einer alten Burg, eine alte Burg",
    (N, INDEFINITE): "ein altes Tor, eines alten Tors, einem alten Tor, ein altes Tor",
    (P, INDEFINITE): "alte Tore, alter Tore, alten Toren, alte Tore",
    (M, NONE): "kein alter Turm, keines alten Turms, keinem alten Turm, keinen alten Turm",
    (P, NONE): "keine alten Tore, keiner alten Tore, keinen alten Toren, keine alten Tore",
    (M, EACH): "jeder alte Turm, jedes alten Turms, jedem alten Turm, jeden alten Turm",
    (F, EACH): "jede alte Burg, jeder alten Burg, jeder alten Burg, jede alte Burg",
    (N, EACH): "jedes alte Tor, jedes alten Tors, jedem alten Tor, jedes alte Tor",
    (M, BARE): "alter Turm, alten Turms, altem Turm, alten Turm",
    (F, BARE): "alte Burg, alter Burg, alter Burg, alte Burg",
    (N, BARE): "altes Tor, alten Tors, altem Tor, altes Tor",
    (M, "sein"): "sein alter Turm, seines alten Turms, seinem alten Turm, seinen alten Turm",
    (P, "ihr"): "ihre alten Tore, ihrer alten Tore, ihren alten Toren, ihre alten Tore",
}
_WORDS = {M: "Turm", F: "Burg", N: "Tor", P: "Tore"}


@pytest.mark.parametrize(("gender", "determiner"), TABLES)
def test_articles_adjectives_and_nouns_agree(gender: Gender, determiner: str) -> None:
    noun = Noun(_WORDS[gender], gender, before=("alt",), inflected=True)
    assert ", ".join(noun.say(case, determiner) for case in Case) == TABLES[gender, determiner]


@pytest.mark.parametrize(
    ("word", "gender", "expected"),
    [
        ("Junge", M, "der Junge, des Jungen, dem Jungen, den Jungen"),
        ("Präsident", M, "der Präsident, des Präsidenten, dem Präsidenten, den Präsidenten"),
        ("Ergebnis", N, "das Ergebnis, des Ergebnisses, dem Ergebnis, das Ergebnis"),
        ("Haus", N, "das Haus, des Hauses, dem Haus, das Haus"),
        ("Ende", N, "das Ende, des Endes, dem Ende, das Ende"),
        ("Karte", F, "die Karte, der Karte, der Karte, die Karte"),
        ("Frauen", P, "die Frauen, der Frauen, den Frauen, die Frauen"),
        ("Autos", P, "die Autos, der Autos, den Autos, die Autos"),
    ],
)
def test_nouns_have_the_endings_of_their_class(word: str, gender: Gender, expected: str) -> None:
    assert ", ".join(Noun(word, gender).say(case) for case in Case) == expected


def test_a_noun_has_forms_of_its_own() -> None:
    noun = Noun("Herz", N, {"genitive": "Herzens", "dative": "Herzen"})
    assert ", ".join(noun.say(case) for case in Case) == "das Herz, des Herzens, dem Herzen, das Herz"


def test_prepositions_and_articles_are_contracted() -> None:
    pairs = {("zu", "der Zahl"): "zur Zahl", ("zu", "den Zahlen"): "zu den Zahlen", ("in", "dem Topf"): "im Topf"}
    assert {pair: add_preposition(*pair) for pair in pairs} == pairs


# -- relative clauses ----------------------------------------------------------------------------

_WHO, _WHOM = mark_pronoun(Case.NOMINATIVE), mark_pronoun(Case.DATIVE)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        (f"{_WHO} leer ist", "die leer sind"),
        (f"{_WHO} dort bauen darf", "die dort bauen dürfen"),
        (f"der Spieler mit {_WHOM} spielt", "mit denen der Spieler spielt"),
        (f"nach dem Wurf {_WHO} erlaubt ist", "die nach dem Wurf erlaubt sind"),
        (f"{mark_possessive(N, Case.NOMINATIVE)} Feld leer ist", "deren Feld leer ist"),
    ],
)
def test_a_clause_about_members_is_a_relative_clause(clause: str, expected: str) -> None:
    assert resolve_marks(move_mark(pluralize_clause(clause)), P, relative=True) == expected


def test_a_clause_that_speaks_twice_of_a_member_cannot_begin_with_it() -> None:
    assert move_mark(f"der Preis von {_WHOM} höher als der von {_WHOM} ist") == ""


# -- the steps of the books --------------------------------------------------------------------------


def translate(reference: str) -> Translation:
    """Return the German translation of an edition."""
    (translation,) = read_translations(load_ruleset(reference), Diagnostics())
    return translation


def write_steps(translation: Translation, procedure: str) -> str:
    """Return the German steps of a procedure."""
    return GermanSteps(translation, translation.ruleset.procedures[procedure], Style(translation.ruleset)).all()


def find_german(translation: Translation) -> Planner:
    """Return the planner of the sentences of a German translation."""
    planner = find_planner(translation)
    assert planner is not None
    return planner


def test_the_steps_of_a_whole_game() -> None:
    text = write_steps(translate("pig/classic@1.0"), "game")
    assert re.sub(r" \(\d\)", "\n", text).splitlines() == [
        "",
        " Wiederhole:",
        " Der Spieler wählt: „Noch einmal würfeln oder halten?“ [„Würfeln“; „Halten“]",
        " Wenn „Würfeln“ gewählt wurde:",
        " Würfle 1d6; das Ergebnis ist die Augenzahl.",
        " Wenn die Augenzahl 1 ist:",
        " Setze den Inhalt des Topfes auf 0. Der nächste Spieler ist nun am Zug. Sonst:",
        " Erhöhe den Inhalt des Topfes um die Augenzahl. Sonst:",
        " Der Spieler erhält so viele Punkte, wie der Inhalt des Topfes beträgt.",
        " Wenn der Spieler mindestens 100 Punkte hat, ist das Spiel zu Ende, und der Spieler gewinnt.",
        " Setze den Inhalt des Topfes auf 0. Der nächste Spieler ist nun am Zug.",
    ]


SENTENCES = {
    "council": "Die Freunde sind die Mitglieder der Partei des Spielers, die nicht der Spieler sind.",
    "give_coins": "Der Geber wählt eine Zahl von 1 bis zur Zahl seiner Münzen als verschenkte Zahl: „Wie viele",
    "journey": "so viele Bewegungspunkte, wie die Kosten des Helden für das nächste Feld betragen.",
    "player_turn": "Der Spieler wählt einen der wartenden Helden als ziehenden Helden:",
    "fight_rounds": "mit dem Verteidiger als angreifender Seite und dem Angreifer als Gegenseite aus.",
    "hero_death": "Nimm den Helden aus dem Spiel.",
    "found_settlements": "Lege eine neue Siedlung auf das gewählte Feld: ihr Besitzer ist der Spieler.",
    "visit_mine": "wie die Zahl der Wächter geteilt durch 2, ohne den Bruchteil, beträgt.",
    "vote": "Wenn die Zahl der Jastimmen gleich der Zahl der Neinstimmen ist:",
    "vote_on_items": "Wenn der Antrag angenommen ist, stelle die Einstellung „Gegenstände finden“ auf „Nur Würfel“,",
}


@pytest.mark.parametrize("procedure", SENTENCES)
def test_a_sentence_has_its_cases_and_its_order(procedure: str) -> None:
    text = write_steps(translate(SHIPPED[1]), procedure)
    assert SENTENCES[procedure] in text


FORMULAS = {
    "income": "Dabei steht A für die Summe aus dem Ertrag ihrer Ausbaustufe für jede der Siedlungen des Spielers",
    "concerned": "die nicht der erste Spieler sind und die unter A sind. Dabei steht A für die Mitglieder der Partei",
    "upkeep": "Der Unterhalt des Spielers ist die Zahl der Helden des Spielers",
    "settlement_roll": "für den Grundwurf der jetzigen Befestigung, wenn es eine jetzige Befestigung gibt, sonst 0",
    "foreign_mine": "die keinen Besitzer haben oder deren Besitzer weder der Besitzer des Helden selbst noch mit ihm",
}


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_is_defined(formula: str) -> None:
    translation = translate(SHIPPED[1])
    _, _, sentence = find_german(translation).describe_formula(translation, formula, Style(translation.ruleset))
    assert FORMULAS[formula] in sentence


def test_the_definition_of_letters_is_a_whole_sentence() -> None:
    translation = translate(SHIPPED[1])
    procedure = translation.ruleset.procedures["daybreak"]
    source = "sum(s.tier.income for p in players for s in p.settlements) + 1"
    node, scope = Scalar(source, source, procedure.span), end_scope(procedure, translation.ruleset.declarations)
    value = check_expression(node, scope, Diagnostics())
    style = Style(translation.ruleset)
    say = GermanSteps(translation, procedure, style).say
    say.use(say.phrase(value))
    assert re.fullmatch(r" Dabei steht.*\bA für .*[^.]\.", say.where())
    ((_, sentence),) = find_german(translation).list_outcomes(
        translation, replace(procedure, gives={"coin": value}), style
    )
    assert re.search(r"[^.]\. Dabei steht.*\bA für .*[^.]$", sentence)


@pytest.mark.parametrize("reference", SHIPPED)
def test_every_step_is_said_with_all_that_it_has(reference: str) -> None:
    """Each prompt and label, and the title of each procedure that is called."""
    translation = translate(reference)
    ruleset = translation.ruleset
    style = Style(ruleset)
    for procedure in ruleset.procedures.values():
        writer = GermanSteps(translation, procedure, style)
        text_of_rules = writer.all()
        for step in procedure.iterate_steps():
            for text in _list_atoms(step, writer):
                assert text in text_of_rules, (procedure.id, step.id, text)


def _list_atoms(step: Step, writer: GermanSteps) -> list[str]:
    if "text" in step.words or step.id.endswith(".instead"):
        return []
    called = find_called_procedure(step)
    titles = [writer.say.words.title("procedures", called)] if called and "." not in called else []
    offers = [offer for ask in list_asks(step) for offer in list_offers(ask) if offer.label]
    prompts = [step.words["ask"]] if "ask" in step.words else []
    texts = [*(offer.label for offer in offers), *prompts]
    return [*titles, *(f"„{writer.say.words.fill(text)}“" for text in texts)]


def test_sentences_are_those_of_statements() -> None:
    """A new statement may do without: its steps are then shown in English."""
    assert load_sentences().keys() - load_statements().keys() == set()
    assert len(load_sentences()) > 15


@pytest.mark.parametrize(
    "describe",
    [None, lambda at, step: at.unknown, lambda at, step: Namespace(say=lambda condition: None)],
    ids=["missing", "failing", "without text"],
)
def test_a_broken_module_is_named_and_only_its_sentences_are_missing(
    describe: object, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ruleset = load_ruleset(SHIPPED[1])
    paying = {
        procedure.id
        for procedure in ruleset.procedures.values()
        if any(step.verb.name == "pay" and "text" not in step.words for step in procedure.iterate_steps())
    }
    whole = _list_shown(ruleset)
    _break(monkeypatch, "pay", describe)
    assert paying & whole
    assert _list_shown(ruleset) == whole - paying
    part = "error: the German sentences of the statement `pay` (rulewright/book/languages/de/statements/pay.py)"
    reported = capsys.readouterr().err.splitlines()
    assert {line[: len(part)] for line in reported} == {part}
    assert sorted(line.removeprefix(part).split("`")[1] for line in reported) == sorted(paying)


def test_check_names_a_broken_module(monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, "gain", None)
    (diagnostic,) = check_sentences(read_translations(load_ruleset(SHIPPED[0]), Diagnostics()))
    file = "rulewright/book/languages/de/statements/gain.py"
    assert diagnostic.code.id == "part-failed"
    assert diagnostic.message.startswith(
        f"the German sentences of the statement `gain` ({file}) failed on `game` (AttributeError: "
    )


def test_check_names_a_module_that_leaves_out_nested_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_sentences()["repeat"], "describe_block", lambda at, step, condition, blocks: "wiederhole")
    (diagnostic,) = check_sentences(read_translations(load_ruleset(SHIPPED[0]), Diagnostics()))
    file = "rulewright/book/languages/de/statements/repeat.py"
    assert diagnostic.code.id == "part-failed"
    assert diagnostic.message.startswith(f"the German sentences of the statement `repeat` ({file}) failed on `")
    assert "the sentence leaves out the nested steps `blocks[0]`" in diagnostic.message


def _break(monkeypatch: pytest.MonkeyPatch, statement: str, describe: object) -> None:
    """Replace the function of a statement's German module, or remove it if `describe` is None."""
    if describe is None:
        monkeypatch.delattr(load_sentences()[statement], "describe")
    else:
        monkeypatch.setattr(load_sentences()[statement], "describe", describe)


def _list_shown(ruleset: Ruleset) -> set[str]:
    """Return the procedures that the German book shows."""
    (book,) = list_other_books(ruleset)
    pages = "".join(book.pages.values())
    return {each for each in ruleset.procedures if f'id="{build_anchor(f"procedures.{each}")}"' in pages}


def test_a_noun_that_is_missing_is_named() -> None:
    translation = translate("pig/classic@1.0")
    texts = {path: text for path, text in translation.texts.items() if path != ("procedures", "game", "names", "face")}
    lacking = Translation(
        translation.original, translation.language, translation.files, texts, translation.reviewed, translation.complete
    )
    with pytest.raises(MissingWordsError, match=r"procedures\.game\.names\.face"):
        write_steps(lacking, "game")


# -- the whole books: nothing in English but what is marked as such -----------------------------------

ENGLISH = frozenset(
    re.findall(
        r"\w+",
        "the of and is are with from your if then each when who whose this that it its has have not to roll rolls step "
        "steps result results other only into their they which becomes gains pays chooses player players example comes "
        "total shown",
    )
)
"""Words of English that are no words of German, nor parts of the addresses and names that pages show."""


@pytest.mark.parametrize("reference", SHIPPED)
def test_nothing_is_in_english_that_is_not_marked(reference: str) -> None:
    (book,) = list_other_books(load_ruleset(reference))
    # `test_no_english.py` reads the texts in the scripts, which are packed.
    for path, page in ((path, page) for path, page in book.pages.items() if not path.endswith(".js")):
        text = ENGLISH & {word.lower() for word in re.findall(r"[A-Za-zÄÖÜäöüß]+", _read(page))}
        assert not text, (path, text)


def _read(page: str) -> str:
    """Return all that a reader sees or hears of a page, without what is marked as English."""
    body = page.split("\n---\n", 1)[-1]
    body = re.sub(r"<(script|style|svg)\b.*?</\1>|<!--.*?-->|<code>.*?</code>", " ", body, flags=re.DOTALL)
    body = re.sub(r'<a [^>]*hreflang="en"[^>]*>.*?</a>', " ", body, flags=re.DOTALL)
    heard = " ".join(re.findall(r'(?:title|aria-label)="([^"]*)"', body))
    return unescape(re.sub(r"\{ #[^}]*\}", " ", re.sub(r"<[^>]*>", " ", body)) + heard)


def test_english_that_is_left_is_seen() -> None:
    assert ENGLISH & set(_read('<p>Wirf the die</p> <a hreflang="en">whose</a>').split()) == {"the"}


def test_the_log_of_a_sample_is_german() -> None:
    (book,) = list_other_books(load_ruleset("pig/classic@1.0"))
    page = _read(book.pages["pig.md"])
    for line in (
        "Spieler 1 wählt: Würfeln.",
        "Der Inhalt des Topfes: 6.",
        "Spieler 2 ist am Zug",
        "Spieler 1 erhält 5 Punkte und hat nun",
    ):
        assert line in page


def test_the_texts_of_logs_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Translation] = []
    can_log = translated_examples.can_log

    def look(translation: Translation) -> bool:
        looked.append(translation)
        return can_log(translation)

    monkeypatch.setattr(translated_examples, "can_log", look)
    list_other_books(load_ruleset(SHIPPED[0]))
    assert len(looked) == 1


def test_a_language_without_a_planner_has_none() -> None:
    assert set(load_planners()) == {"de"}
    assert (Path(__file__).parents[2] / "engine/rulewright/book/languages/de/planner.py").exists()
