"""Results of checks on disk: used by any copy of the rules, exactly as far as what they have read is the same."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from rulewright.authoring.example_odds import weigh_odds
from rulewright.base.incremental.reads import note_read
from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.base.lalr_parser import LalrParser, SemanticActions
from rulewright.book.languages.sentence_check import check_sentences
from rulewright.book.parts.step_sentences import check_templates
from rulewright.language.expressions import expression_parser
from rulewright.ruleset.cache import cache_folder, storage
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.cache.storage import is_storing, use_storage
from rulewright.ruleset.cache.stored_traces import StoredTraces, open_traces
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.translation.translation import Translation
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.diagnostics.formats import render
from rulewright.source.files.safe_read import ReadLimits
from rulewright.source.span import TextPlaces
from rulewright.source.yaml import yaml_reader
from rulewright.source.yaml.node_builder import DocumentBuilder
from rulewright.testing.check_edition import check_edition
from tests.breadth import times
from tests.incremental.histories import edit_text

CHECKOUT = Path(__file__).parents[2]
SHRINE = CHECKOUT / "site" / "docs" / "cookbook" / "shrine"
RULES = CHECKOUT / "rules"
RUN = """
import sys
from pathlib import Path
from tests.incremental.test_stored_traces import check_stored
print(*check_stored(Path(sys.argv[1])), sep="\\n")
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))


def check(home: Path, traces: Traces) -> str:
    """Check the rules in a folder, and return everything that is said of them."""
    catalogue = Catalogue([home.parent, RULES])
    edition = next(each for each in catalogue.list_editions() if each.ruleset == "cookbook/shrine")
    checked = check_edition(catalogue, edition, weigh=weigh_odds, check_sentences=check_all_sentences, traces=traces)
    return str(render("text", checked.diagnostics))


def check_all_sentences(checks: CleanChecks, translations: Sequence[Translation], diagnostics: Diagnostics) -> None:
    diagnostics.extend(check_templates(checks.view.whole, checks))
    diagnostics.extend(check_sentences(translations, checks.traces))


def check_stored(home: Path) -> tuple[int, str]:
    """Check with what is on disk, as a new process does; return how many computations were done, and what was said."""
    for function in (yaml_reader.read_once, expression_parser.parse_expression, expression_parser.parse_type):
        function.cache_clear()
    with open_traces("shrine") as traces:
        messages = check(home, traces)
    return traces.work.total(), messages


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SHRINE, tmp_path / "rules" / "house"))


def test_a_second_check_computes_almost_nothing(home: Path) -> None:
    first, messages = check_stored(home)
    second, again = check_stored(home)
    assert (messages, again) == ("", "")
    assert first > 1_000
    assert second < 10, "only what reads files"


def test_an_edit_computes_what_it_touches(home: Path) -> None:
    check_stored(home)
    path = home / "rules.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("gift: 2", "gift: 3"), encoding="utf-8")
    assert check_stored(home)[0] < 60


def test_an_edit_of_a_procedure_computes_no_sentences_or_odds_of_others(home: Path) -> None:
    with open_traces("shrine") as traces:
        check(home, traces)
    path = home / "rules.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("coin: answer.gift", "coin: answer.gift + 0"))
    with open_traces("shrine") as traces:
        assert "error" not in check(home, traces)
    assert 0 < traces.work["sentences"] < 5
    assert traces.work["odds"] == 0


def test_an_edit_reads_only_the_file_that_it_changes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Builder(DocumentBuilder):
        def __init__(self, places: TextPlaces, diagnostics: Diagnostics, limits: ReadLimits) -> None:
            files.append(Path(places.file).name)
            super().__init__(places, diagnostics, limits)

    def read(parser: LalrParser, text: str, actions: SemanticActions, start: str = "start") -> object:
        if start != "start":  # that of dice
            texts.append(text)
        return read_anew(parser, text, actions, start)

    files: list[str] = []
    texts: list[str] = []
    read_anew = LalrParser.read
    monkeypatch.setattr(yaml_reader, "DocumentBuilder", Builder)
    monkeypatch.setattr(LalrParser, "read", read)
    _, messages = check_stored(home)
    assert len(files) > 2
    assert len(texts) > 20
    path = home / "rules.yaml"
    for old, new in (("gift: 2", "gift: 3"), ("gift: 3", "gift: 2")):
        files.clear()
        texts.clear()
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        _, said_now = check_stored(home)
        assert [name for name in files if name != "ruleset.yaml"] == (["rules.yaml"] if new == "gift: 3" else [])
        assert texts == []
    assert said_now == messages


def test_another_copy_on_another_seed_starts_where_the_last_one_ended(home: Path, tmp_path: Path) -> None:
    check_stored(home)
    copy = Path(shutil.copytree(home, tmp_path / "other" / "copied"))
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{CHECKOUT / 'engine'}:{CHECKOUT}"}
        run = subprocess.run(
            [sys.executable, "-c", RUN, str(copy)], env=environment, capture_output=True, text=True, check=True
        )
        assert int(run.stdout.split()[0]) < 10


class Memory(dict[str, bytes]):
    """A storage in memory. Two that are empty are equal."""

    def read(self, key: str) -> bytes | None:
        return self.get(key)

    def write(self, key: str, content: bytes) -> None:
        self[key] = content


def test_the_innermost_storage_is_used() -> None:
    outer, inner = Memory(), Memory()
    with use_storage(outer):
        with use_storage(inner):
            pass
        storage.write("key", b"content")
        assert storage.read("key") == b"content"
    assert (outer, inner) == ({"key": b"content"}, {})


def test_a_program_may_provide_its_own_storage(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, "off")
    with use_storage(Memory()):
        first, messages = check_stored(home)
        second, again = check_stored(home)
    assert (messages, again) == ("", "")
    assert first > 1_000
    assert second < 10, "only what reads files"
    assert not is_storing()
    assert not (tmp_path / "cache").exists()


def test_edits_say_the_same_as_a_check_from_nothing(home: Path) -> None:
    chance, path = random.Random(19), home / "rules.yaml"
    texts = [path.read_text(encoding="utf-8")]
    for _ in range(times(12, 200)):
        texts.append(edit_text(chance.choice(texts), chance))
        path.write_text(texts[-1], encoding="utf-8")
        assert check_stored(home)[1] == check(home, NoTraces()), texts[-1]


@pytest.mark.parametrize(
    "spoilt",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"reads": 1, "traces": 2}',
        b'{"reads": [], "traces": [["[[\\"lint\\"], []]", [7]]]}',
        b'{"reads": [], "traces": [["[{\\"named\\": [\\"os\\", \\"PathLike\\"]}, []]", []]]}',
        b'{"reads": [], "traces": [["[{\\"named\\": [\\"rulewright.base.errors\\", \\"nothing\\"]}, []]", []]]}',
    ],
)
def test_what_is_damaged_or_foreign_counts_as_nothing(monkeypatch: pytest.MonkeyPatch, spoilt: bytes) -> None:
    monkeypatch.setattr("rulewright.ruleset.cache.stored_traces.read", lambda _: spoilt)
    assert list(StoredTraces(["any"])) == []


class Numbers:
    """A source with one number."""

    series = "numbers"

    def __init__(self, number: int) -> None:
        self.number = number

    def get_digest(self, read: object) -> str:
        return str(self.number)

    def is_plain(self, read: object) -> bool:
        return True


@pytest.mark.parametrize(
    "value", [None, 7, "seven", (1, ("two", False)), {"a": (1,), ("b", 2): "c"}, Traces, frozenset({"x", "y"})]
)
def test_plain_data_comes_back(value: object) -> None:
    def compute() -> object:
        note_read(("setting", "number", ""))
        return value

    for expected in (1, 0):
        with open_traces("plain") as traces:
            fetched_value = traces.fetch(("some", "key", 1), Numbers(1), compute)
        assert traces.work["some"] == expected
    assert fetched_value == (("x", "y") if isinstance(value, frozenset) else value)
    with open_traces("plain") as traces:
        traces.fetch(("some", "key", 1), Numbers(2), compute)
    assert traces.work["some"] == 1


@pytest.mark.parametrize("read", [("file", "/tmp/x", ""), ("whole", "", "")])
def test_what_is_true_of_this_place_or_process_alone_is_not_stored(read: object) -> None:
    for _ in range(2):
        with open_traces("plain") as traces:
            traces.fetch(("some",), Numbers(1), lambda: note_read(read))
        assert traces.work["some"] == 1


def test_objects_are_not_stored() -> None:
    for _ in range(2):
        with open_traces("plain") as traces:
            traces.fetch(("some",), Numbers(1), object)
        assert traces.work["some"] == 1


def test_without_a_cache_nothing_is_reused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache_folder.VARIABLE, "off")
    with open_traces("shrine") as traces:
        assert isinstance(traces, NoTraces)


def test_what_nobody_uses_any_more_is_dropped(tmp_path: Path) -> None:
    for names in ("ab", "bc", "c"):
        with open_traces("plain") as traces:
            for name in names:
                traces.fetch((name,), Numbers(1), lambda: None)
    (path,) = [each for each in (tmp_path / "cache").iterdir() if b'"reads"' in each.read_bytes()]
    stored = json.loads(path.read_bytes()[path.read_bytes().index(b'{"reads"') :])
    assert [json.loads(plain)[0] for plain, _ in stored["traces"]] == [["b"], ["c"]]
