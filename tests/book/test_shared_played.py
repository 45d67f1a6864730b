"""House rules of a link, played at the table of a published book."""

from __future__ import annotations

import base64
import copy
import gzip
import hashlib
import json
import shutil
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from rulewright import Game, load_ruleset
from rulewright.ai import bots
from rulewright.authoring.what_if_modules import build_book_parameters
from rulewright.book.play_page.byte_delta import compute_delta
from rulewright.book.site.book_folders import find_editions
from rulewright.book.site.publish import SHARED, build_site
from rulewright.export.write_export import build_module_and_data
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.studio.storage.share_bundle import parse_fragment
from tests.published import RULES
from tests.site.test_axe import violations
from tests.site.test_play import MOST, Mouse, choose_option, play
from tests.studio.windows import said_by, window

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PIG = "pig/classic@1.0.0"
MANIFEST = "ruleset: house/quick\nversion: 0.1.0\nextends: pig/classic@1.0\ntitle: <img src=x onerror=alert(1)>\n"
QUICK = """\
numbers: {goal: 105}
procedures:
  game:
    steps:
      - {id: grown, set: {pot: pot + face * 2}}
examples:
  the_last_hold:
    expect: {max(p.score for p in players): 105}
"""
SEATS, SEED = ("", "greedy"), 5


def packed(value: object) -> str:
    data = zlib.compress(json.dumps(value).encode())
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def shared_of(rules: Path) -> tuple[str, dict[str, Any]]:
    """Return the fragment that the studio makes of a folder of rules, and what it holds."""
    with window(rules) as studio:
        response = studio.get("/api/share", ref="house/quick@0.1.0")
    assert response["plays"] is True, response
    return response["fragment"], said_by(response["fragment"])


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quick")
    (folder / "quick").mkdir()
    (folder / "quick" / "ruleset.yaml").write_text(MANIFEST)
    (folder / "quick" / "rules.yaml").write_text(QUICK)
    return folder


@pytest.fixture(scope="module")
def link(rules: Path) -> tuple[str, dict[str, Any]]:
    return shared_of(rules)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    catalogue = Catalogue([RULES])
    folder = tmp_path_factory.mktemp("played") / "site"
    build_site(catalogue, folder, only=find_editions(catalogue, [PIG]), vary=build_book_parameters)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("rules_now", "why"),
    [
        ("numbers: {goal: ten}\n", "they have errors"),
        ("{}\n", "they play exactly like pig/classic@1.0.0"),
        ("numbers: {goal: 110}\n", ""),
    ],
)
def test_rules_that_hold_together_and_play_otherwise_can_be_played(tmp_path: Path, rules_now: str, why: str) -> None:
    """Under the last ones an example of the edition does not hold any more; all travel, to be read at least."""
    (tmp_path / "quick").mkdir()
    (tmp_path / "quick" / "ruleset.yaml").write_text(MANIFEST)
    (tmp_path / "quick" / "rules.yaml").write_text(rules_now)
    with window(tmp_path) as studio:
        response = [studio.get("/api/share", ref="house/quick@0.1.0")]
        with studio.studio.desk.workspace() as workspace:
            workspace.settle()
        response.append(studio.get("/api/share", ref="house/quick@0.1.0"))
    assert [(each["plays"], each["why"]) for each in response] == [(not why, why)] * 2
    assert parse_fragment(response[0]["fragment"]).files["quick/rules.yaml"] == rules_now


def python_game(rules: Path) -> Game:
    """Return the same game by the same rules, played by Python."""
    ruleset = load_ruleset("house/quick", rules=[rules, RULES])
    game = Game(ruleset, players=len(SEATS), seed=SEED)
    sitting = [bots.make(name, ruleset, seed=SEED, seat=at) if name else None for at, name in enumerate(SEATS, start=1)]
    count = 0
    while (decision := game.decision) is not None:
        bot = sitting[decision.player - 1]
        game.choose(choose_option(count, len(decision.options)) if bot is None else bot(game.state))
        count += bot is None
    return game


def test_a_whole_game_by_rules_of_a_link_is_the_one_of_python(
    page: Page, site: Path, rules: Path, link: tuple[str, dict[str, Any]], site_server: Callable[[Path], str]
) -> None:
    address = site_server(site)
    page.goto(f"{address}{SHARED}{link[0]}")
    expect(page.locator("#shared-changed li").first).to_have_text("Goal numbers.goal")
    assert page.locator("#shared-changed li").all_text_contents() == [
        "Goal numbers.goal",
        "Game procedures.game",
        "The last hold examples.the_last_hold",
    ]
    goal = page.locator("#shared-changed a").first.get_attribute("href")
    assert goal is not None
    assert goal.startswith(address)
    page.goto(goal)
    assert page.locator(f"[id='{goal.partition('#')[2]}']").count() == 1
    page.go_back()

    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())))
    page.get_by_role("link", name="Play by these rules").click()
    page.locator(".rw-play__setup").wait_for()
    whose = page.get_by_role("note", name="Whose rules these are")
    expect(whose).to_contain_text("These rules came with a link: <img src=x onerror=alert(1)> (house/quick@0.1.0)")
    assert whose.locator("img").count() == 0
    assert violations(page) == []
    assert sum(sizes) <= MOST

    table = Mouse(page, page.url)
    table.begin(SEATS, SEED)
    play(table)
    game = python_game(rules)
    assert table.saved() == game.save_text()
    assert table.story() == [line.replace("🎲 ", "") for line in game.story()]
    assert table.faults == []
    # Whoever goes on to the book's own rules plays by them, with no game left of the others.
    page.get_by_role("link", name="Play by the rules of this book").click()
    expect(page.get_by_role("note", name="Whose rules these are")).to_have_count(0)
    page.locator(".rw-play__setup").wait_for()


def test_a_game_by_rules_of_a_link_is_gone_on_with_there_alone(
    page: Page, site: Path, link: tuple[str, dict[str, Any]], site_server: Callable[[Path], str]
) -> None:
    at = f"{site_server(site)}{next(site.glob('*/play.html')).relative_to(site).as_posix()}"
    there = at + link[0].replace("#rules=", "#shared=")
    table = Mouse(page, there)
    table.begin(("", ""), SEED)
    table.take(0)
    table.waits("0")
    assert page.get_by_role("button", name="Share a link").count() == 0
    # Whoever goes to a place on the page goes on by the same rules.
    page.evaluate("location.hash = 'rw-play'")
    page.wait_for_url(there)
    keys = [key for key in page.evaluate("Object.keys(localStorage)") if key.startswith("rulewright.play.")]
    assert keys == [f"rulewright.play.shared.{link[1]['play']['sum']}"]
    page.reload()
    expect(page.get_by_role("button", name="Continue your last game")).to_be_visible()
    page.goto("about:blank")
    page.goto(at)
    page.locator(".rw-play__setup").wait_for()
    expect(page.get_by_role("button", name="Continue your last game")).to_have_count(0)


def hostile(data: dict[str, Any], /, **play: object) -> str:
    other = copy.deepcopy(data)
    other["play"] |= play
    return packed(other)


@pytest.mark.parametrize(
    ("play_of", "message"),
    [
        ({"sum": "0" * 64}, "another version of"),
        ({"sum": "none"}, "can be read but not played"),
        ({"data": ["{}"]}, "another version of"),
        ({"wasm": [0, 10**9]}, "another version of that book"),
        ({"wasm": [-1, 5]}, "another version of that book"),
        ({"wasm": [0, 60_000] * 100}, "larger than any game"),
        ({"wasm": [None, "5"]}, "another version of that book"),
        ({"data": ["\u0100"]}, "letters that stand for no bytes"),
        ({"table": {"0": 1}}, "can be read but not played"),
    ],
)
def test_what_does_not_fit_is_not_played(
    page: Page, site: Path, link: tuple[str, dict[str, Any]], play_of: dict[str, Any], message: str
) -> None:
    page.goto("about:blank")
    page.goto(f"{next(site.glob('*/play.html')).as_uri()}#shared=1.{hostile(link[1], **play_of)}")
    expect(page.locator("#rw-play [role=alert]")).to_contain_text(message)
    assert page.locator(".rw-play__setup").count() == 0


def test_a_book_of_another_state_says_so_and_shows_the_rules(
    page: Page, site: Path, link: tuple[str, dict[str, Any]]
) -> None:
    page.goto(f"{(site / SHARED).as_uri()}#rules=1.{hostile(link[1], on='0123456789abcdef')}")
    expect(page.locator("#shared-play")).to_contain_text("another version of")
    assert page.locator("#shared-play a").count() == 0
    assert page.locator("#shared-files pre").count() == 2


def published(site: Path) -> list[bytes]:
    """Return the module, the data and the table that the page reads."""
    data = json.loads(next(site.glob("*-*/play.js")).read_text().removeprefix("rulewrightRules(").rstrip(")\n"))
    return [gzip.decompress(base64.b85decode(data[name])) for name in ("wasm", "data", "table")]


def whole(data: dict[str, Any], *parts: bytes) -> str:
    """Return a link that says of such rules what is true of them."""
    letters = [[part.decode("latin-1")] for part in parts]
    told = dict(zip(("wasm", "data", "table"), letters, strict=True))
    return hostile(data, sum=hashlib.sha256(b"".join(parts)).hexdigest(), **told)


EVIL = "<img src=x onerror=\"document.title='run'\">"


def test_nothing_that_a_link_says_is_drawn_as_anything_but_words(
    page: Page, site: Path, link: tuple[str, dict[str, Any]]
) -> None:
    wasm, plain, shown = published(site)
    data, table = json.loads(plain), json.loads(shown)
    homes = {f"javascript:alert(1)//{name}": rules for name, rules in table["homes"].items()}
    table |= {
        "pictures": {"pot": f"<symbol id='i-pot'>{EVIL}</symbol><script>document.title='run'</script>"},
        "homes": homes,
        "guides": {"first_turns": EVIL},
        "seats": ["url(https://elsewhere.example/)"],
    }
    data["terms"]["pot"]["name"] = EVIL
    words = json.dumps(data).replace(data["digest"], EVIL.replace('"', "'"))
    at = next(site.glob("*/play.html")).as_uri()
    lines: list[str] = []
    page.on("request", lambda request: lines.append(request.url))
    evil = Mouse(page, f"{at}#shared=1.{whole(link[1], wasm, words.encode(), json.dumps(table).encode())}")
    assert page.get_by_text("New to this game?").count() == 0
    evil.begin(("", ""), SEED)
    evil.take(0)
    evil.waits("0")
    assert page.locator("#rw-play").inner_text().count("<img src=x")
    assert page.locator("#rw-play :is(img, script, iframe, a[href^='javascript' i])").count() == 0
    assert page.title() != "run"
    assert [url for url in lines if not url.startswith(("file:", "blob:", "data:"))] == []
    homes_there = page.locator(".rw-play__log a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert homes_there
    assert all(home.startswith("pig.html#") for home in homes_there)


def test_rules_of_a_link_pass_for_no_others(page: Page, site: Path, link: tuple[str, dict[str, Any]]) -> None:
    wasm, plain, shown = published(site)
    grown = plain.rstrip().removesuffix(b"}") + b',"__proto__":{"a":1}}'
    for parts, told in (
        ((wasm, plain, shown), "play exactly like the edition"),
        ((wasm, grown, shown), "names that are not allowed"),
        ((b"{}", plain, shown), "not a WebAssembly module"),
        ((wasm, b"{", shown), "cannot be played"),
    ):
        page.goto("about:blank")
        page.goto(f"{next(site.glob('*/play.html')).as_uri()}#shared=1.{whole(link[1], *parts)}")
        expect(page.locator("#rw-play [role=alert]")).to_contain_text(told)


# -- parts, in Node -----------------------------------------------------------------------

PARTS = Path(__file__).resolve().parents[2] / "site" / "assets" / "shared"


def node(program: str) -> Any:
    """Return what a program that ends with a value for `said` comes to in Node; `of(name)` is the address of a part."""
    executable = shutil.which("node")
    if executable is None:
        pytest.fail("node is not installed: `make audits` installs it on Debian and Ubuntu", pytrace=False)
    whole = f"""
const of = (name) => `data:text/javascript;base64,${{Buffer.from(parts[name]).toString("base64")}}`;
const parts = {json.dumps({path.stem: path.read_text() for path in PARTS.glob("*.js")})};
parts.play = parts.play.replace(/"\\.\\/(\\w+)\\.js"/g, (_, name) => JSON.stringify(of(name)));
const refused = (work) => {{ try {{ work(); return null; }} catch (error) {{ return error.message; }} }};
{program}
console.log(JSON.stringify(said));"""
    done = subprocess.run([executable, "--input-type=module", "-e", whole], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_a_delta_comes_to_the_bytes_that_it_was_made_of() -> None:
    there = bytes(range(256)) * 40
    ones = [
        b"",
        there,
        there[100:9_000],
        there[:500] + b"\xff\x00new" + there[500:],
        there[700:] + there[:700],
        b"else",
    ]
    said = [[list(made), compute_delta(there, made)] for made in ones]
    program = f"""
const {{ applied }} = await import(of("delta"));
const there = Uint8Array.from({list(there)});
const said = {json.dumps([each for _, each in said])}.map((each) => [...applied(each, there, 20000)]);"""
    assert node(program) == [made for made, _ in said]
    assert len(json.dumps(compute_delta(there, ones[3]))) < 80


MODULE = b"\0asm\1\0\0\0"
MEMORY = b"\x05\x05\x01\x01\x02\x80\x10"
ONE_TABLE = b"\x70\x00\x80\xad\xe2\x04"  # ten million entries
TABLES = b"\x04" + bytes([1 + 30 * len(ONE_TABLE), 1]) + b"\x1e" + 30 * ONE_TABLE  # 181 bytes, as a number of two


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (b"{}", "not a WebAssembly module"),
        (MODULE, "no memory"),
        (MODULE + MEMORY * 2, "no memory"),
        (MODULE + b"\x02\x01\x00" + MEMORY, "more of this page"),
        (MODULE + b"\x08\x01\x00" + MEMORY, "more of this page"),
        (MODULE + b"\x05\x7f" + MEMORY, "more of this page"),
        (MODULE + b"\x05\x04\x01\x01\x80\x40", "more memory"),
        (MODULE + b"\x05\x05\x01\x01\x80\x40\x01", "more memory"),
        (MODULE + b"\x05\x03\x01\x00\x02", "more memory"),
        (MODULE + b"\x05\x04\x01\x03\x02\x02", "more memory"),
        (MODULE + b"\x05\xff\xff\xff\xff\xff\xff", "not a WebAssembly module"),
        (MODULE + TABLES + MEMORY, "more of this page"),
        (MODULE + b"\x04\x07\x01" + ONE_TABLE + MEMORY, "more of this page"),
        (MODULE + b"\x04\x05\x01\x70\x01\x41\x41" + MEMORY, "more memory"),
        (MODULE + b"\x04\x09\x02" + b"\x70\x01\x10\x10" * 2 + MEMORY, "more memory"),
        (MODULE + b"\x04\x05\x01\x6f\x01\x10\x10" + MEMORY, "more of this page"),
        # Arrays, alone and behind a function, in a group of types, and what refers to them.
        (MODULE + b"\x01\x04\x01\x5e\x7e\x01" + MEMORY, "more of this page"),
        (MODULE + b"\x01\x0a\x02\x60\x02\x7f\x7e\x01\x7c\x5e\x7e\x01" + MEMORY, "more of this page"),
        (MODULE + b"\x01\x06\x01\x4e\x01\x5e\x7e\x01" + MEMORY, "more of this page"),
        (MODULE + b"\x01\x05\x01\x60\x01\x6f\x00" + MEMORY, "more of this page"),
        (MODULE + b"\x01\x05\x01\x60\x09\x7f\x00" + MEMORY, "more of this page"),
    ],
)
def test_a_module_that_wants_more_is_refused(module: bytes, message: str) -> None:
    program = f"""
const {{ bounded }} = await import(of("module"));
const said = refused(() => bounded(Uint8Array.from({list(module)}), 4096));"""
    assert message in (node(program) or "")


def test_a_module_may_have_no_more_memory_than_is_allowed() -> None:
    program = f"""
const {{ bounded }} = await import(of("module"));
const said = [...bounded(Uint8Array.from({list(MODULE + MEMORY)}), 300)];"""
    assert node(program) == list(MODULE + b"\x05\x05\x01\x01\x02\xac\x02")


def test_a_table_has_no_room_to_grow() -> None:
    growing = MODULE + b"\x04\x06\x01\x70\x01\x10\xff\x01" + MEMORY
    program = f"""
const {{ bounded }} = await import(of("module"));
const said = [...bounded(Uint8Array.from({list(growing)}), 300)];"""
    assert node(program) == list(MODULE + b"\x04\x05\x01\x70\x01\x10\x10" + b"\x05\x05\x01\x01\x02\xac\x02")


def test_the_module_of_an_edition_is_taken(tmp_path: Path) -> None:
    code, _ = build_module_and_data(load_ruleset("pig/classic"))
    (tmp_path / "rules.wasm").write_bytes(code)
    program = f"""
const {{ bounded }} = await import(of("module")), {{ readFileSync }} = await import("node:fs");
const made = bounded(readFileSync({json.dumps(str(tmp_path / "rules.wasm"))}), 4096);
const said = WebAssembly.validate(made);"""
    assert node(program) is True


def test_names_that_reach_what_objects_are_made_of_are_refused() -> None:
    texts = ['{"a": [{"__proto__": {}}]}', r'{"\u005f_proto__": 1}', '{"constructor": {}}', '{"a": {"b": 1}}']
    program = f"""
const {{ plain }} = await import(of("play"));
const said = {json.dumps(texts)}.map((text) => refused(() => plain(text)));"""
    assert [each is None for each in node(program)] == [False, False, False, True]
