"""The cache of checked rulesets: the same game from it as from the rules, and nothing in its folder can do harm."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from rulewright import Game, load_ruleset
from rulewright.base.errors import RulewrightError
from rulewright.base.resources import find_resource
from rulewright.book.rulebook import render_site
from rulewright.cli.main import main
from rulewright.engine.wasm_backend.bot_games import (
    BotGames,
    Counted,
    Series,
    exhaust_pieces,
    load_prepared,
    prepare_module,
)
from rulewright.ruleset.cache import cache_folder, fingerprint, ruleset_cache, safe_unpickling
from rulewright.ruleset.cache.safe_unpickling import UnpackError, pack, unpack
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.layers.value_origins import Origin
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics
from rulewright.source.diagnostics.formats import text
from rulewright.source.span import Span
from tests.breadth import some

# Copies of what is shipped, with changes: that they are told of is looked at elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::rulewright.RulesetWarning")

EVERYTHING = some(
    [edition.id for edition in Catalogue(search_path()).list_editions() if edition.status != "abstract"],
    ["classics/yacht@1.0.0", "fuzzy-knights/normal@1.0.1", "pig/classic@1.0.0"],
)
"""What is kept goes by the kinds of parts a ruleset has: one that lies over another has all, and two are small."""


@pytest.fixture
def cache_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield an empty folder for the cache. Others may be at work on the program itself while this runs."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(fingerprint, "_files", lambda: ("this program", 0))
    fingerprint.identify_program.cache_clear()
    yield tmp_path / "cache"
    fingerprint.identify_program.cache_clear()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the editions whose rules were read."""
    from rulewright.ruleset import load_ruleset as load

    seen: list[str] = []
    real = load.load_edition

    def watched(catalogue: Catalogue, edition: object) -> object:
        seen.append(edition.id)  # type: ignore[attr-defined]
        return real(catalogue, edition)  # type: ignore[arg-type]

    monkeypatch.setattr(load, "load_edition", watched)
    return seen


@pytest.fixture
def own(tmp_path: Path, checkout: Path) -> Path:
    """Return a copy of the shipped rules to change."""
    shutil.copytree(checkout / "rules" / "pig", tmp_path / "rules" / "pig")
    return tmp_path / "rules"


def fresh(reference: str, **more: object) -> Ruleset:
    """Return a ruleset from its rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache_folder.VARIABLE, "off")
        return load_ruleset(reference, **more)  # type: ignore[arg-type]


def played(rules: Ruleset) -> list[object]:
    """Return everything that happens in the first hundred decisions of a game."""
    game, random = Game(rules, seed=11), Random(11)
    for _ in range(100):
        if game.decision is None:
            break
        game.choose(random.choice(game.decision.options))
    return [(event.rule, str(event)) for event in game.log]


def list_values(rules: Ruleset) -> dict[tuple[str, ...], list[tuple[Origin, str]]]:
    """Return the history of each value, with the values as readers see them."""
    return {path: [(each, each.value) for each in made] for path, made in rules.resolved.history.origins.items()}


def files(path: Path) -> list[Path]:
    return sorted(path.glob("*.rulewright"))


@pytest.mark.parametrize("reference", EVERYTHING)
def test_from_the_cache_it_is_the_same_game(reference: str, cache_path: Path, reads: list[str]) -> None:
    load_ruleset(reference)
    cached = load_ruleset(reference)
    assert reads == [reference], "the second was to come from the cache"
    other = fresh(reference)
    assert cached.digest == other.digest
    assert played(cached) == played(other)
    assert text.render(list(cached.warnings)) == text.render(list(other.warnings))
    assert cached.resolved.manifest.to_plain() == other.resolved.manifest.to_plain()
    assert cached.resolved.rules.to_plain() == other.resolved.rules.to_plain()
    assert list_values(cached) == list_values(other)
    for part in ("examples", "rulings", "faq"):
        assert list(getattr(cached, part)) == list(getattr(other, part))


def test_a_book_from_the_cache_is_the_same(cache_path: Path, reads: list[str]) -> None:
    load_ruleset("pig/classic@1.0")
    assert render_site(load_ruleset("pig/classic@1.0")) == render_site(fresh("pig/classic@1.0"))


@pytest.mark.parametrize(
    "command",
    [
        ["why", "fuzzy-knights/normal@1.0", "procedures.battle"],
        ["diff", "fuzzy-knights/normal@0.2", "fuzzy-knights/normal@1.0"],
        ["odds", "pig/classic@1.0", "turn"],
    ],
    ids=lambda command: command[0],
)
def test_commands_say_the_same(command: list[str], cache_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for _ in range(2):
        main(command)
        said.append(capsys.readouterr())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache_folder.VARIABLE, "off")
        main(command)
    assert said == [capsys.readouterr()] * 2


def test_warnings_come_along(own: Path, cache_path: Path, reads: list[str]) -> None:
    rules = own / "pig" / "classic-1.0" / "pig.yaml"
    rules.write_text(rules.read_text().replace("terms:\n", "terms:\n  unheard: {name: Unheard}\n", 1))
    first, second = (load_ruleset("pig/classic@1.0", rules=[own]) for _ in range(2))
    assert len(reads) == 1
    assert list(first.warnings) == list(second.warnings)
    assert text.render(list(first.warnings)) == text.render(list(second.warnings))


# -- what makes a file hold no longer -----------------------------------------------------------


def test_a_changed_file_counts_at_once(own: Path, cache_path: Path) -> None:
    rules = own / "pig" / "classic-1.0" / "pig.yaml"
    before = load_ruleset("pig/classic@1.0", rules=[own])
    changed = rules.read_text().replace("is: 100", "is: 120")
    status = rules.stat()
    rules.write_text(changed)
    os.utime(rules, ns=(status.st_atime_ns, status.st_mtime_ns))  # neither its size nor its time gives it away
    after = load_ruleset("pig/classic@1.0", rules=[own])
    assert after.digest != before.digest
    assert after.digest == fresh("pig/classic@1.0", rules=[own]).digest


def test_a_new_file_counts(own: Path, cache_path: Path) -> None:
    load_ruleset("pig/classic@1.0", rules=[own])
    (own / "pig" / "classic-1.0" / "more.yaml").write_text("numbers:\n  more: {is: 3}\n")
    assert "more" in load_ruleset("pig/classic@1.0", rules=[own]).declarations.numbers


def test_places_are_those_of_the_folder_that_was_asked(own: Path, cache_path: Path, tmp_path: Path) -> None:
    load_ruleset("pig/classic@1.0", rules=[own])
    shutil.move(own, tmp_path / "moved")
    moved = load_ruleset("pig/classic@1.0", rules=[tmp_path / "moved"])
    assert moved.procedures["game"].span.file.startswith(str(tmp_path / "moved"))


def test_another_program_reads_the_rules_itself(
    cache_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_ruleset("pig/classic@1.0")
    monkeypatch.setattr(fingerprint, "_files", lambda: ("the next version", 0))
    fingerprint.identify_program.cache_clear()
    load_ruleset("pig/classic@1.0")
    assert len(reads) == 2


def test_a_program_that_changed_under_way_keeps_nothing(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "_files", lambda: ("this program", 2**63))
    load_ruleset("pig/classic@1.0")
    assert files(cache_path) == []


def test_errors_are_told_every_time(own: Path, cache_path: Path) -> None:
    rules = own / "pig" / "classic-1.0" / "pig.yaml"
    rules.write_text(rules.read_text().replace("is: 100", "is: 100 +"))
    texts = []
    for _ in range(2):
        with pytest.raises(DiagnosticError) as caught:
            load_ruleset("pig/classic@1.0", rules=[own])
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


# -- a folder that cannot be relied on ----------------------------------------------------------


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flip(data: bytes) -> bytes:
    return data[:-50] + bytes([data[-50] ^ 1]) + data[-49:]


@pytest.mark.parametrize("harm", [_cut, _flip, lambda data: b"", lambda data: b"something else"])
def test_a_spoilt_file_is_passed_over_and_mended(
    harm: Callable[[bytes], bytes], cache_path: Path, reads: list[str]
) -> None:
    load_ruleset("pig/classic@1.0")
    sound = {path: path.read_bytes() for path in files(cache_path)}
    for path, data in sound.items():
        path.write_bytes(harm(data))
    assert load_ruleset("pig/classic@1.0").digest == fresh("pig/classic@1.0").digest
    reads.clear()
    load_ruleset("pig/classic@1.0")
    assert reads == []


def test_a_file_of_another_key_is_passed_over(cache_path: Path) -> None:
    cache_folder.write("one", b"of one")
    os.rename(cache_path / "one.rulewright", cache_path / "other.rulewright")
    assert cache_folder.read("other") is None


class _Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("planted",)


def test_a_planted_file_runs_nothing(cache_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    load_ruleset("pig/classic@1.0")
    bomb = pickle.dumps(_Bomb())
    for path in files(cache_path):
        cache_folder.write(path.stem, len(bomb).to_bytes(8, "big") + bomb + bomb)
    assert load_ruleset("pig/classic@1.0").digest == fresh("pig/classic@1.0").digest
    assert not (tmp_path / "planted").exists()


def test_a_process_unpacks_what_it_was_given_once(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_ruleset("pig/classic@1.0")
    first = load_ruleset("pig/classic@1.0")
    monkeypatch.setattr(ruleset_cache, "unpack", lambda _: pytest.fail("it was unpacked already"))
    assert load_ruleset("pig/classic@1.0") is first


def test_what_is_at_hand_counts_no_longer_where_a_letter_changed(cache_path: Path, tmp_path: Path) -> None:
    folders = tmp_path / "rules" / "pig"
    shutil.copytree(find_resource("rules") / "pig", folders)
    rules = next(folders.glob("classic-*/*.yaml"))
    before = load_ruleset("pig/classic@1.0", rules=folders.parent)
    assert load_ruleset("pig/classic@1.0", rules=folders.parent).digest_of_all == before.digest_of_all
    manifest = rules.parent / "ruleset.yaml"
    text = manifest.read_text(encoding="utf-8")
    changed = re.sub(r"(?m)^title: .*$", "title: Hog", text)
    assert changed != text
    manifest.write_text(changed, encoding="utf-8")
    assert load_ruleset("pig/classic@1.0", rules=folders.parent).title == "Hog"


def test_a_process_keeps_few_rulesets_at_hand(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset_cache, "MOST_AT_HAND", 1)
    for _ in range(2):
        first, second = load_ruleset("pig/classic@1.0"), load_ruleset("classics/tic-tac-toe")
    assert list(ruleset_cache.AT_HAND.values()) == [second]
    assert load_ruleset("pig/classic@1.0").digest == first.digest


def test_what_is_unpacked_later_is_read_from_the_rules_where_it_is_spoilt(cache_path: Path, tmp_path: Path) -> None:
    first = pack(ruleset_cache.split_first_parts(fresh("pig/classic@1.0")))
    cache_folder.write("key", len(first).to_bytes(8, "big") + first + pickle.dumps(_Bomb()))
    ruleset = ruleset_cache.load_stored("key", lambda: fresh("pig/classic@1.0"))
    assert ruleset is not None
    assert ruleset.resolved.rules.to_plain() == fresh("pig/classic@1.0").resolved.rules.to_plain()
    assert not Path("planted").exists()


@pytest.mark.parametrize("call", [os.system, eval, exec, __import__, subprocess.run, main, getattr, load_ruleset])
def test_only_types_of_rulesets_are_unpacked(call: Callable[..., object]) -> None:
    with pytest.raises(UnpackError):
        unpack(pickle.dumps(call))


SPAN = b"crulewright.source.span\nSpan\n"
HOSTILE = {
    "a type changed by its dictionary": SPAN + b"}(V__str__\nN\x75b.",
    "a type changed by its slots": SPAN + b"N}(V__str__\nNu\x86b.",
    "a type that can be changed": b"crulewright.source.diagnostics\nDiagnostics\nN}(V__len__\nNu\x86b.",
    "a maker changed": b"cfractions\nFraction\nN}(V__call__\nNu\x86b.",
    "an object of no type": SPAN + b")\x81.",
    "a range without end": b"cbuiltins\nrange\n(I0\nI1000000000000000000\ntR.",
    "a set of a range": b"cbuiltins\nfrozenset\n(cbuiltins\nrange\n(I0\nI100\ntRtR.",
    "a fraction of a short text": b"cfractions\nFraction\n(V1e999999\nI1\ntR.",
    "a fraction of text alone": b"cfractions\nFraction\n(V1e999999\ntR.",
}
"""Pickles that say something else than a value."""


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("wall", ["opcodes", "makers"])
def test_what_is_unpacked_changes_nothing_and_asks_for_little(
    name: str, wall: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wall == "makers":  # the second one must hold by itself
        monkeypatch.setattr(safe_unpickling, "_refuse_other_opcodes", lambda data: None)
    before = {kind: dict(vars(kind)) for kind in (Span, Diagnostics)}
    with pytest.raises(UnpackError):
        unpack(HOSTILE[name])
    assert {kind: dict(vars(kind)) for kind in (Span, Diagnostics)} == before


BOMBS = {
    "a memo of sixteen gigabytes": b"\x80\x05K\x01r\xff\xff\xff\x7f.",
    "the same in text": b"K\x01p2000000000\n.",
    "bytes without end": b"\x80\x05\x96" + (2**40).to_bytes(8, "little") + b".",
    "a text without end": b"\x80\x05\x8d" + (2**40).to_bytes(8, "little") + b".",
    "a text that is not there": b"\x80\x05X\xff\xff\xff\x7f.",
    "a number cut short": b"\x80\x05J\x01",
}
"""Pickles that ask for memory by saying so. None may be tried without the wall that stands before them."""


@pytest.mark.parametrize("name", BOMBS)
def test_no_few_bytes_ask_for_much_memory(name: str) -> None:
    with pytest.raises(UnpackError):
        unpack(BOMBS[name])


@pytest.mark.parametrize("value", [2**70, -5, 1.5, "x" * 300, "ü" * 70_000, None, True, [1, [2]], ((), (1,), (1, 2))])
def test_every_opcode_that_is_written_is_read(value: object) -> None:
    assert unpack(pack(value)) == value


@pytest.mark.parametrize("value", [range(10, 101, 10), Fraction(2, 3), {1: (2, frozenset({3}))}, {"a", "b"}])
def test_plain_values_come_back(value: object) -> None:
    assert unpack(pack(value)) == value


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no modes")
@pytest.mark.parametrize("whose", ["file", "folder"])
def test_what_others_may_write_is_not_believed(whose: str, cache_path: Path) -> None:
    cache_folder.write("key", b"content")
    assert cache_folder.read("key") == b"content"
    path = cache_path if whose == "folder" else cache_path / "key.rulewright"
    path.chmod(path.stat().st_mode | stat.S_IWOTH)
    assert cache_folder.read("key") is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners")
def test_what_belongs_to_others_is_not_believed(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_folder.write("key", b"content")
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert cache_folder.read("key") is None


def test_a_link_is_not_followed(cache_path: Path, tmp_path: Path) -> None:
    cache_folder.write("key", b"content")
    os.rename(cache_path / "key.rulewright", tmp_path / "elsewhere")
    (cache_path / "key.rulewright").symlink_to(tmp_path / "elsewhere")
    assert cache_folder.read("key") is None


@pytest.mark.parametrize("there", ["a file", "nothing that can be made", "a name that cannot be"])
def test_without_a_folder_rules_are_read(there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    names = {
        "a file": str(tmp_path / "file"),
        "nothing that can be made": str(tmp_path / "file" / "below"),
        "a name that cannot be": "/proc/none/at/all",
    }
    monkeypatch.setenv(cache_folder.VARIABLE, names[there])
    assert load_ruleset("pig/classic@1.0").digest == fresh("pig/classic@1.0").digest


def test_a_full_disk_is_nobodys_business(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    load_ruleset("pig/classic@1.0")
    assert list(cache_path.iterdir()) == []


def test_the_folder_may_be_deleted_at_any_time(cache_path: Path) -> None:
    load_ruleset("pig/classic@1.0")
    cached = load_ruleset("pig/classic@1.0")
    shutil.rmtree(cache_path)
    assert cached.examples
    assert load_ruleset("pig/classic@1.0").digest == cached.digest


def test_many_write_and_read_at_once(cache_path: Path) -> None:
    contents = [bytes([number]) * 200_000 for number in range(8)]

    def work(number: int) -> set[bytes | None]:
        seen = set()
        for _ in range(20):
            cache_folder.write("key", contents[number])
            seen.add(cache_folder.read("key"))
        return seen

    with ThreadPoolExecutor(8) as pool:
        seen = set().union(*pool.map(work, range(8)))
    assert seen <= set(contents)
    assert [path.name for path in cache_path.iterdir()] == ["key.rulewright"]


def test_processes_at_once_all_load(tmp_path: Path) -> None:
    program = "from rulewright import load_ruleset; print(load_ruleset('pig/classic@1.0').digest)"
    environment = {**os.environ, cache_folder.VARIABLE: str(tmp_path / "cache")}
    running = [
        subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE) for _ in range(4)
    ]
    output = {process.communicate()[0] for process in running}
    assert output == {fresh("pig/classic@1.0").digest.encode() + os.linesep.encode()}


# -- code from the cache, which is run ----------------------------------------------------------


def ends(ruleset: Ruleset) -> list[Counted]:
    """Return what twenty games of a ruleset come to, played as WebAssembly."""
    series = Series("1", 2, {}, 10_000, ())
    counting = BotGames(ruleset).open_counting(series)
    exhaust_pieces(counting.run(0, 20))
    return sorted(counting.counted())


def test_a_planted_module_is_never_run(
    cache_path: Path, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pig = fresh("pig/classic@1.0")
    expected = ends(pig)
    rules = own / "pig" / "classic-1.0" / "pig.yaml"
    rules.write_text(rules.read_text().replace("is: 100", "is: 10"))
    other = fresh("pig/classic@1.0", rules=[own])
    assert ends(other) != expected
    # Somebody else writes the cache, with that module under Pig's key, and it is restored here, as build servers do.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    key = fingerprint.build_key("wasm", pig.digest_of_all)
    cache_folder.write(key, prepare_module(other).pack())
    assert ends(pig) != expected, "its writer believes it"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "mine"))
    assert cache_folder.read(key) is None
    assert ends(pig) == expected


@pytest.mark.parametrize("harm", [b"", b"no wasm", b"\0asm\1\0\0\0"], ids=repr)
@pytest.mark.parametrize("what", ["whole", "code", "beginning", "native"])
def test_a_harmed_module_is_made_anew(cache_path: Path, what: str, harm: bytes) -> None:
    pig = fresh("pig/classic@1.0")
    expected = ends(pig)
    sound = load_prepared(pig)
    key = fingerprint.build_key("wasm", pig.digest_of_all)
    match what:
        case "whole":
            cache_folder.write(key, harm)
        case "code":
            cache_folder.write(key, replace(sound, code=harm).pack())
        case "beginning":
            for head in (b"{}", b"[]", harm):
                cache_folder.write(key, len(head).to_bytes(8, "big") + head + sound.code)
                assert ends(pig) == expected
        case "native":
            for path in files(cache_path):
                if path.stem != key:
                    cache_folder.write(path.stem, harm)
    assert ends(pig) == expected


def test_wasmtime_keeps_nothing_by_itself(tmp_path: Path) -> None:
    program = (
        "from rulewright import load_ruleset; from rulewright.analysis.simulation.run_simulation import simulate;"
        "simulate(load_ruleset('pig/classic@1.0'), games=1)"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    del environment[cache_folder.VARIABLE]
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["rulewright"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)])
@pytest.mark.parametrize("where", ["files", "secret", "folder"])
def test_something_else_in_place_of_a_file_is_passed_over(
    make: Callable[[Path], None], where: str, cache_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "state" / "rulewright" / "cache-secret"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    expected = load_ruleset("pig/classic@1.0").digest
    for path in {"files": files(cache_path), "secret": [secret], "folder": [cache_path]}[where]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        make(path)
    monkeypatch.setattr(cache_folder, "_SECRETS", {})
    for _ in range(2):
        assert load_ruleset("pig/classic@1.0").digest == expected


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no modes")
def test_the_secret_is_the_users_alone(tmp_path: Path, cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    cache_folder.write("key", b"content")
    secret = tmp_path / "rulewright" / "cache-secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    first = secret.read_bytes()
    monkeypatch.setattr(cache_folder, "_SECRETS", {})
    assert cache_folder.read("key") == b"content"
    secret.chmod(0o640)  # others may have read it
    monkeypatch.setattr(cache_folder, "_SECRETS", {})
    monkeypatch.setattr(cache_folder, "_OWN", os.urandom(32))
    assert cache_folder.read("key") is None
    assert secret.read_bytes() != first


BEGIN_TOGETHER = """
import sys
from rulewright.ruleset.cache import cache_folder
print(flush=True)
input()
cache_folder.write(sys.argv[1], b"content")
"""


def test_processes_that_begin_together_share_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN_TOGETHER, str(number)],
            env={**os.environ, "PYTHONPATH": str(Path(cache_folder.__file__).parents[3])},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(4)
    ]
    for process in begun:
        assert process.stdout is not None
        process.stdout.readline()
    for process in begun:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in begun] == [None] * 4
    assert [cache_folder.read(str(number)) for number in range(4)] == [b"content"] * 4


@pytest.mark.parametrize("message", ["nothing that can be made", "no home"])
def test_without_a_secret_a_process_believes_itself_alone(
    message: str, cache_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    if message == "no home":
        monkeypatch.setattr(cache_folder, "find_secret_file", lambda: None)
    else:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file" / "below"))
    cache_folder.write("key", b"content")
    assert cache_folder.read("key") == b"content"
    monkeypatch.setattr(cache_folder, "_OWN", os.urandom(32))  # as another process has
    assert cache_folder.read("key") is None


# -- where it lies, and how much ----------------------------------------------------------------


@pytest.mark.parametrize("setting", ["off", "0", "", "no", " OFF "])
def test_it_can_be_switched_off(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, setting)
    assert cache_folder.cache_folder() is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it lies elsewhere")
def test_it_lies_in_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache_folder.VARIABLE)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder.cache_folder() == tmp_path / ".cache" / "rulewright"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which the specification says to ignore
    assert cache_folder.cache_folder() == tmp_path / ".cache" / "rulewright"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder.cache_folder() == tmp_path / "xdg" / "rulewright"


def test_what_nobody_uses_goes(cache_path: Path) -> None:
    for name, days in (("old", 100), ("recent", 2)):
        cache_folder.write(name, b"content")
        then = (cache_path / f"{name}.rulewright").stat().st_mtime - days * 24 * 3600
        os.utime(cache_path / f"{name}.rulewright", (then, then))
    (cache_path / "others.txt").write_text("not ours to remove")
    os.utime(cache_path / "others.txt", (0, 0))
    cache_folder.write("new", b"content")
    assert sorted(path.name for path in cache_path.iterdir()) == ["new.rulewright", "others.txt", "recent.rulewright"]


def test_there_is_room_for_so_much_only(cache_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 10_000)
    for number in range(10):
        cache_folder.write(f"key{number}", b"x" * 2_000)
        os.utime(cache_path / f"key{number}.rulewright", (10**9 * 1.5 + number, 10**9 * 1.5 + number))
        monkeypatch.setattr(cache_folder, "LONGEST_UNUSED", 10**10)
    assert sum(path.stat().st_size for path in files(cache_path)) <= 10_000
    assert cache_folder.read("key9") == b"x" * 2_000
    cache_folder.write("large", b"x" * 9_000)
    assert cache_folder.read("large") is None


def test_a_use_is_remembered(cache_path: Path) -> None:
    cache_folder.write("key", b"content")
    os.utime(cache_path / "key.rulewright", (10**9, 10**9))
    assert cache_folder.read("key") == b"content"
    assert (cache_path / "key.rulewright").stat().st_mtime > 10**9


def test_packing_refuses_what_no_rule_can_hold() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pack(lambda: None)
    assert not issubclass(UnpackError, RulewrightError)
