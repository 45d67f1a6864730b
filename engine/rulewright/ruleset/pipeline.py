"""The passes that build a checked ruleset from the files of an edition.

| pass           | from → to                                                      |
|----------------|----------------------------------------------------------------|
| `read_files`   | texts → documents → the layers of an edition                    |
| `lay_layers`   | layers → one merged tree, with the origin of each value         |
| `judge_shape`  | merged tree → the tree without entries that fail the schema     |
| `build_rules`  | tree → a `Ruleset`: names declared, expressions typed, checked  |

Two later passes run only if the game is played: `rulewright.ir.program.build_program` lowers a ruleset to its program,
and `rulewright.engine.python_backend.compiler.compile_ruleset` compiles that.

Each pass takes a `PassResult` and returns a new one. None changes its argument. A result carries the value, all
diagnostics so far, and the names that errors have made uncertain. So an error in one entry hides no diagnostics of
other entries and causes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from rulewright.base.incremental.traces import NoTraces, Traces
from rulewright.ruleset.cache.known_rulesets import build_once
from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, build_too_large
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.resolve_layers import is_stack, resolve
from rulewright.ruleset.recovery.blame import point_at_likenesses, point_at_removals
from rulewright.ruleset.recovery.override_blame import point_at_overrides
from rulewright.ruleset.recovery.tainted import TaintedNames, remove_faulty_entries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_builder import SectionError, build
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics, TooManyErrors
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.safe_read import DEFAULT_LIMITS

MOST_ERRORS = 200
"""The maximum number of errors that `build_rules` reports before it stops."""

Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True, slots=True)
class PassResult(Generic[Made]):
    """The value that a pass made, with all diagnostics so far and the names that they taint.

    `value` is None if nothing could be made. The later passes are then skipped.
    """

    value: Made | None
    diagnostics: tuple[Diagnostic, ...] = ()
    tainted: TaintedNames = field(default_factory=TaintedNames)

    @property
    def sound(self) -> bool:
        """Whether there are no errors."""
        return all(each.severity != "error" for each in self.diagnostics)

    def continue_with(
        self, result: Any, diagnostics: Iterable[Diagnostic] = (), doubt: TaintedNames | None = None
    ) -> PassResult[Any]:
        """Return the result of the next pass: `result`, with `diagnostics` added to the diagnostics.

        The tainted names stay the same unless `doubt` replaces them.
        """
        return PassResult(result, (*self.diagnostics, *diagnostics), self.tainted if doubt is None else doubt)


def build_ruleset(
    catalogue: Catalogue, edition: Edition, *, traces: Traces | None = None, most_errors: int = MOST_ERRORS
) -> PassResult[Ruleset]:
    """Run all passes for an edition.

    The value of the result is None if the edition is abstract or could not be merged, or has more errors than given.
    """
    traces = NoTraces() if traces is None else traces
    build_last = partial(build_rules, traces=traces, most_errors=most_errors)
    stage = read_files(catalogue, edition)
    if stage.value is None:
        return PassResult(None, stage.diagnostics, stage.tainted)
    more = (stage.diagnostics, stage.tainted, most_errors)
    return build_once(stage.value, more, traces, lambda: _through(stage, lay_layers, judge_shape, build_last))


def build_ruleset_from_layers(layers: Sequence[Layer]) -> PassResult[Ruleset]:
    """Run the passes after reading for layers in memory, lowest first."""
    return _through(PassResult(tuple(layers)), lay_layers, judge_shape, build_rules)


def _through(stage: PassResult[Any], *passes: Callable[[PassResult[Any]], PassResult[Any]]) -> PassResult[Any]:
    """Return the result of passes run one after another, or of the first one that leaves no value."""
    for each in passes:
        if stage.value is None:
            return stage
        stage = each(stage)
    return stage


def read_files(catalogue: Catalogue, edition: Edition) -> PassResult[tuple[Layer, ...]]:
    """Return the layers of an edition, lowest first, and the diagnostics of their files.

    Parts of a file that cannot be read are left out and tainted. The value is None if the chain of editions cannot be
    resolved, the files are too large together, or a file could not be read at all. Never raises for invalid rules.
    """
    try:
        chain = catalogue.chain(edition)
        if edition.follows is not None:
            catalogue.find(edition.follows)
    except DiagnosticError as error:
        return PassResult(None, error.diagnostics)
    stacked = any(part.overlays for part in chain)
    layers: list[Layer] = []
    stage: PassResult[tuple[Layer, ...]] = PassResult(())
    hopeless, size = False, 0
    for part in chain:
        read = catalogue.read_layer(part)
        size += read.size
        if size > DEFAULT_LIMITS.edition:
            return PassResult(None, (build_too_large(part, size),), stage.tainted)
        hopeless = hopeless or read.hopeless
        own = catalogue.list_written_for(part) if stacked else frozenset()
        files = tuple(file for _, file in read.files)
        layers.append(Layer(part.id, part.folder, part.manifest, files, own, part.over))
        stage = stage.continue_with((), read.diagnostics, stage.tainted.with_lost(read.lost))
    # If a layer cannot be read, errors of the merge would only follow from that.
    return stage.continue_with(None if hopeless else tuple(layers))


def lay_layers(stage: PassResult[tuple[Layer, ...]]) -> PassResult[ResolvedRules]:
    """Merge the layers into one tree.

    The value is None for an abstract edition, which is complete only in the editions that extend it and is checked
    there, and for overlays that conflict with each other. Entries with errors are tainted.
    """
    layers = stage.value or ()
    merging = Diagnostics()
    resolved = resolve(layers, merging)
    point_at_likenesses(merging, resolved)
    # If independent overlays conflict, only the conflicts are reported.
    contested = is_stack(layers) and bool(merging.errors)
    written = [file for layer in layers for file in layer.files]
    result = stage.tainted.select_certain(merging, written)
    doubt = stage.tainted.with_faults(merging.errors, written)
    return stage.continue_with(None if contested or _is_abstract(layers[-1]) else resolved, result, doubt)


def judge_shape(stage: PassResult[ResolvedRules]) -> PassResult[ResolvedRules]:
    """Return the merged tree without the entries that fail the schema. These are reported and tainted.

    If all entries pass, the stage itself is returned. The value is None if the remaining entries still fail.
    """
    resolved = stage.value
    assert resolved is not None
    shapes = Diagnostics()
    if validate(resolved.rules, "rules", shapes, overlay=False):
        return stage
    point_at_likenesses(shapes, resolved)
    result = stage.tainted.select_certain(shapes, [resolved.rules])
    rules, lost = remove_faulty_entries(resolved.rules, [fault.span for fault in shapes])
    whole = validate(rules, "rules", Diagnostics(), overlay=False)
    return stage.continue_with(replace(resolved, rules=rules) if whole else None, result, stage.tainted.with_lost(lost))


def build_rules(
    stage: PassResult[ResolvedRules], *, traces: Traces | None = None, most_errors: int = MOST_ERRORS
) -> PassResult[Ruleset]:
    """Build and check the ruleset.

    If earlier passes found errors, only diagnostics that do not follow from those are added. The value is None if a
    section failed or there are more than `most_errors` errors.
    """
    resolved = stage.value
    assert resolved is not None
    checking = Diagnostics(stage.diagnostics if stage.sound else ())
    try:
        with checking.limit_errors(most_errors):
            ruleset = build(resolved, checking, whole=stage.sound, traces=traces)
    except (TooManyErrors, SectionError):
        return PassResult(None, tuple(checking), stage.tainted) if stage.sound else stage.continue_with(None, checking)
    doubt = stage.tainted.with_names(point_at_removals(checking, resolved))
    doubt = doubt.with_dependents(checking, resolved.rules)
    point_at_overrides(checking, resolved)
    point_at_likenesses(checking, resolved)
    if stage.sound:
        return PassResult(ruleset, tuple(checking), doubt)
    files = [resolved.rules, resolved.manifest]
    result = doubt.select_certain(checking, files)
    return stage.continue_with(ruleset, result, doubt.with_broken_entries(checking.errors, resolved.rules))


def _is_abstract(layer: Layer) -> bool:
    status = layer.manifest.get("status")
    return status is not None and status.to_plain() == "abstract"
