"""From the files of an edition to a ruleset that is checked: the passes, in their order.

| pass           | from → to                                                     |
|----------------|---------------------------------------------------------------|
| `read_files`   | texts → documents → the layers of an edition                   |
| `lay_layers`   | layers → one resolved tree, with the history of its values     |
| `judge_shape`  | that tree → the tree without what has not the shape of a rule  |
| `build_rules`  | the tree → a `Ruleset`: declared, typed, checked               |

Two more make of it what is played, where somebody plays: `rulewright.ir.program.build_program` lowers a ruleset to
its program, `rulewright.engine.python_backend.compiler.compile_ruleset` makes a machine of that.

A pass takes a `Stage` and gives the next one; none changes what it was given. A stage holds what was made, everything
found on the way, and what is in doubt, so that a fault in one place takes away no answer about another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from rulewright.ruleset.editions.catalogue import Catalogue
from rulewright.ruleset.editions.edition import Edition, build_too_large
from rulewright.ruleset.layers.layer import Layer, ResolvedRules
from rulewright.ruleset.layers.resolve_layers import is_stack, resolve
from rulewright.ruleset.recovery.blame import point_at_likenesses, point_at_removals
from rulewright.ruleset.recovery.override_blame import point_at_overrides
from rulewright.ruleset.recovery.tainted import TaintedNames, remove_faulty_entries
from rulewright.ruleset.ruleset import Ruleset
from rulewright.ruleset.ruleset_builder import SectionError, build
from rulewright.ruleset.ruleset_diagnostics import OVERRIDE_WITHOUT_EFFECT
from rulewright.ruleset.schema.validator import validate
from rulewright.source.diagnostics.collector import DiagnosticError, Diagnostics, TooManyErrors
from rulewright.source.diagnostics.diagnostic import Diagnostic
from rulewright.source.files.safe_read import DEFAULT_LIMITS

MOST_ERRORS = 200
"""Errors of an edition that are told in one pass, beside those of single files."""

Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True, slots=True)
class PassResult(Generic[Made]):
    """What a pass made (None where nothing can be made), all that was found so far, and what that puts in doubt."""

    value: Made | None
    diagnostics: tuple[Diagnostic, ...] = ()
    tainted: TaintedNames = field(default_factory=TaintedNames)

    @property
    def sound(self) -> bool:
        """Whether no error was found."""
        return all(each.severity != "error" for each in self.diagnostics)

    def continue_with(
        self, made: Any, found: Iterable[Diagnostic] = (), doubt: TaintedNames | None = None
    ) -> PassResult[Any]:
        """Return the stage after this one: what was found before stays found."""
        return PassResult(made, (*self.diagnostics, *found), self.tainted if doubt is None else doubt)


def build_ruleset(catalogue: Catalogue, edition: Edition) -> PassResult[Ruleset]:
    """Return an edition through all passes; no ruleset comes of one that is abstract, or could not even be merged."""
    return _through(read_files(catalogue, edition), lay_layers, judge_shape, build_rules)


def build_ruleset_from_layers(layers: Sequence[Layer]) -> PassResult[Ruleset]:
    """Return layers that were read already, or written nowhere, through the passes that follow."""
    return _through(PassResult(tuple(layers)), lay_layers, judge_shape, build_rules)


def _through(stage: PassResult[Any], *passes: Callable[[PassResult[Any]], PassResult[Any]]) -> PassResult[Any]:
    for each in passes:
        if stage.value is None:
            return stage
        stage = each(stage)
    return stage


def read_files(catalogue: Catalogue, edition: Edition) -> PassResult[tuple[Layer, ...]]:
    """Return the layers of an edition, the lowest first. What cannot be read of a file is left out, and in doubt."""
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
    # What merging would say of layers of which nothing is known is noise.
    return stage.continue_with(None if hopeless else tuple(layers))


def lay_layers(stage: PassResult[tuple[Layer, ...]]) -> PassResult[ResolvedRules]:
    """Return all layers as one tree.

    An abstract edition is whole only in the editions laid over it, where it is checked.
    """
    layers = stage.value or ()
    merging = Diagnostics()
    resolved = resolve(layers, merging)
    point_at_likenesses(merging, resolved)
    # Of overlays that know nothing of each other, what is wrong between them is told alone.
    contested = is_stack(layers) and bool(merging.errors)
    written = [file for layer in layers for file in layer.files]
    found = stage.tainted.select_certain(merging, written)
    doubt = stage.tainted.with_faults(
        [each for each in merging.errors if each.code is not OVERRIDE_WITHOUT_EFFECT], written
    )
    return stage.continue_with(None if contested or _is_abstract(layers[-1]) else resolved, found, doubt)


def judge_shape(stage: PassResult[ResolvedRules]) -> PassResult[ResolvedRules]:
    """Return the tree as far as it has the shape of rules: an entry that has not is left out, and in doubt."""
    resolved = stage.value
    assert resolved is not None
    shapes = Diagnostics()
    if validate(resolved.rules, "rules", shapes, overlay=False):
        return stage
    point_at_likenesses(shapes, resolved)
    found = stage.tainted.select_certain(shapes, [resolved.rules])
    rules, lost = remove_faulty_entries(resolved.rules, [fault.span for fault in shapes])
    whole = validate(rules, "rules", Diagnostics(), overlay=False)
    return stage.continue_with(replace(resolved, rules=rules) if whole else None, found, stage.tainted.with_lost(lost))


def build_rules(stage: PassResult[ResolvedRules]) -> PassResult[Ruleset]:
    """Return the ruleset.

    Of what was found before it is not asked again: only what does not follow from that is told.
    """
    resolved = stage.value
    assert resolved is not None
    checking = Diagnostics(stage.diagnostics if stage.sound else ())
    try:
        with checking.limit_errors(MOST_ERRORS):
            ruleset = build(resolved, checking, whole=stage.sound)
    except (TooManyErrors, SectionError):
        return PassResult(None, tuple(checking), stage.tainted) if stage.sound else stage.continue_with(None, checking)
    point_at_likenesses(checking, resolved)
    doubt = stage.tainted.with_names(point_at_removals(checking, resolved))
    point_at_overrides(checking, resolved)
    if stage.sound:
        return PassResult(ruleset, tuple(checking), doubt)
    found = doubt.select_certain(checking, [resolved.rules, resolved.manifest])
    return stage.continue_with(ruleset, found, doubt.with_broken_entries(checking.errors, resolved.rules))


def _is_abstract(layer: Layer) -> bool:
    status = layer.manifest.get("status")
    return status is not None and status.to_plain() == "abstract"
