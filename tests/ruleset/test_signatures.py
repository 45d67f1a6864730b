"""When a text of the rulebook is out of date: only where its reader would notice what changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.load_ruleset import load_edition
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.prose.text_signature import compute_signature
from rulewright.ruleset.schema.edition_reference import parse_reference
from rulewright.source.diagnostics.collector import Diagnostics

GAME = """\
numbers:
  wage: {is: 4, means: What a day pays.}
  fee: {is: 2, means: What the gate takes.}
  luck: {is: 1d6, means: What luck brings.}
kinds:
  player: {fields: {coin: int, luck: int}, derived: {rich: {is: self.coin > 9, means: Whether they are.}}}
tables:
  weather: {title: Weather, roll: 1d6, columns: {tip: int}, rows: {sun: {on: 1-4, tip: 2}, rain: {on: 5-6, tip: 0}}}
  ranks: {title: Ranks, columns: {price: int, pay: int}, rows: {page: {price: 1, pay: 2}, clerk: {price: 3, pay: 5}}}
options:
  pace: {title: Pace, choices: {slow: Slowly, fast: Fast}, default: slow, means: How fast.}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {who: player}
    steps:
      - {id: sky, roll: weather}
      - {id: paid, gain: {who: who, coin: wage}}
      - {id: gate, pay: {who: who, coin: fee}, when: options.pace == fast}
exceptions:
  holiday: {to: day.paid, when: who.luck > 5, means: The lucky stay at home.}
pages:
  work:
    title: Work
    letter: W
    sections:
      SECTION
"""


def signed(folder: Path, section: str, change: tuple[str, str] | None = None) -> str:
    """Return the signature of a text under the rules, or under the rules with a change."""
    rules = GAME.replace("SECTION", f"one: {{title: One, {section}}}")
    if change is not None:
        assert change[0] in rules
        rules = rules.replace(change[0], change[1], 1)
    write(folder, "base", rules)
    catalogue = Catalogue([folder])
    ruleset, diagnostics = load_edition(catalogue, catalogue.find(parse_reference("work/base")))
    assert ruleset is not None
    assert not diagnostics.errors, [each.message for each in diagnostics.errors]
    ((text,),) = (page.sections for page in ruleset.pages.values())
    return compute_signature(text, ruleset)


def write(folder: Path, name: str, rules: str, extends: str = "") -> None:
    (folder / name).mkdir(exist_ok=True)
    manifest = f"ruleset: work/{name}\nversion: 1.0.0\ntitle: Work\nstatus: draft\nplayers: 1\n{extends}"
    (folder / name / "ruleset.yaml").write_text(manifest)
    (folder / name / "rules.yaml").write_text(rules)


WAGE = ("wage: {is: 4", "wage: {is: 5")
ROLLED = ("luck: {is: 1d6", "luck: {is: 4")
STEP = ("      - {id: gate", "      - {id: rest, stop: true, when: who.coin > 50}\n      - {id: gate")
HOLIDAY = ("who.luck > 5", "who.luck > 6")
SNOW = ("rain: {on: 5-6, tip: 0}", "rain: {on: 5, tip: 0}, snow: {on: 6, tip: 0}")
TIP = ("tip: 2", "tip: 3")
LUCK = ("luck: int}", "luck: int, hats: int}")
RICH = ("self.coin > 9", "self.coin > 8")
CLERK = ("clerk: {price: 3", "clerk: {price: 4")
PAGE_PAY = ("pay: 2}", "pay: 3}")
DEFAULT = ("default: slow", "default: fast")
GALLOP = ("fast: Fast}", "fast: Fast, gallop: At a gallop}")


@pytest.mark.parametrize(
    ("section", "change", "noticed"),
    [
        # A figure counts where the text says it in words, and not where it shows it.
        ("explains: [numbers.wage], text: You earn little.", WAGE, True),
        ('explains: [numbers.wage], text: "You earn {numbers.wage}."', WAGE, False),
        ('explains: [numbers.wage], text: "You earn {= wage * 2} in two days."', WAGE, False),
        ('explains: [numbers.luck], text: "You are {numbers.luck} lucky."', ROLLED, True),
        ('explains: [tables.ranks], text: "A clerk costs {ranks.clerk.price}."', CLERK, False),
        ('explains: [tables.ranks], text: "A clerk costs {ranks.clerk.price}."', PAGE_PAY, True),
        # A step is a part of its procedure, with the special cases that belong to it.
        ("explains: [procedures.day], text: A day.", STEP, True),
        ("explains: [procedures.day.paid], text: You are paid.", STEP, False),
        ("explains: [procedures.day.paid], text: You are paid.", HOLIDAY, True),
        ("explains: [procedures.day.gate], text: The gate.", HOLIDAY, False),
        # What is shown below the text, or linked to, is read there.
        ("explains: [tables.weather], text: Fair more often than foul.", SNOW, True),
        ('explains: [tables.weather], text: "Roll on {tables.weather}."', SNOW, False),
        ("explains: [tables.weather], text: Roll., show: [tables.weather]", TIP, False),
        ("explains: [tables.weather.sun], text: A tip., show: [tables.weather]", TIP, True),
        ("explains: [tables.ranks.pay], text: Each earns more., show: [tables.ranks]", PAGE_PAY, True),
        ("explains: [tables.ranks.pay], text: Each earns more., show: [tables.ranks]", CLERK, False),
        # A text that names every row is a list of them.
        ('explains: [procedures.day], text: "It is {weather.sun} or {weather.rain}."', SNOW, True),
        ('explains: [procedures.day], text: "If it is {weather.sun}, go out."', SNOW, False),
        (
            'explains: [options.pace], text: "{options.pace.slow} or {options.pace.fast}.", show: [options.pace]',
            GALLOP,
            True,
        ),
        # Fields, choices, and the usual choice.
        ("explains: [kinds.player], text: A player has luck.", LUCK, True),
        ("explains: [kinds.player.rich], text: The rich.", LUCK, False),
        ("explains: [kinds.player.rich], text: The rich.", RICH, True),
        ("explains: [options.pace], text: Slowly as a rule., show: [options.pace]", DEFAULT, True),
        ("explains: [options.pace.fast], text: Some like it fast.", DEFAULT, False),
        ("explains: [options.pace.default], text: Slowly as a rule.", DEFAULT, True),
        ("explains: [options.pace], text: Agree on it., show: [options.pace]", GALLOP, False),
    ],
)
def test_a_text_is_outdated_where_its_reader_would_notice(
    section: str, change: tuple[str, str], noticed: bool, tmp_path: Path
) -> None:
    assert (signed(tmp_path, section) != signed(tmp_path, section, change)) is noticed


def test_a_signature_is_never_a_number(tmp_path: Path) -> None:
    """`1814e5857505` is one: digits around an `e`."""
    wage = "explains: [numbers.wage], text: Little."
    letters = {signed(tmp_path, wage, ("is: 4", f"is: {figure}"))[0] for figure in range(40)}
    assert len(letters) > 5
    assert letters <= set("ghijklmnopqrstuv")


def lint_words_of(folder: Path, base: str, house: str) -> list[tuple[str, str]]:
    """Return what is said of the words of a house's rules over a base."""
    write(folder, "base", base)
    write(folder, "house", house, "extends: work/base\n")
    catalogue = Catalogue([folder])
    ruleset, diagnostics = load_edition(catalogue, catalogue.find(parse_reference("work/house")))
    assert ruleset is not None
    assert not diagnostics.errors, [each.message for each in diagnostics.errors]
    words = Diagnostics()
    lint_words(ruleset, words)
    return [(each.code.id, each.message) for each in words]


def test_a_text_that_a_layer_writes_anew_is_not_what_was_signed_below(tmp_path: Path) -> None:
    section = "explains: [procedures.day], text: A day."
    base = GAME.replace("SECTION", f"one: {{title: One, reviewed: {signed(tmp_path, section)}, {section}}}")
    house = "procedures: {day: {steps: [{id: paid, gain: {coin: wage + 1}}]}}\n"
    changed = "the text of `work.one` may be out of date: its rules have changed since an author compared it"
    assert lint_words_of(tmp_path, base, house) == [("text-outdated", changed)]
    anew = f"{house}pages: {{work: {{sections: {{one: {{text: A better day.}}}}}}}}\n"
    assert lint_words_of(tmp_path, base, anew) == []


def test_a_step_that_a_layer_removes_outdates_an_inherited_text_and_is_a_slip_in_an_own_one(tmp_path: Path) -> None:
    section = "explains: [procedures.day.gate], text: The gate."
    base = GAME.replace("SECTION", f"one: {{title: One, reviewed: {signed(tmp_path, section)}, {section}}}")
    text = "procedures: {day: {steps: [{delete: gate}]}}\n"
    changed = "the text of `work.one` may be out of date: its rules have changed since an author compared it"
    assert lint_words_of(tmp_path, base, text) == [("text-outdated", changed)]
    own = text + "pages: {work: {sections: {one: {explains: [procedures.day.pad], text: You are paid.}}}}\n"
    assert lint_words_of(tmp_path, base, own) == [("unknown-rule", "there is no rule `procedures.day.pad`")]


def test_what_a_sample_plays_counts_in_a_text_that_tells_of_it_and_its_dice_do_not(tmp_path: Path) -> None:
    sample = "samples:\n  first: {title: First, players: 2, seed: 3, options: {pace: fast}, until: day.sky}\n"

    def of(section: str, before: str = "", after: str = "") -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        change = ("procedures:\n", f"{sample.replace(before, after) if before else sample}procedures:\n")
        return signed(folder, f"text: So., explains: [{section}], show: [samples.first]", change)

    for section in ("samples.first", "samples.first.options"):
        same = of(section)
        assert of(section, "pace: fast", "pace: slow") != same
        assert of(section, "seed: 3", "seed: 4, policy: random") == same
        assert (of(section, "players: 2", "players: 3") == same) == (section == "samples.first.options")


ASKED = """\
kinds: {player: {fields: {coin: int}}}
procedures:
  day:
    title: A day
    means: Somebody works.
    given: {who: player}
    steps:
      - {id: spent, choose: {who: who, from: [little, much]}, ask: How much?}
      - {id: paid, gain: {who: who, coin: 1}, when: spent == much}
"""


@pytest.mark.parametrize(
    ("choose", "change", "retold"),
    [
        ("[little]", "expect: {who.coin: 2}", True),
        ("[little]", "choose: [much]", True),
        ("[little, much]", "choose: [much, little]", True),
        # A text with a comma is one choice.
        ('["1, 2", much]', "choose: ['1', much]", True),
        ("[{pay: 1}]", "choose: [{pay: 2}]", True),
        ("[little, much]", "choose: {delete: true}", True),
        ("[little, much]", "choose: []", True),
        ("[]", "choose: [much]", True),
        # Only more or fewer questions are answered.
        ("[little]", "choose: [much, little]", False),
        ("[little, much]", "choose: [much]", False),
        ("[{pay: 1}]", "choose: [much, {pay: 1}]", False),
        # Other starting values can lead to the same results.
        ("[little]", "given: {players: [{coin: 3}]}", False),
        ("[little]", "title: Another day, expect: {who.coin: 2}", False),
    ],
)
def test_the_text_of_an_example_is_outdated_by_other_results_or_choices(
    choose: str, change: str, retold: bool, tmp_path: Path
) -> None:
    base = f"{ASKED}examples: {{first: {{title: A day, of: day, choose: {choose}, expect: {{who.coin: 1}}}}}}\n"
    outdated = [("text-outdated", "the inherited title of `examples.first` was written for other results")]
    assert lint_words_of(tmp_path, base, f"examples: {{first: {{{change}}}}}\n") == (outdated if retold else [])
