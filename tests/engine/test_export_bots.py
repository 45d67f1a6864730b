"""Bots of an exported ruleset: what they choose in JavaScript is what Python's choose, and so is what games come to."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.analysis.simulation.run_simulation import simulate
from rulewright.engine.state.faults import RulesFault
from rulewright.export.interface import build_interface
from rulewright.export.wasm_module import build_module
from rulewright.export.write_export import build_module_and_data, write_export
from rulewright.ruleset.overlay import lay_over
from rulewright.ruleset.ruleset import Ruleset
from tests.analysis.test_result_measures import GAME as GAME_OF_RESULTS
from tests.analysis.test_result_measures import MANIFEST as MANIFEST_OF_RESULTS
from tests.breadth import times
from tests.engine.random_rules import build_judged_secrets, rulesets
from tests.language.inline import MANIFEST, sound

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOSTS = Path(__file__).parent / "hosts"
LEARNED = "pig that learned"
WEIGHTS = """
weights:
  trained:
    terms:
      banked: {is: who.score, worth: 1.1}
      pot: {is: pot if player == who else 0, worth: 0.7}
      near: {is: 1 if who.score > 80 else 0, worth: 0.00001}
  careless: {terms: {pot: {is: pot, worth: -0.3}}}
"""


SECRETS = "secrets of all kinds"
RESULTS = "measures of results"
HIDDEN = """
tables:
  suits: {columns: {worth: int}, rows: {hearts: {worth: 3}, spades: {worth: 2}, clubs: {worth: 1}, stars: {worth: 5}}}
decks: {pack: {of: suits}}
kinds:
  player:
    fields:
      card: {type: suits, default: clubs, seen_by: self}
      hand: {type: list of suits, seen_by: self}
      luck: {type: int, seen_by: self}
      gold: int
  token:
    seen_by: self.owner
    label: {face: "token of {self.face}"}
    fields:
      owner: {type: player, seen_by: everybody}
      face: {type: suits, default: clubs}
      trap: {type: bool, default: true}
      friend: {type: optional player}
state: {answer: {type: int, seen_by: nobody}, safe: {type: int, seen_by: nobody}, player: player}
formulas: {standing: {given: {player: player}, is: player.gold}}
procedures:
  game:
    steps:
      - {id: secret, roll: 1d6, seen_by: nobody}
      - {id: kept, set: {answer: secret, safe: 7}}
      - id: deal
        for_each: one
        in: players
        steps:
          - {id: card, draw: pack, seen_by: one}
          - {id: dealt, set: {one.card: card, one.hand: [card, clubs]}}
          - {id: fortune, roll: 2d4, seen_by: one}
          - {id: lucky, set: {one.luck: fortune}}
          - {id: laid, create: token, with: {owner: one, face: card, trap: fortune > 4, friend: one}}
      - id: rounds
        repeat:
          at_most: 6
          steps:
            - {id: move, choose: {who: player, number: {from: 1, to: 4}}}
            - {id: other, let: "next(player, players)"}
            # Nobody who guesses comes upon the number that keeps this from being carried out.
            - id: none
              if: move == 4 and safe < 7 and other.card == hearts
              then: [{id: gone, draw: {one_of: "list(n for n in [1] if n > 2)"}}]
            - {id: extra, roll: 1d6}
            - {id: traps, let: count(t for t in tokens if t.trap and t.owner != player)}
            - {id: won, gain: {who: player, gold: move * other.card.worth + other.luck - answer * traps}}
            - {id: more, gain: {who: player, gold: 1}, when: extra > 3}
            - {id: again, choose: {who: player, one_of: tokens}, when: extra == 6}
            - {id: bids, choose: {who: players, as: bidder, from: [low, high]}}
            - {id: bid, gain: {who: player, gold: 2}, when: "count(p for p in players if bids[p] == high) == 1"}
            - {id: turn, set: {player: other}}
      - {id: end, finish: {winners: list(p for p in players if p.gold == max(q.gold for q in players))}}
"""
"""A game in which what is hidden is of every kind that can be, and in which some guesses cannot be."""


@cache
def ruleset_of(name: str) -> Ruleset:
    if name == SECRETS:
        return sound(HIDDEN, manifest=MANIFEST.replace("1..4}", "2..4, start: game, evaluate: standing}"))
    if name == RESULTS:
        return sound(GAME_OF_RESULTS, manifest=MANIFEST_OF_RESULTS)
    return lay_over(load_ruleset("pig/classic@1.0"), WEIGHTS) if name == LEARNED else load_ruleset(name)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the folder that a ruleset is exported to, each once."""
    whole = tmp_path_factory.mktemp("exports")

    @cache
    def folder(name: str) -> Path:
        folder = whole / name.replace("/", "-")
        write_export(ruleset_of(name), folder)
        return folder

    return folder


def node(*jobs: dict[str, Any]) -> list[Any]:
    """Return what comes of jobs in Node."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    jobs = tuple({**job, "folder": str(job["folder"])} for job in jobs)
    payload = json.dumps(jobs)
    done = subprocess.run([program, HOSTS / "bots.mjs"], input=payload, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[:2000]
    answers: list[Any] = json.loads(done.stdout)
    return answers


def chosen(ruleset: Ruleset, names: list[str], *, seed: int | str, most: int) -> tuple[list[int], list[int | str]]:
    """Return what Python's bots choose in a game between them, and their positions then."""
    game = Game(ruleset, players=len(names), seed=seed)
    seated = [bots.make(name, ruleset, seed=seed, seat=seat) for seat, name in enumerate(names, 1)]
    choices = []
    while (decision := game.decision) is not None and len(choices) < most:
        choices.append(seated[decision.player - 1](game.state))
        game.choose(choices[-1])
    return choices, [bot.position for bot in seated]


DECIDED: dict[str, tuple[list[str], int | str, int]] = {
    "pig/classic@1.0": (["greedy", "planner:12", "mcts:30", "random"], 5, 60),
    LEARNED: (["trained", "mcts:9:trained", "planner:6:careless", "rollout:3:careless"], "a text", 60),
    "classics/connect-four@1.0": (["mcts:40", "greedy"], 3, 40),
    "classics/oware@1.0": (["planner:12", "mcts:30"], -4, 24),
    "classics/backgammon@1.0": (["greedy", "mcts:8"], 4, 20),
    "classics/liars-dice@1.0": (["random", "mcts:40"], 1, 40),
    "classics/goofspiel@1.0": (["mcts:12", "mcts:30", "random"], 2, 24),
    SECRETS: (["greedy", "planner:12", "mcts:30", "rollout:5"], 1, 60),
    "fuzzy-knights/normal@1.0": (["greedy", "planner:6", "mcts:20"], 2, 70),
    "fuzzy-knights/medium@0.1": (["mcts:20", "greedy"], 9, 40),
}
"""Rulesets with who plays, the seed and how many decisions."""


@pytest.mark.parametrize("name", DECIDED)
def test_bots_choose_what_those_of_python_choose(exports: Any, name: str) -> None:
    names, seed, most = DECIDED[name]
    job = {"does": "decides", "folder": exports(name), "bots": names, "seed": seed, "options": {}, "most": most}
    (answer,) = node(job)
    expected, positions = chosen(ruleset_of(name), names, seed=seed, most=most)
    assert len({*expected}) > 1
    assert answer["chosen"] == expected
    assert answer["positions"] == positions
    assert answer["again"] == -(-len(expected) // 3)
    assert answer["pauses"] > 0 or {*names} == {"random"}


@settings(max_examples=times(4, 100))
@given(rulesets(depth=2, most=6), st.integers(0, 2**16))
def test_bots_guess_in_random_rules_as_those_of_python_do(source: str, seed: int) -> None:
    ruleset = build_judged_secrets(source)
    names = ["greedy", "planner:9"] if seed % 2 else ["planner:9", "mcts:20"]
    expected: list[int] | str
    try:
        expected, _ = chosen(ruleset, names, seed=seed, most=20)
    except RulesFault as fault:
        expected = str(fault)
    with TemporaryDirectory() as folder:
        write_export(ruleset, Path(folder) / "rules")
        job = {"does": "decides", "folder": f"{folder}/rules", "bots": names, "seed": seed, "options": {}, "most": 20}
        (played,) = node({**job, "tries": True})
    assert played == {"fault": expected} if isinstance(expected, str) else played["chosen"] == expected


COUNTED: dict[str, list[dict[str, Any]]] = {
    "pig/classic@1.0": [
        {"games": 700, "seed": "any"},
        {"bots": ["greedy", "planner:8", "mcts:9"], "games": 12, "seed": 3},
        {"players": 4, "games": 5, "seed": 1, "most": 40},
    ],
    LEARNED: [{"bots": ["trained", "greedy:careless"], "games": 20, "seed": 1}],
    "classics/connect-four@1.0": [{"games": 300}, {"bots": ["mcts:20", "greedy"], "games": 8, "seed": 5}],
    "classics/kuhn-poker@1.0": [{"games": 2000, "seed": 2}, {"bots": ["mcts:12", "random"], "games": 20, "seed": 4}],
    SECRETS: [{"bots": ["greedy", "planner:6", "mcts:9"], "games": 9, "seed": 3}],
    RESULTS: [{"games": 19}, {"bots": ["greedy", "random", "mcts:5"], "games": 19}],
    "fuzzy-knights/normal@1.0": [
        {"games": 60, "seed": 7, "players": 3},
        {"bots": ["greedy", "random"], "games": 6, "seed": 8, "options": {"max_days": "hundred"}},
    ],
}
"""Rulesets with the settings of simulations."""


@pytest.mark.parametrize("name", COUNTED)
def test_games_come_to_what_a_simulation_counts(exports: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = ruleset_of(name)
    jobs = [{"does": "counts", "folder": exports(name), "settings": {**each, "tries": 150}} for each in COUNTED[name]]
    for setting, answer in zip(COUNTED[name], node(*jobs), strict=True):
        monkeypatch.setattr("rulewright.analysis.simulation.shard.MOST_DECISIONS", setting.get("most", 1_000_000))
        names = setting.get("bots") or ["random"] * setting.get("players", ruleset.players[0])
        counts = simulate(
            ruleset,
            policies=names,
            games=setting["games"],
            seed=setting.get("seed", 0),
            options=setting.get("options"),
        )
        expected = json.loads(json.dumps(counts.to_json()))
        assert answer["done"] == answer["games"] == counts.games
        for what in ("draws", "unfinished", "decisions", "wins_by_seat", "lengths"):
            assert answer[what] == expected[what], what
        assert (answer["unfinished"] > 0) == ("most" in setting)
        wins: Counter[str] = Counter()
        for bot, won in zip(names, answer["wins"], strict=True):
            wins[bot] += won
        assert wins == counts.wins_by_policy
        for what in ("measures", "series"):
            assert {key: each for key, each in answer[what].items() if each} == expected[what]
        decided = [[ruleset.steps[step].rule if step else None, games] for step, games in expected["decided"]]
        assert answer["decided"] == decided
        assert answer["pieces"] > 0 or setting["games"] < 20


ONE_BY_ONE = """
tables: {ranks: {rows: {jack: {}, queen: {}, king: {}, ace: {}, ten: {}}}}
decks: {pack: {of: ranks}}
kinds: {player: {fields: {gold: int}}}
state: {player: player}
formulas: {standing: {given: {player: player}, is: player.gold}}
procedures:
  game:
    steps:
      - {id: drawn, draw: pack, count: 3, seen_by: "next(player, players)"}
      - id: each
        for_each: card
        in: drawn
        steps:
          - {id: asked, choose: {who: player, from: [stay, go]}}
          - {id: paid, gain: {who: player, gold: 2 if card == ranks.jack else 1}, when: asked == go}
          - {id: lost, set: {player.gold: 0}, when: asked == go and card == ranks.ace}
      - {id: end, finish: {winners: players}}
"""


def test_a_loop_over_a_secret_list_is_guessed_as_in_python(tmp_path: Path) -> None:
    ruleset = sound(ONE_BY_ONE, manifest=MANIFEST.replace("1..4}", "2, start: game, evaluate: standing}"))
    write_export(ruleset, tmp_path / "rules")
    names = ["mcts:20", "greedy"]
    job = {"does": "decides", "folder": tmp_path / "rules", "bots": names, "seed": 1, "options": {}, "most": 8}
    (played,) = node({**job, "tries": True})
    assert played.get("chosen") == chosen(ruleset, names, seed=1, most=8)[0], played


def test_which_bots_there_are(exports: Any) -> None:
    named = {
        "pig/classic@1.0": ["greedy", "mcts", "planner", "random", "rollout"],
        LEARNED: ["greedy", "mcts", "planner", "random", "rollout", "trained"],
        "classics/kuhn-poker@1.0": ["mcts", "random"],
        SECRETS: ["greedy", "mcts", "planner", "random", "rollout"],
    }
    jobs = [{"does": "bots", "folder": exports(name)} for name in named]
    for expected, answer in zip(named.values(), node(*jobs), strict=True):
        assert [each["name"] for each in answer] == expected
        assert [each["does"] for each in answer] == [bots.get_help(name) for name in expected]
        assert {each["name"] for each in answer if "setting" in each} == {"mcts", "planner", "rollout"} & {*expected}


def test_the_settings_that_are_told_are_those_of_the_bots() -> None:
    ruleset = ruleset_of("pig/classic@1.0")
    for name, told in build_interface(ruleset, *build_module(ruleset))["bots"].items():
        assert bots.inside(name, ruleset) == bots.inside(f"{name}:{told['setting']}" if told["most"] else name, ruleset)
        if told["most"]:
            assert bots.inside(f"{name}:{told['most']}", ruleset) is not None
            with pytest.raises(bots.RulewrightError):
                bots.inside(f"{name}:{told['most'] + 1}", ruleset)


def test_what_is_refused_is_refused_in_words(exports: Any) -> None:
    names = ["clever", "trained", "mcts:0", "mcts:many", "mcts:50ms", "mcts:1000001", "greedy:3", "random:x", 7]
    job = {"does": "refuses", "folder": exports("pig/classic@1.0"), "names": names, "most": "mcts:50"}
    (answer,) = node(job)
    for message, part in zip(
        answer,
        (
            *(
                "there is greedy, mcts, planner, random, rollout",
                "no bot `trained` here",
                "`mcts:0` is not a valid budget",
            ),
            *(
                "write mcts:200",
                "only bots in Python support a time budget",
                "from 1 to 1000000",
                "`greedy` takes no setting",
            ),
            *("`random` takes no setting", "must be a string", "seats are numbered from 1 to"),
            *("another bot started thinking", "the game changed", "players, not 1"),
            *("number of games must be a whole number of 1 or more, not 0", "no option weather"),
        ),
        strict=True,
    ):
        assert message.startswith("GameError: "), message
        assert part in message


def test_memory_is_used_again(exports: Any) -> None:
    job = {"does": "grows", "folder": exports("fuzzy-knights/normal@1.0"), "games": 8, "most": 40}
    (answer,) = node({**job, "bots": ["planner:3", "mcts:300"]})
    assert len({*answer[1:]}) == 1
    assert answer[0] < 128 << 20, "a telephone has it, too"


FAULTY = """
state:
  turn: {type: int, default: 0, means: How often somebody was asked.}
  who: {type: player, means: Whose turn it is.}
procedures:
  game:
    title: A game
    steps:
      - id: rounds
        repeat:
          at_most: 9
          steps:
            - {id: move, choose: {who: who, from: [stay, go]}}
            - id: gone
              if: move == go or turn == 3
              then: [{id: late, draw: {one_of: 'list(n for n in [1, 2] if n > 2)'}}]
            - {id: count, set: {turn: turn + 1}}
"""


def test_a_fault_that_a_bot_runs_into_names_its_rule(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    manifest = "ruleset: test/faulty\nversion: 1.0.0\ntitle: Faulty\nstatus: draft\nplayers: 2\n"
    manifest += "start: game\nevaluate: standing\n"
    (rules / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    formula = "formulas:\n  standing: {given: {player: player}, is: turn, means: How well it goes.}\n"
    (rules / "rules.yaml").write_text(FAULTY + formula, encoding="utf-8")
    ruleset = load_ruleset("test/faulty", rules=[rules])
    write_export(ruleset, tmp_path / "out")
    names = ["greedy", "mcts:9", "random"]
    (answer,) = node({"does": "faults", "folder": tmp_path / "out", "bots": names})
    game = Game(ruleset)
    with pytest.raises(RulesFault) as told:
        bots.make("greedy", ruleset, seed=0, seat=1)(game.state)
    fault = ["RulesFault", told.value.rule, str(told.value)]
    assert answer == [fault, fault, "no fault", fault, fault, fault, True]


def test_a_worker_answers_whatever_it_is_told(exports: Any) -> None:
    folder = exports("pig/classic@1.0")
    ruleset = ruleset_of("pig/classic@1.0")
    game = Game(ruleset, players=2, seed=1)
    expected = bots.make("mcts:60", ruleset, seed=4, seat=1)
    first, second = expected(game.state), expected(game.state)
    think = {"kind": "think", "save": True, "seed": 4, "seat": 1}
    messages: list[dict[str, Any]] = [
        {"whole": None},
        {"whole": "think"},
        {"kind": "fly", "id": 1},
        {**think, "id": 2, "bot": "random"},
        {"kind": "rules", "id": 3},
        {"kind": "rules", "id": 4, "wasm": str(folder / "rules.wasm"), "data": str(folder / "rules.json")},
        {**think, "id": 5, "bot": "mcts:60"},
        {**think, "id": 6, "bot": "mcts:60"},
        {**think, "id": 7, "bot": "mcts:60", "asked": 0},
        {**think, "id": 8, "bot": "clever"},
        {**think, "id": 9, "bot": "random", "save": "{}"},
        {**think, "id": 10, "bot": "random", "asked": -1},
        # Eleven answers later, something begins that takes long; it is stopped, with what waits behind it.
        {**think, "id": 11, "bot": "mcts:1000000", "after": 12},
        {"kind": "games", "id": 12, "games": 10},
        {"kind": "stop"},
        {"kind": "games", "id": 13, "bots": ["mcts:1000000", "random"], "games": 1, "after": 14},
        {"kind": "stop"},
        {"kind": "games", "id": 14, "games": 0, "after": 15},
        {"kind": "games", "id": 15, "bots": ["greedy", "random"], "games": 300, "seed": 6},
        {**think, "id": 16, "bot": "mcts:60", "asked": 0},
    ]
    job = {"does": "serves", "folder": folder, "messages": messages, "save": game.save_text(), "most": 18}
    job |= {"wasm": str(folder / "rules.wasm"), "data": str(folder / "rules.json")}
    (answers,) = node(job)
    by_id: dict[Any, list[dict[str, Any]]] = {}
    for answer in answers:
        by_id.setdefault(answer.pop("id", None), []).append(answer)
    assert [len(by_id[number]) for number in range(1, 15)] == [1] * 14
    unknown = "the kind of a message must be rules, think, games or stop"
    assert all(unknown in each["error"] for each in by_id[None] + by_id[1])
    assert len(by_id[None]) == 2
    assert by_id[2][0]["error"] == "no rules have been sent yet"
    assert "error" in by_id[3][0]
    assert by_id[4][0]["ready"] == ruleset.reference
    assert by_id[5][0]["index"] == by_id[7][0]["index"] == by_id[16][0]["index"] == first
    assert by_id[6][0]["index"] == second
    assert "no bot `clever`" in by_id[8][0]["error"]
    assert "not a Rulewright save" in by_id[9][0]["error"]
    assert "the number of earlier choices of the bot, not -1" in by_id[10][0]["error"]
    assert by_id[11] == by_id[12] == by_id[13] == [{"stopped": True}]
    assert "of 1 or more, not 0" in by_id[14][0]["error"]
    *sofar, last = by_id[15]
    counts = simulate(ruleset, policies=["greedy", "random"], games=300, seed=6)
    assert last["over"]
    assert last["wins_by_seat"] == counts.wins_by_seat
    assert 10 < len(sofar) <= 100
    assert [each["done"] for each in sofar] == sorted({each["done"] for each in sofar})


def test_a_bot_that_was_not_there_before_chooses_as_if_it_had_been(exports: Any) -> None:
    """Moves are taken back and others made; games are opened in a worker that knows nothing of them."""
    name = "fuzzy-knights/normal@1.0"
    ruleset, bot = ruleset_of(name), "planner:5"
    game = Game(ruleset, players=2, seed=11)
    seated = [bots.make(bot, ruleset, seed=11, seat=seat) for seat in (1, 2)]
    counts: Counter[int] = Counter()
    thinks: list[tuple[dict[str, Any], int]] = []
    while len(thinks) < 26:
        assert game.decision is not None
        seat = game.decision.player
        message = {"kind": "think", "bot": bot, "seed": 11, "seat": seat, "asked": counts[seat]}
        thinks.append(({**message, "save": game.save_text()}, seated[seat - 1](game.state)))
        counts[seat] += 1
        game.choose(thinks[-1][1])
    other = Game.load_text(thinks[9][0]["save"], ruleset)
    assert other.decision is not None
    other.choose((thinks[9][1] + 1) % len(other.decision.options))
    elsewhere = {"kind": "think", "bot": bot, "seed": 11, "seat": other.decision.player, "save": other.save_text()}
    elsewhere["asked"] = sum(each["seat"] == elsewhere["seat"] for each, _ in thinks[:10])
    order = [*range(16), 10, 11, 12, 25, 3, 24, "elsewhere", 25]
    rules = {"kind": "rules", "wasm": str(exports(name) / "rules.wasm"), "data": str(exports(name) / "rules.json")}
    messages = [elsewhere if each == "elsewhere" else thinks[int(each)][0] for each in order]
    numbered = [{**each, "id": number} for number, each in enumerate(messages)]
    files = {"wasm": rules["wasm"], "data": rules["data"]}
    job = {"does": "serves", "folder": exports(name), "messages": [rules, *numbered], "most": len(order) + 1, **files}
    again = {"does": "serves", "folder": exports(name), "messages": [rules, {**elsewhere, "id": 0}], "most": 2, **files}
    (_, *answers), (_, alone) = node(job, again)
    assert len({choice for _, choice in thinks}) > 3
    for each, answer in zip(order, answers, strict=True):
        expected = alone["index"] if each == "elsewhere" else thinks[int(each)][1]
        assert answer["index"] == expected, (each, answer)


@pytest.mark.browser
def test_a_worker_of_a_page_from_disk_plays_as_python_does(tmp_path: Path, window: Page, checkout: Path) -> None:
    ruleset = load_ruleset("classics/connect-four@1.0")
    module, data = build_module_and_data(ruleset)
    text = json.dumps({"wasm": base64.b64encode(module).decode(), "data": data})
    shutil.copy(checkout / "site" / "assets" / "built" / "engine.js", tmp_path)
    (tmp_path / "rules-as-text.js").write_text(f"globalThis.asText = {text};", encoding="utf-8")
    shutil.copy(HOSTS / "bots.html", tmp_path / "index.html")
    window.goto((tmp_path / "index.html").as_uri())
    window.get_by_role("heading", name=ruleset.reference).wait_for()
    names = ["mcts:60", "greedy"]
    assert window.evaluate("plays(['mcts:60', 'greedy'], 5, 100)") == chosen(ruleset, names, seed=5, most=100)[0]
    stopped, after = window.evaluate("stops('mcts:1000000')")
    assert stopped == {"id": "long", "stopped": True}
    assert after["id"] == "short"
    settings = {"kind": "games", "id": "games", "bots": names, "games": 6, "seed": 2}
    reply = window.evaluate("(message) => ask(message)", settings)
    counts = simulate(ruleset, policies=names, games=6, seed=2)
    assert (reply["wins_by_seat"], reply["decisions"]) == (counts.wins_by_seat, counts.decisions)
