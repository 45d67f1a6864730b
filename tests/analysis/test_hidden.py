"""What is best for somebody who may not see everything: told where it goes by what nobody shows them."""

from __future__ import annotations

import pytest

from rulewright.analysis.odds.procedure_odds import ProcedureOdds, ProcedureSetting, compute_procedure_odds
from rulewright.cli.main import main
from tests.language.inline import MANIFEST, sound

RULES = """\
kinds: {player: {fields: {coin: {type: int, seen_by: SEERS}, own: int}}}
state: {sure: bool}
procedures:
  main:
    given: {p: player}
    steps:
      - {id: toss, roll: 1d4, seen_by: SEERS_OF_IT}
      - {id: kept, set: {p.coin: toss}}
      - {id: guess, choose: {who: p, number: {from: LOW, to: 4}}}
      - {id: told, set: {p.own: "1 if guess >= p.coin else 0", sure: guess == p.coin}}
"""


def best(seers: str, of_it: str, low: int, text: str) -> ProcedureOdds:
    rules = RULES.replace("SEERS_OF_IT", of_it).replace("SEERS", seers).replace("LOW", str(low))
    return compute_procedure_odds(sound(rules), "main", [text], setting=ProcedureSetting(policies=["best"], players=2))


def test_who_guesses_what_is_hidden_is_told_to_look_at_it() -> None:
    assert best("nobody", "nobody", 1, "sure").beyond == ("main.guess",)


@pytest.mark.parametrize(
    ("seers", "of_it", "low", "asked"),
    [
        ("self", "p", 1, "sure"),  # it is the player's own
        ("everybody", "everybody", 1, "sure"),  # nothing is hidden
        ("nobody", "nobody", 4, "p.own"),  # there is nothing to choose
    ],
)
def test_what_does_not_look_at_it_is_what_it_was(seers: str, of_it: str, low: int, asked: str) -> None:
    assert best(seers, of_it, low, asked).beyond == ()


def test_the_command_says_so(capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("rules") / "test" / "inline"
    folder.mkdir(parents=True)
    rules = RULES.replace("SEERS_OF_IT", "nobody").replace("SEERS", "nobody").replace("LOW", "1")
    manifest = MANIFEST.strip("{}").replace(", ", "\n")
    (folder / "ruleset.yaml").write_text(f"{manifest}\nstatus: draft\n", encoding="utf-8")
    (folder / "rules.yaml").write_text(rules, encoding="utf-8")
    where = ["--rules", str(folder.parents[1])]
    assert main(["odds", "test/inline", "main", "sure", "--policy", "best", *where]) == 0
    streams = capsys.readouterr()
    assert "at `main.guess`, `best` uses information that is hidden from the deciding player" in streams.err
    assert main(["odds", "test/inline", "main", "sure", *where]) == 0
    assert capsys.readouterr().err == ""
