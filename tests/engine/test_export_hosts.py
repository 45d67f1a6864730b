"""An exported ruleset in other hosts: a page in Chromium, a strict TypeScript project, a program in C."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import wasmtime

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.export.write_export import write_export

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
HOSTS = Path(__file__).parent / "hosts"
STRICT = {
    "compilerOptions": {
        "target": "es2022",
        "module": "nodenext",
        "lib": ["es2022", "dom"],
        "types": [],
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "exactOptionalPropertyTypes": True,
        "noImplicitReturns": True,
        "noEmitOnError": True,
        "skipLibCheck": False,
    },
}


@pytest.mark.browser
@pytest.mark.parametrize("reference", ["classics/tic-tac-toe", "pig/classic"])
def test_a_game_in_a_page_is_that_of_python(
    reference: str, tmp_path: Path, window: Page, site_server: Callable[[Path], str]
) -> None:
    ruleset = load_ruleset(reference)
    write_export(ruleset, tmp_path)
    shutil.copy(HOSTS / "page.html", tmp_path / "index.html")
    window.goto(site_server(tmp_path) + "/index.html")
    window.get_by_role("heading", name=ruleset.title).wait_for()
    game = Game(ruleset, players=2, seed=7)
    buttons = window.locator("#options button")
    stop = 0
    while (decision := game.decision) is not None and stop < 60:
        assert window.locator("#ask").inner_text() == f"Player {decision.player}: {decision.ask}"
        assert buttons.all_inner_texts() == [option.label for option in decision.options]
        if stop % 7 == 3:
            buttons.last.click()
            window.get_by_role("button", name="Take back").click()
        taken = stop % len(decision.options)
        buttons.nth(taken).click()
        game.choose(taken)
        stop += 1
    assert window.locator("#story li").all_inner_texts() == list(game.story())
    log, save = window.evaluate("[JSON.stringify(game.log), game.save()]")
    assert json.loads(log) == json.loads(json.dumps([event.to_json() for event in game.log]))
    assert save == game.save_text()


def compiled(folder: Path) -> subprocess.CompletedProcess[str]:
    """Return what TypeScript says of the project in a folder."""
    compiler = ROOT / "tests" / "site" / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        pytest.fail("TypeScript is not installed: `make audits` installs it", pytrace=False)
    own = [path.name for path in folder.glob("*.ts") if not path.name.endswith(".d.ts")]
    (folder / "tsconfig.json").write_text(json.dumps({**STRICT, "files": own}), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return subprocess.run(["node", compiler, "-p", folder], capture_output=True, text=True, check=False)


def test_a_strict_typescript_project_compiles_and_plays(tmp_path: Path) -> None:
    ruleset = load_ruleset("classics/goofspiel")
    write_export(ruleset, tmp_path)
    shutil.copy(HOSTS / "strict" / "main.ts", tmp_path)
    done = compiled(tmp_path)
    assert done.returncode == 0, done.stdout
    data = json.loads(subprocess.run(["node", tmp_path / "main.js"], capture_output=True, check=True).stdout)
    game = Game(ruleset, players=2, seed=5)
    bot = bots.make("random", ruleset, seed=5, seat=2)
    while (decision := game.decision) is not None:
        game.choose(0 if decision.player == 1 else bot(game.state))
    assert game.result is not None
    assert data["story"] == list(game.story())
    assert data["rulesTold"] == [event.rule for event in game.log]
    assert data["winners"] == list(game.result.winners)


WRONG = {
    "an_answer_that_is_no_number": "game.choose(true);",
    "a_setting_of_no_name": "rules.newGame({ player: 2 });",
    "a_decision_that_may_be_none": "const who: string = game.decision.player;",
    "a_bot_of_no_name": "rules.bot(7);",
    "an_option_that_may_be_none": "game.decision!.options[0].label;",
}


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what TypeScript says of a project with a file for each mistake.

    It takes seconds to start, and judges each.
    """
    folder = tmp_path_factory.mktemp("wrong")
    write_export(load_ruleset("pig/classic"), folder)
    begun = 'import { load } from "./rules.js";\nconst rules = await load();\nconst game = rules.newGame();\n'
    for name, wrong in WRONG.items():
        (folder / f"{name}.ts").write_text(f"{begun}{wrong}\n", encoding="utf-8")
    done = compiled(folder)
    assert done.returncode != 0
    return done.stdout


@pytest.mark.parametrize("name", WRONG)
def test_what_the_typings_refuse(refused: str, name: str) -> None:
    faults = re.findall(rf"\b{name}\.ts\((\d+),", refused)
    assert {*faults} == {"4"}


def header(data: dict[str, Any], *, players: int) -> str:
    """Return what a build makes of `rules.json` for a program in C."""
    layout = data["layout"]
    rules = [data["steps"][str(site["step"])]["rule"] for site in data["events"]]
    details = [len(site["details"]) for site in data["events"]]
    order = [procedure["id"] for procedure in data["procedures"]]
    fresh = [word if int(word) > -(1 << 63) else "INT64_MIN" for word in data["fresh"][str(players)]]
    return "\n".join(
        [
            *(f"#define AT_{name.upper()} {at}" for name, at in layout["at"].items()),
            f"#define STATE {layout['state']}",
            f"#define START {order.index(data['start'])}",
            "enum { DECISION = 1, RECORDING = 1, SAMPLING = 2 };",
            f"static const int64_t FRESH[] = {{{', '.join(fresh)}}};",
            f"static const char *const WORDS[] = {{{', '.join(map(json.dumps, data['words']))}}};",
            f"static const char *const EVENT_RULES[] = {{{', '.join(map(json.dumps, rules))}}};",
            f"static const int EVENT_DETAILS[] = {{{', '.join(map(str, details))}}};",
            "",
        ]
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the library has another name elsewhere")
@pytest.mark.parametrize(("reference", "seed"), [("pig/classic", 7), ("pig/classic", -12), ("classics/kuhn-poker", 3)])
def test_a_program_in_c_plays_the_game_of_python(tmp_path: Path, reference: str, seed: int) -> None:
    ruleset = load_ruleset(reference)
    write_export(ruleset, tmp_path)
    data = json.loads((tmp_path / "rules.json").read_text(encoding="utf-8"))
    (tmp_path / "layout.h").write_text(header(data, players=2), encoding="utf-8")
    library = next(Path(wasmtime.__file__).parent.glob("*/_libwasmtime.so"))
    # Where there is no compiler, there is one in a wheel, which takes longer.
    there = shutil.which("cc")
    compiler = [*([there] if there else [sys.executable, "-m", "ziglang", "cc"]), "-std=c17", "-Wall", "-Wextra"]
    caches = {"ZIG_GLOBAL_CACHE_DIR": str(tmp_path / "zig"), "ZIG_LOCAL_CACHE_DIR": str(tmp_path / "zig")}
    program = tmp_path / "host"
    subprocess.run(
        [*compiler, "-I", tmp_path, HOSTS / "host.c", library, f"-Wl,-rpath,{library.parent}", "-o", program],
        check=True,
        env={**os.environ, **caches},
    )
    done = subprocess.run([program, tmp_path / "rules.wasm", str(seed)], capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    game = Game(ruleset, players=2, seed=seed)
    expected: list[str] = []
    told = stop = 0
    while True:
        log = game.log
        expected += [f"event {event.rule}" for event in log[told:]]
        told = len(log)
        decision = game.decision
        if decision is None:
            break
        option = decision.options[stop % len(decision.options)]
        expected.append(f"player {decision.player} takes {option.id}")
        game.choose(option)
        stop += 1
    assert game.result is not None
    expected += [f"won by {winner}" for winner in game.result.winners]
    assert done.stdout.splitlines() == expected
