"""A tracked ruleset notes all that is read of it: nothing is hidden by what was computed before, and no file is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulewright.analysis.odds.expected_odds import weigh
from rulewright.base.incremental.reads import Read, record_reads
from rulewright.base.incremental.traces import Traces
from rulewright.book.parts.step_sentences import StepWriter
from rulewright.book.style.text_style import Style
from rulewright.engine.state.faults import Allowance
from rulewright.language.declarations import Declarations, Kind
from rulewright.ruleset.cache.clean_checks import CleanChecks
from rulewright.ruleset.cache.content_digest import ContentDigests
from rulewright.ruleset.cache.tracked_declarations import WHOLE
from rulewright.ruleset.cache.tracked_ruleset import RulesetDigests, TrackedRuleset
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.search_path import search_path
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.value_origins import Origin, ValueHistory
from rulewright.ruleset.layers.value_origins import Path as RulePath
from rulewright.ruleset.lints import load_lints
from rulewright.ruleset.load_ruleset import load_edition, load_ruleset
from rulewright.ruleset.prose.prose_lint import lint_words
from rulewright.ruleset.ruleset import Ruleset
from rulewright.source.diagnostics.collector import Diagnostics
from rulewright.source.files.file_digest import digest_file
from rulewright.source.files.unsaved_texts import build_file_key, replace_files
from rulewright.source.nodes import Scalar
from rulewright.source.span import Span
from rulewright.testing.play_samples import check_samples
from rulewright.testing.run_examples import run_example
from tests.breadth import some

SHIPPED = ["fuzzy-knights/normal@1.0", "fuzzy-knights/small@1.0", "pig/classic", "classics/goofspiel"]


@pytest.fixture(params=some(SHIPPED, SHIPPED[:1]))
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(request.param)


Work = Callable[[Ruleset], object]


def list_work(ruleset: Ruleset) -> Iterator[tuple[str, Work]]:
    """Yield every computation of a check that may be used again."""
    for example in ruleset.examples.values():
        yield f"example {example.id}", partial(run_example, example=example, allowance=Allowance())
        if example.claims:
            yield f"odds {example.id}", partial(weigh, example=example)
    for name, lint in load_lints():
        yield f"lint {name}", lambda view, lint=lint: lint(view, Diagnostics())
    yield "samples", lambda view: check_samples(view, Diagnostics())
    for procedure in ruleset.procedures:
        yield f"sentences {procedure}", partial(write_sentences, procedure)


def write_sentences(procedure: str, view: Ruleset) -> None:
    StepWriter(view.procedures[procedure], Style(view)).all()


def read_by(work: Work, view: Ruleset) -> set[Read]:
    with record_reads() as reads:
        work(view)
    return set(reads)


def test_what_was_computed_before_hides_no_read(ruleset: Ruleset) -> None:
    shared = TrackedRuleset(ruleset)
    hidden = {}
    for _ in range(2):
        for name, work in list_work(ruleset):
            missing = read_by(work, TrackedRuleset(ruleset)) - read_by(work, shared)
            if missing:
                hidden[name] = missing
    assert hidden == {}


def test_an_example_reads_a_part_of_the_rules(ruleset: Ruleset) -> None:
    view = TrackedRuleset(ruleset)
    for example in ruleset.examples.values():
        reads = read_by(partial(run_example, example=example, allowance=Allowance()), view)
        assert WHOLE not in reads, example.id
        assert ("entries", "procedures", "") not in reads, example.id
        if example.claims:
            reads = read_by(partial(weigh, example=example), view)
            assert ("entries", "procedures", "") not in reads, f"the odds of {example.id}"


def test_the_sentences_of_a_procedure_read_a_part_of_the_rules(ruleset: Ruleset) -> None:
    view = TrackedRuleset(ruleset)
    for procedure in ruleset.procedures:
        reads = read_by(partial(write_sentences, procedure), view)
        assert WHOLE not in reads, procedure
        assert ("entries", "procedures", "") not in reads, procedure


@pytest.mark.parametrize("kind", [Ruleset, Declarations, ResolvedRules, ValueHistory, Layer])
def test_every_attribute_is_tracked_or_holds_what_is(kind: type) -> None:
    ruleset = load_ruleset("pig/classic")
    view = TrackedRuleset(ruleset)
    tracked: dict[type, Any] = {
        Ruleset: view,
        Declarations: view.declarations,
        ResolvedRules: view.resolved,
        ValueHistory: view.resolved.history,
        Layer: view.resolved.layers[0],
    }
    # Known without a read: the name of a layer, which is read with the layers, and what all valid rulesets share.
    silent = {"name", "settled", "_made"}
    for each in fields(kind):
        if each.name in silent:
            continue
        with record_reads() as reads:
            value = getattr(tracked[kind], each.name)
            if not reads:
                touch(value)
        assert reads, f"{kind.__name__}.{each.name} can be read unseen"


def touch(value: Any) -> None:
    """Read something of a container that is not read as one."""
    match value:
        case Declarations():
            assert value.tables is not None
            list(value.tables)
        case ResolvedRules():
            assert value.layers
        case ValueHistory():
            assert value.origins is not None
        case _ if hasattr(value, "entries"):
            list(value.entries)
        case _ if isinstance(value, dict):  # the sections
            for each in value.values():
                list(each)
        case _:
            list(value)


def test_of_a_history_one_section_is_read() -> None:
    ruleset = build("pig/classic")
    read: Read = ("history", "examples", "")
    assert read_by(lambda view: view.resolved.history.list_section("examples"), TrackedRuleset(ruleset)) == {read}

    def digest(*changed: RulePath) -> str:
        origin = Origin("a", "changes", ruleset.resolved.rules.span, "1")
        resolved = replace(ruleset.resolved, history=ValueHistory({path: [origin] for path in changed}))
        return RulesetDigests(TrackedRuleset(replace(ruleset, resolved=resolved)), Traces()).get_digest(read)

    assert digest() == digest(("numbers", "goal")) != digest(("examples", "greed", "expect"))


def build(reference: str) -> Ruleset:
    """Build a ruleset from its files: another object each time, and nothing in it is shared but by chance."""
    catalogue = Catalogue(search_path())
    ruleset, _ = load_edition(catalogue, catalogue.find_edition(reference))
    assert ruleset is not None
    return ruleset


def list_values(ruleset: Ruleset) -> list[object]:
    declared = [getattr(ruleset.declarations, each.name) for each in fields(Declarations)]
    return [*declared, *ruleset.sections.values(), ruleset.resolved.rules]


def test_two_loads_have_the_same_digests_and_all_types_are_known(ruleset: Ruleset) -> None:
    one, other = build(ruleset.reference), build(ruleset.reference)
    assert one.procedures is not other.procedures
    for place in (None, lambda file: ""):
        digests = [[ContentDigests(place).compute(value) for value in list_values(each)] for each in (one, other)]
        assert digests[0] == digests[1]


def test_digests_tell_apart_what_differs() -> None:
    digests = ContentDigests(lambda file: file)
    here, there = Span("one.yaml", 1, 1, 1, 2), Span("other.yaml", 1, 1, 1, 2)
    plain, quoted = Scalar("7", 7, here, "plain", "7"), Scalar("7", "7", here, "double", '"7"')
    values = [1, True, 1.0, "1", b"1".decode() + " ", None, (1,), ((1,),), [], {}, {"a": 1}, {"a": 2}, {"b": 1}]
    values += [frozenset((1,)), frozenset((1, 2)), plain, quoted, Scalar("7", 7, there, "plain", "7")]
    assert len({digests.compute(value) for value in values}) == len(values)
    assert digests.compute(frozenset("ab")) == digests.compute(frozenset("ba"))
    escaped = [Scalar("AA", "AA", here, "double", raw) for raw in (r'"\x41A"', r'"A\x41"')]
    assert len({digests.compute(each) for each in escaped}) == 1, "they say the same"
    assert len({ContentDigests().compute(each) for each in escaped}) == 2, "and their words are elsewhere"


def test_no_run_reads_a_description(ruleset: Ruleset) -> None:
    other = describe_otherwise(ruleset)
    for example in ruleset.examples.values():
        one, two = (run_example(each, example, Allowance()) for each in (ruleset, other))
        assert [moment.event.text for moment in one.steps] == [moment.event.text for moment in two.steps]
        assert (one.expectations, list(one.problems)) == (two.expectations, list(two.problems))


def describe_otherwise(ruleset: Ruleset) -> Ruleset:
    """Return a copy of a ruleset with another description of everything that has one."""

    def change(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: change(each) for key, each in value.items()}
        changes: dict[str, Any] = {"means": "Something else."} if hasattr(value, "means") else {}
        changes |= {"fields": change(value.fields)} if isinstance(value, Kind) else {}
        return replace(value, **changes) if changes else value

    names = [
        each.name for each in fields(Declarations) if isinstance(getattr(ruleset.declarations, each.name), Mapping)
    ]
    declared = {name: change(getattr(ruleset.declarations, name)) for name in names if name != "rolls_read"}
    return replace(ruleset, declarations=replace(ruleset.declarations, **declared))


def test_whatever_reads_a_file_notes_it(ruleset: Ruleset) -> None:
    opened: set[str] = set()
    active = False

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if active and event in ("open", "os.listdir", "os.scandir") and isinstance(args[0], str | os.PathLike):
            file = os.path.realpath(args[0])
            # What belongs to the program changes only with the program.
            if not any(Path(file).is_relative_to(each) for each in PROGRAM):
                opened.add(file)

    sys.addaudithook(watch)
    view = TrackedRuleset(ruleset)
    words = "words", lambda _: lint_words(ruleset, Diagnostics(), checks=CleanChecks(ruleset, Traces()))
    for name, work in (*list_work(ruleset), words):
        opened.clear()
        active = True
        try:
            reads = read_by(work, view)
        finally:
            active = False
        noted = {os.path.realpath(read[1]) for read in reads if isinstance(read, tuple) and read[0] == "file"}
        assert opened <= noted, name


ROOT = Path(__file__).parents[2]
PROGRAM = [ROOT / "engine", ROOT / "grammar", ROOT / "docs_templates", Path(sys.prefix), Path(sys.base_prefix), "/proc"]


def test_what_nothing_tracks_is_never_the_same() -> None:
    ruleset = load_ruleset("pig/classic")
    one, other = (RulesetDigests(TrackedRuleset(ruleset), Traces()) for _ in range(2))
    assert one.get_digest(WHOLE) == one.get_digest(WHOLE)
    assert one.get_digest(WHOLE) != other.get_digest(WHOLE)


def test_a_file_is_compared_by_content(tmp_path: Path) -> None:
    ruleset = load_ruleset("pig/classic")
    path = tmp_path / "some.svg"
    read: Read = ("file", str(path), "")

    def digest() -> str:
        return RulesetDigests(TrackedRuleset(ruleset), Traces()).get_digest(read)

    missing, folder = digest(), digest_file(str(tmp_path))
    path.write_text("<svg/>", encoding="utf-8")
    written = digest()
    assert written != missing
    assert digest_file(str(tmp_path)) != folder
    path.write_text("<svg />", encoding="utf-8")
    assert digest() not in (missing, written)
    with replace_files({build_file_key(path): "<svg/>"}):
        assert digest() == written
    path.unlink()
    assert (digest(), digest_file(str(tmp_path))) == (missing, folder)
