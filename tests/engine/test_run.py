"""One procedure alone: what is given must fit, and what it needs besides is made up where that can end."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Ruleset, load_ruleset
from rulewright.source.diagnostics.collector import DiagnosticError
from rulewright.source.nodes import Mapping
from rulewright.source.yaml.yaml_reader import read_text
from rulewright.testing.procedure_run import run
from tests.language.inline import sound

RULES = """\
kinds:
  player: {fields: {coin: {type: count, means: The purse.}}}
  garden: {fields: {owner: player, shed: shed}}
  shed: {fields: {tools: count}}
  porch: {fields: {tools: {type: count, wording: tools at hand}}}
  egg: {fields: {hen: hen}}
  hen: {fields: {egg: egg}}
  link: {fields: {next: link}}
procedures:
  rake:
    given: {garden: garden}
    steps: [{id: raked, gain: {who: garden.owner, coin: 1 + garden.shed.tools}}]
  hatch:
    given: {egg: egg}
    steps: [{id: hatched, remove: egg.hen}]
  lend:
    given: {one: player, other: player}
    steps: [{id: lent, gain: {who: other, coin: one.coin}}]
  swap:
    given: {shed: shed, porch: porch}
    steps: [{id: swapped, set: {shed.tools: porch.tools, porch.tools: shed.tools}}]
  pull:
    given: {link: link}
    steps: [{id: pulled, remove: link.next}]
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("gardens")
    manifest = "ruleset: gardens/plain\nversion: 1.0.0\ntitle: Gardens\nstatus: draft\nplayers: 2..3\n"
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "rules.yaml").write_text(RULES)
    return load_ruleset("gardens/plain", rules=[folder])


def given(text: str) -> Mapping:
    node = read_text(f"{text}\n", "--given")
    assert isinstance(node, Mapping)
    return node


def test_what_a_procedure_needs_is_made_up(rules: Ruleset) -> None:
    finished = run(rules, "rake", given=given("garden: {shed: {tools: 2}}"))
    assert [moment.event.text for moment in finished.moments] == ["Player 1 gains 3 coin and now has 3."]


def test_a_player_who_is_given_with_fields_is_one_of_those_who_play(rules: Ruleset) -> None:
    finished = run(rules, "lend", given=given("{one: {coin: 5}, other: {coin: 2}}"))
    assert [moment.event.text for moment in finished.moments] == ["Player 2 gains 5 coin and now has 7."]


def test_no_more_players_are_given_than_there_are(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: g/one\nversion: 1.0.0\ntitle: G\nstatus: draft\nplayers: 1\n")
    (tmp_path / "rules.yaml").write_text(RULES)
    with pytest.raises(DiagnosticError, match="there are 1 players"):
        run(load_ruleset("g/one", rules=[tmp_path]), "lend", given=given("{one: {coin: 5}, other: {coin: 2}}"))


def test_fields_of_one_name_are_told_of_the_thing_they_belong_to(rules: Ruleset) -> None:
    finished = run(rules, "swap", given=given("{shed: {tools: 2}, porch: {tools: 5}}"))
    assert [moment.event.text for moment in finished.moments] == [
        "The Shed’s tools is now 5.",
        "The Porch’s tools at hand is now 2.",
    ]


@pytest.mark.parametrize(
    ("procedure", "start", "message"),
    [
        ("rake", "garden: null", "a garden is needed here"),
        ("rake", "garden: {owner: null}", "a player is needed here"),
        ("rake", "garden: {shed: null}", "a shed is needed here"),
        ("hatch", "egg: {}", "a `hen` needs a value for `egg`"),
        ("pull", "link: {}", "a `link` needs a value for `next`"),
    ],
)
def test_what_is_missing_is_said(rules: Ruleset, procedure: str, start: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        run(rules, procedure, given=given(start))


def test_what_was_refused_is_not_missed_as_well(rules: Ruleset) -> None:
    with pytest.raises(DiagnosticError) as caught:
        run(rules, "rake", given=given("garden: {shed: {tools: none}}"))
    assert len(caught.value.diagnostics) == 1


@pytest.mark.parametrize("players", [-1, 0, 1, 4])
def test_as_many_play_as_the_game_is_for(rules: Ruleset, players: int) -> None:
    with pytest.raises(DiagnosticError, match=f"is for 2 to 3 players, not {players}"):
        run(rules, "rake", players=players)


BLOCK_NAMES = """
kinds: {player: {fields: {score: int}}}
procedures:
  main:
    given: {who: player}
    steps:
      - {id: before, let: 3}
      - id: every
        for_each: one
        in: players
        steps: [{id: more, let: before + 1}, {id: won, gain: {who: one, score: more}}]
      - {id: after, set: {who.score: 1}}
"""


@pytest.mark.parametrize(("until", "names"), [("", set()), ("after", set()), ("more", {"one"})])
def test_the_name_of_a_block_is_shown_only_in_the_block(until: str, names: set[str]) -> None:
    finished = run(sound(BLOCK_NAMES), "main", until=until)
    assert set(finished.values) == {"who", "before", "more"} | names
