"""Other figures in a module that is made already: it plays what house rules with these figures do, in Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.dice.format_notation import format_roll
from rulewright.dice.parser.notation import parse
from rulewright.engine.python_backend.source_assembly import SourceAssembler
from rulewright.export import what_if_parameters
from rulewright.export.what_if_parameters import (
    ParameterData,
    ParameterModule,
    Why,
    build_parametric_interface,
    open_parameters,
)
from rulewright.ir.parameters import list_parameters
from rulewright.ir.program import Program
from rulewright.language.step_cost import StepCosts
from rulewright.ruleset.cache import cache_folder
from rulewright.ruleset.cache.stored_values import reuse_values
from rulewright.ruleset.overlay import with_values
from rulewright.ruleset.ruleset import Ruleset
from tests.breadth import some, times

HOSTS = Path(__file__).parent / "hosts"
PLAYABLE = sorted(
    f"{each.parent.parent.name}/{'@'.join(each.parent.name.rsplit('-', 1))}"
    for each in (Path(__file__).parents[2] / "rules").glob("*/*-*/ruleset.yaml")
)
MOST = times(60, 600)

CHANGES: tuple[tuple[str, int, str, dict[str, str]], ...] = (
    ("pig/classic", 2, "greedy", {"numbers.goal": "50"}),
    ("pig/classic", 3, "random", {"numbers.die": "1d8", "numbers.bust": "2"}),
    ("pig/classic", 2, "random", {"numbers.die": "3d4kh2 -1", "numbers.goal": "1000"}),
    ("classics/backgammon", 2, "greedy", {"numbers.throw": "2d6", "numbers.last_quarter": "4"}),
    ("classics/yacht", 2, "random", {"numbers.more_throws": "3", "numbers.yacht": "0", "numbers.die": "1d7"}),
    ("classics/liars-dice", 2, "mcts:9", {"numbers.die": "1d5"}),
    ("fuzzy-knights/normal@1.0", 2, "greedy", {"numbers.starting_coins": "12", "numbers.hero_movement": "7"}),
    (
        "fuzzy-knights/normal@1.0",
        3,
        "random",
        {
            "numbers.hero_base_roll": "4d6 + 1d10 +2",
            "tables.settlement_tiers.rows.villa.cost": "3",
            "tables.settlement_tiers.rows.encampment.income": "4",
            "tables.settlement_tiers.rows.encampment.base_roll": "1d20 + 2d3",
            "numbers.anchor_roll": "2d5",
        },
    ),
)
"""One figure and several, numbers and dice of known and unknown kinds, cells of tables; with each of the bots."""


@cache
def module_of(reference: str) -> ParameterModule:
    return open_parameters(load_ruleset(reference))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the folder of a ruleset's module with figures, each once."""
    whole = tmp_path_factory.mktemp("figures")

    @cache
    def folder(reference: str) -> Path:
        folder = whole / reference.replace("/", "-")
        folder.mkdir()
        module = module_of(reference)
        (folder / "rules.wasm").write_bytes(module.module_info.code)
        (folder / "rules.json").write_text(json.dumps(build_parametric_interface(module)), encoding="utf-8")
        return folder

    return folder


def node(*jobs: dict[str, Any]) -> list[Any]:
    """Return what comes of jobs in Node."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    done = subprocess.run(
        [program, HOSTS / "tries.mjs"], input=json.dumps(jobs), capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr[:2000]
    answers: list[Any] = json.loads(done.stdout)
    return answers


def in_python(ruleset: Ruleset, job: dict[str, Any]) -> list[Any]:
    """Return the states of a game as Python plays it, and the record of it."""
    game = Game(ruleset, players=job["players"], seed=job["seed"])
    seated = [bots.make(job["bot"], ruleset, seed=job["seed"], seat=seat + 1) for seat in range(game.players)]
    saves = []
    for stop in range(job["most"]):
        if (decision := game.decision) is None:
            break
        if stop % job["every"] == 0:
            saves.append(game.save_text())
        game.choose(seated[decision.player - 1](game.state))
    return _as_they_stand([*saves, game.save_text()])


def _as_they_stand(saves: list[str]) -> list[Any]:
    """Save without the names and digests of their rules, which are house rules on one side."""
    data = [json.loads(save)["save"] for save in saves]
    for each in (*data, *(each["state"] for each in data)):
        each.pop("digest")
        each.pop("ruleset", None)
    return data


def test_published_figures_are_the_game_as_it_is(folders: Any) -> None:
    few = ("classics/goofspiel@1.0", "classics/oware@1.0", "fuzzy-knights/medium@0.1", "fuzzy-knights/normal@1.0")
    references = some(PLAYABLE, few)
    jobs: list[dict[str, Any]] = [
        {
            "folder": str(folders(reference)),
            "players": 2,
            "seed": 3,
            "bot": "random",
            "most": MOST,
            "every": 10,
            "change": {},
        }
        for reference in references
    ]
    for reference, job, answer in zip(references, jobs, node(*jobs), strict=True):
        assert _as_they_stand(answer["saves"]) == in_python(load_ruleset(reference), job), reference


def test_other_figures_are_what_house_rules_with_them_play(folders: Any) -> None:
    jobs: list[dict[str, Any]] = [
        {"folder": str(folders(reference)), "players": players, "seed": 5, "bot": bot, "most": MOST, "every": 5}
        | {"change": change}
        for reference, players, bot, change in CHANGES
    ]
    for (reference, _, _, change), job, answer in zip(CHANGES, jobs, node(*jobs), strict=True):
        ruleset = load_ruleset(reference)
        expected = in_python(with_values(ruleset, list(change.items())), job)
        assert expected != in_python(ruleset, job), "the change is to make a difference"
        assert _as_they_stand(answer["saves"]) == expected, (reference, change)


def test_what_may_be_another_figure_is_named_with_how_far_it_may_go() -> None:
    by_path = {each.path: each for each in module_of("fuzzy-knights/normal@1.0").figures}
    assert by_path["numbers.starting_coins"] == ParameterData(
        "numbers.starting_coins", 5, by_path["numbers.starting_coins"].address, 0, 1000
    )
    # Somebody buys as many as the coins are worth: by nothing nobody divides.
    assert by_path["numbers.hero_cost"].least == 1
    assert by_path["numbers.longest_game"].most == 1_000_000
    assert by_path["tables.settlement_tiers.rows.villa.base_roll"].least is None
    published = load_ruleset("fuzzy-knights/normal@1.0").declarations.numbers["hero_base_roll"].value
    assert parse(by_path["numbers.hero_base_roll"].written) == published


def test_what_stays_as_it_is_says_why() -> None:
    assert module_of("fuzzy-knights/normal@1.0").fixed["tables.tiles"] == Why.WORKED_OUT
    assert module_of("classics/yacht").fixed["numbers.run"] == Why.NO_NUMBER
    assert module_of("classics/leduc-poker").fixed["tables.cards.rows.king.copies"] == Why.UNREAD


def test_what_a_figure_may_not_be_is_refused_and_changes_nothing(folders: Any) -> None:
    changes: list[dict[str, Any]] = [
        {"numbers.goal": 70, "numbers.die": "d12+1"},
        {"numbers.goal": 1001},
        {"numbers.goal": "1d6"},
        {"numbers.die": "lots"},
        {"numbers.die": "0d6"},
        {"numbers.die": "101d6"},
        {"numbers.goals": 5},
        {"numbers.bust": 2, "numbers.goal": ""},
    ]
    (answer,) = node({"folder": str(folders("pig/classic")), "does": "figures", "changes": changes})
    assert [each["path"] for each in answer["published"]] == ["numbers.goal", "numbers.bust", "numbers.die"]
    assert answer["said"] == [
        None,
        "GameError: 1001 is not a whole number from 0 to 1000",
        "GameError: 1d6 is not a whole number from 0 to 1000",
        "GameError: lots is not a roll of up to 100 dice, such as 2d6 +3",
        "GameError: 0d6 is not a roll of up to 100 dice, such as 2d6 +3",
        "GameError: 101d6 is not a roll of up to 100 dice, such as 2d6 +3",
        "GameError: `numbers.goals` is not a number that can be changed here",
        "GameError: nothing is not a whole number from 0 to 1000",
    ]
    assert answer["changed"] == {"numbers.goal": "70", "numbers.die": format_roll(parse("d12+1"))}


def test_house_rules_come_to_the_same_module_in_all_but_their_figures() -> None:
    ruleset = load_ruleset("classics/backgammon")
    module = module_of("classics/backgammon")
    assert module.figures
    changed = open_parameters(with_values(ruleset, [("numbers.last_quarter", "5"), ("numbers.throw", "3d8")]))
    assert changed.module_info.form == module.module_info.form
    assert changed.module_info.code != module.module_info.code
    # A deck is made of figures before a game begins.
    cards = load_ruleset("classics/leduc-poker")
    more = open_parameters(with_values(cards, [("tables.cards.rows.king.copies", "3")]))
    assert more.module_info.form != module_of("classics/leduc-poker").module_info.form


def test_python_is_written_with_what_is_published() -> None:
    ruleset = load_ruleset("pig/classic")
    program = Program(ruleset, list_parameters(ruleset.declarations))
    read = {part for value in program.iterate_values() for part in value.walk() if part.op == "figure"}
    assert {part.data for part in read} == {("goal", 100), ("bust", 1), ("die", parse("1d6"))}
    effort = StepCosts(ruleset.declarations, ruleset.procedures)
    assembly = SourceAssembler(program, ruleset, effort, recording=False, sampling=False, fused=False)
    source = "\n".join(line for each in assembly.write_functions() for line in each.lines)
    assert "f[" in source
    assert ">= 100" in source
    assert "== 1" in source


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("means: The face that", "means: The side that", False),
        ("goal: {is: 100,", "goal: {is: 90,", True),
        ("unit: points", "unit: coins", True),
    ],
)
@pytest.mark.filterwarnings("ignore::rulewright.base.errors.RulesetWarning")
def test_values_are_tried_again_only_if_more_than_a_description_has_changed(
    old: str, new: str, again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "pig"
    shutil.copytree(Path(__file__).parents[2] / "rules" / "pig" / "classic-1.0", folder)
    tried: list[object] = []

    def note(*given: Any) -> Ruleset:
        tried.append(given)
        return with_values(*given)

    monkeypatch.setattr(what_if_parameters, "with_values", note)

    def measure() -> ParameterModule:
        tried.clear()
        return open_parameters(load_ruleset("pig/classic", rules=[folder]))

    def show(module: ParameterModule) -> tuple[Any, ...]:
        return module.module_info.code, module.figures, module.fixed

    with reuse_values(["some"], str):
        first = measure()
        assert tried
    with reuse_values(["some"], str):
        assert show(measure()) == show(first)
        assert not tried
    path = folder / "pig.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with reuse_values(["some"], str):
        second = measure()
        assert bool(tried) is again
    assert show(second) == show(measure())
