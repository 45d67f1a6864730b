"""Games of all shipped rulesets in Python, in Node and in a page in Chromium: everything they tell is the same."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from collections import Counter
from contextlib import ExitStack
from functools import cache, partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.export.write_export import write_export
from tests.browser import CHROMIUM_ARGUMENTS, find_chromium
from tests.fuzz.mutate import main
from tests.fuzz.stops import playable

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTS = Path(__file__).parents[1] / "engine" / "hosts"
MOST_STOPS = 200


class Hosts:
    """Node and Chromium, kept open, and the rulesets that were exported for both."""

    def __init__(self, browser: Browser | None = None) -> None:
        self._browser = browser
        self._open = ExitStack()
        self.folder = Path(self._open.enter_context(TemporaryDirectory(prefix="rulewright-hosts-")))
        for name in ("told.mjs", "serve.mjs"):
            shutil.copy(HOSTS / name, self.folder)
        self.seen: Counter[str] = Counter()
        self.exported = cache(self._exported)
        self.node = cache(self._node)
        self.page = cache(self._page)

    def close(self) -> None:
        """Close both."""
        self._open.close()

    def _exported(self, reference: str) -> str:
        name = reference.replace("/", "-")
        write_export(load_ruleset(reference), self.folder / name)
        return name

    def _node(self) -> subprocess.Popen[str]:
        program = shutil.which("node")
        assert program is not None, "node is not installed: `make audits` installs it on Debian and Ubuntu"
        command = [program, str(self.folder / "serve.mjs")]
        return self._open.enter_context(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )

    def _page(self) -> Any:
        handler = partial(_Quiet, directory=str(self.folder))
        server = self._open.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        Thread(target=server.serve_forever, daemon=True).start()
        self._open.callback(server.shutdown)
        page = (self._browser or self._chromium()).new_page()
        self._open.callback(page.close)
        (self.folder / "index.html").write_text("<!doctype html><title>Games</title>", encoding="utf-8")
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        return page

    def _chromium(self) -> Browser:
        from playwright.sync_api import sync_playwright

        chromium = self._open.enter_context(sync_playwright()).chromium
        browser = chromium.launch(executable_path=find_chromium(), args=[*CHROMIUM_ARGUMENTS])
        self._open.callback(browser.close)
        return browser

    def in_node(self, reference: str, job: dict[str, Any]) -> Any:
        """Return what a game told in Node."""
        process = self.node()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"folder": str(self.folder / self.exported(reference)), **job}) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline() or '"Node has ended"')

    def in_chromium(self, reference: str, job: dict[str, Any]) -> Any:
        """Return what it told in a page."""
        return self.page().evaluate(
            """async ([name, job]) => {
                const { told } = await import("/told.mjs");
                const { load } = await import(`/${name}/rules.js`);
                globalThis.rules ??= {};
                return told(globalThis.rules[name] ??= await load(), job);
            }""",
            [self.exported(reference), job],
        )

    def trial(self, random: Random) -> None:
        """One game, the same everywhere."""
        reference = random.choice(playable())
        told = job(reference, random)
        expected = in_python(reference, told)
        assert self.in_node(reference, told) == expected, (reference, told, "Node")
        assert self.in_chromium(reference, told) == expected, (reference, told, "Chromium")
        self.seen[reference] += expected["stops"]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to hear of every file."""


def in_python(reference: str, job: dict[str, Any]) -> Any:
    """Return what it told in Python: see `told.mjs`."""
    ruleset = load_ruleset(reference)
    game = Game(ruleset, players=job["players"], seed=job["seed"], options=job["options"])
    seated = [bots.make("random", ruleset, seed=job["seed"], seat=seat + 1) for seat in range(job["players"])]
    lines, stops = [], 0
    while stops < job["most"] and (decision := game.decision) is not None:
        told = decision.to_json()
        told["options"] = [{**option, "index": index} for index, option in enumerate(told["options"])]
        lines.append(_plain(told))
        if stops % 50 == 0:
            lines.append(game.save_text())
        game.choose(seated[decision.player - 1](game.state))
        stops += 1
    result = None if game.result is None else {"winners": list(game.result.winners)}
    told_of = ([event.to_json() for event in game.log], list(game.story()), result)
    lines += [game.save_text(), *map(_plain, told_of)]
    return {"stops": stops, "digest": sha256("\n".join(lines).encode()).hexdigest()}


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def job(reference: str, random: Random) -> dict[str, Any]:
    """Return a game by settings at random."""
    ruleset = load_ruleset(reference)
    return {
        "players": random.randint(*ruleset.players),
        "seed": random.randrange(1 << 40),
        "options": {option.id: random.choice([*option.choices]) for option in ruleset.declarations.options.values()},
        "most": MOST_STOPS,
    }


if __name__ == "__main__":
    there = Hosts()
    atexit.register(lambda: print(*(f"{name}: {count:,} stops" for name, count in there.seen.items()), sep="\n"))
    atexit.register(there.close)
    main("hosts", there.trial)
