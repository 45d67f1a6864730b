"""Every sentence of the sources is carried by a rule of every edition it belongs to; `check` sees where one is not."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.cli.main import main
from rulewright.ruleset.prose.source_coverage import check_sources
from rulewright.source.diagnostics.formats import text
from rulewright.source.yaml.yaml_reader import read_file
from tests.rules.source_sentences import digests, sentences
from tests.source.goldens import assert_golden

ROOT = Path(__file__).parents[2]
RULES = ROOT / "rules"
EDITIONS = {
    f"fuzzy-knights/{edition}.1": f"fuzzy-knights/{edition}"
    for edition in ("normal@0.1", "medium@0.1", "normal@0.2", "normal@1.0")
}
KNOWN = set(EDITIONS)

# Counted and digested from the pages themselves, which are not in this repository.
PAGES = {
    "turns_0_1": (43, "84e99b590205"),
    "turns_medium": (224, "c616151895dc"),
    "daybreak_medium": (62, "2c6274c66d45"),
    "turns_0_2": (341, "038ef6931747"),
    "turns_1_0": (430, "a91dfcf7da6f"),
}


@pytest.fixture(scope="module")
def rulesets() -> dict[str, Ruleset]:
    return {identity: load_ruleset(reference) for identity, reference in EDITIONS.items()}


def data() -> dict[str, Any]:
    found = read_file(RULES / "fuzzy-knights" / "sources.yaml").to_plain()
    assert isinstance(found, dict)
    return found


def test_no_sentence_of_any_source_is_left_out() -> None:
    for name, (count, whole) in PAGES.items():
        own = data()["sources"][name]["sentences"]
        assert len(own.split()) == count
        assert sha256(own.encode()).hexdigest()[:12] == whole


def test_every_sentence_has_a_carrier_in_every_edition_and_every_carrier_is_there(
    rulesets: dict[str, Ruleset],
) -> None:
    assert list(check_sources([RULES], rulesets, KNOWN)) == []


def test_what_states_no_rule_is_no_hiding_place() -> None:
    """Titles and labels are few words; whatever is longer says something."""
    headings = data()["statements"]["headings"]["found"]
    assert set(headings) == set(PAGES)
    total = sum(count for count, _ in PAGES.values())
    assert sum(len(list(places(each))) for each in headings.values()) < total / 3


QUOTED = {
    "barred_gates": {
        "normal@0.1": "must be defeated before access to/from",
        "medium@0.1": "must perform",
        "normal@0.2": "must be defeated before access to/from",
        "normal@1.0": "must be defeated before access to/from",
    },
    "left_lying": {
        "normal@0.1": "may",
        "medium@0.1": "may",
        "normal@0.2": "must interact",
        "normal@1.0": "must interact",
    },
    "mines_may_be_left": {
        "normal@0.1": "may",
        "medium@0.1": "can attempt",
        "normal@0.2": "can attempt",
        "normal@1.0": "can attempt",
    },
    "mines_come_last": dict.fromkeys(
        ("normal@0.1", "medium@0.1", "normal@0.2", "normal@1.0"), "must be followed before"
    ),
}
"""Words of the pages, which are not in this repository: what a ruling quotes of the page of each edition."""


@pytest.mark.parametrize("ruling", QUOTED)
def test_a_ruling_quotes_the_page_of_its_own_edition(ruling: str, rulesets: dict[str, Ruleset]) -> None:
    every = set(QUOTED[ruling].values())
    for edition, words in QUOTED[ruling].items():
        source = rulesets[f"fuzzy-knights/{edition}.1"].rulings[ruling].source
        assert f'"{words}"' in source
        # What other pages say may be told behind it.
        before = source[: source.index(f'"{words}"')]
        assert not [other for other in every if f'"{other}"' in before], edition


def places(written: object) -> list[int]:
    found = []
    for part in str(written).split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


SMALL = """\
sources:
  page:
    title: A page
    editions: [fuzzy-knights/normal@1.0]
    sentences: s1 s2 s3
statements:
  one:
    says: Something.
    found: {page: 1-2}
    carried_by: [numbers.hero_cost]
  two:
    says: Something else.
    found: {page: 3}
    carried_by: [procedures.game]
"""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("page: 1-2", "page: 1", "nothing in `fuzzy-knights/normal@1.0.1` covers sentence 2 of `page`"),
        ("page: 3", "page: 4", "`4` is not a sentence number among the 3 sentences of `page`"),
        ("page: 3}", "pages: 3}", "there is no source `pages`"),
        ("numbers.hero_cost", "numbers.hero_price", "there is no rule `numbers.hero_price` in"),
        ("procedures.game", "procedures.game.midnight", "there is no rule `procedures.game.midnight` in"),
        ("procedures.game", "pages.learn.nothing", "there is no rule `pages.learn.nothing` in"),
        ("normal@1.0", "normal@7.0", "there is no edition `fuzzy-knights/normal@7.0`"),
        ("[procedures.game]", "[]", "no rule in `fuzzy-knights/normal@1.0.1` has the id `two`"),
        ("    says: Something.\n", "", "`one` has no `says`"),
    ],
)
def test_what_is_missing_or_leads_nowhere_is_told(
    rulesets: dict[str, Ruleset], tmp_path: Path, old: str, new: str, expected: str
) -> None:
    (tmp_path / "sources.yaml").write_text(SMALL, encoding="utf-8")
    assert list(check_sources([tmp_path], rulesets, KNOWN)) == []
    (tmp_path / "sources.yaml").write_text(SMALL.replace(old, new), encoding="utf-8")
    messages = [diagnostic.message for diagnostic in check_sources([tmp_path], rulesets, KNOWN)]
    assert any(expected in message for message in messages), messages


def test_sources_in_two_folders_are_held_against_an_edition_once(tmp_path: Path) -> None:
    edition = "fuzzy-knights/normal@1.0.1"
    two = SMALL.replace(
        "statements:",
        "  leaf:\n    title: A leaf\n    editions: [fuzzy-knights/normal@1.0]\n    sentences: s4\nstatements:",
    )
    for name in ("one", "copy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sources.yaml").write_text(two, encoding="utf-8")
    [found] = check_sources([tmp_path], {}, KNOWN, unsound={edition})
    assert found.message == f"`page` and `leaf` were not checked against `{edition}`, which has errors"


def test_each_fault_of_a_source_is_told_with_its_place(rulesets: dict[str, Ruleset], tmp_path: Path) -> None:
    edition = "fuzzy-knights/normal@1.0.1"
    written = SMALL.replace("page: 1-2", "page: 1").replace("procedures.game", "procedures.gaem")
    (tmp_path / "sources.yaml").write_text(written, encoding="utf-8")
    found = [
        *check_sources([tmp_path], rulesets, KNOWN),
        *check_sources([tmp_path], {}, KNOWN, unsound={edition}),
    ]
    sentence = text.render(found).replace(f"{tmp_path}/", "")
    assert_golden("sources.txt", sentence, folder=Path(__file__).parent / "goldens")


def test_an_edition_that_cannot_be_read_is_not_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (game / "ruleset.yaml").write_text("ruleset: house/game\nversion: 1.0.0\ntitle: A game\n", encoding="utf-8")
    small = SMALL.replace("fuzzy-knights/normal", "house/game").replace("numbers.hero_cost", "procedures.game")
    (tmp_path / "sources.yaml").write_text(small, encoding="utf-8")
    sound = "procedures: {game: {title: A game, means: A draw., steps: [{id: over, finish: {winners: []}}]}}\n"
    text = "`page` was not checked against `house/game@1.0.0`, which has errors"
    unsound = sound.replace("finish: ", "finsh: ")
    for rules, code, expected in ((sound, 0, False), (unsound, 1, True), ("procedures: {game: [\n", 1, True)):
        (game / "rules.yaml").write_text(rules, encoding="utf-8")
        assert main(["check", "house/game", "--rules", str(tmp_path)]) == code
        printed = capsys.readouterr().err
        assert (text in printed) == expected
        assert "there is no rule" not in printed


def test_every_edition_that_a_source_belongs_to_is_looked_into() -> None:
    belonging = {edition for source in data()["sources"].values() for edition in source["editions"]}
    assert belonging == set(EDITIONS.values())


def test_sentences_are_told_apart_and_their_markup_is_not() -> None:
    page = "# Title\n\n> - *One* thing.  Another `thing`!\n|-|-|\n|1|2|\n---\n"
    assert list(sentences(page)) == ["title", "one thing", "another thing", "1 2"]
    assert len(set(digests(page))) == 4
    assert digests("One thing.") == digests("**one** 🎁 thing")
